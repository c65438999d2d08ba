package pass

import (
	"context"
	"errors"
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

// The end of a context ends the passes, with its cause.
func TestRewriteEnds(t *testing.T) {
	p, err := hlo.Parse("p", []byte("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n%0 = stablehlo.add %x, %x : tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if _, err := RewriteContext(ctx, p, Options{}); !errors.Is(err, enough) {
		t.Error(err)
	}
	if q, err := RewriteContext(t.Context(), p, Options{}); err != nil || q == nil {
		t.Error(err)
	}
}
