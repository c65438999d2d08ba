//go:build !noparquet

package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// readParquet reads a Parquet file. The library panics on some damaged files, which is reported as damage.
func readParquet(file string, f *os.File, o Options) (t *Table, err error) {
	wrong := func(format string, args ...any) error { return &Error{File: file, Err: fmt.Errorf(format, args...)} }
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, wrong("the Parquet file is damaged: %v", r)
		}
	}()
	if !o.Format.isZero() {
		return nil, fmt.Errorf("%s: format is for CSV files: a Parquet file says itself how it is read", file)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := openParquet(f, info.Size())
	if err != nil {
		return nil, wrong("%w", err)
	}
	switch rows := p.NumRows(); {
	case rows == 0:
		return nil, wrong("the table has no rows, only %d columns", len(p.Root().Columns()))
	case rows < 0 || rows > MaxRows:
		return nil, wrong("the table has %d rows, not 1 to %d", rows, MaxRows)
	}
	t = &Table{File: file, Rows: int(p.NumRows())}
	columns := p.Root().Columns()
	if len(columns) > MaxColumns {
		return nil, wrong("the table has %d columns, more than %d", len(columns), MaxColumns)
	}
	var names []string
	byName := make(map[string]*parquet.Column, len(columns))
	for _, c := range columns {
		name := c.Name()
		if byName[name] != nil {
			return nil, wrong("two columns are both named %q (rename one)", name)
		}
		names, byName[name] = append(names, name), c
	}
	want := o.Columns
	if want == nil {
		want = names
	}
	for name := range o.Types {
		if byName[name] == nil {
			return nil, noColumn(file, name, names)
		}
	}
	for _, name := range want {
		c := byName[name]
		if c == nil {
			return nil, noColumn(file, name, names)
		}
		column, err := t.readColumn(p, c, o.Types[name])
		if err != nil {
			return nil, err
		}
		t.Columns = append(t.Columns, column)
	}
	return t, nil
}

// leastParquet is the size of a Parquet file without metadata: a magic number at both ends and a length.
const leastParquet = 12

// openParquet opens a Parquet file of the given size.
func openParquet(f *os.File, size int64) (*parquet.File, error) {
	switch {
	case size == 0:
		return nil, errors.New("the file is empty (want a Parquet file with columns and rows)")
	case size < leastParquet:
		return nil, fmt.Errorf("not a Parquet file: it has %d bytes only", size)
	}
	p, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("not a Parquet file: %w", err)
	}
	return p, nil
}

// parquetNames returns the names of a Parquet file's columns.
func parquetNames(file string, f *os.File) (names []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			names, err = nil, &Error{File: file, Err: fmt.Errorf("the Parquet file is damaged: %v", r)}
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p, err := openParquet(f, info.Size())
	if err != nil {
		return nil, &Error{File: file, Err: err}
	}
	for _, c := range p.Root().Columns() {
		names = append(names, c.Name())
	}
	return names, nil
}

// readColumn reads a column of a Parquet file.
func (t *Table) readColumn(p *parquet.File, c *parquet.Column, declared Type) (*Column, error) {
	kind, value, err := meaning(c)
	if err != nil {
		return nil, t.column(c.Name(), "%w", err)
	}
	b := newBuilder(nil, c.Name(), 0, declared)
	b.p, _ = newParser(Format{Missing: []string{}}) // only null is missing
	if b.Kind == 0 {
		b.Kind = kind
	}
	if kind == timestamp {
		if b.Kind != Date {
			return nil, t.column(c.Name(), "the column holds timestamps (declare the type date, to take their dates in UTC)")
		}
		kind = Date
	}
	switch as := b.Kind; {
	case as == kind, kind == String, kind == Category && as == String, kind == Integer && (as == Float || as == Boolean):
	default:
		return nil, t.column(c.Name(), "the column is %v in the file and cannot be read as %v", kind, as)
	}
	add := func(v parquet.Value) error {
		if v.IsNull() {
			b.addMissing()
			return nil
		}
		return value(b, v)
	}
	buf := make([]parquet.Value, 1024)
	for _, group := range p.RowGroups() {
		if err := t.readPages(group.ColumnChunks()[c.Index()].Pages(), buf, b, add); err != nil {
			return nil, err
		}
	}
	if b.rows != t.Rows {
		return nil, t.column(c.Name(), "the Parquet file is damaged: the column has %d values, the table %d rows", b.rows, t.Rows)
	}
	return b.finish()
}

// readPages adds the values of all pages.
func (t *Table) readPages(pages parquet.Pages, buf []parquet.Value, b *builder, add func(parquet.Value) error) error {
	defer pages.Close()
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return t.column(b.Name, "the Parquet file is damaged: %w", err)
		}
		values := page.Values()
		for {
			n, err := values.ReadValues(buf)
			for _, v := range buf[:n] {
				if b.rows == t.Rows {
					return t.column(b.Name, "the Parquet file is damaged: the column has more values than the table has rows")
				}
				if err := add(v); err != nil {
					return &Error{File: t.File, Row: b.rows + 1, Name: b.Name, Err: err}
				}
			}
			if err == io.EOF || n == 0 && err == nil {
				break
			}
			if err != nil {
				return t.column(b.Name, "the Parquet file is damaged: %w", err)
			}
		}
		parquet.Release(page)
	}
}

// timestamp is the kind of a column of timestamps before it is read as dates.
const timestamp = String + 1

// meaning returns the kind of a column and a function that adds a value to the builder.
func meaning(c *parquet.Column) (Kind, func(b *builder, v parquet.Value) error, error) {
	if !c.Leaf() || c.Repeated() || c.MaxRepetitionLevel() > 0 {
		return 0, nil, errors.New("the column is nested (leave it out: tables have one value a row and column)")
	}
	var logical any
	if l := c.Type().LogicalType(); l != nil {
		logical = l.Value
	}
	physical := c.Type().Kind()
	switch l := logical.(type) {
	case nil:
		switch physical {
		case parquet.Boolean:
			return Boolean, addBoolean, nil
		case parquet.Int32, parquet.Int64:
			return Integer, func(b *builder, v parquet.Value) error { return addInteger(b, integerOf(v)) }, nil
		case parquet.Float, parquet.Double:
			return Float, addFloating, nil
		}
	case *format.IntType:
		if physical != parquet.Int32 && physical != parquet.Int64 {
			break
		}
		if l.IsSigned {
			return Integer, func(b *builder, v parquet.Value) error { return addInteger(b, integerOf(v)) }, nil
		}
		return Integer, func(b *builder, v parquet.Value) error {
			if v.Kind() == parquet.Int32 {
				return addInteger(b, int64(v.Uint32()))
			}
			if x := v.Uint64(); x > math.MaxInt64 {
				return fmt.Errorf("%d: %w for an integer of 64 bits", x, errRange)
			}
			return addInteger(b, int64(v.Uint64()))
		}, nil
	case *format.DateType:
		if physical == parquet.Int32 {
			return Date, func(b *builder, v parquet.Value) error { return b.addInt(int64(v.Int32()), nil) }, nil
		}
	case *format.TimestampType:
		if unit, ok := unitOf(l.Unit); ok && physical == parquet.Int64 {
			return timestamp, func(b *builder, v parquet.Value) error {
				day := int64(24 * time.Hour / unit)
				days := v.Int64() / day
				if v.Int64()%day < 0 {
					days--
				}
				return b.addInt(days, nil)
			}, nil
		}
	case *format.DecimalType:
		return decimalOf(physical, l.Scale)
	case *format.StringType:
		if physical == parquet.ByteArray {
			return String, addBytes, nil
		}
	case *format.EnumType:
		if physical == parquet.ByteArray {
			return Category, addBytes, nil
		}
	}
	return 0, nil, fmt.Errorf("columns of type %v are not read (leave it out, or convert it)", c.Type())
}

func unitOf(u format.TimeUnit) (time.Duration, bool) {
	switch u.String() {
	case "MILLIS":
		return time.Millisecond, true
	case "MICROS":
		return time.Microsecond, true
	case "NANOS":
		return time.Nanosecond, true
	}
	return 0, false
}

func integerOf(v parquet.Value) int64 {
	if v.Kind() == parquet.Int32 {
		return int64(v.Int32())
	}
	return v.Int64()
}

// addInteger adds an integer, as the kind that is declared for it.
func addInteger(b *builder, x int64) error {
	switch {
	case b.Kind == Float:
		return b.addFloat(float64(x), nil)
	case b.Kind == Boolean && x != 0 && x != 1:
		return fmt.Errorf("%d is not a boolean", x)
	}
	return b.addInt(x, nil)
}

func addBoolean(b *builder, v parquet.Value) error {
	if v.Boolean() {
		return b.addInt(1, nil)
	}
	return b.addInt(0, nil)
}

func addFloating(b *builder, v parquet.Value) error {
	x := 0.0
	if v.Kind() == parquet.Float {
		x = float64(v.Float())
	} else {
		x = v.Double()
	}
	if math.IsNaN(x) {
		b.addMissing()
		return nil
	}
	return b.addFloat(x, nil)
}

// addBytes adds a text, which is parsed if another kind is declared for it.
func addBytes(b *builder, v parquet.Value) error {
	text := string(v.ByteArray())
	if !utf8.ValidString(text) {
		return fmt.Errorf("%.40q is not UTF-8", text)
	}
	return b.add(text)
}

// decimalOf returns the meaning of decimals with so many digits after the point.
func decimalOf(physical parquet.Kind, scale int32) (Kind, func(b *builder, v parquet.Value) error, error) {
	exact := []parquet.Kind{parquet.Int32, parquet.Int64, parquet.ByteArray, parquet.FixedLenByteArray}
	if !slices.Contains(exact, physical) || scale < 0 || scale > 1000 {
		return 0, nil, fmt.Errorf("decimals of type %v with %d digits after the point are not read", physical, scale)
	}
	return Float, func(b *builder, v parquet.Value) error {
		var digits big.Int
		switch v.Kind() {
		case parquet.Int32, parquet.Int64:
			digits.SetInt64(integerOf(v))
		default:
			bytes := v.ByteArray()
			if len(bytes) > 64 {
				return fmt.Errorf("a decimal has %d bytes, more than 64", len(bytes))
			}
			digits.SetBytes(bytes) // two's complement, the high byte first
			if len(bytes) > 0 && bytes[0] >= 0x80 {
				digits.Sub(&digits, new(big.Int).Lsh(big.NewInt(1), uint(8*len(bytes))))
			}
		}
		x, err := strconv.ParseFloat(fmt.Sprintf("%ve-%d", &digits, scale), 64)
		return b.addFloat(x, err)
	}, nil
}
