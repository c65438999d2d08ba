package tensor

import (
	"errors"
	"fmt"
)

// Check returns an error that says what is wrong with an array that a caller has put together: an invalid type, a
// negative dimension, or Data that is not a slice of the type's Go type with one element for each of the shape's. It
// returns nil for a valid array.
func (a *Array) Check() error {
	if a.DType == Invalid || int(a.DType) >= len(dtypeBits) {
		return errors.New("the array has no valid DType")
	}
	if err := a.Shape.Check(); err != nil {
		return err
	}
	n := a.Shape.Size()
	got, ok := dataLen(a.DType, a.Data)
	if !ok {
		return fmt.Errorf("Data is a %T, and %v is held in a %T", a.Data, a.DType, MakeData(a.DType, 0))
	}
	if got != n {
		return fmt.Errorf("Data has %d elements, and %v has %d", got, a.Type, n)
	}
	return nil
}

// dataLen is the length of a slice that belongs to d; ok is false of anything else.
func dataLen(d DType, data any) (n int, ok bool) {
	switch v := data.(type) {
	case []bool:
		return len(v), d == Bool
	case []int8:
		return len(v), d == I8
	case []int16:
		return len(v), d == I16
	case []int32:
		return len(v), d == I32
	case []int64:
		return len(v), d == I64
	case []uint8:
		return len(v), d == U8
	case []uint16:
		return len(v), d == U16 || d == F16 || d == BF16
	case []uint32:
		return len(v), d == U32
	case []uint64:
		return len(v), d == U64
	case []float32:
		return len(v), d == F32
	case []float64:
		return len(v), d == F64
	case []complex64:
		return len(v), d == C64
	case []complex128:
		return len(v), d == C128
	}
	return 0, false
}
