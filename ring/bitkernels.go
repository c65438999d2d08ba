package ring

import "encoding/binary"

// bitKernels are kernels between words and bits. Bits are packed 64 to a word; unused bits of the
// last word are zero.
type bitKernels struct {
	// For elements of one word: bit sets the bits of d to bit p of a's elements, fromBits sets the
	// elements of d to the bits of a.
	bit      func(d, a []uint64, p int)
	fromBits func(d, a []uint64)
	// choose sets the elements of d, of one word, to those of a where the bit is 1 and to those of
	// b elsewhere.
	choose func(d, a, b, bits []uint64)
	// lookUp looks up the digits of d bits of public's elements, from bit pos on, in tables (see
	// LookUpDigit).
	lookUp func(lt, eq, tables, public []uint64, pos, d int, first uint64)
	// tables sets d to thermometer tables of the digits of d bits of secrets' elements, from bit pos on (see ThermometerTables).
	tables func(dst, secrets []uint64, pos, d int)
	// unpack reads elements of k words, of whose last word top bits are present, from bit position
	// at of data. data must contain them all.
	unpack func(words []uint64, data []byte, k int, top uint, at int)
	// pack writes the first elements of words, of 8 to 57 bits each, to d, without gaps, and returns how many they are: a multiple of
	// eight, or none. What it writes behind them, in d, is arbitrary.
	pack func(d []byte, words []uint64, width uint) int
	// spread sets the elements of d to units of 1, 2 or 4 bytes of src, little endian, masked with
	// m.
	spread func(d []uint64, src []byte, size int, m uint64)
	// differ adds to d's elements whether digits of c, of one bit or two from pos on, differ from
	// the secret digits that l has shares of (see CountDifferences); one is 1 at one party, 0 at
	// the others.
	differ func(d, c, l []uint64, pos, bits int, one uint64)
}

var portableBits = bitKernels{bit, fromBits, choose, lookUp, thermometerTables, unpack, packNone, spread, differ}

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

func unpack(words []uint64, data []byte, k int, top uint, at int) {
	if len(words) == 0 {
		return
	}
	mask := ^uint64(0) >> (64 - top)
	width := 64*(k-1) + int(top)
	whole := 0 // elements that can be read as k whole words from a byte position
	if left := 8*len(data) - 64*k - at; left >= 0 {
		whole = min(len(words)/k, left/width+1)
	}
	switch {
	case top == 64 && at&7 == 0 && !bigEndian:
		copy(asBytes(words), data[at>>3:])
		return
	case k == 1 && top <= 57: // eight bytes contain an element at any bit offset
		for i := range words[:whole] {
			words[i] = binary.LittleEndian.Uint64(data[at>>3:]) >> (at & 7) & mask
			at += width
		}
		words = words[whole:]
	case k == 2 && top <= 56: // sixteen bytes contain an element at any bit offset
		for i := range whole {
			from, s := data[at>>3:], at&7
			lo, hi := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
			words[2*i], words[2*i+1] = lo>>s|hi<<1<<(63-s), hi>>s&mask
			at += width
		}
		words = words[2*whole:]
	}
	for len(words) > 0 {
		for j := range k - 1 {
			words[j] = word(data, at)
			at += 64
		}
		words[k-1] = word(data, at) & mask
		words, at = words[k:], at+int(top)
	}
}

// packNone is pack where Writer's own loop is the kernel.
func packNone([]byte, []uint64, uint) int { return 0 }

func spread(d []uint64, src []byte, size int, m uint64) {
	switch src = src[:len(d)*size]; size {
	case 1:
		for i := range d {
			d[i] = uint64(src[i]) & m
		}
	case 2:
		for i := range d {
			d[i] = uint64(binary.LittleEndian.Uint16(src[2*i:])) & m
		}
	default:
		for i := range d {
			d[i] = uint64(binary.LittleEndian.Uint32(src[4*i:])) & m
		}
	}
}

// differ adds, for one bit, l, or one − l where c's bit is 1. For two bits it adds one minus the
// product of (l0 or one − l0) and (l1 or one − l1), where c's bits of 1 choose the first of each.
func differ(d, c, l []uint64, pos, bits int, one uint64) {
	n := len(d)
	if bits == 1 {
		c, l = c[:n], l[:n]
		for i := range d {
			bit := c[i] >> pos & 1
			d[i] += bit*one + (1-2*bit)*l[i]
		}
		return
	}
	c, l0, l1, both := c[:n], l[:n], l[n:2*n], l[2*n:3*n]
	for i := range d {
		products := [4]uint64{one - l0[i] - l1[i] + both[i], l0[i] - both[i], l1[i] - both[i], both[i]}
		d[i] += one - products[c[i]>>pos&3]
	}
}
