package party

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Version is compared between parties before anything is shared.
var Version = "0.1.0"

// hello is the first message of a party to another.
type hello struct {
	Terms map[string]string
	// Zero is, from a party to those of higher rank, the seed from which the
	// two make sharings of zero; in base64, so that its text is as long
	// whatever it is.
	Zero []byte `json:",omitempty"`
	// Deal is, from a party that deals, the seed that it has in common with the
	// receiver.
	Deal []byte `json:",omitempty"`
	// Order is, from the first party to others that compute online, a seed that
	// all of these have in common and no dealer has: of orders.
	Order []byte `json:",omitempty"`
	// Sessions are those of correlated randomness that the party could use.
	Sessions []string
}

// handshake compares terms with all other parties, agrees on seeds and on a
// session of correlated randomness, and begins that. When it returns, all
// parties have it, and have marked it as spent.
func (s *session) handshake(ctx context.Context, draw seeds) error {
	if s.supplier == nil {
		_, err := s.greet(ctx, hello{Terms: s.terms()}, draw)
		return err
	}
	o := s.order()
	ids, err := s.supplier.sessions(o)
	if err != nil {
		return err
	}
	offered := make([]string, min(len(ids), maxOffered))
	for i := range offered {
		offered[i] = ids[i].String()
	}
	common, err := s.greet(ctx, hello{Terms: s.terms(), Sessions: offered}, draw)
	if err != nil {
		return err
	}
	if err := s.agree(ctx, common, o); err != nil {
		return err
	}
	return s.confirm(ctx)
}

// greet exchanges greetings and returns the sessions that all parties offer,
// in the party's own order.
func (s *session) greet(ctx context.Context, mine hello, draw seeds) ([]string, error) {
	common := mine.Sessions
	var deal []ring.Seed
	deals := s.rank == s.spec.atWork()
	if deals {
		s.common = draw.dealer(s.rank)
		deal = aby3.Seeds(s.common, len(s.spec.Parties))
	}
	if s.rank == 0 {
		s.orders = draw.zero(0, 0)
	}
	err := s.gather(ctx, greeting, func(to int) any {
		h := mine
		if s.rank < to {
			seed := draw.zero(s.rank, to)
			h.Zero, s.zero[to] = seed[:], seed
		}
		if deals {
			h.Deal = deal[to][:]
		}
		if s.rank == 0 && to < s.spec.online() {
			h.Order = s.orders[:]
		}
		return h
	}, func(from int, data []byte) error {
		var h hello
		if err := json.Unmarshal(data, &h); err != nil {
			return fmt.Errorf("party: %s sent no greeting: %w", s.spec.Parties[from], err)
		}
		if err := s.compare(from, mine.Terms, h.Terms); err != nil {
			return err
		}
		if err := s.given(from, h); err != nil {
			return err
		}
		common = slices.DeleteFunc(slices.Clone(common), func(id string) bool { return !slices.Contains(h.Sessions, id) })
		return nil
	})
	return common, err
}

// given keeps the seeds that are another party's to give.
func (s *session) given(from int, h hello) error {
	if from < s.rank {
		if len(h.Zero) != len(ring.Seed{}) {
			return fmt.Errorf("party: %s sent a seed of %d bytes", s.spec.Parties[from], len(h.Zero))
		}
		s.zero[from] = ring.Seed(h.Zero)
	}
	if from == s.spec.atWork() {
		if len(h.Deal) != len(ring.Seed{}) {
			return fmt.Errorf("party: %s deals and sent a seed of %d bytes", s.spec.Parties[from], len(h.Deal))
		}
		s.common = ring.Seed(h.Deal)
	}
	if from == 0 && s.computes() {
		if len(h.Order) != len(ring.Seed{}) {
			return fmt.Errorf("party: %s sent a seed of orders of %d bytes", s.spec.Parties[from], len(h.Order))
		}
		s.orders = ring.Seed(h.Order)
	}
	return nil
}

// expectHandshake counts in a plan what handshake will send with a dealer at
// work.
func (s *session) expectHandshake() error {
	if s.spec.Protocol == "plain" {
		return nil
	}
	h := hello{Terms: s.termsOf([32]byte{}), Sessions: []string{correlation.SessionID{}.String()}} // digests are equally long
	var seed ring.Seed
	for to := range s.spec.Parties {
		if to == s.rank {
			continue
		}
		mine := h
		if s.rank < to {
			mine.Zero = seed[:]
		}
		if s.rank == s.spec.atWork() {
			mine.Deal = seed[:]
		}
		if s.rank == 0 && to < s.spec.online() {
			mine.Order = seed[:]
		}
		messages := []any{mine, h.Sessions[0]}
		if s.rank == 0 {
			messages = append(messages, h.Sessions[0])
		}
		for _, m := range messages {
			data, err := json.Marshal(m)
			if err != nil {
				return err
			}
			s.plan.phases[link.Setup].Bytes.Add(int64(len(data)))
			s.plan.phases[link.Setup].Messages.Add(1)
		}
	}
	s.plan.rounds[link.Setup] = setupRounds
	return nil
}

// consequence is 1 of terms that differ because others do, which are named
// first.
func consequence(term string) int {
	if term == "order" || term == "choices" {
		return 1
	}
	return 0
}

// compare names the first term on which another party differs.
func (s *session) compare(from int, mine, theirs map[string]string) error {
	var names []string
	for k := range mine {
		names = append(names, k)
	}
	for k := range theirs {
		if _, ok := mine[k]; !ok {
			names = append(names, k)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(consequence(a), consequence(b)), strings.Compare(a, b))
	})
	for _, k := range names {
		if mine[k] != theirs[k] {
			return fmt.Errorf("party: %s and %s differ in %s: %q and %q", s.spec.Parties[s.rank], s.spec.Parties[from], k, mine[k], theirs[k])
		}
	}
	return nil
}
