package party

import (
	"context"
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

// fillText and addText are programs of one service with weights w, a state c of two rows and a counter n. fill takes two
// rows at once, sets the state to their products with w and starts the counter; main takes one row, appends its product and
// drops the oldest.
const (
	addText = `module @add {
  func.func public @main(%x: tensor<1x3xf32>, %w: tensor<3x3xf32>, %c: tensor<2x3xf32>, %n: tensor<i32>)
      -> (tensor<3xf32>, tensor<2x3xf32>, tensor<i32>) {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
    %1 = stablehlo.slice %c [1:2, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf32>
    %2 = stablehlo.concatenate %1, %0, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    %3 = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
    %4 = stablehlo.add %n, %one : tensor<i32>
    return %3, %2, %4 : tensor<3xf32>, tensor<2x3xf32>, tensor<i32>
  }
}`
	fillText = `module @fill {
  func.func public @main(%x: tensor<2x3xf32>, %w: tensor<3x3xf32>, %c: tensor<2x3xf32>, %n: tensor<i32>)
      -> (tensor<i32>, tensor<2xf32>, tensor<2x3xf32>, tensor<i32>) {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
    return %n, %1, %0, %two : tensor<i32>, tensor<2xf32>, tensor<2x3xf32>, tensor<i32>
  }
}`
)

// addSpec is a service with the programs add and fill: rows are the first party's, weights and the first state the second's.
func addSpec(t *testing.T, protocol string, parties, computing int) Spec {
	t.Helper()
	parse := func(text string) *hlo.Program {
		p, err := hlo.Parse("test.mlir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	return Spec{
		Program: parse(addText), Programs: []NamedProgram{{"fill", parse(fillText)}}, Protocol: protocol,
		Parties: []string{"alice", "bob", "carol"}[:parties], Computing: computing, Reveal: []int{0},
		State: []State{{Arg: 2, Result: 1}, {Arg: 3, Result: 2}},
		Args: []Arg{
			{Owner: 0, Data: rows(1, 0)},
			{Owner: parties - 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{3, 3}, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}), Resident: true},
			{Owner: 1, Data: rows(2, 5), Resident: true},
			{Owner: Public, Data: tensor.FromWords(tensor.I32, nil, []uint64{0})},
		},
	}
}

// rows are n rows, each of three numbers x, x + 1, … that end.
func rows(n int, x float64) *tensor.Array {
	out := make([]float64, 3*n)
	for i := range out {
		out[i] = x + float64(i)
	}
	return tensor.FromFloats(tensor.F32, tensor.Shape{n, 3}, out)
}

// addState computes in the clear what a service of addSpec reveals.
type addState struct {
	rows  [2][3]float64
	count int
}

func (s *addState) times(x []float64) (out [3]float64) {
	for j := range out {
		for i, v := range x {
			out[j] += v * float64(3*i+j+1)
		}
	}
	return out
}

func (s *addState) request(program string, x *tensor.Array) []float64 {
	v := x.Floats()
	if program == "fill" {
		count := s.count
		s.rows, s.count = [2][3]float64{s.times(v[:3]), s.times(v[3:])}, 2
		out := []float64{float64(count)}
		for _, r := range s.rows {
			out = append(out, r[0]+r[1]+r[2])
		}
		return out
	}
	s.rows, s.count = [2][3]float64{s.rows[1], s.times(v)}, s.count+1
	return []float64{s.rows[0][0] + s.rows[1][0], s.rows[0][1] + s.rows[1][1], s.rows[0][2] + s.rows[1][2]}
}

// addRequests is a sequence of batches; each request is a program and the first number of its rows.
var addRequests = [][]struct {
	program string
	x       float64
}{{{"", 1}}, {{"fill", -2}}, {{"", 0.5}, {"fill", 3}, {"", 2}}, {{"", -1}, {"", 4}}, {{"fill", 1}}}

// follow takes a service through addRequests and compares what it learns, and measured with predicted costs.
func follow(ctx context.Context, v *Service, owner, learns bool) error {
	want := addState{rows: [2][3]float64{{5, 6, 7}, {8, 9, 10}}}
	for _, batch := range addRequests {
		var asked []Request
		var errs []error
		for _, r := range batch {
			x := rows(1, r.x)
			if r.program == "fill" {
				x = rows(2, r.x)
			}
			data := []*tensor.Array{x, nil, nil, nil}
			if !owner {
				data[0] = nil
			}
			asked = append(asked, Request{Program: r.program, Data: data, Done: func(out *Outcome, err error) error {
				if err != nil {
					errs = append(errs, err)
					return nil
				}
				want := want.request(r.program, x)
				var got []float64
				for _, a := range out.Results {
					got = append(got, a.Floats()...)
				}
				if learns && !slices.EqualFunc(got, want, func(a, b float64) bool { return a-b < 1e-3 && b-a < 1e-3 }) {
					errs = append(errs, fmt.Errorf("%q of %v: %v, want %v", r.program, r.x, got, want))
				}
				if r := out.Report; !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) ||
					r.Offline.BytesSent != r.Predicted.Offline.BytesSent {
					errs = append(errs, fmt.Errorf("%+v, predicted %+v", r.Online, r.Predicted))
				}
				return nil
			}})
		}
		if err := v.Evaluate(ctx, asked); err != nil {
			return err
		}
		if err := errors.Join(append(errs, v.PrepareAhead(ctx))...); err != nil {
			return err
		}
	}
	return nil
}

// Requests of two programs read and replace the same states. Each program's requests cost what was planned, and what
// stays is shared once for both.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		protocol           string
		parties, computing int
	}{{"semi2k", 2, 2}, {"semi2k", 3, 2}, {"aby3", 3, 3}, {"cheetah", 2, 2}} {
		t.Run(fmt.Sprintf("%s-%d-%d", c.protocol, c.parties, c.computing), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			s := addSpec(t, c.protocol, c.parties, c.computing)
			v, err := Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if err := follow(t.Context(), v, true, true); err != nil {
				t.Error(err)
			}
			s.Programs = nil
			first, err := Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer first.Close()
			if with, without := v.Opened(), first.Opened(); !slices.Equal(with.Input.BytesSent, without.Input.BytesSent) ||
				with.Offline.BytesSent != without.Offline.BytesSent {
				t.Errorf("opening two programs took %v, and is dealt %d bytes; one program %v and %d",
					with.Input.BytesSent, with.Offline.BytesSent, without.Input.BytesSent, without.Offline.BytesSent)
			}
			for _, p := range v.programs {
				for _, l := range p.prepared {
					if first := l.sessions[0].firstOp; first < v.programs[0].ids()+v.programs[1].ids() {
						t.Errorf("a request's instances begin at %d, those of the opening", first)
					}
				}
			}
		})
	}
}

// apart runs a service whose parties are in different processes: at each party with the spec that change returns.
func apart(t *testing.T, change func(rank int, s *Spec), f func(rank int, v *Service) error) []error {
	t.Helper()
	ends, table, id := link.Memory(2), newTable(2, 2), correlation.NewSessionID()
	errs := make([]error, 2)
	var wg sync.WaitGroup
	for rank := range 2 {
		s := addSpec(t, "semi2k", 2, 2)
		for i, a := range s.Args {
			if a.Owner != rank && a.Owner != Public {
				s.Args[i].Data = nil
			}
		}
		change(rank, &s)
		wg.Go(func() {
			defer ends[rank].Close()
			v, err := Open(t.Context(), s, &Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: table})
			if err == nil {
				err = f(rank, v)
				v.Close()
			}
			errs[rank] = err
		})
	}
	wg.Wait()
	return errs
}

// Parties in different processes evaluate the same programs. They refuse to serve different ones, and end when they take a
// request for different ones.
func TestProgramsApart(t *testing.T) {
	defer goleak.VerifyNone(t)
	none := func(int, *Spec) {}
	for _, err := range apart(t, none, func(rank int, v *Service) error { return follow(t.Context(), v, rank == 0, rank == 0) }) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, err := range apart(t, func(rank int, s *Spec) {
		if rank == 1 {
			p, err := hlo.Parse("test.mlir", []byte(strings.Replace(fillText, "dense<2>", "dense<3>", 1)))
			if err != nil {
				t.Error(err)
			}
			s.Programs[0].Program = p
		}
	}, func(int, *Service) error { return nil }) {
		if err == nil || !strings.Contains(err.Error(), "differ in further program 0") {
			t.Errorf("different programs: %v", err)
		}
	}
	for what, change := range map[string]func(s *Spec){
		"one program less": func(s *Spec) { s.Programs = nil },
		"another name":     func(s *Spec) { s.Programs[0].Name = "drain" },
	} {
		for _, err := range apart(t, func(rank int, s *Spec) {
			if rank == 1 {
				change(s)
			}
		}, func(int, *Service) error { return nil }) {
			if err == nil || !strings.Contains(err.Error(), "differ in further program 0") {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	for _, err := range apart(t, none, func(rank int, v *Service) error {
		data, program := []*tensor.Array{rows(1, 1), nil, nil, nil}, ""
		if rank == 1 {
			data[0], program = nil, "fill"
		}
		asked, _, _ := askedOf(data)
		asked[0].Program = program
		return v.Evaluate(t.Context(), asked)
	}) {
		if err == nil {
			t.Error("a request for different programs was evaluated")
		}
	}
}

// Programs that do not fit the first one are refused, by name.
func TestProgramsRefused(t *testing.T) {
	replaced := func(from, to string) func(s *Spec) {
		return func(s *Spec) {
			text := strings.ReplaceAll(fillText, from, to)
			p, err := hlo.Parse("test.mlir", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			s.Programs[0].Program = p
		}
	}
	for want, change := range map[string]func(s *Spec){
		`program 0 has no name`:        func(s *Spec) { s.Programs[0].Name = "" },
		`program 1 has no name, or an`: func(s *Spec) { s.Programs = append(s.Programs, s.Programs[0]) },
		"program fill: argument 3, which stays between requests, is tensor<i64>, in the service's first program tensor<i32>": replaced("tensor<i32>", "tensor<i64>"),
		"program fill: it takes 3 arguments, the service's first program 4":                                                  replaced("%c: tensor<2x3xf32>, ", ""),
		"program fill: result 2 is tensor<2xf32>, in the service's first program this state is tensor<2x3xf32>": func(s *Spec) {
			text := strings.Replace(fillText, "-> (tensor<i32>, tensor<2xf32>, tensor<2x3xf32>,", "-> (tensor<i32>, tensor<2x3xf32>, tensor<2xf32>,", 1)
			p, err := hlo.Parse("test.mlir", []byte(strings.Replace(text, "return %n, %1, %0, %two : tensor<i32>, tensor<2xf32>, tensor<2x3xf32>,",
				"return %n, %0, %1, %two : tensor<i32>, tensor<2x3xf32>, tensor<2xf32>,", 1)))
			if err != nil {
				t.Fatal(err)
			}
			s.Programs[0].Program = p
		},
	} {
		s := addSpec(t, "semi2k", 2, 2)
		change(&s)
		_, err := Open(t.Context(), s, nil)
		var field *FieldError
		if !errors.As(err, &field) || field.Field != "Programs" || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	v, err := Open(t.Context(), addSpec(t, "semi2k", 2, 2), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	asked, _, _ := askedOf([]*tensor.Array{rows(1, 1), nil, nil, nil})
	asked[0].Program = "drain"
	if err := v.Evaluate(t.Context(), asked); err == nil || !strings.Contains(err.Error(), `names program "drain"`) {
		t.Errorf("%v", err)
	}
}
