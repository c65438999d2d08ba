package npy

import (
	"bytes"
	"io"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// BenchmarkRead and BenchmarkWrite measure files of 10^7 floats.
func BenchmarkRead(b *testing.B) {
	var file bytes.Buffer
	if err := Write(&file, floats(1e7)); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		r, err := NewReader(bytes.NewReader(file.Bytes()), int64(file.Len()))
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Array(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	a := floats(1e6)
	b.SetBytes(4e6)
	for b.Loop() {
		if err := Write(io.Discard, a); err != nil {
			b.Fatal(err)
		}
	}
}

func floats(n int) *tensor.Array {
	return tensor.NewArray(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{n}})
}
