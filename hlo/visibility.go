package hlo

import "fmt"

// Visibility says who may know a value: everybody (Public), one party
// (Known(p)), or nobody (Secret). They form a lattice, public below known
// below secret; what depends on several values is visible to those who may
// know all of them.
type Visibility int

const (
	Public Visibility = 0
	Secret Visibility = -1
)

// Known is the visibility of what only one party, counted from 0, knows.
func Known(party int) Visibility { return Visibility(party + 1) }

// Party returns the only party that knows the value; false for public and
// secret values.
func (v Visibility) Party() (int, bool) { return int(v) - 1, v > 0 }

// Join is the visibility of what depends on values of both visibilities.
func (v Visibility) Join(w Visibility) Visibility {
	switch {
	case v == w || w == Public:
		return v
	case v == Public:
		return w
	}
	return Secret
}

// String prints "public", "party 0" or "secret".
func (v Visibility) String() string {
	switch {
	case v == Public:
		return "public"
	case v > 0:
		return fmt.Sprintf("party %d", int(v)-1)
	}
	return "secret"
}

// Visibility infers the visibility of every value that main uses, itself or
// through calls, from those of main's arguments; arguments beyond args are
// secret. A function is examined anew for each combination of visibilities it
// is called with, and its values get the join of what was found.
//
// What a while carries depends on the loop's condition, what a branch returns
// on its choice. Operations with regions (reduce, sort, …) give results that
// depend on all operands and on all that the regions use. Values of functions
// that main does not reach are not in the map.
func (p *Program) Visibility(args []Visibility) map[*Value]Visibility {
	in := &inference{all: map[*Value]Visibility{}, contexts: map[*Func]map[string][]Visibility{}}
	params := make([]Visibility, len(p.Main.Body.Params))
	for i := range params {
		params[i] = Secret
		if i < len(args) {
			params[i] = args[i]
		}
	}
	in.call(p.Main, params)
	return in.all
}
