package party

import (
	"context"
	"fmt"
	"math"
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

// sampleRuns is the number of runs of the sample. The fastest counts, since other load on the
// machine can only add time.
const sampleRuns = 7

// Calibrate measures this machine in a few seconds and returns its profile, for Spec.Machine. It first measures
// kernels and messages alone (package timing), then, with a small program, the overhead of building and running
// protocol steps. The machine should be idle meanwhile.
func Calibrate(ctx context.Context) (timing.Machine, error) {
	m, err := timing.Calibrate(ctx)
	if err != nil {
		return m, err
	}
	p, err := hlo.Parse("sample.mlir", []byte(sample))
	if err != nil {
		return m, fmt.Errorf("party: calibrate: %w", err)
	}
	s := Spec{
		Program: p, Protocol: protocols.Default, Ring: 64, Fraction: 18, Parties: []string{"a", "b"}, Computing: 2, Network: "none", Reveal: []int{0},
		Args: []Arg{
			{Owner: 0, Data: tensor.NewArray(p.Main.Body.Params[0].Type)},
			{Owner: 1, Data: tensor.NewArray(p.Main.Body.Params[1].Type)},
		}, Machine: &m,
	}
	if err := s.rewrite(ctx); err != nil {
		return m, err
	}
	built, online, steps := math.Inf(1), math.Inf(1), 0
	for range sampleRuns {
		start := time.Now()
		l, err := newLocal(ctx, &s)
		if err != nil {
			return m, err
		}
		if err := l.sessions[0].prepare(ctx); err != nil {
			return m, err
		}
		built = min(built, time.Since(start).Seconds())
		steps = len(l.sessions[0].plan.traces[link.Online].Steps)
		out, err := Run(ctx, s)
		if err != nil {
			return m, err
		}
		online = min(online, out.Report.Online.Seconds)
	}
	m.Build = built / float64(steps)
	return m, s.fitStep(ctx, online)
}

// fitStep sets the machine's overhead per step so that the simulated online phase, without a
// network, takes as long as the measured one.
func (s *Spec) fitStep(ctx context.Context, seconds float64) error {
	low, high := s.Machine.Step, 1e-4
	for range 12 {
		s.Machine.Step = (low + high) / 2
		l, err := newLocal(ctx, s)
		if err != nil {
			return err
		}
		if err := l.each(ctx, func(ctx context.Context, x *session) error { return x.prepare(ctx) }); err != nil {
			return err
		}
		if l.dryRun().Simulate(link.Online, link.Shape{}).Seconds < seconds {
			low = s.Machine.Step
		} else {
			high = s.Machine.Step
		}
	}
	return nil
}
