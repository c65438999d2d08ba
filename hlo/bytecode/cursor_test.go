package bytecode

import (
	"math"
	"testing"
)

// varint encodes a variable-width integer.
func varint(v uint64) []byte {
	for n := 1; n < 9; n++ {
		if v>>(7*n) == 0 {
			v = v<<n | 1<<(n-1)
			var out []byte
			for range n {
				out = append(out, byte(v))
				v >>= 8
			}
			return out
		}
	}
	out := []byte{0}
	for range 8 {
		out = append(out, byte(v))
		v >>= 8
	}
	return out
}

func TestUint(t *testing.T) {
	for _, v := range []uint64{0, 1, 127, 128, 1<<14 - 1, 1 << 14, 1 << 20, 1<<35 - 1, 1 << 42, 1<<49 - 1, 1 << 49, 1<<56 - 1, 1 << 56,
		math.MaxUint64} {
		c := &Cursor{data: varint(v)}
		if got := c.Uint(); got != v || c.Err() != nil || !c.Empty() {
			t.Errorf("%d: got %d, %v, %d bytes left", v, got, c.Err(), c.Left())
		}
	}
}

// Encodings from MLIR's documentation, for each length.
func TestUintKnown(t *testing.T) {
	for _, k := range []struct {
		bytes []byte
		want  uint64
	}{
		{[]byte{0x0d}, 6},
		{[]byte{0x02, 0x03}, 192},
		{[]byte{0x02, 0x02}, 128},
		{[]byte{0x80, 1, 0, 0, 0, 0, 0, 0}, 1},
		{[]byte{0x00, 1, 0, 0, 0, 0, 0, 0, 0x80}, 1<<63 + 1},
	} {
		if got := (&Cursor{data: k.bytes}).Uint(); got != k.want {
			t.Errorf("% x: got %d, want %d", k.bytes, got, k.want)
		}
	}
}

func TestInt(t *testing.T) {
	for _, v := range []int64{0, 1, -1, 63, -64, 64, math.MaxInt64, math.MinInt64} {
		c := &Cursor{data: varint(uint64(v<<1) ^ uint64(v>>63))}
		if got := c.Int(); got != v || c.Err() != nil {
			t.Errorf("%d: got %d, %v", v, got, c.Err())
		}
	}
}

// A cursor that has failed stays failed and returns zeros.
func TestFail(t *testing.T) {
	c := &Cursor{data: []byte{0x02}, off: 7}
	if got := c.Uint(); got != 0 {
		t.Errorf("got %d", got)
	}
	const want = "byte 8: 1 bytes should stand here, but 0 are left"
	if c.Byte() != 0 || c.Count() != 0 || c.Err() == nil || c.Err().Error() != want {
		t.Errorf("got %v, want %s", c.Err(), want)
	}
	if c = (&Cursor{data: varint(1 << 40)}); c.Count() != 0 || c.Err() == nil {
		t.Errorf("a count beyond the file is taken")
	}
}
