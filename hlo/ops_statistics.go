package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the StableHLO operations of batch normalisation and random numbers.
const (
	OpBatchNormGrad      = "stablehlo.batch_norm_grad"
	OpBatchNormInference = "stablehlo.batch_norm_inference"
	OpBatchNormTraining  = "stablehlo.batch_norm_training"
	OpRNG                = "stablehlo.rng"
	OpRNGBitGenerator    = "stablehlo.rng_bit_generator"
)

// statisticsOps are batch normalisation and random numbers.
func statisticsOps() (ops []opDef) {
	norm := []attrDef{required("epsilon", isFloat), required("feature_index", isInt)}
	ops = append(ops,
		opDef{name: OpBatchNormTraining, operands: exactly(3), results: exactly(3), attrs: norm, check: checkBatchNormTraining,
			traits: Pure},
		opDef{name: OpBatchNormInference, operands: exactly(5), results: exactly(1), attrs: norm, check: checkBatchNormInference,
			traits: Pure},
		opDef{name: OpBatchNormGrad, operands: exactly(5), results: exactly(3), attrs: norm, check: checkBatchNormGrad, traits: Pure},
		opDef{name: OpRNG, operands: exactly(3), results: exactly(1), check: checkRNG, free: true,
			attrs: []attrDef{required("rng_distribution", enum("rng_distribution", "UNIFORM", "NORMAL"))},
			form:  form(args(3), word(", distribution ="), enumOf("rng_distribution"), attributes, signature)},
		opDef{name: OpRNGBitGenerator, operands: exactly(1), results: exactly(2), check: checkBitGenerator, free: true, traits: Pure,
			attrs: []attrDef{required("rng_algorithm", enum("rng_algorithm", "DEFAULT", "THREE_FRY", "PHILOX"))},
			form:  form(args(1), word(", algorithm ="), enumOf("rng_algorithm"), attributes, signature)},
	)
	return ops
}

// wantsFeatures checks that the operands from … below are vectors with an element for each feature
// of operand 0, and returns their type.
func (o *Op) wantsFeatures(from, below int) (tensor.Type, error) {
	if err := first(o.wants(0, classFloat), o.oneDim("feature_index", rank(o))); err != nil {
		return tensor.Type{}, err
	}
	want := tensor.Type{DType: o.in(0).DType, Shape: tensor.Shape{o.shape(0)[o.Attrs.Int("feature_index", 0)]}}
	for i := from; i < below; i++ {
		if !o.in(i).Equal(want) {
			return want, fmt.Errorf("operand %d has type %v, but must have %v", i, o.in(i), want)
		}
	}
	return want, nil
}

func checkBatchNormTraining(o *Op) error {
	f, err := o.wantsFeatures(1, 3)
	if err != nil {
		return err
	}
	return o.gives(o.in(0), f, f)
}

func checkBatchNormInference(o *Op) error {
	_, err := o.wantsFeatures(1, 5)
	return first(err, o.gives(o.in(0)))
}

func checkBatchNormGrad(o *Op) error {
	f, err := o.wantsFeatures(1, 4)
	if err != nil {
		return err
	}
	if !o.in(4).Equal(o.in(0)) {
		return fmt.Errorf("operand 4 has type %v, but must have %v", o.in(4), o.in(0))
	}
	return o.gives(o.in(0), f, f)
}

func checkRNG(o *Op) error {
	err := first(o.wantsScalar(0), o.alike(0, 2), o.wants(0, classBool|classReal), o.wants(2, classInt))
	if err != nil {
		return err
	}
	if s := o.shape(2); len(s) != 1 || s[0] != len(o.out(0).Shape) {
		return fmt.Errorf("a shape of type %v is incompatible with the result's %v", o.in(2), o.out(0))
	}
	return o.givesShape(o.out(0).Shape)
}

func checkBitGenerator(o *Op) error {
	if rank(o) != 1 {
		return fmt.Errorf("the state is a vector, not %v", o.in(0))
	}
	return first(o.wants(0, classUnsigned), o.gives(o.in(0), o.out(1)))
}
