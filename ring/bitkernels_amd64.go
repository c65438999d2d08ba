//go:build !purego

package ring

import (
	"sync/atomic"
	"unsafe"
)

// bitsAVX512 are kernels with AVX-512 on blocks of 8 or 64 elements; the portable kernels compute
// the remaining elements.
var bitsAVX512 = bitKernels{
	tables: tablesBlocks,
	unpack: unpack,
	pack:   packNone,
	spread: spreadBlocks(spread512x1, spread512x2, spread512x4),
	differ: func(d, c, l []uint64, pos, bits int, one uint64) {
		n := len(d) / 8
		switch {
		case n == 0 || len(d)%8 != 0:
			differ(d, c, l, pos, bits, one)
		case bits == 1:
			differ512x1(&d[0], &c[:len(d)][0], &l[:len(d)][0], n, 1<<pos, one)
		default:
			differ512x2(&d[0], &c[:len(d)][0], &l[:3*len(d)][0], n, 1<<pos, 2<<pos, one, uint64(8*len(d)))
		}
	},
	bit: func(d, a []uint64, p int) {
		n := len(a) / 64
		if n > 0 {
			bit512(&d[:n][0], &a[0], n, 1<<p)
		}
		bit(d[n:], a[64*n:], p)
	},
	fromBits: fromBitsBlocks(fromBits512),
	choose: func(d, a, b, bits []uint64) {
		a, b = a[:len(d)], b[:len(d)]
		n := len(d) / 64
		if n > 0 {
			choose512(&d[0], &a[0], &b[0], 8*n, (*byte)(unsafe.Pointer(&bits[:n][0])))
		}
		choose(d[64*n:], a[64*n:], b[64*n:], bits[n:])
	},
	lookUp: lookUpBlocks(lookUp15, lookUp63),
}

// bitsAVX2 are kernels with AVX2.
var bitsAVX2 = func() bitKernels {
	k := portableBits
	k.lookUp, k.tables = lookUpBlocks(lookUp15AVX2, lookUp63AVX2), tablesBlocks
	k.spread = spreadBlocks(spread256x1, spread256x2, spread256x4)
	k.bit = func(d, a []uint64, p int) {
		n := len(a) / 64
		if n > 0 {
			bit256(&d[:n][0], &a[0], n, uint64(63-p))
		}
		bit(d[n:], a[64*n:], p)
	}
	k.fromBits = fromBitsBlocks(fromBits256)
	k.unpack = func(words []uint64, data []byte, wordsEach int, top uint, at int) {
		if width := int(top); wordsEach == 1 && width <= 57 && len(words) >= 16 {
			if left := len(data) - at>>3 - (7*width+7)/8 - 8; left >= 0 { // a block's last word is read from at most so many bytes
				n := min(len(words)/8, left/width+1)
				var lanes [16]uint64
				for j := range 8 {
					bit := at&7 + j*width
					lanes[j], lanes[8+j] = uint64(bit/8), uint64(bit%8)
				}
				unpack256(&words[0], (*uint64)(unsafe.Pointer(&data[at>>3])), n, &lanes[0], uint64(width), 1<<width-1)
				words, at = words[8*n:], at+8*width*n
			}
		}
		unpack(words, data, wordsEach, top, at)
	}
	return k
}()

// spreadBlocks is spread with kernels for blocks of eight units of 1, 2 and 4 bytes.
func spreadBlocks(of1, of2, of4 func(d, a *uint64, blocks int, m uint64)) func(d []uint64, src []byte, size int, m uint64) {
	return func(d []uint64, src []byte, size int, m uint64) {
		n := len(d) / 8
		if n > 0 {
			from := (*uint64)(unsafe.Pointer(&src[:8*n*size][0]))
			switch size {
			case 1:
				of1(&d[0], from, n, m)
			case 2:
				of2(&d[0], from, n, m)
			default:
				of4(&d[0], from, n, m)
			}
		}
		spread(d[8*n:], src[8*n*size:], size, m)
	}
}

// fromBitsBlocks is fromBits with a kernel for blocks of 64 elements.
func fromBitsBlocks(blocks func(d, a *uint64, n int)) func(d, a []uint64) {
	return func(d, a []uint64) {
		n := len(d) / 64
		if n > 0 {
			blocks(&d[0], &a[:n][0], n)
		}
		fromBits(d[64*n:], a[n:])
	}
}

type lookUpKernel = func(lt, eq, tables, public *uint64, blocks int, pos, first uint64)

// lookUpBlocks is lookUp with kernels for blocks of 64 tables of 15 and 63 bits.
func lookUpBlocks(of15, of63 lookUpKernel) func(lt, eq, tables, public []uint64, pos, d int, first uint64) {
	return func(lt, eq, tables, public []uint64, pos, d int, first uint64) {
		n := len(public) / 64
		if n > 0 {
			l, e := &lt[:n][0], &eq[:n][0]
			switch d {
			case 4:
				of15(l, e, &tables[:15*n][0], &public[0], n, uint64(pos), first)
			case 6:
				of63(l, e, &tables[:63*n][0], &public[0], n, uint64(pos), first)
			default:
				n = 0
			}
		}
		lookUp(lt[n:], eq[n:], tables[n*(1<<d-1):], public[64*n:], pos, d, first)
	}
}

// tablesBlocks is tables with a kernel, which needs AVX2 only, for blocks of 64 tables of 15 bits.
func tablesBlocks(dst, secrets []uint64, pos, d int) {
	n := 0
	if d == 4 {
		if n = len(secrets) / 64; n > 0 {
			tables15(&dst[:15*n][0], &secrets[0], n, uint64(pos))
		}
	}
	thermometerTables(dst[15*n:], secrets[64*n:], pos, d)
}

// bitsVBMI are kernels for machines with instructions that permute bytes. They unpack elements of
// up to 62 bits, and of two words if their width is even; and pack those of 8 to 57 bits.
var bitsVBMI = func() bitKernels {
	k := bitsAVX512
	k.unpack = func(words []uint64, data []byte, wordsEach int, top uint, at int) {
		width := 64*(wordsEach-1) + int(top)
		narrow := wordsEach == 1 && top <= 62
		if len(words) >= 64 && (narrow || wordsEach == 2 && top%2 == 0 && width <= 124) {
			stride := 8 / wordsEach * width / 8
			if left := len(data) - at>>3 - 64; left >= 0 {
				n := min(len(words)/8, left/stride+1)
				lanes := lanesOf(wordsEach, width, at&7)
				unpack512(&words[0], (*uint64)(unsafe.Pointer(&data[at>>3])), n, &lanes[0][0], uint64(stride))
				words, at = words[8*n:], at+8*stride*n
			}
		}
		unpack(words, data, wordsEach, top, at)
	}
	k.pack = func(d []byte, words []uint64, width uint) int {
		n := min(len(words)/8, (len(d)-64)/int(width)+1) // a block writes 64 bytes
		if len(d) < 64 || n < 8 {
			return 0
		}
		pack512((*uint64)(unsafe.Pointer(&d[0])), &words[0], n, &packLanesOf(width)[0], uint64(width))
		return 8 * n
	}
	return k
}()

// packLanes is a table by which pack512 packs words.
type packLanes [26]uint64

// madePackLanes holds the tables that packLanesOf has made.
var madePackLanes [58]atomic.Pointer[packLanes]

// packLanesOf is the table by which pack512 packs elements of 8 to 57 bits.
func packLanesOf(width uint) *packLanes {
	made := &madePackLanes[width]
	if have := made.Load(); have != nil {
		return have
	}
	var lanes packLanes
	for i := range uint(8) {
		bit := i * width
		lanes[i] = uint64(bit % 8)
		for t := bit / 8; t <= (bit+width-1)/8; t++ {
			byteOfWord := uint64(8*i + t - bit/8) // of the block's 64
			lanes[8+8*(i%2)+t/8] |= byteOfWord << (t % 8 * 8)
			lanes[24+i%2] |= 1 << t
		}
	}
	made.Store(&lanes)
	return &lanes
}

// unpackLanes is a table by which unpack512 extracts words.
type unpackLanes [5][8]uint64

// madeLanes holds the tables that lanesOf has made.
var madeLanes [3][125][8]atomic.Pointer[unpackLanes]

// lanesOf is the table by which unpack512 extracts words, 1 or 2 for each, from elements of width ≤ 124 bits, starting at
// bit at < 8.
func lanesOf(words, width, at int) *unpackLanes {
	made := &madeLanes[words][width][at]
	if have := made.Load(); have != nil {
		return have
	}
	var lanes unpackLanes
	for j := range 8 {
		bit := at + j/words*width + j%words*64
		first := uint64(bit/8)*0x0101010101010101 + 0x0706050403020100
		lanes[0][j], lanes[1][j] = first, uint64(bit/8+8)
		lanes[2][j], lanes[3][j] = uint64(bit%8), uint64(64-bit%8)
		lanes[4][j] = ^uint64(0)
		if left := width - j%words*64; left < 64 {
			lanes[4][j] >>= 64 - left
		}
	}
	made.Store(&lanes)
	return &lanes
}
