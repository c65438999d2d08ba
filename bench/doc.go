// Package bench measures operations: what one costs in time, bytes and rounds
// when a program uses it, and how exact it is.
//
// Each operation is a small StableHLO program that party.Run runs like any
// other, all parties and the dealer in this process, so what is measured is
// what users get: planning is left out, fixed point, messages, truncation
// before the reveal are in. The operands are fresh: no party has seen them
// masked, as results of other operations are. (An owner's input is shared
// masked, and what is done with it first would cost less than it does
// anywhere else in a program.) Kernels of convolutions alone are inputs as their
// owner shares them, as a model's weights are.
//
// Errors are against package eval in 64-bit floats, on inputs that fixed point
// holds exactly.
//
// Timings of a machine that does other things at the same time are too long,
// never too short: of several runs the fastest says most.
package bench
