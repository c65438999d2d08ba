package eval

import "github.com/tacet-mpc/tacet/tensor"

// loop names a native loop over two slices.
type loop int

const (
	none loop = iota
	addLoop
	subLoop
	mulLoop
	divLoop // floats only
	maxLoop
	minLoop
	andLoop // integers only, like the next two
	orLoop
	xorLoop
)

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type float interface{ float32 | float64 }

// runLoop applies a loop to two arrays of one type. It returns nil if the loop does not support the
// type.
func runLoop(l loop, x, y *tensor.Array) *tensor.Array {
	var out any
	switch p := x.Data.(type) {
	case []float32:
		out = floatLoop(l, p, y.Data.([]float32))
	case []float64:
		out = floatLoop(l, p, y.Data.([]float64))
	case []int8:
		out = intLoop(l, p, y.Data.([]int8))
	case []int16:
		out = intLoop(l, p, y.Data.([]int16))
	case []int32:
		out = intLoop(l, p, y.Data.([]int32))
	case []int64:
		out = intLoop(l, p, y.Data.([]int64))
	case []uint8:
		out = intLoop(l, p, y.Data.([]uint8))
	case []uint16:
		if x.DType == tensor.U16 {
			out = intLoop(l, p, y.Data.([]uint16))
		}
	case []uint32:
		out = intLoop(l, p, y.Data.([]uint32))
	case []uint64:
		out = intLoop(l, p, y.Data.([]uint64))
	}
	if out == nil {
		return nil
	}
	return &tensor.Array{Type: x.Type, Data: out}
}

func floatLoop[T float](l loop, x, y []T) any {
	if l == divLoop {
		out := make([]T, len(x))
		for i, v := range x {
			out[i] = v / y[i]
		}
		return out
	}
	return numberLoop(l, x, y)
}

func intLoop[T integer](l loop, x, y []T) any {
	out := make([]T, len(x))
	y = y[:len(x)]
	switch l {
	case andLoop:
		for i, v := range x {
			out[i] = v & y[i]
		}
	case orLoop:
		for i, v := range x {
			out[i] = v | y[i]
		}
	case xorLoop:
		for i, v := range x {
			out[i] = v ^ y[i]
		}
	default:
		return numberLoop(l, x, y)
	}
	return out
}

// numberLoop computes with the rounding of T: each result is stored before it is used, so that no
// processor can fuse it into a multiply-add.
func numberLoop[T integer | float](l loop, x, y []T) any {
	out := make([]T, len(x))
	y = y[:len(x)]
	switch l {
	case addLoop:
		for i, v := range x {
			out[i] = v + y[i]
		}
	case subLoop:
		for i, v := range x {
			out[i] = v - y[i]
		}
	case mulLoop:
		for i, v := range x {
			out[i] = v * y[i]
		}
	case maxLoop:
		for i, v := range x {
			out[i] = max(v, y[i])
		}
	case minLoop:
		for i, v := range x {
			out[i] = min(v, y[i])
		}
	default:
		return nil
	}
	return out
}
