package correlation

import (
	"crypto/sha256"
	"io"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/wire"
	"github.com/tacet-mpc/tacet/ring"
)

// A form travels as items, one after the other. Maps, products and masks are written
// when they are first needed, once each, and referred to by how many of their
// kind lie between; so a reader has all that an item is made of before the
// item. What is usual is left away: a flag says where a field is there.
//
//	"TACETOF", and one byte: the format's version
//	maps, lists of products, masks and requests: each a byte of flags, in the lowest two bits the item's kind
//	itemEnd
//
// Where requests come from stays with the party.
const formHead = "TACETOF\x02"

// The kinds of items.
const (
	itemEnd byte = iota
	itemMap
	itemMask
	itemRequest

	itemKind = 3
	itemList = itemMap | 1<<2 // a list of products
)

// The flags of an item.
const (
	hasRing byte = 1 << (iota + 2) // other than that of the item of its kind before
	hasN                           // likewise

	maskOwner = 1 << 4
	maskMap   = 1 << 5
	maskRows  = 1 << 6
	maskOf    = 1 << 7

	requestPos   = 1 << 4
	requestZeros = 1 << 5
	requestMap   = 1 << 6
	requestWaves = 1 << 7

	factorPart  = 1<<4 - 1
	factorWidth = 1 << 4
	factorShift = 1 << 5
	factorC     = 1 << 6
)

// flush is how many bytes an encoder gathers before it writes them.
const flush = 1 << 15

// encoder writes a form.
type encoder struct {
	w     io.Writer
	err   error
	b     []byte
	masks map[*Mask]int     // by order of their items
	maps  map[[32]byte]int  // by what they are
	lists map[[32]byte]int  // of products, likewise
	known map[*Products]int // the same
	last  map[byte]itemSize // of the item of a kind before
	id    ID                // of the item before
}

type itemSize struct {
	ring ring.Ring
	n    int
}

// Encode writes the form, all of it but for where its requests come from. Forms
// that say the same are written alike.
func (f *Form) Encode(w io.Writer) error {
	e := &encoder{w: w, b: []byte(formHead), masks: map[*Mask]int{}, maps: map[[32]byte]int{}, lists: map[[32]byte]int{}, known: map[*Products]int{}, last: map[byte]itemSize{}}
	for _, r := range f.Requests {
		e.request(r)
		if len(e.b) >= flush {
			e.write()
		}
	}
	e.b = append(e.b, itemEnd)
	e.write()
	return e.err
}

func (e *encoder) write() {
	if e.err == nil {
		_, e.err = e.w.Write(e.b)
	}
	e.b = e.b[:0]
}

// begin starts an item with what requests and masks have in common.
func (e *encoder) begin(kind, flags, of byte, id ID, r ring.Ring, n int) {
	last := e.last[kind]
	if r != last.ring {
		flags |= hasRing
	}
	if n != last.n {
		flags |= hasN
	}
	e.last[kind] = itemSize{r, n}
	e.b = wire.AppendInt(append(e.b, kind|flags, of), int(id-e.id))
	e.id = id
	if flags&hasRing != 0 {
		e.b = wire.AppendRing(e.b, r)
	}
	if flags&hasN != 0 {
		e.b = wire.AppendUint(e.b, n)
	}
}

func (e *encoder) request(r *Request) {
	for _, f := range r.Factors {
		e.mask(f.Mask)
	}
	var m int
	flags := where(requestPos, r.Pos != 0) | where(requestZeros, r.Zeros != 0) | where(requestMap, r.B != nil || r.Products != nil) |
		where(requestWaves, r.Harmonics != 0 || r.Scale != 0 || r.Off != 0)
	if r.B != nil {
		m = e.mapped(r.B)
	}
	if r.Products != nil {
		m = e.list(r.Products)
	}
	e.begin(itemRequest, flags, byte(r.Kind), r.ID, r.Out, r.N)
	if r.Pos != 0 {
		e.b = wire.AppendUint(e.b, r.Pos)
	}
	if r.Zeros != 0 {
		e.b = wire.AppendUint(e.b, r.Zeros)
	}
	if r.B != nil {
		e.b = wire.AppendUint(e.b, len(e.maps)-1-m)
	}
	if r.Products != nil {
		e.b = wire.AppendUint(e.b, len(e.lists)-1-m)
	}
	if r.Kind == Thermometer {
		e.b = wire.AppendInts(e.b, r.Digits)
	}
	if flags&requestWaves != 0 {
		e.b = wire.AppendUint(wire.AppendUint(wire.AppendUint(e.b, r.Harmonics), r.Scale), r.Off)
	}
	e.b = wire.AppendUint(e.b, len(r.Factors))
	for _, f := range r.Factors {
		e.factor(f)
	}
}

func (e *encoder) factor(f Factor) {
	e.b = wire.AppendUint(e.b, len(e.masks)-1-e.masks[f.Mask])
	long := f.C != Multiplier{}
	e.b = append(e.b, byte(f.Part)&factorPart|where(factorWidth, f.Width != 0)|where(factorShift, f.Shift != 0)|where(factorC, long))
	if f.Width != 0 {
		e.b = wire.AppendUint(e.b, f.Width)
	}
	if f.Shift != 0 {
		e.b = wire.AppendUint(e.b, f.Shift)
	}
	if long {
		e.b = wire.AppendWord(wire.AppendWord(e.b, f.C[0]), f.C[1])
	}
}

// mask writes a mask, and first what it is made of, unless it was written.
func (e *encoder) mask(m *Mask) {
	if _, there := e.masks[m]; there {
		return
	}
	for _, o := range m.Of {
		e.mask(o)
	}
	var by int
	rows := m.Rows != 0 || m.Order != 0
	if m.Map != nil {
		by = e.mapped(m.Map)
	}
	e.begin(itemMask, where(maskOwner, m.Owner != 0)|where(maskMap, m.Map != nil)|where(maskRows, rows)|where(maskOf, len(m.Of) > 0),
		byte(m.Kind), m.ID, m.Ring, m.N)
	if m.Kind == FreshBits {
		e.b = wire.AppendUint(e.b, m.Planes)
	}
	if m.Owner != 0 {
		e.b = wire.AppendUint(e.b, m.Owner)
	}
	if m.Map != nil {
		e.b = wire.AppendUint(e.b, len(e.maps)-1-by)
	}
	if rows {
		e.b = wire.AppendInt(wire.AppendUint(e.b, m.Rows), int(m.Order-m.ID))
	}
	if len(m.Of) > 0 {
		e.b = wire.AppendUint(e.b, len(m.Of))
	}
	for _, o := range m.Of {
		e.b = wire.AppendUint(e.b, len(e.masks)-1-e.masks[o])
	}
	e.masks[m] = len(e.masks)
}

// mapped writes a map, unless one like it was written, and gives its number.
func (e *encoder) mapped(m any) int {
	start := len(e.b)
	e.b = maps.Append(append(e.b, itemMap), m)
	return e.once(start, e.maps)
}

// once takes back what was written from a place on if the same was before, and
// gives its number.
func (e *encoder) once(start int, before map[[32]byte]int) int {
	sum := sha256.Sum256(e.b[start:])
	if i, there := before[sum]; there {
		e.b = e.b[:start]
		return i
	}
	i := len(before)
	before[sum] = i
	return i
}

// list is mapped for lists of products.
func (e *encoder) list(p *Products) int {
	i, ok := e.known[p]
	if !ok {
		start := len(e.b)
		e.b = wire.AppendUint(wire.AppendUint(append(e.b, itemList), p.planes), len(p.sets))
		for _, set := range p.sets {
			e.b = wire.AppendUint(e.b, len(set))
			for _, bit := range set {
				e.b = wire.AppendUint(e.b, int(bit))
			}
		}
		i = e.once(start, e.lists)
		e.known[p] = i
	}
	return i
}

// where is a flag that is set or not.
func where(flag byte, set bool) byte {
	if set {
		return flag
	}
	return 0
}
