package model

import (
	"bytes"
	"fmt"
	"io"
)

// Blob is a sequence of bytes in memory or in a file.
type Blob struct {
	inline       []byte
	file         io.ReaderAt
	offset, size int64
}

// Len returns the number of bytes.
func (b *Blob) Len() int64 {
	if b == nil {
		return 0
	}
	if b.file == nil {
		return int64(len(b.inline))
	}
	return b.size
}

// Reader returns a reader of all bytes, from the first on.
func (b *Blob) Reader() io.Reader {
	switch {
	case b == nil:
		return bytes.NewReader(nil)
	case b.file == nil:
		return bytes.NewReader(b.inline)
	}
	return io.NewSectionReader(b.file, b.offset, b.size)
}

// Bytes reads all bytes into memory. The caller must not change them.
func (b *Blob) Bytes() ([]byte, error) {
	if b == nil || b.file == nil {
		if b == nil {
			return nil, nil
		}
		return b.inline, nil
	}
	out := make([]byte, b.size)
	if n, err := b.file.ReadAt(out, b.offset); n < len(out) {
		return nil, fmt.Errorf("%d bytes at offset %d cannot be read: %w", b.size, b.offset, err)
	}
	return out, nil
}
