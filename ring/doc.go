// Package ring computes on vectors over Z_2^k for any width k, over the integers
// modulo 2^q − 1, and on packed bit vectors. It is where all arithmetic on
// shares and masks happens.
//
// # Values
//
// A Vec carries its ring: adding vectors of different rings is a programmer's
// error and panics. Elements of up to 64 bits take one 64-bit word each, wider
// ones ⌈k/64⌉ words, least significant first, and are always kept reduced:
// bits above k are zero. Bits is a vector of single bits, 64 to a word.
//
// Modulo 2^q − 1 (M, the cyclic rings) a multiplication by a power of two is a
// rotation of an element's q bits, so that an exponent may wrap round. Elements
// take q bits like those of Z_2^q and are kept in [0, 2^q − 1); what a peer or
// a generator gives as 2^q − 1 is 0. Functions of elements' bits (Rsh, Arsh,
// Low, Digit, SignExtend, Bit, Thermometer) make no sense there and
// panic; Drop alone leads from such a ring to a Z_2^k.
//
// A vector may be weightless: it knows its ring and length and has no storage.
// Every function takes weightless operands and then does nothing, so that the
// same protocol code, run on weightless vectors, says what it would send.
//
// A Stream is a vector that need not be laid out: a generator's, or packed in a
// message. It is read a part at a time where it is used, so that a pass over
// dealt material takes no memory and leaves the cache to what it is added to.
//
// # Ownership
//
// Functions write into a destination that the caller owns (New, or Like of an
// operand) and never keep their arguments. A vector has one owner at a time;
// Free returns its buffer for reuse and may only be called by an owner who
// knows that nobody else still reads it.
//
// # What is visible
//
// The package does not know which vectors are secret and treats all alike:
// no branch and no memory address depends on an element's value, so its
// running time depends on lengths and widths alone; so it is with the integers,
// mantissas and rotations of MulAddSmall, Rotated and Powers. (Look-ups by
// opened digits, which are public to the parties, are the callers' affair.
// FromBig and Int are for constants, opened values and tests.)
//
// Kernels are chosen in kernels.go by what the machine has. Those in assembly are
// generated (module ring/asm), of instructions whose time does not depend on
// values, and tested against the portable ones; the build tag purego leaves them
// out.
package ring
