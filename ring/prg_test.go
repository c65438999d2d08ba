package ring

import (
	"bufio"
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var rewrite = flag.Bool("rewrite", false, "rewrite testdata")

// counterMode is the stream by its definition: AES-128 of id, lane and a counter of 56 bits, block
// by block.
func counterMode(s Seed, id uint64, lane uint8, n int) []byte {
	block, err := aes.NewCipher(s[:])
	if err != nil {
		panic(err)
	}
	var out []byte
	for counter := uint64(0); len(out) < n; counter++ {
		var in, enc [16]byte
		binary.BigEndian.PutUint64(in[:8], id)
		binary.BigEndian.PutUint64(in[8:], uint64(lane)<<56|counter)
		block.Encrypt(enc[:], in[:])
		out = append(out, enc[:]...)
	}
	return out[:n]
}

// wordsOf reads little-endian words.
func wordsOf(b []byte) []uint64 {
	w := make([]uint64, len(b)/8)
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return w
}

// elementsOf reads little-endian elements of so many bytes, each into words of its own.
func elementsOf(b []byte, size int) []uint64 {
	if size >= 8 {
		return wordsOf(b)
	}
	w := make([]uint64, len(b)/size)
	for i := range w {
		var x [8]byte
		copy(x[:], b[i*size:(i+1)*size])
		w[i] = binary.LittleEndian.Uint64(x[:])
	}
	return w
}

func TestPRGIsCounterMode(t *testing.T) {
	seed := Seed{1, 2, 3, 15: 250}
	p := NewPRG(seed)
	for _, id := range []uint64{0, 1, 1 << 40, 1<<64 - 1} {
		for _, lane := range []uint8{0, 1, 255} {
			eachRing(t, func(t *testing.T, r Ring, n int) {
				got := random(r, n, source(1)) // must be overwritten
				p.Vec(got, id, lane)
				bits := FromWords(Z(r.Bits), elementsOf(counterMode(seed, id, lane, n*r.Drawn()), r.Drawn()))
				same(t, "Vec", got, fromBig(r, unsigned(bits)))
			})
			for _, n := range lengths {
				got, want := randomBits(n, source(1)), NewBits(n)
				p.Bits(got, id, lane)
				copy(want.w, wordsOf(counterMode(seed, id, lane, len(want.w)*8)))
				want.trim()
				sameBits(t, "Bits", got, want)
			}
			if got, want := p.Seed(id, lane), Seed(counterMode(seed, id, lane, 16)); got != want {
				t.Fatalf("Seed(%d, %d) = %x, want %x", id, lane, got, want)
			}
		}
	}
}

// Known answers: seed, id, lane, and the first 48 bytes of the stream. Run with -rewrite to update
// them.
func TestPRGKnownAnswers(t *testing.T) {
	const file = "testdata/prg.txt"
	cases := []struct {
		seed Seed
		id   uint64
		lane uint8
	}{
		{Seed{}, 0, 0},
		{Seed{}, 0, 1},
		{Seed{}, 1, 0},
		{Seed{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 0, 0},
		{Seed{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 0x0011223344556677, 0x88},
		{Seed{255, 254, 253}, 1<<64 - 1, 255},
	}
	var got bytes.Buffer
	for _, c := range cases {
		v := New(Z(64), 6)
		NewPRG(c.seed).Vec(v, c.id, c.lane)
		var w Writer
		w.Vec(v)
		fmt.Fprintf(&got, "%x %016x %02x %x\n", c.seed, c.id, c.lane, w.Payload().Data)
	}
	if *rewrite {
		if err := os.WriteFile(file, append([]byte("# seed, id, lane: the first 48 bytes of the stream\n"), got.Bytes()...), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var want []string
	for s := bufio.NewScanner(f); s.Scan(); {
		if !strings.HasPrefix(s.Text(), "#") {
			want = append(want, s.Text())
		}
	}
	if g := strings.TrimSpace(got.String()); g != strings.Join(want, "\n") {
		t.Errorf("streams\n%s\nwant\n%s", g, strings.Join(want, "\n"))
	}
}

// NIST SP 800-38A, F.1.1, block #1, is the block cipher of one counter: its plaintext is id
// 0x6bc1bee22e409f96, lane 0xe9, counter 0x3d7e117393172a.
func TestPRGBlockCipher(t *testing.T) {
	key, _ := hex.DecodeString("2b7e151628aed2a6abf7158809cf4f3c")
	text, _ := hex.DecodeString("6bc1bee22e409f96e93d7e117393172a")
	NewPRG(Seed(key)).block.Encrypt(text, text)
	if got := hex.EncodeToString(text); got != "3ad77bb40d7a3660a89ecaf32466ef97" {
		t.Errorf("AES-128 gives %s", got)
	}
}

// Kernels encrypt what crypto/aes encrypts, and write nothing else.
func TestStreamKernels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := Seed(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "seed"))
		id, lane := rapid.Uint64().Draw(t, "id"), rapid.Byte().Draw(t, "lane")
		n := rapid.OneOf(rapid.IntRange(0, 12), rapid.IntRange(0, 80)).Draw(t, "blocks")
		skip := rapid.IntRange(0, 40).Draw(t, "skipped blocks")
		want := counterMode(seed, id, lane, 16*(skip+n))[16*skip:]
		for _, x := range available() {
			if x.blocks == nil {
				continue
			}
			var keys roundKeys
			x.roundKeys(&keys, seed)
			got := bytes.Repeat([]byte{0xa5}, 16*n+128)
			x.blocks(&got[64], &keys, id, uint64(lane)<<56+uint64(skip), n)
			if !bytes.Equal(got[64:64+16*n], want) {
				t.Fatalf("%s: %d blocks are %x, want %x", x.name, n, got[64:64+16*n], want)
			}
			for i := range 64 {
				if got[i] != 0xa5 || got[len(got)-1-i] != 0xa5 {
					t.Fatalf("%s: %d blocks write outside", x.name, n)
				}
			}
		}
	})
}

// A stream that is read in pieces, from any byte on, is the same with kernels and with crypto/aes.
func TestStreamPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := Seed(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "seed"))
		from := rapid.IntRange(0, 70).Draw(t, "from")
		pieces := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(0, 5000)), 0, 6).Draw(t, "pieces")
		all := from
		for _, n := range pieces {
			all += n
		}
		want := counterMode(seed, 3, 4, all)[from:]
		fast, plain := NewPRG(seed), NewPRG(seed)
		plain.keys = nil
		for _, p := range []*PRG{fast, plain} {
			s := p.open(3, 4, from)
			var got []byte
			for _, n := range pieces {
				b := bytes.Repeat([]byte{7}, n)
				s.read(b)
				got = append(got, b...)
			}
			s.free() // a later stream may have its memory
			if !bytes.Equal(got, want) {
				t.Fatalf("from %d, pieces of %v bytes: %x, want %x", from, pieces, got, want)
			}
		}
	})
}

// A stream depends on seed, id and lane, and on nothing else.
func TestPRGStreams(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (Seed, uint64, uint8) {
			s := rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, name+" seed")
			return Seed(s), rapid.Uint64().Draw(t, name+" id"), rapid.Byte().Draw(t, name+" lane")
		}
		expand := func(s Seed, id uint64, lane uint8) [2]uint64 {
			v := New(Z(128), 1)
			NewPRG(s).Vec(v, id, lane)
			return [2]uint64(v.w)
		}
		s, id, lane := draw("first")
		s2, id2, lane2 := draw("second")
		base := expand(s, id, lane)
		if expand(s, id, lane) != base {
			t.Fatalf("a stream is not the same twice")
		}
		for _, other := range []struct {
			s    Seed
			id   uint64
			lane uint8
		}{{s2, id, lane}, {s, id2, lane}, {s, id, lane2}, {s, id, lane ^ 1}, {s, id ^ 1<<63, lane}, {s, id + 1, lane}} {
			equal := other.s == s && other.id == id && other.lane == lane
			if (expand(other.s, other.id, other.lane) == base) != equal {
				t.Fatalf("streams of (%x, %d, %d) and (%x, %d, %d)", s, id, lane, other.s, other.id, other.lane)
			}
		}
	})
}

// Planes are one stream, each plane from whole words of it, and bits beyond their ends are zero.
func TestPRGPlanes(t *testing.T) {
	p := NewPRG(Seed{5})
	p.Planes(nil, 1, 2)
	for _, lens := range [][]int{{1}, {64, 0, 65}, {3, 3, 3}, {1000, 64, 1}} {
		planes := NewPlanes(lens...)
		p.Planes(planes, 1, 2)
		words := 0
		for _, n := range lens {
			words += (n + 63) / 64
		}
		all := NewBits(64 * words)
		p.Bits(all, 1, 2)
		at := 0
		for i, b := range planes {
			if b.Len() != lens[i] {
				t.Errorf("%v: plane %d has %d bits", lens, i, b.Len())
			}
			want := NewBits(b.Len())
			CopyBits(want, 0, all, at, b.Len())
			for j, w := range want.Words() {
				if b.Words()[j] != w {
					t.Errorf("%v: plane %d, word %d is %x, not %x", lens, i, j, b.Words()[j], w)
				}
			}
			at += len(b.Words()) * 64
			if w := ShapeOnlyPlanes(lens...)[i]; !w.ShapeOnly() && w.Len() > 0 || w.Len() != lens[i] {
				t.Errorf("%v: shapeOnly plane %d", lens, i)
			}
		}
	}
}

func TestPRGPrefix(t *testing.T) {
	p := NewPRG(Seed{9})
	long, short, wide := New(Z(64), 100), New(Z(64), 37), New(Z(128), 50)
	p.Vec(long, 5, 6)
	p.Vec(short, 5, 6)
	p.Vec(wide, 5, 6)
	same(t, "short", short, long.Slice(0, 37))
	same(t, "wide", FromWords(Z(64), wide.w), long)
}

// The bytes of a stream with a fixed seed are uniform: χ² of 256 cells has 255 degrees of freedom,
// and lies in [170, 350] except for one seed in ten thousand. So are the first bytes of many ids
// and lanes.
func TestPRGByteStatistics(t *testing.T) {
	p := NewPRG(Seed{42})
	chiSquare := func(words []uint64) float64 {
		var count [256]int
		for _, w := range words {
			for i := range 8 {
				count[byte(w>>(8*i))]++
			}
		}
		expect, x := float64(8*len(words))/256, 0.0
		for _, c := range count {
			x += (float64(c) - expect) * (float64(c) - expect) / expect
		}
		return x
	}
	check := func(what string, words []uint64) {
		if x := chiSquare(words); x < 170 || x > 350 {
			t.Errorf("%s: χ² of bytes is %.1f", what, x)
		}
	}
	long := New(Z(64), 1<<16)
	p.Vec(long, 1, 2)
	check("one stream", long.w)

	var ids, lanes []uint64
	one := New(Z(64), 1)
	for id := range uint64(1 << 13) {
		p.Vec(one, id, 0)
		ids = append(ids, one.w[0])
	}
	check("ids", ids)
	for id := range uint64(32) {
		for lane := range 256 {
			p.Vec(one, 1<<32+id, uint8(lane))
			lanes = append(lanes, one.w[0])
		}
	}
	check("lanes", lanes)
	if x := chiSquare(make([]uint64, 1000)); x < 350 {
		t.Errorf("zeros pass: χ² is %.1f", x)
	}

	// Every bit of an element is 1 half of the time.
	r := Z(46)
	v := New(r, 1<<14)
	p.Vec(v, 3, 0)
	for bit := range r.Bits {
		ones := 0
		for _, x := range v.w {
			ones += int(x >> bit & 1)
		}
		// The standard deviation is 64.
		if d := ones - 1<<13; d < -320 || d > 320 {
			t.Errorf("bit %d is set in %d of %d elements", bit, ones, v.n)
		}
	}
}

func TestNewSeed(t *testing.T) {
	if a, b := NewSeed(), NewSeed(); a == b || a == (Seed{}) {
		t.Errorf("seeds %x and %x", a, b)
	}
}
