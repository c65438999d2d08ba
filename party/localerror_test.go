package party

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/tensor"
)

// refusals are operations on %v, a tensor<4xf32>, that the evaluator does not do,
// and what it says of them.
var refusals = []struct{ name, text, want string }{
	{"custom call", `%bad = stablehlo.custom_call @elsewhere(%v) : (tensor<4xf32>) -> tensor<4xf32>`, "unknown target @elsewhere"},
	{"remainder of complex numbers", `%z = stablehlo.complex %v, %v : tensor<4xcomplex<f32>>
      %bad = stablehlo.remainder %z, %z : tensor<4xcomplex<f32>>`, "not defined for elements of type complex<f32>"},
	{"random numbers", `%lo = stablehlo.constant dense<0.0> : tensor<f32>
      %n = stablehlo.constant dense<4> : tensor<1xi64>
      %bad = stablehlo.rng %lo, %lo, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>`, "cannot be evaluated"},
	{"state of a generator", `%s = stablehlo.constant dense<[1, 2, 3]> : tensor<3xui64>
      %bad:2 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)`, "no state of type"},
	{"other replicas", `%bad = "stablehlo.all_gather"(%v) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>`,
		"programs run on one replica"},
	{"size", `%bad = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<4xf32>) -> tensor<4x1073741824xf32>`, "is too large to be computed in the clear"},
}

// regions are places that alice's own data decide on: %p, which is false, %k, which
// is 0, and %v are known to her alone. %s is replaced by an operation that must not
// be there.
var regions = []struct{ name, text string }{
	{"if", `%x = "stablehlo.if"(%p) ({
      OP
      stablehlo.return %v : tensor<4xf32>
    }, {
      stablehlo.return %v : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>`},
	{"case", `%x = "stablehlo.case"(%k) ({
      stablehlo.return %v : tensor<4xf32>
    }, {
      OP
      stablehlo.return %v : tensor<4xf32>
    }) : (tensor<i32>) -> tensor<4xf32>`},
	{"while", `%x = stablehlo.while(%y = %v) : tensor<4xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      OP
      stablehlo.return %y : tensor<4xf32>
    }`},
	{"call in a branch", `%x = "stablehlo.if"(%p) ({
      %in = func.call @inner(%v) : (tensor<4xf32>) -> tensor<4xf32>
      stablehlo.return %in : tensor<4xf32>
    }, {
      stablehlo.return %v : tensor<4xf32>
    }) : (tensor<i1>) -> tensor<4xf32>`},
	{"body of a reduction", `%no = stablehlo.slice %v [0:0] : (tensor<4xf32>) -> tensor<0xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %r = "stablehlo.reduce"(%no, %zero) ({
    ^bb0(%l: tensor<f32>, %m: tensor<f32>):
      OP
      stablehlo.return %l : tensor<f32>
    }) {dimensions = array<i64: 0>} : (tensor<0xf32>, tensor<f32>) -> tensor<f32>
    %w = stablehlo.broadcast_in_dim %r, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %x = stablehlo.add %w, %v : tensor<4xf32>`},
	{"branch in a loop", `%x = stablehlo.while(%y = %v) : tensor<4xf32>
    cond {
      stablehlo.return %p : tensor<i1>
    } do {
      %in = "stablehlo.if"(%p) ({
        stablehlo.return %y : tensor<4xf32>
      }, {
        OP
        stablehlo.return %v : tensor<4xf32>
      }) : (tensor<i1>) -> tensor<4xf32>
      stablehlo.return %in : tensor<4xf32>
    }`},
}

// ownBranches is a program with an operation in a region that alice's data do not
// come to.
func ownBranches(region, op string) string {
	inner := ""
	if strings.Contains(region, "@inner") {
		inner = "func.func private @inner(%v: tensor<4xf32>) -> tensor<4xf32> {\n      " + op + "\n    return %v : tensor<4xf32>\n}\n"
	}
	return fmt.Sprintf(`func.func @main(%%k: tensor<i32>, %%v: tensor<4xf32>, %%b: tensor<4xf32>) -> tensor<4xf32> {
    %%one = stablehlo.constant dense<1> : tensor<i32>
    %%p = stablehlo.compare EQ, %%k, %%one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %s
    %%out = stablehlo.multiply %%x, %%b : tensor<4xf32>
    return %%out : tensor<4xf32>
}
%s`, strings.ReplaceAll(region, "OP", op), inner)
}

// TestRefusedInEveryRegion puts what the evaluator does not do where alice's data do
// not come to, or come to: both parties refuse it alike, with the operation's place,
// before anything is shared; a plan without data does, too. Without the operation
// the program runs.
func TestRefusedInEveryRegion(t *testing.T) {
	defer goleak.VerifyNone(t)
	v := floats(1, 2, 3, 4)
	for _, r := range regions {
		if _, errs, _ := apart2(t, ownBranches(r.text, ""), count(0), v, v); errs[0] != nil || errs[1] != nil {
			t.Fatalf("%s without anything: %v", r.name, errs)
		}
		for _, o := range refusals {
			text := ownBranches(r.text, o.text)
			p, err := hlo.Parse("apart.mlir", []byte(text))
			if err != nil {
				t.Fatalf("%s in %s: %v", o.name, r.name, err)
			}
			_, err = Plan(t.Context(), Spec{
				Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2, Network: "none", Parties: []string{"alice", "bob"}, Reveal: []int{1},
				Set: map[string]string{"passes": "none"}, Args: []Arg{{Owner: 0}, {Owner: 0}, {Owner: 1}},
			})
			var refused *hlo.Error
			if !errors.As(err, &refused) || refused.Pos.Line == 0 || !strings.Contains(err.Error(), o.want) {
				t.Errorf("%s in %s is planned: %v", o.name, r.name, err)
				continue
			}
			for _, k := range []uint64{0, 1} {
				_, errs, sent := apart2(t, text, count(k), v, v)
				for rank, e := range errs {
					if e == nil || strings.TrimPrefix(strings.TrimPrefix(e.Error(), "alice gave up: "), "bob gave up: ") != err.Error() {
						t.Errorf("%s in %s, data %d: party %d says %v, the plan %v", o.name, r.name, k, rank, e, err)
					}
				}
				for _, f := range sent.frames(t) {
					if f.phase != link.Setup {
						t.Errorf("%s in %s, data %d: alice has sent %d bytes of %v", o.name, r.name, k, len(f.data), f.phase)
					}
				}
			}
		}
	}
}

// ownIndices has alice look for the best of her numbers with indices that she gives,
// which must count, and for nothing else.
const ownIndices = `func.func @main(%i: tensor<4xi32>, %w: tensor<f32>, %v: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.custom_call @ApproxTopK(%v, %i, %w, %zero) {mhlo.backend_config = {reduction_dim = 0 : i64}}
    : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  LAST
  %out = stablehlo.multiply %r#0, %b : tensor<4xf32>
  return %out : tensor<4xf32>
}`

// TestOwnFailure has alice's own computation fail for reasons that depend on her
// data: neither she tells the others which, nor does her error, until it is asked
// for its cause. What is refused of the program later on is refused all the same.
func TestOwnFailure(t *testing.T) {
	defer goleak.VerifyNone(t)
	v := floats(1, 2, 3, 4)
	indices := func(w ...uint64) *tensor.Array { return tensor.FromWords(tensor.I32, tensor.Shape{4}, w) }
	worst := func(x float64) *tensor.Array { return tensor.FromFloats(tensor.F32, nil, []float64{x}) }
	const fixed = "party alice failed while it computed on its own inputs; the reason is in its log"
	causes := map[string]bool{}
	for _, c := range []struct{ i, w *tensor.Array }{
		{indices(0, 1, 2, 2), worst(0)},
		{indices(0, 1, 2, 3), worst(7)},
	} {
		_, errs, sent := apart2(t, strings.ReplaceAll(ownIndices, "LAST", ""), c.i, c.w, v, v)
		var own *LocalError
		if !errors.As(errs[0], &own) || errs[0].Error() != fixed {
			t.Fatalf("alice says %v", errs[0])
		}
		if !strings.Contains(own.Cause().Error(), "ApproxTopK") && !strings.Contains(own.Cause().Error(), "apart.mlir:3:") {
			t.Errorf("the cause is %v", own.Cause())
		}
		causes[own.Cause().Error()] = true
		if errs[1] == nil || errs[1].Error() != "alice gave up: "+fixed {
			t.Errorf("bob hears %v", errs[1])
		}
		if text := sent.sent.String(); strings.Contains(text, "indices") || strings.Contains(text, "initial") {
			t.Errorf("alice sends %q", text)
		}
		p, err := hlo.Parse("apart.mlir", []byte(strings.ReplaceAll(ownIndices, "LAST", "")))
		if err != nil {
			t.Fatal(err)
		}
		_, err = Run(t.Context(), Spec{
			Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2, Network: "none", Parties: []string{"alice", "bob"}, Reveal: []int{1},
			Set: map[string]string{"passes": "none"}, Args: []Arg{{Owner: 0, Data: c.i}, {Owner: 0, Data: c.w}, {Owner: 0, Data: v}, {Owner: 1, Data: v}},
		})
		if err == nil || err.Error() != "party alice: "+own.Cause().Error() {
			t.Errorf("in one process it says %v", err)
		}
		late := strings.ReplaceAll(ownIndices, "LAST", `%bad = stablehlo.custom_call @elsewhere(%v) : (tensor<4xf32>) -> tensor<4xf32>`)
		_, errs, _ = apart2(t, late, c.i, c.w, v, v)
		for rank, err := range errs {
			if err == nil || !strings.HasSuffix(err.Error(), "unknown target @elsewhere") {
				t.Errorf("party %d refuses: %v", rank, err)
			}
		}
	}
	if len(causes) != 2 {
		t.Errorf("the data had one cause: %v", causes)
	}
}
