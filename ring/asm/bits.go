package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// lanes is eight words of constant data.
func lanes(name string, word func(i int) uint64) Mem {
	m := GLOBL(name, RODATA|NOPTR)
	for i := range 8 {
		DATA(8*i, U64(word(i)))
	}
	return m
}

// transposed are the kernels between elements of one word and packed bits; a block is 64 elements
// and one word of bits.
func transposed() {
	var m VecVirtual
	frame64("bit512", []string{
		"bit512 sets word i of d to the bits of a's elements 64·i to 64·i + 63 that m, one bit, masks. It",
		"needs AVX512F and AVX512DQ.",
	}, "m uint64", func() { m = broadcast("m") }, func(r [4]Register) {
		d, a := r[0], r[1]
		for i := range 8 {
			k := K()
			VPTESTMQ(Mem{Base: a, Disp: 64 * i}, m, k)
			KMOVB(k, Mem{Base: d, Disp: i})
		}
		ADDQ(Imm(8), d)
		ADDQ(U32(512), a)
	}, "d", "a")
	var one VecVirtual
	frame64("fromBits512", []string{
		"fromBits512 sets elements 64·i to 64·i + 63 of d to the bits of word i of a. It needs AVX512F and",
		"AVX512DQ.",
	}, "", func() {
		r := GP64()
		MOVQ(U64(1), r)
		one = ZMM()
		VPBROADCASTQ(r, one)
	}, func(r [4]Register) {
		d, a := r[0], r[1]
		for i := range 8 {
			k, z := K(), ZMM()
			KMOVB(Mem{Base: a, Disp: i}, k)
			VMOVDQA64_Z(one, k, z)
			VMOVDQU64(z, Mem{Base: d, Disp: 64 * i})
		}
		ADDQ(U32(512), d)
		ADDQ(Imm(8), a)
	}, "d", "a")
}

// frame64 frames a kernel of blocks of 64 elements; body advances its operands.
func frame64(name string, doc []string, more string, before func(), body func(r [4]Register), operands ...string) {
	text := "func("
	for _, o := range operands {
		text += o + " *uint64, "
	}
	if text += "blocks int"; more != "" {
		text += ", " + more
	}
	TEXT(name, NOSPLIT, text+")")
	Pragma("noescape")
	Doc(doc...)
	var r [4]Register
	for i, o := range operands {
		r[i] = Load(Param(o), GP64())
	}
	n := Load(Param("blocks"), GP64())
	before()
	loop, end := name+"loop", name+"end"
	TESTQ(n, n)
	JZ(LabelRef(end))
	Label(loop)
	body(r)
	DECQ(n)
	JNZ(LabelRef(loop))
	Label(end)
	VZEROUPPER()
	RET()
}

const lookUpArgs = "pos uint64, first uint64"

// words256 is a word in all lanes, lane256 a word of its own in each.
func words256(x uint64) VecVirtual {
	r, y := GP64(), YMM()
	MOVQ(U64(x), r)
	VMOVQ(r, y.AsX())
	VPBROADCASTQ(y.AsX(), y)
	return y
}

func lane256(name string, word func(i int) uint64) VecVirtual {
	m, y := GLOBL(name, RODATA|NOPTR), YMM()
	for i := range 4 {
		DATA(8*i, U64(word(i)))
	}
	VMOVDQU(m, y)
	return y
}

// tables15 packs thermometer tables: four have 60 bits, so a word of the result has its first bits from as many tables, and the rest from
// the next four.
func tables15() {
	var pos, digit, one, places VecVirtual
	frame64("tables15", []string{
		"tables15 sets 15 words of d a block to 64 tables of 15 bits, one after the other. Bit v of a table says whether v is less than the",
		"four bits from bit pos on of an element of secrets. It needs AVX2.",
	}, "pos uint64", func() {
		pos, digit, one = count("pos"), words256(15), words256(1)
		places = lane256("places15", func(i int) uint64 { return uint64(15 * i) })
	}, func(r [4]Register) {
		d, secrets := r[0], r[1]
		var before Register // the tables of which the next word has a part
		for i := range 16 {
			y, half := YMM(), XMM()
			VMOVDQU(Mem{Base: secrets, Disp: 32 * i}, y)
			VPSRLQ(pos, y, y)
			VPAND(digit, y, y)
			VPSLLVQ(y, one, y)
			VPSUBQ(one, y, y)
			VPSLLVQ(places, y, y)
			VEXTRACTI128(Imm(1), y, half)
			VPOR(half, y.AsX(), half)
			high := XMM()
			VPSRLDQ(Imm(8), half, high)
			VPOR(high, half, half)
			four := GP64()
			VMOVQ(half, four)
			if i > 0 {
				word := GP64()
				MOVQ(four, word)
				SHLQ(Imm(uint64(64-4*i)), word)
				ORQ(before, word)
				MOVQ(word, Mem{Base: d, Disp: 8 * (i - 1)})
				SHRQ(Imm(uint64(4*i)), four)
			}
			before = four
		}
		ADDQ(Imm(120), d)
		ADDQ(U32(512), secrets)
	}, "d", "secrets")
}

// lookUp256 are look-ups for tables of 63 and 15 bits, four tables at a time. A table's bit c is shifted to its lane's top.
func lookUp256() {
	for _, k := range []struct {
		name, bits     string
		digits, tables int
	}{{"lookUp63AVX2", "6", 63, 63}, {"lookUp15AVX2", "4", 15, 15}} {
		var pos, first, table, digit, flip, up, down, four VecVirtual
		lane := func(name string, word func(i int) uint64) VecVirtual { return lane256(k.name+name, word) }
		doc := lookUpDoc(k.name, k.bits, "AVX2")
		doc[len(doc)-1] = "first for the first bit. It needs AVX2."
		frame64(k.name, doc, lookUpArgs, func() {
			pos, first = count("pos"), broadcast256("first")
			table, digit, flip = words256(1<<k.tables-1), words256(uint64(k.digits)), words256(63)
			if k.tables == 63 {
				four = words256(4)
				return
			}
			up = lane("even", func(i int) uint64 { return uint64(15 * i) })
			down = lane("odd", func(i int) uint64 { return uint64(15*i + 4) })
		}, func(r [4]Register) {
			lt, eq, tables, public := r[0], r[1], r[2], r[3]
			if k.tables == 63 {
				up = lane("up", func(i int) uint64 { return uint64(i) })
				down = lane("down", func(i int) uint64 { return uint64(64 - i) })
			}
			less, equal := GP64(), GP64()
			for i := range 16 {
				x, y := YMM(), YMM()
				if k.tables == 63 { // table n is in words n − 1 and n
					before := YMM()
					switch from := (Mem{Base: tables, Disp: 32 * i}); i {
					case 15:
						mask := lane("last", func(i int) uint64 { return []uint64{1 << 63, 1 << 63, 1 << 63, 0}[i] })
						VPMASKMOVQ(from, mask, x)
					default:
						VMOVDQU(from, x)
					}
					if i == 0 {
						VPERMQ(Imm(0b10010000), x, before)
					} else {
						VMOVDQU(Mem{Base: tables, Disp: 32*i - 8}, before)
					}
					VPSLLVQ(up, x, x)
					VPSRLVQ(down, before, before)
					VPOR(before, x, x)
					if i < 15 {
						VPADDQ(four, up, up)
						VPSUBQ(four, down, down)
					}
				} else { // four tables have 60 bits
					VPBROADCASTQ(Mem{Base: tables, Disp: 15 * i / 2}, x)
					VPSRLVQ([]VecVirtual{up, down}[i%2], x, x)
				}
				VPAND(table, x, x)
				c := YMM()
				VMOVDQU(Mem{Base: public, Disp: 32 * i}, c)
				VPSRLQ(pos, c, c)
				VPAND(digit, c, c)
				VPXOR(flip, c, c) // 63 − c
				VPADDQ(x, x, y)
				VPOR(first, y, y)
				VPXOR(x, y, y)
				for _, to := range []struct {
					z    VecVirtual
					bits Register
				}{{x, less}, {y, equal}} {
					VPSLLVQ(c, to.z, to.z)
					if i == 0 {
						VMOVMSKPD(to.z, to.bits.(GPVirtual).As32())
						continue
					}
					four := GP64()
					VMOVMSKPD(to.z, four.As32())
					SHLQ(Imm(uint64(4*i)), four)
					ORQ(four, to.bits)
				}
			}
			MOVQ(less, Mem{Base: lt})
			MOVQ(equal, Mem{Base: eq})
			ADDQ(Imm(8), lt)
			ADDQ(Imm(8), eq)
			ADDQ(U32(uint32(8*k.tables)), tables)
			ADDQ(U32(512), public)
		}, "lt", "eq", "table", "public")
	}
}

func lookUpDoc(name, bits, needs string) []string {
	return []string{
		name + " looks up 64 digits of " + bits + " bits a block: digit i is the bits from pos on of element i of public.",
		"lt is set to bit c of its table, [c < l]; eq is set to the XOR of that bit and the one before, which is",
		"first for the first bit. It needs AVX512F, " + needs + ".",
	}
}

// lookUp63 is for tables of 63 bits, 63 words a block: table i begins in word i − 1, i bits before
// its end.
func lookUp63(up, down Mem) {
	var pos, first, digit, table, eight, one VecVirtual
	frame64("lookUp63", lookUpDoc("lookUp63", "6", "AVX512DQ"), lookUpArgs, func() {
		pos, first = count("pos"), broadcast("first")
		digit, table, eight, one = words(1<<6-1), words(1<<63-1), words(8), words(1)
	}, func(r [4]Register) {
		lt, eq, tables, public := r[0], r[1], r[2], r[3]
		upBy, downBy, last := loaded(up), loaded(down), ZMM()
		VPXORQ(last, last, last)
		for i := range 8 {
			here := ZMM()
			if from := (Mem{Base: tables, Disp: 64 * i}); i < 7 {
				VMOVDQU64(from, here)
			} else {
				k, r := K(), GP32()
				MOVL(U32(0x7f), r)
				KMOVB(r, k)
				VMOVDQU64_Z(from, k, here)
			}
			before, x := ZMM(), ZMM()
			VALIGNQ(Imm(7), last, here, before)
			last = here
			VPSRLVQ(downBy, before, before)
			VPSLLVQ(upBy, here, x)
			VPORQ(before, x, x)
			VPANDQ(table, x, x)
			if i < 7 {
				VPADDQ(eight, upBy, upBy)
				VPSUBQ(eight, downBy, downBy)
			}
			c := ZMM()
			VPSRLQ(pos, loaded(Mem{Base: public, Disp: 64 * i}), c)
			VPANDQ(digit, c, c)
			store := func(z VecVirtual, to Register) {
				k := K()
				VPSRLVQ(c, z, z)
				VPTESTMQ(one, z, k)
				KMOVB(k, Mem{Base: to, Disp: i})
			}
			y := ZMM()
			VPADDQ(x, x, y)
			VPORQ(first, y, y)
			VPXORQ(x, y, y)
			store(x, lt)
			store(y, eq)
		}
		ADDQ(Imm(8), lt)
		ADDQ(Imm(8), eq)
		ADDQ(U32(63*8), tables)
		ADDQ(U32(512), public)
	}, "lt", "eq", "table", "public")
}

// lookUp15 is for tables of 15 bits. 16 of them are 30 bytes, read as twice 15 bytes, from which
// eight lanes take three bytes each.
func lookUp15() {
	thirty := func(name string, lane func(i int) uint32) Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i := range 16 {
			DATA(4*i, U32(lane(i)))
		}
		return m
	}
	picked := thirty("pick15", func(i int) uint32 {
		from := uint32(15*(i%8)/8 + i/8) // of what was read one byte before, one more
		third := from + 2                // the upper eight lanes read from one byte later
		if i%8 == 7 {                    // ends with the second
			third = 0x80 // its third byte would be beyond the 15; it is not needed
		}
		return from | (from+1)<<8 | third<<16 | 0x80<<24
	})
	shifts := thirty("shift15", func(i int) uint32 { return uint32(15 * (i % 8) % 8) })
	var pos, first, digit, table, one, pick, shift VecVirtual
	var upper Register
	frame64("lookUp15", lookUpDoc("lookUp15", "4", "AVX512DQ and AVX512BW"), lookUpArgs, func() {
		pos, first = count("pos"), ZMM()
		VPBROADCASTD(Load(Param("first"), GP64()).(GPVirtual).As32(), first)
		pick, shift = loaded(picked), loaded(shifts)
		digit, table, one = words(15<<32|15), words(0x7fff<<32|0x7fff), words(1<<32|1)
		r := GP32()
		MOVL(U32(0xf0), r)
		upper = K()
		KMOVB(r, upper)
	}, func(r [4]Register) {
		lt, eq, tables, public := r[0], r[1], r[2], r[3]
		for i := range 4 {
			x, low, high, c := ZMM(), ZMM(), ZMM(), YMM()
			VBROADCASTI64X2(Mem{Base: tables, Disp: 30 * i}, x)
			VBROADCASTI64X2(Mem{Base: tables, Disp: 30*i + 14}, upper, x)
			VPSHUFB(pick, x, x)
			VPSRLVD(shift, x, x)
			VPANDD(table, x, x)
			VPSRLQ(pos, loaded(Mem{Base: public, Disp: 128 * i}), low)
			VPSRLQ(pos, loaded(Mem{Base: public, Disp: 128*i + 64}), high)
			VPMOVQD(low, c)
			upperHalf := YMM()
			VPMOVQD(high, upperHalf)
			both := ZMM()
			VINSERTI64X4(Imm(1), upperHalf, c.AsZ(), both)
			VPANDD(digit, both, both)
			y := ZMM()
			VPADDD(x, x, y)
			VPORD(first, y, y)
			VPXORD(x, y, y)
			for _, z := range []struct {
				bits VecVirtual
				to   Register
			}{{x, lt}, {y, eq}} {
				k := K()
				VPSRLVD(both, z.bits, z.bits)
				VPTESTMD(one, z.bits, k)
				KMOVW(k, Mem{Base: z.to, Disp: 2 * i})
			}
		}
		ADDQ(Imm(8), lt)
		ADDQ(Imm(8), eq)
		ADDQ(Imm(15*8), tables)
		ADDQ(U32(512), public)
	}, "lt", "eq", "table", "public")
}

// words is a constant in all lanes.
func words(x uint64) VecVirtual {
	r, z := GP64(), ZMM()
	MOVQ(U64(x), r)
	VPBROADCASTQ(r, z)
	return z
}

// unpacked extracts words from packed elements: each word is in nine of 64 bytes.
func unpacked() {
	var low, high, right, left, mask VecVirtual
	var stride Register
	frame64("unpack512", []string{
		"unpack512 sets eight words of d a block to bits of src, which advances by stride bytes. A word is in 9",
		"of 64 bytes. lanes are 8 words each of: the positions of the first eight bytes, that of the ninth, the",
		"right shift of the former, the left shift of the latter, and masks. It needs AVX512F and AVX512VBMI.",
	}, "lanes *uint64, stride uint64", func() {
		from := Load(Param("lanes"), GP64())
		var t [5]VecVirtual
		for i := range t {
			t[i] = loaded(Mem{Base: from, Disp: 64 * i})
		}
		low, high, right, left, mask = t[0], t[1], t[2], t[3], t[4]
		stride = Load(Param("stride"), GP64())
	}, func(r [4]Register) {
		d, src := r[0], r[1]
		z, x, y := loaded(Mem{Base: src}), ZMM(), ZMM()
		VPERMB(z, low, x)
		VPERMB(z, high, y)
		VPSRLVQ(right, x, x)
		VPSLLVQ(left, y, y)
		VPORQ(y, x, x)
		VPANDQ(mask, x, x)
		VMOVDQU64(x, Mem{Base: d})
		ADDQ(Imm(64), d)
		ADDQ(stride, src)
	}, "d", "src")
}

// packed is the inverse of unpacked for elements of 8 to 57 bits: eight of them take as many bytes as one has bits. Shifted by up to
// seven bits, each lies in at most eight bytes, of which it shares none with the element after the next.
func packed() {
	var shift, even, odd VecVirtual
	var stride Register
	used := [2]Register{K(), K()}
	frame64("pack512", []string{
		"pack512 packs eight words of src a block into d, which advances by stride bytes; it writes 64 bytes. lanes holds words' left",
		"shifts, for each byte of d the byte of shifted words at even places, and at odd places, and which bytes of d those write.",
		"It needs AVX512F, AVX512BW and AVX512VBMI.",
	}, "lanes *uint64, stride uint64", func() {
		from := Load(Param("lanes"), GP64())
		shift, even, odd = loaded(Mem{Base: from}), loaded(Mem{Base: from, Disp: 64}), loaded(Mem{Base: from, Disp: 128})
		for i, k := range used {
			KMOVQ(Mem{Base: from, Disp: 192 + 8*i}, k)
		}
		stride = Load(Param("stride"), GP64())
	}, func(r [4]Register) {
		d, src := r[0], r[1]
		x, y := loaded(Mem{Base: src}), ZMM()
		VPSLLVQ(shift, x, x)
		VPERMB_Z(x, even, used[0], y)
		VPERMB_Z(x, odd, used[1], x)
		VPORQ(y, x, x)
		VMOVDQU64(x, Mem{Base: d})
		ADDQ(Imm(64), src)
		ADDQ(stride, d)
	}, "d", "src")
}

// spread zero-extends units of 1, 2 and 4 bytes to words.
func spread() {
	for _, k := range []struct {
		name string
		size int
		op   func(from, to Op)
	}{
		{"spread512x1", 1, func(from, to Op) { VPMOVZXBQ(from, to) }},
		{"spread512x2", 2, func(from, to Op) { VPMOVZXWQ(from, to) }},
		{"spread512x4", 4, func(from, to Op) { VPMOVZXDQ(from, to) }},
	} {
		var m VecVirtual
		frame64(k.name, []string{
			"" + k.name + " sets eight words of d a block to units of 1, 2 or 4 bytes of a, masked with m. It",
			"needs AVX512F.",
		}, "m uint64", func() { m = broadcast("m") }, func(r [4]Register) {
			z := ZMM()
			k.op(Mem{Base: r[1]}, z)
			VPANDQ(m, z, z)
			VMOVDQU64(z, Mem{Base: r[0]})
			ADDQ(Imm(64), r[0])
			ADDQ(Imm(uint64(8*k.size)), r[1])
		}, "d", "a")
	}
}

// transposed256 are kernels with AVX2 between elements of one word and packed bits or short units.
func transposed256() {
	var by, one VecVirtual
	frame64("bit256", []string{
		"bit256 sets word i of d to the bits of a's elements 64·i to 64·i + 63 that a shift left by so many brings to the top.",
		"It needs AVX2.",
	}, "by uint64", func() { by = count("by") }, func(r [4]Register) {
		d, a := r[0], r[1]
		bits := GP64()
		for i := range 16 {
			y, four := YMM(), bits
			VMOVDQU(Mem{Base: a, Disp: 32 * i}, y)
			VPSLLQ(by, y, y)
			if i > 0 {
				four = GP64()
			}
			VMOVMSKPD(y, four.As32())
			if i > 0 {
				SHLQ(Imm(uint64(4*i)), four)
				ORQ(four, bits)
			}
		}
		MOVQ(bits, Mem{Base: d})
		ADDQ(Imm(8), d)
		ADDQ(U32(512), a)
	}, "d", "a")
	var places VecVirtual
	frame64("fromBits256", []string{
		"fromBits256 sets elements 64·i to 64·i + 63 of d to the bits of word i of a. It needs AVX2.",
	}, "", func() {
		places, one = lane256("places256", func(i int) uint64 { return uint64(i) }), words256(1)
	}, func(r [4]Register) {
		d, a := r[0], r[1]
		bits := YMM()
		VPBROADCASTQ(Mem{Base: a}, bits)
		VPSRLVQ(places, bits, bits)
		for i := range 16 {
			y := YMM()
			VPAND(one, bits, y)
			VMOVDQU(y, Mem{Base: d, Disp: 32 * i})
			if i < 15 {
				VPSRLQ(Imm(4), bits, bits)
			}
		}
		ADDQ(U32(512), d)
		ADDQ(Imm(8), a)
	}, "d", "a")
	for _, k := range []struct {
		name string
		size int
		op   func(from, to Op)
	}{
		{"spread256x1", 1, func(from, to Op) { VPMOVZXBQ(from, to) }},
		{"spread256x2", 2, func(from, to Op) { VPMOVZXWQ(from, to) }},
		{"spread256x4", 4, func(from, to Op) { VPMOVZXDQ(from, to) }},
	} {
		var m VecVirtual
		frame64(k.name, []string{
			k.name + " sets eight words of d a block to units of 1, 2 or 4 bytes of a, masked with m. It",
			"needs AVX2.",
		}, "m uint64", func() { m = broadcast256("m") }, func(r [4]Register) {
			for h := range 2 {
				y := YMM()
				k.op(Mem{Base: r[1], Disp: 4 * k.size * h}, y)
				VPAND(m, y, y)
				VMOVDQU(y, Mem{Base: r[0], Disp: 32 * h})
			}
			ADDQ(Imm(64), r[0])
			ADDQ(Imm(uint64(8*k.size)), r[1])
		}, "d", "a")
	}
	var mask, low, high VecVirtual
	var stride Register
	var at [8]GPVirtual
	frame64("unpack256", []string{
		"unpack256 sets eight words of d a block to bits of src, which advances by stride bytes. A word is in eight bytes. lanes are 8 words",
		"each of: the positions of these bytes, and right shifts. It needs AVX2.",
	}, "lanes *uint64, stride uint64, m uint64", func() {
		from := Load(Param("lanes"), GP64())
		for i := range at {
			at[i] = GP64()
			MOVQ(Mem{Base: from, Disp: 8 * i}, at[i])
		}
		low, high = YMM(), YMM()
		VMOVDQU(Mem{Base: from, Disp: 64}, low)
		VMOVDQU(Mem{Base: from, Disp: 96}, high)
		stride, mask = Load(Param("stride"), GP64()), broadcast256("m")
	}, func(r [4]Register) {
		d, src := r[0], r[1]
		for h, shift := range []VecVirtual{low, high} {
			var pair [2]VecVirtual
			for i := range pair {
				pair[i] = YMM()
				VMOVQ(Mem{Base: src, Index: at[4*h+2*i], Scale: 1}, pair[i].AsX())
				VPINSRQ(Imm(1), Mem{Base: src, Index: at[4*h+2*i+1], Scale: 1}, pair[i].AsX(), pair[i].AsX())
			}
			VINSERTI128(Imm(1), pair[1].AsX(), pair[0], pair[0])
			VPSRLVQ(shift, pair[0], pair[0])
			VPAND(mask, pair[0], pair[0])
			VMOVDQU(pair[0], Mem{Base: d, Disp: 32 * h})
		}
		ADDQ(Imm(64), d)
		ADDQ(stride, src)
	}, "d", "src")
}

// countDiffering compares digits of one or two bits (see package ring's differ).
func countDiffering() {
	var m, ones VecVirtual
	frame64("differ512x1", []string{
		"differ512x1 adds to d's elements l, or one − l where the bit of c that m masks is 1, in blocks of eight",
		"elements. It needs AVX512F and AVX512DQ.",
	}, "m uint64, one uint64", func() { m, ones = broadcast("m"), broadcast("one") }, func(r [4]Register) {
		bits, l, sum, k := loaded(Mem{Base: r[1]}), loaded(Mem{Base: r[2]}), ZMM(), K()
		VPTESTMQ(bits, m, k)
		VPSUBQ(l, ones, k, l)
		VPADDQ(Mem{Base: r[0]}, l, sum)
		VMOVDQU64(sum, Mem{Base: r[0]})
		for _, x := range r[:3] {
			ADDQ(Imm(64), x)
		}
	}, "d", "c", "l")
	var m0, m1, one VecVirtual
	frame64("differ512x2", []string{
		"differ512x2 adds to d's elements one minus the product of (l0 or one − l0) and (l1 or one − l1), in blocks of",
		"eight elements; the bits of c that m0 and m1 mask choose. l has shares of l0, l1 and their product, room",
		"bytes apart. It needs AVX512F and AVX512DQ.",
	}, "m0 uint64, m1 uint64, one uint64, room uint64", func() {
		m0, m1, one = broadcast("m0"), broadcast("m1"), broadcast("one")
	}, func(r [4]Register) {
		room := Load(Param("room"), GP64())
		d, c, l := r[0], r[1], r[2]
		bits := loaded(Mem{Base: c})
		k0, k1 := K(), K()
		VPTESTMQ(bits, m0, k0)
		VPTESTMQ(bits, m1, k1)
		both := loaded(Mem{Base: l, Index: room, Scale: 2})
		l0, l1 := ZMM(), ZMM()
		VMOVDQU64(Mem{Base: l}, l0)
		VMOVDQU64(Mem{Base: l, Index: room, Scale: 1}, l1)
		p, q, none := ZMM(), ZMM(), ZMM()
		VPSUBQ(both, l0, p)
		VPSUBQ(both, l1, q)
		VPSUBQ(l0, one, none)
		VPSUBQ(q, none, none)
		VPBLENDMQ(both, p, k1, p)    // where the first bit is 1
		VPBLENDMQ(q, none, k1, none) // where the first bit is 0
		VPBLENDMQ(p, none, k0, none)
		sum := ZMM()
		VPSUBQ(none, one, sum)
		VPADDQ(Mem{Base: d}, sum, sum)
		VMOVDQU64(sum, Mem{Base: d})
		for _, x := range []Register{d, c, l} {
			ADDQ(Imm(64), x)
		}
	}, "d", "c", "l")
}
