package party_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// optimisers are the bodies of loops over %p, the parameters, %m and %v, moments of the
// gradient %g, and %k, the number of the iteration from one on.
var optimisers = map[string]string{
	"adam": `
    %m1 = stablehlo.multiply %m, %c09 : T
    %m2 = stablehlo.multiply %g, %c01 : T
    %mn = stablehlo.add %m1, %m2 : T
    %v1 = stablehlo.multiply %v, %c999 : T
    %gg = stablehlo.multiply %g, %g : T
    %v2 = stablehlo.multiply %gg, %c001 : T
    %vn = stablehlo.add %v1, %v2 : T
    %q1 = stablehlo.power %c09, %k : T
    %w1 = stablehlo.subtract %one, %q1 : T
    %mh = stablehlo.divide %mn, %w1 : T
    %q2 = stablehlo.power %c999, %k : T
    %w2 = stablehlo.subtract %one, %q2 : T
    %vh = stablehlo.divide %vn, %w2 : T
    %root = stablehlo.sqrt %vh : T
    %below = stablehlo.add %root, %eps : T
    %u = stablehlo.divide %mh, %below : T`,
	// The square is written c*g*g, and the moments are corrected by factors.
	"adam by hand": `
    %m1 = stablehlo.multiply %m, %c09 : T
    %m2 = stablehlo.multiply %c01, %g : T
    %mn = stablehlo.add %m1, %m2 : T
    %v1 = stablehlo.multiply %c999, %v : T
    %cg = stablehlo.multiply %c001, %g : T
    %cgg = stablehlo.multiply %cg, %g : T
    %vn = stablehlo.add %v1, %cgg : T
    %q1 = stablehlo.power %c09, %k : T
    %w1 = stablehlo.subtract %one, %q1 : T
    %i1 = stablehlo.divide %one, %w1 : T
    %mh = stablehlo.multiply %mn, %i1 : T
    %q2 = stablehlo.power %c999, %k : T
    %w2 = stablehlo.subtract %one, %q2 : T
    %i2 = stablehlo.divide %one, %w2 : T
    %vh = stablehlo.multiply %vn, %i2 : T
    %root = stablehlo.sqrt %vh : T
    %below = stablehlo.add %root, %eps : T
    %u = stablehlo.divide %mh, %below : T`,
	// What is selected has to be in the fine form, or 0 where a small sum is not
	// more.
	"adagrad": `
    %mn = stablehlo.add %m, %g : T
    %gg = chlo.square %g : T -> T
    %vn = stablehlo.add %v, %gg : T
    %ve = stablehlo.add %vn, %eps : T
    %root = stablehlo.rsqrt %ve : T
    %some = stablehlo.compare GT, %vn, %none, FLOAT : (T, T) -> tensor<16xi1>
    %r = stablehlo.select %some, %root, %none : tensor<16xi1>, T
    %u = stablehlo.multiply %r, %g : T`,
	"rmsprop": `
    %mn = stablehlo.add %m, %g : T
    %v1 = stablehlo.multiply %v, %c09 : T
    %gg = stablehlo.multiply %g, %g : T
    %v2 = stablehlo.multiply %gg, %c01 : T
    %vn = stablehlo.add %v1, %v2 : T
    %ve = stablehlo.add %vn, %eps : T
    %root = stablehlo.rsqrt %ve : T
    %u = stablehlo.multiply %root, %g : T`,
	"adamax": `
    %m1 = stablehlo.multiply %m, %c09 : T
    %m2 = stablehlo.multiply %g, %c01 : T
    %mn = stablehlo.add %m1, %m2 : T
    %v1 = stablehlo.multiply %v, %c999 : T
    %size = stablehlo.abs %g : T
    %v2 = stablehlo.add %size, %eps : T
    %vn = stablehlo.maximum %v1, %v2 : T
    %q1 = stablehlo.power %c09, %k : T
    %w1 = stablehlo.subtract %one, %q1 : T
    %mh = stablehlo.divide %mn, %w1 : T
    %u = stablehlo.divide %mh, %vn : T`,
	"amsgrad": `
    %m1 = stablehlo.multiply %m, %c09 : T
    %m2 = stablehlo.multiply %g, %c01 : T
    %mn = stablehlo.add %m1, %m2 : T
    %gg = stablehlo.multiply %g, %g : T
    %v2 = stablehlo.multiply %gg, %c01 : T
    %vn = stablehlo.maximum %v, %v2 : T
    %root = stablehlo.sqrt %vn : T
    %below = stablehlo.add %root, %eps : T
    %u = stablehlo.divide %mn, %below : T`,
}

// optimiser is a program of some iterations. Its moments start at %v and %m.
func optimiser(name string, iterations int) string {
	text := `func.func public @main(%x: T, %y: T, %start: T, %m0: T, %v0: T) -> (T, T, T) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %last = stablehlo.constant dense<ITERATIONS.0> : tensor<f32>
  %next = stablehlo.constant dense<1.0> : tensor<f32>
  %0:4 = stablehlo.while(%i = %zero, %p = %start, %m = %m0, %v = %v0) : tensor<f32>, T, T, T
  cond {
    %1 = stablehlo.compare LT, %i, %last, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %c09 = stablehlo.constant dense<0.9> : T
    %c01 = stablehlo.constant dense<0.1> : T
    %c999 = stablehlo.constant dense<0.999> : T
    %c001 = stablehlo.constant dense<0.001> : T
    %eps = stablehlo.constant dense<1.0E-8> : T
    %rate = stablehlo.constant dense<0.01> : T
    %one = stablehlo.constant dense<1.0> : T
    %none = stablehlo.constant dense<0.0> : T
    %in = stablehlo.add %i, %next : tensor<f32>
    %k = stablehlo.broadcast_in_dim %in, dims = [] : (tensor<f32>) -> T
    %g = stablehlo.multiply %x, %y : T
BODY
    %lu = stablehlo.multiply %u, %rate : T
    %pn = stablehlo.subtract %p, %lu : T
    stablehlo.return %in, %pn, %mn, %vn : tensor<f32>, T, T, T
  }
  return %0#1, %0#2, %0#3 : T, T, T
}`
	text = strings.NewReplacer("BODY", strings.TrimPrefix(optimisers[name], "\n"), "ITERATIONS", fmt.Sprint(iterations)).Replace(text)
	return regexp.MustCompile(`\bT\b`).ReplaceAllString(text, "tensor<16xf32>")
}

// gradients are 2^-1 to 2^-16, and their signs.
func gradients() (x, y *tensor.Array) {
	size, sign := make([]float64, 16), make([]float64, 16)
	for i := range size {
		size[i], sign[i] = math.Ldexp(1, -1-i), float64(1-2*(i%2))
	}
	return tensor.FromFloats(tensor.F32, tensor.Shape{16}, size), tensor.FromFloats(tensor.F32, tensor.Shape{16}, sign)
}

// TestSmallNumbers: what optimisers do with gradients down to 2^-16, whose squares
// are far below the last place, is within a hundredth of an update.
func TestSmallNumbers(t *testing.T) {
	runs := testcases.OneOf(t, 5)
	for _, name := range slices.Sorted(maps.Keys(optimisers)) {
		for _, c := range []struct {
			protocol      string
			parties, ring int
		}{{"plain", 1, 64}, {"semi2k", 2, 64}, {"semi2k", 3, 64}, {"aby3", 3, 64}, {"semi2k", 2, 128}, {"aby3", 3, 128}} {
			if !runs() {
				continue
			}
			t.Run(fmt.Sprintf("%s-%s-%d-%d", name, c.protocol, c.parties, c.ring), func(t *testing.T) {
				s := small(t, max(2, c.parties), max(2, c.parties))
				s.Store, s.Protocol, s.Ring, s.Fraction, s.Reveal = "", c.protocol, c.ring, map[int]int{64: 18, 128: 26}[c.ring], []int{0}
				s.Program = parse(t, optimiser(name, 6))
				got, want, _ := optimised(t, s)
				checkParameters(t, got[0], want[0], 6)
			})
		}
	}
}

// TestParametersAddUp: after 50 small updates parameters are within a hundredth of one of them, which is three units of
// the last place.
func TestParametersAddUp(t *testing.T) {
	if raced {
		t.Skip("long loops")
	}
	for _, name := range []string{"adam", "adam by hand", "rmsprop"} {
		for _, protocol := range []string{"plain", "semi2k"} {
			t.Run(name+"-"+protocol, func(t *testing.T) {
				t.Parallel()
				s := small(t, 2, 2)
				s.Store, s.Protocol, s.Reveal = "", protocol, []int{0}
				s.Program = parse(t, strings.ReplaceAll(optimiser(name, 50), "dense<0.01>", "dense<0.001>"))
				got, want, _ := optimised(t, s)
				checkParameters(t, got[0], want[0], 50)
			})
		}
	}
}

// checkParameters compares parameters after some iterations, which began at the
// gradients' signs: to a hundredth of the largest mean update.
func checkParameters(t *testing.T, got, want *tensor.Array, iterations int) {
	t.Helper()
	largest := 0.0
	for i, x := range want.Floats() {
		largest = math.Max(largest, math.Abs(x-float64(1-2*(i%2)))/float64(iterations))
	}
	for i, x := range want.Floats() {
		if y := got.Floats()[i]; !(math.Abs(y-x) <= largest/100) {
			t.Errorf("parameter %d, gradient 2^-%d: %v, want %v", i, i+1, y, x)
		}
	}
}

// optimised runs an optimiser from moments of zero, and gives what it gives in clear
// too.
func optimised(t *testing.T, s party.Spec) (got, want []*tensor.Array, out *party.Outcome) {
	t.Helper()
	x, y := gradients()
	none := tensor.NewArray(x.Type)
	args := []*tensor.Array{x, y, y, none, none}
	s.Args = nil
	for i, a := range args {
		s.Args = append(s.Args, party.Arg{Owner: []int{0, 1, 0, party.Public, party.Public}[i], Data: a})
	}
	want, err := eval.Func(context.Background(), s.Program.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	out, err = party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if s.Protocol != "plain" {
		checkPrediction(t, out.Report)
	}
	return out.Results, want, out
}

// TestSmallNumbersResumed: a run resumes from moments in the fine form.
func TestSmallNumbersResumed(t *testing.T) {
	s := small(t, 2, 2)
	s.Store, s.Reveal = "", []int{0}
	s.Program = parse(t, optimiser("adam", 4))
	s.Checkpoints = &resume.Checkpoints{Every: 1, Folder: filepath.Join(t.TempDir(), "checkpoints")}
	shots := newSnapshots(t)
	shots.watch(s.Checkpoints)
	optimised(t, s)
	for _, place := range []string{"loop 1, iteration 2", "the end of loop 1"} {
		if shots.places[place] != 2 {
			t.Fatalf("no checkpoint at %s, but %v", place, shots.places)
		}
		s.Checkpoints = &resume.Checkpoints{Every: 9, Folder: filepath.Join(shots.dir, place), Resume: true}
		got, want, _ := optimised(t, s)
		checkParameters(t, got[0], want[0], 4)
	}
}

// TestSmallNumbersKept: moments that one run keeps have the places that the next one
// needs.
func TestSmallNumbersKept(t *testing.T) {
	s := small(t, 2, 2)
	s.Store, s.Reveal, s.Keep = "", nil, true
	s.Program = parse(t, optimiser("rmsprop", 3))
	_, _, out := optimised(t, s)
	fine, scale := fxp.FineForm(ring.Z(s.Ring), s.Fraction)
	use := s
	use.Keep, use.Reveal = false, []int{0}
	x, y := gradients()
	use.Args = []party.Arg{{Owner: 0, Data: x}, {Owner: 1, Data: y}, {Owner: party.Kept}, {Owner: party.Kept}, {Owner: party.Kept}}
	for _, h := range out.Shares {
		use.Args[2+h.Result].Shares = append(use.Args[2+h.Result].Shares, h)
		if h.Result == 2 && (h.Ring != fine.Bits || h.Scale != scale) {
			t.Errorf("the second moment is kept in a ring of %d bits at scale %d", h.Ring, h.Scale)
		}
	}
	again, err := party.Run(t.Context(), use)
	if err != nil {
		t.Fatal(err)
	}
	none := tensor.NewArray(x.Type)
	want, err := eval.Func(context.Background(), parse(t, optimiser("rmsprop", 6)).Main, []*tensor.Array{x, y, y, none, none})
	if err != nil {
		t.Fatal(err)
	}
	checkParameters(t, again.Results[0], want[0], 6)
}

// TestSmallNumbersRange: what is kept for small numbers takes nothing from the range of
// large ones.
func TestSmallNumbersRange(t *testing.T) {
	const text = `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>, %z: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %square = stablehlo.multiply %x, %x : tensor<3xf32>
  %more = stablehlo.add %square, %y : tensor<3xf32>
  %root = stablehlo.sqrt %more : tensor<3xf32>
  %twice = stablehlo.multiply %square, %z : tensor<3xf32>
  %eps = stablehlo.constant dense<1.0E-6> : tensor<3xf32>
  %below = stablehlo.add %y, %eps : tensor<3xf32>
  %quotient = stablehlo.divide %y, %below : tensor<3xf32>
  return %square, %root, %twice, %quotient : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}`
	for _, protocol := range []string{"semi2k", "plain"} {
		t.Run(protocol, func(t *testing.T) {
			s := small(t, 2, 2)
			s.Store, s.Protocol, s.Reveal = "", protocol, []int{0}
			s.Program = parse(t, text)
			args := []*tensor.Array{vector3(1<<20, -1<<12, 0.001), vector3(1<<14, 1<<30, 0.5), vector3(4, 16, 0.25)}
			s.Args = []party.Arg{{Owner: 0, Data: args[0]}, {Owner: 1, Data: args[1]}, {Owner: 0, Data: args[2]}}
			want, err := eval.Func(context.Background(), s.Program.Main, args)
			if err != nil {
				t.Fatal(err)
			}
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				for k, x := range w.Floats() {
					if i == 1 && x > 1<<16 { // beyond the range of roots
						continue
					}
					if y := out.Results[i].Floats()[k]; math.Abs(y-x) > math.Abs(x)*1e-5+2e-5 {
						t.Errorf("result %d, element %d: %v, want %v", i, k, y, x)
					}
				}
			}
		})
	}
}

// TestSmallGradients: before a run, each optimiser says which gradients are too small, which constant it adds to their
// size, and what to set.
func TestSmallGradients(t *testing.T) {
	for name, want := range map[string]string{
		"adam": "kept.mlir:36:10: stablehlo.divide: gradients are divided by their own size and 1e-08 (the constant at 14:12); those below 2.4e-07 in " +
			"magnitude get wrong updates: set ring: 128",
		"adagrad": "kept.mlir:28:10: stablehlo.multiply: gradients are divided by their own size and 0.0001 (the constant at 14:12); those below 2.4e-07 in " +
			"magnitude lose digits, and so do their updates, which that constant keeps below 0.0024 of the rate: set ring: 128",
		"rmsprop": "kept.mlir:28:10: stablehlo.multiply: gradients are divided by their own size and 0.0001 (the constant at 14:12); those below 2.4e-07 in " +
			"magnitude lose digits, and so do their updates, which that constant keeps below 0.0024 of the rate: set ring: 128",
	} {
		s := small(t, 2, 2)
		s.Store, s.Reveal, s.Program = "", []int{0}, parse(t, optimiser(name, 1))
		var told []string
		var mu sync.Mutex
		s.Notice = func(text string) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, text)
		}
		optimised(t, s)
		if !slices.ContainsFunc(told, func(text string) bool { return strings.HasPrefix(text, "warning: "+want) }) {
			t.Errorf("%s: %q, want %q", name, told, want)
		}
	}
}

// TestSmallNorms: a root of a sum of squares is right where the squares are far below the last place, and where the sum is
// large: a norm by which numbers are divided. The selection that jnp.var makes, whose condition is always true,
// keeps the digits.
func TestSmallNorms(t *testing.T) {
	const text = `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d = stablehlo.subtract %x, %y : tensor<3xf32>
  %square = stablehlo.multiply %d, %d : tensor<3xf32>
  %sum = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  %eps = stablehlo.constant dense<1.0E-12> : tensor<f32>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %some = stablehlo.select %yes, %sum, %nan : tensor<i1>, tensor<f32>
  %more = stablehlo.add %some, %eps : tensor<f32>
  %root = stablehlo.sqrt %more : tensor<f32>
  %all = stablehlo.broadcast_in_dim %root, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %quotient = stablehlo.divide %d, %all : tensor<3xf32>
  return %quotient, %root : tensor<3xf32>, tensor<f32>
}`
	for _, protocol := range []string{"semi2k", "plain"} {
		for _, size := range []float64{1. / 1024, 1, 1 << 18} {
			s := small(t, 2, 2)
			s.Store, s.Protocol, s.Reveal, s.Program = "", protocol, []int{0}, parse(t, text)
			args := []*tensor.Array{vector3(size, -0.75*size, 0.5*size), vector3(-size, 0.25*size, -0.5*size)}
			s.Args = []party.Arg{{Owner: 0, Data: args[0]}, {Owner: 1, Data: args[1]}}
			s.Notice = func(text string) { t.Errorf("%s: %s", protocol, text) }
			want, err := eval.Func(context.Background(), s.Program.Main, args)
			if err != nil {
				t.Fatal(err)
			}
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			for i, w := range want {
				for k, x := range w.Floats() {
					if y := out.Results[i].Floats()[k]; math.Abs(y-x) > math.Abs(x)*1e-5+2e-5 {
						t.Errorf("%s, numbers of size %g, result %d, element %d: %v, want %v", protocol, size, i, k, y, x)
					}
				}
			}
		}
	}
}

// TestSmallConstants: a constant that no form holds is named before the run, and none
// that is held.
func TestSmallConstants(t *testing.T) {
	for eps, named := range map[string]string{
		"1.0E-8":  "",
		"1.0E-14": "warning: kept.mlir:35:14: stablehlo.add: the constant 1e-14 becomes 0, as it has 36 fraction bits here: set ring: 128 and fraction: 29",
	} {
		s := small(t, 2, 2)
		s.Store, s.Reveal = "", []int{0}
		text := strings.ReplaceAll(optimiser("adam", 1), "dense<1.0E-8>", "dense<"+eps+">")
		s.Program = parse(t, text)
		told := map[string]bool{}
		var mu sync.Mutex
		s.Notice = func(text string) {
			mu.Lock()
			defer mu.Unlock()
			told[text] = true
		}
		optimised(t, s)
		size := map[string]string{"1.0E-8": "1e-08", "1.0E-14": "1e-14"}[eps]
		gradients := "warning: kept.mlir:36:10: stablehlo.divide: gradients are divided by their own size and " + size + " (the constant at 14:12); " +
			"those below 2.4e-07 in magnitude get wrong updates: set ring: 128 and fraction: 36 for those down to 9.3e-10, " +
			"or a constant of that magnitude beside the size"
		if !told[gradients] {
			t.Errorf("eps %s: no notice of small gradients, but %v", eps, told)
		}
		delete(told, gradients)
		if named == "" && len(told) > 0 || named != "" && !told[named] {
			t.Errorf("eps %s: %v", eps, told)
		}
	}
}
