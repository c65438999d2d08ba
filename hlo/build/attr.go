package build

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkAttrs refuses attribute values that the registry's rules cannot look
// at: nil pointers and arrays whose elements do not fit their types.
func (b *Builder) checkAttrs(op string, attrs hlo.Attrs) bool {
	for _, name := range slices.Sorted(maps.Keys(attrs)) {
		if err := checkAttr(attrs[name]); err != nil {
			b.failIn(op, fmt.Sprintf("attribute %s %v", name, err), "give it a value of a type that hlo.Attrs lists")
			return false
		}
	}
	return true
}

func checkAttr(v any) error {
	switch v := v.(type) {
	case nil:
		return fmt.Errorf("is nil")
	case *tensor.Array:
		return checkArray(v)
	case *hlo.Splat:
		return checkSplat(v)
	case []any:
		for _, item := range v {
			if err := checkAttr(item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if err := checkAttr(v[name]); err != nil {
				return err
			}
		}
	case *hlo.DotDims, *hlo.ConvDims, *hlo.GatherDims, *hlo.ScatterDims:
		if reflect.ValueOf(v).IsNil() {
			return fmt.Errorf("is nil")
		}
	case int64, bool, float64, string, hlo.Enum, hlo.Opaque, tensor.Type, []int64, []bool:
	default:
		return fmt.Errorf("holds %T", v)
	}
	return nil
}

// checkSplat checks that a splat has one element of its type.
func checkSplat(s *hlo.Splat) error {
	if s == nil {
		return fmt.Errorf("is a nil splat")
	}
	if err := hlo.CheckType(s.Type); err != nil {
		return err
	}
	if err := checkArray(s.One); err != nil {
		return err
	}
	if len(s.One.Shape) != 0 || s.One.DType != s.Type.DType {
		return fmt.Errorf("repeats %v in %v", s.One.Type, s.Type)
	}
	return nil
}

// checkArray checks that an array has the elements that its type says.
func checkArray(a *tensor.Array) error {
	if a == nil {
		return fmt.Errorf("is a nil array")
	}
	if err := hlo.CheckType(a.Type); err != nil {
		return err
	}
	data, want := reflect.ValueOf(a.Data), reflect.TypeOf(tensor.MakeData(a.DType, 0))
	if !data.IsValid() || data.Type() != want {
		return fmt.Errorf("holds elements of type %T, but %v takes %v", a.Data, a.Type, want)
	}
	if data.Len() != a.Len() {
		return fmt.Errorf("holds %d elements, but %v has %d", data.Len(), a.Type, a.Len())
	}
	return nil
}
