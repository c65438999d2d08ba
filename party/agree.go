package party

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// maxOffered bounds how many sessions a party offers.
const maxOffered = 1000

// ErrNoCommon says that parties have sessions, but none is everybody's.
var ErrNoCommon = errors.New("party: no session of correlated randomness is ready at every party")

// agree begins one of the sessions that all parties offer: the first that the
// first party can have. Everybody follows it.
func (s *session) agree(ctx context.Context, common []string, o *order) error {
	if len(common) == 0 {
		return ErrNoCommon
	}
	if s.rank == 0 {
		return s.lead(ctx, common, o)
	}
	var id string
	err := s.receive(ctx, choice, []int{0}, func(_ int, data []byte) error { return json.Unmarshal(data, &id) })
	if err != nil {
		return err
	}
	if !slices.Contains(common, id) {
		return fmt.Errorf("party: %s chose session %.40q, which not all have offered", s.spec.Parties[0], id)
	}
	parsed, err := correlation.ParseSessionID(id)
	if err != nil {
		return err
	}
	if err := s.begin(ctx, parsed, o); err != nil {
		return fmt.Errorf("party: session %s, which %s has begun: %w", id, s.spec.Parties[0], err)
	}
	return nil
}

// confirm compares what all parties have begun.
func (s *session) confirm(ctx context.Context) error {
	mine := s.begun.String()
	return s.gather(ctx, begun, func(int) any { return mine }, func(from int, data []byte) error {
		var theirs string
		if err := json.Unmarshal(data, &theirs); err != nil || theirs != mine {
			return fmt.Errorf("party: %s and %s have begun different sessions: %s and %.40q", s.spec.Parties[s.rank], s.spec.Parties[from], mine, theirs)
		}
		return nil
	})
}

// lead begins the first session that no other run takes meanwhile, and says
// which.
func (s *session) lead(ctx context.Context, common []string, o *order) error {
	for _, id := range common {
		parsed, err := correlation.ParseSessionID(id)
		if err != nil {
			return err
		}
		err = s.begin(ctx, parsed, o)
		if errors.Is(err, errTaken) {
			continue
		}
		if err != nil {
			return err
		}
		for _, to := range s.others() {
			if err := s.send(to, choice, id); err != nil {
				return err
			}
		}
		return nil
	}
	return errTaken
}
