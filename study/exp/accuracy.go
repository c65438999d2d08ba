package exp

import (
	"context"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/study"
)

// accuracy is how exact a mode is, of a real run.
type accuracy struct {
	mode          mode
	ring, parties int
	x, off        []float64    // |got − want| / max(want, 1) at each argument
	ranges        [][2]float64 // for each of thresholds
	// Over the range at the first threshold; the mean percentage where e^x is a
	// unit of the last place or more.
	maxAbs, meanAbs, meanRel, percentage float64
	relative                             float64 // the largest where e^x is 1 or more
	home                                 float64 // mean |got − want| / want on [-5, 5]
	unsaturated                          int     // of far, neither 0 nor the largest as it should be
}

// thresholds of errors, for valid ranges.
var thresholds = []float64{1e-2, 1e-4, 1e-6}

// span is where arguments are scanned: beyond what the ring can represent.
func span(ring int) (low, high float64) { return -30, math.Ceil(math.Log(largest(ring))) + 4 }

// far are arguments beyond what results can hold.
var far = []float64{-1e6, -1e4, -1000, -100, -50, 100, 1000, 1e4, 1e6}

// findErrors runs all modes on grids of arguments.
func (s *findings) findErrors(ctx context.Context, parties []int) error {
	for _, n := range parties {
		for _, ring := range rings {
			low, high := span(ring)
			x := grid(low, high, s.scale().points)
			for _, m := range modes {
				s.lab.Step("errors of %s, ring %d, %d parties", m.name, ring, n)
				out, err := s.lab.Run(ctx, m.at(ring, n, append(x, far...)), "none", 1)
				if err != nil {
					return err
				}
				a := accuracy{mode: m, ring: ring, parties: n, x: x}
				a.judge(out.Results[0].Floats())
				s.errs = append(s.errs, a)
			}
		}
	}
	return nil
}

// want is e^x as it should be in a ring: saturated.
func want(x float64, ring int) float64 { return min(math.Exp(x), largest(ring)) }

// judge compares results with what they should be.
func (a *accuracy) judge(got []float64) {
	var inside []int // [-5, 5]
	for i, x := range a.x {
		w := want(x, a.ring)
		e := math.Abs(got[i] - w)
		a.off = append(a.off, e/max(w, 1))
		if w >= 1 {
			a.relative = max(a.relative, e/w)
		}
		if math.Abs(x) <= 5 {
			inside = append(inside, i)
			a.home += e / w
		}
	}
	a.home /= float64(len(inside))
	for _, t := range thresholds {
		low, high := a.within(t, inside[len(inside)/2])
		a.ranges = append(a.ranges, [2]float64{a.x[low], a.x[high]})
		if t != thresholds[0] {
			continue
		}
		whole, unit := 0, math.Exp2(-float64(study.Fractions[a.ring]))
		for i := low; i <= high; i++ {
			w := want(a.x[i], a.ring)
			e := math.Abs(got[i] - w)
			a.maxAbs = max(a.maxAbs, e)
			a.meanAbs += e
			a.meanRel += a.off[i]
			if w >= unit {
				a.percentage += e / w
				whole++
			}
		}
		n := float64(high - low + 1)
		a.meanAbs, a.meanRel, a.percentage = a.meanAbs/n, a.meanRel/n, a.percentage/float64(whole)
	}
	for i, x := range far {
		g, w := got[len(a.x)+i], want(x, a.ring)
		if math.Abs(g-w) > 1e-3*max(w, 1) {
			a.unsaturated++
		}
	}
}

// within is the largest interval around place zero with errors up to most.
func (a *accuracy) within(most float64, zero int) (low, high int) {
	for low = zero; low > 0 && a.off[low-1] <= most; low-- {
	}
	for high = zero; high < len(a.off)-1 && a.off[high+1] <= most; high++ {
	}
	return low, high
}

// rangeTable lists valid ranges.
func (s *findings) rangeTable() *study.Table {
	t := &study.Table{Columns: []string{"mode", "ring", "parties", "≤ 1e-2", "≤ 1e-4", "≤ 1e-6", "saturates"}}
	for _, a := range s.errs {
		row := []any{a.mode.name, a.ring, a.parties}
		low, high := a.x[0], a.x[len(a.x)-1]
		for _, r := range a.ranges {
			text := fmt.Sprintf("%.1f … %.1f", r[0], r[1])
			switch {
			case r[1]-r[0] < 0.1:
				text = "none"
			case r[0] == low && r[1] == high:
				text = "everywhere"
			case r[0] == low:
				text = fmt.Sprintf("below %.1f", r[1])
			case r[1] == high:
				text = fmt.Sprintf("above %.1f", r[0])
			}
			row = append(row, text)
		}
		saturates := "yes"
		if a.unsaturated > 0 {
			saturates = "no"
		}
		t.Add(append(row, saturates)...)
	}
	return t
}

// errorTable lists errors over the range at the first threshold.
func (s *findings) errorTable() *study.Table {
	t := &study.Table{Columns: []string{"mode", "ring", "parties", "largest absolute", "mean absolute", "largest relative, e^x ≥ 1", "mean relative", "mean percentage", "on [-5, 5]"}}
	for _, a := range s.errs {
		t.Add(a.mode.name, a.ring, a.parties, a.maxAbs, a.meanAbs, a.relative, a.meanRel, a.percentage, a.home)
	}
	return t
}

// errorFigure shows errors over x, a panel for each ring: of each stretch of
// arguments the largest.
func (s *findings) errorFigure() *study.Figure {
	const stretches = 250
	f := &study.Figure{Columns: 2}
	for _, ring := range rings {
		p := study.Panel{Title: fmt.Sprintf("Ring %d, %d fraction bits", ring, study.Fractions[ring]), X: "x", Y: "|got − want| / max(want, 1)", LogY: true,
			Legend: study.Corner{Left: true, Top: true}, Headroom: 5}
		for _, a := range s.errs {
			if a.ring != ring || a.parties != 2 {
				continue
			}
			line := study.Series{Name: a.mode.name, Line: true, Dashed: a.mode.name == "prime, no clamp", Colour: colour(a.mode)}
			for i := range stretches {
				from, to := i*len(a.x)/stretches, (i+1)*len(a.x)/stretches
				worst := 0.0
				for _, e := range a.off[from:to] {
					worst = max(worst, e)
				}
				line.X, line.Y = append(line.X, a.x[(from+to)/2]), append(line.Y, min(max(worst, 1e-10), 1e2))
			}
			p.Series = append(p.Series, line)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}
