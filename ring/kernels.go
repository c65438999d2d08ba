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
	halfKernels
	streamKernels
	elementKernels
	bitKernels
}

// halfKernels multiply modulo 2^32 where elements lie in halves of words.
type halfKernels struct {
	// dot adds to each word of c, of m rows of n, the sum of products of a row of a and a row of b modulo 2^32. Rows have k halves, and lie
	// lda and ldb apart. n is a multiple of dotColumns, k of dotLength.
	dot func(c []uint64, a, b []uint32, m, k, n, lda, ldb int)
	// matMul adds a·b to c modulo 2^32: a are m×k words, lda apart, b k rows of n halves, ldb apart, c m rows of n words. n is a multiple of
	// columnGrain, ldb is even.
	matMul func(c, a []uint64, b []uint32, m, k, n, lda, ldb int)
}

const (
	dotColumns = 4 // of a tile of halfKernels.dot
	dotLength  = 8 // halves that it reads at a time
)

// streamKernels make pseudo-random streams. Where they are nil, crypto/aes does.
type streamKernels struct {
	roundKeys func(k *roundKeys, s Seed)
	// blocks sets n blocks from d on to the encryptions of blocks of id and next, id and next + 1, and so on, big endian.
	blocks func(d *byte, k *roundKeys, id, next uint64, n int)
}

var portable = kernels{"portable Go", matMul64, nil, matMul64, matMul128, portableHalves, streamKernels{}, portableElements, portableBits}

// available lists the kernels that this machine can run, the fastest last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse is the fastest set of kernels, chosen at start-up.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()

// Kernels returns the name of the set of kernels in use, such as that of an instruction set, for reports.
func Kernels() string { return inUse.name }
