package bytecode

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Cursor decodes the primitives of the format from a part of a file. After the first error (Err) it is empty, and all
// reads return zero.
type Cursor struct {
	data []byte
	off  int // position of data[0] in the file
	file *File
	err  error
}

// Err returns the first error.
func (c *Cursor) Err() error { return c.err }

// Empty reports whether no bytes are left.
func (c *Cursor) Empty() bool { return len(c.data) == 0 }

// Left returns the number of bytes left.
func (c *Cursor) Left() int { return len(c.data) }

// Fail records an error at the current position and stops the cursor.
func (c *Cursor) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("byte %d: %s", c.off, fmt.Sprintf(format, args...))
	}
	c.data = nil
}

// Bytes reads n bytes and returns them without a copy.
func (c *Cursor) Bytes(n uint64) []byte {
	if n > uint64(len(c.data)) {
		c.Fail("%d bytes should stand here, but %d are left", n, len(c.data))
		return nil
	}
	b := c.data[:n:n]
	c.data, c.off = c.data[n:], c.off+int(n)
	return b
}

// Byte reads one byte.
func (c *Cursor) Byte() byte {
	if b := c.Bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

// Uint reads an unsigned variable-width integer: the number of trailing zeros of the first byte is the number of
// bytes that follow.
func (c *Cursor) Uint() uint64 {
	first := c.Byte()
	if first&1 != 0 {
		return uint64(first >> 1)
	}
	extra := bits.TrailingZeros8(first)
	var buf [8]byte
	copy(buf[:], c.Bytes(uint64(extra)))
	rest := binary.LittleEndian.Uint64(buf[:])
	if extra >= 7 {
		return rest
	}
	return rest<<(7-extra) | uint64(first)>>(extra+1)
}

// Int reads a signed variable-width integer, whose lowest bit is the sign.
func (c *Cursor) Int() int64 {
	u := c.Uint()
	return int64(u>>1) ^ -int64(u&1)
}

// Flagged reads a variable-width integer whose lowest bit is a flag, and returns the integer without that bit and the
// flag.
func (c *Cursor) Flagged() (uint64, bool) {
	u := c.Uint()
	return u >> 1, u&1 != 0
}

// Count reads the number of items that follow. It records an error if fewer bytes are left than items.
func (c *Cursor) Count() int { return c.checkCount(c.Uint()) }

func (c *Cursor) checkCount(n uint64) int {
	if n > uint64(len(c.data)) {
		c.Fail("%d things should follow, but %d bytes are left", n, len(c.data))
		return 0
	}
	return int(n)
}

// index reads a number below n.
func (c *Cursor) index(n int, of string) int { return c.checkBelow(c.Uint(), n, of) }

func (c *Cursor) checkBelow(i uint64, n int, of string) int {
	if i >= uint64(n) {
		if c.err == nil {
			c.Fail("there is no %s %d, there are %d", of, i, n)
		}
		return 0
	}
	return int(i)
}

// Ints reads a list of signed integers.
func (c *Cursor) Ints() []int64 {
	out := make([]int64, c.Count())
	for i := range out {
		out[i] = c.Int()
	}
	return out
}

// Blob reads a length and returns that many bytes, without a copy.
func (c *Cursor) Blob() []byte { return c.Bytes(c.Uint()) }

// String reads the index of a string in the file and returns that string.
func (c *Cursor) String() string {
	if i := c.index(len(c.file.strings), "string"); c.err == nil {
		return c.file.strings[i]
	}
	return ""
}

// Attr reads an index in File.Attrs.
func (c *Cursor) Attr() int { return c.index(len(c.file.Attrs), "attribute") }

// OptionalAttr reads an index in File.Attrs that may be absent; the second result is false if it is.
func (c *Cursor) OptionalAttr() (int, bool) {
	i, given := c.Flagged()
	if !given {
		return 0, false
	}
	return c.checkBelow(i, len(c.file.Attrs), "attribute"), true
}

// Attrs reads a list of indices in File.Attrs.
func (c *Cursor) Attrs() []int {
	out := make([]int, c.Count())
	for i := range out {
		out[i] = c.Attr()
	}
	return out
}

// Type reads an index in File.Types.
func (c *Cursor) Type() int { return c.index(len(c.file.Types), "type") }

// Types reads a list of indices in File.Types.
func (c *Cursor) Types() []int {
	out := make([]int, c.Count())
	for i := range out {
		out[i] = c.Type()
	}
	return out
}
