package hlo

import (
	"strings"
	"testing"
)

// TestCopier copies a function with a call and a region, and wants a program that prints the same text, shares no operation with the
// first one, and calls the function that takes the called one's place.
func TestCopier(t *testing.T) {
	const text = `module {
  func.func public @main(%arg0: tensor<4xf32>, %arg1: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.reduce(%arg0 init: %arg1) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%a: tensor<f32>, %b: tensor<f32>)  {
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }
    %1 = call @twice(%0) : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
  func.func private @twice(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>
    return %0 : tensor<f32>
  }
}
`
	p, err := Parse("program.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var called *Func
	for _, f := range p.Funcs {
		if f != p.Main {
			called = f
		}
	}
	c, made, other := NewCopier(), 0, *called
	c.Funcs, c.Made = map[*Func]*Func{called: &other}, func(*Op) { made++ }
	main := *p.Main
	main.Body = c.Block(p.Main.Body)
	q := &Program{File: p.File, Name: p.Name, Main: &main, Funcs: []*Func{&main, &other}}
	var before, after strings.Builder
	for to, p := range map[*strings.Builder]*Program{&before: p, &after: q} {
		if err := p.Print(to); err != nil {
			t.Fatal(err)
		}
	}
	if before.String() != after.String() {
		t.Errorf("the copy is\n%s", after.String())
	}
	if made != 5 {
		t.Errorf("%d operations were copied, want 5", made)
	}
	for i, o := range p.Main.Body.Ops {
		x := main.Body.Ops[i]
		switch {
		case x == o || len(o.Regions) > 0 && x.Regions[0] == o.Regions[0]:
			t.Errorf("%s is shared", o.Name)
		case o.Callee != nil && x.Callee != &other:
			t.Errorf("the copied call calls another function")
		}
		for _, v := range x.Operands {
			for _, w := range o.Operands {
				if v == w {
					t.Errorf("the copy of %s reads a value of the first program", o.Name)
				}
			}
		}
	}
}
