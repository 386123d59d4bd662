package stats

// dip is Hartigan's dip of sorted values: half of the greatest distance that
// is left between the greatest convex minorant and the least concave majorant
// of the empirical distribution, once the mode is put where it fits best.
//
// After Hartigan, Algorithm AS 217, Applied Statistics 34 (1985): the modal
// interval starts as the whole range and shrinks to where the two curves are
// farthest apart, until what is lost outside of it exceeds the distance inside.
func dip(sorted []float64) float64 {
	n := float64(len(sorted))
	var x, below, upTo []float64 // distinct values; how many are less, and at most as great
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			x, below, upTo = append(x, v), append(below, float64(i)), append(upTo, 0)
		}
		upTo[len(upTo)-1] = float64(i + 1)
	}
	if len(x) < 2 {
		return 0
	}
	lower, upper := make([]float64, len(x)), make([]float64, len(x))
	low, high, worst := 0, len(x)-1, 1.0
	for low < high {
		feet := hull(x, below, low, high, 1, lower)
		tops := hull(x, upTo, low, high, -1, upper)
		apart, at := 0.0, low
		for i := low; i <= high; i++ {
			if d := upper[i] - lower[i]; d > apart {
				apart, at = d, i
			}
		}
		if apart <= worst {
			break
		}
		// The mode lies between the last vertex of the lower curve up to the
		// widest place and the first vertex of the upper one from there on.
		// An atom is allowed at the mode alone, so the jumps at from and to do not
		// count yet.
		from, to := low, high
		for _, i := range feet {
			if i <= at {
				from = i
			}
		}
		for k := len(tops) - 1; k >= 0; k-- {
			if tops[k] >= at {
				to = tops[k]
			}
		}
		for i := low; i < from; i++ {
			worst = max(worst, upTo[i]-lower[i])
		}
		for i := to + 1; i <= high; i++ {
			worst = max(worst, upper[i]-below[i])
		}
		if from == low && to == high {
			break
		}
		low, high = from, to
	}
	return worst / (2 * n)
}

// hull writes to out the convex minorant (sign 1) or the concave majorant (sign
// -1) of the points (x, y) from low to high and returns its vertices.
func hull(x, y []float64, low, high int, sign float64, out []float64) []int {
	var at []int
	for i := low; i <= high; i++ {
		for len(at) >= 2 {
			a, b := at[len(at)-2], at[len(at)-1]
			if sign*((y[b]-y[a])*(x[i]-x[a])-(y[i]-y[a])*(x[b]-x[a])) < 0 {
				break
			}
			at = at[:len(at)-1]
		}
		at = append(at, i)
	}
	for k := 1; k < len(at); k++ {
		a, b := at[k-1], at[k]
		slope := (y[b] - y[a]) / (x[b] - x[a])
		for i := a; i < b; i++ {
			out[i] = y[a] + slope*(x[i]-x[a])
		}
	}
	out[high] = y[high]
	return at
}
