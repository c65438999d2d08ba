package aby3

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// Link is the part of a party's connections that the offline phase uses.
type Link = protocol.Link

// correctionKey addresses a correction by its request.
func correctionKey(id correlation.ID) link.Key {
	return link.Key{Phase: link.Offline, Op: id.Op(), Step: uint32(id)}
}

// grantKey addresses P1's i-th word, of a form, that P2 may send on: an empty
// message.
func grantKey(f *correlation.Manifest, i int64) link.Key {
	return link.Key{Phase: link.Offline, Op: f.Requests[0].ID.Op(), Step: uint32(i)}
}

// P2 is at most grantBytes·openGrants bytes ahead of what P1 has received and passed on.
const (
	grantBytes = 8 << 20
	openGrants = 4
)

// Deal implements protocol.Dealing at P2. It computes the correlations of manifest f, which P0 and P1 have too, and
// sends the corrections to P1 in the manifest's order, the order in which the session needs them. seeds are those
// that P2 shares with all parties, by rank. Deal waits while P1 has not taken enough of what was sent; it returns an
// error if ctx ends or P1 is lost.
func Deal(ctx context.Context, l Link, seeds []ring.Seed, f *correlation.Manifest) error {
	var sent, window int64 = 0, openGrants * grantBytes
	return correlation.NewLocal(Computing, seeds).Deal(ctx, f, func(id correlation.ID, data []byte) error {
		for ; sent > window; window += grantBytes {
			if _, err := await(ctx, l, Corrected, grantKey(f, window/grantBytes-openGrants)); err != nil {
				return err
			}
		}
		l.Send(Corrected, correctionKey(id), 0, data)
		sent += int64(len(data))
		return nil
	})
}

// Receive implements protocol.Dealing at P1. It passes the correction of each request of manifest f to deliver, in
// order, and returns an error if one does not have the request's length, if ctx ends or if P2 is lost. While deliver
// blocks, P2 stops after a limited number of bytes.
func Receive(ctx context.Context, l Link, f *correlation.Manifest, deliver func(correlation.ID, []byte)) error {
	var taken, granted int64
	for _, r := range f.Requests {
		data, err := await(ctx, l, Dealer, correctionKey(r.ID))
		if err != nil {
			return err
		}
		if int64(len(data)) != r.Bytes() {
			return fmt.Errorf("aby3: party %d dealt %d bytes for %v (%v for %s), which takes %d", Dealer, len(data), r.ID, r.Kind, r.Op, r.Bytes())
		}
		deliver(r.ID, data)
		for taken += r.Bytes(); taken >= (granted+1)*grantBytes; granted++ {
			l.Send(Dealer, grantKey(f, granted), 0, nil)
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
