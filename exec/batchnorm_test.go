package exec_test

import "testing"

func TestBatchNorm(t *testing.T) {
	for _, index := range []string{"0", "1", "2"} {
		n := map[string]string{"0": "4", "1": "3", "2": "2"}[index] + "xf32"
		attrs := "epsilon = 3.0 : f32, feature_index = " + index + " : i64"
		agree(t, program{op: "stablehlo.batch_norm_inference", attrs: attrs, args: "4x3x2xf32 " + n + " " + n + " " + n + " " + n, outs: "4x3x2xf32", units: 40},
			program{op: "stablehlo.batch_norm_training", attrs: attrs, args: "4x3x2xf32 " + n + " " + n, outs: "4x3x2xf32 " + n + " " + n, units: 40},
			program{op: "stablehlo.batch_norm_grad", attrs: attrs, args: "4x3x2xf32 " + n + " " + n + " " + n + " 4x3x2xf32", outs: "4x3x2xf32 " + n + " " + n, units: 80})
	}
}
