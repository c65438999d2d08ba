package table

import "fmt"

// Error is an error in a table. It may depend on the values of the table, and its text may quote one: only the
// table's owner may see it. Line, Byte and Row are 0 if unknown or not applicable.
type Error struct {
	File string // path of the file
	Line int    // line of the file, from 1
	Byte int    // byte of the line, from 1
	Row  int    // row of a file that has no lines, from 1
	Name string // name of the column; "" if the error is not about a column
	Err  error  // what is wrong
}

// Place returns the file with line and byte, such as "patients.csv:3:17", as far as they are known.
func (e *Error) Place() string {
	switch {
	case e.Line == 0:
		return e.File
	case e.Byte == 0:
		return fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return fmt.Sprintf("%s:%d:%d", e.File, e.Line, e.Byte)
}

// At returns the column and row as text, without a value; "" if the error is about neither.
func (e *Error) At() string {
	switch {
	case e.Row > 0 && e.Name != "":
		return fmt.Sprintf("row %d, column %q", e.Row, e.Name)
	case e.Row > 0:
		return fmt.Sprintf("row %d", e.Row)
	case e.Name != "":
		return fmt.Sprintf("column %q", e.Name)
	}
	return ""
}

// Error returns the place in the file, the column and row, and the text of Err, which may contain a value of the table.
func (e *Error) Error() string {
	if at := e.At(); at != "" {
		return e.Place() + ": " + at + ": " + e.Err.Error()
	}
	return e.Place() + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// cell returns the error of a row's value.
func (t *Table) cell(c *Column, row int, format string, args ...any) error {
	e := &Error{File: t.File, Name: c.Name, Err: fmt.Errorf(format, args...)}
	if t.lines != nil {
		e.Line = int(t.lines[row])
	} else {
		e.Row = row + 1
	}
	return e
}

// column returns the error of a whole column.
func (t *Table) column(name, format string, args ...any) error {
	return &Error{File: t.File, Name: name, Err: fmt.Errorf(format, args...)}
}
