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
	// two make sharings of zero.
	Zero ring.Seed
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
		h := hello{Terms: mine}
		if s.rank < i {
			h.Zero = zero(s.rank, i)
			s.zero[i] = h.Zero
		}
		data, err := json.Marshal(h)
		if err != nil {
			return err
		}
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
			if a.from < s.rank {
				s.zero[a.from] = h.Zero
			}
		}
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
