package ring

import (
	"bytes"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// A segment is a vector, over a cyclic ring if width is negative, or bits if width is 0.
type segment struct{ width, n int }

func (s segment) bits() int { return max(s.width, -s.width, 1) * s.n }

func (s segment) ring() Ring {
	if s.width < 0 {
		return M(-s.width)
	}
	return Z(s.width)
}

// content is a segment's data: a vector or bits.
type content struct {
	vec  Vec
	bits Bits
}

func (s segment) random(seed uint64) content {
	if s.width == 0 {
		return content{bits: randomBits(s.n, source(seed))}
	}
	return content{vec: random(s.ring(), s.n, source(seed))}
}

func (s segment) shapeOnly() content {
	if s.width == 0 {
		return content{bits: ShapeOnlyBits(s.n)}
	}
	return content{vec: ShapeOnly(s.ring(), s.n)}
}

func (s segment) write(w *Writer, c content) {
	if s.width == 0 {
		w.Bits(c.bits)
	} else {
		w.Vec(c.vec)
	}
}

func (s segment) read(r *Reader) content {
	if s.width == 0 {
		return content{bits: r.Bits(s.n)}
	}
	return content{vec: r.Vec(s.ring(), s.n)}
}

func (s segment) same(t tb, got, want content) {
	t.Helper()
	if s.width == 0 {
		sameBits(t, "bits", got.bits, want.bits)
	} else {
		same(t, "vector", got.vec, want.vec)
	}
}

// reference packs into one big integer.
func reference(ss []segment, cs []content) []byte {
	all, at := new(big.Int), 0
	put := func(x *big.Int, width int) {
		all.Or(all, new(big.Int).Lsh(x, uint(at)))
		at += width
	}
	for i, s := range ss {
		if s.width == 0 {
			for j := range s.n {
				put(new(big.Int).SetUint64(cs[i].bits.Get(j)), 1)
			}
			continue
		}
		for _, x := range unsigned(cs[i].vec) {
			put(x, s.ring().Bits)
		}
	}
	out := make([]byte, (at+7)/8)
	for i, b := range all.Bytes() { // most significant first
		out[len(all.Bytes())-1-i] = b
	}
	return out
}

func pack(ss []segment, cs []content) Payload {
	var w Writer
	for i, s := range ss {
		s.write(&w, cs[i])
	}
	return w.Payload()
}

// roundTrip packs segments, compares with the reference and reads them back.
func roundTrip(t tb, ss []segment, seed uint64) {
	t.Helper()
	cs := make([]content, len(ss))
	for i, s := range ss {
		cs[i] = s.random(seed + uint64(i))
	}
	p, want := pack(ss, cs), reference(ss, cs)
	if p.Len != len(want) || p.Data == nil || !bytes.Equal(p.Data, want) {
		t.Fatalf("%v packs into %d bytes\n%x\nwant %d\n%x", ss, p.Len, p.Data, len(want), want)
	}
	r := NewReader(p)
	for i, s := range ss {
		s.same(t, s.read(r), cs[i])
	}
	if err := r.Close(); err != nil {
		t.Fatalf("%v: %v", ss, err)
	}
}

// Every width at every bit offset within a word.
func TestPackAtOffsets(t *testing.T) {
	all := append([]int{0, 56, 57, 58, 192}, widths...)
	for _, q := range cycles {
		all = append(all, -q)
	}
	for _, width := range all {
		for offset := range 66 {
			roundTrip(t, []segment{{0, offset}, {width, 9}, {width, 1}, {0, 3}}, 1)
		}
	}
}

func TestPackSizes(t *testing.T) {
	for _, width := range append([]int{0}, widths...) {
		for _, n := range lengths {
			if n == 1000 {
				n = 300 // the reference takes quadratic time
			}
			roundTrip(t, []segment{{width, n}}, uint64(n))
		}
	}
	roundTrip(t, nil, 0)
	roundTrip(t, []segment{{46, 0}, {0, 0}, {128, 0}}, 0)
}

func drawSegments(t *rapid.T) []segment {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) segment {
		width := rapid.IntRange(-200, 200).Filter(func(w int) bool { return w != -1 }).Draw(t, "width")
		return segment{width, rapid.IntRange(0, 40).Draw(t, "n")}
	}), 0, 6).Draw(t, "segments")
}

func TestPackMixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { roundTrip(t, drawSegments(t), rapid.Uint64().Draw(t, "seed")) })
}

// PayloadOf, IntoPayload and View do what Writer and Reader do, with or without a copy.
func TestPayloadOf(t *testing.T) {
	for _, width := range append([]int{-64, -104}, widths...) {
		for _, n := range []int{0, 1, 9, 100} {
			s := segment{width, n}
			v := s.random(uint64(n)).vec
			want := pack([]segment{s}, []content{{vec: v}})
			p := PayloadOf(v)
			if p.Len != want.Len || p.Data == nil || !bytes.Equal(p.Data, want.Data) {
				t.Fatalf("%d of %v: payload %x of %d bytes, want %x", n, v.ring, p.Data, p.Len, want.Data)
			}
			r := NewReader(p)
			got := r.View(v.ring, n)
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
			same(t, "View", got, v)
			if p := v.Clone().IntoPayload(); !bytes.Equal(p.Data, want.Data) {
				t.Fatalf("%d of %v: payload %x, want %x", n, v.ring, p.Data, want.Data)
			}
			if p := PayloadOf(ShapeOnly(v.ring, n)); p.Len != want.Len || n > 0 && p.Data != nil {
				t.Fatalf("%d of %v: shape-only payload %x of %d bytes", n, v.ring, p.Data, p.Len)
			}
			r = NewReader(Payload{Len: want.Len + 1, Data: append([]byte{1}, want.Data...)}) // not aligned
			r.Bits(8)
			same(t, "View", r.View(v.ring, n), v)
			if n > 0 {
				r = NewReader(Payload{Len: 0, Data: []byte{}})
				if v := r.View(v.ring, n); !v.ShapeOnly() || r.Close() == nil {
					t.Fatal("a payload that is too short is read")
				}
			}
		}
	}
}

// BitsInto reads into existing vectors, and reads nothing from a payload without data.
func TestBitsInto(t *testing.T) {
	var w Writer
	a, b := BitsOf([]bool{true, false, true}), NewBits(130)
	NewPRG(Seed{1}).Bits(b, 0, 0)
	w.Bits(a)
	w.Bits(b)
	r := NewReader(w.Payload())
	planes := NewPlanes(3, 130)
	r.BitsInto(planes[0])
	r.BitsInto(planes[1])
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []Bits{a, b} {
		for j, x := range want.Words() {
			if planes[i].Words()[j] != x {
				t.Errorf("vector %d: word %d is %x, not %x", i, j, planes[i].Words()[j], x)
			}
		}
	}
	r = NewReader(Payload{Len: 17})
	r.BitsInto(ShapeOnlyBits(133))
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

func TestPackShapeOnly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ss := drawSegments(t)
		cs, bits, empty := make([]content, len(ss)), 0, false
		for i, s := range ss {
			cs[i] = s.random(uint64(i))
			if rapid.Bool().Draw(t, "shapeOnly") {
				cs[i] = s.shapeOnly()
				empty = empty || s.n > 0
			}
			bits += s.bits()
		}
		p := pack(ss, cs)
		if p.Len != (bits+7)/8 || (p.Data == nil) != empty {
			t.Fatalf("%d bits, shapeOnly %v: payload of %d bytes, Data nil %v", bits, empty, p.Len, p.Data == nil)
		}
		r := NewReader(Payload{Len: p.Len})
		for _, s := range ss {
			s.same(t, s.read(r), s.shapeOnly())
		}
		if err := r.Close(); err != nil {
			t.Fatalf("%v", err)
		}
	})
}

// Space reserved in advance is enough for the payload.
func TestWriterGrow(t *testing.T) {
	for offset := range 65 {
		v, b := random(Z(46), 1000, source(1)), NewBits(offset)
		var w Writer
		w.Grow(offset + 2*46*1000)
		room := cap(w.buf)
		w.Bits(b)
		w.Vec(v)
		w.Vec(v)
		if p := w.Payload(); cap(w.buf) != room || cap(p.Data) != room {
			t.Fatalf("buffer of %d bytes grew to %d", room, cap(w.buf))
		}
	}
}

// Many small segments take linear time: the buffer grows by a factor.
func TestWriterGrowth(t *testing.T) {
	v := New(Z(64), 1)
	allocations := testing.AllocsPerRun(3, func() {
		var w Writer
		for range 10000 {
			w.Vec(v)
		}
		w.Payload()
	})
	if allocations > 100 {
		t.Errorf("%v allocations for 10000 segments", allocations)
	}
}

func TestReaderErrors(t *testing.T) {
	data := make([]byte, 12)
	for name, c := range map[string]struct {
		p    Payload
		read func(r *Reader)
		ok   bool
	}{
		"whole":                        {Payload{12, data}, func(r *Reader) { r.Vec(Z(46), 2) }, true},
		"filled up to a byte":          {Payload{12, data}, func(r *Reader) { r.Vec(Z(46), 2); r.Bits(4) }, true},
		"one bit too many":             {Payload{12, data}, func(r *Reader) { r.Vec(Z(46), 2); r.Bits(5) }, false},
		"a byte left":                  {Payload{12, data}, func(r *Reader) { r.Bits(88) }, false},
		"nothing taken":                {Payload{12, data}, func(r *Reader) {}, false},
		"nothing there":                {Payload{0, nil}, func(r *Reader) { r.Bits(1) }, false},
		"nothing":                      {Payload{0, []byte{}}, func(r *Reader) { r.Bits(0); r.Vec(Z(3), 0) }, true},
		"shapeOnly, whole":             {Payload{12, nil}, func(r *Reader) { r.Vec(Z(46), 2) }, true},
		"shapeOnly, short":             {Payload{11, nil}, func(r *Reader) { r.Vec(Z(46), 2) }, false},
		"less data than said":          {Payload{12, data[:11]}, func(r *Reader) { r.Bits(96) }, false},
		"more data than said":          {Payload{11, data}, func(r *Reader) { r.Bits(88) }, false},
		"data where none was said":     {Payload{0, data}, func(r *Reader) {}, false},
		"a product that overflows":     {Payload{12, data}, func(r *Reader) { r.Vec(Z(64), 1<<58) }, false},
		"a sum that overflows":         {Payload{12, data}, func(r *Reader) { r.Bits(8); r.Bits(1<<63 - 1) }, false},
		"error stays after a good one": {Payload{12, data}, func(r *Reader) { r.Bits(97); r.Bits(96) }, false},
	} {
		r := NewReader(c.p)
		c.read(r)
		if err := r.Close(); (err == nil) != c.ok {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Any q bits from a peer are an element modulo 2^q − 1; 2^q − 1 is read as 0.
func TestReaderAllOnes(t *testing.T) {
	for _, q := range cycles {
		bits := random(Z(q), 100, source(uint64(q)))
		for _, at := range []int{0, 7, 99} {
			part := bits.Slice(at, at+1)
			Sub(part, part, part)
			AddInt(part, part, -1)
		}
		var w Writer
		w.Vec(bits)
		r := NewReader(w.Payload())
		got := r.Vec(M(q), 100)
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
		same(t, "all ones", got, fromBig(M(q), unsigned(bits)))
	}
}

// FuzzReader reads segments from arbitrary bytes. Either all of them are there and packing them
// again gives the same bytes (except for the padding), or there is an error and no vector has more
// storage than the payload has bytes.
func FuzzReader(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6}, 6, []byte{46, 0, 1})
	f.Add([]byte{}, 0, []byte{})
	f.Add([]byte{255}, 9, []byte{200, 255, 60, 1, 0, 70})
	f.Add(make([]byte, 40), 40, []byte{0, 3, 0, 128, 2, 0, 7, 8, 0})
	f.Fuzz(func(t *testing.T, data []byte, size int, spec []byte) {
		var ss []segment
		for ; len(spec) >= 3 && len(ss) < 64; spec = spec[3:] {
			// A number of up to eight bits, shifted by up to 62.
			n := int(spec[1]) << (spec[2] % 63)
			ss = append(ss, segment{int(spec[0]) % 201, max(n, 0)})
		}
		r := NewReader(Payload{Len: size, Data: data})
		got, words := make([]content, len(ss)), 0
		for i, s := range ss {
			got[i] = s.read(r)
			words += len(got[i].vec.w) + len(got[i].bits.w)
			if l := got[i].vec.n + got[i].bits.n; l != s.n {
				t.Fatalf("%d elements where %d were asked for", l, s.n)
			}
		}
		if words > 8*len(data) {
			t.Fatalf("%d words out of %d bytes", words, len(data))
		}
		if err := r.Close(); err != nil {
			return
		}
		p := pack(ss, got)
		if data == nil {
			return // the fuzzer's nil is a payload without data
		}
		if p.Len != len(data) || size != len(data) {
			t.Fatalf("%d bytes, said to be %d, read as %d", len(data), size, p.Len)
		}
		total := 0
		for _, s := range ss {
			total += s.bits()
		}
		if fill := total % 8; fill != 0 {
			last := p.Len - 1
			if p.Data[last] != data[last]&(1<<fill-1) {
				t.Fatalf("last byte %#x packed again is %#x", data[last], p.Data[last])
			}
			p.Data, data = p.Data[:last], data[:last]
		}
		if !bytes.Equal(p.Data, data) {
			t.Fatalf("%x packed again is %x", data, p.Data)
		}
	})
}

func TestWriterReset(t *testing.T) {
	var w Writer
	w.Bits(randomBits(77, source(5)))
	w.Payload()
	w.Reset()
	v := random(Z(13), 9, source(6))
	w.Vec(v)
	r := NewReader(w.Payload())
	same(t, "after Reset", r.Vec(Z(13), 9), v)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
