package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// controlOps are operations that direct the run: returns, calls, loops, branches.
func controlOps() (ops []opDef) {
	returns := form(attributes, allArgs, attributes, operandTypes)
	ops = append(ops,
		opDef{name: "func.return", operands: atLeast(0), form: returns},
		opDef{name: "stablehlo.return", operands: atLeast(0), form: returns},
		opDef{name: "func.call", operands: atLeast(0), results: atLeast(0), callee: "callee",
			attrs: []attrDef{required("callee", isSymbol), optional("no_inline", isFlag), optional("arg_attrs", isList), optional("res_attrs", isList)},
			form:  form(nameOf("callee"), parenArgs, attributes, signature)},
		opDef{name: "stablehlo.composite", operands: atLeast(0), results: atLeast(0), callee: "decomposition",
			attrs: []attrDef{
				required("name", isText), required("decomposition", isSymbol), preset("version", isInt, int64(0)),
				preset("composite_attributes", exact[map[string]any]("a dictionary"), map[string]any{}),
			},
			form: form(textOf("name"), allArgs, attributes, signature)},
		opDef{name: "stablehlo.custom_call", operands: atLeast(0), results: atLeast(0), check: checkCustom,
			attrs: []attrDef{
				required("call_target_name", isText), preset("has_side_effect", isFlag, false), preset("backend_config", isAny, ""),
				preset("api_version", isInt, int64(1)), preset("called_computations", isList, []any{}),
				optional("operand_layouts", isList), optional("result_layouts", isList), optional("output_operand_aliases", isList),
				optional("custom_call_schedule", enum("NONE", "LATEST", "EARLIEST")),
			},
			form: form(nameOf("call_target_name"), parenArgs, attributes, signature)},
		opDef{name: "stablehlo.while", operands: atLeast(0), results: atLeast(0), regions: exactly(2), check: checkWhile,
			form: form(whileForm)},
		opDef{name: "stablehlo.if", operands: exactly(1), results: atLeast(0), regions: exactly(2), check: checkIf},
		opDef{name: "stablehlo.case", operands: exactly(1), results: atLeast(0), regions: atLeast(1), check: checkCase},
	)
	return ops
}

// wantsRegion checks region i's parameters and what it returns.
func (o *Op) wantsRegion(i int, params, results []tensor.Type) error {
	b := o.Regions[i]
	if got := types(b.Params); !sameTypes(got, params) {
		return fmt.Errorf("region %d takes %v, but must take %v", i, got, params)
	}
	if got := types(b.Return().Operands); !sameTypes(got, results) {
		return fmt.Errorf("region %d returns %v, but must return %v", i, got, results)
	}
	return nil
}

func checkWhile(o *Op) error {
	carried := types(o.Operands)
	return first(
		o.gives(carried...),
		o.wantsRegion(0, carried, []tensor.Type{scalar(tensor.Bool)}),
		o.wantsRegion(1, carried, carried))
}

func checkIf(o *Op) error { return checkBranches(o, scalar(tensor.Bool)) }

func checkCase(o *Op) error { return checkBranches(o, scalar(tensor.I32)) }

// checkBranches: operand 0 chooses a region, and each returns the results.
func checkBranches(o *Op, chooser tensor.Type) error {
	if !o.in(0).Equal(chooser) {
		return fmt.Errorf("is chosen by %v, but must be by %v", o.in(0), chooser)
	}
	for i := range o.Regions {
		if err := o.wantsRegion(i, []tensor.Type{}, types(o.Results)); err != nil {
			return err
		}
	}
	return nil
}
