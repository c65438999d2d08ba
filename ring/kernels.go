package ring

// kernels are the inner loops that machines have better instructions for. The
// portable ones are the specification of the others.
type kernels struct {
	name string
	// matMul64 adds a·b to c: m×k times k×n words, row-major, each matrix
	// contiguous.
	matMul64 func(c, a, b []uint64, m, k, n int)
	// matMul32 is the same for words of whose results the low halves count.
	matMul32 func(c, a, b []uint64, m, k, n int)
	// matMul128 is the same for elements of two words.
	matMul128 func(c, a, b []uint64, m, k, n int)
	elementKernels
	bitKernels
}

var portable = kernels{"portable Go", matMul64, matMul64, matMul128, portableElements, portableBits}

// available are the kernels that this machine can run, the best last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse are chosen once, at start.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()

// Kernels names the kernels in use.
func Kernels() string { return inUse.name }
