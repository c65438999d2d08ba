package exec_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
)

// biased adds %c, repeated, to a product of matrices.
const biased = `
%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
%1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<2xf32>) -> tensor<2x2xf32>
%2 = stablehlo.OP %0, %1 : tensor<2x2xf32>
return %2 : tensor<2x2xf32>`

// TestLocalErrors: an input that does not fit where it is added is refused by its owner alone; other parties
// read no reason. A value that the owner has computed saturates.
func TestLocalErrors(t *testing.T) {
	large := floats(f32, shape{2}, 2, -1e9)
	one := floats(f32, shape{2, 2}, 1, 0, 0, 1)
	for _, op := range []string{"add", "subtract"} {
		prog := parse(t, program{args: "2x2xf32 2x2xf32 2xf32", outs: "2x2xf32", body: strings.Replace(biased, "OP", op, 1)})
		_, err := walk(prog, middle[0], nil, []int{kept, kept, 1}, arrays(one, one, large), nil)
		var local *exec.LocalError
		if !errors.As(err, &local) || local.Owner != 1 || err.Error() != "party 1 failed while it computed on its own inputs" {
			t.Fatalf("%s: %v", op, err)
		}
		if cause := fmt.Sprint(local.Cause()); !strings.Contains(
			cause,
			"stablehlo."+op+": element 1 (flat) of an input, broadcast here, is -1e+09, and is added to a product whose range ends below",
		) {
			t.Errorf("%s: cause %s", op, cause)
		}
		computed := strings.Replace(
			biased,
			"%1 = stablehlo.broadcast_in_dim %c",
			"%s = stablehlo.add %c, %c : tensor<2xf32>\n%1 = stablehlo.broadcast_in_dim %s",
			1,
		)
		prog = parse(t, program{args: "2x2xf32 2x2xf32 2xf32", outs: "2x2xf32", body: strings.Replace(computed, "OP", op, 1)})
		got, err := walk(prog, middle[0], nil, []int{kept, kept, 1}, arrays(one, one, large), nil)
		if err != nil {
			t.Fatalf("%s: %v", op, err)
		}
		sign := map[string]float64{"add": 1, "subtract": -1}[op]
		if x := got.arrays[0].Floats(); x[0] != 1+4*sign || x[1]*sign > -1<<23 || x[1]*sign < -1<<25 {
			t.Errorf("%s: %v", op, x)
		}
	}
}

// TestKnownControl: loops and branches of one party's own values are told, and only it runs them.
func TestKnownControl(t *testing.T) {
	prog := parse(t, program{args: "f32 f32", outs: "f32 i32 f32", body: counting})
	var told []string
	got, err := walk(
		prog,
		middle[0],
		nil,
		[]int{1, 1},
		arrays(floats(f32, shape{}, 0), floats(f32, shape{}, 2)),
		func(c *exec.Config, dry bool) {
			if !dry {
				c.Deciding = func(o *hlo.Op, owner int) { told = append(told, fmt.Sprint(o.Name, " of ", owner)) }
			}
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if got.results[0].Owner != 1 || got.arrays[0].Floats()[0] != 2.25 || got.arrays[1].Words()[0] != 3 {
		t.Errorf("%+v", got.arrays)
	}
	if strings.Join(told, ", ") != "stablehlo.while of 1" {
		t.Errorf("told %v", told)
	}
}

// TestWatch: every operation's secret results are shown as they are built, in the form that a checkpoint has.
func TestWatch(t *testing.T) {
	prog := parse(t, program{args: "2xf32 i1", outs: "2xf32", body: `
%0 = stablehlo.multiply %a, %a : tensor<2xf32>
%k = stablehlo.constant dense<1.0> : tensor<2xf32>
%1 = "stablehlo.if"(%b) ({
%2 = stablehlo.negate %0 : tensor<2xf32>
stablehlo.return %2 : tensor<2xf32>
}, {
stablehlo.return %k : tensor<2xf32>
}) : (tensor<i1>) -> tensor<2xf32>
return %1 : tensor<2xf32>`})
	var seen []string
	_, err := walk(
		prog,
		middle[0],
		nil,
		[]int{kept, kept},
		arrays(floats(f32, shape{2}, 1, 2), integers(boolean, shape{}, 1)),
		func(c *exec.Config, dry bool) {
			if !dry {
				c.Watch = func(o *hlo.Op, results []*fxp.Value, op *flow.Op) {
					seen = append(seen, fmt.Sprint(o.Name, " ", results[0] != nil))
				}
			}
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	if s := strings.Join(seen, ", "); s != "stablehlo.multiply true, stablehlo.constant false, stablehlo.negate false, stablehlo.if true" {
		t.Errorf("seen %s", s)
	}
}

// TestWalkEnds: the end of the context ends a walk with the context's cause.
func TestWalkEnds(t *testing.T) {
	prog := parse(t, program{op: "stablehlo.negate", args: "f32", outs: "f32"})
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("enough"))
	_, err := exec.Walk(
		ctx,
		exec.Config{
			Program: prog,
			Arith:   &fxp.Arith{},
			Graph:   flow.NewDryRun(0, &flow.Account{}),
			Costs:   exec.NewCosts(prog),
			Args:    []exec.Arg{{Who: exec.Public}},
		},
	)
	if err == nil || err.Error() != "enough" {
		t.Errorf("the walk ended with %v", err)
	}
	_, err = walk(prog, middle[0], nil, []int{exec.Public}, nil, func(c *exec.Config, _ bool) { c.Args = []exec.Arg{{Who: exec.Public}} })
	if err == nil ||
		!strings.Contains(err.Error(), "test.mlir:3:6: stablehlo.negate: needs a public value that is missing (give the public inputs)") {
		t.Errorf("without a public input: %v", err)
	}
}

// TestRefusedWhoeverKnows: what the clear evaluator does not have is refused for known operands too.
func TestRefusedWhoeverKnows(t *testing.T) {
	refused(
		t,
		program{
			op:    "stablehlo.rng_bit_generator",
			attrs: "rng_algorithm = #stablehlo<rng_algorithm DEFAULT>",
			args:  "2xui64",
			outs:  "2xui64 4xui32",
		},
		"stablehlo.rng_bit_generator",
		"",
		kept,
	)
	sum := program{
		op:     "stablehlo.all_reduce",
		attrs:  "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>",
		args:   "3xf32",
		outs:   "3xf32",
		region: combiner("stablehlo.add", "f32"),
	}
	refused(t, sum, "stablehlo.all_reduce", "", 0)
	refused(t, sum, "stablehlo.all_reduce", "", exec.Public)
}
