package party_test

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// definite makes two positive definite 4×4 matrices of %a and %b.
const definite = `
 %ab = stablehlo.add %a, %b : tensor<2x4x4xf32>
 %g = stablehlo.dot_general %ab, %ab, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
 %i = stablehlo.iota dim = 1 : tensor<2x4x4xi32>
 %j = stablehlo.iota dim = 2 : tensor<2x4x4xi32>
 %e = stablehlo.compare EQ, %i, %j, SIGNED : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
 %d = stablehlo.convert %e : (tensor<2x4x4xi1>) -> tensor<2x4x4xf32>
 %m = stablehlo.add %g, %d : tensor<2x4x4xf32>`

func cholesky(lower bool) program {
	return program{name: fmt.Sprintf("cholesky lower=%v", lower), args: "2x4x4xf32 2x4x4xf32", outs: "2x4x4xf32", tol: 1e-3, body: definite + fmt.Sprintf(`
 %%0 = stablehlo.cholesky %%m, lower = %v : tensor<2x4x4xf32>
 return %%0 : tensor<2x4x4xf32>`, lower)}
}

// solve solves equations with a triangle of 2·I + a/2, or of a/4 beside ones.
func solve(left, lower, unit bool, transpose string) program {
	rhs := "2x4x3xf32"
	if !left {
		rhs = "2x3x4xf32"
	}
	diagonal := "%d2"
	if unit {
		diagonal = "%zero" // not read
	}
	return program{name: fmt.Sprint("solve ", left, lower, unit, transpose), args: "2x4x4xf32 " + rhs, outs: rhs, tol: 2e-3, body: fmt.Sprintf(`
 %%i = stablehlo.iota dim = 1 : tensor<2x4x4xi32>
 %%j = stablehlo.iota dim = 2 : tensor<2x4x4xi32>
 %%e = stablehlo.compare EQ, %%i, %%j, SIGNED : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
 %%d = stablehlo.convert %%e : (tensor<2x4x4xi1>) -> tensor<2x4x4xf32>
 %%d1 = stablehlo.add %%d, %%d : tensor<2x4x4xf32>
 %%d2 = stablehlo.add %%d1, %%d : tensor<2x4x4xf32>
 %%zero = stablehlo.subtract %%d, %%d : tensor<2x4x4xf32>
 %%h = stablehlo.constant dense<0.25> : tensor<2x4x4xf32>
 %%a1 = stablehlo.multiply %%a, %%h : tensor<2x4x4xf32>
 %%m = stablehlo.add %%a1, %s : tensor<2x4x4xf32>
 %%0 = "stablehlo.triangular_solve"(%%m, %%b) <{left_side = %v, lower = %v, transpose_a = #stablehlo<transpose %s>, unit_diagonal = %v}> : (tensor<2x4x4xf32>, tensor<%s>) -> tensor<%s>
 return %%0 : tensor<%s>`, diagonal, left, lower, transpose, unit, rhs, rhs, rhs)}
}

func linalgPrograms() []program {
	out := []program{cholesky(true), cholesky(false)}
	for _, left := range []bool{true, false} {
		for _, lower := range []bool{true, false} {
			out = append(out, solve(left, lower, lower, "NO_TRANSPOSE"), solve(left, lower, !lower, "TRANSPOSE"))
		}
	}
	for _, uplo := range "LU" {
		out = append(out, program{name: "potrf and trsm " + string(uplo), args: "2x4x4xf32 2x4x4xf32 2x4x3xf32", outs: "2x4x4xf32 2xi32 2x4x3xf32", tol: 1e-2, body: definite + fmt.Sprintf(`
 %%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%%m) {mhlo.backend_config = {uplo = %[1]d : ui8}} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>)
 %%1 = stablehlo.custom_call @lapack_strsm_ffi(%%0#0, %%c) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = %[1]d : ui8}} : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
 return %%0#0, %%0#1, %%1 : tensor<2x4x4xf32>, tensor<2xi32>, tensor<2x4x3xf32>`, uplo)})
	}
	return out
}

var linalgSettings = append([]setting{
	{"semi2k", 64, 18, 2, 2, []int{party.Public, 1}},
	{"semi2k", 64, 18, 2, 2, []int{1, 0, party.Public}},
}, reduceSettings...)

func TestLinalgPrograms(t *testing.T) { runPrograms(t, linalgPrograms(), linalgSettings) }

func lapack(name, args, outs, body string) program {
	return program{name: name, args: args, outs: outs, tol: 5e-3, body: body}
}

var lapackPrograms = []program{
	lapack("getrf", "2x4x4xf32 2x4x4xf32", "2x4x4xf32 2x4xi32 2xi32", definiteless("4x4")+`
 %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%m) {mhlo.backend_config = {}} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>)
 return %0#0, %0#1, %0#2 : tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>`),
	qr("4x4"), qr("5x3"), qr("3x5"),
	lapack("syevd", "2x4x4xf32 2x4x4xf32", "2x4xf32 2x4x4xf32", definiteless("4x4")+`
 %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%m) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2xi32>)
 %1 = stablehlo.broadcast_in_dim %0#1, dims = [0, 2] : (tensor<2x4xf32>) -> tensor<2x4x4xf32>
 %2 = stablehlo.multiply %0#0, %1 : tensor<2x4x4xf32>
 %3 = stablehlo.dot_general %2, %0#0, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
 return %0#1, %3 : tensor<2x4xf32>, tensor<2x4x4xf32>`),
	svd("4x3", "4x3", "3x3"), svd("2x4", "2x2", "2x4"),
	singular(4, 2), svdOfAll(4, 2), svdOfAll(2, 3),
	lapack("getrf tall", "2x5x3xf32 2x5x3xf32", "2x5x3xf32 2x3xi32 2xi32", definiteless("5x3")+`
 %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%m) {mhlo.backend_config = {}} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
 return %0#0, %0#1, %0#2 : tensor<2x5x3xf32>, tensor<2x3xi32>, tensor<2xi32>`),
	{name: "getrf of large pivots", args: "2x4x4xf32 2x4x4xf32", outs: "2x4x4xf32 2x4x4xf32", tol: 1e-3, body: definiteless("4x4") + `
 %big = stablehlo.constant dense<524288.0> : tensor<2x4x4xf32>
 %large = stablehlo.multiply %m, %big : tensor<2x4x4xf32>
 %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%large) {mhlo.backend_config = {}} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xi32>, tensor<2xi32>)
 %1 = "stablehlo.triangular_solve"(%0#0, %large) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
 return %0#0, %1 : tensor<2x4x4xf32>, tensor<2x4x4xf32>`},
	lapack("getrf wide", "2x3x5xf32 2x3x5xf32", "2x3x5xf32 2x3xi32 2xi32", definiteless("3x5")+`
 %0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%m) {mhlo.backend_config = {}} : (tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3xi32>, tensor<2xi32>)
 return %0#0, %0#1, %0#2 : tensor<2x3x5xf32>, tensor<2x3xi32>, tensor<2xi32>`),
}

// qr multiplies the factors again.
func qr(shape string) program {
	var m, n int
	fmt.Sscanf(shape, "%dx%d", &m, &n)
	k := min(m, n)
	return lapack("qr "+shape, fmt.Sprintf("2x%[1]sxf32 2x%[1]sxf32", shape), fmt.Sprintf("2x%[1]sxf32 2x%[2]dxf32 2x%[3]dx%[2]dxf32", shape, k, m), definiteless(shape)+fmt.Sprintf(`
 %%0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%%m) {mhlo.backend_config = {}} : (tensor<2x%[1]sxf32>) -> (tensor<2x%[1]sxf32>, tensor<2x%[2]dxf32>)
 %%1 = stablehlo.slice %%0#0 [0:2, 0:%[3]d, 0:%[2]d] : (tensor<2x%[1]sxf32>) -> tensor<2x%[3]dx%[2]dxf32>
 %%2 = stablehlo.custom_call @lapack_sorgqr_ffi(%%1, %%0#1) {mhlo.backend_config = {}} : (tensor<2x%[3]dx%[2]dxf32>, tensor<2x%[2]dxf32>) -> tensor<2x%[3]dx%[2]dxf32>
 return %%0#0, %%0#1, %%2 : tensor<2x%[1]sxf32>, tensor<2x%[2]dxf32>, tensor<2x%[3]dx%[2]dxf32>`, shape, k, m))
}

// svd puts the factors together again.
func svd(a, u, v string) program {
	var k, n int
	fmt.Sscanf(v, "%dx%d", &k, &n)
	return lapack("svd "+a, fmt.Sprintf("2x%[1]sxf32 2x%[1]sxf32", a), fmt.Sprintf("2x%[2]dxf32 2x%[1]sxf32", a, k), definiteless(a)+fmt.Sprintf(`
 %%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%%m) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x%[1]sxf32>) -> (tensor<2x%[1]sxf32>, tensor<2x%[4]dxf32>, tensor<2x%[2]sxf32>, tensor<2x%[3]sxf32>, tensor<2xi32>)
 %%1 = stablehlo.broadcast_in_dim %%0#1, dims = [0, 2] : (tensor<2x%[4]dxf32>) -> tensor<2x%[2]sxf32>
 %%2 = stablehlo.multiply %%0#2, %%1 : tensor<2x%[2]sxf32>
 %%3 = stablehlo.dot_general %%2, %%0#3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x%[2]sxf32>, tensor<2x%[3]sxf32>) -> tensor<2x%[1]sxf32>
 return %%0#1, %%3 : tensor<2x%[4]dxf32>, tensor<2x%[1]sxf32>`, a, u, v, k))
}

// svdOfAll asks for as many singular vectors as rows and columns: products of
// their matrices with the transposed ones are identities.
func svdOfAll(m, n int) program {
	a, k := fmt.Sprintf("%dx%d", m, n), min(m, n)
	return lapack("svd with all vectors "+a, fmt.Sprintf("2x%[1]sxf32 2x%[1]sxf32", a), fmt.Sprintf("2x%dxf32 2x%[2]dx%[2]dxf32 2x%[3]dx%[3]dxf32", k, m, n), definiteless(a)+fmt.Sprintf(`
 %%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%%m) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<2x%[1]sxf32>) -> (tensor<2x%[1]sxf32>, tensor<2x%[2]dxf32>, tensor<2x%[3]dx%[3]dxf32>, tensor<2x%[4]dx%[4]dxf32>, tensor<2xi32>)
 %%1 = stablehlo.dot_general %%0#2, %%0#2, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x%[3]dx%[3]dxf32>, tensor<2x%[3]dx%[3]dxf32>) -> tensor<2x%[3]dx%[3]dxf32>
 %%2 = stablehlo.dot_general %%0#3, %%0#3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x%[4]dx%[4]dxf32>, tensor<2x%[4]dx%[4]dxf32>) -> tensor<2x%[4]dx%[4]dxf32>
 return %%0#1, %%1, %%2 : tensor<2x%[2]dxf32>, tensor<2x%[3]dx%[3]dxf32>, tensor<2x%[4]dx%[4]dxf32>`, a, k, m, n))
}

// singular asks for singular values alone, as LAPACK's mode N does: with
// results for vectors that are larger than those there are.
func singular(m, n int) program {
	a, k := fmt.Sprintf("%dx%d", m, n), min(m, n)
	return lapack("singular values "+a, fmt.Sprintf("2x%[1]sxf32 2x%[1]sxf32", a), fmt.Sprintf("2x%dxf32", k), definiteless(a)+fmt.Sprintf(`
 %%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%%m) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<2x%[1]sxf32>) -> (tensor<2x%[1]sxf32>, tensor<2x%[2]dxf32>, tensor<2x%[3]dx%[3]dxf32>, tensor<2x%[4]dx%[4]dxf32>, tensor<2xi32>)
 return %%0#1 : tensor<2x%[2]dxf32>`, a, k, m, n))
}

// definiteless adds numbers to %a that make its columns independent.
func definiteless(s string) string {
	var rows, columns int
	fmt.Sscanf(s, "%dx%d", &rows, &columns)
	numbers := "["
	for b := range 2 {
		numbers += "["
		for i := range rows {
			row := ""
			for j := range columns {
				if j > 0 {
					row += ", "
				}
				row += fmt.Sprintf("%.2f", float64((3*i*i+5*j*i+7*j+11*b+i)%13)/3-2+0.07*float64(i))
			}
			if i > 0 {
				numbers += ", "
			}
			numbers += "[" + row + "]"
		}
		numbers += "]"
		if b == 0 {
			numbers += ", "
		}
	}
	numbers += "]"
	return fmt.Sprintf(`
 %%k = stablehlo.constant dense<%s> : tensor<2x%sxf32>
 %%h = stablehlo.constant dense<0.25> : tensor<2x%sxf32>
 %%ab = stablehlo.add %%a, %%b : tensor<2x%sxf32>
 %%s = stablehlo.multiply %%ab, %%h : tensor<2x%sxf32>
 %%m = stablehlo.add %%s, %%k : tensor<2x%sxf32>`, numbers, s, s, s, s, s)
}

func TestLapackPrograms(t *testing.T) { runPrograms(t, lapackPrograms, reduceSettings[:2]) }
