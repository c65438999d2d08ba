package correlation

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/ring"
)

// Dealer makes corrections. It gets correlation requests and no data.
type Dealer interface {
	// Deal makes the correction of every request of f and passes it to deliver, one after the other, in the order of
	// the manifest, in which they are used. While deliver blocks, few further corrections are made. An error of
	// deliver ends Deal and is returned. The end of ctx ends Deal with the context's error, but does not interrupt a
	// call of deliver.
	Deal(ctx context.Context, f *Manifest, deliver func(ID, []byte) error) error
}

// Local is a Dealer that computes in this process.
type Local struct {
	prgs []*ring.PRG
	n    int
	// Kept, if not nil, keeps values of masks from one manifest to the next: those of owners' masks whose ids are below all those of the
	// manifest's requests, as the masks of a service's resident vectors are.
	Kept *Kept
}

// NewLocal returns a dealer among whose parties the first n compute. seeds holds, by rank, the seed that it has in
// common with each party.
func NewLocal(n int, seeds []ring.Seed) *Local {
	d := &Local{n: n}
	for _, s := range seeds {
		d.prgs = append(d.prgs, ring.NewPRG(s))
	}
	return d
}

// Deal implements Dealer. It evaluates GOMAXPROCS requests at a time, in the order of the manifest, and keeps a
// mask's value only until its last use, except those of Kept.
func (d *Local) Deal(ctx context.Context, f *Manifest, deliver func(ID, []byte) error) error {
	ev, err := newEvaluator(d, f)
	if err != nil {
		return err
	}
	out := newSequence(func(i int, data []byte) error {
		if err := ctx.Err(); err != nil { // corrections that were made ahead are not delivered after the end of ctx either
			return err
		}
		return deliver(f.Requests[i].ID, data)
	})
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(f.Requests) {
					return
				}
				if err := ctx.Err(); err != nil {
					out.fail(err)
					return
				}
				r := f.Requests[i]
				data, err := ev.correction(r)
				if err != nil {
					out.fail(malformed(r, err))
					return
				}
				if !out.put(i, data) {
					return
				}
			}
		})
	}
	wg.Wait()
	return out.err
}

// malformed is the error of a refused request.
func malformed(r *Request, err error) error {
	of := r.Kind.String()
	if r.Op != "" { // Op is empty in decoded manifests
		of += " for " + r.Op
	}
	return fmt.Errorf("correlation: malformed request %v (%s): %w", r.ID, of, err)
}

// correction evaluates a request and subtracts all other parties' shares.
func (e *evaluator) correction(r *Request) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	if r.OfJoin() {
		return e.join(r)
	}
	v := e.value(r)
	if v.fill != nil {
		data = e.packed(r, v.fill)
		e.releaseFactors(r)
		return data, nil
	}
	for _, p := range e.d.prgs[:e.d.n-1] {
		if r.OfBits() {
			p.XorPlanes(v.bits, uint64(r.ID), laneShare)
		} else {
			ring.SubStream(v.vec, r.seeded(p).Vec)
		}
	}
	e.releaseFactors(r)
	if !r.OfBits() {
		return v.vec.IntoPayload().Data, nil
	}
	return ring.PlanesIntoPayload(v.bits).Data, nil
}

// JoinSeed returns the seed of a request of a join, from the seed that a party and the dealer have in common.
func JoinSeed(common ring.Seed, id ID) ring.Seed { return joinSeed(ring.NewPRG(common), id) }

func joinSeed(p *ring.PRG, id ID) ring.Seed { return p.Seed(uint64(id), laneJoin) }

// join is correction for a request of a join.
func (e *evaluator) join(r *Request) ([]byte, error) {
	if e.d.n != 2 {
		return nil, fmt.Errorf("a %v among %d computing parties", r.Kind, e.d.n)
	}
	first, second := joinSeed(e.d.prgs[0], r.ID), joinSeed(e.d.prgs[1], r.ID)
	if r.Kind == VOLE {
		return joins.VOLE(second, first, r.N), nil
	}
	return r.Join.Hidden(first, second, r.Out), nil
}

// packed is correction for a value that fill computes in blocks, in parallel.
func (e *evaluator) packed(r *Request, parts func(dst ring.Vec, lo int)) []byte {
	k, data := r.Shares(), make([]byte, r.Bytes())
	ring.Parallel((r.N+blockLength-1)/blockLength, 1, func(from, to int) {
		room := ring.NewUninitialised(k, 2*blockLength)
		var w ring.Writer
		for lo := from * blockLength; lo < min(to*blockLength, r.N); lo += blockLength {
			m := min(blockLength, r.N-lo)
			v, share := room.Slice(0, m), room.Slice(m, 2*m)
			parts(v, lo)
			for _, p := range e.d.prgs[:e.d.n-1] {
				r.seeded(p).Vec.Read(share, lo)
				ring.Sub(v, v, share)
			}
			w.Reset()
			w.Vec(v)
			copy(data[lo/8*k.Bits:], w.Payload().Data)
		}
		room.Free()
	})
	return data
}

// blockLength is the number of elements in a block: a multiple of 8, so that each block begins at a
// byte of the correction.
const blockLength = 512

// lift is the mask's low Width bits less the sum of its shares' low Width bits as integers, divided
// by 2^Width: minus the number of times that the sum of shares wraps.
func (e *evaluator) lift(r *Request) ring.Vec {
	f := r.Factors[0]
	width := ring.Z(f.Width)
	sum, low, part := ring.NewUninitialised(width, r.N), ring.NewUninitialised(width, r.N), ring.NewUninitialised(r.Out, r.N)
	wraps := ring.New(r.Out, r.N) // the low bits of the sum, less the sum of all shares' low bits
	for i := range e.d.n {
		share := e.share(f.Mask, i)
		ring.Low(low, share)
		share.Free()
		ring.Low(part, low)
		ring.Sub(wraps, wraps, part)
		if i == 0 {
			copy(sum.Words(), low.Words())
		} else {
			ring.Add(sum, sum, low)
		}
	}
	ring.Low(part, sum)
	ring.Add(wraps, wraps, part)
	out := ring.NewUninitialised(r.Shares(), r.N)
	ring.Rsh(out, wraps, f.Width)
	for _, v := range []ring.Vec{sum, low, part, wraps} {
		v.Free()
	}
	return out
}
