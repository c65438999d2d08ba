package party

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// supplier is where one party's correlated randomness comes from. A party asks
// which sessions it could use; when all parties have agreed on one, each
// begins it.
type supplier interface {
	// sessions lists what the party could use for an order, first what should
	// be used first. None is an error, which says what is missing.
	sessions(o *order) ([]correlation.SessionID, error)
	// begin takes a session: once it returns no other run will ever have it,
	// whatever becomes of this one. errTaken says that another run was
	// faster.
	begin(ctx context.Context, id correlation.SessionID, o *order) (material, error)
	// further has what further orders ask for made in the session that gave
	// first, one after the other, which all parties do, and none before those
	// before are complete.
	further(ctx context.Context, first material, orders []*order) ([]material, error)
}

// errTaken says that a session that was there is in other hands by now.
var errTaken = errors.New("party: session was taken by another run")

// order is what a party asks a supplier for.
type order struct {
	form *correlation.Form
	// terms are what the form follows from: what is made under other terms
	// does not fit.
	terms map[string]string
	// lead is how long corrections may still be coming in when the online phase
	// begins.
	lead time.Duration
}

// material is one party's correlated randomness of a session that has begun.
type material interface {
	// seed is the one that the party has in common with the dealer; a party
	// that deals has one of its own, from which those follow.
	seed() ring.Seed
	// corrections are the dealer's, at the party that gets them.
	corrections() correlation.Corrections
	// ready returns when what is still to come will come ahead of need.
	ready(ctx context.Context) error
	// finish returns when the party has sent what others wait for of it.
	finish(ctx context.Context) error
	// complete returns when all has come, or been sent.
	complete(ctx context.Context) error
	// close ends the session. What is left of it is destroyed.
	close() error
	// took is how long the corrections were on their way, once the session is
	// closed; 0 of what was there before.
	took() time.Duration
}

// leadShare is which share of the time that the online rounds take at least the
// corrections' tail may take. Whatever is needed when, it adds no more than
// that to the online phase.
const leadShare = 8

// order is what the session asks for. Its terms are those that the form depends
// on: not who learns results.
func (s *session) order() *order {
	o := &order{form: s.plan.form, terms: s.terms()}
	delete(o.terms, "reveal")
	delete(o.terms, "reveals")
	maps.DeleteFunc(o.terms, func(term, _ string) bool { return strings.HasPrefix(term, whichKept) })
	o.lead = s.tail()
	return o
}

func (s *session) tail() time.Duration {
	return time.Duration(s.plan.rounds[link.Online]) * s.spec.shape().RoundTrip / 2 / leadShare
}

// begin takes a session from the supplier.
func (s *session) begin(ctx context.Context, id correlation.SessionID, o *order) error {
	m, err := s.supplier.begin(ctx, id, o)
	if err != nil {
		return err
	}
	s.begun = id
	s.has(m)
	return nil
}

// has gives the session its source of correlated randomness, which gives the ids
// of its turn alone.
func (s *session) has(m material) {
	s.material = m
	s.meter = &meter{Corrections: m.corrections(), byOp: map[uint32]int64{}}
	if s.deals() {
		masker := correlation.NewMasker(aby3.Seeds(m.seed(), aby3.Computing))
		masker.Within(s.first, s.first+s.plan.ids)
		s.source = masker
		return
	}
	source := correlation.NewParty(s.rank, s.spec.online(), m.seed(), s.meter)
	source.Within(s.first, s.first+s.plan.ids)
	s.source = source
}

// meter counts the corrections that a party takes.
type meter struct {
	correlation.Corrections
	mu    sync.Mutex
	bytes int64
	byOp  map[uint32]int64
}

// Take gives a correction.
func (m *meter) Take(id correlation.ID) ([]byte, error) {
	data, err := m.Corrections.Take(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes += int64(len(data))
	m.byOp[id.Op()] += int64(len(data))
	return data, err
}

// dealtCost is what of the corrections a party took.
type dealtCost struct {
	Bytes   int64
	ByEntry []int64 `json:",omitempty"` // of the party's books
}

// cost adds up by entry of the books, whose first instance has a number.
func (m *meter) cost(books *exec.Costs, first uint32) dealtCost {
	at := map[*exec.OpCost]int{}
	for i, e := range books.Ops {
		at[e] = i
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := dealtCost{m.bytes, make([]int64, len(books.Ops))}
	for op, n := range m.byOp {
		if e := books.Of(op - first); e != nil {
			c.ByEntry[at[e]] += n
		}
	}
	return c
}
