package fixed

// kernels are the inner loops that have implementations for some machines' instructions. The
// portable one is their specification: results are equal to the last bit.
type kernels struct {
	name  string
	waves func(w *Wave, n uint64, phases []uint64, c, s []int64)
}

var portable = kernels{"portable Go", waves}

// available lists the kernels that this machine can run, the fastest last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse is the fastest kernel, chosen at start-up.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()
