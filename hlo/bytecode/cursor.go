package bytecode

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Cursor reads the primitives of the format from a piece of a file. After the
// first failure it is empty, and every further read gives zero.
type Cursor struct {
	data []byte
	off  int // of data[0] in the file
	file *File
	err  error
}

// Err is the first failure.
func (c *Cursor) Err() error { return c.err }

// Empty reports whether nothing is left.
func (c *Cursor) Empty() bool { return len(c.data) == 0 }

// Left is how many bytes are left.
func (c *Cursor) Left() int { return len(c.data) }

// Fail stops the cursor with an error at its place.
func (c *Cursor) Fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("byte %d: %s", c.off, fmt.Sprintf(format, args...))
	}
	c.data = nil
}

// Bytes moves over n bytes and returns them; they are the file's own.
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

// Uint reads a variable-width integer: the zeros below the lowest one of the
// first byte count the bytes that follow.
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

// Int reads a signed variable-width integer, whose lowest bit is its sign.
func (c *Cursor) Int() int64 {
	u := c.Uint()
	return int64(u>>1) ^ -int64(u&1)
}

// Flagged reads a variable-width integer whose lowest bit is a flag.
func (c *Cursor) Flagged() (uint64, bool) {
	u := c.Uint()
	return u >> 1, u&1 != 0
}

// Count reads how many things follow, each of which takes a byte at least.
func (c *Cursor) Count() int { return c.fits(c.Uint()) }

func (c *Cursor) fits(n uint64) int {
	if n > uint64(len(c.data)) {
		c.Fail("%d things should follow, but %d bytes are left", n, len(c.data))
		return 0
	}
	return int(n)
}

// index reads a number below n.
func (c *Cursor) index(n int, of string) int { return c.below(c.Uint(), n, of) }

func (c *Cursor) below(i uint64, n int, of string) int {
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

// Blob reads a length and that many bytes.
func (c *Cursor) Blob() []byte { return c.Bytes(c.Uint()) }

// String reads the number of a string, and returns it.
func (c *Cursor) String() string {
	if i := c.index(len(c.file.strings), "string"); c.err == nil {
		return c.file.strings[i]
	}
	return ""
}

// Attr reads the number of an attribute.
func (c *Cursor) Attr() int { return c.index(len(c.file.Attrs), "attribute") }

// OptionalAttr reads the number of an attribute that may be missing.
func (c *Cursor) OptionalAttr() (int, bool) {
	i, given := c.Flagged()
	if !given {
		return 0, false
	}
	return c.below(i, len(c.file.Attrs), "attribute"), true
}

// Attrs reads a list of attributes' numbers.
func (c *Cursor) Attrs() []int {
	out := make([]int, c.Count())
	for i := range out {
		out[i] = c.Attr()
	}
	return out
}

// Type reads the number of a type.
func (c *Cursor) Type() int { return c.index(len(c.file.Types), "type") }

// Types reads a list of types' numbers.
func (c *Cursor) Types() []int {
	out := make([]int, c.Count())
	for i := range out {
		out[i] = c.Type()
	}
	return out
}
