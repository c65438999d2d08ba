package yamlfile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Value is a value in a file.
type Value struct {
	// File is the file's path, as it was given.
	File string
	// Key is the place of the value's key, for messages ("job.yaml:7"); the value's own place if
	// it has no key.
	Key string

	node ast.Node
}

// Field reads the value of one key.
type Field func(key string, v Value) error

// Fields lists the allowed keys of a mapping.
type Fields map[string]Field

// Renamed maps former keys of a mapping to their present names. Former keys are accepted for one
// release.
type Renamed map[string]string

// Place returns the value's place: "job.yaml:7".
func (v Value) Place() string { return line(v.File, v.node.GetToken()) }

// Wrong returns an *Error at the value's place.
func (v Value) Wrong(format string, args ...any) error {
	return Wrong(v.Place(), format, args...)
}

// Mismatch returns the error of a value that is not what the format wants: "WHAT: want …, got …".
func (v Value) Mismatch(what, want string) error {
	return v.Wrong("%s: want %s, got %s", what, want, v.describe())
}

// Mapping reads a mapping whose keys are all in f, each at most once. what is its name in messages,
// with its article: "a job". Keys that were renamed are read under their present names.
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

// IsMapping reports whether the value is a mapping.
func (v Value) IsMapping() bool {
	_, ok := v.node.(ast.MapNode)
	return ok
}

// Each reads a mapping with arbitrary keys, each at most once, in the file's order.
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

// List reads a sequence item by item. of describes the items in messages: "files".
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

// Scalar returns a text, number or truth value as the file has it.
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
