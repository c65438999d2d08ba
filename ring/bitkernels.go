package ring

// bitKernels are kernels between words and bits, packed 64 to a word, of which
// unused ones are zero.
type bitKernels struct {
	// Of elements of one word: d's bits are bit p of a's elements, and d's
	// elements a's bits.
	bit      func(d, a []uint64, p int)
	fromBits func(d, a []uint64)
	// choose sets d to a's elements, of one word, where a bit is 1 and to b's
	// elsewhere.
	choose func(d, a, b, bits []uint64)
	// lookUp looks digits of d bits, from bit pos of public's elements on, up in
	// tables (see Thermometer).
	lookUp func(lt, eq, tables, public []uint64, pos, d int, first uint64)
}

var portableBits = bitKernels{bit, fromBits, choose, lookUp}

func bit(d, a []uint64, p int) {
	for len(a) > 0 {
		part := a[:min(64, len(a))]
		var x uint64
		for i, v := range part {
			x |= v >> p & 1 << (i & 63)
		}
		d[0], d, a = x, d[1:], a[len(part):]
	}
}

func fromBits(d, a []uint64) {
	for len(d) > 0 {
		part, x := d[:min(64, len(d))], a[0]
		for i := range part {
			part[i] = x >> (i & 63) & 1
		}
		d, a = d[len(part):], a[1:]
	}
}

func choose(d, a, b, bits []uint64) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = b[i] ^ (a[i]^b[i])&-(bits[i/64]>>(i&63)&1)
	}
}

func lookUp(lt, eq, tables, public []uint64, pos, d int, first uint64) {
	width, mask := 1<<d-1, uint64(1)<<d-1
	for len(public) > 0 {
		n := min(64, len(public))
		var digits [64]uint64
		for i, x := range public[:n] {
			digits[i] = x >> pos & mask
		}
		table := Bits{n * width, tables[:(n*width+63)/64]}
		if d <= 6 {
			lt[0], eq[0] = lookUpNarrow(digits[:n], table, width, first)
		} else {
			lt[0], eq[0] = lookUpWide(digits[:n], table, width, first)
		}
		lt, eq, tables, public = lt[1:], eq[1:], tables[len(table.w):], public[n:]
	}
}
