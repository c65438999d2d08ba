package party_test

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// definite makes two positive definite 4×4 matrices of %a.
const definite = `
 %g = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
 %i = stablehlo.iota dim = 1 : tensor<2x4x4xi32>
 %j = stablehlo.iota dim = 2 : tensor<2x4x4xi32>
 %e = stablehlo.compare EQ, %i, %j, SIGNED : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
 %d = stablehlo.convert %e : (tensor<2x4x4xi1>) -> tensor<2x4x4xf32>
 %m = stablehlo.add %g, %d : tensor<2x4x4xf32>`

func cholesky(lower bool) program {
	return program{name: fmt.Sprintf("cholesky lower=%v", lower), args: "2x4x4xf32", outs: "2x4x4xf32", tol: 1e-3, body: definite + fmt.Sprintf(`
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
		out = append(out, program{name: "potrf and trsm " + string(uplo), args: "2x4x4xf32 2x4x3xf32", outs: "2x4x4xf32 2xi32 2x4x3xf32", tol: 3e-3, body: definite + fmt.Sprintf(`
 %%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%%m) {mhlo.backend_config = {uplo = %[1]d : ui8}} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2xi32>)
 %%1 = stablehlo.custom_call @lapack_strsm_ffi(%%0#0, %%b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = %[1]d : ui8}} : (tensor<2x4x4xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
 return %%0#0, %%0#1, %%1 : tensor<2x4x4xf32>, tensor<2xi32>, tensor<2x4x3xf32>`, uplo)})
	}
	return out
}

var linalgSettings = append([]setting{
	{"semi2k", 64, 18, 2, 2, []int{party.Public, 1}},
	{"semi2k", 64, 18, 2, 2, []int{1, 0}},
}, reduceSettings...)

func TestLinalgPrograms(t *testing.T) { runPrograms(t, linalgPrograms(), linalgSettings) }
