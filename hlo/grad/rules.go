package grad

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// rule gives the derivatives of an operation that is not in partials.
type rule struct {
	// back adds the cotangents of o's operands, given those of its results; nil stands for zero, and at least one is
	// given.
	back func(r *reverse, o *hlo.Op, ct []*hlo.Value)
	// fore returns the tangents of o's results, where operands have tangents.
	fore    func(f *forward, o *hlo.Op) []*hlo.Value
	complex bool // whether the rule holds for complex numbers
}

// rules hold the rules by the operations' names.
var rules = hlo.Table[rule]{}

// flats are operations whose results do not change with small changes of their operands, or are no floats: their
// derivative is zero.
var flats = map[string]bool{
	hlo.OpCeil: true, hlo.OpFloor: true, hlo.OpRoundNearestAfz: true, hlo.OpRoundNearestEven: true, hlo.OpSign: true,
	hlo.OpCompare: true, hlo.OpIsFinite: true, hlo.OpIsInf: true, hlo.OpIsPosInf: true, hlo.OpIsNegInf: true,
	hlo.OpAnd: true, hlo.OpOr: true, hlo.OpXor: true, hlo.OpNot: true, hlo.OpPopcnt: true, hlo.OpCountLeadingZeros: true,
	hlo.OpShiftLeft: true, hlo.OpShiftRightArithmetic: true, hlo.OpShiftRightLogical: true, hlo.OpMulhi: true,
	hlo.OpConstant: true, hlo.OpIota: true, hlo.OpGetDimensionSize: true, hlo.OpRNGBitGenerator: true,
	hlo.OpPartitionID: true, hlo.OpReplicaID: true, hlo.OpReturn: true, hlo.OpFuncReturn: true,
}

// flat reports whether the derivative of an operation is zero.
func flat(o *hlo.Op) bool { return flats[o.Name] }

// refusals say why an operation has no derivative, and what can be done. Collective operations, and those with the trait Underived, are
// refused without an entry.
var refusals = map[string][2]string{
	hlo.OpBitcastConvert: {"reads the bits of numbers, which have no derivative", "write it with arithmetic"},
	hlo.OpNextAfter:      {"steps between neighbouring floats, which has no derivative", "add a number instead"},
	hlo.OpBesselI1e:      {"has a derivative that needs the Bessel function of order 0, which StableHLO lacks", "write it with other functions"},
	hlo.OpRNG:            {"draws random numbers within bounds that depend on what is differentiated", "draw between 0 and 1, and scale the result"},
}

// inlined are operations that are replaced by the function that they call, before rules are applied.
var inlined = map[string]bool{hlo.OpCall: true, hlo.OpComposite: true}

func init() {
	linear := func(back func(r *reverse, o *hlo.Op, ct []*hlo.Value)) rule { return rule{back, linearFore, true} }
	rules.AddAll(map[string]rule{
		hlo.OpBroadcastInDim:      linear(broadcastBack),
		hlo.OpReshape:             linear(reshapeBack),
		hlo.OpTranspose:           linear(transposeBack),
		hlo.OpReverse:             linear(reverseBack),
		hlo.OpConcatenate:         linear(concatenateBack),
		hlo.OpSlice:               linear(sliceBack),
		hlo.OpPad:                 linear(padBack),
		hlo.OpDynamicSlice:        linear(dynamicSliceBack),
		hlo.OpDynamicUpdateSlice:  linear(dynamicUpdateSliceBack),
		hlo.OpGather:              linear(gatherBack),
		hlo.OpConvert:             linear(convertBack),
		hlo.OpReal:                {realBack, sameFore, true},
		hlo.OpImag:                {imagBack, sameFore, true},
		hlo.OpComplex:             {complexBack, complexFore, true},
		hlo.OpConj:                {conjBack, sameFore, true},
		hlo.OpFFT:                 {fftBack, sameFore, true},
		hlo.OpSelect:              {selectBack, selectFore, true},
		hlo.OpOptimizationBarrier: {identityBack, identityFore, true},
		hlo.OpCustomCall:          {customBack, customFore, true},
		hlo.OpClamp:               {clampBack, clampFore, false},
		hlo.OpDotGeneral:          {dotBack, bilinearFore, true},
		hlo.OpConvolution:         {convBack, bilinearFore, true},
		hlo.OpCholesky:            {choleskyBack, choleskyFore, false},
		hlo.OpTriangularSolve:     {solveBack, solveFore, false},
		hlo.OpReduce:              {reduceBack, reduceFore, false},
		hlo.OpReduceWindow:        {windowBack, windowFore, false},
		hlo.OpSelectAndScatter:    {selectAndScatterBack, selectAndScatterFore, false},
		hlo.OpMap:                 expanding(mapExpansion),
		hlo.OpScatter:             {scatterBack, scatterFore, false},
		hlo.OpSort:                {sortBack, sortFore, false},
		hlo.OpTopK:                {topKBack, topKFore, false},
		hlo.OpBatchNormTraining:   expanding(normTraining),
		hlo.OpBatchNormInference:  expanding(normInference),
		hlo.OpBatchNormGrad:       expanding(normGradient),
		hlo.OpWhile:               {back: whileBack, complex: true},
		hlo.OpIf:                  {back: branchBack, complex: true},
		hlo.OpCase:                {back: branchBack, complex: true},
	})
}

// refuseOp refuses an operation without a rule.
func (c *context) refuseOp(o *hlo.Op) {
	why, ok := refusals[o.Name]
	switch {
	case ok:
	case o.Is(hlo.Collective):
		why = [2]string{"exchanges values between replicas", "differentiate the program of one replica"}
	default:
		why = [2]string{"has no derivative here", "write it with other operations"}
	}
	c.refuse(o, why[0], why[1])
}

// sameFore is the tangent of a linear operation of one operand.
func sameFore(f *forward, o *hlo.Op) []*hlo.Value {
	return f.emit(o.Name, nil, o.Attrs, nil, f.dot[o.Operands[0]])
}

func complexFore(f *forward, o *hlo.Op) []*hlo.Value {
	x, y := o.Operands[0], o.Operands[1]
	return f.emit(o.Name, nil, nil, nil, f.orZeros(f.dot[x], x.Type), f.orZeros(f.dot[y], y.Type))
}

func conjBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	r.give(o.Operands[0], r.one(o.Name, nil, ct[0]))
}
