package eval

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// maxElements is the maximum number of elements of a result, because positions of views are 32-bit.
const maxElements = 1<<31 - 1

// call is one evaluation of an operation.
type call struct {
	ctx  context.Context
	env  *Env
	op   *hlo.Op
	args []*tensor.Array
}

// kernel evaluates one operation.
type kernel func(c *call) ([]*tensor.Array, error)

// entry is the implementation of an operation.
type entry struct {
	// run computes on operands of the operation's types. It may assume that check succeeded; it
	// fails only because of values or when the context ends.
	run kernel
	// check, unless nil, returns an error for types and attributes that run does not support.
	check func(op *hlo.Op) error
}

// table holds every operation that can be evaluated. init fills it, because the kernels of
// operations with regions refer to the table.
var table = hlo.Table[entry]{}

func init() {
	for name, u := range unaries {
		table.Add(name, entry{u.run, u.check})
	}
	for name, b := range binaries {
		table.Add(name, entry{b.run, b.check})
	}
	for name, k := range elementwise {
		table.Add(name, entry{k, checks[name]})
	}
	for name := range views {
		table.Add(name, entry{copyView, checkIndexable})
	}
	for name, k := range others {
		table.Add(name, entry{k, checks[name]})
	}
	for _, name := range hlo.With(hlo.Collective) {
		table.Add(name, entry{collective, requireSingleReplica})
	}
}

// elementwise are the elementwise operations that are neither unaries nor binaries: their result
// has another element type than their operands, or they have three operands.
var elementwise = map[string]kernel{
	hlo.OpBitcastConvert:  bitcast, // elementwise only if the widths are equal
	hlo.OpClamp:           clamp,
	hlo.OpCompare:         compare,
	hlo.OpComplex:         makeComplex,
	hlo.OpConvert:         convert,
	hlo.OpImag:            imagPart,
	hlo.OpIsFinite:        classify(isFinite),
	hlo.OpReal:            realPart,
	hlo.OpAbs:             absolute,
	hlo.OpReducePrecision: reducePrecision,
	hlo.OpSelect:          choose,
	hlo.OpIsInf:           classify(isInf),
	hlo.OpIsNegInf:        classify(isNegInf),
	hlo.OpIsPosInf:        classify(isPosInf),
	hlo.OpNextAfter:       nextAfter,
}

// others are the operations with regions, or whose elements depend on more than one element of
// an operand.
var others = map[string]kernel{
	hlo.OpCall:                callFunc,
	hlo.OpBatchNormGrad:       batchNormGrad,
	hlo.OpBatchNormInference:  batchNormInference,
	hlo.OpBatchNormTraining:   batchNormTraining,
	hlo.OpCase:                branch,
	hlo.OpCholesky:            cholesky,
	hlo.OpComposite:           callFunc,
	hlo.OpConstant:            constant,
	hlo.OpConvolution:         convolution,
	hlo.OpCustomCall:          customCall,
	hlo.OpDotGeneral:          dotGeneral,
	hlo.OpFFT:                 fourier,
	hlo.OpGetDimensionSize:    dimensionSize,
	hlo.OpIf:                  branch,
	hlo.OpIota:                iotaAlong,
	hlo.OpMap:                 mapBody,
	hlo.OpOptimizationBarrier: barrier,
	hlo.OpReduce:              reduce,
	hlo.OpReduceWindow:        reduceWindow,
	hlo.OpRNGBitGenerator:     randomBits,
	hlo.OpScatter:             scatter,
	hlo.OpSelectAndScatter:    selectAndScatter,
	hlo.OpSort:                sortOp,
	hlo.OpTriangularSolve:     triangularSolve,
	hlo.OpWhile:               whileLoop,
	hlo.OpPartitionID:         firstID,
	hlo.OpReplicaID:           firstID,
	hlo.OpTopK:                topK,
}

// refused says why a StableHLO operation cannot be evaluated in the clear.
var refused = map[string]string{
	"stablehlo.after_all":          "tokens order side effects; programs here have none",
	"stablehlo.create_token":       "tokens order side effects; programs here have none",
	"stablehlo.einsum":             "lower it to stablehlo.dot_general",
	"stablehlo.infeed":             "a program's inputs are its arguments",
	"stablehlo.outfeed":            "a program's outputs are its results",
	"stablehlo.recv":               "a program's inputs are its arguments",
	hlo.OpRNG:                      "its values are not determined by the program; use stablehlo.rng_bit_generator",
	"stablehlo.send":               "a program's outputs are its results",
	"stablehlo.unary_einsum":       "lower it to stablehlo.reduce",
	"stablehlo.uniform_dequantize": "quantized types are not supported",
	"stablehlo.uniform_quantize":   "quantized types are not supported",
}

func refuse(op *hlo.Op) error {
	return &hlo.Error{Pos: op.Pos, Op: op.Title(), Msg: "cannot be evaluated", Hint: refused[op.Name], Unsupported: true}
}

func failf(op *hlo.Op, format string, args ...any) error {
	return &hlo.Error{Pos: op.Pos, Op: op.Title(), Msg: fmt.Sprintf(format, args...)}
}

func (c *call) failf(format string, args ...any) error { return failf(c.op, format, args...) }

// alive returns an error if the context has ended.
func (c *call) alive() error {
	if c.ctx.Err() != nil {
		return budget.Ended(c.ctx, c.op)
	}
	return nil
}

// result returns the type of result i.
func (c *call) result(i int) tensor.Type { return c.op.Results[i].Type }

func one(a *tensor.Array) []*tensor.Array { return []*tensor.Array{a} }
