package pass

import (
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// Inlined operations are named below the call, as they were in the function.
func TestInlinedNames(t *testing.T) {
	for _, c := range []struct{ call, own, want string }{
		{"", "", "relu/maximum"},
		{"", "max", "relu/max"},
		{"jit(f)/dense/jit(relu)", "", "jit(f)/dense/jit(relu)/maximum"},
		{"jit(f)/dense/jit(relu)", "max", "jit(f)/dense/jit(relu)/max"},
		{"jit(f)/dense/jit(relu)", "jit(f)/jit(relu)/max", "jit(f)/jit(relu)/max"},
	} {
		call := &hlo.Op{Name: "func.call", Loc: c.call, Callee: &hlo.Func{Name: "relu"}}
		if got := inlinedName(call, &hlo.Op{Name: "stablehlo.maximum", Loc: c.own}); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
