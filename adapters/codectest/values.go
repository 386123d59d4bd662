//lint:file-ignore ST1005 these errors begin with the method that they are about

package codectest

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/serbench/serbench"
	"github.com/serbench/serbench/internal/fidelity"
)

// returns makes each plain call, and keeps what the other cases begin with. An
// error is for the case round-trip to tell.
func (s *subject) returns() error {
	s.noValue = s.prepare()
	if a, ok := s.codec.(serbench.Appender); ok {
		_, _ = a.Append(nil, s.values[0])
	}
	if s.noValue != nil {
		s.broken = s.noValue.Error()
	}
	return nil
}

// prepare encodes, decodes and compares each value.
func (s *subject) prepare() error {
	for i, v := range s.values {
		msg, err := s.codec.Marshal(v)
		if err != nil {
			return fmt.Errorf("Marshal of value %d: %w", i, err)
		}
		s.msgs = append(s.msgs, bytes.Clone(msg))
		s.kept = append(s.kept, kept{output: twice(msg)})
	}
	for i, msg := range s.msgs {
		data, got := bytes.Clone(msg), s.payload.New()
		if err := s.codec.Unmarshal(data, got); err != nil {
			return fmt.Errorf("Unmarshal of value %d: %w", i, err)
		}
		k := &s.kept[i]
		k.input, k.decoded, k.hash = twice(data), got, fidelity.Hash(got)
		s.decoded = append(s.decoded, got)
		s.lost = append(s.lost, s.payload.Compare(s.values[i], got))
	}
	return nil
}

func (s *subject) roundTrip() error {
	if s.noValue != nil {
		if s.kit.AllowLoss {
			return skipf("%v", s.noValue)
		}
		return s.noValue
	}
	for i, f := range s.lost {
		if f.Class != serbench.Lossy {
			continue
		}
		lost := lossOf(f)
		if s.kit.AllowLoss {
			return skipf("value %d is not what it was: %s", i, lost)
		}
		return fmt.Errorf("value %d is not what it was: %s", i, lost)
	}
	return nil
}

// onlyReads looks at the values after all that was done with them.
func (s *subject) onlyReads() error {
	if fidelity.Hash(s.values...) != s.hash {
		return errors.New("the value changed")
	}
	return nil
}

// decode decodes a copy of the message.
func (s *subject) decode(msg []byte) (any, error) {
	got := s.payload.New()
	return got, s.codec.Unmarshal(bytes.Clone(msg), got)
}

// same reports whether two values that the codec decoded are equal.
func (s *subject) same(a, b any) bool { return s.payload.Compare(a, b).Class == serbench.Exact }

// isValue checks that a message is one of value i: the same bytes as before,
// which were decoded then, or others that decode to it.
func (s *subject) isValue(i int, msg []byte) error {
	if bytes.Equal(msg, s.msgs[i]) {
		return nil
	}
	return s.decodesTo(i, msg)
}

// decodesTo checks what the codec makes of a message now.
func (s *subject) decodesTo(i int, msg []byte) error {
	got, err := s.decode(msg)
	if err != nil {
		return fmt.Errorf("cannot be decoded: %w", err)
	}
	if !s.same(s.decoded[i], got) {
		return errors.New("decodes to another value")
	}
	return nil
}

// observe finds the traits, once.
func (s *subject) observe() error {
	if s.traits == nil && s.traitsE == nil {
		traits, err := serbench.ObserveTraits(s.ctx, s.codec, s.payload, s.kit.Limit, s.traitsWanted()...)
		s.traits, s.traitsE = map[string]string{}, err
		for _, t := range traits {
			s.traits[t.Name] = t.Detail
		}
	}
	return s.traitsE
}

// large is a size of messages, in bytes, from which on each call takes long,
// most of all under the race detector.
const large = 256 << 10

// sizeMatters are the traits that may depend on the size of a message, since
// buffers grow and are pooled by it; the others are those that do not.
var (
	sizeMatters = []string{
		serbench.TraitAliasesInput, serbench.TraitReusesOutput, serbench.TraitReusesDecoded, serbench.TraitWritesToInput,
		serbench.TraitWritesToValue, serbench.TraitKeepsInput,
	}
	others = []string{
		serbench.TraitIgnoresInput, serbench.TraitNotSelfContained, serbench.TraitKeepsValue, serbench.TraitNotDeterministic,
		serbench.TraitStaleFields, serbench.TraitStaleKeys,
	}
)

// traitsWanted are all but not-concurrent, which has a case of its own.
func (s *subject) traitsWanted() []string {
	if s.repeats() {
		return sizeMatters
	}
	return slices.Concat(sizeMatters, others)
}

// repeats reports whether a smaller message of the type was checked by all
// cases, and this one is large: then it is spared what is not a matter of its
// size, for under the race detector a megabyte takes a tenth of a second.
func (s *subject) repeats() bool { return s.smaller && s.isLarge() }

func (s *subject) isLarge() bool {
	for _, m := range s.msgs {
		if len(m) > large {
			return true
		}
	}
	return false
}

func (s *subject) selfContained() error {
	if err := trait(serbench.TraitNotSelfContained)(s); err != nil {
		return err
	}
	c, ok := s.codec.(serbench.Cloner)
	if !ok {
		return nil
	}
	for i, msg := range s.msgs {
		got := s.payload.New()
		if err := c.Clone().Unmarshal(bytes.Clone(msg), got); err != nil {
			return fmt.Errorf("another instance cannot decode the message of value %d: %w", i, err)
		}
		if !s.same(s.decoded[i], got) {
			return fmt.Errorf("another instance decodes the message of value %d to another value", i)
		}
	}
	return nil
}

// concurrent is observed in its own case, so that it is here that the race
// detector reports what it sees.
func (s *subject) concurrent() error {
	if err := s.observe(); err != nil {
		return err
	}
	traits, err := serbench.ObserveTraits(s.ctx, s.codec, s.payload, s.kit.Limit, serbench.TraitNotConcurrent)
	if err != nil {
		return err
	}
	for _, t := range traits {
		s.traits[t.Name] = t.Detail
	}
	if _, ok := s.codec.(serbench.Cloner); !ok {
		return skipf("has no Clone")
	}
	return trait(serbench.TraitNotConcurrent)(s)
}

func (s *subject) supports() error {
	sup, ok := s.codec.(serbench.Supporter)
	if !ok {
		return skipf("has no Supports")
	}
	for i, v := range s.values {
		if err := sup.Supports(v); err != nil {
			return fmt.Errorf("value %d was encoded, and Supports says: %w", i, err)
		}
	}
	for _, name := range sortedKeys(s.kit.Unsupported) {
		if err := sup.Supports(s.kit.Unsupported[name]); !errors.Is(err, errors.ErrUnsupported) {
			return fmt.Errorf("%s: Supports returned %v", name, err)
		}
	}
	return nil
}

func (s *subject) describe() error {
	name := s.codec.Name()
	switch {
	case name == "":
		return errors.New("Name returned an empty string")
	case name != strings.ToLower(name), strings.ContainsAny(name, "/ \t\n"):
		return fmt.Errorf("Name returned %q", name)
	case s.codec.Name() != name:
		return errors.New("Name returned two names")
	}
	if d, ok := s.codec.(serbench.Describer); ok && !reflect.DeepEqual(d.Describe(), d.Describe()) {
		return errors.New("Describe returned two Infos")
	}
	return nil
}
