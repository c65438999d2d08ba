package party

import (
	"context"
	"encoding/json"
	"fmt"
	"sort"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// Version is compared between parties before anything is shared.
const Version = "0.1.0"

// hello is the first message of a party to another.
type hello struct {
	Terms map[string]string
	// Zero is, from a party to those of higher rank, the seed from which the
	// two make sharings of zero; in base64, so that its text is as long
	// whatever it is.
	Zero []byte `json:",omitempty"`
}

// greeting is the message to another party, and the seed in it.
func (s *session) greeting(to int, terms map[string]string, zero func(i, j int) ring.Seed) ([]byte, ring.Seed, error) {
	h := hello{Terms: terms}
	var seed ring.Seed
	if s.rank < to {
		seed = zero(s.rank, to)
		h.Zero = seed[:]
	}
	data, err := json.Marshal(h)
	return data, seed, err
}

// handshake compares terms with all other parties and agrees on seeds.
func (s *session) handshake(ctx context.Context, zero func(i, j int) ring.Seed) error {
	mine := s.terms()
	key := link.Key{Phase: link.Setup}
	type answer struct {
		from int
		msg  link.Message
		err  error
	}
	answers := make(chan answer, s.link.Size())
	for i := range s.link.Size() {
		if i == s.rank {
			continue
		}
		data, seed, err := s.greeting(i, mine, zero)
		if err != nil {
			return err
		}
		if s.rank < i {
			s.zero[i] = seed
		}
		s.phases[link.Setup].Bytes.Add(int64(len(data)))
		s.phases[link.Setup].Messages.Add(1)
		s.rounds[link.Setup] = 1
		s.link.Send(i, key, 0, data)
		s.link.Await(i, key, func(m link.Message, err error) { answers <- answer{i, m, err} })
	}
	for range s.link.Size() - 1 {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case a := <-answers:
			if a.err != nil {
				return a.err
			}
			var h hello
			if err := json.Unmarshal(a.msg.Data, &h); err != nil {
				return fmt.Errorf("party: %s sent no greeting: %w", s.spec.Parties[a.from], err)
			}
			if err := s.compare(a.from, mine, h.Terms); err != nil {
				return err
			}
			if a.from < s.rank && len(h.Zero) != len(ring.Seed{}) {
				return fmt.Errorf("party: %s sent a seed of %d bytes", s.spec.Parties[a.from], len(h.Zero))
			}
			if a.from < s.rank {
				s.zero[a.from] = ring.Seed(h.Zero)
			}
		}
	}
	return nil
}

// expectGreetings counts in a plan what handshake will send.
func (s *session) expectGreetings() error {
	terms := s.terms()
	for i := range s.spec.Parties {
		if i == s.rank || s.spec.Protocol == "plain" {
			continue
		}
		data, _, err := s.greeting(i, terms, func(int, int) ring.Seed { return ring.Seed{} })
		if err != nil {
			return err
		}
		s.plan.phases[link.Setup].Bytes.Add(int64(len(data)))
		s.plan.rounds[link.Setup] = 1
	}
	return nil
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
	sort.Strings(names)
	for _, k := range names {
		if mine[k] != theirs[k] {
			return fmt.Errorf("party: %s and %s differ in %s: %q and %q", s.spec.Parties[s.rank], s.spec.Parties[from], k, mine[k], theirs[k])
		}
	}
	return nil
}
