package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Op is an operation that can be measured.
type Op struct {
	Name string
	// Elements is of how many elements it is usually measured; 0 where its
	// shape is part of what it is.
	Elements int
	program  func(n int) program
}

// program is one function of fresh secrets: the body goes from %x0, %x1, … to
// %r.
type program struct {
	operands []operand
	body     string
	result   string // type of %r
	elements int    // what costs are divided by
}

// operand is a tensor of uniform values in [lo, hi), whole numbers if whole;
// those of an i1 are bits.
type operand struct {
	typ    string
	lo, hi float64
	whole  bool
	weight bool // as its owner shares it, not fresh
}

// text is the program as StableHLO, and unless plain with the calls that make
// operands fresh, which other systems do not know.
func (p program) text(plain bool) string {
	var params, fresh []string
	for i, o := range p.operands {
		params = append(params, fmt.Sprintf("%%a%d: %s", i, o.typ))
		if o.weight || plain {
			params[i] = fmt.Sprintf("%%x%d: %s", i, o.typ)
			continue
		}
		fresh = append(fresh, fmt.Sprintf("  %%x%d = stablehlo.custom_call @tacet.unopened(%%a%d) : (%s) -> %s\n", i, i, o.typ, o.typ))
	}
	return fmt.Sprintf("func.func public @main(%s) -> %s {\n%s%s\n  return %%r : %s\n}\n",
		strings.Join(params, ", "), p.result, strings.Join(fresh, ""), p.body, p.result)
}

// Case makes what is to be measured of an operation on so many elements (0 for
// as many as usual) under settings: a spec without a program. Its first two
// parties own the operands in turn, and the first learns the result.
func (o Op) Case(settings party.Spec, elements int) (Case, error) {
	if elements == 0 {
		elements = o.Elements
	}
	p := o.program(elements)
	prog, err := hlo.Parse(o.Name+".mlir", []byte(p.text(false)))
	if err != nil {
		return Case{}, fmt.Errorf("bench: %w", err)
	}
	s := settings
	s.Program, s.Reveal = prog, []int{0}
	args := make([]*tensor.Array, len(p.operands))
	r := rand.New(rand.NewPCG(1, 2))
	for i, v := range prog.Main.Body.Params {
		args[i] = p.operands[i].values(r, v.Type, s.Fraction)
		s.Args = append(s.Args, party.Arg{Owner: i % min(2, len(s.Parties)), Data: args[i]})
	}
	return Case{Name: o.Name, Elements: p.elements, Spec: s, Text: []byte(p.text(true)), Want: func(ctx context.Context) ([]*tensor.Array, error) {
		return eval.Func(ctx, prog.Main, args)
	}}, nil
}

// values are multiples of 2^−fraction, which secrets hold exactly.
func (o operand) values(r *rand.Rand, t tensor.Type, fraction int) *tensor.Array {
	a := tensor.NewArray(t)
	switch d := a.Data.(type) {
	case []bool:
		for i := range d {
			d[i] = r.IntN(2) == 1
		}
	case []float64:
		if o.whole {
			fraction = 0
		}
		for i := range d {
			d[i] = math.Ldexp(math.Floor(math.Ldexp(o.lo+(o.hi-o.lo)*r.Float64(), fraction)), -fraction)
		}
	}
	return a
}
