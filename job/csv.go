package job

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// matrix is a .csv file of numbers: one row per line, numbers separated by commas. A first row without any number
// is a heading. A vector may be one row or one column; arrays of more than two dimensions need an .npy
// file.
type matrix struct {
	*os.File
	arg int
}

func (t *matrix) args() ([]int, error) { return []int{t.arg}, nil }

// check refuses types that no table can hold; other errors are found when the file is read.
func (t *matrix) check(arg int, want tensor.Type) error {
	if len(want.Shape) > 2 || want.DType.IsComplex() {
		return fmt.Errorf("argument %d is %v, which a .csv file cannot hold (use an .npy file)", arg, want)
	}
	return nil
}

func (t *matrix) read(arg int, want tensor.Type) (*tensor.Array, error) {
	a, err := readTable(t.File, want)
	if err != nil {
		return nil, fmt.Errorf("argument %d: %w", arg, err)
	}
	return a, nil
}

// readTable reads numbers of this type and shape.
func readTable(r io.Reader, want tensor.Type) (*tensor.Array, error) {
	c := csv.NewReader(r)
	c.TrimLeadingSpace = true
	c.ReuseRecord = true
	rows, cols := 0, 0
	var cells cells
	for {
		row, err := c.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err // the error names the line
		}
		if rows == 0 && heading(row) {
			continue
		}
		for i, cell := range row {
			if err := cells.add(strings.TrimSpace(cell), want.DType); err != nil {
				line, _ := c.FieldPos(i)
				return nil, &ElementError{fmt.Sprintf("line %d, column %d", line, i+1), err}
			}
		}
		rows, cols = rows+1, len(row)
	}
	have := tensor.Shape{rows, cols}
	if len(want.Shape) < 2 && (rows == 1 || cols == 1) {
		have = tensor.Shape{rows * cols}
		if len(want.Shape) == 0 && rows*cols == 1 {
			have = tensor.Shape{}
		}
	}
	if !have.Equal(want.Shape) {
		return nil, fmt.Errorf("the file has %d rows of %d numbers, but the program expects %v (if it is another argument's table: %s)", rows, cols, want, renumbered)
	}
	if want.DType.IsFloat() {
		return tensor.FromFloats(want.DType, want.Shape, cells.floats), nil
	}
	return tensor.FromWords(want.DType, want.Shape, cells.words), nil
}

// heading reports whether no cell of a row is a number.
func heading(row []string) bool {
	for _, cell := range row {
		if _, err := strconv.ParseFloat(strings.TrimSpace(cell), 64); err == nil {
			return false
		}
	}
	return true
}

// cells collects numbers: floats for a float type, words for any other.
type cells struct {
	floats []float64
	words  []uint64
}

func (c *cells) add(s string, d tensor.DType) error {
	var err error
	switch {
	case d.IsFloat():
		var v float64
		v, err = strconv.ParseFloat(s, 64)
		c.floats = append(c.floats, v)
	case d.IsSigned():
		var v int64
		v, err = strconv.ParseInt(s, 10, d.Bits())
		c.words = append(c.words, uint64(v))
	case d == tensor.Bool:
		var v bool
		v, err = strconv.ParseBool(s)
		c.words = append(c.words, 0)
		if v {
			c.words[len(c.words)-1] = 1
		}
	default:
		var v uint64
		v, err = strconv.ParseUint(s, 10, d.Bits())
		c.words = append(c.words, v)
	}
	if err != nil {
		return fmt.Errorf("%q is not a %v: %w", s, d, errors.Unwrap(err))
	}
	return nil
}
