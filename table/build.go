package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// parser reads the fields of a CSV file.
type parser struct {
	Format
	dates   pattern
	missing map[string]bool
	buf     []byte
}

func newParser(f Format) (*parser, error) {
	dates, err := parsePattern(f.Dates)
	if err != nil {
		return nil, err
	}
	p := &parser{Format: f, dates: dates, missing: map[string]bool{}}
	spellings := f.Missing
	if spellings == nil {
		spellings = MissingSpellings
	}
	for _, s := range spellings {
		p.missing[strings.TrimSpace(s)] = true
	}
	return p, nil
}

// NumberText is Format.numberText with the parser's buffer.
func (p *parser) NumberText(cell string) ([]byte, bool, bool) {
	text, whole, ok := p.numberText(p.buf, cell)
	if ok {
		p.buf = text
	}
	return text, whole, ok
}

// builder collects the fields of a column.
type builder struct {
	*Column
	p        *parser
	field    int  // the column's index in the file
	declared bool // the column's kind is declared
	rows     int
	levels   map[string]int64
	closed   bool // no further levels

	// Without a declared kind: the texts of all fields so far, and the kinds that all of them have.
	raw  []byte
	ends []int
	can  [String + 1]bool
}

func newBuilder(p *parser, name string, field int, t Type) *builder {
	b := &builder{Column: &Column{Name: name, Kind: t.Kind}, p: p, field: field, declared: t.Kind != 0}
	if t.Levels != nil {
		b.Levels, b.levels, b.closed = slices.Clone(t.Levels), map[string]int64{}, true
		for i, level := range t.Levels {
			b.levels[level] = int64(i)
		}
	}
	for k := range b.can {
		b.can[k] = true
	}
	return b
}

// add appends a field. Fields without a declared kind are kept until finish.
func (b *builder) add(cell string) error {
	if !utf8.ValidString(cell) {
		return fmt.Errorf("%.40q is not UTF-8 (declare the file's encoding, such as latin-1)", cell)
	}
	if b.Kind == 0 {
		b.raw = append(b.raw, cell...)
		b.ends = append(b.ends, len(b.raw))
		if trimmed := strings.TrimSpace(cell); !b.p.missing[trimmed] {
			b.narrow(trimmed)
		}
		return nil
	}
	trimmed := strings.TrimSpace(cell)
	if b.p.missing[trimmed] {
		b.addMissing()
		return nil
	}
	switch b.Kind {
	case Integer:
		x, err := b.p.integer(trimmed)
		return b.addInt(x, err)
	case Float:
		x, err := b.p.float(trimmed)
		return b.addFloat(x, err)
	case Boolean:
		x, err := boolean(trimmed, b.declared)
		return b.addInt(x, err)
	case Date:
		x, err := b.p.dates.parse(trimmed)
		return b.addInt(x, err)
	case Category:
		return b.addLevel(cell)
	}
	return b.addText(cell)
}

// narrow removes the kinds that a field does not have.
func (b *builder) narrow(cell string) {
	for _, k := range []Kind{Boolean, Integer, Float, Date} {
		if !b.can[k] {
			continue
		}
		var err error
		switch k {
		case Boolean:
			_, err = boolean(cell, false)
		case Integer:
			_, err = b.p.integer(cell)
		case Float:
			_, err = b.p.float(cell)
		case Date:
			_, err = b.p.dates.parse(cell)
		}
		b.can[k] = err == nil
	}
}

// finish determines the kind, if it is not declared, and returns the column.
func (b *builder) finish() (*Column, error) {
	if b.Kind == 0 {
		b.Kind = String
		for _, k := range []Kind{Date, Float, Integer, Boolean} { // the last one that applies counts
			if b.can[k] {
				b.Kind = k
			}
		}
		if b.can[Boolean] && b.can[Integer] { // no field had a value
			b.Kind = Float
		}
		text, start := string(b.raw), 0
		b.raw = nil
		for _, end := range b.ends {
			if err := b.add(text[start:end]); err != nil {
				return nil, err
			}
			start = end
		}
		b.ends = nil
	}
	if b.Kind == Category && !b.closed {
		b.sortLevels()
	}
	return b.Column, nil
}

// sortLevels brings the levels that were found into ascending order.
func (b *builder) sortLevels() {
	found := b.Levels
	b.Levels = slices.Sorted(slices.Values(found))
	to := make([]int64, len(found))
	for i, level := range found {
		at, _ := slices.BinarySearch(b.Levels, level)
		to[i] = int64(at)
	}
	for row, x := range b.Ints {
		if !b.IsMissing(row) {
			b.Ints[row] = to[x]
		}
	}
}

func (b *builder) addMissing() {
	if b.Missing == nil {
		b.Missing = make([]bool, b.rows)
	}
	b.Missing = append(b.Missing, true)
	b.rows++
	switch b.Kind {
	case Float:
		b.Floats = append(b.Floats, 0)
	case String:
		b.Texts = append(b.Texts, "")
	default:
		b.Ints = append(b.Ints, 0)
	}
}

// present counts a row with a value.
func (b *builder) present() {
	if b.Missing != nil {
		b.Missing = append(b.Missing, false)
	}
	b.rows++
}

func (b *builder) addInt(x int64, err error) error {
	if err == nil {
		b.present()
		b.Ints = append(b.Ints, x)
	}
	return err
}

func (b *builder) addFloat(x float64, err error) error {
	if err == nil && math.IsInf(x, 0) {
		err = fmt.Errorf("%v is not finite", x)
	}
	if err == nil {
		b.present()
		b.Floats = append(b.Floats, x)
	}
	return err
}

func (b *builder) addText(s string) error {
	b.present()
	b.Texts = append(b.Texts, strings.Clone(s))
	return nil
}

func (b *builder) addLevel(s string) error {
	x, ok := b.levels[s]
	if !ok {
		if b.closed {
			return fmt.Errorf("%.40q is not among the declared levels", s)
		}
		if b.levels == nil {
			b.levels = map[string]int64{}
		}
		s = strings.Clone(s)
		x = int64(len(b.Levels))
		b.levels[s], b.Levels = x, append(b.Levels, s)
	}
	return b.addInt(x, nil)
}
