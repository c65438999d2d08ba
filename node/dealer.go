package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/party"
)

// distant is a dealer on the network.
type distant struct {
	net   Network
	name  string
	watch link.Watch
}

// Begin joins a session there.
func (d distant) Begin(ctx context.Context, t party.Table, f *correlation.Form) (party.Dealt, error) {
	dialling, cancel := context.WithTimeout(ctx, d.watch.Silence)
	defer cancel()
	c, err := d.net.Dial(dialling, d.name, remote.Proto)
	if err != nil {
		return nil, err
	}
	s, err := remote.Open(ctx, c, remote.Seat(t), f, d.watch)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// attended is a dealer for one run, which ends when its session there does
// before all has been dealt: a party that gets no corrections hears of it in no
// other way.
type attended struct {
	party.Dealer
	end context.CancelCauseFunc // of the run
}

func (a attended) Begin(ctx context.Context, t party.Table, f *correlation.Form) (party.Dealt, error) {
	d, err := a.Dealer.Begin(ctx, t, f)
	if s, ok := d.(*remote.Session); ok && err == nil {
		go func() {
			<-s.Done()
			if err := s.Err(); err != nil && !errors.Is(err, remote.ErrClosed) {
				a.end(fmt.Errorf("dealer: %w", err))
			}
		}()
	}
	return d, err
}
