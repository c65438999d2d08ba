package relu

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// Run makes the study in a lab and gives the bounds that it set itself.
func Run(ctx context.Context, l *study.Lab) ([]study.Bar, error) {
	s := &findings{lab: l, width: 64}
	of := shares
	if l.Quick {
		of, s.width = []float64{1, 0.5, 0.1, 0}, 16
	}
	all, turns := choices(of), 6
	if l.Quick {
		turns = 1
	}
	l.Steps(len(all) * (1 + turns))
	for _, c := range all {
		l.Step("plan of %v", c)
		if err := s.plan(ctx, c); err != nil {
			return nil, err
		}
	}
	// In turns, so that whatever else the machine does meets all of them.
	for range turns {
		for i := range s.costs {
			l.Step("run of %v", s.costs[i].choice)
			if err := s.run(ctx, &s.costs[i]); err != nil {
				return nil, err
			}
		}
	}
	return s.bars(), s.page()
}

// findings are all that the study found.
type findings struct {
	lab       *study.Lab
	width     int // channels of the first stage
	costs     []cost
	parts     []part // of the network with all ReLUs
	arguments []*tensor.Array
}

// cost is what the network costs with a choice of ReLUs.
type cost struct {
	choice   choice
	trial    study.Trial
	want     []float64 // results in clear
	kept     int       // ReLUs in blocks
	bytes    int64     // online, both parties
	rounds   int
	dealt    int64
	times    map[string]float64 // by network, predicted, online
	measured float64            // seconds online without a network, the least of all runs
	off      float64            // largest error, relative to the largest result
}

// part is what an activation costs where all ReLUs are kept.
type part struct {
	name     string
	elements int
	bytes    int64
	rounds   int
	dealt    int64
}

// plan plans the network with a choice, and computes it in clear.
func (s *findings) plan(ctx context.Context, c choice) error {
	n := resnet18(c, s.width)
	t := n.trial()
	r, err := s.lab.Plan(ctx, t)
	if err != nil {
		return err
	}
	if s.arguments == nil {
		s.arguments = n.arguments() // of all choices
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
	want, err := t.Clear(ctx)
	if err != nil {
		return err
	}
	found.want = want[0].Floats()
	s.costs = append(s.costs, found)
	return nil
}

// run runs the network once.
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
	if c.off = max(c.off, off/largest); !(c.off < 0.1) {
		return fmt.Errorf("%s: results are off by %g of the largest", c.trial.Name, c.off)
	}
	return nil
}

// parts are the costs of ReLUs in the program's order: the first layer's, which
// is always kept, then the blocks'.
func parts(r *profile.Report, n *network) []part {
	names := append([]activation{{"first layer", 16 * 16 * n.relus[0].elements / (8 * 8)}}, n.relus...)
	var out []part
	for _, o := range r.Ops {
		if o.Op == "stablehlo.maximum" && len(out) < len(names) {
			a := names[len(out)]
			out = append(out, part{a.name, a.elements, study.Sum(o.BytesSent), o.PathRounds, o.OfflineBytes})
		}
	}
	return out
}

// line is the straight line of bytes through all and none of the ReLUs.
func (s *findings) line() (none, each float64) {
	first, last := s.costs[0], s.costs[len(s.costs)-1]
	return float64(last.bytes), float64(first.bytes-last.bytes) / float64(first.kept-last.kept)
}

// bars are the bounds.
func (s *findings) bars() []study.Bar {
	none, each := s.line()
	var bars []study.Bar
	for _, w := range ways {
		off, later := 0.0, 0.0
		for _, c := range s.of(w) {
			off = max(off, math.Abs(float64(c.bytes)-none-each*float64(c.kept))/none)
		}
		list := s.of(w)
		for i := range list[1:] {
			for _, n := range study.Networks {
				later = max(later, list[i+1].times[n.Name]/list[i].times[n.Name]-1)
			}
		}
		bars = append(bars, study.Bar{What: "bytes off a straight line in ReLUs kept, of what remains at none, by " + w, Most: 0.01, Got: off},
			study.Bar{What: "time that removing ReLUs adds on any network, of all, predicted, by " + w, Most: 0.01, Got: later})
	}
	return bars
}

// of are the costs of a way, with those of all and none, the most ReLUs first.
func (s *findings) of(way string) []cost {
	return slices.DeleteFunc(slices.Clone(s.costs), func(c cost) bool { return c.choice.way != "" && c.choice.way != way })
}
