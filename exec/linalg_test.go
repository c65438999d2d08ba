package exec_test

import (
	"fmt"
	"testing"
)

// definite makes positive definite 3×3 matrices %m of %a.
const definite = `
%g = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x3xE>, tensor<2x3x3xE>) -> tensor<2x3x3xE>
%d = stablehlo.constant dense<[[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]]> : tensor<3x3xE>
%dd = stablehlo.broadcast_in_dim %d, dims = [1, 2] : (tensor<3x3xE>) -> tensor<2x3x3xE>
%m = stablehlo.add %g, %dd : tensor<2x3x3xE>
`

func replaced(text, e string) string {
	out := ""
	for i := range text {
		if text[i] == 'E' && i > 0 && text[i-1] == 'x' {
			out += e
		} else {
			out += text[i : i+1]
		}
	}
	return out
}

func TestCholesky(t *testing.T) {
	for _, lower := range []string{"true", "false"} {
		agree(t, program{name: "lower " + lower, args: "2x3x3xf32", outs: "2x3x3xf32", units: 60,
			body: replaced(definite, "f32") + "%0 = stablehlo.cholesky %m, lower = " + lower + " : tensor<2x3x3xf32>\nreturn %0 : tensor<2x3x3xf32>"},
			program{op: "stablehlo.cholesky", attrs: "lower = " + lower, args: "1x1xf32", outs: "1x1xf32", lo: 1, hi: 4},
			program{op: "stablehlo.cholesky", attrs: "lower = " + lower, args: "0x2x2xf32", outs: "0x2x2xf32"},
			program{name: "complex, lower " + lower, args: "2x2xf32 2x2xf32", outs: "2x2x" + c64, units: 60, body: `
%z = stablehlo.complex %a, %b : tensor<2x2xcomplex<f32>>
%y = chlo.conj %z : tensor<2x2xcomplex<f32>> -> tensor<2x2xcomplex<f32>>
%h = stablehlo.dot_general %z, %y, contracting_dims = [1] x [1] : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
%d = stablehlo.constant dense<[[(3.0, 0.0), (0.0, 0.0)], [(0.0, 0.0), (3.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
%m = stablehlo.add %h, %d : tensor<2x2xcomplex<f32>>
%0 = stablehlo.cholesky %m, lower = ` + lower + ` : tensor<2x2xcomplex<f32>>
return %0 : tensor<2x2xcomplex<f32>>`})
	}
}

func TestTriangularSolve(t *testing.T) {
	for _, left := range []bool{true, false} {
		for _, lower := range []bool{true, false} {
			for _, transpose := range []string{"NO_TRANSPOSE", "TRANSPOSE"} {
				for _, unit := range []bool{true, false} {
					rhs := map[bool]string{true: "2x3x4xf32", false: "2x4x3xf32"}[left]
					agree(t, program{name: fmt.Sprint(left, lower, transpose, unit), args: "2x3x3xf32 " + rhs, outs: rhs, units: 60, body: fmt.Sprintf(`
%%d = stablehlo.constant dense<[[3.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 3.0]]> : tensor<3x3xf32>
%%dd = stablehlo.broadcast_in_dim %%d, dims = [1, 2] : (tensor<3x3xf32>) -> tensor<2x3x3xf32>
%%h = stablehlo.constant dense<0.25> : tensor<2x3x3xf32>
%%q = stablehlo.multiply %%a, %%h : tensor<2x3x3xf32>
%%m = stablehlo.add %%q, %%dd : tensor<2x3x3xf32>
%%0 = "stablehlo.triangular_solve"(%%m, %%b) <{left_side = %v, lower = %v, transpose_a = #stablehlo<transpose %s>, unit_diagonal = %v}> : (tensor<2x3x3xf32>, tensor<%[5]s>) -> tensor<%[5]s>
return %%0 : tensor<%[5]s>`, left, lower, transpose, unit, rhs)})
				}
			}
			for _, transpose := range []string{"ADJOINT", "TRANSPOSE"} {
				agree(t, program{name: fmt.Sprint("complex ", left, lower, transpose), args: "2x2xf32 2x2xf32 2x2xf32", outs: "2x2x" + c64, units: 60, body: fmt.Sprintf(`
%%z = stablehlo.complex %%a, %%b : tensor<2x2xcomplex<f32>>
%%w = stablehlo.complex %%c, %%b : tensor<2x2xcomplex<f32>>
%%d = stablehlo.constant dense<[[(3.0, 4.0), (0.0, 0.0)], [(0.0, 0.0), (4.0, -3.0)]]> : tensor<2x2xcomplex<f32>>
%%m = stablehlo.add %%z, %%d : tensor<2x2xcomplex<f32>>
%%0 = "stablehlo.triangular_solve"(%%m, %%w) <{left_side = %v, lower = %v, transpose_a = #stablehlo<transpose %s>, unit_diagonal = false}> : (tensor<2x2xcomplex<f32>>, tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
return %%0 : tensor<2x2xcomplex<f32>>`, left, lower, transpose)})
			}
		}
	}
	agree(t, program{op: "stablehlo.triangular_solve", attrs: "left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true", args: "3x3xf32 3x0xf32", outs: "3x0xf32"})
}
