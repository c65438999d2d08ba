package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

const (
	magic     = "\x93NUMPY"
	maxHeader = 1 << 16 // bytes of the dictionary; NumPy itself reads 10,000
	maxRank   = 64      // NumPy's own limit
)

// header is the header of an .npy file.
type header struct {
	tensor.Type
	fortran bool // the first dimension runs fastest
	big     bool // big-endian
	len     int64
}

// readHeader reads a header, up to the first byte of data.
func readHeader(r io.Reader) (header, error) {
	var h header
	var start [len(magic) + 2]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:len(magic)]) != magic {
		return h, errors.New("not an .npy array")
	}
	var n int64
	switch major := start[len(magic)]; major {
	case 1:
		var v [2]byte
		if _, err := io.ReadFull(r, v[:]); err != nil {
			return h, errors.New("header is cut short")
		}
		n = int64(binary.LittleEndian.Uint16(v[:]))
		h.len = int64(len(start)) + 2 + n
	case 2, 3:
		var v [4]byte
		if _, err := io.ReadFull(r, v[:]); err != nil {
			return h, errors.New("header is cut short")
		}
		n = int64(binary.LittleEndian.Uint32(v[:]))
		h.len = int64(len(start)) + 4 + n
	default:
		return h, fmt.Errorf("format version %d is not supported (1 to 3 are)", major)
	}
	if n > maxHeader {
		return h, fmt.Errorf("header claims %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return h, errors.New("header is cut short")
	}
	if err := h.parse(string(text)); err != nil {
		return h, fmt.Errorf("header: %w", err)
	}
	return h, nil
}

// parse parses the dictionary, a Python literal with exactly three keys:
//
//	{'descr': '<f4', 'fortran_order': False, 'shape': (4, 5), }
func (h *header) parse(text string) error {
	s := &literal{rest: text}
	if !s.take("{") {
		return errors.New("not a dictionary")
	}
	seen := map[string]bool{}
	for !s.take("}") {
		key, err := s.quoted()
		if err != nil {
			return err
		}
		if seen[key] {
			return fmt.Errorf("key %q is given twice", key)
		}
		seen[key] = true
		if !s.take(":") {
			return fmt.Errorf("key %q has no value", key)
		}
		switch key {
		case "descr":
			err = h.parseDescr(s)
		case "fortran_order":
			h.fortran, err = s.bool()
		case "shape":
			h.Shape, err = s.shape()
		default:
			err = fmt.Errorf("unknown key %q", key)
		}
		if err != nil {
			return err
		}
		if !s.take(",") && !strings.HasPrefix(s.rest, "}") {
			return errors.New("no comma between keys")
		}
	}
	if len(seen) != 3 {
		return errors.New("not all of descr, fortran_order and shape are given")
	}
	return h.Shape.Check()
}

func (h *header) parseDescr(s *literal) error {
	if strings.HasPrefix(s.rest, "[") {
		return errors.New("records are not supported: save each field as a plain array")
	}
	text, err := s.quoted()
	if err != nil {
		return err
	}
	h.DType, h.big, err = parseDescr(text)
	return err
}

// literal is text from whose front Python literals are parsed.
type literal struct{ rest string }

// take removes a token and the blanks around it.
func (s *literal) take(token string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s.rest, " \n"), token)
	s.rest = strings.TrimLeft(rest, " \n")
	return ok
}

func (s *literal) quoted() (string, error) {
	for _, quote := range []string{"'", `"`} {
		if !strings.HasPrefix(s.rest, quote) {
			continue
		}
		if text, rest, ok := strings.Cut(s.rest[1:], quote); ok {
			s.rest = strings.TrimLeft(rest, " \n")
			return text, nil
		}
	}
	return "", errors.New("a quoted string is missing")
}

func (s *literal) bool() (bool, error) {
	if s.take("True") {
		return true, nil
	}
	if s.take("False") {
		return false, nil
	}
	return false, errors.New("fortran_order is neither True nor False")
}

func (s *literal) shape() (tensor.Shape, error) {
	if !s.take("(") {
		return nil, errors.New("shape is not a tuple")
	}
	shape := tensor.Shape{}
	for !s.take(")") {
		digits := s.rest[:len(s.rest)-len(strings.TrimLeft(s.rest, "0123456789"))]
		n, err := strconv.Atoi(digits)
		if err != nil || len(shape) == maxRank {
			return nil, errors.New("shape is not a tuple of sizes")
		}
		shape = append(shape, n)
		s.rest = s.rest[len(digits):]
		if !s.take(",") && !strings.HasPrefix(s.rest, ")") {
			return nil, errors.New("shape is not a tuple of sizes")
		}
	}
	return shape, nil
}
