package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/ring"
)

// reader reads bytes one at a time, like a slow connection.
func reader(b []byte) *Decoder {
	return NewDecoder(iotest.OneByteReader(bytes.NewReader(b)), int64(len(b))+64, 1<<20)
}

func TestNumbers(t *testing.T) {
	ints := []int{0, 1, -1, 127, 128, -300, maxLen, -maxLen}
	b := AppendInts(nil, ints)
	b = AppendUint(b, 5)
	b = AppendWord(b, math.MaxUint64)
	b = AppendBool(AppendBool(b, true), false)
	b = AppendRing(AppendRing(AppendRing(b, ring.Z(64)), ring.M(127)), ring.Ring{})
	d := reader(b)
	if got := d.Ints(len(ints)); !slices.Equal(got, ints) {
		t.Errorf("%v, want %v", got, ints)
	}
	if a, b, c, e := d.Uint(5), d.Word(), d.Bool(), d.Bool(); a != 5 || b != math.MaxUint64 || !c || e {
		t.Error(a, b, c, e)
	}
	if x, y, z := d.Ring(), d.Ring(), d.Ring(); x != ring.Z(64) || y != ring.M(127) || z != (ring.Ring{}) {
		t.Error(x, y, z)
	}
	if d.End(); d.Err() != nil {
		t.Error(d.Err())
	}
}

func TestVectors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ring.Z(rapid.IntRange(1, 200).Draw(t, "bits"))
		if rapid.Bool().Draw(t, "cyclic") {
			r = ring.M(r.Bits + 1)
		}
		ints := rapid.SliceOfN(rapid.Int64Range(-1<<40, 1<<40), 0, 9).Draw(t, "ints")
		shift := rapid.IntRange(0, r.Bits-1).Draw(t, "shift")
		v := ring.FromInts(r, ints)
		ring.Lsh(v, v, shift)
		b := AppendVec(nil, v)
		d := reader(b)
		got := d.Vec()
		if d.End(); d.Err() != nil {
			t.Fatal(d.Err())
		}
		if got.Ring() != r || !slices.Equal(got.Words(), v.Words()) {
			t.Errorf("%v of %v, want %v of %v", got.Words(), got.Ring(), v.Words(), r)
		}
	})
}

// Small numbers have short encodings in every ring.
func TestVectorsAreNarrow(t *testing.T) {
	for _, c := range []struct {
		ints []int64
		bits int // of an element
	}{
		{[]int64{0, 0, 0, 0, 0, 0, 0, 0}, 0},
		{[]int64{-1, 0, -1, 0, 0, 0, 0, 0}, 1},
		{[]int64{1, 0, 0, 0, 0, 0, 0, 0}, 2},
		{[]int64{127, -128, 3, 4, 5, 6, 7, 8}, 8},
		{[]int64{128, -128, 3, 4, 5, 6, 7, 8}, 9},
	} {
		for _, bits := range []int{10, 64, 128} {
			if got, want := len(AppendVec(nil, ring.FromInts(ring.Z(bits), c.ints))),
				len(AppendVec(nil, ring.FromInts(ring.Z(bits), nil)))+c.bits; got != want {
				t.Errorf("%v over %d bits: %d bytes, want %d", c.ints, bits, got, want)
			}
		}
	}
}

func TestRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		index := rapid.SliceOfN(rapid.Int32Range(None, 20), 0, 30).Draw(t, "index")
		d := reader(AppendRuns(nil, index))
		f := d.Runs(len(index), 21)
		if d.End(); d.Err() != nil {
			t.Fatal(d.Err())
		}
		if got := f(); !slices.Equal(got, index) || !slices.Equal(f(), index) {
			t.Errorf("%v, want %v", got, index)
		}
	})
	long := make([]int32, 1<<20)
	for i := range long {
		long[i] = int32(len(long) - i)
	}
	if n := len(AppendRuns(nil, long)); n > 16 {
		t.Errorf("one run takes %d bytes", n)
	}
}

// Malformed input is refused, and allocates nothing.
func TestRefused(t *testing.T) {
	vec := func(r ring.Ring, n, width int) []byte { return AppendUint(AppendUint(AppendRing(nil, r), n), width) }
	runs := func(xs ...int) []byte {
		var b []byte
		for i, x := range xs {
			if i == 0 {
				b = binary.AppendUvarint(b, uint64(x))
			} else {
				b = binary.AppendVarint(b, int64(x))
			}
		}
		return AppendBlob(nil, b)
	}
	for name, c := range map[string]struct {
		b    []byte
		read func(*Decoder)
		want string
	}{
		"nothing":                {nil, func(d *Decoder) { d.Byte() }, "EOF"},
		"a number cut off":       {[]byte{0x80}, func(d *Decoder) { d.Word() }, "EOF"},
		"a number too long":      {bytes.Repeat([]byte{0xff}, 20), func(d *Decoder) { d.Word() }, "overflow"},
		"above the most":         {[]byte{9}, func(d *Decoder) { d.Uint(8) }, "above the limit"},
		"more numbers than that": {[]byte{9}, func(d *Decoder) { d.Ints(8) }, "above the limit"},
		"beyond lengths":         {AppendInt(nil, -maxLen-1), func(d *Decoder) { d.Int() }, "above the limit"},
		"neither yes nor no":     {[]byte{2}, func(d *Decoder) { d.Bool() }, "0 or 1"},
		"a ring too wide":        {AppendRing(nil, ring.Z(maxBits+1)), func(d *Decoder) { d.Ring() }, "above the limit"},
		"a cyclic ring of 1 bit": {AppendRing(nil, ring.Ring{Bits: 1, Cyclic: true}), func(d *Decoder) { d.Ring() }, "a ring"},
		"a vector of no ring":    {vec(ring.Ring{}, 3, 0), func(d *Decoder) { d.Vec() }, "a ring"},
		"a shape-only vector":    {AppendVec(nil, ring.ShapeOnly(ring.Z(64), 3)), func(d *Decoder) { d.Vec() }, "without contents"},
		"a narrow cyclic vector": {vec(ring.M(64), 3, 10), func(d *Decoder) { d.Vec() }, "with 10 bits"},
		"a vector announced":     {vec(ring.Z(64), 1<<19, 64), func(d *Decoder) { d.Vec() }, "more bytes"},
		"zeros without end":      {vec(ring.Z(64), 1<<21, 0), func(d *Decoder) { d.Vec() }, "more elements"},
		"a blob announced":       {AppendUint(nil, 1<<29), func(d *Decoder) { d.Blob() }, "more bytes"},
		"a run beyond the end":   {runs(8<<1, 0), func(d *Decoder) { d.Runs(9, 9) }, "malformed step"},
		"a long run":             {runs(8<<1, 0, 1), func(d *Decoder) { d.Runs(8, 9) }, "positions"},
		"a short one":            {runs(8<<1, 0, 1), func(d *Decoder) { d.Runs(10, 9) }, "positions"},
		"a run above":            {runs(8<<1, 1, 1), func(d *Decoder) { d.Runs(9, 9) }, "positions"},
		"a run below":            {runs(8<<1, 7, -1), func(d *Decoder) { d.Runs(9, 9) }, "positions"},
		"a run from below":       {runs(0, -1), func(d *Decoder) { d.Runs(1, 9) }, "from -1"},
		"a run from far":         {runs(0, maxLen+1), func(d *Decoder) { d.Runs(1, 9) }, "a run from"},
		"a run without end":      {AppendBlob(nil, AppendWord(nil, math.MaxUint64)), func(d *Decoder) { d.Runs(1, 9) }, "malformed length"},
		"much of nothing":        {runs(1<<30<<1 | 1), func(d *Decoder) { d.Runs(1<<30+1, 0) }, "more elements"},
		"too large a product":    {nil, func(d *Decoder) { d.Product(1<<10, 1<<11) }, "too many"},
		"of nothing too":         {nil, func(d *Decoder) { d.Product(1<<10, 0, 1<<11) }, "too many"},
		"below nothing":          {nil, func(d *Decoder) { d.Product(-1) }, "too many"},
		"something after it":     {[]byte{1}, func(d *Decoder) { d.End() }, "unexpected bytes"},
	} {
		d := reader(c.b)
		if c.read(d); d.Err() == nil || !strings.Contains(d.Err().Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, d.Err(), c.want)
		}
		first := d.Err()
		if d.Byte(); d.Err() != first || d.Word() != 0 || d.Vec().Len() != 0 || len(d.Blob()) != 0 {
			t.Errorf("%s: read on after %v", name, first)
		}
	}
	d := NewDecoder(bytes.NewReader([]byte{1, 2, 3}), 2, 0)
	if d.Byte(); d.Err() != nil {
		t.Error(d.Err())
	}
	if d.Byte(); d.Err() != nil {
		t.Error(d.Err())
	}
	if d.Byte(); d.Err() == nil {
		t.Error("three bytes of a budget of two")
	}
	d = NewDecoder(iotest.ErrReader(io.ErrClosedPipe), 2, 0)
	if d.End(); d.Err() != io.ErrClosedPipe {
		t.Error(d.Err())
	}
}

// TestClaimedLengths checks that lengths which are announced allocate no memory before bytes arrive, or
// before Grow allows it.
func TestClaimedLengths(t *testing.T) {
	full := errors.New("no memory")
	for name, c := range map[string]struct {
		text []byte
		read func(d *Decoder)
		want error
	}{
		"bytes":          {AppendUint(nil, 1<<29), func(d *Decoder) { d.Blob() }, io.ErrUnexpectedEOF},
		"a zero vector":  {AppendUint(AppendUint(AppendRing(nil, ring.Z(64)), 1<<27), 0), func(d *Decoder) { d.Vec() }, full},
		"a small vector": {append(AppendUint(AppendUint(AppendRing(nil, ring.Z(64)), 1<<12), 1), make([]byte, 1<<9)...), func(d *Decoder) { d.Vec() }, full},
	} {
		d := NewDecoder(bytes.NewReader(c.text), 1<<30, 1<<30)
		d.Grow = func(int64) error { return full }
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		c.read(d)
		runtime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; !errors.Is(d.Err(), c.want) || n > 1<<16 {
			t.Errorf("%s: %d bytes are allocated, %v", name, n, d.Err())
		}
	}
}
