package yamlfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Value is a node of a parsed YAML file (a scalar, a list or a mapping) together with its place. Read and Parse
// make Values; the zero Value is none of these and is not used.
type Value struct {
	// File is the path of the file, as the caller of Read or Parse gave it.
	File string
	// Key is the place ("job.yaml:7") of the mapping key that has the value, for errors. For a value without a
	// key, it is the value's own place.
	Key string

	node ast.Node
}

// Field is a function that reads the value v of one key of a mapping, usually into a variable. key is for
// errors. The functions of this package that return a Field take the address of that variable.
type Field func(key string, v Value) error

// Fields maps the allowed keys of a mapping to the functions that read their values.
type Fields map[string]Field

// Renamed maps former keys of a mapping to their present names. Files may use former keys for one release.
type Renamed map[string]string

// Place returns the value's place, such as "job.yaml:7".
func (v Value) Place() string { return line(v.File, v.node.GetToken()) }

// Wrong returns an *Error at the value's place. Its text has the format of fmt.Errorf.
func (v Value) Wrong(format string, args ...any) error {
	return Wrong(v.Place(), format, args...)
}

// Mismatch returns an *Error for a value that is not what the format wants: "WHAT: want …, got …".
func (v Value) Mismatch(what, want string) error {
	return v.Wrong("%s: want %s, got %s", what, want, v.describe())
}

// Mapping reads a mapping: it calls the function in f for each key and its value. A key that is not in f, or
// occurs twice, is an error. what is the mapping's name in errors, with its article: "a job". Former keys in
// renamed are read under their present names.
func (v Value) Mapping(what string, f Fields, renamed ...Renamed) error {
	seen := map[string]string{} // the spelling of each key that was read
	return v.Each(what, func(spelling string, v Value) error {
		key := spelling
		for _, r := range renamed {
			key = cmp.Or(r[spelling], key)
		}
		if other := seen[key]; other != "" {
			return Wrong(v.Key, "keys %s and %s are the same setting: use %s", other, spelling, key)
		}
		seen[key] = spelling
		read := f[key]
		if read == nil {
			return Wrong(v.Key, "%s has no key %q (it has %s)", what, key, strings.Join(slices.Sorted(maps.Keys(f)), ", "))
		}
		return read(key, v)
	})
}

// IsMapping reports whether the value is a mapping (keys with values).
func (v Value) IsMapping() bool {
	_, ok := v.node.(ast.MapNode)
	return ok
}

// Each reads a mapping with arbitrary keys: it calls read for each key and its value, in the file's order. what
// is the mapping's name in errors. A key that occurs twice is an error.
func (v Value) Each(what string, read Field) error {
	m, ok := v.node.(ast.MapNode)
	if !ok {
		return v.Mismatch(what, "a mapping")
	}
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		at := line(v.File, it.Key().GetToken())
		key := keyText(it.Key())
		if seen[key] {
			return Wrong(at, "key %q is given twice", key)
		}
		seen[key] = true
		if err := read(key, Value{v.File, at, it.Value()}); err != nil {
			return err
		}
	}
	return nil
}

// List reads a list: it calls item for each of its values in order. key is the list's name in errors, and of
// describes its items, such as "files".
func (v Value) List(key, of string, item func(Value) error) error {
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		return v.Mismatch(key, "a list of "+of)
	}
	for _, n := range s.Values {
		if err := item(Value{v.File, line(v.File, n.GetToken()), n}); err != nil {
			return err
		}
	}
	return nil
}

// text returns the value if it is a non-empty text.
func (v Value) text() (string, bool) {
	s, ok := v.node.(*ast.StringNode)
	if !ok {
		return "", false
	}
	return s.Value, s.Value != ""
}

// Scalar returns the text of a scalar (a text, number or truth value) as the file has it; false if the value is
// not a scalar.
func (v Value) Scalar() (string, bool) {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// describe describes a value for messages.
func (v Value) describe() string {
	switch n := v.node.(type) {
	case *ast.NullNode:
		return "nothing"
	case *ast.StringNode:
		return fmt.Sprintf("%.40q", n.Value)
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value
	}
	return "YAML's " + strings.ToLower(v.node.Type().String())
}
