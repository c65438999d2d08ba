package party_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

const complexPair = `
 %z = stablehlo.complex %a, %b : tensor<4x6xcomplex<f32>>
 %w = stablehlo.complex %c, %a : tensor<4x6xcomplex<f32>>
`

// complexes is an operation on %z and %w, whose parts are known to several.
func complexes(name, body, outs string) program {
	return program{name: "complex " + name, args: "4x6xf32 4x6xf32 4x6xf32", outs: outs, tol: 2e-3, body: complexPair + body}
}

func fft(kind, in, out string, length string) program {
	body := ""
	if kind == "RFFT" {
		body = fmt.Sprintf(`
 %%0 = stablehlo.fft %%a, type = RFFT, length = %s : (tensor<4x6xf32>) -> tensor<%s>
 return %%0 : tensor<%s>`, length, out, out)
	} else {
		body = fmt.Sprintf(`
 %%0 = stablehlo.fft %%z, type = %s, length = %s : (tensor<%s>) -> tensor<%s>
 return %%0 : tensor<%s>`, kind, length, in, out, out)
	}
	return complexes(kind+" "+length, body, out)
}

func complexBinary(op string) program {
	return complexes(op, fmt.Sprintf(` %%0 = stablehlo.%s %%z, %%w : tensor<4x6xcomplex<f32>>
 return %%0 : tensor<4x6xcomplex<f32>>`, op), "4x6xcomplex<f32>")
}

var complexPrograms = []program{
	complexes("unopened", ` %0, %1 = stablehlo.custom_call @tacet.unopened(%z, %a) : (tensor<4x6xcomplex<f32>>, tensor<4x6xf32>) -> (tensor<4x6xcomplex<f32>>, tensor<4x6xf32>)
 %k = stablehlo.constant dense<(0.5, -2.0)> : tensor<4x6xcomplex<f32>>
 %2 = stablehlo.custom_call @tacet.unopened(%k) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
 %3 = stablehlo.multiply %0, %2 : tensor<4x6xcomplex<f32>>
 %4 = stablehlo.complex %1, %b : tensor<4x6xcomplex<f32>>
 return %3, %4 : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "4x6xcomplex<f32> 4x6xcomplex<f32>"),
	complexBinary("add"), complexBinary("subtract"), complexBinary("multiply"),
	complexes("parts", ` %0 = stablehlo.multiply %z, %w : tensor<4x6xcomplex<f32>>
 %1 = stablehlo.real %0 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
 %2 = stablehlo.imag %0 : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
 %3 = stablehlo.abs %z : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xf32>
 %4 = chlo.conj %0 : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 return %1, %2, %3, %4 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xcomplex<f32>>`, "4x6xf32 4x6xf32 4x6xf32 4x6xcomplex<f32>"),
	complexes("quotient", ` %o = stablehlo.constant dense<(3.0, 1.0)> : tensor<4x6xcomplex<f32>>
 %1 = stablehlo.exponential %w : tensor<4x6xcomplex<f32>>
 %2 = stablehlo.divide %z, %o : tensor<4x6xcomplex<f32>>
 %3 = stablehlo.divide %o, %1 : tensor<4x6xcomplex<f32>>
 return %2, %1 : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "4x6xcomplex<f32> 4x6xcomplex<f32>"),
	complexes("functions", ` %o = stablehlo.constant dense<(9.0, 1.0)> : tensor<4x6xcomplex<f32>>
 %s = stablehlo.add %z, %o : tensor<4x6xcomplex<f32>>
 %2 = stablehlo.sqrt %s : tensor<4x6xcomplex<f32>>
 %3 = stablehlo.log %s : tensor<4x6xcomplex<f32>>
 return %2, %3 : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "4x6xcomplex<f32> 4x6xcomplex<f32>"),
	complexes("views", ` %0 = stablehlo.transpose %z, dims = [1, 0] : (tensor<4x6xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
 %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<6x4xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<6x6xcomplex<f32>>
 %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<6x4xcomplex<f32>>, tensor<6x6xcomplex<f32>>) -> tensor<6x10xcomplex<f32>>
 %c0 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
 %c1 = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
 %3 = stablehlo.reduce(%2 init: %c0) applies stablehlo.add across dimensions = [1] : (tensor<6x10xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
 %4 = stablehlo.reduce(%z init: %c1) applies stablehlo.multiply across dimensions = [0] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
 %5 = stablehlo.compare EQ, %z, %w, FLOAT : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xi1>
 %6 = stablehlo.select %5, %z, %w : tensor<4x6xi1>, tensor<4x6xcomplex<f32>>
 return %3, %4, %6 : tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "6xcomplex<f32> 6xcomplex<f32> 4x6xcomplex<f32>"),
	complexes("sines", ` %k = stablehlo.constant dense<(0.25, 0.0)> : tensor<4x6xcomplex<f32>>
 %s = stablehlo.multiply %z, %k : tensor<4x6xcomplex<f32>>
 %0 = stablehlo.sine %s : tensor<4x6xcomplex<f32>>
 %1 = stablehlo.cosine %s : tensor<4x6xcomplex<f32>>
 %2 = stablehlo.tan %s : tensor<4x6xcomplex<f32>>
 %3 = stablehlo.exponential_minus_one %s : tensor<4x6xcomplex<f32>>
 %4 = stablehlo.log_plus_one %s : tensor<4x6xcomplex<f32>>
 %5 = chlo.sinh %s : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 %6 = chlo.cosh %s : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 return %0, %1, %2, %3, %4, %5, %6 : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32>"),
	complexes("inverse sines", ` %k = stablehlo.constant dense<(0.25, 0.0)> : tensor<4x6xcomplex<f32>>
 %s = stablehlo.multiply %z, %k : tensor<4x6xcomplex<f32>>
 %0 = chlo.asinh %s : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 %1 = chlo.asin %s : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 %2 = chlo.acos %s : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 %3 = chlo.atanh %s : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 %4 = chlo.atan %s : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 return %0, %1, %2, %3, %4 : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32>"),
	complexes("order", ` %0 = stablehlo.maximum %z, %w : tensor<4x6xcomplex<f32>>
 %1 = stablehlo.minimum %z, %w : tensor<4x6xcomplex<f32>>
 %2 = stablehlo.complex %a, %b : tensor<4x6xcomplex<f32>>
 %3 = stablehlo.complex %a, %c : tensor<4x6xcomplex<f32>>
 %4 = stablehlo.maximum %2, %3 : tensor<4x6xcomplex<f32>>
 return %0, %1, %4 : tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "4x6xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32>"),
	complexes("sum of sums", ` %i = stablehlo.complex %b, %b : tensor<4x6xcomplex<f32>>
 %c0 = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
 %s = stablehlo.slice %w [0:1, 0:1] : (tensor<4x6xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
 %v = stablehlo.reshape %s : (tensor<1x1xcomplex<f32>>) -> tensor<complex<f32>>
 %0 = stablehlo.reduce(%i init: %v) applies stablehlo.add across dimensions = [1] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
 return %0 : tensor<4xcomplex<f32>>`, "4xcomplex<f32>"),
	complexes("linear algebra", ` %y = chlo.conj %z : tensor<4x6xcomplex<f32>> -> tensor<4x6xcomplex<f32>>
 %row = stablehlo.iota dim = 0 : tensor<4x4xi32>
 %column = stablehlo.iota dim = 1 : tensor<4x4xi32>
 %same = stablehlo.compare EQ, %row, %column : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
 %one = stablehlo.convert %same : (tensor<4x4xi1>) -> tensor<4x4xcomplex<f32>>
 %four = stablehlo.constant dense<(6.0, 0.0)> : tensor<4x4xcomplex<f32>>
 %turned = stablehlo.constant dense<(3.0, 4.0)> : tensor<4x4xcomplex<f32>>
 %i = stablehlo.multiply %one, %four : tensor<4x4xcomplex<f32>>
 %j = stablehlo.multiply %i, %turned : tensor<4x4xcomplex<f32>>
 %h = stablehlo.dot_general %z, %y, contracting_dims = [1] x [1] : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
 %m = stablehlo.add %h, %i : tensor<4x4xcomplex<f32>>
 %p = stablehlo.add %h, %j : tensor<4x4xcomplex<f32>>
 %l = stablehlo.cholesky %m, lower = true : tensor<4x4xcomplex<f32>>
 %u = stablehlo.cholesky %m, lower = false : tensor<4x4xcomplex<f32>>
 %0 = "stablehlo.triangular_solve"(%l, %w) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
 %1 = "stablehlo.triangular_solve"(%p, %w) <{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>}> : (tensor<4x4xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
 return %l, %u, %0, %1 : tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>`, "4x4xcomplex<f32> 4x4xcomplex<f32> 4x6xcomplex<f32> 4x6xcomplex<f32>"),
	fft("FFT", "4x6xcomplex<f32>", "4x6xcomplex<f32>", "[4, 6]"),
	fft("IFFT", "4x6xcomplex<f32>", "4x6xcomplex<f32>", "[6]"),
	fft("RFFT", "4x6xf32", "4x4xcomplex<f32>", "[4, 6]"),
	fft("IRFFT", "4x6xcomplex<f32>", "4x10xf32", "[4, 10]"),
	fft("IRFFT", "4x6xcomplex<f32>", "4x11xf32", "[11]"),
}

func TestComplexPrograms(t *testing.T) {
	runPrograms(t, complexPrograms, append([]setting{{"semi2k", 64, 18, 2, 2, []int{party.Public, 1, party.Public}}}, reduceSettings...))
}

// numbers are an array's elements as real numbers, of complex ones both parts.
func numbers(data any) []float64 {
	var out []float64
	switch z := data.(type) {
	case []complex64:
		for _, v := range z {
			out = append(out, float64(real(v)), float64(imag(v)))
		}
	case []complex128:
		for _, v := range z {
			out = append(out, real(v), imag(v))
		}
	}
	return out
}

// far reports whether numbers differ by more than a tolerance.
func far(got, want []float64, tol float64) bool {
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= tol*max(1, math.Abs(w))) {
			return true
		}
	}
	return false
}
