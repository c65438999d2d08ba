package pattern

import (
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// checkSkipped walks every block as an executor does and checks that operations that are not skipped have
// their operands, that matches have their inputs, and that the Ops of a match that is not taken suffice to
// compute it.
func checkSkipped(t *testing.T, p *hlo.Program, ps *Patterns) {
	t.Helper()
	var walk func(b *hlo.Block, outer map[*hlo.Value]bool)
	walk = func(b *hlo.Block, outer map[*hlo.Value]bool) {
		have := map[*hlo.Value]bool{}
		for v := range outer {
			have[v] = true
		}
		for _, v := range b.Params {
			have[v] = true
		}
		for _, o := range b.Ops {
			if ps.Skipped(o) {
				continue
			}
			in := o.Operands
			if m := ps.At(o); m != nil {
				in = m.Inputs
				checkOps(t, m, have)
			}
			for _, v := range in {
				if !have[v] {
					t.Errorf("%s: %s: %%%s was skipped", o.Pos, o.Name, v.Name)
				}
			}
			for _, r := range o.Regions {
				walk(r, have)
			}
			for _, v := range o.Results {
				have[v] = true
			}
		}
	}
	for _, f := range p.Reached() {
		walk(f.Body, nil)
	}
}

// checkOps computes a match from its inputs by its Ops; the other values that those read must be in have.
func checkOps(t *testing.T, m *Match, have map[*hlo.Value]bool) {
	t.Helper()
	own := map[*hlo.Value]bool{}
	for _, o := range append(m.Ops, m.End) {
		for _, v := range reads(o) {
			if !have[v] && !own[v] {
				t.Errorf("%v: %s at %s needs %%%s", m, o.Name, o.Pos, v.Name)
			}
		}
		for _, v := range o.Results {
			own[v] = true
		}
	}
}

func TestSkipped(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.mlir")
	for _, f := range files {
		p := read(t, f)
		ps := Find(p)
		checkSkipped(t, p, ps)
		for i := range ps.All { // one match refused, one match kept
			checkSkipped(t, p, ps.Keep(func(m *Match) bool { return m != ps.All[i] }))
			one := ps.Keep(func(m *Match) bool { return m == ps.All[i] })
			checkSkipped(t, p, one)
			for o := range ps.All[i].Interior {
				if !one.Skipped(o) {
					t.Errorf("%v: %s at %s is inside but not skipped", ps.All[i], o.Name, o.Pos)
				}
			}
		}
		if none := ps.Keep(func(*Match) bool { return false }); len(none.skip) > 0 {
			t.Errorf("%s: operations skipped without a match", f)
		}
	}
	for _, name := range []string{"transformer-block", "bert-tiny-like", "functions", "logreg-train", "control", "resnet18-relu10"} {
		p := fixture(t, name)
		checkSkipped(t, p, Find(p))
	}
	every := read(t, "../testdata/every_op.pretty.mlir")
	checkSkipped(t, every, Find(every))
	Bounds(every)
}

// TestShared: a gradient also reads the exponentials and their sum.
func TestShared(t *testing.T) {
	p := read(t, "testdata/softmax_grad.mlir")
	m := Find(p).All[0]
	var got []string
	for _, v := range m.Shared {
		got = append(got, v.Name)
	}
	if len(got) != 2 || got[0] != "6" || got[1] != "8" {
		t.Errorf("shared are %v", got)
	}
	if m.Interior[p.Main.Body.Ops[7]] { // %6
		t.Error("a shared operation is interior")
	}
}

// TestLoopsAndCalls: patterns in a loop's body, whose inputs come from around it, and
// a call whose second result is an input.
func TestLoopsAndCalls(t *testing.T) {
	p := parse(t, `func.func public @main(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  %a, %e = func.call @parts(%x) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %d = stablehlo.add %e, %one : tensor<4xf32>
  %s = stablehlo.divide %one, %d : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %n, %v = %s) : tensor<i32>, tensor<4xf32>
  cond {
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %m = stablehlo.negate %v : tensor<4xf32>
    %f = stablehlo.exponential %m : tensor<4xf32>
    %g = stablehlo.add %one, %f : tensor<4xf32>
    %h = stablehlo.divide %s, %g : tensor<4xf32>
    %k = stablehlo.divide %v, %g : tensor<4xf32>
    %l = stablehlo.add %h, %k : tensor<4xf32>
    stablehlo.return %i, %l : tensor<i32>, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
func.func private @parts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = stablehlo.tanh %x : tensor<4xf32>
  %n = stablehlo.negate %a : tensor<4xf32>
  %e = stablehlo.exponential %n : tensor<4xf32>
  return %a, %e : tensor<4xf32>, tensor<4xf32>
}`)
	ps := Find(p)
	checkSkipped(t, p, ps)
	var got []string
	for _, m := range ps.All {
		got = append(got, m.String())
	}
	// The call gives x's tanh, of which %s is the sigmoid, but only as a value of
	// another name; %h divides another value by what %k has inside.
	if len(got) != 1 || got[0] != "silu(%v) at 15:10" {
		t.Errorf("found %v", got)
	}
}
