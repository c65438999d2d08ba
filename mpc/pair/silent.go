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
}

// pool is one party's side of transfers whose blocks are in several lists, one after the other, and the message to the receiver with
// which they were made.
type pool struct {
	choices ring.Bits
	blocks  [][]ot.Block
	message []byte
}

// len returns the number of transfers.
func (p pool) len() (n int) {
	for _, b := range p.blocks {
		n += len(b)
	}
	return n
}

// silent adds the transfers that were kept to those that SoftSpoken made, which are those of m until then, runs the rounds
// of a chain on them, and puts the front and what is there in the end into m instead; the rest is left for a later session.
// round is that of the messages of SoftSpoken. All other messages go from the sender, which waits for none of the
// receiver's but those of SoftSpoken.
func (k *maker) silent(m *Material, x *flow.Future[extension], receiver int, c chain, round int, extended []flow.Dep) []flow.Dep {
	before := k.state.way[receiver]
	if c.extended == 0 {
		round = 0
	}
	all := step(k, 0, func() (pool, error) {
		made := k.cut(m, receiver, 0, c.extended)
		both := []pool{before.pool(), made}
		return joined(k.rank == receiver, both, 0, both[0].len()+both[1].len()).pool(), nil
	}, extended...)
	front := step(k, 0, func() (pool, error) { return all.Get().slice(0, c.front), nil }, all)
	last := step(k, 0, func() (pool, error) { return all.Get().slice(c.front, all.Get().len()), nil }, all)
	parts := []*flow.Future[pool]{front, last}
	for _, s := range c.rounds {
		before := last
		if k.rank == receiver {
			message := k.message(round+1, 1-receiver, s.Bytes(), nil)
			last = step(k, silentStream*int64(s.Made()), func() (p pool, err error) {
				from := before.Get()
				p.choices, p.blocks, err = s.SilentReceive(from.choices, from.first(s.Takes()), message.Get())
				return p, err
			}, before, message)
		} else {
			last = step(k, silentStream*int64(s.Made()), func() (p pool, err error) {
				p.blocks, p.message, err = s.SilentSend(x.Get().sender.Delta(), before.Get().first(s.Takes()), k.random)
				return p, err
			}, before, x)
			made := last
			k.message(round+1, 1-receiver, s.Bytes(), func() []byte { return made.Get().message }, made)
		}
		// what this round takes is no part of what is given; what it leaves of those before is
		taken := s.Takes()
		parts[len(parts)-1] = step(k, 0, func() (pool, error) { return before.Get().slice(taken, before.Get().len()), nil }, before)
		parts = append(parts, last)
	}
	deps := []flow.Dep{x}
	for _, p := range parts {
		deps = append(deps, p)
	}
	return []flow.Dep{step(k, 0, func() (_ struct{}, err error) {
		var all []pool
		have := 0
		for _, p := range parts {
			all = append(all, p.Get())
			have += p.Get().len()
		}
		receives, n := k.rank == receiver, c.front+k.demand.total[receiver]
		used := n
		if k.ahead {
			used = c.front
		}
		k.put(m, receiver, x.Get(), all, used)
		if k.keep {
			after := way{receiver: x.Get().receiver, sender: x.Get().sender, batch: before.batch + uint64(len(batches(c.extended)))}
			from, to := n, min(have, n+mostLeft)
			if k.ahead {
				from, to = c.front, n
			}
			after.grown = joined(receives, all, from, to)
			m.mu.Lock()
			defer m.mu.Unlock()
			m.next.way[receiver] = after
		}
		return struct{}{}, nil
	}, deps...)}
}

// joined returns transfers lo to hi−1 of several pools, one after the other. receives says that they have choices.
func joined(receives bool, list []pool, lo, hi int) grown {
	out := grown{blocks: make([]ot.Block, 0, hi-lo)}
	if receives {
		out.choices = ring.NewBits(hi - lo)
	}
	at := 0 // the position of the first one of p
	for _, p := range list {
		n := p.len()
		from, to := max(lo, at)-at, min(hi, at+n)-at
		if from < to {
			if receives {
				ring.CopyBits(out.choices, len(out.blocks), p.choices, from, to-from)
			}
			for _, b := range p.between(from, to) {
				out.blocks = append(out.blocks, b...)
			}
		}
		at += n
	}
	return out
}

// pool returns g as a pool of one list.
func (g grown) pool() pool { return pool{choices: g.choices, blocks: [][]ot.Block{g.blocks}} }

// between returns the blocks of transfers lo to hi−1.
func (p pool) between(lo, hi int) (out [][]ot.Block) {
	at := 0
	for _, b := range p.blocks {
		if from, to := max(lo-at, 0), min(hi-at, len(b)); from < to {
			out = append(out, b[from:to:to])
		}
		at += len(b)
	}
	return out
}

// first returns the blocks of the first n transfers in one list.
func (p pool) first(n int) []ot.Block { return beside(p.between(0, n)) }

// slice is a part of transfers.
func (p pool) slice(lo, hi int) pool {
	out := pool{blocks: p.between(lo, hi)}
	if p.choices.Len() > 0 {
		out.choices = ring.NewBits(hi - lo)
		ring.CopyBits(out.choices, 0, p.choices, lo, hi-lo)
	}
	return out
}

// cut takes n transfers from lo on out of m.
func (k *maker) cut(m *Material, receiver, lo, n int) pool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k.rank == receiver {
		c, t := m.cutReceived(lo, n)
		return pool{choices: c, blocks: t}
	}
	return pool{blocks: m.cutSent(lo, n)}
}

// put makes the first n of several pools of transfers what m has of a direction, whose extension is x.
func (k *maker) put(m *Material, receiver int, x extension, all []pool, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if x.sender != nil {
		m.delta = x.sender.Delta()
	}
	m.received, m.sent = pick(k.rank == receiver, []*received{}, m.received), pick(k.rank == receiver, m.sent, []*sent{})
	at := 0
	for _, p := range all {
		chosen := 0
		for _, b := range p.blocks {
			here := min(len(b), n-at)
			if here == 0 {
				continue
			}
			if k.rank == receiver {
				m.received = append(m.received, &received{choices: p.choices, chosen: chosen, t: b[:here:here], first: at, left: here})
			} else {
				m.sent = append(m.sent, &sent{q: b[:here:here], first: at, left: here})
			}
			at, chosen = at+here, chosen+here
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
