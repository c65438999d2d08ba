package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ReadCSV reads a table in CSV from r. file is its name in errors. Errors about the content are *Error.
func ReadCSV(file string, r io.Reader, o Options) (*Table, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	p, err := newParser(o.Format)
	if err != nil {
		return nil, err
	}
	in, err := newRecords(file, r, o.Format)
	if err != nil {
		return nil, err
	}
	first, names, err := in.start(o.Format.NoHeader)
	if err != nil {
		return nil, err
	}
	columns, err := in.choose(names, p, o)
	if err != nil {
		return nil, err
	}
	t := &Table{File: file}
	row := first
	if !o.Format.NoHeader {
		row, err = in.next()
	}
	for ; err == nil; row, err = in.next() {
		if err := in.add(t, columns, row, len(names)); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if t.Rows == 0 {
		return nil, &Error{File: file, Line: in.line, Byte: 1, Err: errors.New("the table has no rows (want rows below the line with the names of columns)")}
	}
	for _, b := range columns {
		c, err := b.finish()
		if err != nil {
			return nil, &Error{File: file, Name: b.Name, Err: err}
		}
		t.Columns = append(t.Columns, c)
	}
	return t, nil
}

// records reads the records of a CSV file.
type records struct {
	file string
	in   *limited
	csv  *csv.Reader
	line int // on which the next record must begin
	at   int // on which the last record began
}

func newRecords(file string, r io.Reader, f Format) (*records, error) {
	text, err := decode(r, f.Encoding)
	if err != nil {
		return nil, err
	}
	in := &records{file: file, in: &limited{text, MaxRecord}, line: 1}
	in.csv = csv.NewReader(in.in)
	in.csv.ReuseRecord, in.csv.FieldsPerRecord = true, -1
	if f.Separator != 0 {
		in.csv.Comma = f.Separator
	}
	return in, nil
}

// start reads the first record and returns the names of the columns, which it has unless none is set.
func (in *records) start(none bool) (first, names []string, err error) {
	first, err = in.next()
	if err == io.EOF {
		return nil, nil, &Error{File: in.file, Line: 1, Byte: 1, Err: errors.New("the file is empty (want a line with the names of columns, and rows)")}
	}
	if err != nil {
		return nil, nil, err
	}
	names, err = in.header(first, none)
	return first, names, err
}

// next returns the next record, which is valid until the following call, or io.EOF.
func (in *records) next() ([]string, error) {
	row, err := in.csv.Read()
	var syntax *csv.ParseError
	switch {
	case errors.As(err, &syntax) && errors.Is(err, csv.ErrQuote):
		err := errors.New("a quoted field is not closed, or goes on after its closing quote (double the quotes in it)")
		return nil, &Error{File: in.file, Line: syntax.Line, Byte: syntax.Column, Err: err}
	case errors.As(err, &syntax):
		return nil, &Error{File: in.file, Line: syntax.Line, Byte: syntax.Column, Err: errors.New("a quote where none may stand (quote the whole field, and double the quotes in it)")}
	case errors.Is(err, errLong):
		return nil, in.wrong(in.line, "the record has more than %d bytes (is a quote not closed?)", MaxRecord)
	case err == io.EOF:
		return nil, io.EOF
	case err != nil:
		return nil, in.wrong(in.line, "%w", err)
	}
	if in.at, _ = in.csv.FieldPos(0); in.at != in.line {
		return nil, in.wrong(in.line, "the line is empty (remove it; a missing value alone on its line is written NA)")
	}
	last, _ := in.csv.FieldPos(len(row) - 1)
	in.line = last + strings.Count(row[len(row)-1], "\n") + 1
	in.in.left = MaxRecord
	return row, nil
}

// wrong returns an error at a line.
func (in *records) wrong(line int, format string, args ...any) error {
	return &Error{File: in.file, Line: line, Err: fmt.Errorf(format, args...)}
}

// header returns the names of all columns.
func (in *records) header(first []string, none bool) ([]string, error) {
	if len(first) > MaxColumns {
		return nil, in.wrong(in.at, "the table has %d columns, more than %d", len(first), MaxColumns)
	}
	names := make([]string, len(first))
	seen := make(map[string]int, len(first))
	for i, cell := range first {
		line, col := in.csv.FieldPos(i)
		fail := func(format string, args ...any) error {
			return &Error{File: in.file, Line: line, Byte: col, Err: fmt.Errorf(format, args...)}
		}
		name := strings.TrimSpace(cell)
		if none {
			name = fmt.Sprintf("column%d", i+1)
		}
		switch {
		case strings.ContainsRune(name, 0):
			return nil, fail("the name of a column holds a zero byte (is the file UTF-16? then declare encoding: utf-16le)")
		case !utf8.ValidString(name):
			return nil, fail("the name of a column is not UTF-8 (declare the file's encoding, such as latin-1)")
		case strings.ContainsFunc(name, unicode.IsControl):
			return nil, fail("the name of a column, %.40q, holds control characters", name)
		case seen[name] > 0 && name != "":
			return nil, fail("columns %d and %d are both named %q (rename one)", seen[name], i+1, name)
		}
		names[i], seen[name] = strings.Clone(name), i+1
	}
	return names, nil
}

// choose returns the columns to read.
func (in *records) choose(names []string, p *parser, o Options) ([]*builder, error) {
	index := make(map[string]int, len(names))
	for i, name := range names {
		index[name] = i
	}
	want := o.Columns
	if want == nil {
		if i := slices.Index(names, ""); i >= 0 {
			return nil, in.wrong(in.at, "column %d has no name (name it, or list the columns to read)", i+1)
		}
		want = names
	}
	var out []*builder
	for _, name := range want {
		i, ok := index[name]
		if !ok || name == "" {
			return nil, noColumn(in.file, name, names)
		}
		out = append(out, newBuilder(p, name, i, o.Types[name]))
	}
	for name := range o.Types {
		if _, ok := index[name]; !ok {
			return nil, noColumn(in.file, name, names)
		}
	}
	return out, nil
}

// noColumn returns the error of a column that the table lacks.
func noColumn(file, name string, names []string) error {
	some := names
	if len(some) > 20 {
		some = append(slices.Clone(names[:20]), "…")
	}
	return &Error{File: file, Err: fmt.Errorf("there is no column %q (the table has %s)", name, strings.Join(some, ", "))}
}

// add appends a record to the table.
func (in *records) add(t *Table, columns []*builder, row []string, width int) error {
	if len(row) != width {
		line, col := in.csv.FieldPos(min(len(row)-1, width)) // the first field too many, or the last one
		return &Error{File: in.file, Line: line, Byte: col, Err: fmt.Errorf("the row has %d fields, but the table has %d columns", len(row), width)}
	}
	if t.Rows == MaxRows {
		return in.wrong(in.at, "the table has more than %d rows", MaxRows)
	}
	for _, b := range columns {
		if err := b.add(row[b.field]); err != nil {
			line, col := in.csv.FieldPos(b.field)
			return &Error{File: in.file, Line: line, Byte: col, Name: b.Name, Err: err}
		}
	}
	t.Rows++
	t.lines = append(t.lines, int32(min(in.at, MaxRows)))
	return nil
}

var errLong = errors.New("record too long")

// limited reads from r, at most left bytes.
type limited struct {
	r    io.Reader
	left int
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLong
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}
