package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// attrDef describes one attribute of an operation.
type attrDef struct {
	name     string
	is       attrKind
	required bool
	fill     func(o *Op) any // the default, nil if there is none
}

// attrKind says what an attribute's value must be, brings the spellings that
// the text may use to one Go type, and prints that type.
type attrKind struct {
	want  string
	conv  func(v any) (any, bool)
	print func(w *printer, v any)
}

// required, optional and preset declare attributes: mandatory, optional, and with a default.
func required(name string, is attrKind) attrDef { return attrDef{name: name, is: is, required: true} }
func optional(name string, is attrKind) attrDef { return attrDef{name: name, is: is} }
func preset(name string, is attrKind, v any) attrDef {
	return attrDef{name: name, is: is, fill: func(*Op) any { return v }}
}

// perDim declares an integer list whose default is v for each dimension of operand 0, as counted by
// dims.
func perDim(name string, v int64, dims func(o *Op) int) attrDef {
	return attrDef{name: name, is: isInts, fill: func(o *Op) any {
		return slices.Repeat([]int64{v}, dims(o))
	}}
}

// exact accepts a value of Go type T as it is.
func exact[T any](want string, print func(w *printer, v any)) attrKind {
	return attrKind{want, func(v any) (any, bool) { _, ok := v.(T); return v, ok }, print}
}

var (
	isInt     = exact[int64]("an integer", (*printer).value)
	isInt32   = exact[int64]("an integer", func(w *printer, v any) { w.format("%d : i32", v) })
	isFlag    = exact[bool]("true or false", (*printer).value)
	isUnit    = exact[bool]("true or false", (*printer).unit)
	isText    = exact[string]("a string", (*printer).value)
	isSymbol  = exact[string]("a symbol such as @f", (*printer).symbol)
	isFloat   = exact[float64]("a float", func(w *printer, v any) { w.format("%s : f32", floatText(tensor.F32, v.(float64))) })
	isArray   = attrKind{"dense elements", toArray, (*printer).value}
	isValue   = attrKind{"dense elements", toValue, (*printer).value}
	isDict    = exact[map[string]any]("a dictionary", (*printer).value)
	isChannel = exact[map[string]any]("#stablehlo.channel_handle<…>", (*printer).channel)
	isDot     = exact[*DotDims]("#stablehlo.dot<…>", (*printer).value)
	isConv    = exact[*ConvDims]("#stablehlo.conv<…>", (*printer).value)
	isGather  = exact[*GatherDims]("#stablehlo.gather<…>", (*printer).value)
	isScatter = exact[*ScatterDims]("#stablehlo.scatter<…>", (*printer).value)
	isAny     = attrKind{"anything", func(v any) (any, bool) { return v, true }, (*printer).value}
	isInts    = attrKind{"a list of integers", toInts, (*printer).value}
	isPairs   = attrKind{"a list of integers", toInts, (*printer).pairs}
	isBools   = attrKind{"a list of booleans", toBools, (*printer).value}
	isList    = attrKind{"a list", toList, (*printer).value}
	isSymbols = attrKind{"a list", toList, func(w *printer, v any) { w.list(v.([]any), w.symbol) }}
	isLayouts = attrKind{"a list", toList, func(w *printer, v any) { w.list(v.([]any), w.layout) }}
)

// enum accepts one of the given names of an enumeration.
func enum(enumeration string, names ...string) attrKind {
	return attrKind{"one of " + strings.Join(names, ", "), func(v any) (any, bool) {
		e, ok := v.(Enum)
		return v, ok && slices.Contains(names, string(e))
	}, func(w *printer, v any) { w.enum(enumeration, v.(Enum)) }}
}

// enums accepts a list of the given names of an enumeration.
func enums(enumeration string, names ...string) attrKind {
	one := enum(enumeration, names...)
	return attrKind{"a list of " + strings.Join(names, ", "), func(v any) (any, bool) {
		items, ok := toList(v)
		if !ok {
			return nil, false
		}
		for _, item := range items.([]any) {
			if _, ok := one.conv(item); !ok {
				return nil, false
			}
		}
		return items, true
	}, func(w *printer, v any) { w.list(v.([]any), func(item any) { w.enum(enumeration, item.(Enum)) }) }}
}

// toArray converts dense elements to *tensor.Array.
func toArray(v any) (any, bool) {
	v = spelled(v)
	_, ok := v.(*tensor.Array)
	return v, ok
}

// toValue accepts the value of a constant.
func toValue(v any) (any, bool) {
	_, ok := constantOf(v)
	return v, ok
}

// toInts converts array<i64>, lists and dense elements to []int64.
func toInts(v any) (any, bool) {
	switch x := spelled(v).(type) {
	case []int64:
		return v, true // unchanged: a new any would be a new allocation
	case *tensor.Array:
		if !x.DType.IsInt() {
			return nil, false
		}
		out := make([]int64, x.Len())
		for i, w := range x.Words() {
			out[i] = int64(w)
		}
		return out, true
	}
	return nil, false
}

// toBools converts array<i1>, lists and dense elements to []bool.
func toBools(v any) (any, bool) {
	switch x := spelled(v).(type) {
	case []bool:
		return v, true
	case []int64:
		return []bool{}, len(x) == 0
	case *tensor.Array:
		d, ok := x.Data.([]bool)
		return d, ok
	}
	return nil, false
}

// toList converts lists to []any; lists of integers or booleans only if they are empty.
func toList(v any) (any, bool) {
	switch x := v.(type) {
	case []any:
		return v, true
	case []int64:
		return []any{}, len(x) == 0
	}
	return nil, false
}

// attr returns the description of the attribute with that name, nil if the operation has none.
func (d *opDef) attr(name string) *attrDef {
	for i := range d.attrs {
		if d.attrs[i].name == name {
			return &d.attrs[i]
		}
	}
	return nil
}

// conform converts an operation's attributes to their Go types, checks that none is missing, and
// fills in defaults.
func (d *opDef) conform(o *Op, at places) error {
	for _, a := range d.attrs {
		v, given := o.Attrs[a.name]
		switch {
		case given:
			conv, ok := a.is.conv(v)
			if !ok {
				return locate(fmt.Errorf("attribute %s must be %s", a.name, a.is.want), at.of(a.name), o.Name)
			}
			o.Attrs[a.name] = conv
		case a.required:
			return fmt.Errorf("attribute %s is missing", a.name)
		case a.fill != nil:
			o.Attrs[a.name] = a.fill(o)
		}
	}
	return nil
}
