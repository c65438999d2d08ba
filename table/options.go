package table

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tacet-mpc/tacet/regular"
)

// Bounds of tables.
const (
	// MaxRecord is the maximum size of a record of a CSV file, in bytes of UTF-8; up to a few thousand bytes
	// more may be accepted.
	MaxRecord = 1 << 24
	// MaxColumns is the maximum number of columns.
	MaxColumns = 1 << 20
	// MaxRows is the maximum number of rows.
	MaxRows = 1<<31 - 1
	// MaxLevels is the maximum number of levels of a column that is encoded as one feature for each level.
	MaxLevels = 1 << 12
)

// Options say which columns of a table are read, and how. The zero Options read all columns of a usual CSV or
// Parquet file.
type Options struct {
	// Columns are the names of the columns to read, in this order; nil for all columns in the file's order.
	Columns []string
	// Types has the declared types of columns, by name. The kinds of other columns follow from the file.
	Types  map[string]Type
	Format Format // format of a CSV file; not used for Parquet
}

// Type is the declared type of a column.
type Type struct {
	Kind   Kind     // kind of the values
	Levels []string // all values of a Category; nil for those that occur in the column
}

// Format is the format of a CSV file. The zero Format is that of the package comment.
type Format struct {
	// Encoding is utf-8, utf-16le, utf-16be, latin-1 or windows-1252; "" for UTF-8, or UTF-16 if the file begins
	// with its byte order mark.
	Encoding  string
	Separator rune     // separates fields; 0 for a comma, or a tab in .tsv files
	NoHeader  bool     // the first line is a row; columns are named column1, column2, …
	Missing   []string // fields that are missing values; nil for MissingSpellings
	Thousands byte     // separates groups of three digits; 0 for none
	Decimal   byte     // precedes the fraction; 0 for a point
	Dates     string   // pattern of dates, such as DD.MM.YYYY; "" for YYYY-MM-DD
}

// MissingSpellings are the fields of a CSV file that are missing values, unless Format.Missing says otherwise.
var MissingSpellings = []string{"", "NA", "N/A", "n/a", "<NA>", "#N/A", "NaN", "nan", "-NaN", "-nan", "NULL", "Null", "null", "None"}

// Extensions are the file name extensions by which Read recognises the kinds of tables.
var Extensions = []string{".csv", ".tsv", ".parquet"}

// Read reads a table. The kind of file follows from the extension of its name (Extensions). Errors about the
// file's content are *Error.
func Read(path string, o Options) (*Table, error) {
	f, err := open(path, &o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if filepath.Ext(path) == ".parquet" {
		return readParquet(path, f, o)
	}
	return ReadCSV(path, f, o)
}

// open opens a table, and sets the options that its name's extension implies.
func open(path string, o *Options) (*os.File, error) {
	ext := filepath.Ext(path)
	if !slices.Contains(Extensions, ext) {
		return nil, fmt.Errorf("%s: a table's file name ends with %s", path, strings.Join(Extensions, ", "))
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	if ext == ".tsv" && o.Format.Separator == 0 {
		o.Format.Separator = '\t'
	}
	return regular.Open(path)
}

// ColumnNames returns the names of all columns of the table in file path, without reading its rows. o.Format
// applies.
func ColumnNames(path string, o Options) ([]string, error) {
	o.Columns, o.Types = nil, nil
	f, err := open(path, &o)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if filepath.Ext(path) == ".parquet" {
		return parquetNames(path, f)
	}
	in, err := newRecords(path, f, o.Format)
	if err != nil {
		return nil, err
	}
	_, names, err := in.start(o.Format.NoHeader)
	return names, err
}

// Check returns an error if the options contradict themselves.
func (o *Options) Check() error {
	for i, name := range o.Columns {
		if slices.Contains(o.Columns[:i], name) {
			return fmt.Errorf("column %q is named twice", name)
		}
	}
	if o.Columns != nil && len(o.Columns) == 0 {
		return fmt.Errorf("columns: name at least one column")
	}
	for name, t := range o.Types {
		if o.Columns != nil && !slices.Contains(o.Columns, name) {
			return fmt.Errorf("types names column %q, which columns does not list", name)
		}
		if t.Kind != Category && t.Levels != nil {
			return fmt.Errorf("column %q: only a category has levels", name)
		}
		for i, level := range t.Levels {
			if slices.Contains(t.Levels[:i], level) {
				return fmt.Errorf("column %q: level %q is declared twice", name, level)
			}
		}
		if len(t.Levels) > MaxLevels {
			return fmt.Errorf("column %q: at most %d levels can be declared", name, MaxLevels)
		}
	}
	return o.Format.check()
}

func (f *Format) check() error {
	if !slices.Contains(encodings, f.Encoding) {
		return fmt.Errorf("encoding %q is unknown (%s)", f.Encoding, strings.Join(encodings[1:], ", "))
	}
	if s := f.Separator; s != 0 && (s == '"' || s == '\r' || s == '\n' || !utf8.ValidRune(s) || s == utf8.RuneError) {
		return fmt.Errorf("separator %q cannot separate fields", s)
	}
	decimal := f.decimal()
	for _, mark := range []byte{f.Thousands, decimal} {
		if mark != 0 && !strings.ContainsRune(".,'_ ", rune(mark)) {
			return fmt.Errorf("%q is no mark of numbers (decimal and thousands are one of . , ' _ and a space)", mark)
		}
	}
	if f.Thousands == decimal {
		return fmt.Errorf("decimal and thousands are the same mark, %q", decimal)
	}
	_, err := parsePattern(f.Dates)
	return err
}

func (f *Format) decimal() byte {
	if f.Decimal == 0 {
		return '.'
	}
	return f.Decimal
}

// isZero says whether the format is that of the package comment.
func (f *Format) isZero() bool {
	return f.Encoding == "" && f.Separator == 0 && !f.NoHeader && f.Missing == nil && f.Thousands == 0 && f.Decimal == 0 && f.Dates == ""
}
