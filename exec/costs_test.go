package exec_test

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
)

// TestCosts: operations are booked at their places in the tree of calls, all instances of a place together.
func TestCosts(t *testing.T) {
	p := program{args: "f32", outs: "f32", body: `
%0 = func.call @twice(%a) : (tensor<f32>) -> tensor<f32>
%1 = func.call @twice(%0) : (tensor<f32>) -> tensor<f32>
%z = stablehlo.constant dense<0> : tensor<i32>
%n = stablehlo.constant dense<3> : tensor<i32>
%r:2 = stablehlo.while(%i = %z, %x = %1) : tensor<i32>, tensor<f32>
cond {
%p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
stablehlo.return %p : tensor<i1>
} do {
%o = stablehlo.constant dense<1> : tensor<i32>
%j = stablehlo.add %i, %o : tensor<i32>
%y = stablehlo.negate %x : tensor<f32>
stablehlo.return %j, %y : tensor<i32>, tensor<f32>
}
return %r#1 : tensor<f32>
}
func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
%0 = stablehlo.add %x, %x : tensor<f32>
return %0 : tensor<f32>`}
	got, err := walk(parse(t, p), middle[0], nil, []int{kept}, arrays(floats(f32, shape{}, 0.75)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if x := got.arrays[0].Floats()[0]; x != -3 {
		t.Errorf("result %v", x)
	}
	calls := map[string]int64{}
	for _, o := range got.costs.Ops {
		if o.ID != got.costs.ID(o.Op) {
			t.Errorf("%s has ID %d and %d", o.Op.Name, o.ID, got.costs.ID(o.Op))
		}
		calls[fmt.Sprint(o.Op.Name, " in frame ", o.Frame.ID, " of ", o.Frame.Func)] += o.Calls.Load()
	}
	for place, want := range map[string]int64{
		"func.call in frame 0 of main": 2, "stablehlo.add in frame 1 of twice": 1, "stablehlo.add in frame 2 of twice": 1, "stablehlo.negate in frame 3 of ": 3,
		"stablehlo.compare in frame 3 of ": 4, "stablehlo.while in frame 0 of main": 1,
	} {
		if calls[place] != want {
			t.Errorf("%s: %d instances, want %d (of %v)", place, calls[place], want, calls)
		}
	}
	f := got.costs.Frames
	if len(f) != 4 || f[0].Outer != nil || f[0].Op != -1 || f[1].Outer != f[0] || f[1].Op == f[2].Op {
		t.Errorf("frames %+v", f)
	}
	if first := got.costs.Of(0); first == nil || first.Op.Name != "func.call" || got.costs.Of(1<<20) != nil {
		t.Errorf("instance 0 is of %v", first)
	}
	empty := got.costs.Empty()
	if len(empty.Ops) != len(got.costs.Ops) || empty.Ops[0].Calls.Load() != 0 || empty.Ops[0].Op != got.costs.Ops[0].Op ||
		empty.ID(empty.Ops[1].Op) != empty.Ops[1].ID {
		t.Error("empty costs have other entries")
	}
	if n := len(exec.NewCosts(parse(t, p)).Ops); n != 0 {
		t.Errorf("new costs have %d entries", n)
	}
}
