package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/ring"
)

// Limits of what is read anywhere.
const (
	maxLen   = 1<<31 - 1 // elements of one vector, and dimensions
	maxBits  = 1 << 12   // of a ring
	maxWords = 1 << 36   // of everything: their bits, and products with what a ring has of them, fit an int
)

// Decoder reads from a stream, under a budget. The first error stays: what is
// read after it is zero.
type Decoder struct {
	r    *bufio.Reader
	left int64 // bytes
	all  int64 // words of the budget
	room int64 // of these, left
	most int   // words at the beginning: nothing is longer
	err  error
}

// NewDecoder makes a decoder that reads so many bytes at most, and makes
// vectors and lists of so many words of 64 bits.
func NewDecoder(r io.Reader, bytes, words int64) *Decoder {
	words = min(words, maxWords)
	return &Decoder{r: bufio.NewReader(r), left: bytes, all: words, room: words, most: int(min(words, maxLen))}
}

// Err is the first error.
func (d *Decoder) Err() error { return d.err }

// Failf says what is wrong with what has been read.
func (d *Decoder) Failf(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

// ReadByte reads a byte, for package binary.
func (d *Decoder) ReadByte() (byte, error) {
	if d.err != nil {
		return 0, d.err
	}
	if d.left <= 0 {
		d.Failf("more bytes than may be read")
		return 0, d.err
	}
	b, err := d.r.ReadByte()
	if err != nil {
		d.broken(err)
		return 0, d.err
	}
	d.left--
	return b, nil
}

func (d *Decoder) broken(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if d.err == nil {
		d.err = err
	}
}

// Byte reads a byte.
func (d *Decoder) Byte() byte {
	b, _ := d.ReadByte()
	return b
}

// Bool reads what AppendBool writes.
func (d *Decoder) Bool() bool {
	b := d.Byte()
	if b > 1 {
		d.Failf("%d where yes or no is expected", b)
	}
	return b == 1
}

// Word reads a number of 64 bits.
func (d *Decoder) Word() uint64 {
	x, err := binary.ReadUvarint(d)
	if err != nil {
		d.broken(err)
		return 0
	}
	return x
}

// Uint reads a number from 0 to most.
func (d *Decoder) Uint(most int) int {
	x := d.Word()
	if x > uint64(most) {
		d.Failf("%d where %d is the most", x, most)
		return 0
	}
	return int(x)
}

// Len reads a number of elements.
func (d *Decoder) Len() int { return d.Uint(maxLen) }

// Int reads a number of any sign, whose magnitude a length may have.
func (d *Decoder) Int() int {
	x := d.Int64()
	if x < -maxLen || x > maxLen {
		d.Failf("%d where %d is the most", x, maxLen)
		return 0
	}
	return int(x)
}

// Int64 reads a number of any sign.
func (d *Decoder) Int64() int64 {
	x, err := binary.ReadVarint(d)
	if err != nil {
		d.broken(err)
		return 0
	}
	return x
}

// Ints reads what AppendInts writes: so many numbers at most.
func (d *Decoder) Ints(most int) []int {
	var xs []int
	for range d.Uint(most) {
		x := d.Int()
		if d.err != nil {
			return nil
		}
		xs = append(xs, x)
	}
	return xs
}

// Spend takes words from the budget.
func (d *Decoder) Spend(n int) {
	if d.err == nil && int64(n) > d.room {
		d.Failf("more elements in all than there may be")
	}
	d.room -= int64(n)
}

// Spent is how many words were taken from the budget.
func (d *Decoder) Spent() int64 { return d.all - d.room }

// Product multiplies dimensions, each a length. The budget has room for what
// they give, even where those that are zero are left out: who works through
// nothing does not take long.
func (d *Decoder) Product(dims ...int) int {
	product, zero := 1, false
	for _, n := range dims {
		if n < 0 || n > d.most || product*max(1, n) > d.most {
			d.Failf("too many elements: %v", dims)
			return 0
		}
		zero = zero || n == 0
		product *= max(1, n)
	}
	if zero {
		return 0
	}
	return product
}

// Ring reads a ring, which may be none: of 0 bits.
func (d *Decoder) Ring() ring.Ring {
	x := d.Uint(2*maxBits + 1)
	r := ring.Ring{Bits: x >> 1, Cyclic: x&1 == 1}
	if r.Cyclic && r.Bits < 2 {
		d.Failf("no ring: %v", r)
	}
	return r
}

// Vec reads what AppendVec writes of a vector with storage.
func (d *Decoder) Vec() ring.Vec {
	r, n := d.Ring(), d.Len()
	w := d.Uint(r.Bits + 1)
	d.Spend(n * r.Words())
	switch {
	case d.err != nil:
	case r.Bits == 0:
		d.Failf("a vector over no ring")
	case w == r.Bits+1:
		d.Failf("a vector without contents")
	case r.Cyclic && w != r.Bits:
		d.Failf("elements of %v in %d bits", r, w)
	case w == 0:
		return ring.New(r, n)
	}
	data := d.bytes((n*w + 7) / 8)
	if d.err != nil {
		return ring.Vec{}
	}
	in := ring.NewReader(ring.Payload{Len: len(data), Data: data})
	if w == r.Bits {
		return in.Vec(r, n)
	}
	low, out := in.Vec(ring.Z(w), n), ring.Blank(r, n)
	ring.SignExtend(out, low)
	low.Free()
	return out
}

// Blob reads what AppendBlob writes.
func (d *Decoder) Blob() []byte { return d.bytes(d.Len()) }

// bytes reads so many bytes, which the budget covers.
func (d *Decoder) bytes(n int) []byte {
	if d.err != nil {
		return nil
	}
	if int64(n) > d.left {
		d.Failf("more bytes than may be read")
		return nil
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(d.r, b); err != nil {
		d.broken(err)
		return nil
	}
	d.left -= int64(n)
	return b
}

// End expects that nothing further comes.
func (d *Decoder) End() {
	if d.err != nil {
		return
	}
	if _, err := d.r.ReadByte(); err == nil {
		d.err = errors.New("more bytes than there should be")
	} else if err != io.EOF {
		d.err = err
	}
}
