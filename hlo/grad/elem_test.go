package grad_test

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/grad"
)

// ranges are the arguments with which elementwise operations of one operand are tested, where −1 to 1 does not do.
var ranges = map[string][2]float64{
	hlo.OpLog: {0.3, 2}, hlo.OpSqrt: {0.3, 2}, hlo.OpRsqrt: {0.3, 2}, hlo.OpCbrt: {0.3, 2}, hlo.OpAcosh: {1.5, 3},
	hlo.OpLgamma: {1, 3}, hlo.OpDigamma: {1, 3}, hlo.OpAcos: {-0.7, 0.7}, hlo.OpAsin: {-0.7, 0.7}, hlo.OpAtanh: {-0.7, 0.7},
	hlo.OpErfInv: {-0.7, 0.7}, hlo.OpLogPlusOne: {-0.5, 1},
}

// TestFunctions compares the derivatives of all functions of one operand with differences.
func TestFunctions(t *testing.T) {
	tested := 0
	for _, name := range grad.Partials() {
		p := `"` + name + `"(%a0) : (tensor<4xf64>) -> tensor<4xf64>`
		text := program("4xf64", "4xf64", "%r = "+p)
		if q, err := hlo.Parse("test.mlir", []byte(text)); err != nil || len(q.Main.Body.Ops[0].Operands) != 1 {
			continue // an operation of two operands, or with attributes: TestRules has it
		}
		t.Run(name, func(t *testing.T) {
			at := [2]float64{-1, 1}
			if r, ok := ranges[name]; ok {
				at = r
			}
			check(t, parse(t, text), at[0], at[1], name != hlo.OpAbs)
		})
		tested++
	}
	if tested < 25 {
		t.Errorf("only %d functions were tested", tested)
	}
}

// TestEveryOperation has every operation of the registry in exactly one table of the package, or refused by a trait.
func TestEveryOperation(t *testing.T) {
	tables := grad.Tables()
	for _, name := range hlo.Operations() {
		if hlo.Has(name, hlo.Alias) {
			continue // no program has one
		}
		var in []string
		for table, names := range tables {
			if slices.Contains(names, name) {
				in = append(in, table)
			}
		}
		for _, refused := range []hlo.Traits{hlo.Collective, hlo.Underived} {
			if hlo.Has(name, refused) {
				in = append(in, "refused by a trait")
			}
		}
		if len(in) != 1 {
			t.Errorf("%s is in the tables %v, but should be in one: give it a rule, say why it has none, or give it the trait Underived", name, in)
		}
	}
	for table, names := range tables {
		for _, name := range names {
			if !slices.Contains(hlo.Operations(), name) || hlo.Has(name, hlo.Alias) {
				t.Errorf("table %s has %s, which no program has", table, name)
			}
		}
	}
}
