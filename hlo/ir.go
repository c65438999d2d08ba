package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/tensor"
)

// Pos is a position in a program. In a text, Line and Col count from 1. In a portable artifact, Col
// is 0, Line is the number of the operation counted from 1 (0 for the file itself), and Source is
// the location in the program's source as "file:line:col", "" if the artifact does not contain it.
type Pos struct {
	File string // base name of the program's file
	// Line and Col count from 1 in a text. In an artifact Line is the number of the operation and Col is 0.
	Line, Col int
	Source    string // location in the program's source; "" if unknown
}

// String returns "file:line:col", or "file:op 7 (source)" in an artifact.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.File
	}
	return p.File + ":" + p.Place()
}

// Place returns the position without the file name.
func (p Pos) Place() string {
	switch {
	case p.Col > 0:
		return fmt.Sprintf("%d:%d", p.Line, p.Col)
	case p.Source != "":
		return fmt.Sprintf("op %d (%s)", p.Line, p.Source)
	}
	return fmt.Sprintf("op %d", p.Line)
}

// Program is a parsed and verified module.
type Program struct {
	File  string  // the file name that positions have
	Name  string  // the module's name without "@", e.g. "jit_f"
	Funcs []*Func // the functions, in the order of the text
	Main  *Func   // the public function "main", or the only public one
	Text  []byte  // the parsed text or artifact, of which Digest is computed
}

// Func is one function of a module.
type Func struct {
	Name    string        // without "@"
	Public  bool          // whether the module exports the function
	Body    *Block        // its Params are the arguments; its last operation is a "func.return"
	Results []tensor.Type // types of the results
	Pos     Pos           // position of the function's name
}

// Block is the body of a function or of an operation's region. Its last
// operation is a terminator ("func.return" or "stablehlo.return") whose
// operands are the block's results.
type Block struct {
	Params []*Value // parameters of the block
	Ops    []*Op    // operations in order, the terminator last
}

// Return returns the block's terminator, its last operation.
func (b *Block) Return() *Op { return b.Ops[len(b.Ops)-1] }

// Value is an SSA value: a block's parameter or one result of an operation.
type Value struct {
	Name string      // as printed, without "%": "arg0", "12", "cst_3", "5#1"
	Type tensor.Type // element type and shape
	ID   int         // number of the value in its function, regions included: from 0, without gaps
	Pos  Pos         // position of its definition
}

// Op is an operation of a program. The text's pretty and generic forms result in the same Op: full name, operands,
// regions, and attributes of the types that Attrs documents. Operations that mean the same under different names have
// one form (Canonical).
type Op struct {
	Name     string   // full name: "stablehlo.add", "chlo.erf", "func.call", "func.return"
	Written  string   // the name in the program's text if Canonical changed it, e.g. "stablehlo.dot"; else ""
	Operands []*Value // values that the operation reads
	Results  []*Value // values that the operation defines
	Attrs    Attrs    // attributes by StableHLO's names
	Regions  []*Block // bodies of the operation, such as those of a loop or a reduction; each is one block
	Callee   *Func    // the function that func.call calls, or the decomposition of a composite; else nil
	Loc      string   // name given by loc(...), "" if none
	Pos      Pos      // position of the operation's name in the text, or of the operation in the artifact
	// Folded is the position of the multiplication or division whose factor a pass has folded into this contraction; else "".
	Folded string
}

// Attrs are the attributes of an operation: the values by their StableHLO names, such as "dimensions". A value has the
// Go type of its kind:
//
//	integer, index                      int64
//	bool                                bool
//	float                               float64
//	string, symbol (@f, without "@")    string
//	enum (#stablehlo<precision X>, LT)  Enum
//	array<i64: …>, [1, 2]               []int64 (an empty list too)
//	array<i1: …>, [true, false]         []bool
//	dense<…> : tensor<…>                *tensor.Array; *Splat if one element is repeated (Op.Constant)
//	lists of anything else              []any
//	dictionary {a = …}                  map[string]any
//	dot_dimension_numbers               *DotDims
//	convolution's dimension_numbers     *ConvDims
//	gather's dimension_numbers          *GatherDims
//	scatter_dimension_numbers           *ScatterDims
//	types                               tensor.Type
//	what is skipped (sdy.*, mhlo.*, …)  Opaque (its text); in an artifact as above
//
// Attributes that StableHLO declares as integer lists are []int64 whichever
// way the text spells them (array<i64>, dense, or the pretty form's
// brackets): dims of broadcast_in_dim ("broadcast_dimensions"), transpose
// ("permutation"), reverse and reduce ("dimensions"), slice
// ("start_indices", "limit_indices", "strides"), pad ("edge_padding_low",
// "edge_padding_high", "interior_padding"), gather ("slice_sizes"),
// dynamic_slice ("slice_sizes"), reduce_window and convolution
// ("window_dimensions", "window_strides", "base_dilations",
// "window_dilations", "lhs_dilation", "rhs_dilation"; "padding" as 2·n values,
// low and high of each dimension), convolution ("window_reversal" is
// []bool). Attributes with a default (strides, dilations, padding, counts)
// are always present after verification.
type Attrs map[string]any

// FullRange is the name of an attribute that a rewrite pass gives a product with a public matrix: its result may be as large as
// values may be, and not only as large as contractions.
const FullRange = "tacet.full_range"

// Enum is the value of an enumeration attribute as StableHLO prints it, such as "LT", "FLOAT" or "DEFAULT".
type Enum string

// Opaque is the text of an attribute that Tacet does not interpret and keeps for messages and Attrs.Dict.
type Opaque string

// Int returns an integer attribute, or def where there is none.
func (a Attrs) Int(name string, def int) int {
	if v, ok := a[name].(int64); ok {
		return int(v)
	}
	return def
}

// Ints returns an integer-list attribute as ints; nil where there is none.
func (a Attrs) Ints(name string) []int {
	v, ok := a[name].([]int64)
	if !ok {
		return nil
	}
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out
}

// Str returns a string or enum attribute; "" where there is none.
func (a Attrs) Str(name string) string {
	switch v := a[name].(type) {
	case string:
		return v
	case Enum:
		return string(v)
	}
	return ""
}

// Bool returns a bool attribute; false where there is none.
func (a Attrs) Bool(name string) bool { v, _ := a[name].(bool); return v }

// DotDims holds the dimension numbers of dot_general. LHSBatch and RHSBatch are the batch dimensions of the left and
// of the right operand, in pairs; LHSContract and RHSContract are the contracted dimensions, in pairs.
type DotDims struct {
	LHSBatch, RHSBatch, LHSContract, RHSContract []int
}

// ConvDims holds the dimension numbers of a convolution: which dimension of the input, the kernel and the output is
// the batch, the feature or a spatial dimension.
type ConvDims struct {
	// InBatch and InFeature are dimensions of the input.
	InBatch, InFeature int
	InSpatial          []int // spatial dimensions of the input, in order
	// KerIn and KerOut are the dimensions of the kernel for input and output features.
	KerIn, KerOut int
	KerSpatial    []int // spatial dimensions of the kernel, in order
	// OutBatch and OutFeature are dimensions of the output.
	OutBatch, OutFeature int
	OutSpatial           []int // spatial dimensions of the output, in order
}

// GatherDims holds the dimension numbers of gather; the fields are StableHLO's attributes of the same names.
type GatherDims struct {
	OffsetDims, CollapsedSliceDims, OperandBatchingDims, StartIndicesBatchingDims, StartIndexMap []int
	IndexVectorDim                                                                               int
}

// ScatterDims holds the dimension numbers of scatter; the fields are StableHLO's attributes of the same names.
type ScatterDims struct {
	UpdateWindowDims, InsertedWindowDims, InputBatchingDims, ScatterIndicesBatchingDims, ScatterDimsToOperandDims []int
	IndexVectorDim                                                                                                int
}
