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
	fill     func(o *Op) any // the default, nil where there is none
}

// attrKind says what an attribute's value must be, and brings the spellings
// that the text may use to one Go type.
type attrKind struct {
	want string
	conv func(v any) (any, bool)
}

// required, optional and preset declare attributes: one that must be given,
// one that may be missing, one with a default.
func required(name string, is attrKind) attrDef { return attrDef{name: name, is: is, required: true} }
func optional(name string, is attrKind) attrDef { return attrDef{name: name, is: is} }
func preset(name string, is attrKind, v any) attrDef {
	return attrDef{name: name, is: is, fill: func(*Op) any { return v }}
}

// perDim declares an integer list whose default is v for each dimension of
// operand 0, counted by dims.
func perDim(name string, v int64, dims func(o *Op) int) attrDef {
	return attrDef{name: name, is: isInts, fill: func(o *Op) any {
		return slices.Repeat([]int64{v}, dims(o))
	}}
}

// exact accepts a value of Go type T as it is.
func exact[T any](want string) attrKind {
	return attrKind{want, func(v any) (any, bool) { _, ok := v.(T); return v, ok }}
}

var (
	isInt    = exact[int64]("an integer")
	isFlag   = exact[bool]("true or false")
	isText   = exact[string]("a string")
	isSymbol = exact[string]("a symbol such as @f")
	isFloat  = exact[float64]("a float")
	isArray  = exact[*tensor.Array]("dense elements")
	isAny    = attrKind{"anything", func(v any) (any, bool) { return v, true }}
	isInts   = attrKind{"a list of integers", toInts}
	isBools  = attrKind{"a list of booleans", toBools}
	isList   = attrKind{"a list", toList}
)

// enum accepts one of the given names.
func enum(names ...string) attrKind {
	return attrKind{"one of " + strings.Join(names, ", "), func(v any) (any, bool) {
		e, ok := v.(Enum)
		return v, ok && slices.Contains(names, string(e))
	}}
}

// enums accepts a list of the given names.
func enums(names ...string) attrKind {
	one := enum(names...)
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
	}}
}

// toInts brings array<i64>, lists and dense elements to []int64.
func toInts(v any) (any, bool) {
	switch x := v.(type) {
	case []int64:
		return v, true // as it is: a new any would be a new allocation
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

// toBools brings array<i1>, lists and dense elements to []bool.
func toBools(v any) (any, bool) {
	switch x := v.(type) {
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

// toList brings lists to []any: those of integers or booleans only if empty.
func toList(v any) (any, bool) {
	switch x := v.(type) {
	case []any:
		return v, true
	case []int64:
		return []any{}, len(x) == 0
	}
	return nil, false
}

// attr finds an attribute's description; nil where the operation has none of
// that name.
func (d *opDef) attr(name string) *attrDef {
	for i := range d.attrs {
		if d.attrs[i].name == name {
			return &d.attrs[i]
		}
	}
	return nil
}

// conform brings an operation's attributes to their Go types, refuses what is
// missing, and fills in defaults.
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
