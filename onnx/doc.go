// Package onnx imports ONNX models as StableHLO programs.
//
//	f, err := onnx.Open("model.onnx")
//	m, err := f.Import(onnx.Options{Shapes: map[string][]int{"x": {1, 3, 224, 224}}})
//	err = m.WriteWeights("weights.npz")
//
// m.Program is a verified *hlo.Program. Its arguments are the graph's inputs, in their order, and then the weights.
//
// # Weights
//
// A weight is an argument that the model's owner holds:
//   - an initialiser, or the tensor of a Constant node, of floats, of 8-bit integers (quantised weights) or of complex
//     numbers, with more than one element;
//   - the parameters of a node of the domain ai.onnx.ml, which are attributes of the node.
//
// Everything else is a constant of the program, which all parties see: single numbers, integers such as shapes and
// axes, and what is computed from constants alone. There are two exceptions. A tensor of floats that has an element
// that cannot be shared (an infinity, or a magnitude of 2^40 or more) and at most 2^20 elements is a constant: exporters
// write masks of attention so. And a weight that an operation needs in clear, such as the scales of Resize, is a constant
// for that operation.
//
// # Static shapes
//
// Programs have static shapes. Options.Shapes gives the shapes of inputs, and Options.Dims the sizes of named
// dimensions, where the file does not say them. What the graph computes from shapes and constants is evaluated during
// the import, by package eval; an operation whose result's shape depends on an input's values is refused.
//
// # Operations
//
// An operation is one entry of a table: the default domain's in the files ops_*.go, ai.onnx.ml's in ml_*.go. Functions
// that passes recognise as wholes (softmax, layer normalisation, gelu, sigmoid, …) are written in the forms that package
// hlo/pattern knows. docs/onnx.md lists the operations, with the results of the ONNX project's own test cases.
//
// A branch (If) on a secret computes both branches and selects. Loops (Loop, Scan) run a known number of times and are
// written out; a Loop whose condition depends on an input is refused.
//
// # Files
//
// Package model reads the file. The content of large weights stays there, or in the files with external data, until it
// is written or read: an import holds one weight at a time at most.
package onnx
