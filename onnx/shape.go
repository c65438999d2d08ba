package onnx

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// ParseShape parses a shape such as "1x3x224x224". "" and "scalar" stand for the shape of a scalar.
func ParseShape(text string) ([]int, error) {
	shape := []int{}
	if text == "" || text == "scalar" {
		return shape, nil
	}
	for _, part := range strings.Split(text, "x") {
		n, err := strconv.ParseUint(part, 10, 31)
		if err != nil || n > math.MaxInt32 {
			return nil, fmt.Errorf("want a shape such as 1x3x224x224, got %q", text)
		}
		shape = append(shape, int(n))
	}
	return shape, nil
}

// FormatShape returns a shape as text that ParseShape reads, such as "1x3x224x224".
func FormatShape(shape []int) string {
	if len(shape) == 0 {
		return "scalar"
	}
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.Itoa(n)
	}
	return strings.Join(parts, "x")
}

// parseNumbers returns an array of the elements that a text lists in row-major order, separated by commas, or one for all elements.
func parseNumbers(text string, t tensor.Type) (*tensor.Array, error) {
	n, parts := t.Shape.Size(), strings.Split(text, ",")
	if len(parts) != n && len(parts) != 1 {
		return nil, fmt.Errorf("want %d elements of %v, got %d", n, t, len(parts))
	}
	floats, words := make([]float64, n), make([]uint64, n)
	for i := range n {
		if i > 0 && len(parts) == 1 {
			floats[i], words[i] = floats[0], words[0]
			continue
		}
		part := strings.TrimSpace(parts[i])
		var err error
		switch d := t.DType; {
		case d.IsFloat():
			floats[i], err = strconv.ParseFloat(part, 64)
		case d.IsSigned():
			var x int64
			x, err = strconv.ParseInt(part, 10, d.Bits())
			words[i] = uint64(x)
		case d.IsInt():
			words[i], err = strconv.ParseUint(part, 10, d.Bits())
		case d == tensor.Bool:
			var b bool
			if b, err = strconv.ParseBool(part); b {
				words[i] = 1
			}
		default:
			return nil, fmt.Errorf("numbers of %v cannot be given", d)
		}
		if err != nil {
			return nil, fmt.Errorf("element %d, %q, is no %v", i, part, t.DType)
		}
	}
	if t.DType.IsFloat() {
		return tensor.FromFloats(t.DType, t.Shape, floats), nil
	}
	return tensor.FromWords(t.DType, t.Shape, words), nil
}
