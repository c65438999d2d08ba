package party

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party/offline"
)

// ErrNoCommonSession is the error of a run whose parties have sessions of correlated randomness in their stores,
// but no session that is ready at all of them.
var ErrNoCommonSession = errors.New("party: no session of correlated randomness is ready at every party")

// agreeSession begins one of the sessions in common, which all parties offer. The first party
// chooses the first that it can begin; the others follow.
func (s *session) agreeSession(ctx context.Context, common []string, o *offline.Request) error {
	if len(common) == 0 {
		return ErrNoCommonSession
	}
	if s.rank == 0 {
		return s.chooseSession(ctx, common, o)
	}
	var id string
	err := s.receive(ctx, stepChoice, []int{0}, func(_ int, data []byte) error { return json.Unmarshal(data, &id) })
	if err != nil {
		return err
	}
	if !slices.Contains(common, id) && !s.offersNothing(s.rank) {
		return fmt.Errorf("party: %s chose session %.40q, which not all parties offered", s.spec.Parties[0], id)
	}
	parsed, err := correlation.ParseSessionID(id)
	if err != nil {
		return err
	}
	if err := s.beginSession(parsed, o); err != nil {
		return fmt.Errorf("party: session %s, begun by %s: %w", id, s.spec.Parties[0], s.beginError(err))
	}
	return nil
}

// confirmSession checks that all parties have begun the same session.
func (s *session) confirmSession(ctx context.Context) error {
	if err := s.updateMark(); err != nil {
		return err
	}
	mine := s.sessionID.String()
	return s.gather(ctx, stepBegun, s.begunMessage, func(from int, data []byte) error {
		if theirs, err := s.readBegun(from, data); err != nil || theirs != mine {
			return fmt.Errorf("party: %s and %s have begun different sessions: %s and %.40q", s.spec.Parties[s.rank], s.spec.Parties[from], mine, theirs)
		}
		return nil
	})
}

// chooseSession begins the first session that no other run has taken meanwhile, and sends its id to
// the other parties.
func (s *session) chooseSession(ctx context.Context, common []string, o *offline.Request) error {
	for _, id := range common {
		parsed, err := correlation.ParseSessionID(id)
		if err != nil {
			return err
		}
		err = s.beginSession(parsed, o)
		if errors.Is(err, offline.ErrTaken) {
			continue
		}
		if err != nil {
			return err
		}
		for _, to := range s.others() {
			if err := s.send(to, stepChoice, id); err != nil {
				return err
			}
		}
		return nil
	}
	return offline.ErrTaken
}
