package hlo

import (
	"bufio"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// given returns whether o has an attribute of a name that differs from its
// default.
func (w *printer) given(o *Op) func(name string) bool {
	return func(name string) bool {
		v, ok := o.Attrs[name]
		a := w.def.attr(name)
		return ok && (a == nil || a.fill == nil || !reflect.DeepEqual(v, a.fill(o)))
	}
}

// attributeNames lists the attributes to print, sorted: the operation's own,
// or those of other dialects. Defaults are left out.
func (w *printer) attributeNames(o *Op, own bool) []string {
	var names []string
	given := w.given(o)
	for _, name := range slices.Sorted(maps.Keys(o.Attrs)) {
		if (w.def.attr(name) != nil) == own && given(name) {
			names = append(names, name)
		}
	}
	return names
}

// dictNames lists the attributes of the pretty form's {…}: those that no step
// of the form prints.
func (w *printer) dictNames(o *Op) []string {
	names := append(w.attributeNames(o, true), w.attributeNames(o, false)...)
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(w.def.form, func(s step) bool { return slices.Contains(s.attrs, name) })
	})
}

// hasAttributes reports whether attributes writes anything.
func (w *printer) hasAttributes(o *Op) bool { return len(w.dictNames(o)) > 0 }

// attributes writes the pretty form's {…}; nothing where it is empty.
func (w *printer) attributes(o *Op) {
	if names := w.dictNames(o); len(names) > 0 {
		w.token(" ")
		w.dictOf(o, names)
	}
}

// dictOf writes {a = 1, b = 2} of the named attributes.
func (w *printer) dictOf(o *Op, names []string) {
	w.token("{")
	for i, name := range names {
		if i > 0 {
			w.token(", ")
		}
		print := (*printer).value
		if a := w.def.attr(name); a != nil {
			print = a.is.print
		}
		w.entry(name, o.Attrs[name], print)
	}
	w.token("}")
}

// entry writes name = value; only the name of a unit attribute.
func (w *printer) entry(name string, v any, print func(w *printer, v any)) {
	key := name
	if !isName(strings.ReplaceAll(name, "-", "?")) {
		key = quote(name)
	}
	w.token(key)
	if v == true && strings.Contains(name, ".") {
		return
	}
	w.token(" = ")
	print(w, v)
}

// value writes an attribute whose Go type says what it is.
func (w *printer) value(v any) {
	switch v := v.(type) {
	case int64:
		w.format("%d : i64", v)
	case bool:
		w.format("%t", v)
	case float64:
		w.token(floatText(tensor.F64, v) + " : f64")
	case string:
		w.token(quote(v))
	case Opaque:
		w.token(string(v))
	case tensor.Type:
		w.token(v.String())
	case []int64:
		w.array("i64", v)
	case []bool:
		w.array("i1", v)
	case []any:
		w.list(v, w.value)
	case map[string]any:
		w.dict(v)
	case *tensor.Array:
		w.dense(v)
	case *Splat:
		w.token("dense<" + elementsText(v.One) + "> : " + v.Type.String())
	case *DotDims:
		w.fields("stablehlo.dot", "lhs_batching_dimensions", v.LHSBatch, "rhs_batching_dimensions", v.RHSBatch,
			"lhs_contracting_dimensions", v.LHSContract, "rhs_contracting_dimensions", v.RHSContract)
	case *ConvDims:
		w.token("#stablehlo.conv<" + v.labels() + ">")
	case *GatherDims:
		w.fields("stablehlo.gather", "offset_dims", v.OffsetDims, "collapsed_slice_dims", v.CollapsedSliceDims,
			"operand_batching_dims", v.OperandBatchingDims, "start_indices_batching_dims", v.StartIndicesBatchingDims,
			"start_index_map", v.StartIndexMap, "index_vector_dim", v.IndexVectorDim)
	case *ScatterDims:
		w.fields("stablehlo.scatter", "update_window_dims", v.UpdateWindowDims, "inserted_window_dims", v.InsertedWindowDims,
			"input_batching_dims", v.InputBatchingDims, "scatter_indices_batching_dims", v.ScatterIndicesBatchingDims,
			"scatter_dims_to_operand_dims", v.ScatterDimsToOperandDims, "index_vector_dim", v.IndexVectorDim)
	default:
		w.fail("an attribute of type %T has no text", v)
	}
}

// plain writes an integer, a boolean or an enumeration's value without its type.
func (w *printer) plain(v any) { w.format("%v", v) }

// brackets writes a list of integers or booleans without its type.
func (w *printer) brackets(v any) { w.token(bracketed(v)) }

// bracketed is [1, 2] of a slice.
func bracketed(v any) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ", ") }

// dimText is [1, 2].
func dimText(dims []int) string { return bracketed(dims) }

// array writes array<i64: 1, 2>.
func (w *printer) array(elem string, v any) {
	items := bracketed(v)
	if items = items[1 : len(items)-1]; items != "" {
		elem += ": "
	}
	w.token("array<" + elem + items + ">")
}

// list writes [a, b].
func (w *printer) list(items []any, print func(v any)) {
	w.token("[")
	for i, item := range items {
		if i > 0 {
			w.token(", ")
		}
		print(item)
	}
	w.token("]")
}

// dict writes {a = 1, b = 2}, sorted by name.
func (w *printer) dict(d map[string]any) {
	w.token("{")
	for i, name := range slices.Sorted(maps.Keys(d)) {
		if i > 0 {
			w.token(", ")
		}
		w.entry(name, d[name], (*printer).value)
	}
	w.token("}")
}

// unit writes a flag that is there or not.
func (w *printer) unit(any) { w.token("unit") }

// symbol writes @f or @"a name".
func (w *printer) symbol(v any) {
	s, ok := v.(string)
	if !ok {
		w.fail("a symbol is a %T, not a string", v)
	}
	if !isName(s) || strings.Contains(s, "-") {
		s = quote(s)
	}
	w.token("@" + s)
}

// enum writes #stablehlo<precision HIGH>, in the operation's dialect.
func (w *printer) enum(enumeration string, v Enum) {
	dialect, _, _ := strings.Cut(w.op.Name, ".")
	w.format("#%s<%s %s>", dialect, enumeration, v)
}

// channel writes a channel handle.
func (w *printer) channel(v any) {
	d := v.(map[string]any)
	w.format("#stablehlo.channel_handle<handle = %v, type = %v>", d["handle"], d["type"])
}

// pairs writes pairs of integers as dense elements of two columns.
func (w *printer) pairs(v any) {
	w.token("dense<")
	w.pairLists(v)
	w.format("> : tensor<%dx2xi64>", len(v.([]int64))/2)
}

// pairLists writes [[1, 2], [3, 4]].
func (w *printer) pairLists(v any) {
	var pairs []string
	for pair := range slices.Chunk(v.([]int64), 2) {
		pairs = append(pairs, bracketed(pair))
	}
	w.token("[" + strings.Join(pairs, ", ") + "]")
}

// layout writes a layout: dense indices.
func (w *printer) layout(v any) {
	a, ok := spelled(v).(*tensor.Array)
	if !ok || a.DType != tensor.I64 {
		w.value(v)
		return
	}
	w.token("dense<" + elementsText(a) + "> : tensor<" + a.Shape.String() + "xindex>")
}

// fields writes #name<field = …, field = …> of pairs of a name and dimension
// numbers, without empty lists and zeros.
func (w *printer) fields(name string, pairs ...any) {
	var fields []string
	for pair := range slices.Chunk(pairs, 2) {
		switch v := pair[1].(type) {
		case []int:
			if len(v) > 0 {
				fields = append(fields, pair[0].(string)+" = "+dimText(v))
			}
		case int:
			if v != 0 {
				fields = append(fields, pair[0].(string)+" = "+strconv.Itoa(v))
			}
		}
	}
	w.token("#" + name + "<" + strings.Join(fields, ", ") + ">")
}

// labels is [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
func (d *ConvDims) labels() string {
	side := func(first string, at int, second string, at2 int, spatial []int) string {
		labels := make([]string, len(spatial)+2)
		labels[at], labels[at2] = first, second
		for i, s := range spatial {
			labels[s] = strconv.Itoa(i)
		}
		return "[" + strings.Join(labels, ", ") + "]"
	}
	return side("b", d.InBatch, "f", d.InFeature, d.InSpatial) + "x" +
		side("i", d.KerIn, "o", d.KerOut, d.KerSpatial) + "->" + side("b", d.OutBatch, "f", d.OutFeature, d.OutSpatial)
}

// attrText is the text of an attribute of another dialect.
func attrText(v any) (text Opaque, err error) {
	if text, ok := v.(Opaque); ok {
		return text, nil
	}
	var b strings.Builder
	w := &printer{out: bufio.NewWriter(&b), op: &Op{}}
	w.value(v)
	if w.err != nil {
		return "", fmt.Errorf("a value of type %T has no text", v)
	}
	err = w.out.Flush()
	return Opaque(b.String()), err
}
