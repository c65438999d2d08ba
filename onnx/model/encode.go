package model

import (
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Doubles returns a tensor of numbers of 64 bits in row-major order.
func Doubles(name string, dims []int64, numbers []float64) *Tensor {
	raw := make([]byte, 0, 8*len(numbers))
	for _, x := range numbers {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(x))
	}
	return &Tensor{Name: name, Elem: Elem(tensor.F64), Dims: dims, Raw: &Blob{inline: raw}}
}

// Encode returns the file of a model that a program made: without functions, subgraphs, sparse initialisers and references to attributes,
// and with tensors that Doubles made.
func (m *Model) Encode() []byte {
	var b []byte
	b = number(b, 1, m.IR)
	b = text(b, 2, m.Producer)
	b = message(b, 7, m.Graph.append(nil))
	for _, domain := range slices.Sorted(maps.Keys(m.Opsets)) {
		b = message(b, 8, number(text(nil, 1, domain), 2, m.Opsets[domain]))
	}
	for _, key := range slices.Sorted(maps.Keys(m.Metadata)) {
		b = message(b, 14, text(text(nil, 1, key), 2, m.Metadata[key]))
	}
	return b
}

func (g *Graph) append(b []byte) []byte {
	for _, n := range g.Nodes {
		b = message(b, 1, n.append(nil))
	}
	b = text(b, 2, g.Name)
	for _, t := range g.Initializers {
		b = message(b, 5, t.append(nil))
	}
	for _, v := range g.Inputs {
		b = message(b, 11, v.append(nil))
	}
	for _, v := range g.Outputs {
		b = message(b, 12, v.append(nil))
	}
	return b
}

func (n *Node) append(b []byte) []byte {
	for _, name := range n.Inputs {
		b = text(b, 1, name)
	}
	for _, name := range n.Outputs {
		b = text(b, 2, name)
	}
	b = text(b, 3, n.Name)
	b = text(b, 4, n.Op)
	for _, a := range n.Attrs {
		b = message(b, 5, a.append(nil))
	}
	return text(b, 7, n.Domain)
}

func (a *Attr) append(b []byte) []byte {
	b = text(b, 1, a.Name)
	switch a.Type {
	case AttrInt:
		b = number(b, 3, a.Int)
	case AttrString:
		b = text(b, 4, a.String)
	case AttrTensor:
		b = message(b, 5, a.Tensor.append(nil))
	case AttrInts:
		var list []byte
		for _, x := range a.Ints {
			list = binary.AppendUvarint(list, uint64(x))
		}
		b = message(b, 8, list)
	case AttrStrings:
		for _, s := range a.Strings {
			b = text(b, 9, s)
		}
	}
	return number(b, 20, int64(a.Type))
}

func (v *Value) append(b []byte) []byte {
	var shape []byte
	for _, d := range v.Type.Dims {
		dim := text(nil, 2, d.Param)
		if d.Param == "" {
			dim = number(nil, 1, d.Size)
		}
		shape = message(shape, 1, dim)
	}
	tensorType := message(number(nil, 1, int64(v.Type.Elem)), 2, shape)
	return message(text(b, 1, v.Name), 2, message(nil, 1, tensorType))
}

func (t *Tensor) append(b []byte) []byte {
	for _, d := range t.Dims {
		b = number(b, 1, d)
	}
	b = number(b, 2, int64(t.Elem))
	b = text(b, 8, t.Name)
	return message(b, 9, t.Raw.inline)
}

// number appends a field of type varint, message one of type bytes, and text one of type string.
func number(b []byte, field int, x int64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(b, uint64(field<<3)), uint64(x))
}

func message(b []byte, field int, content []byte) []byte {
	b = binary.AppendUvarint(b, uint64(field<<3|wireBytes))
	return append(binary.AppendUvarint(b, uint64(len(content))), content...)
}

func text(b []byte, field int, s string) []byte { return message(b, field, []byte(s)) }
