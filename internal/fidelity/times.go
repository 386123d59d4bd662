package fidelity

import (
	"time"
)

func (w *walker) times(a, b time.Time) {
	if !sameInstant(a, b) && !w.near(a, b) {
		if w.wantsLoss() {
			k := TimeValue
			if isRounded(a, b) {
				k = TimeNanoseconds
			}
			w.add(k, nanoText(a), nanoText(b))
		}
	}
	an, ao := a.Zone()
	bn, bo := b.Zone()
	if an != bn || ao != bo {
		w.report(TimeZone, zoneText(a), zoneText(b))
	}
}

// sameInstant is time.Time.Equal without the monotonic clock.
func sameInstant(a, b time.Time) bool {
	return a.Unix() == b.Unix() && a.Nanosecond() == b.Nanosecond()
}

// near reports whether two times are close enough for the tolerance.
func (w *walker) near(a, b time.Time) bool {
	d := a.Round(0).Sub(b.Round(0)) // saturates
	return d > -w.opts.TimePrecision && d < w.opts.TimePrecision
}

// isRounded reports whether got is want in a coarser unit of at most a second,
// rounded in any direction.
func isRounded(want, got time.Time) bool {
	d := want.Round(0).Sub(got.Round(0)).Abs()
	for unit := 10 * time.Nanosecond; unit <= time.Second; unit *= 10 {
		if d < unit && got.Nanosecond()%int(unit) == 0 {
			return true
		}
	}
	return false
}

func nanoText(t time.Time) string {
	return cutMiddle(t.UTC().Format("2006-01-02T15:04:05.000000000Z07:00"), maxShown)
}

func zoneText(t time.Time) string {
	name, _ := t.Zone()
	offset := t.Format("-07:00")
	switch {
	case name == "UTC" && offset == "+00:00":
		return "UTC"
	case name == "" || name == offset:
		return offset
	}
	if !isPlainName(name) {
		name = quoteFrom(name, 0, 40)
	}
	return name + " " + offset
}
