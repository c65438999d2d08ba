package npy

import (
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/tensor"
)

// ReadElements reads an array of type t from r: its elements in little-endian order, row by row, without a header.
func ReadElements(r io.Reader, t tensor.Type) (*tensor.Array, error) {
	in := Reader{r, header{Type: t}}
	a := tensor.NewArray(t)
	if err := in.data(a.Data); err != nil {
		return nil, fmt.Errorf("read data: %w", err)
	}
	return a, nil
}

// WriteElements writes an array of type t to w as Write does. content has its elements as ReadElements takes them. They are
// copied in pieces: memory does not depend on their number.
func WriteElements(w io.Writer, t tensor.Type, content io.Reader) error {
	head, err := appendHeader(nil, t)
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return fmt.Errorf("npy: write header: %w", err)
	}
	want := int64(t.Shape.Size()) * int64(width(t.DType))
	n, err := io.Copy(w, io.LimitReader(content, want))
	if err == nil && n < want {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return fmt.Errorf("npy: write data: %w", err)
	}
	return nil
}
