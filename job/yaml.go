package job

import (
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// field reads the value of one key.
type field func(key string, n ast.Node) error

// fields are the keys that a mapping may have.
type fields map[string]field

// place is "job.yaml:7".
func place(path string, n ast.Node) string {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return fmt.Sprintf("%s:%d", path, t.Position.Line)
	}
	return path
}

// checkDepth refuses nesting far beyond a job's, on which the parser would
// spend memory that grows with the depth's square: brackets within brackets,
// and indented structure, which needs a column a level.
func checkDepth(path string, tokens token.Tokens) error {
	const maxDepth, maxColumn = 16, 256
	depth := 0
	for _, t := range tokens {
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType, token.AnchorType, token.TagType:
			if depth <= 0 && t.Position.Column > maxColumn {
				depth = maxDepth + 1
			}
		}
		if depth > maxDepth {
			return wrong(fmt.Sprintf("%s:%d", path, t.Position.Line), "nested too deeply for a job file")
		}
	}
	return nil
}

// list joins names for a message.
func list(names []string) string { return strings.Join(names, ", ") }

// mapping reads a mapping whose keys are all in f, each at most once, and
// remembers where each stood.
func (l *loader) mapping(n ast.Node, what string, f fields) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return l.unlike(n, what, "a mapping")
	}
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		at := place(l.j.File, it.Key())
		key := keyText(it.Key())
		read := f[key]
		if read == nil {
			return wrong(at, "%s has no key %q (it has %s)", what, key, list(slices.Sorted(maps.Keys(f))))
		}
		if seen[key] {
			return wrong(at, "key %q stands twice", key)
		}
		seen[key] = true
		l.j.at[key] = at
		if err := read(key, it.Value()); err != nil {
			return err
		}
	}
	return nil
}

// keyText is a key as it was meant: quotes make no difference.
func keyText(n ast.MapKeyNode) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	if t := n.GetToken(); t != nil {
		return t.Value
	}
	return ""
}

// list reads a sequence, item by item.
func (l *loader) list(key string, n ast.Node, of string, item func(ast.Node) error) error {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		return l.unlike(n, key, "a list of "+of)
	}
	for _, v := range s.Values {
		if err := item(v); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) text(to *string) field {
	return func(key string, n ast.Node) error {
		s, ok := n.(*ast.StringNode)
		if !ok || s.Value == "" {
			return l.unlike(n, key, "a text")
		}
		*to = s.Value
		return nil
	}
}

// path reads a path relative to the job file's folder.
func (l *loader) path(to *string) field {
	read := l.text(to)
	return func(key string, n ast.Node) error {
		err := read(key, n)
		if err == nil && !filepath.IsAbs(*to) {
			*to = filepath.Join(filepath.Dir(l.j.File), *to)
		}
		return err
	}
}

func (l *loader) texts(to *[]string, of string) field {
	return func(key string, n ast.Node) error {
		*to = []string{}
		return l.list(key, n, of, func(v ast.Node) error {
			var s string
			err := l.text(&s)(key, v)
			*to = append(*to, s)
			return err
		})
	}
}

func (l *loader) bool(to *bool) field {
	return func(key string, n ast.Node) error {
		b, ok := n.(*ast.BoolNode)
		if !ok {
			return l.unlike(n, key, "true or false")
		}
		*to = b.Value
		return nil
	}
}

// int reads a number that is not negative, as all of a job's are.
func (l *loader) int(to *int) field {
	return func(key string, n ast.Node) error {
		if v, ok := n.(*ast.IntegerNode); ok {
			if u, ok := v.Value.(uint64); ok && u <= 1<<31-1 {
				*to = int(u)
				return nil
			}
		}
		return l.unlike(n, key, "a whole number")
	}
}

// ring reads a number of bits, or auto.
func (l *loader) ring(key string, n ast.Node) error {
	if v, ok := n.(*ast.StringNode); ok && v.Value == "auto" {
		l.j.Ring = AutoRing
		return nil
	}
	return l.int(&l.j.Ring)(key, n)
}

func (l *loader) ints(to *[]int) field {
	return func(key string, n ast.Node) error {
		*to = []int{}
		return l.list(key, n, "argument numbers", func(v ast.Node) error {
			var i int
			err := l.int(&i)(key, v)
			*to = append(*to, i)
			return err
		})
	}
}

func (l *loader) tolerance(to *float64) field {
	return func(key string, n ast.Node) error {
		switch n.(type) {
		case *ast.FloatNode, *ast.IntegerNode, *ast.StringNode: // 1e-3 is a text in YAML
			v, err := strconv.ParseFloat(n.GetToken().Value, 64)
			if err == nil && v >= 0 && v <= math.MaxFloat64 {
				*to = v
				return nil
			}
		}
		return l.unlike(n, key, "a number, 0 or more")
	}
}

// set reads options: any key, with a text, number or truth value.
func (l *loader) set(key string, n ast.Node) error {
	m, ok := n.(ast.MapNode)
	if !ok {
		return l.unlike(n, key, "a mapping")
	}
	l.j.Set = map[string]string{}
	for it := m.MapRange(); it.Next(); {
		name := keyText(it.Key())
		if _, ok := l.j.Set[name]; ok {
			return wrong(place(l.j.File, it.Key()), "key %q stands twice", name)
		}
		switch v := it.Value().(type) {
		case *ast.StringNode:
			l.j.Set[name] = v.Value
		case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
			l.j.Set[name] = v.GetToken().Value
		default:
			return l.unlike(it.Value(), "set: "+name, "a text or number")
		}
	}
	return nil
}

// unlike says what a value should have been.
func (l *loader) unlike(n ast.Node, what, want string) error {
	return wrong(place(l.j.File, n), "%s: want %s, got %s", what, want, describe(n))
}

// describe names a node in the words of the messages.
func describe(n ast.Node) string {
	switch v := n.(type) {
	case *ast.NullNode:
		return "nothing"
	case *ast.StringNode:
		return fmt.Sprintf("%.40q", v.Value)
	case *ast.SequenceNode:
		return "a list"
	case ast.MapNode:
		return "a mapping"
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return v.GetToken().Value
	}
	return "YAML's " + strings.ToLower(n.Type().String())
}
