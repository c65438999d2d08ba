package pair

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"io"

	"github.com/cloudflare/circl/group"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// Phase returns the offline phase that makes what a Demand asks for, with base transfers in the group g. The phase's
// result is a *flow.Future[*Material].
func Phase(g group.Group) protocol.BetweenPhase {
	return protocol.BetweenPhase{Name: "oblivious transfers", Run: func(graph *flow.Graph, c protocol.Config, _ any) any {
		k := &maker{
			group: g, rank: c.Rank, demand: c.Demand.(*Demand), dry: graph.DryRun(), random: rand.Reader, key: hashKey(c), keys: keySeed(c),
			op: graph.Op(c.First, &flow.Cost{}, "oblivious transfers"), keep: c.Keep, ahead: c.Ahead,
		}
		k.state = newState(c.Rank)
		if kept, ok := c.Kept.(*State); ok {
			k.state = kept
		}
		return k.make()
	}}
}

// Keeping is what the phase's Materials leave for a later session: a State.
func Keeping() *protocol.Keeping {
	return &protocol.Keeping{
		Next: func(result any) []byte {
			if m, ok := result.(*flow.Future[*Material]); ok && m.Get().Next() != nil {
				return m.Get().Next().Encode()
			}
			return nil
		},
		Decode: func(rank int, data []byte) (protocol.Kept, error) {
			s, err := DecodeState(rank, data)
			if err != nil { // not a nil *State
				return nil, err
			}
			return s, nil
		},
	}
}

// hashKey is the key of the strings' hash. Both parties know it; requests of a service have keys of their own.
func hashKey(c protocol.Config) [ot.BlockBytes]byte {
	sum := sha256.Sum256(binary.LittleEndian.AppendUint32(append([]byte("tacet: strings of transfers"), c.Common[:]...), c.First))
	return [ot.BlockBytes]byte(sum[:])
}

// maker is one party's side of the phase.
type maker struct {
	group  group.Group
	rank   int
	demand *Demand
	dry    bool
	random io.Reader
	key    [ot.BlockBytes]byte
	keys   he.Seed // of the public parts of keys
	op     *flow.Op
	state  *State // what was kept; empty if nothing was
	keep   bool   // something is to be kept
	ahead  bool   // all is to be kept
}

// bases are the keys of base transfers: pairs at the party that receives in the extension, one of each at the other.
type bases struct {
	pairs   [][2]ot.Block
	choices ot.Block
	keys    []ot.Block
}

// extension is one party's side of an extension: one of both.
type extension struct {
	receiver *ot.Receiver
	trees    []byte // the receiver's first message
	sender   *ot.Sender
}

// make adds the phase's steps.
func (k *maker) make() *flow.Future[*Material] {
	m := &Material{rank: k.rank}
	if k.keep {
		m.next = k.state.clone()
	}
	n := k.demand.made(k.state, k.keep && !k.ahead)
	m.lay(k.demand, n[0].front) // also of requests of 0 transfers alone, such as those of products without terms
	m.hash = ot.NewHash(k.key)
	deps := k.encryption(m)
	transfers := k.demand.total[0]+k.demand.total[1] > 0
	if !transfers && len(deps) == 0 {
		return flow.Resolved(m)
	}
	if transfers {
		ready := 0 // the round in which the transfers of direction 0 are there
		done := []flow.Dep{}
		if k.demand.total[0]+n[0].front > 0 {
			round := 3
			if k.state.way[0].extends() {
				round = 1
			}
			if n[0].extended > 0 {
				ready = round
			}
			first, all := k.extend(m, 0, n[0], round, k.base)
			done = all
			deps = append(append(deps, done...), first)
		}
		if k.demand.total[1] > 0 {
			round := ready + 1
			if k.state.way[1].extends() {
				round = 1
			}
			_, all := k.extend(m, 1, n[1], round, func() *flow.Future[bases] { return k.turned(m, done) })
			deps = append(deps, all...)
		}
	}
	return flow.Do(k.op, 0, func() *Material { return m }, deps...)
}

// message sends what pack returns, of the given size, from one rank to the other in the given round. The sender
// sends when deps are done; its result is nil.
func (k *maker) message(round, from, size int, pack func() []byte, deps ...flow.Dep) *flow.Future[[]byte] {
	x := flow.ExchangeSpec{From: []int{from}, Size: size, Rounds: round}
	if k.rank != from {
		deps = nil // the receiver waits for the message alone
	} else {
		x = flow.ExchangeSpec{To: []int{1 - from}, Pack: func() ring.Payload {
			if k.dry {
				return ring.Payload{Len: size}
			}
			return ring.Payload{Len: size, Data: pack()}
		}}
	}
	return flow.Exchange(k.op, int64(size), x, func(in []ring.Payload) ([]byte, error) {
		if len(in) == 0 {
			return nil, nil
		}
		return in[0].Data, nil
	}, deps...)
}

// step is a step of local work, which a dry run leaves out. It books bytes of pseudo-random streams.
func step[T any](k *maker, stream int64, f func() (T, error), deps ...flow.Dep) *flow.Future[T] {
	return flow.Try(k.op, 0, func() (none T, err error) {
		k.op.Spend(flow.Stream, stream)
		if k.dry {
			return none, nil
		}
		return f()
	}, deps...)
}

// baseStream is the work of one scalar multiplication, in bytes of pseudo-random streams that take as long.
const baseStream = 200_000

// base runs the base transfers: rank 0 sends, and receives in the extension.
func (k *maker) base() *flow.Future[bases] {
	begun := flow.Resolved[*ot.BaseSender](nil)
	if k.rank == 0 {
		begun = step(k, baseStream, func() (*ot.BaseSender, error) { return ot.NewBaseSender(k.group, k.random) })
	}
	point := k.message(1, 0, ot.PointBytes, func() []byte { return begun.Get().Message() }, begun)
	type answer struct {
		reply []byte
		bases
	}
	answered := flow.Resolved(answer{})
	if k.rank == 1 {
		answered = step(k, ot.Bases*baseStream, func() (a answer, err error) {
			a.choices = draw(k.random)
			a.reply, a.keys, err = ot.BaseReceive(k.group, k.random, a.choices, point.Get())
			return a, err
		}, point)
	}
	reply := k.message(2, 1, ot.BaseReplyBytes, func() []byte { return answered.Get().reply }, answered)
	if k.rank == 1 {
		return flow.Pick(k.op, func() bases { return answered.Get().bases }, answered, reply)
	}
	return step(k, ot.Bases*baseStream, func() (b bases, err error) {
		b.pairs, err = begun.Get().Keys(reply.Get())
		return b, err
	}, begun, reply)
}

// draw returns a random block.
func draw(random io.Reader) ot.Block {
	var b [ot.BlockBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		panic("pair: no randomness") // crypto/rand does not fail
	}
	return ot.Block{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// extend runs the extension in which rank receiver receives the transfers of chain n, and puts them into m; b returns its
// base transfers if it is a new one. Messages of the extension arrive in the given round. extend returns the extension
// and results that are done when all transfers are there.
func (k *maker) extend(
	m *Material, receiver int, n chain, round int, b func() *flow.Future[bases],
) (*flow.Future[extension], []flow.Dep) {
	w := k.state.way[receiver]
	x := flow.Resolved(extension{receiver: w.receiver, sender: w.sender})
	if !w.extends() {
		x = k.begin(receiver, round, b())
	}
	var done []flow.Dep
	more := len(n.rounds) > 0 || len(w.blocks) > 0 || k.keep
	left := n.front + k.demand.total[receiver]
	if more {
		left = n.extended
	}
	for i, size := range batches(n.extended) {
		used := min(size, left)
		left -= used
		if k.rank == receiver {
			done = append(done, k.receive(m, x, round, w.batch+uint64(i), size, used))
		} else {
			done = append(done, k.send(m, x, round, w.batch+uint64(i), size, used))
		}
	}
	if more {
		done = k.silent(m, x, receiver, n, round, done)
	}
	return x, done
}

// begin makes a new extension of base transfers.
func (k *maker) begin(receiver, round int, b *flow.Future[bases]) *flow.Future[extension] {
	const treeStream = 16 * 256 * 64 // ciphers are made, too
	var x *flow.Future[extension]
	if k.rank == receiver {
		x = step(k, treeStream, func() (x extension, err error) {
			x.receiver, x.trees, err = ot.NewReceiver(b.Get().pairs, k.random)
			return x, err
		}, b)
	}
	trees := k.message(round, receiver, ot.TreeBytes, func() []byte { return x.Get().trees }, x)
	if k.rank != receiver {
		x = step(k, treeStream, func() (x extension, err error) {
			x.sender, err = ot.NewSender(b.Get().choices, b.Get().keys, trees.Get())
			return x, err
		}, b, trees)
	}
	return x
}

// batchStream is the number of bytes of streams of a batch of n transfers.
func batchStream(n int) int64 { return int64(n) * 16 * 256 / 8 }

// receive makes a batch at its receiver, of which requests take the given number of transfers.
func (k *maker) receive(m *Material, x *flow.Future[extension], round int, batch uint64, n, used int) flow.Dep {
	b := &received{first: len(m.received) * ot.MaxBatch, left: used}
	m.received = append(m.received, b)
	made := step(k, batchStream(n), func() (message []byte, err error) {
		var choices []uint64
		message, choices, b.t = x.Get().receiver.Extend(batch, n)
		b.choices = ring.NewBits(n)
		copy(b.choices.Words(), choices)
		return message, nil
	}, x)
	return k.message(round, k.rank, ot.BatchBytes(n), func() []byte { return made.Get() }, made)
}

// send makes a batch at its sender.
func (k *maker) send(m *Material, x *flow.Future[extension], round int, batch uint64, n, used int) flow.Dep {
	b := &sent{first: len(m.sent) * ot.MaxBatch, left: used}
	m.sent = append(m.sent, b)
	message := k.message(round, 1-k.rank, ot.BatchBytes(n), nil)
	return step(k, batchStream(n), func() (_ struct{}, err error) {
		m.mu.Lock()
		m.delta = x.Get().sender.Delta()
		m.mu.Unlock()
		b.q, err = x.Get().sender.Extend(batch, n, message.Get())
		return struct{}{}, err
	}, x, message)
}

// turned returns base transfers in the other direction: the first transfers of the extension in which rank 0 receives.
// Rank 0, which has choices and one string of each, is the sender of the extension that they begin.
func (k *maker) turned(m *Material, done []flow.Dep) *flow.Future[bases] {
	return step(k, 0, func() (b bases, err error) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if k.rank == 0 {
			c, t := m.cutReceived(0, ot.Bases)
			r := ot.Received{Hash: m.hash, First: directed(0, 0), T: beside(t)}
			words := r.Words(0, ot.Bases, 0, 2)
			b.choices = ot.Block(c.Words())
			for i := range ot.Bases {
				b.keys = append(b.keys, ot.Block(words[2*i:2*i+2]))
			}
			return b, nil
		}
		s := ot.Sent{Hash: m.hash, Delta: m.delta, First: directed(0, 0), Q: beside(m.cutSent(0, ot.Bases))}
		zero, one := s.Words(0, ot.Bases, 0, 2)
		for i := range ot.Bases {
			b.pairs = append(b.pairs, [2]ot.Block{ot.Block(zero[2*i : 2*i+2]), ot.Block(one[2*i : 2*i+2])})
		}
		return b, nil
	}, done...)
}
