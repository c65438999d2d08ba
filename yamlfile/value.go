package yamlfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// Value is what stands at one place of a file.
type Value struct {
	// File is the file's path, as it was given.
	File string
	// Key is the place of the key, for messages ("job.yaml:7"); where the value
	// is not a key's, its own place.
	Key string

	node ast.Node
}

// Field reads the value of one key.
type Field func(key string, v Value) error

// Fields are the keys that a mapping may have.
type Fields map[string]Field

// Place is where the value stands: "job.yaml:7".
func (v Value) Place() string { return line(v.File, v.node.GetToken()) }

// Wrong is an *Error at the value's place.
func (v Value) Wrong(format string, args ...any) error {
	return Wrong(v.Place(), format, args...)
}

// Unlike says what a value should have been.
func (v Value) Unlike(what, want string) error {
	return v.Wrong("%s: want %s, got %s", what, want, v.describe())
}

// Mapping reads a mapping whose keys are all in f, each at most once. What the
// mapping is called in messages stands with its article: "a job".
func (v Value) Mapping(what string, f Fields) error {
	return v.Each(what, func(key string, v Value) error {
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

// Each reads a mapping with keys of the user's choice, each at most once, in
// the file's order.
func (v Value) Each(what string, read Field) error {
	m, ok := v.node.(ast.MapNode)
	if !ok {
		return v.Unlike(what, "a mapping")
	}
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		at := line(v.File, it.Key().GetToken())
		key := keyText(it.Key())
		if seen[key] {
			return Wrong(at, "key %q stands twice", key)
		}
		seen[key] = true
		if err := read(key, Value{v.File, at, it.Value()}); err != nil {
			return err
		}
	}
	return nil
}

// List reads a sequence, item by item, of what the word "of" names: "files".
func (v Value) List(key, of string, item func(Value) error) error {
	s, ok := v.node.(*ast.SequenceNode)
	if !ok {
		return v.Unlike(key, "a list of "+of)
	}
	for _, n := range s.Values {
		if err := item(Value{v.File, line(v.File, n.GetToken()), n}); err != nil {
			return err
		}
	}
	return nil
}

// text is the value's text, if it is one and not empty.
func (v Value) text() (string, bool) {
	s, ok := v.node.(*ast.StringNode)
	if !ok {
		return "", false
	}
	return s.Value, s.Value != ""
}

// Scalar is a text, number or truth value as it stands in the file.
func (v Value) Scalar() (string, bool) {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	}
	return "", false
}

// describe names a value in the words of the messages.
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
