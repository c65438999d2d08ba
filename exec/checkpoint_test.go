package exec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
)

// loop multiplies %x by %b four times and adds %s, which was computed before it.
const loop = `
%z = stablehlo.constant dense<0> : tensor<i32>
%n = stablehlo.constant dense<4> : tensor<i32>
%o = stablehlo.constant dense<1> : tensor<i32>
%s = stablehlo.multiply %a, %a : tensor<2xf32>
%r:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<2xf32>
cond {
%p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
stablehlo.return %p : tensor<i1>
} do {
%j = stablehlo.add %i, %o : tensor<i32>
%y = stablehlo.multiply %x, %b : tensor<2xf32>
stablehlo.return %j, %y : tensor<i32>, tensor<2xf32>
}
%0 = stablehlo.add %r#1, %s : tensor<2xf32>
return %0 : tensor<2xf32>`

// TestCheckpoints takes live-in values at every iteration of a loop: what it carries, a public counter and a
// value from before, which nothing else keeps.
func TestCheckpoints(t *testing.T) {
	prog := parse(t, program{args: "2xf32 2xf32", outs: "2xf32", body: loop})
	var while, square *hlo.Op
	for _, o := range prog.Main.Body.Ops {
		switch o.Name {
		case "stablehlo.while":
			while = o
		case "stablehlo.multiply":
			square = o
		}
	}
	within := []exec.LiveIn{{Index: 0}, {Index: 1}, {Of: square.Results[0]}}
	for _, owners := range [][]int{{kept, kept}, {0, 1}, {0, exec.Public}} {
		var seen []string
		got, err := walk(
			prog,
			middle[0],
			nil,
			owners,
			arrays(floats(f32, shape{2}, 1, -2), floats(f32, shape{2}, 0.5, 2)),
			func(c *exec.Config, dry bool) {
				c.Loops = map[*hlo.Op]*exec.Loop{while: {Number: 3, Within: within, After: within[1:]}}
				c.Checkpoint = func(m exec.ProgramPoint, op *flow.Op, take func() []exec.Result) error {
					if dry {
						take()
						return nil
					}
					text := fmt.Sprint(m)
					for _, r := range take() {
						a := r.Data
						if r.Owner == exec.Secret {
							if err := op.Graph.Await(futureOf(r.Secret)); err != nil {
								return err
							}
							a = cleartext(r.Secret, r.Type)
						}
						text += fmt.Sprint(" ", a.Data)
					}
					seen = append(seen, text)
					return nil
				}
			},
		)
		if err != nil {
			t.Fatalf("%v: %v", owners, err)
		}
		want := "{3 1} [1] [0.5 -4] [1 4]; {3 2} [2] [0.25 -8] [1 4]; {3 3} [3] [0.125 -16] [1 4]; {4 0} [0.0625 -32] [1 4]"
		if s := strings.Join(seen, "; "); s != want {
			t.Errorf("%v: taken %s, want %s", owners, s, want)
		}
		if x := got.arrays[0].Floats(); x[0] != 1.0625 || x[1] != -28 {
			t.Errorf("%v: %v", owners, x)
		}
		refuse := func(c *exec.Config, dry bool) {
			c.Loops = map[*hlo.Op]*exec.Loop{while: {Number: 0, Done: 2}}
			c.Checkpoint = func(m exec.ProgramPoint, _ *flow.Op, _ func() []exec.Result) error {
				if m.Iteration == 3 {
					return fmt.Errorf("disk full")
				}
				return nil
			}
		}
		if _, err := walk(prog, middle[0], nil, owners, arrays(floats(f32, shape{2}, 1, -2), floats(f32, shape{2}, 0.5, 2)),
			refuse); owners[0] == kept &&
			(err == nil || !strings.Contains(err.Error(), "disk full")) {
			t.Errorf("%v: a checkpoint that fails: %v", owners, err)
		}
	}
}

// TestKeptResults: results are kept in the form in which a later execution takes them, whoever knew them.
func TestKeptResults(t *testing.T) {
	prog := parse(t, program{args: "2xf32 2xi32", outs: "2xf32 2xf32 2xi32", body: `
%0 = stablehlo.multiply %a, %a : tensor<2xf32>
%1 = stablehlo.sqrt %0 : tensor<2xf32>
return %0, %1, %b : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>`})
	for _, owners := range [][]int{{kept, kept}, {0, 1}, {exec.Public, exec.Public}} {
		got, err := walk(
			prog,
			middle[0],
			nil,
			owners,
			arrays(floats(f32, shape{2}, 0.5, -3), integers(i32, shape{2}, -7, 1<<30)),
			func(c *exec.Config, _ bool) { c.Keep = []bool{true, false, true} },
		)
		if err != nil {
			t.Fatalf("%v: %v", owners, err)
		}
		if got.kept[1] != nil || fmt.Sprint(got.kept[0].Data) != "[0.25 9]" || fmt.Sprint(got.kept[2].Data) != "[-7 1073741824]" {
			t.Errorf("%v: kept %v", owners, got.kept)
		}
	}
}
