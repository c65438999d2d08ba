package main

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// printResults prints a line for each result: the file that it was written to, or its first values.
func printResults(w io.Writer, dir string, results []*tensor.Array) error {
	if len(results) == 0 {
		_, err := fmt.Fprintln(w, "no results: no party learns any")
		return err
	}
	for i, a := range results {
		line := fmt.Sprintf("out%d %v: %s", i, a.Type, firstValues(a))
		if dir != "" {
			line = fmt.Sprintf("out%d %v: written to %s", i, a.Type, filepath.Join(dir, fmt.Sprintf("out%d.npy", i)))
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// firstValues prints at most eight elements.
func firstValues(a *tensor.Array) string {
	const most = 8
	v := reflect.ValueOf(a.Data)
	if a.DType == tensor.F16 || a.DType == tensor.BF16 { // stored as bit patterns
		v = reflect.ValueOf(a.Floats())
	}
	text := make([]string, 0, most+1)
	for i := range min(v.Len(), most) {
		text = append(text, number(v.Index(i).Interface()))
	}
	if v.Len() > most {
		text = append(text, "…")
	}
	return strings.Join(text, " ")
}

// number prints an element, floats to six digits.
func number(x any) string {
	switch x.(type) {
	case float32, float64, complex64, complex128:
		return fmt.Sprintf("%.6g", x)
	}
	return fmt.Sprint(x)
}

// printJSON prints a report, or two beside one another, as JSON.
func printJSON(w io.Writer, r interface{ JSON() ([]byte, error) }) error {
	b, err := r.JSON()
	if err != nil {
		return err
	}
	_, err = w.Write(b)
	return err
}
