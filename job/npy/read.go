package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Reader reads one .npy file: NewReader reads its header, Array its data.
type Reader struct {
	r io.Reader
	h header
}

// NewReader reads the header of a .npy file from r, which provides size bytes. It returns an error unless the
// shape in the header accounts for all of them.
func NewReader(r io.Reader, size int64) (*Reader, error) {
	h, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	// Shape.Check has bounded the product, so this cannot overflow.
	if want, have := int64(h.Shape.Size())*int64(width(h.DType)), size-h.len; want != have {
		return nil, fmt.Errorf("%v needs %d bytes of data, the file has %d", h.Type, want, have)
	}
	return &Reader{r, h}, nil
}

// Type returns the array's element type and shape.
func (r *Reader) Type() tensor.Type { return r.h.Type }

// Array reads the data and returns the array. It can be called once.
func (r *Reader) Array() (*tensor.Array, error) {
	a := tensor.NewArray(r.h.Type)
	if err := r.data(a.Data); err != nil {
		return nil, fmt.Errorf("read data: %w", err)
	}
	// Read up to the end of file, not only the last byte: there an archive's
	// checksum is verified.
	if _, err := io.ReadFull(r.r, make([]byte, 1)); err != io.EOF {
		if err == nil {
			err = fmt.Errorf("more bytes than %v needs", r.h.Type)
		}
		return nil, fmt.Errorf("read data: %w", err)
	}
	if r.h.fortran && len(a.Shape) > 1 {
		return cOrder(a), nil
	}
	return a, nil
}

// data reads the elements into a slice.
func (r *Reader) data(into any) error {
	if b := raw(into); b != nil && sameOrder(r.h.big) {
		_, err := io.ReadFull(r.r, b)
		return err
	}
	var order binary.ByteOrder = binary.LittleEndian
	if r.h.big {
		order = binary.BigEndian
	}
	return binary.Read(r.r, order, into)
}

// cOrder reorders elements from Fortran order to C order.
func cOrder(a *tensor.Array) *tensor.Array {
	stored := slices.Clone(a.Shape)
	slices.Reverse(stored)
	perm := make([]int, len(stored))
	for i := range perm {
		perm[i] = len(perm) - 1 - i
	}
	return a.View(tensor.Transposed(stored, perm))
}
