package correlation

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"reflect"
	"slices"

	"github.com/tacet-mpc/tacet/ring"
)

// Form is an order form: all requests of a session.
type Form struct {
	Requests []*Request
}

func (f *Form) sorted() *Form {
	slices.SortFunc(f.Requests, func(a, b *Request) int { return cmp.Compare(a.ID, b.ID) })
	return f
}

// Bytes is how many bytes of corrections the form asks for.
func (f *Form) Bytes() int64 {
	var n int64
	for _, r := range f.Requests {
		n += r.Bytes()
	}
	return n
}

// Digest is a hash over the requests and the masks that they speak of, by
// which parties see that they will ask for the same. Of maps it covers types
// and lengths, which follow, as their coefficients do, from the program that
// parties compare too; where a request comes from is not covered.
func (f *Form) Digest() [32]byte {
	d := &digest{hash: sha256.New(), seen: map[*Mask]bool{}, names: map[reflect.Type]string{}}
	for _, r := range f.Requests {
		d.put(uint64(r.ID), uint64(r.Kind), uint64(r.Out.Bits), uint64(r.N), uint64(r.Pos), uint64(r.Zeros),
			uint64(r.Harmonics), uint64(r.Scale), uint64(r.Off), cyclic(r.Out))
		d.name(r.B)
		if r.B != nil {
			left, right := r.B.In()
			d.put(uint64(left), uint64(right), uint64(r.B.Out()))
		}
		d.put(uint64(len(r.Factors)))
		for _, x := range r.Factors {
			d.mask(x.Mask)
			d.put(uint64(x.Part), uint64(x.Width), uint64(x.Shift), x.C[0], x.C[1])
		}
	}
	d.flush()
	return [32]byte(d.hash.Sum(nil))
}

// digest writes everything with its length or at a fixed size, so that no two
// forms read alike.
type digest struct {
	hash  hash.Hash
	buf   []byte // not hashed yet
	seen  map[*Mask]bool
	names map[reflect.Type]string
}

// digestBlock is about how many bytes are hashed at a time.
const digestBlock = 1 << 12

func (d *digest) put(xs ...uint64) {
	for _, x := range xs {
		d.buf = binary.LittleEndian.AppendUint64(d.buf, x)
	}
	if len(d.buf) >= digestBlock {
		d.flush()
	}
}

func (d *digest) flush() {
	d.hash.Write(d.buf)
	d.buf = d.buf[:0]
}

// name writes a map's type.
func (d *digest) name(m any) {
	t := reflect.TypeOf(m)
	s, ok := d.names[t]
	if !ok {
		s = fmt.Sprintf("%T", m)
		d.names[t] = s
	}
	d.put(uint64(len(s)))
	d.buf = append(d.buf, s...)
}

// mask writes how a mask is made, the first time.
func (d *digest) mask(m *Mask) {
	d.put(uint64(m.ID))
	if d.seen[m] {
		return
	}
	d.seen[m] = true
	d.put(uint64(m.Kind), uint64(m.Ring.Bits), cyclic(m.Ring), uint64(m.N), uint64(m.Owner), uint64(m.Owners), uint64(m.Rows), uint64(m.Order))
	d.name(m.Map)
	if m.Map != nil {
		d.put(uint64(m.Map.Out()), uint64(m.Map.Growth()))
	}
	d.put(uint64(len(m.Of)))
	for _, o := range m.Of {
		d.mask(o)
	}
}

func cyclic(r ring.Ring) uint64 {
	if r.Cyclic {
		return 1
	}
	return 0
}
