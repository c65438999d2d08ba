package fxp

import (
	"testing"

	"github.com/tacet-mpc/tacet/flow"
)

// TestThrifty: the form of fewer dealt bytes and more rounds is taken where a job asks for it, or where the total cost
// or that of the online phase is minimised and the elements are so many that the rounds are worth it.
func TestThrifty(t *testing.T) {
	o, err := ParseOptions(map[string]string{"tanh.table": "full", "erf.table": "thrifty"})
	if err != nil {
		t.Fatal(err)
	}
	online, rounds, total := &flow.Op{}, &flow.Op{Objective: flow.ForRounds}, &flow.Op{Objective: flow.ForTotal}
	for _, c := range []struct {
		op   *flow.Op
		name string
		n    int
		want bool
	}{
		{online, "gelu", 37450, true}, {online, "gelu", 37449, false}, {rounds, "gelu", 1 << 20, false},
		{total, "gelu", 16384, true}, {total, "gelu", 16383, false}, {total, "gelu", 0, false},
		{total, "tanh", 1 << 20, false}, {online, "tanh", 1 << 20, false}, {online, "erf", 1, true},
	} {
		if got := o.thrifty(c.op, c.name, c.n, 1); got != c.want {
			t.Errorf("%s of %d elements for the %v cost: %t", c.name, c.n, c.op.Objective, got)
		}
	}
	if o.thrifty(online, "gelu", 1<<20, 8) {
		t.Error("nine parties send as much as is dealt less")
	}
}
