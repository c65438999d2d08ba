package relu

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// Run performs the study in the lab l, writes its page, and returns the bounds with the values that it found.
// The caller checks them (Bound.Met).
func Run(ctx context.Context, l *study.Lab) ([]study.Bound, error) {
	s := &findings{lab: l, width: 64}
	of := shares
	if l.Quick {
		of = []float64{1, 0.5, 0.1, 0}
	}
	all, repeats := choices(of), 6
	if l.Quick {
		repeats = 1
	}
	l.Steps(len(all) * (1 + repeats))
	for _, c := range all {
		l.Step("plan of %v", c)
		if err := s.plan(ctx, c); err != nil {
			return nil, err
		}
	}
	// Interleave the runs of all choices, so that other load on the machine affects all of them
	// alike.
	for range repeats {
		for i := range s.costs {
			l.Step("run of %v", s.costs[i].choice)
			if err := s.run(ctx, &s.costs[i]); err != nil {
				return nil, err
			}
		}
	}
	return s.bounds(), s.page()
}

// findings are the results of the study.
type findings struct {
	lab       *study.Lab
	width     int // channels of the first stage
	costs     []cost
	parts     []part // costs of the activations of the network with all ReLUs
	arguments []*tensor.Array
}

// cost is the cost of the network with one choice of ReLUs.
type cost struct {
	choice   choice
	trial    study.Trial
	want     []float64 // results in the clear
	kept     int       // ReLUs kept in the blocks
	bytes    int64     // online, both parties
	rounds   int
	dealt    int64
	times    map[string]float64 // by network, predicted, online
	measured float64            // seconds online without a network, minimum of all runs
	maxError float64            // largest error, relative to the largest result
}

// part is the cost of one activation in the network with all ReLUs.
type part struct {
	name     string
	elements int
	bytes    int64
	rounds   int
	dealt    int64
}

// plan plans the network with a choice and computes its result in the clear.
func (s *findings) plan(ctx context.Context, c choice) error {
	n := resnet18(c, s.width)
	t := n.trial()
	r, err := s.lab.Plan(ctx, t)
	if err != nil {
		return err
	}
	if s.arguments == nil {
		s.arguments = n.arguments() // the same for all choices
	}
	t.Data = s.arguments
	found := cost{choice: c, trial: t, kept: n.kept, bytes: study.Sum(r.Online.BytesSent), rounds: r.Online.Rounds, dealt: r.Offline.BytesSent,
		times: map[string]float64{}, measured: math.Inf(1)}
	for _, net := range r.Plan.Networks {
		found.times[net.Name] = net.Online
	}
	if c.share == 1 {
		s.parts = parts(r, n)
	}
	want, err := t.EvalClear(ctx)
	if err != nil {
		return err
	}
	found.want = want[0].Floats()
	s.costs = append(s.costs, found)
	return nil
}

func (s *findings) run(ctx context.Context, c *cost) error {
	out, err := s.lab.Run(ctx, c.trial, "none", 1)
	if err != nil {
		return err
	}
	c.measured = min(c.measured, out.Report.Online.Seconds)
	got, off, largest := out.Results[0].Floats(), 0.0, 0.0
	for i, w := range c.want {
		off = max(off, math.Abs(got[i]-w))
		largest = max(largest, math.Abs(w))
	}
	if c.maxError = max(c.maxError, off/largest); !(c.maxError < 0.1) {
		return fmt.Errorf("%s: results are off by %g of the largest", c.trial.Name, c.maxError)
	}
	return nil
}

// parts returns the costs of the ReLUs in program order: the first layer's, which is always kept,
// then those of the blocks.
func parts(r *profile.Report, n *network) []part {
	names := append([]activation{{"first layer", 16 * 16 * n.relus[0].elements / (8 * 8)}}, n.relus...)
	var out []part
	for _, o := range r.Ops {
		if o.Op == hlo.OpMaximum && len(out) < len(names) {
			a := names[len(out)]
			out = append(out, part{a.name, a.elements, study.Sum(o.BytesSent), o.PathRounds, o.OfflineBytes})
		}
	}
	return out
}

// line returns the coefficients of bytes = none + each · ReLUs kept, through the networks with all
// and with no ReLUs.
func (s *findings) line() (none, each float64) {
	first, last := s.costs[0], s.costs[len(s.costs)-1]
	return float64(last.bytes), float64(first.bytes-last.bytes) / float64(first.kept-last.kept)
}

// bounds compares the results with the limits.
func (s *findings) bounds() []study.Bound {
	none, each := s.line()
	var bars []study.Bound
	for _, w := range methods {
		off, later := 0.0, 0.0
		for _, c := range s.byMethod(w) {
			off = max(off, math.Abs(float64(c.bytes)-none-each*float64(c.kept))/none)
		}
		list := s.byMethod(w)
		for i := range list[1:] {
			for _, n := range study.Networks {
				later = max(later, list[i+1].times[n.Name]/list[i].times[n.Name]-1)
			}
		}
		bars = append(bars, study.Bound{Name: "deviation of bytes from a straight line in the ReLUs kept, relative to bytes without ReLUs, by " + w, Limit: 0.01, Value: off},
			study.Bound{Name: "predicted time added by removing ReLUs, on any network, relative to the time before, by " + w, Limit: 0.01, Value: later})
	}
	return bars
}

// byMethod returns the costs of one method of selection, with those of all and no ReLUs, the most ReLUs
// first.
func (s *findings) byMethod(way string) []cost {
	return slices.DeleteFunc(slices.Clone(s.costs), func(c cost) bool { return c.choice.method != "" && c.choice.method != way })
}
