package exp

import (
	"context"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/study"
)

// accuracy is the accuracy of a mode, measured in a run.
type accuracy struct {
	mode          mode
	ring, parties int
	x, errors     []float64    // by argument: |got − want| / max(want, 1)
	ranges        [][2]float64 // by threshold: the valid range [low, high]
	// Errors over the valid range of the first threshold. percentage is the mean of |got − want| /
	// want where e^x ≥ 2^-fraction.
	maxAbs, meanAbs, meanRel, percentage float64
	relative                             float64 // largest relative error where e^x ≥ 1
	nearZero                             float64 // mean |got − want| / want on [-5, 5]
	unsaturated                          int     // number of far arguments whose result is neither 0 nor the largest value, as required
}

// thresholds are the errors that define valid ranges.
var thresholds = []float64{1e-2, 1e-4, 1e-6}

// span returns the scanned interval of arguments, which exceeds the range that the ring can
// represent.
func span(ring int) (low, high float64) { return -30, math.Ceil(math.Log(largest(ring))) + 4 }

// farArguments are arguments whose exponentials the ring cannot represent.
var farArguments = []float64{-1e6, -1e4, -1000, -100, -50, 100, 1000, 1e4, 1e6}

// findErrors runs all modes on a grid of arguments.
func (s *findings) findErrors(ctx context.Context, parties []int) error {
	for _, n := range parties {
		for _, ring := range rings {
			low, high := span(ring)
			x := grid(low, high, s.scale().points)
			for _, m := range modes {
				s.lab.Step("errors of %s, ring %d, %d parties", m.name, ring, n)
				out, err := s.lab.Run(ctx, m.trialAt(ring, n, append(x, farArguments...)), "none", 1)
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

// want returns e^x, saturated at the largest result of the ring.
func want(x float64, ring int) float64 { return min(math.Exp(x), largest(ring)) }

// judge computes the errors of the results.
func (a *accuracy) judge(got []float64) {
	var inside []int // [-5, 5]
	for i, x := range a.x {
		w := want(x, a.ring)
		e := math.Abs(got[i] - w)
		a.errors = append(a.errors, e/max(w, 1))
		if w >= 1 {
			a.relative = max(a.relative, e/w)
		}
		if math.Abs(x) <= 5 {
			inside = append(inside, i)
			a.nearZero += e / w
		}
	}
	a.nearZero /= float64(len(inside))
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
			a.meanRel += a.errors[i]
			if w >= unit {
				a.percentage += e / w
				whole++
			}
		}
		n := float64(high - low + 1)
		a.meanAbs, a.meanRel, a.percentage = a.meanAbs/n, a.meanRel/n, a.percentage/float64(whole)
	}
	for i, x := range farArguments {
		g, w := got[len(a.x)+i], want(x, a.ring)
		if math.Abs(g-w) > 1e-3*max(w, 1) {
			a.unsaturated++
		}
	}
}

// within returns the largest interval of indices around zero in which errors are at most the given
// one.
func (a *accuracy) within(most float64, zero int) (low, high int) {
	for low = zero; low > 0 && a.errors[low-1] <= most; low-- {
	}
	for high = zero; high < len(a.errors)-1 && a.errors[high+1] <= most; high++ {
	}
	return low, high
}

// rangeTable lists the valid ranges.
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

// errorTable lists the errors over the valid range of the first threshold.
func (s *findings) errorTable() *study.Table {
	t := &study.Table{Columns: []string{"mode", "ring", "parties", "largest absolute", "mean absolute", "largest relative, e^x ≥ 1", "mean relative", "mean percentage", "on [-5, 5]"}}
	for _, a := range s.errs {
		t.Add(a.mode.name, a.ring, a.parties, a.maxAbs, a.meanAbs, a.relative, a.meanRel, a.percentage, a.nearZero)
	}
	return t
}

// errorFigure plots the error against x, with a panel for each ring. Each point is the largest
// error of an interval.
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
				for _, e := range a.errors[from:to] {
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
