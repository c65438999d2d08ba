package eval

import (
	"math"
	"math/cmplx"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestCholesky(t *testing.T) {
	a := shaped([]float64{4, 12, -16, 12, 37, -43, -16, -43, 98}, 3, 3)
	lower := shaped([]float64{2, 0, 0, 6, 1, 0, -8, 5, 3}, 3, 3)
	upper := shaped([]float64{2, 6, -8, 0, 1, 5, 0, 0, 3}, 3, 3)
	junk := shaped([]float64{4, nan, nan, 12, 37, nan, -16, -43, 98}, 3, 3) // the other triangle is not read
	same(t, do(t, "stablehlo.cholesky", hlo.Attrs{"lower": true}, a.Type, a), lower)
	same(t, do(t, "stablehlo.cholesky", hlo.Attrs{"lower": true}, a.Type, junk), lower)
	same(t, do(t, "stablehlo.cholesky", hlo.Attrs{"lower": false}, a.Type, a), upper)
	same(t, do(t, "stablehlo.cholesky", hlo.Attrs{"lower": true}, typ(tensor.F64, 2, 2), shaped([]float64{1, 2, 2, 1}, 2, 2)),
		shaped([]float64{nan, 0, nan, nan}, 2, 2))
	h := shaped([]complex64{4, -2i, 2i, 2, 9, 0, 0, 1}, 2, 2, 2)
	near(t, do(t, "stablehlo.cholesky", hlo.Attrs{"lower": true}, h.Type, h), shaped([]complex64{2, 0, 1i, 1, 3, 0, 0, 1}, 2, 2, 2), 0)
	near(t, do(t, "stablehlo.cholesky", hlo.Attrs{"lower": false}, h.Type, h), shaped([]complex64{2, -1i, 0, 1, 3, 0, 0, 1}, 2, 2, 2), 0)
}

// The solution of op(a)·x = b, or x·op(a) = b, satisfies the equation.
func TestTriangularSolve(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		left, lower, unit := rapid.Bool().Draw(rt, "left"), rapid.Bool().Draw(rt, "lower"), rapid.Bool().Draw(rt, "unit")
		mode := rapid.SampledFrom([]string{"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"}).Draw(rt, "mode")
		batch, n, m := rapid.IntRange(1, 2).Draw(rt, "batch"), rapid.IntRange(1, 4).Draw(rt, "n"), rapid.IntRange(0, 3).Draw(rt, "m")
		part := rapid.Float64Range(-1, 1)
		draw := func(s tensor.Shape) *tensor.Array {
			z := make([]complex128, s.Size())
			for i := range z {
				z[i] = complex(part.Draw(rt, "re"), part.Draw(rt, "im"))
			}
			return fromComplexes(tensor.C128, s, z)
		}
		a, b := draw(tensor.Shape{batch, n, n}), draw(tensor.Shape{batch, n, m})
		if !left {
			b = draw(tensor.Shape{batch, m, n})
		}
		for k := range batch {
			for i := range n { // a diagonal without small elements
				a.Data.([]complex128)[(k*n+i)*n+i] += 3
			}
		}
		x := do(rt, "stablehlo.triangular_solve", hlo.Attrs{
			"left_side": left, "lower": lower, "unit_diagonal": unit, "transpose_a": hlo.Enum(mode),
		}, b.Type, a, b)

		element := func(k, i, j int) complex128 { // of op(a)
			if mode != "NO_TRANSPOSE" {
				i, j = j, i
			}
			v := a.Data.([]complex128)[(k*n+i)*n+j]
			switch {
			case i == j && unit:
				return 1
			case i != j && (i > j) != lower:
				return 0
			case mode == "ADJOINT":
				return cmplx.Conj(v)
			}
			return v
		}
		rows, cols := b.Shape[1], b.Shape[2]
		product := make([]complex128, b.Len())
		for p := range product {
			k, i, j := p/(rows*cols), p/cols%rows, p%cols
			for l := range n {
				if left {
					product[p] += element(k, i, l) * x.Data.([]complex128)[(k*rows+l)*cols+j]
				} else {
					product[p] += x.Data.([]complex128)[(k*rows+i)*cols+l] * element(k, l, j)
				}
			}
		}
		near(rt, fromComplexes(tensor.C128, b.Shape, product), b, 1e-12)
	})
}

func TestLAPACK(t *testing.T) {
	a := shaped([]float32{4, 9, 2, 2}, 2, 2) // the lower triangle of [[4 2] [2 2]]
	for _, config := range []any{map[string]any{"uplo": int64('L')}, hlo.Opaque("{uplo = 76 : ui8}")} {
		op := newOp("stablehlo.custom_call", hlo.Attrs{"call_target_name": "lapack_spotrf_ffi", "mhlo.backend_config": config},
			[]tensor.Type{a.Type, typ(tensor.I32)}, a)
		got := must(t, op, a)
		same(t, got[0], shaped([]float32{2, 9, 1, 1}, 2, 2))
		same(t, got[1], scalar[int32](0))
		bad := shaped([]float32{4, 0, 2, 1}, 2, 2)
		same(t, must(t, op, bad)[1], scalar[int32](2))
	}
	b := shaped([]float32{2, 3}, 2, 1)
	op := newOp("stablehlo.custom_call", hlo.Attrs{
		"call_target_name":    "lapack_strsm_ffi",
		"mhlo.backend_config": hlo.Opaque("{diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}"),
	}, []tensor.Type{b.Type}, a, b)
	same(t, must(t, op, shaped([]float32{2, 0, 1, 1}, 2, 2), b)[0], shaped([]float32{-0.5, 3}, 2, 1))
}

// Transforms of all lengths equal the defining sum.
func TestFFT(t *testing.T) {
	for n := 1; n <= 17; n++ {
		x := make([]complex128, n)
		for i := range x {
			x[i] = complex(math.Sin(float64(3*i+1)), math.Cos(float64(i*i)))
		}
		want := make([]complex128, n)
		for k := range want {
			for j, v := range x {
				want[k] += v * cmplx.Rect(1, -2*math.Pi*float64(j*k)/float64(n))
			}
		}
		length := hlo.Attrs{"fft_type": hlo.Enum("FFT"), "fft_length": ints(int64(n))}
		got := do(t, "stablehlo.fft", length, typ(tensor.C128, n), vec(x...))
		near(t, got, vec(want...), 1e-13)
		back := do(t, "stablehlo.fft", hlo.Attrs{"fft_type": hlo.Enum("IFFT"), "fft_length": ints(int64(n))}, typ(tensor.C128, n), got)
		near(t, back, vec(x...), 1e-13)

		re := parts(vec(x...), func(z complex128) float64 { return real(z) })
		spectrum := do(t, "stablehlo.fft", hlo.Attrs{"fft_type": hlo.Enum("RFFT"), "fft_length": ints(int64(n))}, typ(tensor.C128, n/2+1), re)
		near(t, do(t, "stablehlo.fft", hlo.Attrs{"fft_type": hlo.Enum("IRFFT"), "fft_length": ints(int64(n))}, re.Type, spectrum), re, 1e-13)
	}
}

func TestFFTShapes(t *testing.T) {
	x := shaped([]float32{1, 2, 3, 4, 5, 6, 7, 8}, 2, 2, 2)
	attrs := func(kind string) hlo.Attrs { return hlo.Attrs{"fft_type": hlo.Enum(kind), "fft_length": ints(2, 2)} }
	spectrum := do(t, "stablehlo.fft", attrs("RFFT"), typ(tensor.C64, 2, 2, 2), x)
	near(t, spectrum, shaped([]complex64{10, -2, -4, 0, 26, -2, -4, 0}, 2, 2, 2), 1e-6)
	near(t, do(t, "stablehlo.fft", attrs("IRFFT"), x.Type, spectrum), x, 1e-6)
	// Imaginary parts that a real signal cannot have are ignored, as in XLA.
	z := vec[complex128](1+5i, 2-1i, 3+7i)
	for n, want := range map[int]*tensor.Array{
		4: vec(2., 0, 0, -1),
		5: vec(2.2, -1.7889828976508424, 2.821679144293398, -2.9744655487934404, 0.7417693021508843),
	} {
		got := do(t, "stablehlo.fft", hlo.Attrs{"fft_type": hlo.Enum("IRFFT"), "fft_length": ints(int64(n))}, typ(tensor.F64, n), z)
		near(t, got, want, 1e-13)
	}
	empty := tensor.NewArray(typ(tensor.C64, 0, 4))
	same(t, do(t, "stablehlo.fft", hlo.Attrs{"fft_type": hlo.Enum("FFT"), "fft_length": ints(4)}, empty.Type, empty), empty)
}
