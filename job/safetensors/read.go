package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/tensor"
)

const (
	// maxHeader is the largest length of a header in bytes, maxStructure the largest number of its structural characters.
	maxHeader, maxStructure = 16 << 20, 1 << 20
	// maxDims is the largest number of a tensor's dimensions.
	maxDims = 64
	// metadataKey is the header's key that is no tensor.
	metadataKey = "__metadata__"
)

// codes are the element types by their names in headers.
var codes = map[string]tensor.DType{
	"BOOL": tensor.Bool, "U8": tensor.U8, "U16": tensor.U16, "U32": tensor.U32, "U64": tensor.U64,
	"I8": tensor.I8, "I16": tensor.I16, "I32": tensor.I32, "I64": tensor.I64,
	"F16": tensor.F16, "BF16": tensor.BF16, "F32": tensor.F32, "F64": tensor.F64,
}

// File reads a file in the format safetensors. Open and New make it.
type File struct {
	names   []string
	entries map[string]entry
	data    io.ReaderAt
	start   int64 // of the elements
	close   func() error
}

// entry is a tensor's type and its place within the elements: bytes from begin to end.
type entry struct {
	t          tensor.Type
	begin, end int64
}

// Open opens a file, which must be a regular file, and reads its header as New does. The caller must Close it.
func Open(path string) (*File, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var out *File
		if out, err = New(f, info.Size()); err == nil {
			out.close = f.Close
			return out, nil
		}
	}
	f.Close()
	return nil, err
}

// New reads the header of a file of size bytes from r, which must stay readable while the File is used. It returns an
// error that names the tensor or the offset if the header is malformed.
func New(r io.ReaderAt, size int64) (*File, error) {
	var length [8]byte
	if _, err := r.ReadAt(length[:], 0); err != nil || size < 8 {
		return nil, errors.New("not a safetensors file: it has fewer than 8 bytes")
	}
	n := binary.LittleEndian.Uint64(length[:])
	switch {
	case n > uint64(size-8):
		return nil, fmt.Errorf("not a safetensors file: its first 8 bytes give a header of %d bytes, but %d follow", n, size-8)
	case n > maxHeader:
		return nil, fmt.Errorf("the header has %d bytes, more than %d", n, maxHeader)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(io.NewSectionReader(r, 8, int64(n)), header); err != nil {
		return nil, fmt.Errorf("the header cannot be read: %w", err)
	}
	f := &File{entries: map[string]entry{}, data: r, start: 8 + int64(n), close: func() error { return nil }}
	if err := f.parse(header); err != nil {
		return nil, err
	}
	return f, f.checkPlaces(size - f.start)
}

// parse reads the header's tensors.
func (f *File) parse(header []byte) error {
	if len(header) == 0 || header[0] != '{' {
		return errors.New("byte 8: the header must begin with {")
	}
	d := json.NewDecoder(jsonlimit.Reader(bytes.NewReader(header), jsonlimit.Of(maxStructure)))
	if _, err := d.Token(); err != nil {
		return malformed(d, err)
	}
	metadata := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return malformed(d, err)
		}
		name := key.(string) // an object's keys are strings
		if name == metadataKey {
			var texts map[string]string
			if err := d.Decode(&texts); err != nil || metadata {
				return fmt.Errorf("%s must be one object of texts", metadataKey)
			}
			metadata = true
			continue
		}
		if err := f.tensor(d, name); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return malformed(d, err)
	}
	rest := bytes.TrimRight(header[d.InputOffset():], " ")
	if len(rest) > 0 {
		return fmt.Errorf("byte %d: only blanks may follow the header's object", 8+d.InputOffset())
	}
	return nil
}

func malformed(d *json.Decoder, err error) error {
	return fmt.Errorf("byte %d: the header is no JSON object: %w", 8+d.InputOffset(), err)
}

// fields are the fields of a header's entry of a tensor. Absent ones are nil.
type fields struct {
	dtype          *string
	shape, offsets []int64
}

// readFields reads an entry. Names of fields are compared byte by byte and may occur once: package json's own reading of structs
// takes the last of repeated names and accepts other cases, so two readers of one file could see different tensors.
func readFields(d *json.Decoder) (fields, error) {
	var e fields
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return e, cmp.Or(err, errors.New("want an object"))
	}
	seen := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return e, err
		}
		at, name := d.InputOffset(), key.(string) // an object's keys are strings
		var to any
		switch name {
		case "dtype":
			to = &e.dtype
		case "shape":
			to = &e.shape
		case "data_offsets":
			to = &e.offsets
		default:
			return e, fmt.Errorf("unknown field %.40q before byte %d", name, 8+at)
		}
		if seen[name] {
			return e, fmt.Errorf("field %q is given twice, again before byte %d", name, 8+at)
		}
		seen[name] = true
		if err := d.Decode(to); err != nil {
			return e, err
		}
	}
	_, err := d.Token()
	return e, err
}

// tensor reads the header's entry of a tensor.
func (f *File) tensor(d *json.Decoder, name string) error {
	at := d.InputOffset()
	e, err := readFields(d)
	if err != nil {
		return fmt.Errorf("tensor %q at byte %d: %w", name, 8+at, err)
	}
	_, twice := f.entries[name]
	switch {
	case twice:
		return fmt.Errorf("tensor %q at byte %d is in the header twice", name, 8+at)
	case e.dtype == nil || e.shape == nil || len(e.offsets) != 2:
		return fmt.Errorf("tensor %q at byte %d needs dtype, shape and data_offsets with two numbers", name, 8+at)
	}
	code, ok := codes[*e.dtype]
	if !ok {
		return fmt.Errorf("tensor %q: element type %.20q is not supported", name, *e.dtype)
	}
	t := tensor.Type{DType: code, Shape: tensor.Shape{}}
	if len(e.shape) > maxDims {
		return fmt.Errorf("tensor %q: the shape has %d dimensions, more than %d", name, len(e.shape), maxDims)
	}
	for _, n := range e.shape {
		if n < 0 || n > tensor.MaxElements {
			return fmt.Errorf("tensor %q: dimension %d is not between 0 and 2^40", name, n)
		}
		t.Shape = append(t.Shape, int(n))
	}
	if err := t.Shape.Check(); err != nil {
		return fmt.Errorf("tensor %q: shape %v has too many elements", name, e.shape)
	}
	begin, end := e.offsets[0], e.offsets[1]
	if want := int64(t.Shape.Size()) * int64(width(code)); begin < 0 || end < begin || end-begin != want {
		return fmt.Errorf("tensor %q: data_offsets %v hold %d bytes, but %v has %d", name, e.offsets, end-begin, t, want)
	}
	f.names = append(f.names, name)
	f.entries[name] = entry{t, begin, end}
	return nil
}

// checkPlaces checks that the tensors cover the elements' size bytes, and sorts their names by place.
func (f *File) checkPlaces(size int64) error {
	slices.SortStableFunc(f.names, func(a, b string) int {
		x, y := f.entries[a], f.entries[b]
		if x.begin != y.begin {
			return int(min(max(x.begin-y.begin, -1), 1))
		}
		return int(min(max(x.end-y.end, -1), 1))
	})
	at := int64(0)
	for _, name := range f.names {
		e := f.entries[name]
		if e.begin != at {
			return fmt.Errorf("tensor %q begins at byte %d of the elements, but the tensor before ends at byte %d", name, e.begin, at)
		}
		at = e.end
	}
	if at != size {
		return fmt.Errorf("the tensors have %d bytes of elements, but the file has %d", at, size)
	}
	return nil
}

func width(d tensor.DType) int { return (d.Bits() + 7) / 8 }

// Names returns the names of the tensors in the order of their data. The caller must not change the slice.
func (f *File) Names() []string { return f.names }

// Type returns a tensor's element type and shape, and an error if there is no tensor of that name.
func (f *File) Type(name string) (tensor.Type, error) {
	e, ok := f.entries[name]
	if !ok {
		return tensor.Type{}, fmt.Errorf("tensor %q is not in the file", name)
	}
	return e.t, nil
}

// Read reads a tensor. It returns an error if there is none of that name, or if a boolean is neither 0 nor 1.
func (f *File) Read(name string) (*tensor.Array, error) {
	e, ok := f.entries[name]
	if !ok {
		return nil, fmt.Errorf("tensor %q is not in the file", name)
	}
	a := tensor.NewArray(e.t)
	r := io.NewSectionReader(f.data, f.start+e.begin, e.end-e.begin)
	if bits, ok := a.Data.([]bool); ok {
		b := make([]byte, len(bits))
		if _, err := io.ReadFull(r, b); err != nil {
			return nil, fmt.Errorf("tensor %q: %w", name, err)
		}
		for i, x := range b {
			if x > 1 {
				return nil, fmt.Errorf("tensor %q: element %d is %d, but booleans are 0 or 1", name, i, x)
			}
			bits[i] = x == 1
		}
		return a, nil
	}
	if err := binary.Read(r, binary.LittleEndian, a.Data); err != nil {
		return nil, fmt.Errorf("tensor %q: %w", name, err)
	}
	return a, nil
}

// Close closes the file that Open opened. It does nothing for a File of New.
func (f *File) Close() error { return f.close() }
