package serbench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/serbench/serbench/internal/measure"
)

// wire is what a group of ops through a transport has beside its cells.
type wire struct {
	transport Transport
	links     []*link
}

// wireRoles are the roles of the cells of each codec and op.
var wireRoles = [...]Role{RoleWhole, RoleTransport, RoleCodec}

// Batches through a transport are longer than others: their ops wait, and a
// batch should be many of them.
// No cell leaves early, since the shares need all of them.
const (
	wireBatchTime = 500 * time.Microsecond
	wireBlockTime = 8 * time.Millisecond
	wireBlocks    = 45
)

func (w *wire) adjust(set *measure.Settings) {
	if set.BatchTime == 0 {
		set.BatchTime = wireBatchTime
	}
	if set.BlockTime == 0 {
		set.BlockTime = wireBlockTime
	}
}

// layOutWires makes results and a group for each transport: the codecs' cells
// first, each codec's send before its receive, and then the controls.
func (r *run) layOutWires(pi int) {
	p := r.payloads[pi]
	ops := slices.DeleteFunc(slices.Clone(r.Ops), func(op Op) bool { return !op.throughTransport() })
	if len(ops) == 0 {
		return
	}
	slices.SortFunc(ops, func(a, b Op) int { return slices.Index(Ops(), a) - slices.Index(Ops(), b) })
	for _, t := range r.Transports {
		g := &group{name: idPart(p.name) + "/" + idPart(p.form) + "/through@" + idPart(t.Name()), op: ops[0], wire: &wire{transport: t}}
		for _, role := range wireRoles {
			for ci := range r.codecs {
				for _, op := range ops {
					if c := r.wireCell(r.subjects[pi*len(r.codecs)+ci], op, t.Name(), role); c.result.hasFigures() {
						g.cells = append(g.cells, c)
					}
				}
			}
		}
		if len(g.cells) > 0 {
			r.groups = append(r.groups, g)
		}
	}
}

// hasFigures reports whether the status allows figures.
func (res *Result) hasFigures() bool {
	return res.Status == StatusOK || res.Status == StatusLossy
}

// wireCell makes the cell and its result. The codec was checked already; the
// way through the transport is proved when the group opens it.
func (r *run) wireCell(s *subject, op Op, transport string, role Role) *cell {
	c := &cell{subject: s, op: op}
	id := resultID(s.payload.name, s.payload.form, s.codec.Name(), op) + "@" + idPart(transport)
	if role != RoleWhole {
		id += "!" + string(role) + "-only"
	}
	c.result = &Result{
		ID: id, Payload: s.payload.name, Form: s.payload.form, Codec: s.codec.Name(), Op: op,
		Transport: transport, Role: role, Parallelism: 1, Environment: r.report.Environments[0].ID,
		Status: s.status, Reason: s.reason, Stack: s.stack,
		Encoded: s.sizes, Fidelity: s.fidelity, Traits: s.traits,
	}
	r.cells = append(r.cells, c)
	switch {
	case s.status == StatusFailed && role == RoleWhole:
		r.errs = append(r.errs, r.errorAt(c, s.err))
	case c.result.hasFigures() && r.ctx.Err() != nil:
		c.result.Status, c.result.Reason = StatusNotRun, "the run ended before"
	}
	return c
}

// comparable reports whether the ratio of the two says something about
// codecs: the same op, and no controls.
func (c *cell) comparable(o *cell) bool {
	return c.op == o.op && c.goroutines() == o.goroutines() && c.result.Role == RoleWhole && o.result.Role == RoleWhole
}

// buildWire makes an instance of a cell of a transport's group.
func (c *cell) buildWire(values []any) (path string, err error) {
	s := c.subject
	name := c.result.Transport
	if c.result.Role == RoleTransport {
		if c.op == OpSend {
			c.prepare, c.run = c.link.room, sendLoop(c.link, constants(s.copies()))
			return name + " Send", nil
		}
		c.prepare, c.run = c.link.need, receiveOnlyLoop(c.link)
		return name + " Receive", nil
	}
	if c.op == OpSend {
		put, path, err := c.puts(values)
		if err != nil {
			return "", err
		}
		if c.result.Role == RoleCodec {
			c.run = encodeBoundLoop(put, &c.msg)
			return path, nil
		}
		c.prepare, c.run = c.link.room, sendLoop(c.link, put)
		return path + ", " + name + " Send", nil
	}
	unmarshal, path, err := bindTarget(s.codec, c.target)
	if err != nil {
		return "", err
	}
	if c.result.Role == RoleCodec {
		c.run = s.payload.typed.decodeBound(unmarshal, c.target, s.copies())
		return path, nil
	}
	c.prepare, c.run = c.link.need, s.payload.typed.receive(c.link, unmarshal, c.target)
	return name + " Receive, " + path, nil
}

// puts are the functions that encode the values.
func (c *cell) puts(values []any) (fs []func() ([]byte, error), path string, err error) {
	s := c.subject
	bound, err := bindValues(s.codec, values)
	if err != nil {
		return nil, "", err
	}
	if fs = marshals(bound); fs != nil {
		return fs, "bound Marshal", nil
	}
	for _, v := range values {
		fs = append(fs, func() ([]byte, error) { return s.codec.Marshal(v) })
	}
	return fs, "Marshal", nil
}

func constants(messages [][]byte) (fs []func() ([]byte, error)) {
	for _, m := range messages {
		fs = append(fs, func() ([]byte, error) { return m, nil })
	}
	return fs
}

// checkArrived looks, between blocks, at what was received last.
func (c *cell) checkArrived() error {
	l := c.link
	if l == nil || c.op != OpReceive || c.run == nil || l.received == 0 || l.broken != nil || l.busy.Load() {
		return nil
	}
	s := c.subject
	if c.result.Role == RoleTransport {
		return l.arrived(s.messages)
	}
	i := l.index()
	if f := s.payload.compare(i, s.values[i], c.target); f.Class == Lossy && s.status == StatusOK {
		return fmt.Errorf("message %d arrived as another value than was sent, at %s: is somebody else using the queue?", l.received-1, f.Differences[0].Path)
	}
	return nil
}

// openWire opens the connections, proves the way through them with each value
// and drops the cells that cannot go it. It reports whether any is left.
func (r *run) openWire(g *group) bool {
	type way struct {
		codec string
		role  Role
	}
	links := map[way]*link{}
	var dead error // of the transport itself: the other codecs need not try
	var kept []*cell
	for _, c := range g.cells {
		if c.result.Role == RoleCodec {
			if links[way{c.result.Codec, RoleWhole}] != nil {
				kept = append(kept, c)
			} else {
				c.result.Status, c.result.Reason = StatusSkipped, "a control without what it controls: the transport failed"
			}
			continue
		}
		w := way{c.result.Codec, c.result.Role}
		l, tried := links[w]
		if !tried {
			err := dead
			if err == nil {
				l, err = r.openLink(g, c)
			}
			if open := (*openError)(nil); errors.As(err, &open) {
				dead = err
			}
			if err != nil {
				r.failWire(g, c, err)
			}
			links[w] = l
		}
		if l != nil {
			c.link = l
			kept = append(kept, c)
		}
	}
	g.cells = kept
	g.pairs = r.pairsOf(g)
	return len(kept) > 0
}

// openError is an error of Open: the other codecs need not try.
type openError struct{ err error }

func (e *openError) Error() string { return e.err.Error() }
func (e *openError) Unwrap() error { return e.err }

// openLink opens a connection for the cell's codec and role, and sends every
// value through it once.
func (r *run) openLink(g *group, c *cell) (l *link, err error) {
	s := c.subject
	var hand sync.Mutex // of the link, from the guarded call to this one
	waiting := true
	err = measure.Guard(r.ctx, r.CallLimit, func() (err error) {
		conn, err := g.wire.transport.Open(r.ctx)
		if err != nil {
			return &openError{fmt.Errorf("open: %w", err)}
		}
		handed := false
		defer func() { // also behind a panic, and where a call that hung comes back
			if handed {
				return
			}
			if left := conn.Close(); left != nil && err != nil {
				err = fmt.Errorf("%w; left behind: %w", err, left)
			}
		}()
		put := constants(s.copies())
		if c.result.Role == RoleWhole {
			if put, _, err = c.puts(s.values); err != nil {
				return err
			}
		}
		opened := newLink(r.ctx, conn, put, s.sizes.Mean)
		if err := opened.prove(s, c.result.Role); err != nil {
			return err
		}
		hand.Lock()
		defer hand.Unlock()
		if waiting {
			g.wire.links = append(g.wire.links, opened)
			l, handed = opened, true
		}
		return nil
	})
	hand.Lock()
	defer hand.Unlock()
	waiting = false
	if err != nil {
		return nil, err // a link that was made all the same is closed with the others
	}
	return l, nil
}

// prove sends every value, receives them all and compares.
func (l *link) prove(s *subject, role Role) error {
	if err := l.need(len(s.values)); err != nil {
		return err
	}
	for i, v := range s.values {
		var err error
		if l.buf, err = l.conn.Receive(l.ctx, l.buf[:0]); err != nil {
			return l.fail("receive of message", l.received, err)
		}
		l.received++
		if role == RoleTransport {
			if err := l.arrived(s.messages); err != nil {
				return err
			}
			continue
		}
		got := s.payload.New()
		if err := s.codec.Unmarshal(slices.Clone(l.buf), got); err != nil {
			return l.fail("decode of message", l.received-1, err)
		}
		if f := s.payload.compare(i, v, got); f.Class == Lossy && s.status == StatusOK {
			return fmt.Errorf("message %d arrived as another value than was sent, at %s", l.received-1, f.Differences[0].Path)
		}
	}
	l.toppedUp, l.drained = 0, 0
	return nil
}

// closeWire checks that all that was sent came out, and closes.
func (r *run) closeWire(g *group) {
	closed := map[*link]error{}
	for _, l := range g.wire.links {
		closed[l] = measure.Guard(context.WithoutCancel(r.ctx), closeLimit, func() (err error) {
			if err = l.enter(); errors.Is(err, errAbandoned) {
				l.orphan.Store(true)
				l.closeOrphan()
				return fmt.Errorf("messages may be left: %w", err)
			} else if err == nil {
				whole := false
				defer l.leave(&whole)
				if r.ctx.Err() == nil {
					err = l.drain()
				}
				whole = true
			} else {
				err = nil // the cell has it
			}
			if left := l.conn.Close(); left != nil {
				err = errors.Join(err, fmt.Errorf("left behind: %w", left))
			}
			return err
		})
	}
	for _, c := range g.cells {
		l := c.link
		if l == nil {
			continue
		}
		if err := closed[l]; err != nil {
			c.result.note(Warning{Code: "transport-left", Message: err.Error(), Advice: "look into the queue"})
			if c.op == OpReceive || len(r.Ops) == 1 {
				r.errs = append(r.errs, r.errorAt(c, fmt.Errorf("through %s: %w", c.result.Transport, err)))
			}
			if c.result.Status == StatusFailed {
				c.result.Reason += "; " + err.Error()
			}
		}
		if errors.Is(closed[l], errAbandoned) {
			continue // what it counts is not ours
		}
		if n := l.toppedUp; n > 0 && c.op == OpReceive && c.result.Role == RoleWhole && r.mode != modePrecision {
			c.result.note(Warning{Code: "sent-untimed", Message: fmt.Sprintf("%d of the messages were sent outside of the timed sends, so that there was something to receive", n)})
		}
	}
	g.wire.links = nil
}

// closeLimit bounds the clearing up behind a transport.
const closeLimit = 15 * time.Second

func (res *Result) note(w Warning) { res.Warnings = append(res.Warnings, w) }

// failWire fails the cells that share a link.
func (r *run) failWire(g *group, first *cell, err error) {
	for _, c := range g.cells {
		if c.result.Codec == first.result.Codec && c.result.Role == first.result.Role {
			if r.ctx.Err() != nil {
				c.result.Status, c.result.Reason = StatusNotRun, "the run ended before"
				continue
			}
			r.failCell(c, fmt.Errorf("through %s: %w", c.result.Transport, err))
		}
	}
}

// cutShort reports whether the error is only that the run was cancelled while
// a message was under way.
func (r *run) cutShort(g *group, err error) bool {
	return g.wire != nil && r.ctx.Err() != nil && errors.Is(err, r.ctx.Err())
}
