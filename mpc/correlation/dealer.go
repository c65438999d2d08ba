package correlation

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/ring"
)

// Dealer makes corrections. It gets requests, never data.
type Dealer interface {
	// Deal makes the correction of every request of the form and hands them
	// to deliver one after the other, in the order of the form, which is that
	// of need. While deliver waits, little is dealt ahead; its error ends the
	// dealing and is returned. The end of ctx does not interrupt it.
	Deal(ctx context.Context, f *Form, deliver func(ID, []byte) error) error
}

// Local is a dealer in this process: the seeds that it shares with every
// party, by rank, and how many of them compute.
type Local struct {
	prgs []*ring.PRG
	n    int
}

// NewLocal makes a dealer for the parties whose seeds it is given; the first n
// compute.
func NewLocal(n int, seeds []ring.Seed) *Local {
	d := &Local{n: n}
	for _, s := range seeds {
		d.prgs = append(d.prgs, ring.NewPRG(s))
	}
	return d
}

// Deal works through the form in order, several requests at a time, and keeps
// a mask's value only as long as later requests need it.
func (d *Local) Deal(ctx context.Context, f *Form, deliver func(ID, []byte) error) error {
	ev, err := newEvaluator(d, f)
	if err != nil {
		return err
	}
	out := newSequence(func(i int, data []byte) error {
		if err := ctx.Err(); err != nil { // of what was made ahead nothing leaves either
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

// malformed is the refusal of a request.
func malformed(r *Request, err error) error {
	of := r.Kind.String()
	if r.Op != "" { // which a form that came from elsewhere does not say
		of += " for " + r.Op
	}
	return fmt.Errorf("correlation: malformed request %v (%s): %w", r.ID, of, err)
}

// correction computes a request's value and takes away all other parties'
// shares of it.
func (e *evaluator) correction(r *Request) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	v := e.value(r)
	if v.parts != nil {
		data = e.packed(r, v.parts)
		e.done(r)
		return data, nil
	}
	for _, p := range e.d.prgs[:e.d.n-1] {
		if r.OfBits() {
			p.XorPlanes(v.bits, uint64(r.ID), laneShare)
		} else {
			ring.SubStream(v.vec, r.seeded(p).Vec)
		}
	}
	var w ring.Writer
	for _, b := range v.bits {
		w.Bits(b)
	}
	if !r.OfBits() {
		w.Vec(v.vec)
	}
	v.vec.Free()
	e.done(r)
	return w.Payload().Data, nil
}

// packed is correction of a value that is made in parts, beside each other.
func (e *evaluator) packed(r *Request, parts func(dst ring.Vec, lo int)) []byte {
	k, data := r.Shares(), make([]byte, r.Bytes())
	ring.Parallel((r.N+partLength-1)/partLength, 1, func(from, to int) {
		room := ring.Blank(k, 2*partLength)
		var w ring.Writer
		for lo := from * partLength; lo < min(to*partLength, r.N); lo += partLength {
			m := min(partLength, r.N-lo)
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

// partLength is how many elements are made at a time: a multiple of 8, so that
// each part begins with a byte.
const partLength = 512

// lift is what is above the low Width bits of a mask, less those of its shares
// as integers: minus the number of times that their sum wraps.
func (e *evaluator) lift(r *Request) ring.Vec {
	f := r.Factors[0]
	width := ring.Z(f.Width)
	sum, low, part := ring.Blank(width, r.N), ring.Blank(width, r.N), ring.Blank(r.Out, r.N)
	wraps := ring.New(r.Out, r.N) // the low bits' sum less that of all shares
	for i := range e.d.n {
		ring.Low(low, e.share(f.Mask, i))
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
	out := ring.Blank(r.Shares(), r.N)
	ring.Rsh(out, wraps, f.Width)
	for _, v := range []ring.Vec{sum, low, part, wraps} {
		v.Free()
	}
	return out
}
