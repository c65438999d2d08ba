package job

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Table says how an argument is made from a table: which columns are read, and how their owner prepares them.
type Table struct {
	Options table.Options // columns, kinds and format of the file
	Steps   []table.Step  // preparation of single columns; other columns are taken as they are
	// Split says that the file holds only some rows of a table whose rows are split between parties. Steps that
	// need statistics of whole columns are then refused.
	Split bool
}

// TableFields returns the keys of an input that declare a table, for yamlfile.Value.Mapping. They set *t.
func TableFields(t *Table) yamlfile.Fields {
	return yamlfile.Fields{
		"columns": table.ReadTexts(&t.Options.Columns, "columns"),
		"types":   table.ReadTypes(&t.Options.Types),
		"format":  table.ReadFormat(&t.Options.Format),
		"prepare": table.ReadSteps(&t.Steps),
		"partition": func(key string, v yamlfile.Value) error {
			switch s, _ := v.Scalar(); s {
			case "vertical":
			case "horizontal":
				t.Split = true
			default:
				return v.Mismatch(key, "vertical (the table has all rows) or horizontal (other parties have further rows)")
			}
			return nil
		},
	}
}

// Check returns an error if file is not the name of a table, or if the declaration contradicts itself.
func (t *Table) Check(file string) error {
	switch {
	case file == "":
		return errors.New("columns, types, format, prepare and partition belong to a table (table: FILE.csv or FILE.parquet)")
	case !slices.Contains(table.Extensions, filepath.Ext(file)):
		return fmt.Errorf("table %s: a table's file name ends with %s", filepath.Base(file), strings.Join(table.Extensions, ", "))
	}
	if err := t.Options.Check(); err != nil {
		return err
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		if err := s.Check(t.Split); err != nil {
			return err
		}
		if t.Options.Columns != nil && !slices.Contains(t.Options.Columns, s.Column) {
			return fmt.Errorf("prepare names column %q, which columns does not list (a preparation reads columns of its owner's table only)", s.Column)
		}
	}
	return nil
}

// prepared is an argument made of a table.
type prepared struct {
	Input
	arg int
}

func openTable(in Input) (source, error) {
	if len(in.Args) != 1 {
		return nil, fmt.Errorf("table %s provides no argument of a program (it belongs to a task)", in.Name)
	}
	f, err := regular.Open(in.File)
	if err != nil {
		return nil, err
	}
	return prepared{in, in.Args[0]}, f.Close()
}

func (p prepared) Close() error { return nil }

func (p prepared) args() ([]int, error) { return []int{p.arg}, nil }

// check refuses types that no table can hold; other errors are found when the file is read.
func (p prepared) check(arg int, want tensor.Type) error {
	if n := len(want.Shape); n < 1 || n > 2 || want.DType.IsComplex() {
		return fmt.Errorf("argument %d is %v, but a table's columns are a matrix of rows and features, or a vector", arg, want)
	}
	return nil
}

// read prepares the table's columns: a matrix with a row for each row and a column for each feature, or a vector
// of one feature. Every error may depend on the table and is only for its owner.
func (p prepared) read(arg int, want tensor.Type) (*tensor.Array, error) {
	fail := func(at string, format string, args ...any) error {
		return &ElementError{at, fmt.Errorf(format, args...)}
	}
	t, err := table.Read(p.File, p.Table.Options)
	if err != nil {
		return nil, tableError(err)
	}
	features, err := t.Prepare(p.Table.Steps, p.Table.Split)
	if err != nil {
		return nil, tableError(err)
	}
	shape := tensor.Shape{t.Rows, len(features)}
	if len(want.Shape) == 1 && len(features) == 1 {
		shape = shape[:1]
	}
	if !shape.Equal(want.Shape) {
		return nil, fail(fmt.Sprintf("argument %d", arg), "the table has %d rows and %d features (%.300s), but the program expects %v",
			t.Rows, len(features), strings.Join(table.Names(features), ", "), want)
	}
	if want.DType.IsFloat() {
		values := make([]float64, shape.Size())
		for j, f := range features {
			for i, x := range f.Values {
				values[i*len(features)+j] = x
			}
		}
		return tensor.FromFloats(want.DType, shape, values), nil
	}
	words := make([]uint64, shape.Size())
	for j, f := range features {
		for i, x := range f.Values {
			w, ok := word(x, want.DType)
			if !ok {
				return nil, fail(fmt.Sprintf("row %d, feature %q", i+1, f.Name), "%v is no %v (the program's type)", x, want.DType)
			}
			words[i*len(features)+j] = w
		}
	}
	return tensor.FromWords(want.DType, shape, words), nil
}

// word returns an integer or a truth value of this type; false if x is not one.
func word(x float64, d tensor.DType) (uint64, bool) {
	least, most := 0.0, 1.0
	switch {
	case d.IsSigned():
		most = math.Ldexp(1, d.Bits()-1)
		least = -most
		most--
	case d != tensor.Bool:
		most = math.Ldexp(1, d.Bits()) - 1
	}
	const exact = 1 << 53
	if x != math.Trunc(x) || x < max(least, -exact) || x > min(most, exact) {
		return 0, false
	}
	if d.IsSigned() {
		return uint64(int64(x)), true
	}
	return uint64(x), true
}

// tableError returns the error of a table as that of an element, whose text only the owner may see.
func tableError(err error) error {
	var at *table.Error
	if errors.As(err, &at) {
		return &Error{Place: at.Place(), Err: &ElementError{at.At(), at.Err}}
	}
	return &ElementError{"", err}
}
