package table

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

var encodings = []string{"", "utf-8", "utf-16le", "utf-16be", "latin-1", "windows-1252"}

// decode returns the text of r as UTF-8, without its byte order mark. Bytes of UTF-8 are not checked.
func decode(r io.Reader, encoding string) (io.Reader, error) {
	b := bufio.NewReaderSize(r, 1<<16)
	start, err := b.Peek(3)
	if err != nil && err != io.EOF {
		return nil, err
	}
	mark := func(want ...byte) bool { return len(start) >= len(want) && string(start[:len(want)]) == string(want) }
	little, big := mark(0xff, 0xfe), mark(0xfe, 0xff)
	if encoding == "" && little {
		encoding = "utf-16le"
	}
	if encoding == "" && big {
		encoding = "utf-16be"
	}
	switch encoding {
	case "utf-16le", "utf-16be":
		high := 0
		if encoding == "utf-16le" {
			high = 1
		}
		if high == 1 && little || high == 0 && big {
			b.Discard(2)
		}
		return &runes{next: func() (rune, error) { return readUTF16(b, high) }}, nil
	case "latin-1":
		return &runes{next: func() (rune, error) {
			c, err := b.ReadByte()
			return rune(c), err
		}}, nil
	case "windows-1252":
		return &runes{next: func() (rune, error) {
			c, err := b.ReadByte()
			if err != nil {
				return 0, err
			}
			r := charmap.Windows1252.DecodeByte(c)
			if r == utf8.RuneError {
				return 0, fmt.Errorf("byte %#02x is no character of windows-1252", c)
			}
			return r, nil
		}}, nil
	}
	if mark(0xef, 0xbb, 0xbf) {
		b.Discard(3)
	}
	return b, nil
}

// runes is a reader of characters as UTF-8.
type runes struct {
	next func() (rune, error)
	rest []byte // encoded and not yet read
	buf  [utf8.UTFMax]byte
}

func (r *runes) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if len(r.rest) == 0 {
			c, err := r.next()
			if err != nil {
				return n, err
			}
			r.rest = utf8.AppendRune(r.buf[:0], c)
		}
		k := copy(p[n:], r.rest)
		r.rest = r.rest[k:]
		n += k
	}
	return n, nil
}

// readUTF16 reads a character; high is the index of the high byte of a unit.
func readUTF16(b *bufio.Reader, high int) (rune, error) {
	unit := func() (rune, error) {
		var pair [2]byte
		if _, err := io.ReadFull(b, pair[:]); err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return 0, errors.New("the file ends within a character of UTF-16")
			}
			return 0, err
		}
		return rune(pair[high])<<8 | rune(pair[1-high]), nil
	}
	c, err := unit()
	if err != nil || !utf16.IsSurrogate(c) {
		return c, err
	}
	low, err := unit()
	if c = utf16.DecodeRune(c, low); err == nil && c != utf8.RuneError {
		return c, nil
	}
	return 0, errors.New("half a character of UTF-16 stands alone")
}
