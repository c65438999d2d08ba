package model_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

// bytesField is a field with bytes.
func bytesField(number int, content []byte) []byte {
	b := binary.AppendUvarint(nil, uint64(number<<3|2))
	return append(binary.AppendUvarint(b, uint64(len(content))), content...)
}

// intField is a field with a number.
func intField(number int, n uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number<<3)), n)
}

// TestDamaged has files whose mistakes are named with their places.
func TestDamaged(t *testing.T) {
	node := bytesField(1, bytesField(4, []byte("Relu")))
	deep := []byte{}
	for range 100 { // a graph in an attribute of a node of a graph in …
		deep = bytesField(1, bytesField(5, bytesField(6, deep)))
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"a length beyond the end", bytesField(7, append(node, 0x0a, 0x7f)), "graph.node[1]: a field of 127 bytes reaches beyond the end of its message"},
		{"a number without an end", []byte{0x08, 0xff, 0xff}, "offset 1: a number is too long"},
		{"a number that is cut", []byte{0x08}, "the message ends within a field"},
		{"field number 0", []byte{0x02, 0x00}, "0 is no field number"},
		{"a group", []byte{0x0b}, "wire type 3"},
		{"another wire type", bytesField(1, []byte("x")), "a field has wire type 2, want 0"},
		{"messages too deep", bytesField(7, deep), "messages are nested more than 64 deep"},
		{"a list of floats that is cut", bytesField(7, bytesField(1, bytesField(5, bytesField(7, []byte{1, 2, 3})))), "graph.node[0].attribute[0]: a list of floats has 3 bytes"},
		{"two graphs", slices.Concat(bytesField(7, nil), bytesField(7, nil)), "a model has one graph"},
	} {
		_, err := model.Read(bytes.NewReader(c.file), int64(len(c.file)))
		var e *model.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// TestTensors reads each form of a tensor's content.
func TestTensors(t *testing.T) {
	raw := func(words ...uint32) (b []byte) {
		for _, w := range words {
			b = binary.LittleEndian.AppendUint32(b, w)
		}
		return b
	}
	f := math.Float32bits
	doubles := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5)), math.Float64bits(-2))
	two := intField(1, 2)
	for _, c := range []struct {
		name string
		file []byte
		want any
	}{
		{"raw floats", slices.Concat(two, intField(2, 1), bytesField(9, raw(f(1.5), f(-2)))), []float32{1.5, -2}},
		{"packed floats", slices.Concat(two, intField(2, 1), bytesField(4, raw(f(1.5), f(-2)))), []float32{1.5, -2}},
		{"floats one by one", slices.Concat(two, intField(2, 1), []byte{0x25}, raw(f(1.5)), []byte{0x25}, raw(f(-2))), []float32{1.5, -2}},
		{"packed doubles", slices.Concat(two, intField(2, 11), bytesField(10, doubles)), []float64{1.5, -2}},
		{"integers", slices.Concat(two, intField(2, 7), intField(7, 3), intField(7, math.MaxUint64)), []int64{3, -1}},
		{"packed bytes", slices.Concat(two, intField(2, 2), bytesField(5, []byte{7, 200, 1})), []uint8{7, 200}},
		{"bools", slices.Concat(two, intField(2, 9), bytesField(9, []byte{0, 1})), []bool{false, true}},
		{"half floats", slices.Concat(two, intField(2, 10), bytesField(5, []byte{0x80, 0x78, 0x80, 0x80, 0x02})), []uint16{0x3c00, 0x8000}},
		{"complex", slices.Concat(two, intField(2, 14), bytesField(4, raw(f(1), f(2), f(3), f(4)))), []complex64{1 + 2i, 3 + 4i}},
		{"unsigned", slices.Concat(two, intField(2, 13), intField(11, math.MaxUint64), intField(11, 1)), []uint64{math.MaxUint64, 1}},
	} {
		x, err := model.ReadTensor(bytes.NewReader(c.file), int64(len(c.file)))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		a, err := x.Array()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		want := &tensor.Array{Type: a.Type, Data: c.want}
		if !a.Shape.Equal(tensor.Shape{2}) || !slices.Equal(words(a), words(want)) {
			t.Errorf("%s: %v, want %v", c.name, a.Data, c.want)
		}
	}
	short := slices.Concat(intField(1, 3), intField(2, 1), bytesField(9, raw(1, 2)))
	x, err := model.ReadTensor(bytes.NewReader(short), int64(len(short)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Array(); err == nil || !strings.Contains(err.Error(), "has 3 elements, and the content 2") {
		t.Errorf("a tensor with too few elements: %v", err)
	}
}

// words are an array's elements as numbers.
func words(a *tensor.Array) []float64 {
	if a.DType.IsComplex() {
		re, im := a.Parts()
		return append(re.Floats(), im.Floats()...)
	}
	return a.Floats()
}

// TestModel reads a model that PyTorch wrote, with weights in another file.
func TestModel(t *testing.T) {
	f, err := os.Open("../testdata/models/mlp-dynamo/model.onnx")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.Read(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	g := m.Graph
	if m.Producer != "pytorch" || m.Opsets[""] < 13 || len(g.Inputs) != 1 || len(g.Outputs) != 1 || len(g.Initializers) != 4 {
		t.Errorf("producer %q, operator sets %v, %d inputs, %d outputs, %d initialisers", m.Producer, m.Opsets, len(g.Inputs), len(g.Outputs), len(g.Initializers))
	}
	in := g.Inputs[0].Type
	if in.Kind != model.TensorKind || in.Elem != 1 || len(in.Dims) != 2 || in.Dims[1].Size != 8 {
		t.Errorf("the input has type %+v", in)
	}
	if x := g.Initializers[0].External; x["location"] != "model.onnx.data" {
		t.Errorf("external data: %v", x)
	}
}
