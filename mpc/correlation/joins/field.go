package joins

// Block is an element of K = F², F = GF(2^64) with the polynomial x^64 + x^4 + x^3 + x + 1.
type Block [2]uint64

// Multiply returns the product in F. It serves the tables of a Multiplier.
func Multiply(a, b uint64) uint64 {
	var r uint64
	for ; b != 0; b >>= 1 {
		r ^= a & -(b & 1)
		a = a<<1 ^ 0x1b&-(a>>63)
	}
	return r
}

// Multiplier multiplies elements of F by one element of K: one table for each byte of the factor.
type Multiplier [8][256]Block

// NewMultiplier returns the Multiplier of d.
func NewMultiplier(d Block) *Multiplier {
	t := new(Multiplier)
	for i := range t {
		for bit := range 8 {
			power := uint64(1) << (8*i + bit)
			p := Block{Multiply(d[0], power), Multiply(d[1], power)}
			for low := range 1 << bit {
				e := t[i][low]
				t[i][1<<bit|low] = Block{e[0] ^ p[0], e[1] ^ p[1]}
			}
		}
	}
	return t
}

// Times returns a·d.
func (t *Multiplier) Times(a uint64) Block {
	var r Block
	for i := range t {
		e := &t[i][byte(a>>(8*i))]
		r[0] ^= e[0]
		r[1] ^= e[1]
	}
	return r
}
