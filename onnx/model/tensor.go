package model

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/tensor"
)

// Tensor is a constant tensor of a file. Its content is read on demand.
type Tensor struct {
	Name string
	Elem int32 // element type, a number of TensorProto.DataType
	Dims []int64
	Raw  *Blob // content in little-endian order; nil if one of the lists below has it
	// External says where another file has the content: keys location, offset, length. It is nil for none. An
	// importer replaces it by Raw.
	External map[string]string

	floats  *Blob // float_data; of complex numbers both parts
	doubles *Blob // double_data
	ints    []int64
	uints   []int64
	one     []float32 // float_data that is not packed
	oneF64  []float64 // double_data that is not packed
	segment bool      // the tensor is a segment of a larger one

	Strings []string // string_data
}

// ElemString is the number of TensorProto.DataType for texts.
const ElemString = 8

// dtypes are the element types that Tacet has too, by their numbers in TensorProto.DataType.
var dtypes = map[int32]tensor.DType{
	1: tensor.F32, 2: tensor.U8, 3: tensor.I8, 4: tensor.U16, 5: tensor.I16, 6: tensor.I32, 7: tensor.I64, 9: tensor.Bool,
	10: tensor.F16, 11: tensor.F64, 12: tensor.U32, 13: tensor.U64, 14: tensor.C64, 15: tensor.C128, 16: tensor.BF16,
}

// elemNames are the names of all element types.
var elemNames = []string{"undefined", "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "double",
	"uint32", "uint64", "complex64", "complex128", "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "uint4", "int4",
	"float4e2m1", "float8e8m0", "uint2", "int2"}

// ElemName returns the name of elem, a number of TensorProto.DataType, such as "float".
func ElemName(elem int32) string {
	if elem >= 0 && int(elem) < len(elemNames) {
		return elemNames[elem]
	}
	return fmt.Sprintf("element type %d", elem)
}

// DType returns Tacet's element type for elem, a number of TensorProto.DataType. It returns an error if Tacet lacks the
// type.
func DType(elem int32) (tensor.DType, error) {
	if d, ok := dtypes[elem]; ok {
		return d, nil
	}
	return tensor.Invalid, fmt.Errorf("Tacet has no elements of type %s", ElemName(elem))
}

// Elem returns the number of TensorProto.DataType for d.
func Elem(d tensor.DType) int32 {
	for elem, t := range dtypes {
		if t == d {
			return elem
		}
	}
	return 0
}

// float reads a float of four bytes.
func (c *cursor) float() float32 { return math.Float32frombits(c.fixed32()) }

func (c *cursor) tensor(wire int, name string, index int) *Tensor {
	t := &Tensor{}
	c.path = append(c.path, step{name, index})
	c.want(wire, wireBytes)
	n, outer := c.length(), c.end
	c.end = c.pos + n
	c.tensorFields(t)
	c.end = outer
	c.path = c.path[:len(c.path)-1]
	return t
}

// tensorFields reads the fields of the message that ends at c.end.
func (c *cursor) tensorFields(t *Tensor) {
	c.each(func(field, wire int) bool {
		switch field {
		case 1:
			t.Dims = c.varints(t.Dims, wire)
			c.dimensions(len(t.Dims))
		case 2:
			t.Elem = int32(c.int(wire))
		case 3:
			t.segment = true
			return false
		case 4:
			if wire == wireFixed32 {
				t.one = append(t.one, c.float())
			} else {
				c.want(wire, wireBytes)
				c.once(t.floats)
				t.floats = c.blob()
			}
		case 5:
			t.ints = c.varints(t.ints, wire)
		case 6:
			t.Strings = append(t.Strings, c.str(wire))
		case 7:
			t.ints = c.varints(t.ints, wire)
		case 8:
			t.Name = c.str(wire)
		case 9:
			c.want(wire, wireBytes)
			t.Raw = c.blob()
		case 10:
			if wire == wireFixed64 {
				t.oneF64 = append(t.oneF64, math.Float64frombits(c.fixed64()))
			} else {
				c.want(wire, wireBytes)
				c.once(t.doubles)
				t.doubles = c.blob()
			}
		case 11:
			t.uints = c.varints(t.uints, wire)
		case 13:
			key, value := c.entry(wire, "external_data")
			if t.External == nil {
				t.External = map[string]string{}
			}
			t.External[key] = value
		default:
			return false
		}
		return true
	})
}

// once fails if the list that a field continues has been read.
func (c *cursor) once(b *Blob) {
	if b != nil {
		c.fail("a list of numbers is in several pieces")
	}
}

// Type returns element type and shape. It returns an error if Tacet lacks the element type.
func (t *Tensor) Type() (tensor.Type, error) {
	d, err := DType(t.Elem)
	if err != nil {
		return tensor.Type{}, err
	}
	shape, n := tensor.Shape{}, int64(1)
	for _, size := range t.Dims {
		if size < 0 || size > math.MaxInt32 || size > 0 && n > math.MaxInt32/size {
			return tensor.Type{}, fmt.Errorf("the shape %v is too large", t.Dims)
		}
		n *= size
		shape = append(shape, int(size))
	}
	return tensor.Type{DType: d, Shape: shape}, nil
}

// Content returns a reader of the elements in little-endian order, row by row. ok is false if the file stores them in
// another form, which Array converts.
func (t *Tensor) Content() (r io.Reader, ok bool) {
	typ, err := t.Type()
	if err != nil {
		return nil, false
	}
	n := int64(typ.Shape.Size()) * int64(max(8, typ.DType.Bits())/8)
	switch {
	case t.Raw != nil:
		return t.Raw.Reader(), t.Raw.Len() == n
	case typ.DType == tensor.F32 && t.floats != nil && t.one == nil:
		return t.floats.Reader(), t.floats.Len() == n
	case typ.DType == tensor.F64 && t.doubles != nil && t.oneF64 == nil:
		return t.doubles.Reader(), t.doubles.Len() == n
	}
	return nil, false
}

// Array reads the tensor into memory. It returns an error if Tacet lacks the element type, or if the content has
// another size than the shape.
func (t *Tensor) Array() (*tensor.Array, error) {
	typ, err := t.Type()
	if err != nil {
		return nil, err
	}
	if t.segment {
		return nil, fmt.Errorf("tensors in segments are not supported")
	}
	n := typ.Shape.Size()
	if have := t.stored(typ.DType); have != n {
		return nil, fmt.Errorf("the shape %v has %d elements, and the content %d", t.Dims, n, have)
	}
	if r, ok := t.Content(); ok {
		return npy.ReadElements(r, typ)
	}
	a := tensor.NewArray(typ)
	return a, t.list(a)
}

// stored is the number of elements that the content has.
func (t *Tensor) stored(d tensor.DType) int {
	if t.Raw != nil {
		size := int64(max(8, d.Bits()) / 8)
		if t.Raw.Len()%size != 0 {
			return -1
		}
		return int(t.Raw.Len() / size)
	}
	switch d {
	case tensor.F32:
		return int(t.floats.Len()/4) + len(t.one)
	case tensor.C64:
		return (int(t.floats.Len()/4) + len(t.one)) / 2
	case tensor.F64:
		return int(t.doubles.Len()/8) + len(t.oneF64)
	case tensor.C128:
		return (int(t.doubles.Len()/8) + len(t.oneF64)) / 2
	case tensor.U32, tensor.U64:
		return len(t.uints)
	}
	return len(t.ints)
}

// list fills a from the lists of numbers.
func (t *Tensor) list(a *tensor.Array) error {
	switch to := a.Data.(type) {
	case []float32:
		all, err := t.allFloats()
		copy(to, all)
		return err
	case []complex64:
		all, err := t.allFloats()
		for i := range to {
			to[i] = complex(all[2*i], all[2*i+1])
		}
		return err
	case []float64:
		all, err := t.allDoubles()
		copy(to, all)
		return err
	case []complex128:
		all, err := t.allDoubles()
		for i := range to {
			to[i] = complex(all[2*i], all[2*i+1])
		}
		return err
	case []bool:
		for i := range to {
			to[i] = t.ints[i] != 0
		}
	case []uint32:
		convert(to, t.uints)
	case []uint64:
		convert(to, t.uints)
	case []int8:
		convert(to, t.ints)
	case []int16:
		convert(to, t.ints)
	case []int32:
		convert(to, t.ints)
	case []int64:
		convert(to, t.ints)
	case []uint8:
		convert(to, t.ints)
	case []uint16:
		convert(to, t.ints)
	}
	return nil
}

func convert[T int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](to []T, from []int64) {
	for i := range to {
		to[i] = T(from[i])
	}
}

func (t *Tensor) allFloats() ([]float32, error) {
	b, err := t.floats.Bytes()
	var out []float32
	for ; len(b) >= 4; b = b[4:] {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return append(out, t.one...), err
}

func (t *Tensor) allDoubles() ([]float64, error) {
	b, err := t.doubles.Bytes()
	var out []float64
	for ; len(b) >= 8; b = b[8:] {
		out = append(out, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return append(out, t.oneF64...), err
}

// External returns the Blob of n bytes that begin at offset in r.
func External(r io.ReaderAt, offset, n int64) *Blob { return &Blob{file: r, offset: offset, size: n} }

// Elements returns the number of elements in the content; −1 if the content ends within an element or Tacet lacks the
// element type.
func (t *Tensor) Elements() int {
	d, err := DType(t.Elem)
	if err != nil {
		return -1
	}
	return t.stored(d)
}
