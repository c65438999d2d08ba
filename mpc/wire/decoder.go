package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tacet-mpc/tacet/ring"
)

// Limits of any input.
const (
	maxLen   = 1<<31 - 1 // elements of a vector, and dimensions
	maxBits  = 1 << 12   // width of a ring
	maxWords = 1 << 36   // budget: its bits, and its products with a ring's words, fit an int
	// firstPiece is the number of bytes for which memory is allocated before any has arrived.
	firstPiece = 1 << 12
)

// Decoder reads from a stream what the Append functions wrote, under a budget of bytes and words. It keeps the first
// error (Err); after an error all methods return zero values.
type Decoder struct {
	// Grow, if not nil, is called before a vector's storage is allocated, with its size in bytes. Its error becomes
	// the Decoder's. All other memory that a Decoder allocates is at most twice the bytes read.
	Grow func(bytes int64) error

	r         *bufio.Reader
	bytesLeft int64 // bytes of the budget that are left
	words     int64 // words of the budget
	wordsLeft int64 // words of the budget that are left
	maxCount  int   // bound of any length: the words of the budget, at most maxLen
	err       error
}

// NewDecoder returns a Decoder of r that reads at most the given number of bytes, and makes vectors and lists of at
// most the given number of 64-bit words in total.
func NewDecoder(r io.Reader, bytes, words int64) *Decoder {
	words = min(words, maxWords)
	return &Decoder{r: bufio.NewReader(r), bytesLeft: bytes, words: words, wordsLeft: words, maxCount: int(min(words, maxLen))}
}

// Err returns the first error, or nil.
func (d *Decoder) Err() error { return d.err }

// Failf sets the error to a formatted one, unless there is an error already.
func (d *Decoder) Failf(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

// ReadByte reads one byte. It implements io.ByteReader for package encoding/binary.
func (d *Decoder) ReadByte() (byte, error) {
	if d.err != nil {
		return 0, d.err
	}
	if d.bytesLeft <= 0 {
		d.Failf("more bytes than the limit")
		return 0, d.err
	}
	b, err := d.r.ReadByte()
	if err != nil {
		d.failRead(err)
		return 0, d.err
	}
	d.bytesLeft--
	return b, nil
}

// failRead sets the error of the underlying reader.
func (d *Decoder) failRead(err error) {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if d.err == nil {
		d.err = err
	}
}

// Byte reads one byte.
func (d *Decoder) Byte() byte {
	b, _ := d.ReadByte()
	return b
}

// Bool reads a boolean that AppendBool wrote.
func (d *Decoder) Bool() bool {
	b := d.Byte()
	if b > 1 {
		d.Failf("%d where 0 or 1 is expected", b)
	}
	return b == 1
}

// Word reads a number that AppendWord wrote.
func (d *Decoder) Word() uint64 {
	x, err := binary.ReadUvarint(d)
	if err != nil {
		d.failRead(err)
		return 0
	}
	return x
}

// Uint reads a number that AppendUint wrote. A number above most is an error.
func (d *Decoder) Uint(most int) int {
	x := d.Word()
	if x > uint64(most) {
		d.Failf("%d is above the limit %d", x, most)
		return 0
	}
	return int(x)
}

// Len reads a number of elements that AppendUint wrote.
func (d *Decoder) Len() int { return d.Uint(maxLen) }

// Int reads a signed number that AppendInt wrote. A magnitude beyond the largest length is an error.
func (d *Decoder) Int() int {
	x := d.Int64()
	if x < -maxLen || x > maxLen {
		d.Failf("%d is above the limit %d", x, maxLen)
		return 0
	}
	return int(x)
}

// Int64 reads a signed number of 64 bits.
func (d *Decoder) Int64() int64 {
	x, err := binary.ReadVarint(d)
	if err != nil {
		d.failRead(err)
		return 0
	}
	return x
}

// Ints reads a list that AppendInts wrote. More than most numbers are an error.
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

// Spend takes n words from the budget; it sets an error if there are too few.
func (d *Decoder) Spend(n int) {
	if d.err == nil && int64(n) > d.wordsLeft {
		d.Failf("more elements in total than the limit")
	}
	d.wordsLeft -= int64(n)
}

// Spent returns the number of words taken from the budget so far.
func (d *Decoder) Spent() int64 { return d.words - d.wordsLeft }

// Product returns the product of dims, each a length. It sets an error if the product of the nonzero ones exceeds the
// budget of words: loops over an empty array with huge dimensions would otherwise take long.
func (d *Decoder) Product(dims ...int) int {
	product, zero := 1, false
	for _, n := range dims {
		if n < 0 || n > d.maxCount || product*max(1, n) > d.maxCount {
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

// Ring reads a ring that AppendRing wrote, or the zero Ring.
func (d *Decoder) Ring() ring.Ring {
	x := d.Uint(2*maxBits + 1)
	r := ring.Ring{Bits: x >> 1, Cyclic: x&1 == 1}
	if r.Cyclic && r.Bits < 2 {
		d.Failf("%v is not a ring", r)
	}
	return r
}

// Vec reads a vector with storage that AppendVec wrote.
func (d *Decoder) Vec() ring.Vec {
	r, n := d.Ring(), d.Len()
	w := d.Uint(r.Bits + 1)
	d.Spend(n * r.Words())
	switch {
	case d.err != nil:
	case r.Bits == 0:
		d.Failf("a vector without a ring")
	case w == r.Bits+1:
		d.Failf("a vector without contents")
	case r.Cyclic && w != r.Bits:
		d.Failf("elements of %v with %d bits", r, w)
	}
	data := d.bytes((n*w + 7) / 8)
	d.grow(8 * int64(n) * int64(r.Words()))
	switch {
	case d.err != nil:
		return ring.Vec{}
	case w == 0:
		return ring.New(r, n)
	}
	in := ring.NewReader(ring.Payload{Len: len(data), Data: data})
	if w == r.Bits {
		return in.Vec(r, n)
	}
	low, out := in.Vec(ring.Z(w), n), ring.NewUninitialised(r, n)
	ring.SignExtend(out, low)
	low.Free()
	return out
}

// grow announces the allocation of a vector.
func (d *Decoder) grow(bytes int64) {
	if d.err == nil && d.Grow != nil {
		d.err = d.Grow(bytes)
	}
}

// Blob reads bytes that AppendBlob wrote. The caller owns the slice.
func (d *Decoder) Blob() []byte { return d.bytes(d.Len()) }

// bytes reads n bytes, if the budget has them. Its memory grows as they arrive.
func (d *Decoder) bytes(n int) []byte {
	if d.err != nil {
		return nil
	}
	if int64(n) > d.bytesLeft {
		d.Failf("more bytes than the limit")
		return nil
	}
	var b []byte
	for len(b) < n {
		from, more := len(b), min(n-len(b), max(len(b), firstPiece))
		b = slices.Grow(b, more)[:from+more]
		if _, err := io.ReadFull(d.r, b[from:]); err != nil {
			d.failRead(err)
			return nil
		}
	}
	d.bytesLeft -= int64(n)
	return b
}

// End sets an error unless the stream is at its end.
func (d *Decoder) End() {
	if d.err != nil {
		return
	}
	if _, err := d.r.ReadByte(); err == nil {
		d.err = errors.New("unexpected bytes at the end")
	} else if err != io.EOF {
		d.err = err
	}
}
