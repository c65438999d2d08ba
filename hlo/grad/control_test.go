package grad_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/grad"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// loop runs a body 4 times: %x is carried, %y captured.
const loop = `func.func @main(%a0: tensor<3xf64>, %a1: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
	%c0 = stablehlo.constant dense<0> : tensor<i32>
	%c1 = stablehlo.constant dense<1> : tensor<i32>
	%c4 = stablehlo.constant dense<4> : tensor<i32>
	%half = stablehlo.constant dense<0.5> : tensor<3xf64>
	%r:4 = stablehlo.while(%i = %c0, %x = %a0, %n = %c4, %z = %a1) : tensor<i32>, tensor<3xf64>, tensor<i32>, tensor<3xf64>
	cond {
		%p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
		stablehlo.return %p : tensor<i1>
	} do {
		%0 = func.call @step(%x, %a1) : (tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
		%1 = stablehlo.multiply %z, %half : tensor<3xf64>
		%2 = stablehlo.add %1, %0 : tensor<3xf64>
		%j = func.call @next(%i, %c1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
		stablehlo.return %j, %0, %n, %2 : tensor<i32>, tensor<3xf64>, tensor<i32>, tensor<3xf64>
	}
	return %r#1, %r#3 : tensor<3xf64>, tensor<3xf64>
}
func.func private @next(%i: tensor<i32>, %by: tensor<i32>) -> tensor<i32> {
	%j = stablehlo.add %i, %by : tensor<i32>
	return %j : tensor<i32>
}
func.func private @step(%x: tensor<3xf64>, %y: tensor<3xf64>) -> tensor<3xf64> {
	%0 = stablehlo.multiply %x, %y : tensor<3xf64>
	%1 = stablehlo.sine %0 : tensor<3xf64>
	%2 = stablehlo.add %1, %x : tensor<3xf64>
	return %2 : tensor<3xf64>
}`

// nested has a loop and a branch within a loop, and sorts within.
const nested = `func.func @main(%a0: tensor<3xf64>, %a1: tensor<f64>) -> tensor<3xf64> {
	%c0 = stablehlo.constant dense<0> : tensor<i32>
	%c1 = stablehlo.constant dense<1> : tensor<i32>
	%c3 = stablehlo.constant dense<3> : tensor<i32>
	%c2 = stablehlo.constant dense<2> : tensor<i32>
	%r:2 = stablehlo.while(%i = %c0, %x = %a0) : tensor<i32>, tensor<3xf64>
	cond {
		%p = stablehlo.compare LT, %i, %c3 : (tensor<i32>, tensor<i32>) -> tensor<i1>
		stablehlo.return %p : tensor<i1>
	} do {
		%s = stablehlo.broadcast_in_dim %a1, dims = [] : (tensor<f64>) -> tensor<3xf64>
		%q:2 = stablehlo.while(%j = %i, %y = %x) : tensor<i32>, tensor<3xf64>
		cond {
			%k = stablehlo.constant dense<2> : tensor<i32>
			%p = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
			stablehlo.return %p : tensor<i1>
		} do {
			%0 = stablehlo.multiply %y, %s : tensor<3xf64>
			%1 = stablehlo.tanh %0 : tensor<3xf64>
			%k = stablehlo.add %j, %c1 : tensor<i32>
			stablehlo.return %k, %1 : tensor<i32>, tensor<3xf64>
		}
		%e = stablehlo.compare EQ, %i, %c1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
		%b = "stablehlo.if"(%e) ({
			%0 = stablehlo.multiply %q#1, %s : tensor<3xf64>
			%1 = stablehlo.multiply %0, %0 : tensor<3xf64>
			stablehlo.return %1 : tensor<3xf64>
		}, {
			%0 = stablehlo.cosine %q#1 : tensor<3xf64>
			stablehlo.return %0 : tensor<3xf64>
		}) : (tensor<i1>) -> tensor<3xf64>
		%o = "stablehlo.sort"(%b) <{dimension = 0 : i64}> ({
		^bb0(%u: tensor<f64>, %v: tensor<f64>):
			%c = stablehlo.compare LT, %u, %v : (tensor<f64>, tensor<f64>) -> tensor<i1>
			stablehlo.return %c : tensor<i1>
		}) : (tensor<3xf64>) -> tensor<3xf64>
		%w = stablehlo.multiply %o, %x : tensor<3xf64>
		%n = stablehlo.add %i, %c1 : tensor<i32>
		stablehlo.return %n, %w : tensor<i32>, tensor<3xf64>
	}
	return %r#1 : tensor<3xf64>
}`

// fixed is nested with inner loops whose number of iterations does not depend on the outer one.
var fixed = strings.ReplaceAll(nested, "%j = %i,", "%j = %c0,")

func TestLoops(t *testing.T) {
	for name, text := range map[string]string{"loop": loop, "nested": fixed} {
		t.Run(name, func(t *testing.T) { check(t, parse(t, text), 0.2, 1.2, name == "loop") })
	}
}

// TestLittleMemory has loops compute their iterations again: the results are those of stacks, in less memory.
func TestLittleMemory(t *testing.T) {
	for name, text := range map[string]string{"loop": loop, "nested": fixed} {
		t.Run(name, func(t *testing.T) {
			p := parse(t, text)
			r := rand.New(rand.NewPCG(1, 2))
			args := []*tensor.Array{random(r, p.Main.Body.Params[0].Type, 0.2, 1.2), random(r, p.Main.Body.Params[1].Type, 0.2, 1.2)}
			checkReverse(t, r, p, args, 0, 1)
			little, much := carried(gradientOf(t, p, 0, 1)), carried(gradientOf(t, p, 0, 0))
			if little >= much {
				t.Errorf("with little memory the loop carries %d elements, with much %d", little, much)
			}
		})
	}
}

// carried is the number of elements that main's first loop carries.
func carried(p *hlo.Program) (n int) {
	for _, o := range p.Main.Body.Ops {
		if o.Name == hlo.OpWhile {
			for _, v := range o.Operands {
				n += v.Type.Shape.Size()
			}
			return n
		}
	}
	return n
}

// TestCase compares gradients of every branch with differences.
func TestCase(t *testing.T) {
	const text = `func.func @main(%i: tensor<i32>, %a0: tensor<3xf64>, %a1: tensor<3xf64>) -> tensor<3xf64> {
	%0 = stablehlo.sine %a0 : tensor<3xf64>
	%r:2 = "stablehlo.case"(%i) ({
		stablehlo.return %0, %a1 : tensor<3xf64>, tensor<3xf64>
	}, {
		%1 = stablehlo.multiply %0, %a1 : tensor<3xf64>
		%2 = stablehlo.exponential %1 : tensor<3xf64>
		stablehlo.return %2, %1 : tensor<3xf64>, tensor<3xf64>
	}, {
		%1 = stablehlo.tanh %a1 : tensor<3xf64>
		stablehlo.return %1, %1 : tensor<3xf64>, tensor<3xf64>
	}) : (tensor<i32>) -> (tensor<3xf64>, tensor<3xf64>)
	%s = stablehlo.multiply %r#0, %r#1 : tensor<3xf64>
	return %s : tensor<3xf64>
}`
	p := parse(t, text)
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 3 {
		args := []*tensor.Array{
			tensor.FromWords(tensor.I32, tensor.Shape{}, []uint64{uint64(i)}),
			random(r, p.Main.Body.Params[1].Type, -1, 1), random(r, p.Main.Body.Params[2].Type, -1, 1),
		}
		g := checkReverse(t, r, p, args, 0, 0)
		checkReverse(t, r, g, append(slices.Clone(args), random(r, p.Main.Results[0], -1, 1)), 0, 0)
		checkForward(t, r, p, args)
	}
}

// TestRefusals names the operation and its place, and only where the derivative leads through it.
func TestRefusals(t *testing.T) {
	at := func(text string, wrt ...int) error {
		_, err := grad.Gradient(context.Background(), parse(t, text), grad.Options{Wrt: wrt})
		return err
	}
	unknown := strings.ReplaceAll(loop, "%n = %c4", "%n = %a2")
	unknown = strings.ReplaceAll(unknown, "%a1: tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)", "%a1: tensor<3xf64>, %a2: tensor<i32>) -> (tensor<3xf64>, tensor<3xf64>)")
	for _, c := range []struct {
		text string
		want string
	}{
		{program("f64", "f64", `%0 = stablehlo.bitcast_convert %a0 : (tensor<f64>) -> tensor<i64>
			%r = stablehlo.bitcast_convert %0 : (tensor<i64>) -> tensor<f64>`), ""},
		{program("f64", "f64", `%0 = stablehlo.bitcast_convert %a0 : (tensor<f64>) -> tensor<2xf32>
			%1 = stablehlo.slice %0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
			%2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>
			%r = stablehlo.convert %2 : (tensor<f32>) -> tensor<f64>`), "test.mlir:2:8: stablehlo.bitcast_convert: reads the bits"},
		{program("f64 f64", "f64", `%r = chlo.next_after %a0, %a1 : tensor<f64>, tensor<f64> -> tensor<f64>`), "test.mlir:2:8: chlo.next_after: steps between"},
		{program("f64", "f64", `%r = stablehlo.custom_call @other(%a0) : (tensor<f64>) -> tensor<f64>`), "test.mlir:2:8: stablehlo.custom_call: calls @other"},
	} {
		err := at(c.text, 0)
		if got := ""; err != nil {
			got = err.Error()
			var e *hlo.Error
			if c.want == "" || !strings.HasPrefix(got, c.want) || !errors.As(err, &e) || e.Hint == "" {
				t.Errorf("%s\nwant %q", got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("no error, want %q", c.want)
		}
	}
	p := parse(t, unknown)
	_, err := grad.Gradient(context.Background(), p, grad.Options{Wrt: []int{0}, Cotangent: true})
	if err == nil || !strings.HasPrefix(err.Error(), "test.mlir:6:9: stablehlo.while: the number of the loop's iterations does not follow") {
		t.Errorf("a loop of unknown length: %v", err)
	}
	// The operation is not on the way from the argument to the result.
	aside := program("f64 f64", "f64", `%0 = chlo.next_after %a1, %a1 : tensor<f64>, tensor<f64> -> tensor<f64>
		%r = stablehlo.multiply %0, %a0 : tensor<f64>`)
	if err := at(aside, 0); err != nil {
		t.Error(err)
	}
	if err := at(aside, 0, 1); err == nil {
		t.Error("next_after is on the way, and is not refused")
	}
}

// TestUsage refuses options that do not fit the program.
func TestUsage(t *testing.T) {
	p := parse(t, `func.func @main(%a: tensor<2xf64>, %b: tensor<i32>) -> (tensor<2xf64>, tensor<i32>) {
	return %a, %b : tensor<2xf64>, tensor<i32>
}`)
	for _, c := range []struct {
		o    grad.Options
		want string
	}{
		{grad.Options{}, "no arguments are named"},
		{grad.Options{Wrt: []int{2}}, "the program has no argument 2: it has 2 arguments"},
		{grad.Options{Wrt: []int{-1}}, "the program has no argument -1"},
		{grad.Options{Wrt: []int{0, 0}}, "argument 0 is named twice"},
		{grad.Options{Wrt: []int{1}}, "argument 1 is tensor<i32>: only floats"},
		{grad.Options{Wrt: []int{0}}, "result 0 is tensor<2xf64>: differentiate a scalar"},
		{grad.Options{Wrt: []int{0}, Result: 2}, "the program has no result 2"},
		{grad.Options{Wrt: []int{0}, Result: 1}, "result 1 is tensor<i32>: only floats"},
	} {
		_, err := grad.Gradient(context.Background(), p, c.o)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || !errors.Is(err, problem.Usage) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}

// TestStops ends when its context has ended.
func TestStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("enough")
	cancel(why)
	_, err := grad.Gradient(ctx, parse(t, loop), grad.Options{Wrt: []int{0}, Cotangent: true})
	if !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
}
