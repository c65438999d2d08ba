package conv

import (
	"context"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/study"
)

// Run performs the study in the lab l, writes its page, and returns the bounds with the values that it found.
// The caller checks them (Bound.Met).
func Run(ctx context.Context, l *study.Lab) ([]study.Bound, error) {
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
			if m.winograd != nil && !of.eligible() {
				continue
			}
			c, err := s.cost(ctx, of, m)
			if err != nil {
				return nil, err
			}
			s.costs = append(s.costs, c)
		}
	}
	return s.bounds(), s.page()
}

// findings are the results of the study.
type findings struct {
	lab    *study.Lab
	layers []layer
	costs  []cost
}

// cost is the cost of a layer by one method, without the ReLU before the layer except in times.
type cost struct {
	layer         layer
	method        method
	input, online int64 // bytes of both parties
	image         int64 // input bytes of the first party: its image
	dealt         int64
	rounds        int
	times         map[string]float64 // by network, predicted, online
	dealing       float64            // dealer's computation in seconds, predicted
	work          float64            // computation of both parties in seconds, predicted
	measured      float64            // like work, measured; NaN if the layer was not run
	maxError      float64            // largest absolute error of the run
}

// memoryBound is the largest predicted process memory, in bytes, with which a layer is run.
const memoryBound = 1500 << 20

// cost plans a layer, and runs it if it is not too large.
func (s *findings) cost(ctx context.Context, l layer, m method) (cost, error) {
	t := m.trial(l)
	r, err := s.lab.Plan(ctx, t)
	if err != nil {
		return cost{}, err
	}
	c := cost{
		layer:    l,
		method:   m,
		input:    study.Sum(r.Input.BytesSent),
		image:    r.Input.BytesSent[0],
		times:    map[string]float64{},
		measured: math.NaN(),
		maxError: math.NaN(),
	}
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
const relu = hlo.OpMaximum

// work returns the computation time of both parties in a report, without ReLUs and without
// operations for which the plan predicts no work: the kernel is transformed in cleartext, once for
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

// measure runs a layer three times and fills in the measured fields of c.
func (s *findings) measure(ctx context.Context, t study.Trial, plan *profile.Report, c *cost) error {
	t.Data = c.layer.data()
	c.measured, c.maxError = math.Inf(1), 0
	var out *party.Outcome
	for range 3 {
		var err error
		if out, err = s.lab.Run(ctx, t, "none", 1); err != nil {
			return err
		}
		c.measured = min(c.measured, work(out.Report, plan))
	}
	// The reference is the standard convolution in the clear, which is the fastest.
	standard := methods[0].trial(c.layer)
	standard.Data = t.Data
	want, err := standard.EvalClear(ctx)
	if err != nil {
		return err
	}
	got := out.Results[0].Floats()
	for i, w := range want[0].Floats() {
		c.maxError = max(c.maxError, math.Abs(got[i]-w))
	}
	if !(c.maxError < 1) {
		return fmt.Errorf("%s: results are off by %g", t.Name, c.maxError)
	}
	return nil
}

// standard returns the cost of a layer's standard convolution.
func (s *findings) standard(l layer) cost {
	for _, c := range s.costs {
		if c.layer == l && c.method.winograd == nil {
			return c
		}
	}
	panic("conv: a layer without its standard convolution")
}

// bounds returns, as the maximum over all layers, by how much a Winograd convolution exceeds the
// standard one.
func (s *findings) bounds() []study.Bound {
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
	return []study.Bound{
		{Name: "first layer: online bytes of Winograd minus standard", Value: online},
		{Name: "inner layers: online bytes of Winograd minus standard", Value: hidden},
		{Name: "input bytes of the image, Winograd minus standard", Value: image},
		{Name: "rounds of Winograd minus standard", Value: rounds},
	}
}
