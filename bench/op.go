package bench

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Op is an operation that can be measured.
type Op struct {
	Name string // name in tables and on the command line
	// Elements is the default number of elements; 0 if the shape is fixed.
	Elements int
	program  func(n int) program
}

// program is a function of unopened secrets. The body computes %r from %x0, %x1, ….
type program struct {
	operands []operand
	body     string
	result   string // type of %r
	elements int    // number that costs per element are divided by
}

// operand is a tensor of uniform random values in [lo, hi); whole numbers if integer is set; random
// bits if its type is i1.
type operand struct {
	typ           string
	lo, hi        float64
	integer       bool
	sharedByOwner bool              // shared by its owner, not unopened
	declared      *pattern.Interval // the range that its owner declares, nil for none
}

// text returns the program as StableHLO. Unless plain is set it contains the custom calls that make
// operands unopened secrets; other systems do not know these calls.
func (p program) text(plain bool) string {
	var params, fresh []string
	for i, o := range p.operands {
		params = append(params, fmt.Sprintf("%%a%d: %s", i, o.typ))
		if o.sharedByOwner || plain {
			params[i] = fmt.Sprintf("%%x%d: %s", i, o.typ)
			continue
		}
		fresh = append(fresh, fmt.Sprintf("  %%x%d = stablehlo.custom_call @tacet.unopened(%%a%d) : (%s) -> %s\n", i, i, o.typ, o.typ))
	}
	return fmt.Sprintf("func.func public @main(%s) -> %s {\n%s%s\n  return %%r : %s\n}\n",
		strings.Join(params, ", "), p.result, strings.Join(fresh, ""), p.body, p.result)
}

// Case returns the case that measures an operation on the given number of elements (0: the default) under settings, a
// spec without a program. The first two parties own the operands alternately, and the first party learns the result.
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
		s.Args = append(s.Args, party.Arg{Owner: i % min(2, len(s.Parties)), Data: args[i], Range: p.operands[i].declared})
	}
	return Case{
		Name:     o.Name,
		Elements: p.elements,
		Spec:     s,
		Text:     []byte(p.text(true)),
		Want: func(ctx context.Context) ([]*tensor.Array, error) {
			return eval.Func(ctx, prog.Main, args)
		},
	}, nil
}

// values returns random multiples of 2^−fraction, which fixed point represents exactly.
func (o operand) values(r *rand.Rand, t tensor.Type, fraction int) *tensor.Array {
	a := tensor.NewArray(t)
	switch d := a.Data.(type) {
	case []bool:
		for i := range d {
			d[i] = r.IntN(2) == 1
		}
	case []float64:
		if o.integer {
			fraction = 0
		}
		for i := range d {
			d[i] = math.Ldexp(math.Floor(math.Ldexp(o.lo+(o.hi-o.lo)*r.Float64(), fraction)), -fraction)
		}
	}
	return a
}
