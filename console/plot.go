package console

import (
	"fmt"
	"math"
	"strings"
)

// Size of a plot in its own units.
const (
	plotWidth, plotHeight = 320, 90
	plotMargin            = 4
)

// plot is a small line drawing that a template writes as SVG.
type plot struct {
	Width, Height int
	Points        string // of the polyline
	Area          string // of the polygon below it
	Low, High     string // smallest and largest value, formatted
	Label         string // for readers that do not see the drawing
	First, Last   string // what the ends of the x axis are
	LastX, LastY  float64
}

// line returns the plot of values at equal distances.
func line(values []float64, x, y string) *plot {
	at := make([]float64, len(values))
	for i := range at {
		at[i] = float64(i)
	}
	p := curve(at, values)
	if p != nil {
		p.Label = fmt.Sprintf("plot of %s by %s, from %s to %s", y, x, p.Low, p.High)
		p.First, p.Last = "0", fmt.Sprint(len(values)-1)
	}
	return p
}

// curve returns the plot of values at places that do not decrease; nil for fewer than two values, or values that are
// not finite.
func curve(at, values []float64) *plot {
	if len(values) < 2 || len(at) != len(values) {
		return nil
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
		lo, hi = min(lo, v), max(hi, v)
	}
	from, to := at[0], at[len(at)-1]
	if !(to > from) {
		return nil
	}
	scale := hi - lo
	if scale == 0 || math.IsInf(scale, 0) {
		scale = 1
	}
	p := &plot{Width: plotWidth, Height: plotHeight, Low: fmt.Sprintf("%.4g", lo), High: fmt.Sprintf("%.4g", hi)}
	var points strings.Builder
	for i, v := range values {
		x := plotMargin + (at[i]-from)/(to-from)*(plotWidth-2*plotMargin)
		y := plotHeight - plotMargin - (v-lo)/scale*(plotHeight-2*plotMargin)
		if hi == lo {
			y = plotHeight / 2
		}
		fmt.Fprintf(&points, "%.1f,%.1f ", x, y)
		p.LastX, p.LastY = math.Round(10*x)/10, math.Round(10*y)/10
	}
	p.Points = strings.TrimSpace(points.String())
	p.Area = fmt.Sprintf("%d,%d %s %d,%d", plotMargin, plotHeight-plotMargin, p.Points, plotWidth-plotMargin, plotHeight-plotMargin)
	return p
}
