package correlation

import (
	"crypto/sha256"
	"io"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/wire"
	"github.com/tacet-mpc/tacet/ring"
)

// A manifest is encoded as a sequence of items. Maps, lists of products and masks are written once
// each, before the first item that uses them, and referred to by the number of items of their kind
// since then; so a reader has everything that an item refers to before the item. Fields with
// default values are omitted: flags say which are present.
//
//	"TACETOF", and one byte: the format's version
//	maps, lists of products, sizes of joins, masks and requests: each a byte of flags, whose lowest two bits are the item's kind
//	itemEnd
//
// Request.Op is not encoded.
const manifestHead = "TACETOF\x03"

// The kinds of items.
const (
	itemEnd byte = iota
	itemMap
	itemMask
	itemRequest

	itemKind = 3
	itemList = itemMap | 1<<2 // a list of products
	itemJoin = itemMap | 1<<3 // the sizes of a join, which the next request has
)

// The flags of an item.
const (
	hasRing byte = 1 << (iota + 2) // the ring differs from that of the previous item of the kind
	hasN                           // likewise, the length

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

// flush is the number of bytes that an encoder gathers before it writes them.
const flush = 1 << 15

// encoder writes a manifest.
type encoder struct {
	w     io.Writer
	err   error
	b     []byte
	masks map[*Mask]int     // number of the mask's item
	maps  map[[32]byte]int  // number of the map's item, by the hash of its encoding
	lists map[[32]byte]int  // number of the item of a list of products, by hash
	known map[*Products]int // the same, by pointer
	last  map[byte]itemSize // ring and length of the previous item of a kind
	id    ID                // id of the previous item
}

type itemSize struct {
	ring ring.Ring
	n    int
}

// Encode writes the manifest to w, all fields but Request.Op. Equal manifests have equal encodings. An error is that
// of w.
func (f *Manifest) Encode(w io.Writer) error {
	e := &encoder{
		w:     w,
		b:     []byte(manifestHead),
		masks: map[*Mask]int{},
		maps:  map[[32]byte]int{},
		lists: map[[32]byte]int{},
		known: map[*Products]int{},
		last:  map[byte]itemSize{},
	}
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

// begin starts an item with the fields that requests and masks have in common.
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
	flags := flagIf(requestPos, r.Pos != 0) | flagIf(requestZeros, r.Zeros != 0) | flagIf(requestMap, r.B != nil || r.Products != nil) |
		flagIf(requestWaves, r.Harmonics != 0 || r.Scale != 0 || r.Off != 0 || r.First != 0)
	if r.B != nil {
		m = e.mapIndex(r.B)
	}
	if r.Products != nil {
		m = e.list(r.Products)
	}
	if l := r.Join; l != (joins.Sizes{}) {
		e.b = wire.AppendUint(wire.AppendUint(wire.AppendUint(wire.AppendUint(append(e.b, itemJoin), l.Slots), l.Places), l.Keeper), l.Columns)
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
		e.b = wire.AppendUint(wire.AppendUint(wire.AppendUint(wire.AppendUint(e.b, r.Harmonics), r.Scale), r.Off), r.First)
	}
	e.b = wire.AppendUint(e.b, len(r.Factors))
	for _, f := range r.Factors {
		e.factor(f)
	}
}

func (e *encoder) factor(f Factor) {
	e.b = wire.AppendUint(e.b, len(e.masks)-1-e.masks[f.Mask])
	long := f.C != Multiplier{}
	e.b = append(e.b, byte(f.Part)&factorPart|flagIf(factorWidth, f.Width != 0)|flagIf(factorShift, f.Shift != 0)|flagIf(factorC, long))
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

// mask writes a mask, after the masks that it is made of, unless it is written already.
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
		by = e.mapIndex(m.Map)
	}
	e.begin(itemMask, flagIf(maskOwner, m.Owner != 0)|flagIf(maskMap, m.Map != nil)|flagIf(maskRows, rows)|flagIf(maskOf, len(m.Of) > 0),
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

// mapIndex writes a map, unless an equal one is written already, and returns its number.
func (e *encoder) mapIndex(m any) int {
	start := len(e.b)
	e.b = maps.Append(append(e.b, itemMap), m)
	return e.dedupe(start, e.maps)
}

// dedupe removes what was written from start on if equal bytes were written before, and returns the
// number of the first such item.
func (e *encoder) dedupe(start int, before map[[32]byte]int) int {
	sum := sha256.Sum256(e.b[start:])
	if i, there := before[sum]; there {
		e.b = e.b[:start]
		return i
	}
	i := len(before)
	before[sum] = i
	return i
}

// list writes a list of products, as mapIndex does a map.
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
		i = e.dedupe(start, e.lists)
		e.known[p] = i
	}
	return i
}

// flagIf is flag if set, else 0.
func flagIf(flag byte, set bool) byte {
	if set {
		return flag
	}
	return 0
}
