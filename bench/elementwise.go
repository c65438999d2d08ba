package bench

import (
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// elementwise returns an operation on one vector, whose type is T in body.
func elementwise(name string, elements int, body string, lo, hi float64) Op {
	return Op{name, elements, func(n int) program {
		t := vector(n, "f64")
		return program{[]operand{{typ: t, lo: lo, hi: hi}}, strings.ReplaceAll(body, "T", t), t, n}
	}}
}

// function returns a real function that is a single operation.
func function(name, expression string, lo, hi float64) Op {
	return elementwise(name, some, "  %r = "+expression, lo, hi)
}

// declared returns o, named so, with operands that their owners declare to lie in [lo, hi].
func declared(o Op, name string, lo, hi float64) Op {
	of := o.program
	o.Name, o.program = name, func(n int) program {
		p := of(n)
		for i := range p.operands {
			p.operands[i].declared = &pattern.Interval{Lo: lo, Hi: hi}
		}
		return p
	}
	return o
}

// binary returns a single operation on two vectors.
func binary(name, operation string, lo, hi float64) Op {
	return Op{name, many, func(n int) program {
		t := vector(n, "f64")
		x := operand{typ: t, lo: lo, hi: hi}
		return program{[]operand{x, x}, fmt.Sprintf("  %%r = %s %%x0, %%x1 : %s", operation, t), t, n}
	}}
}

// comparison returns a comparison of two vectors with the value range of x.
func comparison(name, direction string, x operand) Op {
	return Op{name, many, func(n int) program {
		x.typ = vector(n, "f64")
		bits := vector(n, "i1")
		return program{[]operand{x, x}, fmt.Sprintf("  %%r = stablehlo.compare %s, %%x0, %%x1 : (%s, %s) -> %s", direction, x.typ, x.typ, bits), bits, n}
	}}
}

// softmax returns the softmax of rows of so many elements, as JAX prints it.
func softmax(row int) func(n int) program {
	return func(n int) program {
		rows := max(1, n/row)
		t := fmt.Sprintf("tensor<%dx%dxf64>", rows, row)
		body := strings.NewReplacer("T", t, "R", vector(rows, "f64")).Replace(softmaxBody)
		return program{[]operand{{typ: t, lo: -5, hi: 5}}, body, t, rows * row}
	}
}

const softmaxBody = `  %i = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %m = stablehlo.reduce(%x0 init: %i) applies stablehlo.maximum across dimensions = [1] : (T, tensor<f64>) -> R
  %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (R) -> T
  %d = stablehlo.subtract %x0, %mb : T
  %e = stablehlo.exponential %d : T
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (T, tensor<f64>) -> R
  %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (R) -> T
  %r = stablehlo.divide %e, %sb : T`
