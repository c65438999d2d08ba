package timing

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// DealerSeconds returns how many seconds a dealer on machine m needs to compute the correlations of manifest f
// for so many computing parties. Sending is not included.
func DealerSeconds(f *correlation.Manifest, parties int, m Machine) float64 {
	var work [flow.NumWorks]int64
	masks := map[*correlation.Mask]bool{}
	var mask func(k *correlation.Mask)
	mask = func(k *correlation.Mask) { // each mask is computed once
		if masks[k] {
			return
		}
		masks[k] = true
		size := int64(k.N) * int64(k.Ring.Words()) * 8
		switch k.Kind {
		case correlation.Fresh:
			work[flow.Stream] += int64(parties) * int64(k.N*k.Ring.Drawn())
			work[flow.Bytes] += size
		case correlation.FreshBits:
			work[flow.Stream] += int64(parties) * int64(k.N*k.Planes) / 8
			work[flow.Bytes] += int64(k.N*k.Planes) / 8
		case correlation.Owned:
			work[flow.Stream] += int64(k.N * k.Ring.Drawn())
			work[flow.Bytes] += size
		default:
			work[flow.Bytes] += size
		}
		for _, o := range k.Of {
			mask(o)
		}
	}
	for _, r := range f.Requests {
		for i, x := range r.Factors {
			if i == r.Streamed() {
				work[flow.Stream] += int64(x.Mask.N * x.Mask.Ring.Drawn())
				continue
			}
			mask(x.Mask)
		}
		addRequest(r, parties, &work)
	}
	seconds, rates := 0.0, m.Rates()
	for w, n := range work {
		seconds += float64(n) * rates[w]
	}
	return seconds / float64(m.Cores)
}

// addRequest adds the work of one request: computing the correlation, expanding the shares of all
// parties but one, and packing the remaining share as the correction.
func addRequest(r *correlation.Request, parties int, work *[flow.NumWorks]int64) {
	work[flow.Steps]++
	if r.OfBits() {
		size := int64(r.CorrectionBits()+7) / 8
		work[flow.Stream] += int64(parties-1) * size
		work[flow.Bytes] += int64(len(r.Factors)+1) * size
		for range r.Digits { // a digit is read, and its table is made and packed
			work[flow.Lookups] += lookupsOfTable * int64(r.N)
		}
		return
	}
	words := int64(r.N) * int64(r.Shares().Words())
	work[flow.Stream] += int64(parties-1) * int64(r.N*r.Shares().Drawn())
	work[flow.Bytes] += r.Bytes()
	if r.Shares().Bits%64 != 0 {
		work[flow.Packed] += words
	}
	passes := int64(len(r.Factors)+1) * words * 8 // each factor is read or made, and the value; shares are subtracted in blocks
	switch r.Kind {
	case correlation.Bilinear:
		w := int64(r.Out.Words())
		work[flow.Products] += r.B.Products() * w * w
		left, right := r.B.In()
		work[flow.Reads] += int64(left+right) * w * 8
	case correlation.Waves: // in blocks that stay in a cache
		n := int64(r.Factors[0].Mask.N)
		work[flow.Waves] += n * int64(r.Harmonics)
		work[flow.Powers] += int64(phases(r)) * n
		work[flow.Cached] += passes
		return
	case correlation.Exponential:
		work[flow.Powers] += int64(1+phases(r)) * int64(r.N)
		work[flow.Cyclic] += 2 * words
	case correlation.Lift: // the low bits of all parties' shares are added up
		passes *= 3
	}
	work[flow.Bytes] += passes
}

// lookupsOfTable is the look-ups of digits that take as long as a digit's table is made.
const lookupsOfTable = 5

// phases returns the number of the request's factors that are phases.
func phases(r *correlation.Request) (n int) {
	for _, f := range r.Factors {
		if f.Part.IsPhase() {
			n++
		}
	}
	return n
}
