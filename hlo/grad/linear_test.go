package grad_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestConvolutions compares the gradients of convolutions with random dimension numbers, strides, dilations, paddings,
// groups and reversals with differences, and second derivatives of some.
func TestConvolutions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 40 {
		text, ok := convolution(r)
		if !ok {
			continue
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { check(t, parse(t, text), -1, 1, i%8 == 0) })
	}
}

// convolution is a program with a random convolution; false if its result would be empty.
func convolution(r *rand.Rand) (string, bool) {
	n := 1 + r.IntN(2)
	features, batches := 1, 1
	switch r.IntN(3) {
	case 0:
		features = 2
	case 1:
		batches = 2
	}
	batch, in, out := batches*(1+r.IntN(2)), features*(1+r.IntN(2)), features*batches*(1+r.IntN(2))
	x, k, y := r.Perm(n+2), r.Perm(n+2), r.Perm(n+2)
	xs, ks, ys := make([]int, n+2), make([]int, n+2), make([]int, n+2)
	xs[x[0]], xs[x[1]] = batch, in
	ks[k[0]], ks[k[1]] = in/features, out
	ys[y[0]], ys[y[1]] = batch/batches, out
	var stride, pad, base, dilation, reverse []string
	for d := range n {
		size, kernel := 2+r.IntN(3), 1+r.IntN(3)
		s, lo, hi, b, w := 1+r.IntN(2), r.IntN(3)-1, r.IntN(3)-1, 1+r.IntN(2), 1+r.IntN(2)
		count := ((size-1)*b+1+lo+hi-((kernel-1)*w+1))/s + 1
		if (size-1)*b+1+lo+hi < (kernel-1)*w+1 {
			return "", false
		}
		xs[x[2+d]], ks[k[2+d]], ys[y[2+d]] = size, kernel, count
		stride, pad = append(stride, fmt.Sprint(s)), append(pad, fmt.Sprintf("[%d, %d]", lo, hi))
		base, dilation = append(base, fmt.Sprint(b)), append(dilation, fmt.Sprint(w))
		reverse = append(reverse, fmt.Sprint(r.IntN(4) == 0))
	}
	layout := func(dims []int, first, second string) string {
		out := make([]string, n+2)
		out[dims[0]], out[dims[1]] = first, second
		for d := range n {
			out[dims[2+d]] = fmt.Sprint(d)
		}
		return strings.Join(out, ", ")
	}
	typ := func(s []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(s), " ", "x"), "[]") + "xf64" }
	body := fmt.Sprintf(`%%r = stablehlo.convolution(%%a0, %%a1) dim_numbers = [%s]x[%s]->[%s], window = {stride = [%s], pad = [%s], lhs_dilate = [%s], rhs_dilate = [%s], reverse = [%s]} {batch_group_count = %d : i64, feature_group_count = %d : i64} : (tensor<%s>, tensor<%s>) -> tensor<%s>`,
		layout(x, "b", "f"), layout(k, "i", "o"), layout(y, "b", "f"), strings.Join(stride, ", "), strings.Join(pad, ", "),
		strings.Join(base, ", "), strings.Join(dilation, ", "), strings.Join(reverse, ", "), batches, features, typ(xs), typ(ks), typ(ys))
	return program(typ(xs)+" "+typ(ks), typ(ys), body), true
}

// TestTriangularSolves compares the gradients of all kinds of triangular solves with differences.
func TestTriangularSolves(t *testing.T) {
	for i := range 16 {
		left, lower, unit, trans := i&1 > 0, i&2 > 0, i&4 > 0, "NO_TRANSPOSE"
		if i&8 > 0 {
			trans = "TRANSPOSE"
		}
		b := "2x3x4xf64"
		if !left {
			b = "2x4x3xf64"
		}
		text := program("2x3x3xf64 "+b, b, fmt.Sprintf(`%%r = "stablehlo.triangular_solve"(%%a0, %%a1) <{left_side = %v, lower = %v, unit_diagonal = %v, transpose_a = #stablehlo<transpose %s>}> : (tensor<2x3x3xf64>, tensor<%s>) -> tensor<%s>`,
			left, lower, unit, trans, b, b))
		t.Run(fmt.Sprint(i), func(t *testing.T) { check(t, parse(t, text), 0.6, 1.4, i == 5) })
	}
}
