package eval

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestCheckTargets: custom calls with operands or results that their targets do not support are
// refused, with and without data.
func TestCheckTargets(t *testing.T) {
	f32 := func(shape ...int) tensor.Type { return typ(tensor.F32, shape...) }
	i32s := func(shape ...int) tensor.Type { return typ(tensor.I32, shape...) }
	for _, c := range []struct {
		target   string
		attrs    hlo.Attrs
		operands []tensor.Type
		results  []tensor.Type
		ok       bool
	}{
		{"Sharding", nil, []tensor.Type{f32(2)}, []tensor.Type{f32(2)}, true},
		{"Sharding", nil, []tensor.Type{f32(2)}, []tensor.Type{f32(3)}, false},
		{"tacet.reveal", nil, []tensor.Type{f32(2), f32(1)}, []tensor.Type{f32(2)}, false},
		{"tacet.reveal_to", nil, []tensor.Type{f32(2)}, []tensor.Type{f32(1)}, false},
		{"lapack_spotrf_ffi", nil, []tensor.Type{f32(5, 3, 3)}, []tensor.Type{f32(5, 3, 3), i32s(5)}, true},
		{"lapack_spotrf_ffi", nil, []tensor.Type{f32(5, 3, 3)}, []tensor.Type{f32(5, 3, 3), i32s(4)}, false},
		{"lapack_spotrf_ffi", nil, []tensor.Type{f32(3)}, []tensor.Type{f32(3), i32s()}, false},
		{"lapack_dpotrf_ffi", nil, []tensor.Type{f32(3, 2)}, []tensor.Type{f32(3, 2), i32s()}, false},
		{"lapack_strsm_ffi", nil, []tensor.Type{f32(3, 3), f32(2, 3)}, []tensor.Type{f32(2, 3)}, true},
		{"lapack_strsm_ffi", nil, []tensor.Type{f32(3, 3), f32(2, 4)}, []tensor.Type{f32(2, 4)}, false},
		{"lapack_sgetrf_ffi", nil, []tensor.Type{f32(4, 3)}, []tensor.Type{f32(4, 3), i32s(3), i32s()}, true},
		{"lapack_sgetrf_ffi", nil, []tensor.Type{f32(4, 3)}, []tensor.Type{f32(4, 3), i32s(4), i32s()}, false},
		{"lapack_sgetrf_ffi", nil, []tensor.Type{i32s(4, 3)}, []tensor.Type{f32(4, 3), i32s(3), i32s()}, false},
		{"lapack_sgeqrf_ffi", nil, []tensor.Type{f32(4, 3)}, []tensor.Type{f32(4, 3)}, false},
		{"lapack_sorgqr_ffi", nil, []tensor.Type{f32(4, 3), f32(3)}, []tensor.Type{f32(4, 3)}, true},
		{"lapack_sorgqr_ffi", nil, []tensor.Type{f32(4, 3), f32(4)}, []tensor.Type{f32(4, 3)}, false},
		{"lapack_ssyevd_ffi", nil, []tensor.Type{f32(3, 4)}, []tensor.Type{f32(3, 4), f32(3), i32s()}, false},
		{"lapack_sgesdd_ffi", nil, []tensor.Type{f32(4, 3)}, []tensor.Type{f32(4, 3), f32(3)}, false},
		{"mhlo.topk", hlo.Attrs{"mhlo.attributes": map[string]any{"k": int64(2)}}, []tensor.Type{f32(4)}, []tensor.Type{f32(2), i32s(2)}, true},
		{"mhlo.topk", hlo.Attrs{"mhlo.attributes": map[string]any{"k": int64(2)}}, []tensor.Type{f32(4)}, []tensor.Type{f32(3), i32s(2)}, false},
		{"mhlo.topk", hlo.Attrs{"mhlo.attributes": map[string]any{"k": int64(2)}}, nil, []tensor.Type{f32(3), i32s(2)}, false},
		{"ApproxTopK", nil, []tensor.Type{f32(4), i32s(4), f32(), i32s()}, []tensor.Type{f32(2), i32s(2)}, false},
		{"elsewhere", nil, nil, nil, false},
	} {
		attrs := hlo.Attrs{"call_target_name": c.target}
		for k, v := range c.attrs {
			attrs[k] = v
		}
		args := make([]*tensor.Array, len(c.operands))
		for i, x := range c.operands {
			args[i] = tensor.NewArray(x)
		}
		op := newOp("stablehlo.custom_call", attrs, c.results, args...)
		if err := Check(op, nil); (err == nil) != c.ok {
			t.Errorf("@%s of %v gives %v: %v", c.target, c.operands, c.results, err)
		}
		if _, err := Op(context.Background(), op, args); (err == nil) != c.ok {
			t.Errorf("@%s of %v gives %v, evaluated: %v", c.target, c.operands, c.results, err)
		}
	}
}

// TestCheckConstantBranches: of a branch on a constant, as in JAX's exports for several platforms,
// only the region that is taken is checked.
func TestCheckConstantBranches(t *testing.T) {
	const text = `func.func @main(%p: tensor<i1>, %v: tensor<f32>) -> tensor<f32> {
  %x = "stablehlo.if"(%p) ({
    %y = "stablehlo.case"(%platform) ({
      stablehlo.return %v : tensor<f32>
    }, {
      %z = stablehlo.custom_call @gpu(%v) : (tensor<f32>) -> tensor<f32>
      stablehlo.return %z : tensor<f32>
    }) : (tensor<i32>) -> tensor<f32>
    stablehlo.return %y : tensor<f32>
  }, {
    stablehlo.return %v : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %x : tensor<f32>
}`
	for index, ok := range map[int32]bool{0: true, 1: false, 7: false} {
		constant := fmt.Sprintf("%%platform = stablehlo.constant dense<%d> : tensor<i32>\n", index)
		for where, text := range map[string]string{
			"inside": strings.Replace(text, "    %y", constant+"    %y", 1), "outside": strings.Replace(text, "  %x", constant+"  %x", 1),
		} {
			p, err := hlo.Parse("test.mlir", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			ops := p.Main.Body.Ops
			branch := ops[len(ops)-2]
			err = Check(branch, func(v *hlo.Value) *tensor.Array {
				if v == ops[0].Results[0] && len(ops) == 3 {
					return scalar(index)
				}
				return nil
			})
			if (err == nil) != ok {
				t.Errorf("platform %d, a constant %s: %v", index, where, err)
			}
			if err := Check(branch, nil); (err == nil) != (ok && where == "inside") {
				t.Errorf("platform %d, a constant %s, without what is known outside: %v", index, where, err)
			}
		}
	}
}

// TestMixedProducts multiplies numbers of different kinds: the wider kind determines the result, on
// either side.
func TestMixedProducts(t *testing.T) {
	dims := hlo.Attrs{"dot_dimension_numbers": &hlo.DotDims{LHSContract: []int{0}, RHSContract: []int{0}}}
	x, y, z := vec[int32](2, 3), vec(0.5, 2.), vec(complex(0, 1), complex(1, 0))
	same(t, do(t, "stablehlo.dot_general", dims, typ(tensor.F64), x, y), scalar(7.))
	same(t, do(t, "stablehlo.dot_general", dims, typ(tensor.F64), y, x), scalar(7.))
	same(t, do(t, "stablehlo.dot_general", dims, typ(tensor.C128), x, z), scalar(complex(3, 2)))
}
