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

// silent adds the transfers that were kept to those that SoftSpoken made, which are those of m until then, runs the rounds
// of a chain on them, and puts the front and what is there in the end into m instead; the rest is left for a later session.
// round is that of the messages of SoftSpoken. All other messages go from the sender, which waits for none of the
// receiver's but those of SoftSpoken.
func (k *maker) silent(m *Material, x *flow.Future[extension], receiver int, c chain, round int, extended []flow.Dep) []flow.Dep {
	before := k.state.way[receiver]
	if c.extended == 0 {
		round = 0
	}
	all := step(k, 0, func() (grown, error) {
		made := k.cut(m, receiver, 0, c.extended)
		return joined(k.rank == receiver, []grown{before.grown, made}, 0, len(before.blocks)+len(made.blocks)), nil
	}, extended...)
	front := step(k, 0, func() (grown, error) { return all.Get().slice(0, c.front), nil }, all)
	pool := step(k, 0, func() (grown, error) { return all.Get().slice(c.front, len(all.Get().blocks)), nil }, all)
	parts := []*flow.Future[grown]{front, pool}
	for _, s := range c.rounds {
		before := pool
		if k.rank == receiver {
			message := k.message(round+1, 1-receiver, s.Bytes(), nil)
			pool = step(k, silentStream*int64(s.Made()), func() (g grown, err error) {
				from := before.Get()
				g.choices, g.blocks, err = s.SilentReceive(from.choices, from.blocks, message.Get())
				return g, err
			}, before, message)
		} else {
			pool = step(k, silentStream*int64(s.Made()), func() (g grown, err error) {
				g.blocks, g.message, err = s.SilentSend(x.Get().sender.Delta(), before.Get().blocks, k.random)
				return g, err
			}, before, x)
			made := pool
			k.message(round+1, 1-receiver, s.Bytes(), func() []byte { return made.Get().message }, made)
		}
		// what this round takes is no part of what is given; what it leaves of those before is
		last, taken := parts[len(parts)-1], s.Takes()
		parts[len(parts)-1] = step(k, 0, func() (grown, error) { return last.Get().slice(taken, len(last.Get().blocks)), nil }, last)
		parts = append(parts, pool)
	}
	deps := []flow.Dep{x}
	for _, p := range parts {
		deps = append(deps, p)
	}
	return []flow.Dep{step(k, 0, func() (_ struct{}, err error) {
		var all []grown
		have := 0
		for _, p := range parts {
			all = append(all, p.Get())
			have += len(p.Get().blocks)
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

// joined returns transfers lo to hi−1 of several lists, one after the other. receives says that they have choices.
func joined(receives bool, list []grown, lo, hi int) grown {
	out := grown{blocks: make([]ot.Block, 0, hi-lo)}
	if receives {
		out.choices = ring.NewBits(hi - lo)
	}
	at := 0 // the position of the first one of g
	for _, g := range list {
		from, to := max(lo, at)-at, min(hi, at+len(g.blocks))-at
		if from < to {
			if receives {
				ring.CopyBits(out.choices, len(out.blocks), g.choices, from, to-from)
			}
			out.blocks = append(out.blocks, g.blocks[from:to]...)
		}
		at += len(g.blocks)
	}
	return out
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
		return grown{choices: c, blocks: beside(t)}
	}
	return grown{blocks: beside(m.cutSent(lo, n))}
}

// put makes the first n of several lists of transfers what m has of a direction, whose extension is x.
func (k *maker) put(m *Material, receiver int, x extension, all []grown, n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if x.sender != nil {
		m.delta = x.sender.Delta()
	}
	m.received, m.sent = pick(k.rank == receiver, []*received{}, m.received), pick(k.rank == receiver, m.sent, []*sent{})
	at := 0
	for _, g := range all {
		here := min(len(g.blocks), n-at)
		if here == 0 {
			continue
		}
		if k.rank == receiver {
			m.received = append(m.received, &received{choices: g.choices, t: g.blocks[:here:here], first: at, left: here})
		} else {
			m.sent = append(m.sent, &sent{q: g.blocks[:here:here], first: at, left: here})
		}
		at += here
	}
}

// pick returns a or b.
func pick[T any](first bool, a, b T) T {
	if first {
		return a
	}
	return b
}
