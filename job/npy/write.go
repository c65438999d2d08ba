package npy

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// align is the multiple in bytes to which headers are padded, as NumPy does, so that the data of a
// mapped file is aligned.
const align = 64

// WriteFile writes an array to a .npy file, which it creates or replaces.
func WriteFile(path string, a *tensor.Array) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(Write(w, a), w.Flush(), f.Close())
}

// Write writes an array to w as NumPy's np.save does: format version 1, little-endian, C order.
func Write(w io.Writer, a *tensor.Array) error {
	head, err := appendHeader(nil, a.Type)
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return fmt.Errorf("npy: write header: %w", err)
	}
	if b := raw(a.Data); b != nil && sameOrder(false) {
		_, err = w.Write(b)
	} else {
		err = binary.Write(w, binary.LittleEndian, a.Data)
	}
	if err != nil {
		return fmt.Errorf("npy: write data: %w", err)
	}
	return nil
}

func appendHeader(b []byte, t tensor.Type) ([]byte, error) {
	code, err := descr(t.DType)
	if err != nil {
		return nil, err
	}
	shape := strings.ReplaceAll(t.Shape.String(), "x", ", ")
	if len(t.Shape) == 1 {
		shape += ","
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", code, shape)
	const fixed = len(magic) + 4
	for (fixed+len(text)+1)%align != 0 {
		text += " "
	}
	text += "\n"
	b = append(b, magic...)
	b = append(b, 1, 0)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	return append(b, text...), nil
}
