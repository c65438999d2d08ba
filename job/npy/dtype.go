package npy

import (
	"fmt"
	"strconv"

	"github.com/tacet-mpc/tacet/tensor"
)

// codes maps NumPy's names of the element types, without the byte order, to Tacet's.
var codes = map[string]tensor.DType{
	"b1": tensor.Bool,
	"i1": tensor.I8, "i2": tensor.I16, "i4": tensor.I32, "i8": tensor.I64,
	"u1": tensor.U8, "u2": tensor.U16, "u4": tensor.U32, "u8": tensor.U64,
	"f2": tensor.F16, "f4": tensor.F32, "f8": tensor.F64, "V2": tensor.BF16,
	"c8": tensor.C64, "c16": tensor.C128,
}

// parseDescr parses a header's 'descr', such as "<f4": byte order and type.
func parseDescr(s string) (d tensor.DType, big bool, err error) {
	code := s
	if s != "" {
		switch s[0] {
		case '>':
			big, code = true, s[1:]
		case '<', '=', '|':
			code = s[1:]
		}
	}
	d, ok := codes[code]
	if !ok {
		return d, big, fmt.Errorf("element type %q is not supported: save booleans, integers, floats or complex numbers", s)
	}
	return d, big, nil
}

// descr returns the 'descr' under which d is written, little-endian.
func descr(d tensor.DType) (string, error) {
	for code, t := range codes {
		if t != d {
			continue
		}
		if n, _ := strconv.Atoi(code[1:]); n == 1 {
			return "|" + code, nil
		}
		return "<" + code, nil
	}
	return "", fmt.Errorf("npy: write array: no NumPy type for %v", d)
}

// width returns the size of one element in a file, in bytes.
func width(d tensor.DType) int { return (d.Bits() + 7) / 8 }
