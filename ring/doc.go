// Package ring computes on vectors over Z_2^k for any width k, over the integers modulo 2^q − 1,
// and on packed bit vectors. All arithmetic on shares and masks is here.
//
// # Values
//
// A Vec carries its ring: operations on vectors of different rings or lengths are a programmer's
// error and panic, unless a function's comment says otherwise. A destination (dst) may be an
// operand only where the comment says so. k is the width of a ring in bits, dst += a means that a
// is added to dst element by element, and public means known to all parties. Elements of up to 64
// bits take one 64-bit word each, wider ones ⌈k/64⌉ words, least significant first. Elements are
// always reduced: bits from k on are zero. Bits is a vector of single bits, 64 to a word.
//
// Modulo 2^q − 1 (M, the cyclic rings) multiplying by a power of two rotates an element's q bits,
// so that exponents may be reduced modulo q. Elements take q bits like those of Z_2^q and are kept
// in [0, 2^q − 1); the value 2^q − 1 in a payload or a pseudo-random stream is read as 0. Functions
// of elements' bits (Rsh, Arsh, Low, Digit, SignExtend, Bit, LookUpDigit) are not defined there and
// panic; TruncateReduce is the only function from such a ring into a Z_2^k.
//
// A vector may be shape-only: it has a ring and a length but no storage. Every function accepts
// shape-only operands, checks rings and lengths, and returns without computing and with dst
// unchanged, so that the same protocol code, run on shape-only vectors (a dry run), counts what it
// would send.
//
// A Stream is a vector whose elements are expanded from a seed or unpacked from a payload only when
// they are used, a block at a time, so that a pass over dealt values needs no memory for them and
// leaves the cache to the vector that they are added to.
//
// # Ownership
//
// Functions write into a destination that the caller owns (New, or Like of an operand) and keep no
// reference to their arguments. A vector has one owner at a time. Free returns its buffer for
// reuse; only the owner may call it, and only when nothing else reads the vector.
//
// # Side channels
//
// The package does not know which vectors are secret and treats all alike: no branch and no memory
// address depends on an element's value, so its running time depends on lengths and widths only.
// The same holds for the integers, mantissas and rotations of MulAddSmall, MulAddRotated and
// Powers. Exceptions: look-ups by opened digits, which are public to the parties (LookUpDigit),
// Gather by a permutation, and FromBig and Int, which are for constants, opened values and tests.
//
// kernels.go chooses the fastest kernels that the machine supports. Those in assembly are generated
// (module ring/asm), from instructions whose time does not depend on values, and tested against the
// portable ones; the build tag purego excludes them.
package ring
