package ring

// The kernels in use, chosen once at start. Every kernel has a portable twin
// that is its specification; there are no others yet.
var (
	// kernelMatMul64 adds a·b to c: m×k times k×n words, row-major, each
	// matrix contiguous.
	kernelMatMul64 = matMul64
)

// Kernels names the kernels in use.
func Kernels() string { return "portable Go" }
