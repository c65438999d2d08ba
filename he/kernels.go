package he

// kernels are the inner loops that have implementations for some machines' instructions. The portable one is their
// specification: results are equal to the last bit, but for forwardSigned, forwardWhole and forwardLifted modulo light primes. Theirs may
// be any numbers whose low 52 bits are equal modulo q (open). Only dot takes such numbers, as y.
type kernels struct {
	name              string
	forward, backward func(m *modulus, a []uint64)
	mulAdd            func(m *modulus, dst, x, y []uint64)
	dot               func(m *modulus, d0, d1 []uint64, list []factors, keep0, keep1 bool)
	add               func(m *modulus, x, y []uint64)
	scale             func(m *modulus, a []uint64, t twiddle)
	lift              func(m *modulus, dst, v []uint64, q uint64)
	divide            func(m *modulus, dst, p, x []uint64, by uint64)
	butterfly         func(x, y, z []uint64, wraps bool)
	butterflyHalves   func(x, y, z []int32, wraps bool)
	plus              func(x, y []uint64, minus bool)
	plusHalves        func(x, y []int32, minus bool)
	turned            func(out, p []uint64, g int, q uint64)
	turnedHalves      func(out, p []int32, g int)
	picked            func(out, p []uint64, places []uint32)
	forwardSigned     func(m *modulus, dst, v []uint64)
	forwardWhole      func(m *modulus, dst, low []uint64, high []int32)
	forwardLifted     func(m *modulus, dst, v []uint64, q uint64)
}

var portable = kernels{
	"portable Go", forward, backward, mulAdd, dot, add, scale, lift, divide, butterfly[uint64], butterfly[int32], plus[uint64], plus[int32],
	image, imageHalves, picked, forwardSigned, forwardWhole, forwardLifted,
}

// available lists the kernels that this machine can run, the fastest last.
func available() []kernels { return append([]kernels{portable}, special()...) }

// inUse is the fastest kernel, chosen at start-up.
var inUse = func() kernels {
	all := available()
	return all[len(all)-1]
}()
