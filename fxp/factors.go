package fxp

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// factors caches the encodings of the most recent public factors: every iteration of a loop uses the same
// ones, and many iterations are built before the first has run. An Arith's graph is built by one goroutine,
// so the cache needs no lock.
type factors struct {
	known  map[*tensor.Array]encoded
	oldest []*tensor.Array // first
	bytes  int64
}

// maxFactors is the limit of the cached encodings in bytes, not counting the last one.
const maxFactors = 64 << 20

// encoded is a result of the function factor.
type encoded struct {
	m           ring.Vec
	scale, bits int
}

// factor is the function factor for this arithmetic's ring and fraction. Callers must not change the vector,
// which is cached.
func (a *Arith) factor(c *tensor.Array) (m ring.Vec, scale, bits int) {
	f := &a.factors
	e, ok := f.known[c]
	if !ok {
		e.m, e.scale, e.bits = factor(a.saturated(c), a.RingOf(c.DType), a.Fraction)
		if e.scale > 0 && integers(c) { // an unscaled integer leaves the range of values
			e.bits -= e.scale
			e.m, e.scale = Encode(a.saturated(c), a.RingOf(c.DType), 0), 0
		}
		f.put(c, e)
	}
	return e.m, e.scale, e.bits
}

func (f *factors) put(c *tensor.Array, e encoded) {
	if f.known == nil {
		f.known = map[*tensor.Array]encoded{}
	}
	f.known[c] = e
	f.oldest = append(f.oldest, c)
	f.bytes += e.m.Bytes()
	for f.bytes > maxFactors && len(f.oldest) > 1 {
		f.bytes -= f.known[f.oldest[0]].m.Bytes()
		delete(f.known, f.oldest[0])
		f.oldest = slices.Delete(f.oldest, 0, 1)
	}
}

// integers reports whether all elements of a float array are integers.
func integers(c *tensor.Array) bool {
	return !slices.ContainsFunc(c.Floats(), func(v float64) bool { return v != math.Trunc(v) })
}
