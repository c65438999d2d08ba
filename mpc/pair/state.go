package pair

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc/wire"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// State is what one party keeps of a session for one later session with the same other party: both extensions,
// transfers that are left over, and keys. It serves one session, which makes the next State: a second session from the
// same one would repeat transfers.
type State struct {
	rank int
	made time.Time        // when the oldest of the keys and extensions was made
	way  [2]way           // by receiver
	own  map[int]*ownKeys // by set
	// peer are the messages with the other party's keys, by set and order, 0 standing for the public key.
	peer map[int]map[int]keyMessage
}

// way is a direction of transfers. The two parties' ways have the same batch, and as many blocks.
type way struct {
	receiver *ot.Receiver // nil at the sender, and if there is no extension
	sender   *ot.Sender
	batch    uint64 // number of the extension's next batch: lower ones were made
	grown           // transfers that nothing has used
}

// extends reports whether there is an extension.
func (w *way) extends() bool { return w.receiver != nil || w.sender != nil }

// ownKeys are a party's own keys for a set: the seed of the secret key, and the sizes of the keys that the other party
// has, by the order of the group of automorphisms; 0 stands for the public key.
type ownKeys struct {
	secret he.Seed
	sizes  map[int]int
}

// keyMessage is a message with a key, and what is needed to read it.
type keyMessage struct {
	size int
	seed he.Seed
	data []byte
}

// Limits of a kept State. Transfers beyond the limit are dropped at the end of a session.
const (
	// mostLeft is the largest number of transfers of a direction that are left over: those that the largest set takes, and
	// some more.
	mostLeft    = 600_000
	mostKept    = 1 << 31 // bytes of a State
	stateFormat = 1
)

// errState is the error of a kept state that cannot be read.
var errState = errors.New("pair: the kept state is malformed")

// Made returns when the oldest part of the state was made.
func (s *State) Made() time.Time { return s.made }

// String says how many transfers of each direction and how many keys there are.
func (s *State) String() string {
	keys := 0
	for _, k := range s.own {
		keys += len(k.sizes)
	}
	for _, k := range s.peer {
		keys += len(k)
	}
	return fmt.Sprintf("%d and %d transfers, %d keys", len(s.way[0].blocks), len(s.way[1].blocks), keys)
}

// room is about the length in bytes of an encoded state, so that it is not copied while it grows.
func (s *State) room() int {
	n := 1 << 10
	for d := range s.way {
		w := &s.way[d]
		n += ot.KeptBytes + ot.BlockBytes*len(w.blocks) + 8*len(w.choices.Words())
	}
	for _, keys := range s.peer {
		for _, k := range keys {
			n += len(k.data) + 1<<6
		}
	}
	return n
}

// Encode returns the state as bytes, which only this party may know.
func (s *State) Encode() []byte {
	b := append(make([]byte, 0, s.room()), stateFormat, byte(s.rank))
	b = wire.AppendWord(b, uint64(s.made.Unix()))
	for d := range s.way {
		w := &s.way[d]
		var extension, choices []byte
		if w.receiver != nil {
			extension = w.receiver.Keep()
		} else if w.sender != nil {
			extension = w.sender.Keep()
		}
		if d == s.rank {
			for _, x := range w.choices.Words() {
				choices = binary.LittleEndian.AppendUint64(choices, x)
			}
		}
		b = wire.AppendWord(wire.AppendBlob(b, extension), w.batch)
		b = ot.AppendBlocks(wire.AppendUint(b, ot.BlockBytes*len(w.blocks)), w.blocks)
		b = wire.AppendBlob(b, choices)
	}
	b = wire.AppendUint(b, len(s.own))
	for _, set := range slices.Sorted(maps.Keys(s.own)) {
		k := s.own[set]
		b = wire.AppendBlob(wire.AppendUint(b, set), k.secret[:])
		b = wire.AppendUint(b, len(k.sizes))
		for _, order := range slices.Sorted(maps.Keys(k.sizes)) {
			b = wire.AppendUint(wire.AppendUint(b, order), k.sizes[order])
		}
	}
	b = wire.AppendUint(b, len(s.peer))
	for _, set := range slices.Sorted(maps.Keys(s.peer)) {
		b = wire.AppendUint(wire.AppendUint(b, set), len(s.peer[set]))
		for _, order := range slices.Sorted(maps.Keys(s.peer[set])) {
			k := s.peer[set][order]
			b = wire.AppendUint(wire.AppendUint(b, order), k.size)
			b = wire.AppendBlob(wire.AppendBlob(b, k.seed[:]), k.data)
		}
	}
	return b
}

// DecodeState returns the state of the party of the given rank that State.Encode wrote, or an error.
func DecodeState(rank int, data []byte) (*State, error) {
	d := &stateDecoder{wire.NewDecoder(bytes.NewReader(data), mostKept, mostKept/8)}
	s := newState(rank)
	if format, of := d.Byte(), d.Byte(); d.Err() == nil && (format != stateFormat || int(of) != rank) {
		return nil, fmt.Errorf("%w: format %d of rank %d, want %d of rank %d", errState, format, of, stateFormat, rank)
	}
	s.made = time.Unix(int64(d.Word()), 0)
	for at := range s.way {
		d.way(&s.way[at], at == rank)
	}
	for range d.Uint(len(he.Sets)) {
		set := d.set()
		k := &ownKeys{d.seed(), map[int]int{}}
		for range d.Uint(mostKeys) {
			order := d.order()
			k.sizes[order] = d.Uint(mostSize)
		}
		s.own[set] = k
	}
	for range d.Uint(len(he.Sets)) {
		set := d.set()
		s.peer[set] = map[int]keyMessage{}
		for range d.Uint(mostKeys) {
			order := d.order()
			m := keyMessage{d.Uint(mostSize), d.seed(), d.Blob()}
			if d.Err() == nil && len(m.data) != keyBytes(set, order, m.size) {
				d.Failf("a key of set %s has %d bytes", he.Sets[set].Name, len(m.data))
			}
			s.peer[set][order] = m
		}
	}
	d.End()
	if err := d.Err(); err != nil {
		return nil, fmt.Errorf("%w: %w", errState, err)
	}
	return s, nil
}

// newState returns a state without anything.
func newState(rank int) *State {
	return &State{rank: rank, made: time.Now(), own: map[int]*ownKeys{}, peer: map[int]map[int]keyMessage{}}
}

// clone returns a copy whose maps are its own.
func (s *State) clone() *State {
	c := *s
	c.own, c.peer = map[int]*ownKeys{}, map[int]map[int]keyMessage{}
	for set, k := range s.own {
		c.own[set] = &ownKeys{k.secret, maps.Clone(k.sizes)}
	}
	for set, k := range s.peer {
		c.peer[set] = maps.Clone(k)
	}
	return &c
}

// keepOwn adds keys that this party has sent.
func (s *State) keepOwn(set int, secret he.Seed, sent map[int]keyMessage) {
	if s.own[set] == nil {
		s.own[set] = &ownKeys{secret, map[int]int{}}
	}
	for order, k := range sent {
		s.own[set].sizes[order] = k.size
	}
}

// keepPeer adds a key of the other party.
func (s *State) keepPeer(set, order int, k keyMessage) {
	if s.peer[set] == nil {
		s.peer[set] = map[int]keyMessage{}
	}
	s.peer[set][order] = k
}

// Limits of a state that is read.
const (
	mostSize = 1 << 10 // bits of a number of a key
	mostKeys = 64      // keys of a set
)

// keyBytes is the length of the message with a key.
func keyBytes(set, order, size int) int {
	if order == 0 {
		return he.Sets[set].PublicBytes(size)
	}
	return he.Sets[set].SwitchBytes(order, size)
}

// stateDecoder reads a State.
type stateDecoder struct{ *wire.Decoder }

// blob reads a blob of n bytes, or of none if it may be empty.
func (d *stateDecoder) blob(n int, empty bool) []byte {
	b := d.Blob()
	if len(b) != n && !(empty && len(b) == 0) {
		d.Failf("%d bytes where %d are expected", len(b), n)
		return nil
	}
	return b
}

func (d *stateDecoder) seed() (s he.Seed) {
	copy(s[:], d.blob(he.SeedBytes, false))
	return s
}

func (d *stateDecoder) set() int { return d.Uint(len(he.Sets) - 1) }

func (d *stateDecoder) order() int { return d.Uint(1 << 16) }

func (d *stateDecoder) way(w *way, receives bool) {
	var err error
	if state := d.blob(ot.KeptBytes, true); len(state) > 0 && receives {
		w.receiver, err = ot.KeptReceiver(state)
	} else if len(state) > 0 {
		w.sender, err = ot.KeptSender(state)
	}
	if err != nil {
		d.Failf("%w", err)
	}
	w.batch = d.Word()
	w.blocks = ot.Blocks(d.Blob())
	if n := len(w.blocks); n > 0 && !w.extends() {
		d.Failf("%d transfers of an extension that is not there", n)
	}
	choices := 0
	if receives {
		choices = (len(w.blocks) + 63) / 64
	}
	words := d.blob(8*choices, false)
	if d.Err() != nil || !receives {
		return
	}
	w.choices = ring.NewBits(len(w.blocks))
	for i := range choices {
		w.choices.Words()[i] = binary.LittleEndian.Uint64(words[8*i:])
	}
}

// sizes returns the sizes of the keys that were sent before, by order; both parties know them.
func (s *State) sizes(r KeyRequest) map[int]int {
	out := map[int]int{}
	if k := s.own[r.Set]; r.Owner == s.rank && k != nil {
		return k.sizes
	}
	if r.Owner != s.rank {
		for order, k := range s.peer[r.Set] {
			out[order] = k.size
		}
	}
	return out
}
