package exec_test

import (
	"fmt"
	"testing"
)

// spread adds numbers to %a that make its columns independent and its singular values different.
func spread(rows, columns int) string {
	numbers := "["
	for i := range rows {
		row := ""
		for j := range columns {
			row += fmt.Sprintf(", %.2f", float64((3*i*i+5*j*i+7*j+i)%13)/3-2+0.07*float64(i))
		}
		numbers += "[" + row[2:] + "], "
	}
	return fmt.Sprintf(`
%%k = stablehlo.constant dense<%[1]s]> : tensor<%[2]dx%[3]dxf32>
%%h = stablehlo.constant dense<0.25> : tensor<%[2]dx%[3]dxf32>
%%s = stablehlo.multiply %%a, %%h : tensor<%[2]dx%[3]dxf32>
%%m = stablehlo.add %%s, %%k : tensor<%[2]dx%[3]dxf32>
`, numbers[:len(numbers)-2], rows, columns)
}

func lapack(name string, rows, columns int, outs, body string) program {
	return program{name: name, args: fmt.Sprintf("%dx%dxf32", rows, columns), outs: outs, units: 2000, body: spread(rows, columns) + body}
}

func TestFactorizations(t *testing.T) {
	for _, s := range [][2]int{{4, 4}, {5, 3}, {3, 5}, {1, 1}} {
		m, n, k := s[0], s[1], min(s[0], s[1])
		agree(t, lapack(fmt.Sprint("getrf ", s), m, n, fmt.Sprintf("%dx%dxf32 %dxi32 i32", m, n, k), fmt.Sprintf(`
%%0:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%%m) {mhlo.backend_config = {}} : (tensor<%[1]dx%[2]dxf32>) -> (tensor<%[1]dx%[2]dxf32>, tensor<%[3]dxi32>, tensor<i32>)
return %%0#0, %%0#1, %%0#2 : tensor<%[1]dx%[2]dxf32>, tensor<%[3]dxi32>, tensor<i32>`, m, n, k)),
			lapack(fmt.Sprint("qr ", s), m, n, fmt.Sprintf("%dx%dxf32 %dxf32 %dx%dxf32", m, n, k, m, k), fmt.Sprintf(`
%%0:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%%m) {mhlo.backend_config = {}} : (tensor<%[1]dx%[2]dxf32>) -> (tensor<%[1]dx%[2]dxf32>, tensor<%[3]dxf32>)
%%1 = stablehlo.slice %%0#0 [0:%[1]d, 0:%[3]d] : (tensor<%[1]dx%[2]dxf32>) -> tensor<%[1]dx%[3]dxf32>
%%2 = stablehlo.custom_call @lapack_sorgqr_ffi(%%1, %%0#1) {mhlo.backend_config = {}} : (tensor<%[1]dx%[3]dxf32>, tensor<%[3]dxf32>) -> tensor<%[1]dx%[3]dxf32>
return %%0#0, %%0#1, %%2 : tensor<%[1]dx%[2]dxf32>, tensor<%[3]dxf32>, tensor<%[1]dx%[3]dxf32>`, m, n, k)))
	}
}

func TestEigen(t *testing.T) {
	for _, uplo := range "LU" {
		agree(t, lapack("syevd "+string(uplo), 3, 3, "3xf32 3x3xf32", fmt.Sprintf(`
%%t = stablehlo.transpose %%m, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
%%b = stablehlo.add %%m, %%t : tensor<3x3xf32>
%%0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%%b) {mhlo.backend_config = {mode = 86 : ui8, uplo = %d : ui8}} : (tensor<3x3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<i32>)
%%1 = stablehlo.broadcast_in_dim %%0#1, dims = [1] : (tensor<3xf32>) -> tensor<3x3xf32>
%%2 = stablehlo.multiply %%0#0, %%1 : tensor<3x3xf32>
%%3 = stablehlo.dot_general %%2, %%0#0, contracting_dims = [1] x [1] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
return %%0#1, %%3 : tensor<3xf32>, tensor<3x3xf32>`, uplo)))
	}
}

// TestSingular puts singular vectors and values together again; with all vectors their products are
// identities.
func TestSingular(t *testing.T) {
	for _, s := range [][2]int{{4, 3}, {2, 4}} {
		m, n, k := s[0], s[1], min(s[0], s[1])
		agree(t, lapack(fmt.Sprint("thin ", s), m, n, fmt.Sprintf("%dxf32 %dx%dxf32", k, m, n), fmt.Sprintf(`
%%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%%m) {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<%[1]dx%[2]dxf32>) -> (tensor<%[1]dx%[2]dxf32>, tensor<%[3]dxf32>, tensor<%[1]dx%[3]dxf32>, tensor<%[3]dx%[2]dxf32>, tensor<i32>)
%%1 = stablehlo.broadcast_in_dim %%0#1, dims = [1] : (tensor<%[3]dxf32>) -> tensor<%[1]dx%[3]dxf32>
%%2 = stablehlo.multiply %%0#2, %%1 : tensor<%[1]dx%[3]dxf32>
%%3 = stablehlo.dot_general %%2, %%0#3, contracting_dims = [1] x [0] : (tensor<%[1]dx%[3]dxf32>, tensor<%[3]dx%[2]dxf32>) -> tensor<%[1]dx%[2]dxf32>
return %%0#1, %%3 : tensor<%[3]dxf32>, tensor<%[1]dx%[2]dxf32>`, m, n, k)),
			lapack(fmt.Sprint("all ", s), m, n, fmt.Sprintf("%dxf32 %dx%dxf32 %dx%dxf32", k, m, m, n, n), fmt.Sprintf(`
%%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%%m) {mhlo.backend_config = {mode = 65 : ui8}} : (tensor<%[1]dx%[2]dxf32>) -> (tensor<%[1]dx%[2]dxf32>, tensor<%[3]dxf32>, tensor<%[1]dx%[1]dxf32>, tensor<%[2]dx%[2]dxf32>, tensor<i32>)
%%1 = stablehlo.dot_general %%0#2, %%0#2, contracting_dims = [0] x [0] : (tensor<%[1]dx%[1]dxf32>, tensor<%[1]dx%[1]dxf32>) -> tensor<%[1]dx%[1]dxf32>
%%2 = stablehlo.dot_general %%0#3, %%0#3, contracting_dims = [1] x [1] : (tensor<%[2]dx%[2]dxf32>, tensor<%[2]dx%[2]dxf32>) -> tensor<%[2]dx%[2]dxf32>
return %%0#1, %%1, %%2 : tensor<%[3]dxf32>, tensor<%[1]dx%[1]dxf32>, tensor<%[2]dx%[2]dxf32>`, m, n, k)),
			lapack(fmt.Sprint("values ", s), m, n, fmt.Sprintf("%dxf32", k), fmt.Sprintf(`
%%0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%%m) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<%[1]dx%[2]dxf32>) -> (tensor<%[1]dx%[2]dxf32>, tensor<%[3]dxf32>, tensor<%[1]dx%[1]dxf32>, tensor<%[2]dx%[2]dxf32>, tensor<i32>)
return %%0#1 : tensor<%[3]dxf32>`, m, n, k)))
	}
}

func TestCholeskyAndSolveInPlace(t *testing.T) {
	for _, uplo := range "LU" {
		agree(t, program{name: string(uplo), args: "2x3x3xf32 2x3x2xf32", outs: "2x3x3xf32 2xi32 2x3x2xf32", units: 200, body: replaced(definite, "f32") + fmt.Sprintf(`
%%0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%%m) {mhlo.backend_config = {uplo = %[1]d : ui8}} : (tensor<2x3x3xf32>) -> (tensor<2x3x3xf32>, tensor<2xi32>)
%%1 = stablehlo.custom_call @lapack_strsm_ffi(%%0#0, %%b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = %[1]d : ui8}} : (tensor<2x3x3xf32>, tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
return %%0#0, %%0#1, %%1 : tensor<2x3x3xf32>, tensor<2xi32>, tensor<2x3x2xf32>`, uplo)})
	}
}
