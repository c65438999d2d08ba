package conv

import (
	"context"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/study"
)

// Run makes the study in a lab and gives the bounds that it set itself.
func Run(ctx context.Context, l *study.Lab) ([]study.Bar, error) {
	s := &findings{lab: l}
	for _, of := range layers {
		if !l.Quick || of.net == 32 {
			s.layers = append(s.layers, of)
		}
	}
	l.Steps(len(s.layers))
	for _, of := range s.layers {
		l.Step("%v", of)
		for _, m := range methods {
			if m.by != nil && !of.eligible() {
				continue
			}
			c, err := s.cost(ctx, of, m)
			if err != nil {
				return nil, err
			}
			s.costs = append(s.costs, c)
		}
	}
	return s.bars(), s.page()
}

// findings are all that the study found.
type findings struct {
	lab    *study.Lab
	layers []layer
	costs  []cost
}

// cost is what a layer costs by a method. What its input's ReLU costs is not
// in it, but for the seconds of times.
type cost struct {
	layer         layer
	method        method
	input, online int64 // bytes of both parties
	image         int64 // of the input's: the first party's image
	dealt         int64
	rounds        int
	times         map[string]float64 // by network, predicted, online
	dealing       float64            // seconds of the dealer's work, predicted
	work          float64            // seconds of both parties' work, predicted
	measured      float64            // the same, of a run; NaN if there was none
	off           float64            // largest error of that run
}

// memoryBound is what runs may take of the process, as plans have it.
const memoryBound = 1500 << 20

// cost plans a layer, and runs it where that is not too large.
func (s *findings) cost(ctx context.Context, l layer, m method) (cost, error) {
	t := m.trial(l)
	r, err := s.lab.Plan(ctx, t)
	if err != nil {
		return cost{}, err
	}
	c := cost{layer: l, method: m, input: study.Sum(r.Input.BytesSent), image: r.Input.BytesSent[0], times: map[string]float64{}, measured: math.NaN(), off: math.NaN()}
	for _, o := range r.Ops {
		if o.Op != relu {
			c.online += study.Sum(o.BytesSent)
			c.dealt += o.OfflineBytes
			c.rounds += o.PathRounds
		}
	}
	c.work = work(r, r)
	for _, n := range r.Plan.Networks {
		c.times[n.Name] = n.Online
		if n.Name == "none" {
			c.dealing = n.Offline
		}
	}
	if r.PeakMemoryBytes > memoryBound || s.lab.Quick && !l.first {
		return c, nil
	}
	return c, s.measure(ctx, t, r, &c)
}

// relu is the operation before a layer.
const relu = "stablehlo.maximum"

// work is what a report's operations took both parties, or will take, but for
// those that the plan has no work for: a kernel is transformed in clear, once for
// all images.
func work(r, plan *profile.Report) (seconds float64) {
	planned := map[int]bool{}
	for _, o := range plan.Ops {
		planned[o.ID] = o.Seconds > 0
	}
	for _, o := range r.Ops {
		if o.Op != relu && planned[o.ID] {
			seconds += o.Seconds
		}
	}
	return seconds
}

// measure runs a layer.
func (s *findings) measure(ctx context.Context, t study.Trial, plan *profile.Report, c *cost) error {
	t.Data = c.layer.data()
	c.measured, c.off = math.Inf(1), 0
	var out *party.Outcome
	for range 3 {
		var err error
		if out, err = s.lab.Run(ctx, t, "none", 1); err != nil {
			return err
		}
		c.measured = min(c.measured, work(out.Report, plan))
	}
	// In clear by the standard method, which is the fastest there.
	standard := methods[0].trial(c.layer)
	standard.Data = t.Data
	want, err := standard.Clear(ctx)
	if err != nil {
		return err
	}
	got := out.Results[0].Floats()
	for i, w := range want[0].Floats() {
		c.off = max(c.off, math.Abs(got[i]-w))
	}
	if !(c.off < 1) {
		return fmt.Errorf("%s: results are off by %g", t.Name, c.off)
	}
	return nil
}

// standard is a layer's standard convolution.
func (s *findings) standard(l layer) cost {
	for _, c := range s.costs {
		if c.layer == l && c.method.by == nil {
			return c
		}
	}
	panic("conv: a layer without its standard convolution")
}

// bars are the bounds: of all layers, the most that a Winograd convolution
// sends beyond the standard one.
func (s *findings) bars() []study.Bar {
	online, hidden, image, rounds := 0.0, 0.0, 0.0, 0.0
	for _, c := range s.costs {
		of := s.standard(c.layer)
		more := float64(c.online - of.online)
		if c.layer.first {
			online = max(online, more)
		} else {
			hidden = max(hidden, more)
		}
		image = max(image, float64(c.image-of.image))
		rounds = max(rounds, float64(c.rounds-of.rounds))
	}
	return []study.Bar{
		{What: "bytes online by which Winograd exceeds standard in the first layer", Got: online},
		{What: "bytes online by which Winograd exceeds standard in an inner layer", Got: hidden},
		{What: "bytes of an image as its owner shares it by which Winograd exceeds standard", Got: image},
		{What: "rounds by which Winograd exceeds standard", Got: rounds},
	}
}
