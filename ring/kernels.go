package ring

// kernels are the inner loops that have implementations for some machines' instructions. The
// portable ones are their specification.
type kernels struct {
	name string
	// matMul64 adds a·b to c: m×k times k×n words, row-major, each matrix contiguous.
	matMul64 func(c, a, b []uint64, m, k, n int)
	// matMulColumns is matMul64 for columns [from, to) of b and c only; nil if columns have no kernel.
	matMulColumns func(c, a, b []uint64, m, k, n, from, to int)
	// matMul32 is matMul64 where only the low 32 bits of each result are used.
	matMul32 func(c, a, b []uint64, m, k, n int)
	// matMul128 is matMul64 for elements of two words.
	matMul128 func(c, a, b []uint64, m, k, n int)
	streamKernels
	elementKernels
	bitKernels
}

// streamKernels make pseudo-random streams. Where they are nil, crypto/aes does.
type streamKernels struct {
	roundKeys func(k *roundKeys, s Seed)
	// blocks sets n blocks from d on to the encryptions of blocks of id and next, id and next + 1, and so on, big endian.
	blocks func(d *byte, k *roundKeys, id, next uint64, n int)
}

var portable = kernels{"portable Go", matMul64, nil, matMul64, matMul128, streamKernels{}, portableElements, portableBits}

// available lists the kernels that this machine can run, the fastest last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse is the fastest set of kernels, chosen at start-up.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()

// Kernels returns the name of the set of kernels in use, such as that of an instruction set, for reports.
func Kernels() string { return inUse.name }
