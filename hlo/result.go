package hlo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// Infer checks an operation as Check does, and creates its results if it has none: their number and types follow from
// name, operands, attributes, regions and callee. The results have neither names nor numbers. Attributes of other
// dialects become Opaque text, as Parse keeps them.
//
// Infer returns an error if the types do not follow: stablehlo.convert, iota, reshape, broadcast_in_dim and the like
// need results of the types wanted. Products (dot, dot_general, convolution) get operand 0's element type.
func (o *Op) Infer() error {
	def, err := find(o.Name)
	if err != nil {
		return err
	}
	if err := def.counts(len(o.Operands), max(len(o.Results), def.results.min), len(o.Regions)); err != nil {
		return err
	}
	if err := first(def.known(o), o.checkResults()); err != nil {
		return err
	}
	if len(o.Results) == 0 && def.free {
		return fmt.Errorf("its operands do not determine the result types: give them")
	}
	if len(o.Results) == 0 {
		for _, t := range def.inferred(o) {
			o.Results = append(o.Results, &Value{Type: t})
		}
	}
	if err := o.Check(); err != nil {
		return err
	}
	if o.Callee != nil {
		if err := o.fits(o.Callee); err != nil {
			return err
		}
	}
	return o.checkResults()
}

// checkResults refuses result types that programs cannot have.
func (o *Op) checkResults() error {
	for i := range o.Results {
		if err := CheckType(o.out(i)); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
	}
	return nil
}

// inferred lists the results of an operation without results, as the field
// infer does.
func (d *opDef) inferred(o *Op) []tensor.Type {
	if d.infer == nil {
		return make([]tensor.Type, d.results.min)
	}
	return d.infer(o)
}

// known refuses attributes that the operation does not have, and brings those
// of other dialects to their text.
func (d *opDef) known(o *Op) error {
	for _, name := range slices.Sorted(maps.Keys(o.Attrs)) {
		switch v := o.Attrs[name]; {
		case d.attr(name) != nil:
		case !strings.Contains(name, "."):
			return fmt.Errorf("unknown attribute %s", shorten(name))
		case v != true:
			text, err := attrText(v)
			if err != nil {
				return fmt.Errorf("attribute %s: %w", name, err)
			}
			o.Attrs[name] = text
		}
	}
	return nil
}

// RegionParams returns the parameter types that a region of the operation must have. They follow from the operands.
// It returns an error if the operation is unknown or has a wrong number of operands.
func (o *Op) RegionParams() ([]tensor.Type, error) {
	def, err := find(o.Name)
	if err != nil {
		return nil, err
	}
	if !def.operands.has(len(o.Operands)) {
		return nil, fmt.Errorf("has %d operands, but takes %v", len(o.Operands), def.operands)
	}
	return def.paramTypes(o), nil
}

// paramTypes are the parameter types of a region.
func (d *opDef) paramTypes(o *Op) []tensor.Type {
	if d.params == nil {
		return nil
	}
	return d.params(o)
}

// CheckType returns an error for a type that programs cannot have: one without an element type, with more than 64
// dimensions, with a negative dimension, or with a dimension or a number of elements above 2^40.
func CheckType(t tensor.Type) error {
	if _, err := tensor.ParseDType(t.DType.String()); err != nil {
		return fmt.Errorf("there is no element type %v", t.DType)
	}
	if len(t.Shape) > maxRank {
		return fmt.Errorf("has %d dimensions, more than %d", len(t.Shape), maxRank)
	}
	for _, n := range t.Shape {
		if n > tensor.MaxElements {
			return fmt.Errorf("dimension %d is larger than 2^40", n)
		}
	}
	return t.Shape.Check()
}
