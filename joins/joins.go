// Package joins describes the methods by which rows of several tables are matched, for job files, nodes, policies and commands alike.
package joins

import (
	"slices"
	"strings"
)

// The names of methods.
const (
	Aligned = "aligned"
	PSI     = "psi" // keys of rows that match are revealed to both parties, and no others
	Hidden  = "hidden"
	Stacked = "stacked"
)

// Method is a method by which rows of several tables are matched.
type Method struct {
	Name  string
	What  string // which rows belong together, as messages say it after what the methods before say
	Keyed bool   // key columns say which rows match, and are given
}

// Methods are all methods.
var Methods = []Method{
	{Aligned, "row i of all tables belongs together", false},
	{PSI, "rows with equal keys do", true},
	{Hidden, "they do, and nobody learns which", true},
	{Stacked, "the tables have the same columns, and other rows", false},
}

// names returns the names of the methods of which is is true.
func names(is func(m Method) bool) []string {
	var out []string
	for _, m := range Methods {
		if is(m) {
			out = append(out, m.Name)
		}
	}
	return out
}

// Names returns the names of all methods.
func Names() []string { return names(func(Method) bool { return true }) }

// Allowed returns the names of the methods that policies name. Rows of aligned tables meet without a join.
func Allowed() []string { return names(func(m Method) bool { return m.Name != Aligned }) }

// WithKeys returns the names of the methods that are Keyed.
func WithKeys() []string { return names(func(m Method) bool { return m.Keyed }) }

// Keyed reports whether a method cannot do without key columns.
func Keyed(method string) bool { return slices.Contains(WithKeys(), method) }

// Described returns the names of all methods, each with which rows belong together.
func Described() string {
	var out []string
	for _, m := range Methods {
		out = append(out, m.Name+" ("+m.What+")")
	}
	last := len(out) - 1
	return strings.Join(out[:last], ", ") + " or " + out[last]
}
