// Package bench measures operations: time, bytes, rounds and error of an operation as part of a
// program.
//
// Each operation is a small StableHLO program. party.Run runs it with all parties and the dealer in
// this process, so the measurements include everything that a user's program pays for: fixed-point
// encoding, messages, truncation before the reveal. Only planning is excluded. The operands are
// unopened secrets, like the results of other operations: no party knows their masked values. (An
// owner shares its inputs in masked form, so the first operation on an input would cost less than
// the same operation elsewhere in a program.) The kernels of convolutions are the exception: they
// are inputs shared by their owner, as a model's weights are.
//
// Errors are relative to package eval in 64-bit floats, on inputs that fixed point represents
// exactly.
//
// Other load on the machine makes measured times longer, never shorter. Of several runs the fastest
// is the best estimate.
package bench
