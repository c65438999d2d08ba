package grad

import (
	"maps"
	"slices"
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
