package hlo

// refusedOps are operations of StableHLO and chlo that Tacet does not support, with the reasons.
func refusedOps() (ops []opDef) {
	for hint, names := range map[string][]string{
		"tensors have static shapes here: export the program with concrete shapes": {
			"stablehlo.dynamic_conv", "stablehlo.dynamic_pad", "stablehlo.real_dynamic_slice", "stablehlo.set_dimension_size",
		},
		"a program's inputs are its arguments, its outputs its results": {
			"stablehlo.infeed", "stablehlo.outfeed", "stablehlo.send", "stablehlo.recv", "stablehlo.create_token", "stablehlo.after_all",
			"stablehlo.async_start", "stablehlo.async_done",
		},
		"return several results instead of a tuple": {"stablehlo.tuple", "stablehlo.get_tuple_element"},
		"export the program in floating point":      {"stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"},
		"write it as stablehlo.dot_general":         {"stablehlo.einsum", "stablehlo.unary_einsum", "chlo.ragged_dot"},
		"write it as stablehlo.all_reduce":          {"stablehlo.cross-replica-sum"},
		"write it as stablehlo.while":               {"chlo.scan"},
		"write it as stablehlo.constant":            {"chlo.constant_like"},
		"write it as stablehlo.select":              {"chlo.broadcast_select"},
		"write it as chlo.asin or chlo.acos":        {"chlo._asin_acos_kernel"},
		"recent versions of JAX do not print it":    {"stablehlo.trace", "stablehlo.compute_reshape_shape", "stablehlo.cstr_reshapable"},
	} {
		for _, name := range names {
			ops = append(ops, opDef{name: name, refusal: hint})
		}
	}
	return ops
}
