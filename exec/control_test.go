package exec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
)

var bounded = map[string]string{"while.bound": "7"}

// counting adds 0.75 to %x while it is below %b, up to six times.
const counting = `
%z = stablehlo.constant dense<0> : tensor<i32>
%0:3 = stablehlo.while(%i = %z, %x = %a, %y = %b) : tensor<i32>, tensor<f32>, tensor<f32>
cond {
%n = stablehlo.constant dense<6> : tensor<i32>
%q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
%p = stablehlo.compare LT, %x, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
%r = stablehlo.and %p, %q : tensor<i1>
stablehlo.return %r : tensor<i1>
} do {
%o = stablehlo.constant dense<1> : tensor<i32>
%h = stablehlo.constant dense<0.75> : tensor<f32>
%j = stablehlo.add %i, %o : tensor<i32>
%1 = stablehlo.add %x, %h : tensor<f32>
stablehlo.return %j, %1, %y : tensor<i32>, tensor<f32>, tensor<f32>
}
return %0#1, %0#0, %0#2 : tensor<f32>, tensor<i32>, tensor<f32>`

func TestWhile(t *testing.T) {
	agree(
		t,
		program{name: "secret condition", args: "f32 f32", outs: "f32 i32 f32", set: bounded, body: counting},
		program{
			name: "none",
			args: "f32 f32",
			outs: "f32 i32 f32",
			set:  bounded,
			body: counting,
			data: arrays(floats(f32, shape{}, 2), floats(f32, shape{}, 1)),
		},
		program{name: "public condition", args: "3xf32 3xf32", outs: "3xf32", units: 60, body: `
%z = stablehlo.constant dense<0> : tensor<i32>
%n = stablehlo.constant dense<4> : tensor<i32>
%s = stablehlo.constant dense<1> : tensor<i32>
%r:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<3xf32>
cond {
%p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
stablehlo.return %p : tensor<i1>
} do {
%j = stablehlo.add %i, %s : tensor<i32>
%y = stablehlo.multiply %x, %b : tensor<3xf32>
%w = func.call @step(%y, %a) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
stablehlo.return %j, %w : tensor<i32>, tensor<3xf32>
}
return %r#1 : tensor<3xf32>
}
func.func private @step(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
%0 = stablehlo.add %x, %y : tensor<3xf32>
return %0 : tensor<3xf32>`},
		program{name: "public at first", args: "4xf32", outs: "4xf32 4xi1", set: bounded, body: `
%f = stablehlo.constant dense<false> : tensor<4xi1>
%z = stablehlo.constant dense<0.0> : tensor<4xf32>
%0:2 = stablehlo.while(%d = %f, %s = %z) : tensor<4xi1>, tensor<4xf32>
cond {
%t = stablehlo.constant dense<true> : tensor<i1>
%p = stablehlo.reduce(%d init: %t) applies stablehlo.and across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
%q = stablehlo.not %p : tensor<i1>
stablehlo.return %q : tensor<i1>
} do {
%k = stablehlo.constant dense<1.5> : tensor<4xf32>
%1 = stablehlo.abs %a : tensor<4xf32>
%4 = stablehlo.add %s, %1 : tensor<4xf32>
%5 = stablehlo.add %4, %k : tensor<4xf32>
%6 = stablehlo.select %d, %z, %5 : tensor<4xi1>, tensor<4xf32>
%m = stablehlo.constant dense<4.0> : tensor<4xf32>
%7 = stablehlo.compare GT, %6, %m : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
%8 = stablehlo.or %d, %7 : tensor<4xi1>
stablehlo.return %8, %6 : tensor<4xi1>, tensor<4xf32>
}
return %0#1, %0#0 : tensor<4xf32>, tensor<4xi1>`},
	)
	refused(
		t,
		program{args: "f32 f32", outs: "f32 i32 f32", body: counting},
		"stablehlo.while",
		"its condition depends on secret data (give the largest number of iterations with --set while.bound=N",
	)
}

// TestWhileCutShort: the loop returns what it has after while.bound iterations, and a run in the clear says so.
func TestWhileCutShort(t *testing.T) {
	p := parse(t, program{args: "f32 f32", outs: "f32 i32 f32", body: counting})
	got, err := walk(
		p,
		middle[0],
		map[string]string{"while.bound": "2"},
		[]int{kept, kept},
		arrays(floats(f32, shape{}, 0), floats(f32, shape{}, 9)),
		nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	// a run that checks the bounds goes on until the loop ends
	if n := strings.Join(got.notes, "\n"); !strings.Contains(n, "test.mlir:5:") ||
		!strings.Contains(n, "the condition still holds after 2 iterations") {
		t.Errorf("notes: %q", n)
	}
	got, err = walk(
		p,
		middle[0],
		map[string]string{"while.bound": "2"},
		[]int{kept, kept},
		arrays(floats(f32, shape{}, 0), floats(f32, shape{}, 9)),
		func(c *exec.Config, dry bool) { c.Arith.Note = nil },
	)
	if err != nil {
		t.Fatal(err)
	}
	if x, n := got.arrays[0].Floats()[0], got.arrays[1].Words()[0]; x != 1.5 || n != 2 {
		t.Errorf("after two iterations: %v, %d", x, n)
	}
}

func TestBranches(t *testing.T) {
	const branches = `
%1 = stablehlo.multiply %b, %c : tensor<3xf32>
%k = stablehlo.constant dense<7> : tensor<i32>
%t = stablehlo.constant dense<true> : tensor<3xi1>
stablehlo.return %1, %k, %t, %b : tensor<3xf32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>
}, {
%k = stablehlo.constant dense<-2> : tensor<i32>
%t = stablehlo.compare LT, %b, %c : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
stablehlo.return %b, %k, %t, %b : tensor<3xf32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>
`
	const more = `}, {
%k = stablehlo.constant dense<-2> : tensor<i32>
%t = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
stablehlo.return %c, %k, %t, %b : tensor<3xf32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>
`
	const outs, returned = "3xf32 i32 3xi1 3xf32", "return %0#0, %0#1, %0#2, %0#3 : tensor<3xf32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>"
	types := "(tensor<3xf32>, tensor<i32>, tensor<3xi1>, tensor<3xf32>)\n"
	for i := range 2 {
		p := program{
			name: "if",
			args: "i1 3xf32 3xf32",
			outs: outs,
			body: "%0:4 = \"stablehlo.if\"(%a) ({" + branches + "}) : (tensor<i1>) -> " + types + returned,
		}
		p.data = append(arrays(integers(boolean, shape{}, int64(i))), floats(f32, shape{3}, 1, -0.5, 2), floats(f32, shape{3}, -1, 0.25, 3))
		agree(t, p)
	}
	complexOf := func(v string) string {
		return "%k = stablehlo.constant dense<" + v + "> : tensor<complex<f32>>\nstablehlo.return %k : tensor<complex<f32>>\n"
	}
	for _, index := range []int64{-1, 0, 1, 2, 5} {
		agree(
			t,
			program{
				name: "case of constants",
				args: "i32 f32",
				outs: "f32 complex<f32> complex<f32>",
				data: arrays(integers(i32, shape{}, index), floats(f32, shape{}, -1.25)),
				body: `
%0 = "stablehlo.case"(%a) ({
%k = stablehlo.constant dense<0.1> : tensor<f32>
stablehlo.return %k : tensor<f32>
}, {
%k = stablehlo.constant dense<1000000.25> : tensor<f32>
stablehlo.return %k : tensor<f32>
}, {
%k = stablehlo.constant dense<-0.25> : tensor<f32>
stablehlo.return %k : tensor<f32>
}) : (tensor<i32>) -> tensor<f32>
%1 = "stablehlo.case"(%a) ({
` + complexOf("(0.5, -1.5)") + "}, {\n" + complexOf("(0.25, 0.0)") + "}, {\n" + complexOf("(0.0, 2.5)") + `
}) : (tensor<i32>) -> tensor<complex<f32>>
%2 = "stablehlo.case"(%a) ({
` + complexOf("(0.5, -1.5)") + `}, {
%k = stablehlo.complex %b, %0 : tensor<complex<f32>>
stablehlo.return %k : tensor<complex<f32>>
}, {
%k = stablehlo.complex %0, %b : tensor<complex<f32>>
stablehlo.return %k : tensor<complex<f32>>
}) : (tensor<i32>) -> tensor<complex<f32>>
return %0, %1, %2 : tensor<f32>, tensor<complex<f32>>, tensor<complex<f32>>`,
			},
		)
		p := program{
			name: "case",
			args: "i32 3xf32 3xf32",
			outs: outs,
			body: "%0:4 = \"stablehlo.case\"(%a) ({" + branches + more + "}) : (tensor<i32>) -> " + types + returned,
		}
		p.data = append(arrays(integers(i32, shape{}, index)), floats(f32, shape{3}, 1, -0.5, 2), floats(f32, shape{3}, -1, 0.25, 3))
		agree(t, p)
	}
}

// TestComposites: one with the name of a function with a protocol of its own is that function, others are
// their decompositions.
func TestComposites(t *testing.T) {
	agree(t, program{name: "composites", args: "2xf32", outs: "2xf32 2xf32 2xf32 2xf32 2xf32", body: `
%0 = stablehlo.composite "stablehlo.dot_general" %a {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
%1 = stablehlo.composite "chlo.top_k" %a {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
%2 = stablehlo.composite "chlo.square" %a {decomposition = @squared} : (tensor<2xf32>) -> tensor<2xf32>
%3 = stablehlo.composite "chlo.nothing" %a {decomposition = @twice} : (tensor<2xf32>) -> tensor<2xf32>
%4 = stablehlo.composite "chlo.square" %a {composite_attributes = {x = 1 : i64}, decomposition = @squared} : (tensor<2xf32>) -> tensor<2xf32>
return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
%0 = stablehlo.add %x, %x : tensor<2xf32>
return %0 : tensor<2xf32>
}
func.func private @squared(%x: tensor<2xf32>) -> tensor<2xf32> {
%0 = stablehlo.multiply %x, %x : tensor<2xf32>
return %0 : tensor<2xf32>`})
}

// TestNestingIsBounded calls a function in a function in a function …, deeper than the walk goes.
func TestNestingIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("%0 = func.call @f0(%a) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}\n")
	for i := range 1001 {
		fmt.Fprintf(
			&b,
			"func.func private @f%d(%%x: tensor<f32>) -> tensor<f32> {\n%%0 = func.call @f%d(%%x) : (tensor<f32>) -> tensor<f32>\nreturn %%0 : tensor<f32>\n}\n",
			i,
			i+1,
		)
	}
	b.WriteString("func.func private @f1001(%x: tensor<f32>) -> tensor<f32> {\nreturn %x : tensor<f32>")
	refused(t, program{args: "f32", outs: "f32", body: b.String()}, "func.call", "nests too deeply")
}
