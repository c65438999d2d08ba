package party

import (
	"context"
	"encoding/json"

	"github.com/tacet-mpc/tacet/link"
)

// The steps of the handshake.
const (
	greeting = iota // everybody's hello to everybody
	choice          // the session that the first party began
	begun           // the session that each party began

	setupRounds = begun + 1

	// Of parties in processes of their own.
	prepared = iota - 1 // that a party could begin the online phase
	closing             // what the run cost a party, whose part in it is over

	// Of services: see there.
	ordering // that a party expects a turn
	voting   // whether a party takes part in it
	parting  // never sent: who waits for it learns of the connection's end

	// Of runs that may go on from a checkpoint, before all others.
	offering // the checkpoints that a party has

	turnRounds = 1
)

// gather sends every other party a message of a step and passes on theirs.
func (s *session) gather(ctx context.Context, step uint32, message func(to int) any, f func(from int, data []byte) error) error {
	others := s.others()
	for _, to := range others {
		if err := s.send(to, step, message(to)); err != nil {
			return err
		}
	}
	return s.receive(ctx, step, others, f)
}

// others are the ranks of the other parties.
func (s *session) others() []int {
	var out []int
	for i := range s.link.Size() {
		if i != s.rank {
			out = append(out, i)
		}
	}
	return out
}

// send sends a message of a step.
func (s *session) send(to int, step uint32, message any) error {
	data, err := json.Marshal(message)
	if err == nil {
		s.phases[link.Setup].Bytes.Add(int64(len(data)))
		s.phases[link.Setup].Messages.Add(1)
		s.rounds[link.Setup] = setupRounds
		if s.turn > 0 {
			s.rounds[link.Setup] = turnRounds
		}
		s.link.Send(to, s.key(step), 0, data)
	}
	return err
}

// key addresses a message of a step.
func (s *session) key(step uint32) link.Key {
	return link.Key{Phase: link.Setup, Op: s.turn, Step: step}
}

// receive passes on a step's messages as they come.
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
			if err := f(a.from, a.msg.Data); err != nil {
				return err
			}
		}
	}
	return nil
}
