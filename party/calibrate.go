package party

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocols"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

// sample is a program of many small steps, whose time is mostly overhead per step.
const sample = `func.func @main(%x: tensor<16xf32>, %w: tensor<16x16xf32>) -> tensor<16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<16xf32>
  cond {
    %n = stablehlo.constant dense<40> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %1 = stablehlo.dot_general %w, %v, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %2 = stablehlo.logistic %1 : tensor<16xf32>
    %3 = stablehlo.maximum %2, %v : tensor<16xf32>
    stablehlo.return %j, %3 : tensor<i32>, tensor<16xf32>
  }
  return %0#1 : tensor<16xf32>
}`

// layers is a program of a few large steps, whose time is that of kernels: on memory that others wrote, with cold caches and code, and
// with the collector beside them. Kernels that are measured one by one, again and again on the same vectors, take less.
const layers = `func.func @main(%x: tensor<128x1024xf32>, %w: tensor<1024x1024xf32>) -> tensor<128x1024xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<128x1024xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<128x1024xf32>, tensor<1024x1024xf32>) -> tensor<128x1024xf32>
  %1 = stablehlo.logistic %0 : tensor<128x1024xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<128x1024xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<128x1024xf32>
  %4 = stablehlo.exponential %3 : tensor<128x1024xf32>
  %5 = stablehlo.add %3, %4 : tensor<128x1024xf32>
  return %5 : tensor<128x1024xf32>
}`

// sampleRuns is the number of runs of a sample. Of the small one the fastest counts, since other load on the machine can only add
// time; of the large one the median, since its steps do not take the same time in all runs of an idle machine either.
const sampleRuns = 7

// Calibrate measures this machine in a few seconds and returns its profile, for Spec.Machine. It first measures
// kernels and messages alone (package timing), then, with two programs, the overhead of building and running
// protocol steps and what kernels take in a run. The machine should be idle meanwhile.
func Calibrate(ctx context.Context) (timing.Machine, error) {
	m, err := timing.Calibrate(ctx)
	if err != nil {
		return m, err
	}
	fresh := m.Fresh
	m.Fresh = 0 // runs of a process that has had others take memory that it has used before
	small, err := calibrating(ctx, sample, &m)
	if err != nil {
		return m, err
	}
	built, times, steps := math.Inf(1), []float64(nil), 0
	for range sampleRuns {
		start := time.Now()
		l, err := newLocal(ctx, small)
		if err != nil {
			return m, err
		}
		if err := l.sessions[0].prepare(ctx); err != nil {
			return m, err
		}
		built = min(built, time.Since(start).Seconds())
		steps = len(l.sessions[0].plan.traces[link.Online].Steps)
	}
	if times, err = small.onlineSeconds(ctx); err != nil {
		return m, err
	}
	m.Build = built / float64(steps)
	if err := small.fit(ctx, times[0], m.Step, 1e-4, func(step float64) { m.Step = step }); err != nil {
		return m, err
	}
	large, err := calibrating(ctx, layers, &m)
	if err != nil {
		return m, err
	}
	if times, err = large.onlineSeconds(ctx); err != nil {
		return m, err
	}
	alone := m
	err = large.fit(ctx, times[len(times)/2], leastScale, mostScale, func(by float64) {
		step := m.Step
		m = alone
		m.Step = step
		m.ScaleKernels(by)
	})
	m.Fresh = fresh
	return m, err
}

// leastScale and mostScale bound the factor between the times of kernels in a run and alone.
const (
	leastScale = 0.5
	mostScale  = 8
)

// calibrating returns the spec of a sample program of two parties, with an argument of each.
func calibrating(ctx context.Context, text string, m *timing.Machine) (*Spec, error) {
	p, err := hlo.Parse("sample.mlir", []byte(text))
	if err != nil {
		return nil, fmt.Errorf("party: calibrate: %w", err)
	}
	s := &Spec{
		Program: p, Protocol: protocols.Default, Ring: 64, Fraction: 18, Parties: []string{"a", "b"}, Computing: 2, Network: "none", Reveal: []int{0},
		Args: []Arg{
			{Owner: 0, Data: tensor.NewArray(p.Main.Body.Params[0].Type)},
			{Owner: 1, Data: tensor.NewArray(p.Main.Body.Params[1].Type)},
		}, Machine: m,
	}
	return s, s.rewrite(ctx)
}

// onlineSeconds returns how long the online phases of several runs take, the shortest first.
func (s *Spec) onlineSeconds(ctx context.Context) ([]float64, error) {
	var out []float64
	for range sampleRuns {
		o, err := Run(ctx, *s)
		if err != nil {
			return nil, err
		}
		out = append(out, o.Report.Online.Seconds)
	}
	slices.Sort(out)
	return out, nil
}

// fit calls set with a value between low and high for which the simulated online phase, without a network, takes as long as the
// measured one. set changes the machine of s so that a larger value makes the phase longer.
func (s *Spec) fit(ctx context.Context, seconds, low, high float64, set func(float64)) error {
	for range 12 {
		x := (low + high) / 2
		set(x)
		l, err := newLocal(ctx, s)
		if err != nil {
			return err
		}
		if err := l.each(ctx, func(ctx context.Context, x *session) error { return x.prepare(ctx) }); err != nil {
			return err
		}
		if l.dryRun().Simulate(link.Online, link.Shape{}).Seconds < seconds {
			low = x
		} else {
			high = x
		}
	}
	return nil
}
