package correlation

import (
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/wire"
)

// Limits bounds a manifest that comes from an untrusted peer. DecodeManifest returns an error for a manifest beyond
// them.
type Limits struct {
	Bytes   int64 // bytes of the encoding
	Items   int   // number of requests and masks together
	Words   int64 // 64-bit words in maps and lists together, and in each map's operands
	Parties int   // number of parties: owners of masks have ranks below it
	// Grow, if not nil, is called before the manifest's memory grows, with an upper bound of the growth in bytes:
	// DecodedSize for each byte of the encoding that has arrived, and the sizes of the maps' vectors. Its error ends
	// decoding.
	Grow func(bytes int64) error
}

// DecodedSize is the largest number of bytes of memory that one byte of an encoded manifest takes when it is decoded;
// the vectors of maps are not counted.
const DecodedSize = 32

// growingReader is a reader of an encoding that announces the memory for what it has read.
type growingReader struct {
	io.Reader
	grow func(bytes int64) error
}

func (r growingReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if n > 0 {
		if full := r.grow(DecodedSize * int64(n)); full != nil {
			return 0, full
		}
	}
	return n, err
}

// maxDepth bounds the length of a chain of derived masks: dealing recurses along it.
const maxDepth = 1 << 17

// decoder reads a manifest.
type decoder struct {
	*wire.Decoder
	limits   Limits
	masks    []*Mask
	depths   []int
	maps     []any
	lists    []*Products
	last     map[byte]itemSize
	id       ID
	join     joins.Sizes // of the next request
	manifest Manifest
}

// DecodeManifest reads a manifest that Manifest.Encode wrote, up to the end of r. It returns an error for a manifest
// that is malformed or beyond the limits l; Deal accepts every manifest that it returns. Its memory is a small
// multiple of the limits' bytes and words. held is the size of the manifest's maps in bytes; dealing takes
// Manifest.Memory besides.
func DecodeManifest(r io.Reader, l Limits) (f *Manifest, held int64, err error) {
	if l.Grow != nil {
		r = growingReader{r, l.Grow}
	}
	d := &decoder{Decoder: wire.NewDecoder(r, l.Bytes, l.Words), limits: l, last: map[byte]itemSize{}}
	d.Grow = l.Grow
	for i := range len(manifestHead) {
		if b := d.Byte(); d.Err() == nil && b != manifestHead[i] {
			d.Failf("no correlation manifest, or one of another version")
		}
	}
	for d.Err() == nil && d.item() {
	}
	d.End()
	if err := d.Err(); err != nil {
		return nil, 0, fmt.Errorf("correlation: correlation manifest: %w", err)
	}
	return &d.manifest, 8 * d.Spent(), nil
}

// item reads an item. It returns false at the end.
func (d *decoder) item() bool {
	flags := d.Byte()
	if d.Err() != nil {
		return false
	}
	if len(d.masks)+len(d.manifest.Requests) >= d.limits.Items && flags != itemEnd {
		d.Failf("more than %d requests and masks", d.limits.Items)
	}
	switch flags & itemKind {
	case itemMask:
		d.mask(flags)
	case itemRequest:
		d.request(flags)
	case itemMap:
		switch flags {
		case itemMap:
			d.maps = append(d.maps, maps.Read(d.Decoder))
		case itemList:
			d.list()
		case itemJoin:
			d.join = joins.Sizes{Slots: d.Len(), Places: d.Len(), Keeper: d.Len(), Columns: d.Len()}
		default:
			d.Failf("flags %d of a map", flags)
		}
	default:
		if flags != itemEnd {
			d.Failf("flags %d at the end", flags)
		} else if d.join != (joins.Sizes{}) {
			d.Failf("sizes of a join without a request")
		}
		return false
	}
	return true
}

// begin reads the fields that masks and requests have in common.
func (d *decoder) begin(flags byte) (kind byte, id ID, size itemSize) {
	kind = d.Byte()
	d.id += ID(d.Int64())
	size = d.last[flags&itemKind]
	if flags&hasRing != 0 {
		size.ring = d.Ring()
	}
	if flags&hasN != 0 {
		size.n = d.Len()
	}
	d.last[flags&itemKind] = size
	return kind, d.id, size
}

func (d *decoder) mask(flags byte) {
	m, depth := &Mask{}, 0
	kind, id, size := d.begin(flags)
	m.Kind, m.ID, m.Ring, m.N = MaskKind(kind), id, size.ring, size.n
	if m.Kind == FreshBits {
		m.Planes = d.Uint(maxPlanes)
		d.spendBits(m.N, m.Planes)
	}
	if flags&maskOwner != 0 {
		m.Owner = d.Len()
	}
	if flags&maskMap != 0 {
		m.Map = mapRef[maps.Linear](d)
	}
	if flags&maskRows != 0 {
		m.Rows = d.Len()
		m.Order = m.ID + ID(d.Int64())
	}
	if flags&maskOf != 0 {
		for range d.Uint(d.limits.Items) {
			o, below := d.maskRef()
			if o == nil {
				return
			}
			m.Of, m.Owners, depth = append(m.Of, o), max(m.Owners, o.Owners), max(depth, below+1)
		}
	}
	if m.Kind == Owned {
		m.Owners = m.Owner + 1
	}
	if d.Err() != nil {
		return
	}
	if depth > maxDepth {
		d.Failf("mask %v is made from too long a chain of others", m.ID)
	}
	if err := m.check(d.limits.Parties); err != nil {
		d.Failf("%v", err)
	}
	d.masks, d.depths = append(d.masks, m), append(d.depths, depth)
}

// maskRef reads a reference to a mask; nil after an error.
func (d *decoder) maskRef() (m *Mask, depth int) {
	back := d.Uint(len(d.masks))
	if d.Err() == nil && back == len(d.masks) {
		d.Failf("a mask before the first")
	}
	if d.Err() != nil {
		return nil, 0
	}
	i := len(d.masks) - 1 - back
	return d.masks[i], d.depths[i]
}

// mapRef reads a reference to a map of type M.
func mapRef[M any](d *decoder) (m M) {
	back := d.Uint(len(d.maps))
	if d.Err() != nil {
		return m
	}
	if back < len(d.maps) {
		if m, ok := d.maps[len(d.maps)-1-back].(M); ok {
			return m
		}
	}
	d.Failf("no such map")
	return m
}

func (d *decoder) request(flags byte) {
	r := &Request{Join: d.join}
	d.join = joins.Sizes{}
	kind, id, size := d.begin(flags)
	r.Kind, r.ID, r.Out, r.N = Kind(kind), id, size.ring, size.n
	if flags&requestPos != 0 {
		r.Pos = d.Len()
	}
	if flags&requestZeros != 0 {
		r.Zeros = d.Len()
	}
	switch {
	case flags&requestMap == 0:
	case r.Kind == BitProduct:
		back := d.Uint(len(d.lists))
		if back >= len(d.lists) {
			d.Failf("no such list of products")
			return
		}
		r.Products = d.lists[len(d.lists)-1-back]
		d.spendBits(r.N, len(r.Products.sets))
	default:
		r.B = mapRef[maps.Bilinear](d)
	}
	if r.Kind == Thermometer {
		r.Digits = d.Ints(maxDigits)
		for _, bits := range r.Digits {
			d.spendBits(r.N, 1<<min(max(bits, 0), maxDigitBits))
		}
	}
	if flags&requestWaves != 0 {
		r.Harmonics, r.Scale, r.Off, r.First = d.Len(), d.Len(), d.Len(), d.Len()
	}
	for range d.Uint(d.limits.Items) {
		f := d.factor()
		if d.Err() != nil {
			return
		}
		r.Factors = append(r.Factors, f)
	}
	if d.Err() != nil {
		return
	}
	if n := len(d.manifest.Requests); n > 0 && r.ID <= d.manifest.Requests[n-1].ID {
		d.Failf("request %v after %v", r.ID, d.manifest.Requests[n-1].ID)
	}
	if err := r.check(); err != nil {
		d.Failf("%w", malformed(r, err))
	}
	d.manifest.Requests = append(d.manifest.Requests, r)
}

// spendBits counts so many vectors of n bits against the limit of words.
func (d *decoder) spendBits(n, count int) { d.Spend((n + 63) / 64 * count) }

// list reads a list of products.
func (d *decoder) list() {
	planes := d.Uint(maxPlanes)
	var sets [][]uint16
	for range d.Uint(maxPlanes) {
		var set []uint16
		for range d.Uint(maxPlanes) {
			if d.Err() != nil {
				return
			}
			d.Spend(1)
			set = append(set, uint16(d.Uint(maxPlanes-1)))
		}
		sets = append(sets, set)
	}
	if d.Err() != nil {
		return
	}
	if err := checkProducts(planes, sets); err != nil {
		d.Failf("%v", err)
		return
	}
	d.lists = append(d.lists, &Products{sets, planes})
}

func (d *decoder) factor() (f Factor) {
	f.Mask, _ = d.maskRef()
	flags := d.Byte()
	f.Part = Part(flags & factorPart)
	if flags&factorWidth != 0 {
		f.Width = d.Len()
	}
	if flags&factorShift != 0 {
		f.Shift = d.Len()
	}
	if flags&factorC != 0 {
		f.C = Multiplier{d.Word(), d.Word()}
	}
	if flags > factorPart|factorWidth|factorShift|factorC {
		d.Failf("flags %d of a factor", flags)
	}
	return f
}
