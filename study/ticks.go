package study

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
)

// place returns the position of a number on an axis. Logarithmic axes are drawn as linear axes of
// logarithms, because gonum's logarithmic axes compute the space for labels as if they were linear.
func place(x float64, log bool) float64 {
	if log {
		return math.Log10(x)
	}
	return x
}

// ticks computes the ticks of an axis: about six round numbers, or powers of ten with unlabelled
// ticks between them. If whole is set, it uses whole numbers only.
type ticks struct{ log, whole bool }

// Ticks returns the ticks from low to high.
func (t ticks) Ticks(low, high float64) []plot.Tick {
	var out []plot.Tick
	if !t.log {
		step := math.Pow(10, math.Floor(math.Log10((high-low)/4)))
		for _, by := range []float64{5, 2} {
			if (high-low)/(by*step) >= 4 {
				step *= by
				break
			}
		}
		if t.whole {
			step = max(step, 1)
		}
		for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
			out = append(out, plot.Tick{Value: i * step, Label: Cell(math.Round(i*step*1e6) / 1e6)})
		}
		return out
	}
	first, last := int(math.Floor(low+1e-9)), int(math.Ceil(high-1e-9))
	step := max(1, (last-first+7)/8)
	for e := first; e <= last; e++ {
		tick := plot.Tick{Value: float64(e)}
		if (e-first)%step == 0 {
			tick.Label = power(e)
		}
		out = append(out, tick)
		for digit := 2.0; digit < 10 && last-first <= 4 && e < last; digit++ {
			out = append(out, plot.Tick{Value: float64(e) + math.Log10(digit)})
		}
	}
	return slices.DeleteFunc(out, func(t plot.Tick) bool { return t.Value < low-1e-9 || t.Value > high+1e-9 })
}

// power formats 10^e.
func power(e int) string {
	switch {
	case e >= 6 || e <= -4:
		return fmt.Sprintf("1e%d", e)
	case e >= 0:
		return thousands(fmt.Sprintf("%.0f", math.Pow(10, float64(e))))
	}
	return fmt.Sprintf("%.*f", -e, math.Pow(10, float64(e)))
}
