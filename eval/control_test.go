package eval

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

var i32 = typ(tensor.I32)

func (r region) constant(v int32) *hlo.Value {
	return r.add("stablehlo.constant", hlo.Attrs{"value": scalar(v)}, i32)
}

// counter is a while loop that adds a captured value until the sum reaches a limit: x + step, x +
// 2·step, …
func counter(step *hlo.Value, limit int32) *hlo.Op {
	cond, body := newRegion(tensor.I32), newRegion(tensor.I32)
	bound := cond.constant(limit)
	less := cond.add("stablehlo.compare", hlo.Attrs{"comparison_direction": hlo.Enum("LT")}, typ(tensor.Bool), cond.Params[0], bound)
	next := body.add("stablehlo.add", nil, i32, body.Params[0], step)
	op := newOp("stablehlo.while", nil, []tensor.Type{i32}, scalar[int32](0))
	op.Regions = []*hlo.Block{cond.ret(less), body.ret(next)}
	return op
}

func TestWhileWithCapturedValue(t *testing.T) {
	step := &hlo.Value{Name: "step", Type: i32}
	op := counter(step, 10)
	env := NewEnv(func(v *hlo.Value) *tensor.Array {
		if v == step {
			return scalar[int32](3)
		}
		return nil
	})
	out, err := env.Op(context.Background(), op, []*tensor.Array{scalar[int32](0)})
	if err != nil {
		t.Fatal(err)
	}
	same(t, out[0], scalar[int32](12))

	if _, err := Op(context.Background(), op, []*tensor.Array{scalar[int32](0)}); err == nil || !strings.Contains(err.Error(), "%step has no value here") {
		t.Fatal(err)
	}
}

func TestWhileStops(t *testing.T) {
	step := &hlo.Value{Name: "step", Type: i32}
	env := NewEnv(nil)
	env.Set(step, scalar[int32](0))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := env.Op(ctx, counter(step, 10), []*tensor.Array{scalar[int32](0)})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
}

func TestCaseAndIf(t *testing.T) {
	branch := func(v int32) *hlo.Block { r := newRegion(); return r.ret(r.constant(v)) }
	for index, want := range map[int32]int32{0: 10, 1: 11, 2: 12, 3: 12, -1: 12} {
		op := newOp("stablehlo.case", nil, []tensor.Type{i32}, scalar(index))
		op.Regions = []*hlo.Block{branch(10), branch(11), branch(12)}
		same(t, must(t, op, scalar(index))[0], scalar(want))
	}
	for pred, want := range map[bool]int32{true: 10, false: 11} {
		op := newOp("stablehlo.if", nil, []tensor.Type{i32}, scalar(pred))
		op.Regions = []*hlo.Block{branch(10), branch(11)}
		same(t, must(t, op, scalar(pred))[0], scalar(want))
	}
}

// A body with calls, captured values and constants is mapped over vectors at once.
func TestMap(t *testing.T) {
	square := newRegion(tensor.I32)
	f := &hlo.Func{Name: "square", Body: square.ret(square.add("stablehlo.multiply", nil, i32, square.Params[0], square.Params[0]))}
	captured := &hlo.Value{Name: "c", Type: i32}
	body := newRegion(tensor.I32)
	sq := body.add("func.call", nil, i32, body.Params[0])
	body.Ops[0].Callee = f
	wide := body.add("stablehlo.reshape", nil, i32, sq)
	sum := body.add("stablehlo.add", nil, i32, wide, captured)
	ten := body.constant(10)
	block := body.ret(body.add("stablehlo.maximum", nil, i32, sum, ten))
	if !algo.Liftable(block) {
		t.Fatal("not elementwise")
	}
	x := shaped([]int32{1, 2, 3, 4}, 2, 2)
	op := newOp("stablehlo.map", hlo.Attrs{"dimensions": ints(0, 1)}, []tensor.Type{x.Type}, x)
	op.Regions = []*hlo.Block{block}
	env := NewEnv(nil)
	env.Set(captured, scalar[int32](5))
	out, err := env.Op(context.Background(), op, []*tensor.Array{x})
	if err != nil {
		t.Fatal(err)
	}
	same(t, out[0], shaped([]int32{10, 10, 14, 21}, 2, 2))
	if _, err := Op(context.Background(), op, []*tensor.Array{x}); err == nil {
		t.Fatal("captured value missing")
	}
}

func TestCallsDoNotNestForEver(t *testing.T) {
	f := &hlo.Func{Name: "f"}
	body := newRegion(tensor.I32)
	v := body.add("func.call", nil, i32, body.Params[0])
	body.Ops[0].Callee = f
	f.Body = body.ret(v)
	if _, err := Func(context.Background(), f, []*tensor.Array{scalar[int32](0)}); err == nil || !strings.Contains(err.Error(), "nest deeper") {
		t.Fatal(err)
	}
	if algo.Liftable(f.Body) {
		t.Fatal("recursion is not elementwise")
	}
}

func TestFuncRefusesOtherArguments(t *testing.T) {
	body := newRegion(tensor.I32)
	f := &hlo.Func{Name: "f", Body: body.ret(body.Params[0])}
	for _, args := range [][]*tensor.Array{nil, {nil}, {vec[int32](1)}, {scalar[int8](1)}} {
		if _, err := Func(context.Background(), f, args); err == nil {
			t.Fatalf("took %v", args)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	body.Ops = nil
	body.ret(body.constant(1))
	if _, err := Func(ctx, f, []*tensor.Array{scalar[int32](1)}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestRefusals(t *testing.T) {
	x := vec(1.)
	cases := []struct {
		op   *hlo.Op
		want string
	}{
		{newOp("stablehlo.rng", nil, []tensor.Type{x.Type}, x), "test.mlir:3:7: stablehlo.rng: cannot be evaluated (its values are not determined by the program; use stablehlo.rng_bit_generator)"},
		{newOp("chlo.nothing", nil, nil, x), "test.mlir:3:7: chlo.nothing: cannot be evaluated"},
		{newOp("stablehlo.and", nil, []tensor.Type{x.Type}, x, x), "test.mlir:3:7: stablehlo.and: not defined for elements of type f64"},
		{newOp("stablehlo.popcnt", nil, []tensor.Type{x.Type}, x), "test.mlir:3:7: stablehlo.popcnt: not defined for elements of type f64"},
		{newOp("stablehlo.constant", nil, []tensor.Type{x.Type}), "test.mlir:3:7: stablehlo.constant: the value is not a dense array"},
		{newOp("stablehlo.custom_call", hlo.Attrs{"call_target_name": "foo"}, []tensor.Type{x.Type}, x), "test.mlir:3:7: stablehlo.custom_call: unknown target @foo"},
		{newOp("func.call", nil, []tensor.Type{x.Type}, x), "test.mlir:3:7: func.call: no function to call"},
		{newOp("stablehlo.fft", hlo.Attrs{"fft_type": hlo.Enum("DCT")}, []tensor.Type{x.Type}, x), "test.mlir:3:7: stablehlo.fft: no transform \"DCT\""},
		{newOp("stablehlo.broadcast_in_dim", nil, []tensor.Type{typ(tensor.F64, 1<<20, 1<<20)}, x), "test.mlir:3:7: stablehlo.broadcast_in_dim: a result of 1099511627776 elements is too large to be computed in the clear; the maximum is 2147483647 elements"},
	}
	for _, c := range cases {
		args := []*tensor.Array{x, x}[:len(c.op.Operands)]
		if _, err := Op(context.Background(), c.op, args); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
	n := vec[int32](1).Reshape(tensor.Shape{1, 1})
	for _, name := range []string{"reduce_precision", "cholesky", "triangular_solve"} {
		op := newOp("stablehlo."+name, nil, []tensor.Type{n.Type}, n, n)
		if _, err := Op(context.Background(), op, []*tensor.Array{n, n}); err == nil || !strings.HasSuffix(err.Error(), "not defined for elements of type i32") {
			t.Error(err)
		}
	}
}

func TestConstants(t *testing.T) {
	same(t, do(t, "stablehlo.constant", hlo.Attrs{"value": vec[uint8](1, 2)}, typ(tensor.U8, 2)), vec[uint8](1, 2))
	same(t, do(t, "stablehlo.iota", hlo.Attrs{"iota_dimension": int64(1)}, typ(tensor.F32, 2, 3)), shaped([]float32{0, 1, 2, 0, 1, 2}, 2, 3))
	same(t, do(t, "stablehlo.iota", hlo.Attrs{"iota_dimension": int64(0)}, typ(tensor.U8, 2, 2)), shaped([]uint8{0, 0, 1, 1}, 2, 2))
	same(t, do(t, "stablehlo.iota", hlo.Attrs{"iota_dimension": int64(0)}, typ(tensor.C64, 2)), vec[complex64](0, 1))
	same(t, do(t, "stablehlo.get_dimension_size", hlo.Attrs{"dimension": int64(1)}, typ(tensor.I32), tensor.NewArray(typ(tensor.F32, 2, 7))), scalar[int32](7))
}

func TestBroadcastingOperations(t *testing.T) {
	column, row := shaped([]float32{1, 2}, 2, 1), vec[float32](10, 20, 30)
	same(t, do(t, "chlo.broadcast_add", hlo.Attrs{"broadcast_dimensions": ints(1)}, typ(tensor.F32, 2, 3), column, row),
		shaped([]float32{11, 21, 31, 12, 22, 32}, 2, 3))
	same(t, do(t, "chlo.broadcast_subtract", hlo.Attrs{"broadcast_dimensions": ints(0)}, typ(tensor.F32, 3, 2), row, shaped([]float32{1, 2}, 1, 2)),
		shaped([]float32{9, 8, 19, 18, 29, 28}, 3, 2))
	same(t, do(t, "chlo.broadcast_compare", hlo.Attrs{"comparison_direction": hlo.Enum("LT")}, typ(tensor.Bool, 3), row, scalar[float32](15)),
		vec(true, false, false))
	near(t, do(t, "chlo.broadcast_zeta", nil, typ(tensor.F64, 1), scalar(2.), vec(1.)), vec(math.Pi*math.Pi/6), 1e-14)
}

func TestOneReplica(t *testing.T) {
	x := vec[int32](1, 2)
	same(t, do(t, "stablehlo.replica_id", nil, typ(tensor.U32)), scalar[uint32](0))
	same(t, do(t, "stablehlo.all_reduce", hlo.Attrs{"replica_groups": shaped([]int64{0}, 1, 1)}, x.Type, x), x)
	same(t, do(t, "stablehlo.collective_permute", hlo.Attrs{"source_target_pairs": shaped([]int64{0, 0}, 1, 2)}, x.Type, x), x)
	op := newOp("stablehlo.all_gather", hlo.Attrs{"replica_groups": shaped([]int64{}, 0, 0)}, []tensor.Type{x.Type}, x)
	if v, operands, ok, err := View(op, nil); !ok || err != nil || !v.Identity() || len(operands) != 1 {
		t.Fatal(v, operands, ok, err)
	}
	op.Attrs["replica_groups"] = shaped([]int64{0, 1}, 1, 2)
	if _, err := Op(context.Background(), op, []*tensor.Array{x}); err == nil {
		t.Fatal("gathered from two replicas")
	}
}
