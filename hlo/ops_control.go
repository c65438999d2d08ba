package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the operations of control flow and calls.
const (
	OpCall                = "func.call"
	OpFuncReturn          = "func.return"
	OpCase                = "stablehlo.case"
	OpComposite           = "stablehlo.composite"
	OpCustomCall          = "stablehlo.custom_call"
	OpIf                  = "stablehlo.if"
	OpReturn              = "stablehlo.return"
	OpOptimizationBarrier = "stablehlo.optimization_barrier"
	OpWhile               = "stablehlo.while"
)

// controlOps are the control flow operations: returns, calls, loops, branches, barriers.
func controlOps() (ops []opDef) {
	returns := form(attributes, allArgs, attributes, operandTypes)
	ops = append(
		ops,
		opDef{name: OpFuncReturn, operands: atLeast(0), form: returns},
		opDef{name: OpReturn, operands: atLeast(0), form: returns},
		opDef{name: OpCall, operands: atLeast(0), results: atLeast(0), callee: "callee", infer: calleeResults, traits: Pure,
			attrs: []attrDef{
				required("callee", isSymbol),
				optional("no_inline", isFlag),
				optional("arg_attrs", isList),
				optional("res_attrs", isList),
			},
			form: form(nameOf("callee"), parenArgs, attributes, signature)},
		opDef{name: OpComposite, operands: atLeast(0), results: atLeast(0), callee: "decomposition", infer: calleeResults, traits: Pure,
			attrs: []attrDef{
				required("name", isText), required("decomposition", isSymbol), preset("version", isInt32, int64(0)),
				preset("composite_attributes", isDict, map[string]any{}),
			},
			form: form(textOf("name"), allArgs, attributes, signature)},
		opDef{name: OpCustomCall, operands: atLeast(0), results: atLeast(0), check: checkCustom, infer: customResults,
			attrs: []attrDef{
				required("call_target_name", isText), preset("has_side_effect", isFlag, false), preset("backend_config", isAny, ""),
				preset("api_version", isInt32, int64(1)), preset("called_computations", isSymbols, []any{}),
				optional("operand_layouts", isLayouts), optional("result_layouts", isLayouts), optional("output_operand_aliases", isList),
				optional("custom_call_schedule", enum("custom_call_schedule", "NONE", "LATEST", "EARLIEST")),
			},
			form: form(nameOf("call_target_name"), parenArgs, attributes, signature)},
		opDef{
			name:     OpWhile,
			operands: atLeast(0),
			results:  atLeast(0),
			regions:  exactly(2),
			check:    checkWhile,
			infer:    asOperands,
			params:   operandTypesOf,
			traits:   Pure | Control,
			form:     form(whileForm),
		},
		opDef{name: OpIf, operands: exactly(1), results: atLeast(0), regions: exactly(2), check: checkIf, infer: firstBranch,
			traits: Pure | Control | Branch},
		opDef{name: OpCase, operands: exactly(1), results: atLeast(0), regions: atLeast(1), check: checkCase, infer: firstBranch,
			traits: Pure | Control | Branch},
		opDef{name: OpOptimizationBarrier, operands: atLeast(0), results: atLeast(0), check: checkBarrier, infer: asOperands,
			traits: Precise, linear: all, form: form(barrierArgs, attributes, pairTypes)},
	)
	return ops
}

// calleeResults are the result types of the called function.
func calleeResults(o *Op) []tensor.Type {
	if o.Callee == nil {
		return nil
	}
	return o.Callee.Results
}

// firstBranch are the types that region 0 returns.
func firstBranch(o *Op) []tensor.Type { return types(o.Regions[0].Return().Operands) }

// customResults are as many results as operands of the targets that return
// what they take.
func customResults(o *Op) []tensor.Type {
	if o.ReturnsOperands() {
		return asOperands(o)
	}
	return nil
}

// ReturnsOperands reports whether o is a custom call that returns what it takes.
func (o *Op) ReturnsOperands() bool {
	if o.Name != OpCustomCall {
		return false
	}
	switch o.Attrs.Str("call_target_name") {
	case "Sharding", "tacet.reveal", RevealToTarget, "tacet.unopened":
		return true
	}
	return false
}

// asOperands are as many results as operands.
func asOperands(o *Op) []tensor.Type { return make([]tensor.Type, len(o.Operands)) }

// operandTypesOf are the types of the operands.
func operandTypesOf(o *Op) []tensor.Type { return types(o.Operands) }

// wantsRegion checks region i's parameters and what it returns.
func (o *Op) wantsRegion(i int, results []tensor.Type) error {
	b, params := o.Regions[i], registry[o.Name].paramTypes(o)
	if got := types(b.Params); !sameTypes(got, params) {
		return fmt.Errorf("region %d takes %v, but must take %v", i, got, params)
	}
	if got := types(b.Return().Operands); !sameTypes(got, results) {
		return fmt.Errorf("region %d returns %v, but must return %v", i, got, results)
	}
	return nil
}

func checkWhile(o *Op) error {
	carried := operandTypesOf(o)
	return first(
		o.gives(carried...),
		o.wantsRegion(0, []tensor.Type{scalar(tensor.Bool)}),
		o.wantsRegion(1, carried))
}

func checkIf(o *Op) error { return checkBranches(o, scalar(tensor.Bool)) }

func checkCase(o *Op) error { return checkBranches(o, scalar(tensor.I32)) }

// checkBranches: operand 0 selects a region, and all regions return the results' types.
func checkBranches(o *Op, chooser tensor.Type) error {
	if !o.in(0).Equal(chooser) {
		return fmt.Errorf("is selected by %v, but must be selected by %v", o.in(0), chooser)
	}
	for i := range o.Regions {
		if err := o.wantsRegion(i, types(o.Results)); err != nil {
			return err
		}
	}
	return nil
}
