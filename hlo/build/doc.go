// Package build writes StableHLO programs in Go.
//
//	b := build.New("score")
//	x := b.Arg("x", tensor.F32, 1000, 3)
//	w := b.Arg("w", tensor.F32, 3)
//	b.Return(b.Sigmoid(b.Dot(x, w)))
//	p, err := b.Program()
//
// p is a verified *hlo.Program: package party runs it, and p.Print writes it
// as text that Parse and XLA read.
//
// # Shapes
//
// Methods infer result types. The rules are those of package hlo's registry,
// which texts are held against: this package has none of its own. Elementwise
// operations take operands of different shapes as NumPy does: dimensions are
// aligned at the end, and dimensions of size 1 are repeated. Element types are
// never converted implicitly: Convert does it. A Go number or bool is a
// constant of the other operand's element type.
//
// # Functions, regions, scopes
//
// New begins the main function, Func another one, which Call calls. Include
// adds another program, such as an imported model, and calls it. Loops,
// branches, reductions and sorts take Go functions that build their regions.
// Such a function is called once, with the region's parameters. A
// function for a loop or a branch may use any value of the surrounding code. A
// function for another region, such as a reduction or a sort, may use only its
// constants, because XLA accepts nothing else.
//
// Scope names layers: plans add up costs by them, as they do by JAX's named
// scopes.
//
// # Gradients
//
// Gradient returns the derivatives of a loss with respect to any Values that it depends on, through calls, branches and
// loops (package hlo/grad). Package hlo/build/nn has layers, losses and optimisers.
//
// # All operations
//
// Methods cover the usual operations. Op and TypedOp build every operation of
// the registry by its name.
//
// # Errors
//
// No method returns an error or panics. The first mistake is kept; later
// methods do nothing and return zero Values. Program returns it as an *Error,
// one line with the Go file and line of the call:
//
//	score.go:12: Dot: cannot contract 3 elements of tensor<1000x3xf32> with 4 of tensor<4xf32>; transpose or slice an operand
//
// A zero Value has no dimensions: use Value.Dim, which is 0 then, rather than
// an index into Value.Shape.
//
// A Builder must not be used by several goroutines at once.
package build
