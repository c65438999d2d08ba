package party

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/link"
)

// Steps number the messages of the setup phase. These are the handshake's:
const (
	stepHello  = iota // hello, from each party to each other party
	stepChoice        // id of the session that the first party began, from that party
	stepBegun         // id of the session that each party began

	setupRounds = stepBegun + 1

	// Between parties in different processes:
	stepReady   = iota - 1 // the party is ready for the online phase
	stepTallies            // costs of a party that has finished

	// Of services:
	stepRequests // the party prepares requests
	stepVote     // whether the party takes part in a request
	stepNever    // never sent: waiting for it reports the end of the connection

	// Of runs that may resume, before all others:
	stepCheckpoints // list of the party's checkpoints

	// Of services with several programs:
	stepBatch // names of the programs of a batch's requests

	requestRounds = 1
)

// gather sends every other party a message of a step and calls f with each of theirs.
func (s *session) gather(ctx context.Context, step uint32, message func(to int) any, f func(from int, data []byte) error) error {
	others := s.others()
	for _, to := range others {
		if err := s.send(to, step, message(to)); err != nil {
			return err
		}
	}
	return s.receive(ctx, step, others, f)
}

// others returns the ranks of the other parties, ascending.
func (s *session) others() []int {
	var out []int
	for i := range s.link.Size() {
		if i != s.rank {
			out = append(out, i)
		}
	}
	return out
}

// send sends a message of a step as JSON.
func (s *session) send(to int, step uint32, message any) error {
	data, err := json.Marshal(message)
	if err == nil {
		s.measured.Phases[link.Setup].Bytes.Add(int64(len(data)))
		s.measured.Phases[link.Setup].Messages.Add(1)
		s.measured.Rounds[link.Setup] = setupRounds
		if s.setupOp > 0 {
			s.measured.Rounds[link.Setup] = requestRounds
		}
		s.link.Send(to, s.key(step), 0, data)
	}
	return err
}

// key is the address of a message of a step.
func (s *session) key(step uint32) link.Key {
	return link.Key{Phase: link.Setup, Op: s.setupOp, Step: step}
}

// maxStructure bounds the structural characters of a setup message: the costs of 100,000 operations.
const maxStructure = 1 << 21

// receive calls f with each party's message of a step, in the order of arrival.
func (s *session) receive(ctx context.Context, step uint32, froms []int, f func(from int, data []byte) error) error {
	type answer struct {
		from int
		msg  link.Message
		err  error
	}
	answers := make(chan answer, len(froms))
	for _, i := range froms {
		s.link.Await(i, s.key(step), func(m link.Message, err error) { answers <- answer{i, m, err} })
	}
	for range froms {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case a := <-answers:
			if a.err != nil {
				return a.err
			}
			if err := jsonlimit.Check(a.msg.Data, jsonlimit.Of(maxStructure)); err != nil {
				return fmt.Errorf("party: a message of the setup from %s: %w", s.spec.Parties[a.from], err)
			}
			if err := f(a.from, a.msg.Data); err != nil {
				return err
			}
		}
	}
	return nil
}
