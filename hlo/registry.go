package hlo

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// opDef describes one operation: its forms in the text and its rules.
type opDef struct {
	name     string
	operands arity
	results  arity
	regions  arity
	attrs    []attrDef
	form     []step // the pretty form; nil if there is only the generic form
	check    func(o *Op) error
	// infer lists the results before check runs: as many as the operation has,
	// of zero type where check fills the type in. Nil stands for results.min
	// results of zero type.
	infer func(o *Op) []tensor.Type
	// free says that the operands do not determine the result types.
	free bool
	// params are the parameter types of a region, nil where regions have none.
	params   func(o *Op) []tensor.Type
	traits   Traits
	monotone direction
	linear   []int // operands in which the operation is linear while the others are fixed, or all
	// canonical, if not nil, brings an instance to the canonical form (Op.Canonical).
	canonical func(o *Op) []*Op

	parens  bool   // whether "(" behind the pretty name opens the generic form
	callee  string // the attribute that names a function, "" where none does
	refusal string // why Tacet has no such operation, "" if it has
}

// arity is the allowed number of operands, results or regions.
type arity struct{ min, max int }

const many = 1 << 30

func exactly(n int) arity { return arity{n, n} }
func atLeast(n int) arity { return arity{n, many} }

func (a arity) String() string {
	switch {
	case a.min == a.max:
		return fmt.Sprint(a.min)
	case a.max == many:
		return fmt.Sprintf("at least %d", a.min)
	}
	return fmt.Sprintf("%d to %d", a.min, a.max)
}

func (a arity) has(n int) bool { return n >= a.min && n <= a.max }

// registry holds every operation by its full name.
var registry = Table[*opDef]{}

func init() {
	register(elementwiseOps(), Elementwise|Pure)
	register(shapeOps(), Pure)
	register(staticOps(), Pure)
	register(controlOps(), 0)
	register(reduceOps(), Pure)
	register(indexOps(), Pure)
	register(linearOps(), Pure)
	register(statisticsOps(), 0)
	register(collectiveOps(), 0)
	register(chloOps(), Pure)
	register(broadcastOps(), Pure)
	register(refusedOps(), 0)
}

// register adds operations that all have the given traits beside their own.
func register(defs []opDef, t Traits) {
	for _, d := range defs {
		d.traits |= t
		if d.canonical != nil {
			d.traits |= Alias
		}
		if one := slices.Equal(d.linear, []int{0}) || d.operands == exactly(1); d.traits&Structured != 0 && one {
			d.traits |= Moving
		}
		registry.Add(d.name, &d)
	}
}

// Operations returns the sorted names of all operations that programs may have.
func Operations() []string {
	var names []string
	for name, d := range registry {
		if d.refusal == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// find returns the entry of an operation, or why there is none.
func find(name string) (*opDef, error) {
	d := registry[name]
	switch {
	case d == nil:
		return nil, advise(guess(name), "unknown operation")
	case d.refusal != "":
		return nil, advise(d.refusal, "not supported")
	}
	return d, nil
}

// guess suggests names similar to an unknown operation's name.
func guess(name string) string {
	dialect, base, found := strings.Cut(name, ".")
	if !found {
		base = dialect
	}
	for _, d := range []string{"stablehlo.", "chlo.", "func."} {
		if registry[d+base] != nil {
			return "did you mean " + d + base + "?"
		}
	}
	switch dialect {
	case "mhlo", "vhlo", "shape", "arith", "tosa", "linalg":
		return "convert the program to StableHLO: jax.jit(f).lower(...).as_text()"
	case "sdy":
		return "export the program without sharding"
	}
	return "Tacet knows the operations of StableHLO and chlo"
}
