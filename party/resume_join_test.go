package party

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/tensor"
)

// trainText is a loop of 40 iterations: a weight, a step of its way, and what one
// party knows of its own data.
const trainText = `func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %iterations = stablehlo.constant dense<40> : tensor<i32>
  %rate = stablehlo.constant dense<0.125> : tensor<2xf32>
  %0:3 = stablehlo.while(%i = %zero, %w = %rate, %k = %x) : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %iterations : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.multiply %w, %x : tensor<2xf32>
    %3 = stablehlo.subtract %y, %2 : tensor<2xf32>
    %4 = stablehlo.multiply %3, %rate : tensor<2xf32>
    %5 = stablehlo.add %w, %4 : tensor<2xf32>
    %6 = stablehlo.add %i, %one : tensor<i32>
    %7 = stablehlo.multiply %k, %x : tensor<2xf32>
    stablehlo.return %6, %5, %7 : tensor<i32>, tensor<2xf32>, tensor<2xf32>
  }
  %8 = stablehlo.add %0#1, %0#2 : tensor<2xf32>
  return %8 : tensor<2xf32>
}`

// The owners' vectors, and the weight after so many iterations.
var trainX, trainY = []float64{0.5, 0.75}, []float64{1, -2}

func trained(iterations int) []float64 {
	w := []float64{0.125, 0.125}
	for range iterations {
		for k, x := range trainX {
			w[k] += 0.125 * (trainY[k] - w[k]*x)
		}
	}
	return w
}

// checkShares looks at what two parties have written to checkpoints of a training: the weight,
// in shares that say nothing of it by themselves, and nothing else.
func checkShares(t *testing.T, dir, protocol string) {
	t.Helper()
	all := make([][]*checkpoint.Checkpoint, 2)
	for rank := range all {
		f, err := checkpoint.Open(filepath.Join(dir, fmt.Sprintf("p%d", rank)))
		if err != nil {
			t.Fatal(err)
		}
		headers, damaged, err := f.List()
		if err != nil || damaged != nil {
			t.Fatal(err, damaged)
		}
		for _, h := range headers {
			c, err := f.Load(h)
			if err != nil {
				t.Fatal(err)
			}
			all[rank] = append(all[rank], c)
		}
	}
	common := 0
	for _, a := range all[0] {
		for _, b := range all[1] {
			if a.ID != b.ID {
				continue
			}
			common++
			if len(a.Shares) != 1 || len(b.Shares) != 1 || !slices.Equal(a.Values, b.Values) || a.Values[0].Index != 1 {
				t.Fatalf("%s: %+v and %+v", protocol, a.Values, b.Values)
			}
			want := trained(a.Iteration)
			for k, x := range a.Shares[0].Words() {
				y := b.Shares[0].Words()[k]
				if got := math.Ldexp(float64(int64(x+y)), -a.Values[0].Scale); math.Abs(got-want[k]) > 1e-3 {
					t.Errorf("iteration %d: the shares are those of %v, not of %v", a.Iteration, got, want[k])
				}
			}
			for _, c := range []*checkpoint.Checkpoint{a, b} {
				if !slices.ContainsFunc(c.Shares[0].Words(), func(w uint64) bool { return w>>40 != 0 && w>>40 != 1<<24-1 }) {
					t.Errorf("a share is %x", c.Shares[0].Words())
				}
			}
		}
	}
	if common == 0 {
		t.Error("the parties have nothing in common")
	}
}

// trainSpec is the side of one party, which has its own data alone.
func trainSpec(t *testing.T, protocol string, parties, computing, rank int, folder string) Spec {
	t.Helper()
	p, err := hlo.Parse("train.mlir", []byte(trainText))
	if err != nil {
		t.Fatal(err)
	}
	s := Spec{
		Program: p, Protocol: protocol, Ring: 64, Fraction: 18, Parties: []string{"p0", "p1", "p2"}[:parties], Computing: computing,
		Network: "none", Reveal: []int{0, 1},
		Args: []Arg{{Owner: parties - 1}, {Owner: 0}}, Checkpoints: &resume.Checkpoints{Every: 5, Folder: folder},
	}
	for i, data := range [][]float64{trainX, trainY} {
		if s.Args[i].Owner == rank {
			s.Args[i].Data = tensor.FromFloats(tensor.F32, tensor.Shape{2}, data)
		}
	}
	return s
}

// TestJoinResumes: a party dies in the middle, and all join again, each with its
// own data and folder alone: they resume from a checkpoint of all.
func TestJoinResumes(t *testing.T) {
	for _, c := range []struct {
		protocol                  string
		parties, computing, crash int
	}{{"semi2k", 2, 2, 1}, {"semi2k", 3, 2, 0}, {"aby3", 3, 3, 1}} {
		t.Run(fmt.Sprintf("%s-%d-%d", c.protocol, c.parties, c.computing), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			dir := t.TempDir()
			join := func(set func(rank int, s *Spec, crash context.CancelFunc)) ([]*Outcome, []error) {
				ends := link.Memory(c.parties)
				d, id := newTable(c.parties, c.computing), correlation.NewSessionID()
				outs, errs := make([]*Outcome, c.parties), make([]error, c.parties)
				var wg sync.WaitGroup
				for rank := range ends {
					ctx, crash := context.WithCancel(t.Context())
					defer crash()
					s := trainSpec(t, c.protocol, c.parties, c.computing, rank, dir)
					set(rank, &s, crash)
					wg.Go(func() {
						outs[rank], errs[rank] = Join(ctx, s, Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: d})
						ends[rank].Close()
					})
				}
				wg.Wait()
				return outs, errs
			}
			_, errs := join(func(rank int, s *Spec, crash context.CancelFunc) {
				s.Checkpoints.Written = func(x resume.Checkpoint) {
					if rank == c.crash && x.Iteration == 20 {
						crash()
					}
				}
			})
			for rank, err := range errs {
				if err == nil || rank != c.crash && !errors.As(err, new(*LostError)) {
					t.Errorf("rank %d: %v", rank, err)
				}
			}
			checkShares(t, dir, c.protocol)
			at := make([]resume.Checkpoint, c.parties)
			outs, errs := join(func(rank int, s *Spec, _ context.CancelFunc) {
				s.Checkpoints.Resume = true
				s.Checkpoints.Resumed = func(x resume.Checkpoint) error { at[rank] = x; return nil }
				s.Checkpoints.Written = func(x resume.Checkpoint) {
					if x.Loop == 0 && x.Iteration <= at[rank].Iteration {
						t.Errorf("rank %d has done iteration %d again, which was done by iteration %d", rank, x.Iteration, at[rank].Iteration)
					}
				}
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			for rank, x := range at {
				// Who dies has not gone beyond iteration 25, and nobody has come to iteration 20
				// whose iteration 10 was not on disk.
				if x.Iteration < 10 || x.Iteration > 25 || x.ID != at[0].ID {
					t.Errorf("rank %d resumes from %+v", rank, x)
				}
			}
			want := trained(40)
			for k, x := range trainX {
				want[k] += math.Pow(x, 41)
			}
			got := outs[0].Results[0].Floats()
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-3 {
					t.Errorf("%v, want %v", got, want)
				}
			}
			r := outs[0].Report
			if !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) || r.Online.Rounds != r.Predicted.Online.Rounds ||
				r.Offline.BytesSent != r.Predicted.Offline.BytesSent {
				t.Errorf("predicted %+v, measured online %+v and offline %+v", r.Predicted, r.Online, r.Offline)
			}
		})
	}
}

// TestCarriedFormsAreChecked: a party that has no shares takes the forms that
// others tell, and none that the program cannot have.
func TestCarriedFormsAreChecked(t *testing.T) {
	good := checkpoint.Value{Index: 1, Elements: 2, Ring: 64, Scale: 18, Bound: 62}
	with := func(change func(v *checkpoint.Value)) *resume.Offer {
		o := &resume.Offer{ID: "x", Iteration: 5, Values: []checkpoint.Value{good}}
		change(&o.Values[0])
		return o
	}
	for name, o := range map[string]*resume.Offer{
		"another value":     with(func(v *checkpoint.Value) { v.Index = 0 }),
		"more elements":     with(func(v *checkpoint.Value) { v.Elements = 3 }),
		"too wide a ring":   with(func(v *checkpoint.Value) { v.Ring = 200 }),
		"no ring":           with(func(v *checkpoint.Value) { v.Ring = 0 }),
		"a scale below 0":   with(func(v *checkpoint.Value) { v.Scale = -1 }),
		"no bound":          with(func(v *checkpoint.Value) { v.Bound = -2 }),
		"no value":          {ID: "x", Iteration: 5},
		"one too many":      {ID: "x", Iteration: 5, Values: []checkpoint.Value{good, good}},
		"no such iteration": {ID: "x", Iteration: 40, Values: []checkpoint.Value{good}},
		"iteration below 0": {ID: "x", Iteration: -1, Values: []checkpoint.Value{good}},
		"no such loop":      {ID: "x", Loop: 1 << 40, Iteration: 1, Values: []checkpoint.Value{good}},
		"the beginning":     {ID: "x"},
		"":                  {ID: "x", Iteration: 5, Values: []checkpoint.Value{good}},
	} {
		s := trainSpec(t, "semi2k", 3, 2, 2, t.TempDir())
		if err := s.rewrite(t.Context()); err != nil {
			t.Fatal(err)
		}
		err := s.resumeFrom(t.Context(), o, []int{2})
		switch {
		case name == "" && (err != nil || len(s.Args) != 5 || s.Program.Main.Body.Params[4] == nil):
			t.Errorf("%v, %d arguments", err, len(s.Args))
		case name != "" && err == nil:
			t.Errorf("%s is accepted", name)
		}
	}
}
