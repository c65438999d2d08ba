package he

// kernels are the inner loops that have implementations for some machines' instructions. The portable one is their
// specification: results are equal to the last bit.
type kernels struct {
	name              string
	forward, backward func(m *modulus, a []uint64)
	mulAdd            func(m *modulus, dst, x, y []uint64)
	scale             func(m *modulus, a []uint64, t twiddle)
	lift              func(m *modulus, dst, v []uint64, q uint64)
	divide            func(m *modulus, dst, p, x []uint64, by uint64)
	butterfly         func(x, y, z []int64, wraps bool)
	turned            func(m *modulus, v []uint64, from []int64, turn int, offset uint64)
}

var portable = kernels{"portable Go", forward, backward, mulAdd, scale, lift, divide, butterfly, turned}

// available lists the kernels that this machine can run, the fastest last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse is the fastest kernel, chosen at start-up.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()
