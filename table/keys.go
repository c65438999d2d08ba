package table

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Normal says how the texts of key columns are normalised before they are compared. All owners declare the same.
type Normal struct {
	Trim bool // spaces around a text are ignored
	Case bool // upper and lower case are equal (Unicode's full case folding)
	NFC  bool // texts are brought to the normal form NFC first
}

// The kinds of keys. Values of columns can be equal only if their kinds of keys are.
const (
	NumberKey = "number"
	TruthKey  = "boolean"
	DateKey   = "date"
	TextKey   = "text"
)

// KeyKind returns the kind of key that a column of this kind is.
func (k Kind) KeyKind() string {
	switch k {
	case Integer, Float:
		return NumberKey
	case Boolean:
		return TruthKey
	case Date:
		return DateKey
	}
	return TextKey
}

// Key is 128 bits of the hash of a row's values in some columns.
type Key = [2]uint64

// Keys returns the keys of the rows that have values in all of the columns, and the numbers of these rows, ascending.
// A key is the hash of the values in the order of the columns, each with its kind of key and its length, so that
// different lists of values have different inputs of the hash. Two rows with one key are an error.
func (t *Table) Keys(columns []string, n Normal) (keys []Key, rows []int, err error) {
	k, err := t.keyColumns(columns, n)
	if err != nil {
		return nil, nil, err
	}
	seen := make(map[Key]int, t.Rows)
	for row := range t.Rows {
		key, ok := k.key(row)
		if !ok {
			continue
		}
		if first, twice := seen[key]; twice {
			return nil, nil, t.cell(&Column{Name: strings.Join(columns, ", ")}, row,
				"the key is that of %s too (remove one of the rows, or aggregate rows of one key)", t.at(first))
		}
		seen[key] = row
		keys, rows = append(keys, key), append(rows, row)
	}
	return keys, rows, nil
}

// at names a row in messages.
func (t *Table) at(row int) string {
	if t.lines != nil {
		return fmt.Sprintf("line %d", t.lines[row])
	}
	return fmt.Sprintf("row %d", row+1)
}

// keyColumns are the columns of keys.
type keyColumns struct {
	columns []*Column
	normal  Normal
	fold    cases.Caser
	hash    hash.Hash
	buf     []byte
}

func (t *Table) keyColumns(columns []string, n Normal) (*keyColumns, error) {
	if len(columns) == 0 {
		return nil, fmt.Errorf("%s: name the columns of the key", t.File)
	}
	k := &keyColumns{normal: n, fold: cases.Fold(), hash: sha256.New()}
	for i, name := range columns {
		c := t.Column(name)
		switch {
		case c == nil:
			return nil, fmt.Errorf("%s: the table has no column %q", t.File, name)
		case slices.Contains(columns[:i], name):
			return nil, fmt.Errorf("%s: column %q of the key is named twice", t.File, name)
		}
		k.columns = append(k.columns, c)
	}
	return k, nil
}

// keyDomain separates these hashes from all others.
const keyDomain = "tacet join key 1\x00"

// key returns a row's key; false if a value is missing.
func (k *keyColumns) key(row int) (Key, bool) {
	k.hash.Reset()
	k.buf = append(append(k.buf[:0], keyDomain...), byte(len(k.columns)), byte(len(k.columns)>>8), byte(len(k.columns)>>16))
	for _, c := range k.columns {
		if c.IsMissing(row) {
			return Key{}, false
		}
		k.append(c, row)
	}
	k.hash.Write(k.buf)
	var sum [sha256.Size]byte
	k.hash.Sum(sum[:0])
	return Key{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}, true
}

// append appends a value: its kind of key, its length and its bytes.
func (k *keyColumns) append(c *Column, row int) {
	kind := c.Kind.KeyKind()
	if kind == TextKey {
		s := k.text(c.text(row))
		k.buf = append(k.buf, kind[0])
		k.buf = binary.LittleEndian.AppendUint64(k.buf, uint64(len(s)))
		k.buf = append(k.buf, s...)
		return
	}
	k.buf = append(k.buf, kind[0])
	k.buf = binary.LittleEndian.AppendUint64(k.buf, 9)
	whole, x := byte(1), uint64(0)
	switch {
	case c.Kind != Float:
		x = uint64(c.Ints[row])
	case c.Floats[row] == math.Trunc(c.Floats[row]) && math.Abs(c.Floats[row]) < 1<<63:
		x = uint64(int64(c.Floats[row]))
	default:
		whole, x = 0, math.Float64bits(c.Floats[row])
	}
	k.buf = append(k.buf, whole)
	k.buf = binary.LittleEndian.AppendUint64(k.buf, x)
}

// text normalises a text.
func (k *keyColumns) text(s string) string {
	if k.normal.NFC {
		s = norm.NFC.String(s)
	}
	if k.normal.Trim {
		s = strings.TrimSpace(s)
	}
	if k.normal.Case {
		s = k.fold.String(s)
		if k.normal.NFC { // folding may denormalise
			s = norm.NFC.String(s)
		}
	}
	return s
}
