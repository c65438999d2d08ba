package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// vhloAttrs lists the names of the attributes of VHLO's operations in the order of the properties.
// Operations of version 1 without attributes are omitted, and those of version 2 with result_accuracy alone.
var vhloAttrs = map[string][]string{
	"func_v1":                     words("arg_attrs function_type res_attrs sym_name sym_visibility"),
	"call_v1":                     words("callee"),
	"composite_v1":                words("composite_attributes decomposition name version"),
	"composite_v2":                words("composite_attributes decomposition name version"),
	"custom_call_v1":              words("api_version backend_config call_target_name called_computations has_side_effect operand_layouts output_operand_aliases result_layouts"),
	"constant_v1":                 words("value"),
	"iota_v1":                     words("iota_dimension"),
	"compare_v1":                  words("compare_type comparison_direction"),
	"reduce_precision_v1":         words("exponent_bits mantissa_bits"),
	"broadcast_v1":                words("broadcast_sizes"),
	"broadcast_in_dim_v1":         words("broadcast_dimensions"),
	"transpose_v1":                words("permutation"),
	"reverse_v1":                  words("dimensions"),
	"concatenate_v1":              words("dimension"),
	"pad_v1":                      words("edge_padding_high edge_padding_low interior_padding"),
	"slice_v1":                    words("limit_indices start_indices strides"),
	"dynamic_slice_v1":            words("slice_sizes"),
	"get_dimension_size_v1":       words("dimension"),
	"dynamic_iota_v1":             words("iota_dimension"),
	"dynamic_broadcast_in_dim_v1": words("broadcast_dimensions known_expanding_dimensions known_nonexpanding_dimensions"),
	"dynamic_gather_v1":           words("collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims start_index_map"),
	"dynamic_gather_v2":           words("collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims start_index_map start_indices_batching_dims"),
	"gather_v1":                   words("collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims slice_sizes start_index_map"),
	"gather_v2":                   words("collapsed_slice_dims index_vector_dim indices_are_sorted offset_dims operand_batching_dims slice_sizes start_index_map start_indices_batching_dims"),
	"scatter_v1":                  words("index_vector_dim indices_are_sorted inserted_window_dims scatter_dims_to_operand_dims unique_indices update_window_dims"),
	"scatter_v2":                  words("index_vector_dim indices_are_sorted input_batching_dims inserted_window_dims scatter_dims_to_operand_dims scatter_indices_batching_dims unique_indices update_window_dims"),
	"torch_index_select_v1":       words("batch_dims dim"),
	"reduce_v1":                   words("dimensions"),
	"reduce_window_v1":            words("base_dilations padding window_dilations window_dimensions window_strides"),
	"select_and_scatter_v1":       words("padding window_dimensions window_strides"),
	"map_v1":                      words("dimensions"),
	"sort_v1":                     words("dimension is_stable"),
	"dot_v1":                      words("precision_config"),
	"dot_general_v1":              words("lhs_batching_dimensions lhs_contracting_dimensions precision_config rhs_batching_dimensions rhs_contracting_dimensions"),
	"dot_general_v2":              words("accumulation_type allow_imprecise_accumulation lhs_batching_dimensions lhs_component_count lhs_contracting_dimensions lhs_precision_type num_primitive_operations precision_config rhs_batching_dimensions rhs_component_count rhs_contracting_dimensions rhs_precision_type"),
	"convolution_v1":              words("batch_group_count feature_group_count input_batch_dimension input_feature_dimension input_spatial_dimensions kernel_input_feature_dimension kernel_output_feature_dimension kernel_spatial_dimensions lhs_dilation output_batch_dimension output_feature_dimension output_spatial_dimensions padding precision_config rhs_dilation window_reversal window_strides"),
	"cholesky_v1":                 words("lower"),
	"triangular_solve_v1":         words("left_side lower transpose_a unit_diagonal"),
	"fft_v1":                      words("fft_length fft_type"),
	"batch_norm_training_v1":      words("epsilon feature_index"),
	"batch_norm_inference_v1":     words("epsilon feature_index"),
	"batch_norm_grad_v1":          words("epsilon feature_index"),
	"rng_v1":                      words("rng_distribution"),
	"rng_bit_generator_v1":        words("rng_algorithm"),
	"all_gather_v1":               words("all_gather_dim channel_id replica_groups use_global_device_ids"),
	"all_gather_v2":               words("all_gather_dim channel_id replica_groups use_global_device_ids"),
	"all_reduce_v1":               words("channel_id replica_groups use_global_device_ids"),
	"all_reduce_v2":               words("channel_id replica_groups use_global_device_ids"),
	"reduce_scatter_v1":           words("channel_id replica_groups scatter_dimension use_global_device_ids"),
	"all_to_all_v1":               words("channel_id concat_dimension replica_groups split_count split_dimension"),
	"all_to_all_v2":               words("channel_id concat_dimension replica_groups split_count split_dimension"),
	"collective_broadcast_v1":     words("channel_id replica_groups"),
	"collective_permute_v1":       words("channel_id source_target_pairs"),
}

// otherAttrs is the same for operations of other dialects; names with a question mark are optional.
func otherAttrs(name string) (list []string) {
	if d := registry[name]; d != nil {
		for _, a := range d.attrs {
			if a.required {
				list = append(list, a.name)
			} else {
				list = append(list, a.name+"?")
			}
		}
	}
	slices.Sort(list)
	return list
}

func words(s string) []string { return strings.Fields(s) }

// setAttrs sets an operation's attributes, converted from VHLO's form to StableHLO's.
func (a *artifact) setAttrs(d *draft, attrs []namedAttr) {
	raw := map[string]int{}
	for _, n := range attrs {
		raw[n.name] = n.value
	}
	if len(raw) != len(attrs) {
		a.stop("an attribute is given twice")
	}
	take := func(name string) any {
		i, ok := raw[name]
		if !ok {
			return nil
		}
		delete(raw, name)
		return a.attr(i)
	}
	set := func(name string, v any) { d.Attrs[name] = v }
	switch strings.TrimPrefix(d.Name, "stablehlo.") {
	case "dot_general":
		if _, flat := raw["lhs_contracting_dimensions"]; !flat {
			break
		}
		set("dot_dimension_numbers", &DotDims{
			LHSBatch: a.dims(raw, "lhs_batching_dimensions"), RHSBatch: a.dims(raw, "rhs_batching_dimensions"),
			LHSContract: a.dims(raw, "lhs_contracting_dimensions"), RHSContract: a.dims(raw, "rhs_contracting_dimensions"),
		})
		if s := dotAlgorithm(take); s != "" {
			set("algorithm", s)
		}
	case "convolution":
		set("dimension_numbers", &ConvDims{
			InBatch: a.dim(raw, "input_batch_dimension"), InFeature: a.dim(raw, "input_feature_dimension"), InSpatial: a.dims(raw, "input_spatial_dimensions"),
			KerIn: a.dim(raw, "kernel_input_feature_dimension"), KerOut: a.dim(raw, "kernel_output_feature_dimension"), KerSpatial: a.dims(raw, "kernel_spatial_dimensions"),
			OutBatch: a.dim(raw, "output_batch_dimension"), OutFeature: a.dim(raw, "output_feature_dimension"), OutSpatial: a.dims(raw, "output_spatial_dimensions"),
		})
	case "gather", "dynamic_gather":
		set("dimension_numbers", &GatherDims{
			OffsetDims: a.dims(raw, "offset_dims"), CollapsedSliceDims: a.dims(raw, "collapsed_slice_dims"),
			OperandBatchingDims: a.dims(raw, "operand_batching_dims"), StartIndicesBatchingDims: a.dims(raw, "start_indices_batching_dims"),
			StartIndexMap: a.dims(raw, "start_index_map"), IndexVectorDim: a.dim(raw, "index_vector_dim"),
		})
	case "scatter":
		set("scatter_dimension_numbers", &ScatterDims{
			UpdateWindowDims: a.dims(raw, "update_window_dims"), InsertedWindowDims: a.dims(raw, "inserted_window_dims"),
			InputBatchingDims: a.dims(raw, "input_batching_dims"), ScatterIndicesBatchingDims: a.dims(raw, "scatter_indices_batching_dims"),
			ScatterDimsToOperandDims: a.dims(raw, "scatter_dims_to_operand_dims"), IndexVectorDim: a.dim(raw, "index_vector_dim"),
		})
	case "compare":
		if v := take("compare_type"); v != nil && v != Enum("NOTYPE") {
			set("compare_type", v)
		}
	case "all_gather", "all_reduce", "reduce_scatter", "all_to_all", "collective_broadcast", "collective_permute":
		if id, _ := take("channel_id").(int64); id != 0 {
			set("channel_handle", map[string]any{"handle": id, "type": int64(0)})
		}
	}
	for name, i := range raw {
		a.setAttr(d, name, i)
	}
}

// setAttr sets an attribute that is equal in VHLO and StableHLO.
func (a *artifact) setAttr(d *draft, name string, i int) {
	def := d.def.attr(name)
	if def == nil && !strings.Contains(name, ".") {
		a.stop("unknown attribute %s", shorten(name))
	}
	v := a.attr(i)
	if def != nil && def.is.want != isValue.want {
		v = spelled(v)
	}
	if meansNone(name, v) {
		return
	}
	if arr, ok := v.(*tensor.Array); ok && def != nil && def.is.want == isInts.want && arr.DType.IsInt() {
		v = a.intsOf(i, arr)
	}
	d.Attrs[name] = v
}

// meansNone reports whether VHLO's value stands for an absent attribute of StableHLO.
func meansNone(name string, v any) bool {
	switch name {
	case "precision_config":
		list, ok := v.([]any)
		for _, p := range list {
			ok = ok && p == Enum("DEFAULT")
		}
		return ok || isEmpty(v)
	case "operand_layouts", "result_layouts", "output_operand_aliases":
		return isEmpty(v)
	}
	return false
}

func isEmpty(v any) bool { list, ok := v.([]int64); return ok && len(list) == 0 }

// intsOf returns dense attribute i as integers; the result is cached.
func (a *artifact) intsOf(i int, arr *tensor.Array) []int64 {
	v, ok := a.seen.ints[i]
	if !ok {
		list, _ := toInts(arr)
		v = list.([]int64)
		a.seen.ints[i] = v
	}
	return v
}

// dims sets a list of dimension numbers, empty if it is not given.
func (a *artifact) dims(raw map[string]int, name string) []int {
	i, ok := raw[name]
	if !ok {
		return nil
	}
	delete(raw, name)
	v := spelled(a.attr(i))
	if arr, ok := v.(*tensor.Array); ok && arr.DType.IsInt() && arr.Len() <= maxRank {
		v, _ = toInts(arr)
	}
	list, ok := v.([]int64)
	if !ok || len(list) > maxRank {
		a.stop("attribute %s must be a list of dimensions", name)
	}
	var out []int
	for _, v := range list {
		out = append(out, int(v))
	}
	return out
}

// dim sets a dimension number.
func (a *artifact) dim(raw map[string]int, name string) int {
	i, ok := raw[name]
	if !ok {
		a.stop("attribute %s is missing", name)
	}
	delete(raw, name)
	v, ok := a.attr(i).(int64)
	if !ok {
		a.stop("attribute %s must be an integer", name)
	}
	return int(v)
}

// dotAlgorithm formats the algorithm of a dot_general; "" if there is none.
func dotAlgorithm(take func(name string) any) Opaque {
	var fields []string
	none := true
	for _, name := range words("lhs_precision_type rhs_precision_type accumulation_type lhs_component_count rhs_component_count num_primitive_operations allow_imprecise_accumulation") {
		v := take(name)
		none = none && (v == nil || v == Opaque("none"))
		fields = append(fields, fmt.Sprintf("%s = %v", name, v))
	}
	if none {
		return ""
	}
	return Opaque("#stablehlo.dot_algorithm<" + strings.Join(fields, ", ") + ">")
}
