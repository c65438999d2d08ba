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
		case correlation.FreshBits:
			work[flow.Stream] += int64(parties) * int64(k.N*k.Planes) / 8
		case correlation.Owned:
			work[flow.Stream] += int64(k.N * k.Ring.Drawn())
		default:
			work[flow.Bytes] += size
		}
		for _, o := range k.Of {
			mask(o)
		}
	}
	for _, r := range f.Requests {
		for _, x := range r.Factors {
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
	size := int64(r.N) * int64(r.Shares().Words()) * 8
	stream := int64(r.N * r.Shares().Drawn())
	if r.OfBits() {
		size = int64(r.CorrectionBits()+7) / 8
		stream = size
	}
	work[flow.Stream] += int64(parties-1) * stream
	work[flow.Bytes] += int64(len(r.Factors)+parties+1) * size
	switch r.Kind {
	case correlation.Bilinear:
		w := int64(r.Out.Words())
		work[flow.Products] += r.B.Products() * w * w
	case correlation.Waves:
		work[flow.Waves] += int64(r.Factors[0].Mask.N * r.Harmonics)
	case correlation.Exponential:
		work[flow.Powers] += int64(r.N)
	case correlation.Thermometer:
		work[flow.Lookups] += int64(r.N * len(r.Digits))
	}
}
