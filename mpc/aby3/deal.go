package aby3

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Link is what the offline phase needs of a party's connections.
type Link interface {
	Send(to int, k link.Key, clock int32, data []byte)
	Await(from int, k link.Key, f func(link.Message, error))
}

// key addresses a correction by its request.
func key(id correlation.ID) link.Key {
	return link.Key{Phase: link.Offline, Op: id.Op(), Step: uint32(id)}
}

// grant addresses P1's i-th word, of a form, that P2 may send on: an empty
// message.
func grant(f *correlation.Form, i int64) link.Key {
	return link.Key{Phase: link.Offline, Op: f.Requests[0].ID.Op(), Step: uint32(i)}
}

// P2 is at most granted·grants bytes ahead of what P1 has taken off the link.
const (
	granted = 8 << 20
	grants  = 4
)

// Deal is P2's offline phase: it makes what its order form asks for, which is
// the same as P0's and P1's, and sends the corrections to P1 in the order of
// the form, which is that of need. Seeds are those that P2 shares with all
// parties.
func Deal(ctx context.Context, l Link, seeds []ring.Seed, f *correlation.Form) error {
	var sent, window int64 = 0, grants * granted
	return correlation.NewLocal(Computing, seeds).Deal(ctx, f, func(id correlation.ID, data []byte) error {
		for ; sent > window; window += granted {
			if _, err := await(ctx, l, Corrected, grant(f, window/granted-grants)); err != nil {
				return err
			}
		}
		l.Send(Corrected, key(id), 0, data)
		sent += int64(len(data))
		return nil
	})
}

// Receive is P1's offline phase: it passes on the correction of every request
// of the form, of the length that the request says. While deliver waits, P2
// does, after a while.
func Receive(ctx context.Context, l Link, f *correlation.Form, deliver func(correlation.ID, []byte)) error {
	var taken, told int64
	for _, r := range f.Requests {
		data, err := await(ctx, l, Dealer, key(r.ID))
		if err != nil {
			return err
		}
		if int64(len(data)) != r.Bytes() {
			return fmt.Errorf("aby3: party %d dealt %d bytes for %v (%v for %s), which takes %d", Dealer, len(data), r.ID, r.Kind, r.Op, r.Bytes())
		}
		deliver(r.ID, data)
		for taken += r.Bytes(); taken >= (told+1)*granted; told++ {
			l.Send(Dealer, grant(f, told), 0, nil)
		}
	}
	return nil
}

// await waits for one message.
func await(ctx context.Context, l Link, from int, k link.Key) ([]byte, error) {
	type arrival struct {
		data []byte
		err  error
	}
	arrived := make(chan arrival, 1)
	l.Await(from, k, func(m link.Message, err error) { arrived <- arrival{m.Data, err} })
	select {
	case a := <-arrived:
		return a.data, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}
