package party

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/version"
)

// hello is the first message of a party to another. Its fields are the wire format.
type hello struct {
	// Protocol is the sender's protocol number (package version); 0 from release 0.1.0.
	Protocol int
	Terms    map[string]string
	// Zero is, from a party to each party of higher rank, the seed of the pair's sharings of zero.
	// It is sent in base64, so its length does not depend on its value.
	Zero []byte `json:",omitempty"`
	// Deal is, from the party that deals, the seed that it has in common with the receiver.
	Deal []byte `json:",omitempty"`
	// Order is, from the first party to the other online parties, a seed that these have in common
	// and that no dealer has (protocol.Config.Common).
	Order []byte `json:",omitempty"`
	// Sessions are the ids of the sessions of correlated randomness that the party could use.
	Sessions []string
	// Store is, from a party with a store, how far that store has been used, and Pair how far its pair state has; Known is
	// what the sender remembers of the receiver's, by generation.
	Store *store.Mark `json:",omitempty"`
	Pair  *store.Mark `json:",omitempty"`
	// Keeps is, between computing parties, whether the sender keeps something from one session to the next (Spec.PairState).
	Keeps bool         `json:",omitempty"`
	Known []store.Mark `json:",omitempty"`
}

// handshake compares terms with all other parties, agrees with them on seeds and on a session of
// correlated randomness, and begins that session. When it returns, all parties have begun the
// session and marked it as spent.
func (s *session) handshake(ctx context.Context, draw seeds) error {
	if s.provider == nil {
		_, err := s.exchangeHellos(ctx, hello{Terms: s.terms()}, draw)
		return err
	}
	o := s.newCorrelationRequest()
	ids, err := s.provider.Sessions(o)
	if err != nil {
		return err
	}
	offered := make([]string, min(len(ids), offline.MaxOffered))
	for i := range offered {
		offered[i] = ids[i].String()
	}
	if s.witness, err = s.newWitness(); err != nil {
		return err
	}
	common, err := s.exchangeHellos(ctx, hello{Terms: s.terms(), Sessions: offered}, draw)
	if err != nil {
		return err
	}
	if common, err = s.prunePairState(offered, common); err != nil {
		return err
	}
	if err := s.agreeSession(ctx, common, o); err != nil {
		return err
	}
	if err := s.confirmSession(ctx); err != nil {
		return err
	}
	if err := s.rememberStores(); err != nil {
		return err
	}
	offline.Start(s.correlations)
	return nil
}

// exchangeHellos exchanges hellos and returns the sessions that all parties offer, in this party's
// order.
func (s *session) exchangeHellos(ctx context.Context, mine hello, draw seeds) ([]string, error) {
	mine.Protocol = version.Protocol
	common := mine.Sessions
	var deal []ring.Seed
	deals := s.rank == s.spec.liveDealer()
	if deals {
		s.dealerSeed = draw.dealer(s.rank)
		deal = s.spec.Descriptor().Dealing.Seeds(s.dealerSeed, len(s.spec.Parties))
	}
	if s.rank == 0 {
		s.onlineSeed = draw.zero(0, 0)
	}
	err := s.gather(ctx, stepHello, func(to int) any {
		h := mine
		if s.rank < to {
			seed := draw.zero(s.rank, to)
			h.Zero, s.zero[to] = seed[:], seed
		}
		if deals {
			h.Deal = deal[to][:]
		}
		if s.rank == 0 && to < s.spec.online() {
			h.Order = s.onlineSeed[:]
		}
		h.Keeps = s.keepsPairState() && to < s.spec.online()
		s.fillHello(&h, to)
		return h
	}, func(from int, data []byte) error {
		var h hello
		if err := json.Unmarshal(data, &h); err != nil {
			return fmt.Errorf("party: malformed hello from %s: %w", s.spec.Parties[from], err)
		}
		if err := s.compareProtocol(from, h); err != nil {
			return err
		}
		if err := s.compareTerms(from, mine.Terms, h.Terms); err != nil {
			return err
		}
		if err := s.compareStore(from, h); err != nil {
			return err
		}
		if err := s.keepSeeds(from, h); err != nil {
			return err
		}
		if s.offersNothing(from) {
			return nil
		}
		s.keepsAlone = s.keepsAlone || !h.Keeps
		common = slices.DeleteFunc(slices.Clone(common), func(id string) bool { return !slices.Contains(h.Sessions, id) })
		return nil
	})
	return common, err
}

// keepSeeds stores the seeds of another party's hello.
func (s *session) keepSeeds(from int, h hello) error {
	if from < s.rank {
		if len(h.Zero) != len(ring.Seed{}) {
			return fmt.Errorf("party: %s sent a seed of %d bytes", s.spec.Parties[from], len(h.Zero))
		}
		s.zero[from] = ring.Seed(h.Zero)
	}
	if from == s.spec.liveDealer() {
		if len(h.Deal) != len(ring.Seed{}) {
			return fmt.Errorf("party: %s deals and sent a seed of %d bytes", s.spec.Parties[from], len(h.Deal))
		}
		s.dealerSeed = ring.Seed(h.Deal)
	}
	if from == 0 && s.computes() {
		if len(h.Order) != len(ring.Seed{}) {
			return fmt.Errorf("party: %s sent a common seed of %d bytes", s.spec.Parties[from], len(h.Order))
		}
		s.onlineSeed = ring.Seed(h.Order)
	}
	return nil
}

// predictHandshake adds to the plan what handshake sends when a dealer deals during the run.
func (s *session) predictHandshake() error {
	if s.spec.clear() {
		return nil
	}
	h := hello{
		Protocol: version.Protocol,
		Terms:    s.termsOf([32]byte{}),
		Sessions: []string{correlation.SessionID{}.String()},
	} // all digests have the same length
	var seed ring.Seed
	for to := range s.spec.Parties {
		if to == s.rank {
			continue
		}
		mine := h
		for _, id := range s.offers {
			mine.Sessions = append(slices.Clone(mine.Sessions), id.String())
		}
		if s.rank < to {
			mine.Zero = seed[:]
		}
		if s.rank == s.spec.liveDealer() {
			mine.Deal = seed[:]
		}
		if s.rank == 0 && to < s.spec.online() {
			mine.Order = seed[:]
		}
		mine.Keeps = s.keepsPairState() && to < s.spec.online()
		messages := []any{mine, h.Sessions[0]}
		if s.rank == 0 {
			messages = append(messages, h.Sessions[0])
		}
		for _, m := range messages {
			data, err := json.Marshal(m)
			if err != nil {
				return err
			}
			s.plan.Phases[link.Setup].Bytes.Add(int64(len(data)))
			s.plan.Phases[link.Setup].Messages.Add(1)
		}
	}
	s.plan.Rounds[link.Setup] = setupRounds
	return nil
}

// derivedTerm returns 1 for terms that follow from others, else 0. If those differ too, an error
// names them first.
func derivedTerm(term string) int {
	if term == "order" || term == "choices" {
		return 1
	}
	return 0
}

// compareProtocol returns an error if another party runs another protocol number.
func (s *session) compareProtocol(from int, h hello) error {
	self, name := s.spec.Parties[s.rank], s.spec.Parties[from]
	other := version.Other(name, name+"'s tacet", h.Protocol, h.Terms[versionTerm])
	if err := version.Mismatch(version.Self(self, self+"'s tacet"), other); err != nil {
		return fmt.Errorf("party: %w", err)
	}
	return nil
}

// compareTerms returns an error that names the first term in which another party differs.
func (s *session) compareTerms(from int, mine, theirs map[string]string) error {
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
		return cmp.Or(cmp.Compare(derivedTerm(a), derivedTerm(b)), strings.Compare(a, b))
	})
	for _, k := range names {
		if mine[k] != theirs[k] {
			return fmt.Errorf("party: %s and %s differ in %s: %q and %q", s.spec.Parties[s.rank], s.spec.Parties[from], k, mine[k], theirs[k])
		}
	}
	return nil
}
