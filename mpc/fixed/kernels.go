package fixed

// kernels are the inner loops that machines have better instructions for. The
// portable one is the specification of the others: values are the same to the last
// bit.
type kernels struct {
	name  string
	waves func(w *Wave, n uint64, phases []uint64, c, s []int64)
}

var portable = kernels{"portable Go", waves}

// available are the kernels that this machine can run, the best last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse are chosen once, at start.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()
