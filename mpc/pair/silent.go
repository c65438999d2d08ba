package pair

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// silentStream is the work of a transfer that a round makes, in bytes of pseudo-random streams that take as long.
const silentStream = 300

// grown is one party's side of transfers: choices at the receiver.
type grown struct {
	choices ring.Bits
	blocks  []ot.Block
	message []byte
}

// silent runs the rounds of a chain on the transfers that SoftSpoken made, which are those of m until then, and puts the
// front and what the rounds make into m instead. All messages go from the sender, which waits for none of the receiver's
// but those of SoftSpoken.
func (k *maker) silent(m *Material, x *flow.Future[extension], receiver int, c chain, extended []flow.Dep) []flow.Dep {
	all := step(k, 0, func() (grown, error) { return k.cut(m, receiver, 0, c.extended), nil }, extended...)
	front := step(k, 0, func() (grown, error) { return all.Get().slice(0, c.front), nil }, all)
	pool := step(k, 0, func() (grown, error) { return all.Get().slice(c.front, c.extended), nil }, all)
	parts := []*flow.Future[grown]{front}
	for _, s := range c.rounds {
		before := pool
		if k.rank == receiver {
			message := k.message(4+receiver, 1-receiver, s.Bytes(), nil)
			pool = step(k, silentStream*int64(s.Made()), func() (g grown, err error) {
				from := before.Get()
				g.choices, g.blocks, err = s.SilentReceive(from.choices, from.blocks, message.Get())
				return g, err
			}, before, message)
		} else {
			pool = step(k, silentStream*int64(s.Made()), func() (g grown, err error) {
				g.blocks, g.message, err = s.SilentSend(x.Get().sender.Delta(), before.Get().blocks, k.random)
				return g, err
			}, before)
			made := pool
			k.message(4+receiver, 1-receiver, s.Bytes(), func() []byte { return made.Get().message }, made)
		}
		// what this round takes is no part of what is given; what it leaves of the round before is
		if taken := s.Takes(); len(parts) > 1 {
			last := parts[len(parts)-1]
			parts[len(parts)-1] = step(k, 0, func() (grown, error) { return last.Get().slice(taken, len(last.Get().blocks)), nil }, last)
		}
		parts = append(parts, pool)
	}
	deps := []flow.Dep{}
	for _, p := range parts {
		deps = append(deps, p)
	}
	return []flow.Dep{step(k, 0, func() (_ struct{}, err error) {
		var all grown
		n := c.front + k.demand.total[receiver]
		all.choices = ring.NewBits((n + ot.Granule - 1) / ot.Granule * ot.Granule)
		for _, p := range parts {
			g := p.Get()
			take := min(len(g.blocks), n-len(all.blocks))
			if k.rank == receiver {
				ring.CopyBits(all.choices, len(all.blocks), g.choices, 0, take)
			}
			all.blocks = append(all.blocks, g.blocks[:take]...)
		}
		k.put(m, receiver, all)
		return struct{}{}, nil
	}, deps...)}
}

// slice is a part of transfers.
func (g grown) slice(lo, hi int) grown {
	out := grown{blocks: g.blocks[lo:hi]}
	if g.choices.Len() > 0 {
		out.choices = ring.NewBits(hi - lo)
		ring.CopyBits(out.choices, 0, g.choices, lo, hi-lo)
	}
	return out
}

// cut takes n transfers from lo on out of m.
func (k *maker) cut(m *Material, receiver, lo, n int) grown {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k.rank == receiver {
		c, t := m.cutReceived(lo, n)
		return grown{choices: c, blocks: t}
	}
	return grown{blocks: m.cutSent(lo, n).Q}
}

// put makes all what m has of a direction.
func (k *maker) put(m *Material, receiver int, all grown) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.received, m.sent = pick(k.rank == receiver, []*received{}, m.received), pick(k.rank == receiver, m.sent, []*sent{})
	words := all.choices.Words()
	for lo := 0; lo < len(all.blocks); lo += ot.MaxBatch {
		hi := min(lo+ot.MaxBatch, len(all.blocks))
		if k.rank == receiver {
			m.received = append(m.received, &received{choices: words[lo/64 : (hi+63)/64], t: all.blocks[lo:hi], left: hi - lo})
		} else {
			m.sent = append(m.sent, &sent{q: all.blocks[lo:hi], left: hi - lo})
		}
	}
}

// pick returns a or b.
func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
