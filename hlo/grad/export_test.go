package grad

import (
	stdcontext "context"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// Partials lists the elementwise operations with a derivative.
func Partials() []string { return slices.Sorted(maps.Keys(partials)) }

// Tables lists the operations in each table.
func Tables() map[string][]string {
	return map[string][]string{
		"partials": Partials(), "rules": slices.Sorted(maps.Keys(rules)), "flats": slices.Sorted(maps.Keys(flats)),
		"inlined": slices.Sorted(maps.Keys(inlined)), "refusals": slices.Sorted(maps.Keys(refusals)),
	}
}

// Wholes counts the functions in p that are differentiated as wholes.
func Wholes(p *hlo.Program) int {
	c := newContext(stdcontext.Background(), p.Main, 0)
	c.recognise(p.Funcs)
	return len(c.wholes)
}
