package psi

// block is an element of K = F², F = GF(2^64) with the polynomial x^64 + x^4 + x^3 + x + 1.
type block [2]uint64

// multiply returns the product in F. It serves the tables of a multiplier.
func multiply(a, b uint64) uint64 {
	var r uint64
	for ; b != 0; b >>= 1 {
		r ^= a & -(b & 1)
		a = a<<1 ^ 0x1b&-(a>>63)
	}
	return r
}

// multiplier multiplies elements of F by one element of K: one table for each byte of the factor.
type multiplier [8][256]block

func newMultiplier(d block) *multiplier {
	t := new(multiplier)
	for i := range t {
		for bit := range 8 {
			power := uint64(1) << (8*i + bit)
			p := block{multiply(d[0], power), multiply(d[1], power)}
			for low := range 1 << bit {
				e := t[i][low]
				t[i][1<<bit|low] = block{e[0] ^ p[0], e[1] ^ p[1]}
			}
		}
	}
	return t
}

// times returns a·D.
func (t *multiplier) times(a uint64) block {
	var r block
	for i := range t {
		e := &t[i][byte(a>>(8*i))]
		r[0] ^= e[0]
		r[1] ^= e[1]
	}
	return r
}
