package onnx

import (
	"fmt"
	"math"
	"strconv"
	"strings"
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
