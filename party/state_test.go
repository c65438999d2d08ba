package party

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/tensor"
)

// stepText computes with x and three states: numbers that are halved and added to, a counter, a flag that is turned, and
// the root of the numbers' squares, which is kept at a finer scale.
const stepText = `module @step {
  func.func public @main(%s: tensor<3xf32>, %x: tensor<3xf32>, %n: tensor<i32>, %b: tensor<i1>, %r: tensor<3xf32>)
      -> (tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<i32>, tensor<i1>, tensor<3xf32>, tensor<3xf32>) {
    %h = stablehlo.constant dense<0.5> : tensor<3xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.multiply %s, %h : tensor<3xf32>
    %1 = stablehlo.add %0, %x : tensor<3xf32>
    %2 = stablehlo.multiply %1, %1 : tensor<3xf32>
    %3 = stablehlo.add %n, %one : tensor<i32>
    %4 = stablehlo.not %b : tensor<i1>
    %5 = stablehlo.select %b, %3, %one : tensor<i1>, tensor<i32>
    %6 = stablehlo.sqrt %2 : tensor<3xf32>
    return %2, %5, %r, %3, %4, %6, %1 : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<i32>, tensor<i1>, tensor<3xf32>, tensor<3xf32>
  }
}`

func stepSpec(t *testing.T, protocol string, parties, computing int) Spec {
	t.Helper()
	p, err := hlo.Parse("step.mlir", []byte(stepText))
	if err != nil {
		t.Fatal(err)
	}
	floats := func(x ...float64) *tensor.Array { return tensor.FromFloats(tensor.F32, tensor.Shape{3}, x) }
	return Spec{
		Program: p, Protocol: protocol, Parties: []string{"alice", "bob", "carol"}[:parties], Computing: computing, Reveal: []int{0},
		State: []State{{Arg: 0, Result: 6}, {Arg: 2, Result: 3}, {Arg: 3, Result: 4}, {Arg: 4, Result: 5}},
		Args: []Arg{
			{Owner: 1, Data: floats(4, -2, 0), Resident: true},
			{Owner: parties - 1, Data: floats(1, 1, -3)},
			{Owner: Public, Data: tensor.FromWords(tensor.I32, nil, []uint64{7})},
			{Owner: 0, Data: tensor.FromWords(tensor.Bool, nil, []uint64{1}), Resident: true},
			{Owner: Public, Data: floats(1, 2, 3)},
		},
	}
}

// stepWant is what request number i, from 0, reveals: the squares, the chosen number and the roots of the request
// before.
func stepWant(i int) (squares []float64, chosen int32, roots []float64) {
	s, x := []float64{4, -2, 0}, []float64{1, 1, -3}
	roots = []float64{1, 2, 3}
	for range i {
		for j := range s {
			s[j] = s[j]/2 + x[j]
			roots[j] = max(s[j], -s[j])
		}
	}
	squares = make([]float64, 3)
	for j := range s {
		squares[j] = (s[j]/2 + x[j]) * (s[j]/2 + x[j])
	}
	if chosen = 1; i%2 == 0 {
		chosen = 7 + int32(i) + 1
	}
	return squares, chosen, roots
}

func checkStep(i int, out *Outcome) error {
	squares, chosen, roots := stepWant(i)
	if len(out.Results) != 3 || len(out.Shares) != 0 {
		return fmt.Errorf("request %d: %d results and %d shares", i, len(out.Results), len(out.Shares))
	}
	near := func(name string, got *tensor.Array, want []float64) error {
		for j, x := range got.Floats() {
			if d := x - want[j]; d > 1e-3 || d < -1e-3 {
				return fmt.Errorf("request %d: %s %v, want %v", i, name, got.Floats(), want)
			}
		}
		return nil
	}
	if got := out.Results[1].Data.([]int32)[0]; got != chosen {
		return fmt.Errorf("request %d: chosen %d, want %d", i, got, chosen)
	}
	r := out.Report
	if r.Offline.BytesSent != r.Predicted.Offline.BytesSent || !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
		return fmt.Errorf("request %d costs %v online and %d offline, predicted %v and %d", i,
			r.Online.BytesSent, r.Offline.BytesSent, r.Predicted.Online.BytesSent, r.Predicted.Offline.BytesSent)
	}
	return errors.Join(near("squares", out.Results[0], squares), near("roots", out.Results[2], roots))
}

// Each request reads what the one before has computed, also among requests of one batch, and no party learns it. A
// declined request changes nothing.
func TestState(t *testing.T) {
	for _, c := range []struct {
		protocol           string
		parties, computing int
	}{{"semi2k", 2, 2}, {"semi2k", 3, 2}, {"aby3", 3, 3}} {
		t.Run(fmt.Sprintf("%s-%d-%d", c.protocol, c.parties, c.computing), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			s := stepSpec(t, c.protocol, c.parties, c.computing)
			v, err := Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			data := []*tensor.Array{nil, s.Args[1].Data, nil, nil, nil}
			done := 0
			for _, size := range []int{1, 3, 2} {
				var asked []Request
				for i := range size {
					brought := data
					if size == 3 && i == 1 {
						brought = nil
					}
					asked = append(asked, Request{Data: brought, Done: func(out *Outcome, err error) error {
						if brought == nil {
							if !errors.As(err, new(*DeclinedError)) {
								t.Errorf("a request without data: %v", err)
							}
							return nil
						}
						if err == nil {
							err = checkStep(done, out)
							done++
						}
						if err != nil {
							t.Error(err)
						}
						return nil
					}})
				}
				if err := v.Evaluate(t.Context(), asked); err != nil {
					t.Fatal(err)
				}
			}
			if done != 5 {
				t.Errorf("%d requests are done, want 5", done)
			}
		})
	}
}

// Parties in different processes keep their states apart; Run evaluates one request.
func TestStateApart(t *testing.T) {
	defer goleak.VerifyNone(t)
	out, err := Run(t.Context(), stepSpec(t, "semi2k", 2, 2))
	if err == nil {
		err = checkStep(0, out)
	}
	if err != nil {
		t.Error(err)
	}
	ends, table, id := link.Memory(2), newTable(2, 2), correlation.NewSessionID()
	var wg sync.WaitGroup
	for rank := range 2 {
		s := stepSpec(t, "semi2k", 2, 2)
		data := make([]*tensor.Array, len(s.Args))
		for i, a := range s.Args {
			if a.Owner == rank {
				data[i] = a.Data
			} else if a.Owner != Public {
				s.Args[i].Data = nil
			}
		}
		wg.Go(func() {
			defer ends[rank].Close()
			v, err := Open(t.Context(), s, &Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: table})
			if err != nil {
				t.Error(err)
				return
			}
			defer v.Close()
			for i := range 3 {
				out, err := v.EvaluateSingle(t.Context(), data)
				if err == nil && rank == 0 {
					err = checkStep(i, out)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// States that do not fit the job are refused.
func TestStateRefused(t *testing.T) {
	for want, change := range map[string]func(s *Spec){
		"argument 9 is none of the program's 5 arguments":  func(s *Spec) { s.State[0].Arg = 9 },
		"result -1 is none of the program's 7 results":     func(s *Spec) { s.State[0].Result = -1 },
		"argument 2 or result 3 is named twice":            func(s *Spec) { s.State[2] = s.State[1] },
		"result 3 is tensor<i32>, and argument 0":          func(s *Spec) { s.State[0].Result, s.State[1].Result = 3, 6 },
		"result 2 is state, and a result after it is not":  func(s *Spec) { s.State[0].Result = 2 },
		"argument 0 is not resident":                       func(s *Spec) { s.Args[0].Resident = false },
		"argument 0 belongs to carol, which does not":      func(s *Spec) { s.Args[0].Owner = 2 },
		"protocol plain has no shares to keep between":     func(s *Spec) { s.Protocol = "plain" },
		"a job keeps its results, or a service its state,": func(s *Spec) { s.Keep = true },
	} {
		s := stepSpec(t, "semi2k", 3, 2)
		change(&s)
		_, err := Run(t.Context(), s)
		var field *FieldError
		if !errors.As(err, &field) || field.Field != "State" || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
