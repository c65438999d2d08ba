package psi

import (
	"encoding/binary"
	"errors"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/ring"
)

// padBytes is the size of a value of the oblivious function: a pad of a tag, 8 bytes, and one of a place, 4 bytes.
const padBytes = 12

// Ids of seeds that follow from the session's hash seed. Those below are a hasher's.
const (
	idHintRows = 16 + iota
	idCuckoo
)

// hiddenSide is one party's part of a hidden join.
type hiddenSide struct {
	side
	hiddenLengths
	ring  ring.Ring
	width int // columns, the weight included
	one   int64

	// masks is the seed in common with the dealer for all but the VOLE, and dealt, at the other party, its message.
	masks ring.Seed
	dealt []byte

	ordered func(*order) // what tests do with an order; nil
}

// takeDealt implements dealtTo.
func (s *hiddenSide) takeDealt(common ring.Seed, messages [][]byte) {
	s.side.takeDealt(common, messages)
	s.masks = correlation.JoinSeed(common, hiddenID)
	if messages != nil {
		s.dealt = messages[1]
	}
}

// derived returns a public seed of the session.
func (s *hiddenSide) derived(id uint64) ring.Seed { return ring.NewPRG(s.session.Get()).Seed(id, 0) }

// send adds a message to the peer.
func (s *hiddenSide) send(op, size int, data func() []byte, deps ...flow.Dep) flow.Dep {
	return s.exchange(op, true, size, 0, data, deps...)
}

// await adds the wait for a message of the given size, two rounds after deps if there are any.
func (s *hiddenSide) await(op, size, rounds int, deps ...flow.Dep) *flow.Future[[]byte] {
	return s.exchange(op, false, size, rounds, nil, deps...)
}

// tags are numbers of slots. The keeper's are v, the tag that it found, and p, the masked place; the other party's are −r and
// u − z, the mask minus the place of the slot's row of zeros.
type tags struct {
	tag   []uint64
	place []uint32
}

// keep adds the steps of the party that keeps its rows. The results are its shares of the columns.
func (s *hiddenSide) keep() []*flow.Future[ring.Vec] {
	own := s.keys
	s.session = do(&s.side, opSeed, func() (ring.Seed, error) { return ring.NewSeed(), nil })
	s.send(opSeed, len(ring.Seed{}), func() []byte { seed := s.session.Get(); return seed[:] }, s.session)
	slots := do(&s.side, opEncoding, func() ([]int32, error) { return s.placeRows(own) }, s.session)
	s.hash(slots)
	pads := do(&s.side, opHints, func() ([]byte, error) {
		return s.values(s.rows.Get(), joins.Blocks(s.seed, joins.Offset, s.entries), nil, nil), nil
	}, s.rows)
	s.sendEncoding()

	theirTags := s.await(opEqual, 8*s.slots, 1)
	theirPlaces := s.await(opPlaces, 4*s.slots, 1)
	hints := s.await(opHints, padBytes*s.hints, 2)
	found := do(&s.side, opHints, func() (*tags, error) { return s.read(hints.Get(), pads.Get()) }, hints, pads)
	masked := do(&s.side, opEqual, func() (*maskedTags, error) { return s.mask(found.Get()), nil }, found)
	counted := do(&s.side, opEqual, func() (*counted, error) {
		return s.count(masked.Get().tag, numbers64(theirTags.Get()), true), nil
	}, masked, theirTags)
	s.send(opEqual, 8*s.slots, func() []byte { return words64(masked.Get().tag) }, masked)
	s.send(opPlaces, 4*s.slots, func() []byte { return words32(masked.Get().place) }, masked)
	sent := s.send(opEqual, s.slots, func() []byte { return counted.Get().masked }, counted)

	theirCounts := s.await(opEqual, s.slots, 2, sent)
	theirBits := s.await(opPlaces, (s.slots+7)/8, 2, sent)
	bits := do(&s.side, opEqual, func() ([]byte, error) {
		return counted.Get().bits(theirCounts.Get()), nil
	}, counted, theirCounts)
	sent = s.send(opPlaces, (s.slots+7)/8, func() []byte { return bits.Get() }, bits)
	rest := s.await(opPlaces, 4*s.slots, 2, sent)
	order := do(&s.side, opOrder, func() (*order, error) {
		x := counted.Get().places(found.Get().place, masked.Get().place, numbers32(theirPlaces.Get()), bits.Get(), theirBits.Get())
		for i, place := range numbers32(rest.Get()) {
			x[i] += place
		}
		o, err := s.order(x, slots.Get())
		if s.ordered != nil {
			s.ordered(o)
		}
		return o, err
	}, counted, bits, found, masked, theirPlaces, theirBits, rest, slots)
	sent = s.send(opOrder, 4*s.places, func() []byte { return words32(order.Get().asked) }, order)

	out := make([]*flow.Future[ring.Vec], s.width)
	for c := range out {
		in := s.await(opRows, 8*s.ring.Words()*s.places, 2, sent)
		out[c] = do(&s.side, opRows, func() (ring.Vec, error) {
			share, minus := ring.NewUninitialised(s.ring, s.keeper), ring.NewUninitialised(s.ring, s.keeper)
			ring.Gather(share, ring.FromWords(s.ring, numbers64(in.Get())), order.Get().own)
			ring.NewPRG(s.masks).Vec(minus, joins.Shares+uint64(c), 0)
			ring.Sub(share, share, minus)
			return share, nil
		}, in, order)
	}
	return out
}

// give adds the steps of the party whose columns come to the keeper's rows. The results are its shares of them.
func (s *hiddenSide) give(columns []ring.Vec) []*flow.Future[ring.Vec] {
	own := s.keys
	seed := s.await(opSeed, len(ring.Seed{}), 1)
	s.session = do(&s.side, opSeed, func() (ring.Seed, error) { return ring.Seed(seed.Get()), nil }, seed)
	slots := do(&s.side, opEncoding, func() ([]int32, error) {
		at, out := newPositions(s.derived(idCuckoo), s.part), make([]int32, 0, choices*len(own))
		s.keys, s.perKey = make([]Key, 0, choices*len(own)), choices
		for _, k := range own {
			for part, slot := range at.of(k) {
				s.keys, out = append(s.keys, slotKey(k, part)), append(out, slot)
			}
		}
		return out, nil
	}, s.session)
	s.hash(slots)
	drawn := do(&s.side, opHints, func() (*drawn, error) { return s.draw(), nil })
	masked := do(&s.side, opEqual, func() (*maskedTags, error) { return s.mask(&drawn.Get().tags), nil }, drawn)
	s.send(opEqual, 8*s.slots, func() []byte { return words64(masked.Get().tag) }, masked)
	s.send(opPlaces, 4*s.slots, func() []byte { return words32(masked.Get().place) }, masked)
	encoding := s.await(opEncoding, 8*s.entries, 1)
	hints := do(&s.side, opHints, func() ([]byte, error) {
		return s.hint(drawn.Get(), slots.Get(), s.evaluate(encoding.Get(), nil))
	}, drawn, slots, s.rows, encoding)
	sent := s.send(opHints, padBytes*s.hints, func() []byte { return hints.Get() }, hints)

	theirTags := s.await(opEqual, 8*s.slots, 2, sent)
	theirPlaces := s.await(opPlaces, 4*s.slots, 2, sent)
	theirCounts := s.await(opEqual, s.slots, 2, sent)
	counted := do(&s.side, opEqual, func() (*counted, error) {
		return s.count(masked.Get().tag, numbers64(theirTags.Get()), false), nil
	}, masked, theirTags)
	bits := do(&s.side, opEqual, func() ([]byte, error) {
		return counted.Get().bits(theirCounts.Get()), nil
	}, counted, theirCounts)
	s.send(opEqual, s.slots, func() []byte { return counted.Get().masked }, counted, theirCounts)
	sent = s.send(opPlaces, (s.slots+7)/8, func() []byte { return bits.Get() }, bits)
	theirBits := s.await(opPlaces, (s.slots+7)/8, 2, sent)
	rest := do(&s.side, opPlaces, func() ([]uint32, error) {
		d := drawn.Get()
		x := counted.Get().places(d.place, masked.Get().place, numbers32(theirPlaces.Get()), bits.Get(), theirBits.Get())
		for i := range x {
			x[i] += uint32(d.order[s.other+i])
		}
		return x, nil
	}, counted, bits, drawn, masked, theirPlaces, theirBits)
	sent = s.send(opPlaces, 4*s.slots, func() []byte { return words32(rest.Get()) }, rest)

	asked := s.await(opOrder, 4*s.places, 2, sent)
	from := do(&s.side, opOrder, func() ([]int32, error) { return s.rowsAt(numbers32(asked.Get()), drawn.Get().order) }, asked, drawn)
	out := make([]*flow.Future[ring.Vec], s.width)
	for c := range out {
		moved := do(&s.side, opRows, func() (ring.Vec, error) {
			column := ring.New(s.ring, s.other+1) // the last element is that of rows of zeros
			switch given := column.Slice(0, s.other); c {
			case 0:
				ring.AddInt(given, given, s.one)
			default:
				ring.Add(given, given, columns[c-1])
			}
			v, mask := ring.NewUninitialised(s.ring, len(from.Get())), ring.NewUninitialised(s.ring, len(from.Get()))
			ring.Gather(v, column, from.Get())
			ring.NewPRG(s.masks).Vec(mask, joins.Rows+uint64(c), 0)
			ring.Add(v, v, mask)
			return v, nil
		}, from)
		s.send(opRows, 8*s.ring.Words()*s.places, func() []byte { return words64(moved.Get().Words()) }, moved)
		out[c] = do(&s.side, opRows, func() (ring.Vec, error) {
			size := 8 * s.ring.Words() * s.keeper
			at := joins.SlotBytes*s.slots + c*size
			return ring.FromWords(s.ring, numbers64(s.dealt[at:at+size])), nil
		})
	}
	return out
}

// placeRows places the keeper's rows in a cuckoo table and makes the keys of all slots: that of an empty slot is random. It
// returns the slot of each row.
func (s *hiddenSide) placeRows(own []Key) ([]int32, error) {
	table, err := cuckoo(own, newPositions(s.derived(idCuckoo), s.part))
	if err != nil {
		return nil, err
	}
	slots, prg := make([]int32, len(own)), ring.NewPRG(ring.NewSeed())
	s.keys = make([]Key, s.slots)
	for at, row := range table {
		if row >= 0 {
			s.keys[at], slots[row] = slotKey(own[row], at/s.part), int32(at)
			continue
		}
		k := prg.Seed(uint64(at), 0)
		s.keys[at] = Key{binary.LittleEndian.Uint64(k[:]), binary.LittleEndian.Uint64(k[8:])}
	}
	return slots, nil
}

// drawn is what the other party draws: the order π of its rows and of the rows of zeros, and numbers of slots.
type drawn struct {
	tags          // −r and u − z
	order []int32 // row i is at place order[i]
	r     []uint64
	u     []uint32
}

func (s *hiddenSide) draw() *drawn {
	seed := ring.NewSeed()
	d := &drawn{order: make([]int32, s.places), r: joins.Stream(seed, 1, s.slots), u: make([]uint32, s.slots)}
	ring.NewPRG(seed).Permutations(d.order, len(d.order), 0, 0)
	d.tag, d.place = make([]uint64, s.slots), make([]uint32, s.slots)
	for i, w := range joins.Stream(seed, 2, s.slots) {
		d.u[i] = uint32(w)
		d.tag[i], d.place[i] = -d.r[i], d.u[i]-uint32(d.order[s.other+i])
	}
	return d
}

// hint returns the OKVS of hints: a key of a row and a slot maps to the slot's tag r and to the row's place minus u, both minus the
// pads of the key.
func (s *hiddenSide) hint(d *drawn, slots []int32, pads []byte) ([]byte, error) {
	rows, err := newHasher(s.derived(idHintRows), s.hints).rows(s.keys, s.hints)
	if err != nil {
		return nil, err
	}
	places := make([]uint64, len(rows))
	for i := range rows {
		key := rows[i].key
		slot, pad := slots[key], pads[padBytes*int(key):]
		rows[i].value = d.r[slot] - binary.LittleEndian.Uint64(pad)
		places[i] = uint64(uint32(d.order[key/choices]) - d.u[slot] - binary.LittleEndian.Uint32(pad[8:]))
	}
	p, err := encode(rows, s.hints, &places)
	if err != nil {
		return nil, err
	}
	out := make([]byte, padBytes*s.hints)
	for i, x := range p {
		binary.LittleEndian.PutUint64(out[padBytes*i:], x)
		binary.LittleEndian.PutUint32(out[padBytes*i+8:], uint32(places[i]))
	}
	return out, nil
}

// read returns what the keeper finds in the hints at the keys of its slots.
func (s *hiddenSide) read(hints, pads []byte) (*tags, error) {
	rows, err := newHasher(s.derived(idHintRows), s.hints).rows(s.keys, s.hints)
	if err != nil {
		return nil, err
	}
	p := make([]block, s.hints)
	for i := range p {
		p[i] = block{binary.LittleEndian.Uint64(hints[padBytes*i:]), uint64(binary.LittleEndian.Uint32(hints[padBytes*i+8:]))}
	}
	t := &tags{make([]uint64, s.slots), make([]uint32, s.slots)}
	ring.Parallel(len(rows), 1<<10, func(lo, hi int) {
		from := newDecoder(p)
		for i := lo; i < hi; i++ {
			v, at := from.decode(&rows[i]), int(rows[i].key)
			t.tag[at] = v[0] + binary.LittleEndian.Uint64(pads[padBytes*at:])
			t.place[at] = uint32(v[1]) + binary.LittleEndian.Uint32(pads[padBytes*at+8:])
		}
	})
	return t, nil
}

// maskedTags are tags plus the party's masks λ and σ.
type maskedTags tags

func (s *hiddenSide) mask(t *tags) *maskedTags {
	m := &maskedTags{joins.Stream(s.masks, joins.Difference, s.slots), make([]uint32, s.slots)}
	for i, w := range joins.Stream(s.masks, joins.SmallMasks, s.slots) {
		_, _, sigma := joins.Small(w)
		m.tag[i] += t.tag[i]
		m.place[i] = sigma + t.place[i]
	}
	return m
}

// counted are a party's shares of [v = r] and of what follows from them, by slot.
type counted struct {
	masked []byte      // shares of the number of bits in which v − r + λ and λ differ, plus the mask μ
	tables [][2]uint64 // shares of the tables of μ
	rho    []uint64    // shares of ρ, added modulo 2
	rest   [][2]uint32 // additive shares of ρ and of ρ·σ
}

// count returns the party's shares from both parties' masked tags. One of the parties adds what is public.
func (s *hiddenSide) count(own, theirs []uint64, public bool) *counted {
	m := s.slots
	out := &counted{make([]byte, m), make([][2]uint64, m), make([]uint64, m), make([][2]uint32, m)}
	var counts, tables, products []uint64
	if public { // the keeper
		counts, tables = joins.Stream(s.masks, joins.Counts, joins.CountWords*m), joins.Stream(s.masks, joins.Tables, joins.TableWords*m)
		products = joins.Stream(s.masks, joins.Products, m)
	}
	smalls := joins.Stream(s.masks, joins.SmallMasks, m)
	ring.Parallel(m, 1<<10, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			mu, rho, _ := joins.Small(smalls[i])
			var shares [joins.CountWords]uint64
			if public {
				copy(shares[:], counts[joins.CountWords*i:])
				copy(out.tables[i][:], tables[joins.TableWords*i:])
				out.rest[i] = [2]uint32{uint32(products[i]), uint32(products[i] >> 32)}
			} else {
				from := s.dealt[joins.SlotBytes*i:]
				for w := range shares {
					shares[w] = binary.LittleEndian.Uint64(from[8*w:])
				}
				for w := range joins.TableWords {
					out.tables[i][w] = binary.LittleEndian.Uint64(from[8*(joins.CountWords+w):])
				}
				out.rest[i] = [2]uint32{binary.LittleEndian.Uint32(from[joins.SlotBytes-8:]), binary.LittleEndian.Uint32(from[joins.SlotBytes-4:])}
			}
			out.masked[i] = (differing(&shares, own[i]+theirs[i], public) + mu) % (1 << joins.CountBits)
			out.rho[i] = rho
		}
	})
	return out
}

// differing returns a share of the number of bits in which c and λ differ, from shares of the bits of λ.
func differing(shares *[joins.CountWords]uint64, c uint64, public bool) uint8 {
	var sum uint8
	for w, x := range shares {
		for i := range 8 {
			b, flip := uint8(x>>(8*i)), uint8(c>>(8*w+i)&1)
			sum += (b ^ -flip) + flip // b, or −b
			if public {
				sum += flip
			}
		}
	}
	return sum
}

// bits returns shares of [v = r] plus ρ modulo 2, packed, and opens the count with the other party's share.
func (c *counted) bits(theirs []byte) []byte {
	out := make([]byte, (len(theirs)+7)/8)
	for i, x := range theirs {
		at := (c.masked[i] + x) % (1 << joins.CountBits)
		bit := c.tables[i][at/64]>>(at%64) ^ c.rho[i]
		out[i/8] |= byte(bit&1) << (i % 8)
	}
	return out
}

// places returns shares of b·(p + t) for all slots: own are the party's p or t, the masked ones are p + t + σ, and bits are b + ρ
// modulo 2.
func (c *counted) places(own, masked, theirMasked []uint32, bits, theirBits []byte) []uint32 {
	out := make([]uint32, len(own))
	for i := range out {
		x, flip := masked[i]+theirMasked[i], uint32((bits[i/8]^theirBits[i/8])>>(i%8)&1)
		product := c.rest[i][0]*x - c.rest[i][1] // of ρ·(p + t)
		out[i] = flip*own[i] + (1-2*flip)*product
	}
	return out
}

// order is what the keeper asks of the other party's rows.
type order struct {
	asked []int32 // δ: the place of each row that is sent
	own   []int32 // which of these are the keeper's rows
}

var errPlaces = errors.New("psi: the places of rows are not distinct: a party did not follow the protocol")

// order returns an order δ of all places so that δ∘q has the places of the keeper's rows first.
func (s *hiddenSide) order(places []uint32, slots []int32) (*order, error) {
	n := s.places
	want, used := make([]int32, 0, n), make([]bool, n)
	for _, slot := range slots {
		at := places[slot]
		if int(at) >= n || used[at] {
			return nil, errPlaces
		}
		used[at] = true
		want = append(want, int32(at))
	}
	for at := range used {
		if !used[at] {
			want = append(want, int32(at))
		}
	}
	q, out := joins.Order(s.masks, n), &order{asked: make([]int32, n)}
	for i, at := range want {
		out.asked[q[i]] = at
	}
	out.own = q[:s.keeper]
	return out, nil
}

// rowsAt returns the row at each place that the keeper asks for, the number of rows for one of zeros.
func (s *hiddenSide) rowsAt(asked []uint32, order []int32) ([]int32, error) {
	at := make([]int32, len(order))
	for row, place := range order {
		at[place] = int32(min(row, s.other))
	}
	out := make([]int32, len(asked))
	for i, place := range asked {
		if int(place) >= len(at) {
			return nil, errPlaces
		}
		out[i] = at[place]
	}
	return out, nil
}

// words32 packs numbers of 32 bits.
func words32[T ~uint32 | ~int32](v []T) []byte {
	out := make([]byte, 4*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint32(out[4*i:], uint32(x))
	}
	return out
}

// numbers32 is the inverse of words32.
func numbers32(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

// words64 packs numbers of 64 bits.
func words64(v []uint64) []byte {
	out := make([]byte, 8*len(v))
	for i, x := range v {
		binary.LittleEndian.PutUint64(out[8*i:], x)
	}
	return out
}

// numbers64 is the inverse of words64.
func numbers64(b []byte) []uint64 {
	out := make([]uint64, len(b)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return out
}
