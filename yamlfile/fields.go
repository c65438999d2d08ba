package yamlfile

import (
	"math"
	"path/filepath"
	"strconv"

	"github.com/goccy/go-yaml/ast"
)

// Text returns a Field that reads a non-empty text.
func Text(to *string) Field {
	return func(key string, v Value) error {
		s, ok := v.text()
		if !ok {
			return v.Mismatch(key, "a text")
		}
		*to = s
		return nil
	}
}

// Texts returns a Field that reads a list of texts. of describes them in errors, such as "names".
func Texts(to *[]string, of string) Field { return listOf(to, of, Text) }

// Path returns a Field that reads a path. It joins a relative path to the folder of the file.
func Path(to *string) Field {
	return func(key string, v Value) error {
		err := Text(to)(key, v)
		if err == nil && !filepath.IsAbs(*to) {
			*to = filepath.Join(filepath.Dir(v.File), *to)
		}
		return err
	}
}

// Paths returns a Field that reads a list of paths, each as Path does.
func Paths(to *[]string) Field { return listOf(to, "paths", Path) }

// Bool returns a Field that reads true or false.
func Bool(to *bool) Field {
	return func(key string, v Value) error {
		b, ok := v.node.(*ast.BoolNode)
		if !ok {
			return v.Mismatch(key, "true or false")
		}
		*to = b.Value
		return nil
	}
}

// Int returns a Field that reads an integer from 0 to 2^31 − 1.
func Int(to *int) Field {
	return func(key string, v Value) error {
		u, ok := v.whole()
		if !ok || u > math.MaxInt32 {
			return v.Mismatch(key, "a whole number")
		}
		*to = int(u)
		return nil
	}
}

// Positive returns a Field that reads an integer from 1 to 2^31 − 1.
func Positive(to *int) Field {
	return func(key string, v Value) error {
		err := Int(to)(key, v)
		if err == nil && *to == 0 {
			return v.Mismatch(key, "1 or more")
		}
		return err
	}
}

// whole returns the value if it is an integer that is not negative.
func (v Value) whole() (uint64, bool) {
	n, ok := v.node.(*ast.IntegerNode)
	if !ok {
		return 0, false
	}
	u, ok := n.Value.(uint64)
	return u, ok
}

// Ints returns a Field that reads a list of integers, each as Int does. of describes the integers in errors.
func Ints(to *[]int, of string) Field { return listOf(to, of, Int) }

// Number returns a Field that reads a finite number that is not negative.
func Number(to *float64) Field {
	return func(key string, v Value) error {
		if s, ok := v.Scalar(); ok { // YAML reads 1e-3 as a text
			if x, err := strconv.ParseFloat(s, 64); err == nil && x >= 0 && x <= math.MaxFloat64 {
				*to = x
				return nil
			}
		}
		return v.Mismatch(key, "a number, 0 or more")
	}
}

// Reals returns a Field that reads a list of finite numbers of either sign. of describes the numbers in errors.
func Reals(to *[]float64, of string) Field { return listOf(to, of, finite) }

// finite reads a finite number of either sign.
func finite(to *float64) Field {
	return func(key string, v Value) error {
		if s, ok := v.Scalar(); ok {
			if x, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(x) <= math.MaxFloat64 {
				*to = x
				return nil
			}
		}
		return v.Mismatch(key, "a finite number")
	}
}

// listOf reads a list whose items each reads. The result of an empty list is not nil: the key is
// present.
func listOf[T any](to *[]T, of string, each func(*T) Field) Field {
	return func(key string, v Value) error {
		*to = []T{}
		return v.List(key, of, func(v Value) error {
			var x T
			err := each(&x)(key, v)
			*to = append(*to, x)
			return err
		})
	}
}
