package build

import (
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
)

// Scope gives the operations that body builds a name: a layer of the program. Scopes within scopes give paths
// ("block1/attention"), and so do names with "/". Plans and reports add up costs by layer. The scopes of a called
// function are nested below the scope of the call. If a pass inlines the function, its name is a level between the
// two.
func (b *Builder) Scope(name string, body func()) {
	switch {
	case b.m.err != nil:
		return
	case body == nil:
		b.fail("the Go function is nil", "pass the function that builds the scope")
		return
	case strings.Trim(name, "/") == "":
		b.fail("a scope has no name", "name it")
		return
	}
	b.m.scoped = true
	b.scopes = append(b.scopes, strings.Trim(name, "/"))
	defer func() { b.scopes = b.scopes[:len(b.scopes)-1] }()
	body()
}

// path is the name of an operation's location, spelt as JAX spells it:
// "jit(score)/layer/add" in the main function, "layer/add" in others. It is ""
// in regions that are applied to single elements. Calls have the function's
// name.
func (b *Builder) path(o *hlo.Op) string {
	if !b.at.scoped {
		return ""
	}
	var parts []string
	if b.fn.Public {
		parts = append(parts, "jit("+b.m.name+")")
	}
	parts = append(parts, b.scopes...)
	_, name, _ := strings.Cut(o.Name, ".")
	if o.Callee != nil {
		name = o.Callee.Name
	}
	return strings.Join(append(parts, name), "/")
}
