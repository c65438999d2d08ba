package model

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// Limits of a file.
const (
	maxDepth    = 64      // messages within each other
	maxMessages = 4 << 20 // messages of a file
	// inlineBytes is the size of a tensor's content in bytes up to which it is kept in memory. Larger content stays
	// in the file.
	inlineBytes = 4 << 10
)

// Wire types of protocol buffers.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// Error is the error about a file that is malformed or beyond the reader's bounds.
type Error struct {
	Offset int64  // offset of the field in the file
	Path   string // path of the field, such as "graph.node[3].attribute[0].t"
	Msg    string // what is wrong
}

// Error returns a text such as "offset 17: graph.node[3]: what is wrong".
func (e *Error) Error() string {
	if e.Path == "" {
		return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg)
	}
	return fmt.Sprintf("offset %d: %s: %s", e.Offset, e.Path, e.Msg)
}

// cursor reads the fields of nested messages. After an error, which panics with bail, the reading ends.
type cursor struct {
	r        io.ReaderAt
	window   []byte // bytes of the file from start on
	start    int64
	pos      int64 // offset of the next byte
	end      int64 // end of the innermost message
	path     []step
	messages int
}

// step is one field of the path to the innermost message. index is -1 for a field that is not repeated.
type step struct {
	name  string
	index int
}

// bail is the panic that ends reading.
type bail struct{ err *Error }

func (c *cursor) fail(format string, args ...any) {
	panic(bail{&Error{Offset: c.pos, Path: pathOf(c.path), Msg: fmt.Sprintf(format, args...)}})
}

func pathOf(path []step) string {
	text := ""
	for _, s := range path {
		if text != "" {
			text += "."
		}
		text += s.name
		if s.index >= 0 {
			text += fmt.Sprintf("[%d]", s.index)
		}
	}
	return text
}

// windowBytes is the number of bytes that are read from the file at once.
const windowBytes = 64 << 10

// peek returns at least n bytes at the position, n ≤ windowBytes.
func (c *cursor) peek(n int) []byte {
	at := c.pos - c.start
	if at < 0 || at+int64(n) > int64(len(c.window)) {
		if c.end-c.pos < int64(n) {
			c.fail("the message ends within a field")
		}
		// The window reaches beyond the message, so that the messages that follow need no reading of their own.
		if cap(c.window) < windowBytes {
			c.window = make([]byte, windowBytes)
		}
		got, err := c.r.ReadAt(c.window[:windowBytes], c.pos)
		if got < n {
			c.fail("the file cannot be read: %v", err)
		}
		c.window, c.start = c.window[:got], c.pos
		at = 0
	}
	return c.window[at:]
}

// varint reads a number of up to ten bytes.
func (c *cursor) varint() uint64 {
	most := int(min(binary.MaxVarintLen64, c.end-c.pos))
	if most == 0 {
		c.fail("the message ends within a field")
	}
	b := c.peek(1)
	if len(b) < most {
		b = c.peek(most)
	}
	v, n := binary.Uvarint(b[:most])
	if n <= 0 {
		c.fail("a number is too long")
	}
	c.pos += int64(n)
	return v
}

func (c *cursor) fixed32() uint32 {
	c.need(4)
	v := binary.LittleEndian.Uint32(c.peek(4))
	c.pos += 4
	return v
}

func (c *cursor) fixed64() uint64 {
	c.need(8)
	v := binary.LittleEndian.Uint64(c.peek(8))
	c.pos += 8
	return v
}

func (c *cursor) need(n int64) {
	if c.end-c.pos < n {
		c.fail("the message ends within a field")
	}
}

// length reads the length of a field of bytes and checks that the message has them.
func (c *cursor) length() int64 {
	n := c.varint()
	if n > math.MaxInt64 || int64(n) > c.end-c.pos {
		c.fail("a field of %d bytes reaches beyond the end of its message", n)
	}
	return int64(n)
}

// bytes reads a field of bytes into memory.
func (c *cursor) bytes() []byte {
	n := c.length()
	out := make([]byte, n)
	if n <= windowBytes {
		if n > 0 {
			copy(out, c.peek(int(n)))
		}
	} else if got, err := c.r.ReadAt(out, c.pos); got < len(out) {
		c.fail("the file cannot be read: %v", err)
	}
	c.pos += n
	return out
}

func (c *cursor) text() string { return string(c.bytes()) }

// blob reads a field of bytes; large ones stay in the file.
func (c *cursor) blob() *Blob {
	at := c.pos
	n := c.length()
	if n <= inlineBytes {
		c.pos = at
		return &Blob{inline: c.bytes()}
	}
	b := &Blob{file: c.r, offset: c.pos, size: n}
	c.pos += n
	return b
}

// each reads the fields of the message that ends at c.end. read reads the field's value, or returns false to have it
// skipped.
func (c *cursor) each(read func(field, wire int) bool) {
	if c.messages++; c.messages > maxMessages {
		c.fail("the file has more than %d messages", maxMessages)
	}
	if len(c.path) > maxDepth {
		c.fail("messages are nested more than %d deep", maxDepth)
	}
	for c.pos < c.end {
		tag := c.varint()
		field, wire := int(tag>>3), int(tag&7)
		if tag>>3 == 0 || tag>>3 > 1<<29 {
			c.fail("%d is no field number", tag>>3)
		}
		if !read(field, wire) {
			c.skip(wire)
		}
	}
}

// message reads a field that is a message of the given name. index is its number if the field is repeated, else -1.
func (c *cursor) message(wire int, name string, index int, read func(field, wire int) bool) {
	c.path = append(c.path, step{name, index})
	c.want(wire, wireBytes)
	n, outer := c.length(), c.end
	c.end = c.pos + n
	c.each(read)
	c.end = outer
	c.path = c.path[:len(c.path)-1]
}

// want checks a field's wire type.
func (c *cursor) want(wire, is int) {
	if wire != is {
		c.fail("a field has wire type %d, want %d", wire, is)
	}
}

func (c *cursor) skip(wire int) {
	switch wire {
	case wireVarint:
		c.varint()
	case wireFixed64:
		c.fixed64()
	case wireFixed32:
		c.fixed32()
	case wireBytes:
		c.pos += c.length()
	default:
		c.fail("a field has wire type %d", wire)
	}
}

// varints appends a repeated number, packed or not.
func (c *cursor) varints(to []int64, wire int) []int64 {
	if wire == wireVarint {
		return append(to, int64(c.varint()))
	}
	c.want(wire, wireBytes)
	n, outer := c.length(), c.end
	c.end = c.pos + n
	for c.pos < c.end {
		to = append(to, int64(c.varint()))
	}
	c.end = outer
	return to
}

// floats appends a repeated float, packed or not.
func (c *cursor) floats(to []float32, wire int) []float32 {
	if wire == wireFixed32 {
		return append(to, math.Float32frombits(c.fixed32()))
	}
	c.want(wire, wireBytes)
	b := c.bytes()
	if len(b)%4 != 0 {
		c.fail("a list of floats has %d bytes", len(b))
	}
	for ; len(b) > 0; b = b[4:] {
		to = append(to, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return to
}

// int reads a number.
func (c *cursor) int(wire int) int64 {
	c.want(wire, wireVarint)
	return int64(c.varint())
}

// str reads a text.
func (c *cursor) str(wire int) string {
	c.want(wire, wireBytes)
	return c.text()
}
