//go:build !purego

package ring

import "unsafe"

// wideBits are the kernels with AVX-512, which work on blocks of 64 elements;
// the rest is the portable kernels'.
var wideBits = bitKernels{
	bit: func(d, a []uint64, p int) {
		n := len(a) / 64
		if n > 0 {
			bit512(&d[:n][0], &a[0], n, 1<<p)
		}
		bit(d[n:], a[64*n:], p)
	},
	fromBits: func(d, a []uint64) {
		n := len(d) / 64
		if n > 0 {
			fromBits512(&d[0], &a[:n][0], n)
		}
		fromBits(d[64*n:], a[n:])
	},
	choose: func(d, a, b, bits []uint64) {
		a, b = a[:len(d)], b[:len(d)]
		n := len(d) / 64
		if n > 0 {
			choose512(&d[0], &a[0], &b[0], 8*n, (*byte)(unsafe.Pointer(&bits[:n][0])))
		}
		choose(d[64*n:], a[64*n:], b[64*n:], bits[n:])
	},
	lookUp: func(lt, eq, tables, public []uint64, pos, d int, first uint64) {
		n := len(public) / 64
		if n > 0 {
			l, e := &lt[:n][0], &eq[:n][0]
			switch d {
			case 4:
				lookUp15(l, e, &tables[:15*n][0], &public[0], n, uint64(pos), first)
			case 6:
				lookUp63(l, e, &tables[:63*n][0], &public[0], n, uint64(pos), first)
			default:
				n = 0
			}
		}
		lookUp(lt[n:], eq[n:], tables[n*(1<<d-1):], public[64*n:], pos, d, first)
	},
}
