package flow

import "testing"

// Parts are the elements of the step's result, and depending on several of them is depending on the
// step once.
func TestParts(t *testing.T) {
	g := run(t, links(memory(t, 1)), func(g *Graph) {
		op := g.Op(1, &Cost{}, "parts")
		all := Lazy(op, 0, nil, func() ([]string, error) { return []string{"a", "b", "c"}, nil })
		other := Do(op, 0, func() int { return 7 })
		parts := Parts(all, 3)
		deps := Distinct([]Dep{parts[2], other, parts[0], all, other, parts[1]})
		if len(deps) != 2 || deps[0].base() != all.base() || deps[1].base() != other.base() {
			t.Errorf("%d steps of two", len(deps))
		}
		got := Do(op, 0, func() string { return parts[2].Get() + parts[0].Get() }, deps...)
		Do(op, 0, func() int {
			if got.Get() != "ca" {
				t.Errorf("parts are %q", got.Get())
			}
			return 0
		}, got)
	})
	if len(g) != 1 {
		t.Errorf("%d graphs", len(g))
	}
}
