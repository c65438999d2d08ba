// Package jsonlimit bounds the structure of JSON texts from outside before they are decoded.
//
// A decoder allocates a Go value for each element of a list. A text such as [{},{},…] therefore decodes to
// many times its own length: 3 bytes become a struct of hundreds. The number of elements that a text can
// have is at most the number of its structural characters { [ and , outside of strings. Reader counts
// these while the text arrives, and the depth to which lists and objects are nested, and fails before a
// decoder that reads from it sees the end of the text: [json.Decoder] and [json.Unmarshal] decode only
// complete texts. A bound on the count bounds the memory, whatever the length of the text.
package jsonlimit

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// Limits bounds the structure of a JSON text.
type Limits struct {
	Structure int // maximum number of the characters { [ and , outside of strings
	Depth     int // maximum depth of nested lists and objects
}

// Depth is the depth of nested lists and objects that Of allows. No message or file of Tacet is deeper.
const Depth = 32

// Of returns limits with so many structural characters, and the depth Depth.
func Of(structure int) Limits { return Limits{structure, Depth} }

// Error says that a JSON text exceeds its Limits.
type Error struct {
	What string // what the text has too much of
	Max  int    // the limit
}

// Error returns a text such as "the JSON text has more than 1000 values, the maximum".
func (e *Error) Error() string {
	return fmt.Sprintf("the JSON text has more than %d %s, the maximum", e.Max, e.What)
}

// scanner counts the structure of a text that arrives in pieces. A text that is not JSON may be counted
// wrongly: a decoder refuses it.
type scanner struct {
	limits           Limits
	structure, depth int
	quoted, escaped  bool
}

// scan counts a piece of the text.
func (s *scanner) scan(piece []byte) error {
	for _, c := range piece {
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted:
			s.escaped, s.quoted = c == '\\', c != '"'
		case c == '"':
			s.quoted = true
		case c == '{', c == '[':
			s.structure++
			s.depth++
		case c == ',':
			s.structure++
		case c == '}', c == ']':
			s.depth--
		}
		if s.structure > s.limits.Structure {
			return &Error{"structural characters ({, [ and commas)", s.limits.Structure}
		}
		if s.depth > s.limits.Depth {
			return &Error{"levels of nested lists and objects", s.limits.Depth}
		}
	}
	return nil
}

// reader is a Reader.
type reader struct {
	from io.Reader
	scanner
	err error
}

// Reader returns a reader of the bytes of from. When these exceed the limits l, its Read fails with an *Error,
// so that a decoder never gets the whole text.
func Reader(from io.Reader, l Limits) io.Reader {
	return &reader{from: from, scanner: scanner{limits: l}}
}

func (r *reader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	n, err := r.from.Read(p)
	if r.err = r.scan(p[:n]); r.err != nil {
		return 0, r.err
	}
	return n, err
}

// Check returns an *Error if text exceeds the limits l.
func Check(text []byte, l Limits) error {
	s := scanner{limits: l}
	return s.scan(text)
}

// Structure returns the number of structural characters of a JSON text: { [ and , outside of strings.
func Structure(text []byte) int {
	s := scanner{limits: Limits{math.MaxInt, math.MaxInt}}
	s.scan(text)
	return s.structure
}

// Unmarshal decodes text into into, as json.Unmarshal does. If text exceeds the limits l, it decodes nothing and
// returns an *Error.
func Unmarshal(text []byte, l Limits, into any) error {
	if err := Check(text, l); err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
