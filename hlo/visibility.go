package hlo

import "fmt"

// Visibility says which parties may know a value: all (Public), one party p (OwnerLocal(p)), or none (Secret).
// Visibilities form a lattice with Public < owner-local < Secret. The visibility of a result is the join of the
// visibilities of everything that it depends on.
type Visibility int

// The visibilities that name no party; OwnerLocal returns the others.
const (
	Public Visibility = 0  // all parties may know the value
	Secret Visibility = -1 // no party may know the value
)

// OwnerLocal returns the visibility of a value that only the party of rank party knows.
func OwnerLocal(party int) Visibility { return Visibility(party + 1) }

// Party returns the rank of the only party that knows the value; ok is false for public and secret values.
func (v Visibility) Party() (int, bool) { return int(v) - 1, v > 0 }

// Join returns the visibility of a value that depends on values of visibilities v and w: the smallest that is at
// least both.
func (v Visibility) Join(w Visibility) Visibility {
	switch {
	case v == w || w == Public:
		return v
	case v == Public:
		return w
	}
	return Secret
}

// String returns "public", "party 0" or "secret".
func (v Visibility) String() string {
	switch {
	case v == Public:
		return "public"
	case v > 0:
		return fmt.Sprintf("party %d", int(v)-1)
	}
	return "secret"
}

// Visibility infers the visibility of every value that main uses, directly or through calls, from
// the visibilities of main's arguments; arguments beyond args are secret. A function is analysed
// for each combination of visibilities with which it is called, and its values get the join of the
// results.
//
// The carried values of a while depend on the loop's condition, and the results of a branch on its
// selector. The results of operations with regions (reduce, sort, …) depend on all operands and on
// everything that the regions use. Values of functions that main does not reach are not in the map.
func (p *Program) Visibility(args []Visibility) map[*Value]Visibility {
	return p.visibility(args, maxWork)
}

func (p *Program) visibility(args []Visibility, work int) map[*Value]Visibility {
	in := &inference{work: work, all: map[*Value]Visibility{}, contexts: map[*Func]map[string][]Visibility{}}
	params := make([]Visibility, len(p.Main.Body.Params))
	for i := range params {
		params[i] = Secret
		if i < len(args) {
			params[i] = args[i]
		}
	}
	in.call(p.Main, params)
	if in.work < 0 {
		for _, f := range p.Funcs {
			f.Body.eachValue(func(v *Value) { in.all[v] = Secret })
		}
	}
	return in.all
}
