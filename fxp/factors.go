package fxp

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Encodings caches the encodings of the most recent public arrays: every iteration of a loop uses the same
// ones, and many iterations are built before the first has run. The walks of a session that follow one another may share it. A
// graph is built by one goroutine, so the cache needs no lock. The zero Encodings is empty and ready for use.
type Encodings struct {
	known  map[factorKey]encoded
	oldest []factorKey // first
	bytes  int64
	zeros  map[ring.Ring]ring.Vec // of each ring one vector that nobody writes to
	ones   ring.Vec               // in Z_2, likewise
}

// factorKey identifies an encoding of a public array.
type factorKey struct {
	array *tensor.Array
	ring  int // bits of its ring
	// fraction is the number of fraction bits that the function factor is asked for, or the scale of an encoding
	// at exactly this scale.
	fraction int
	by       encodedBy
}

// encodedBy says which function makes an encoding.
type encodedBy int

const (
	byFactor   encodedBy = iota // Arith.factor
	byFactorIn                  // Arith.factorIn
	byEncode                    // Arith.encode
)

const (
	// maxFactors is the limit of the cached encodings in bytes, not counting the last one.
	maxFactors = 64 << 20
	// leastFactor is the size in bytes from which an encoding is cached. Smaller arrays are encoded anew each time: that is
	// cheap, and a loop that makes such an array in each iteration would fill the cache.
	leastFactor = 1 << 10
)

// encoded is a result of the function factor.
type encoded struct {
	m           ring.Vec
	scale, bits int
}

// factor is the function factor for this arithmetic's ring and fraction. Callers must not change the vector,
// which is cached.
func (a *Arith) factor(c *tensor.Array) (m ring.Vec, scale, bits int) {
	r := a.RingOf(c.DType)
	e := a.encodings().get(factorKey{array: c, ring: r.Bits, fraction: a.Fraction}, func() (e encoded) {
		s := a.saturated(c)
		e.m, e.scale, e.bits = factor(s, r, a.Fraction)
		if e.scale > 0 && integers(c) { // an unscaled integer leaves the range of values
			e.bits -= e.scale
			e.m, e.scale = Encode(s, r, 0), 0
		}
		return e
	})
	return e.m, e.scale, e.bits
}

// factorIn is the function factor for a saturated array, another ring and another number of fraction bits. Callers must
// not change the vector, which is cached.
func (a *Arith) factorIn(c *tensor.Array, r ring.Ring, fraction int) (m ring.Vec, scale, bits int) {
	e := a.encodings().get(factorKey{array: c, ring: r.Bits, fraction: fraction, by: byFactorIn}, func() (e encoded) {
		e.m, e.scale, e.bits = factor(a.saturated(c), r, fraction)
		return e
	})
	return e.m, e.scale, e.bits
}

// encode returns Encode of the array, saturated. Callers must not change the vector, which is cached.
func (a *Arith) encode(c *tensor.Array, r ring.Ring, scale int) ring.Vec {
	return a.encodings().get(factorKey{array: c, ring: r.Bits, fraction: scale, by: byEncode}, func() encoded {
		return encoded{m: Encode(a.saturated(c), r, scale)}
	}).m
}

// encodings returns the cache, and makes one if there is none.
func (a *Arith) encodings() *Encodings {
	if a.Encodings == nil {
		a.Encodings = &Encodings{}
	}
	return a.Encodings
}

// get returns the encoding of a key, which is made if it is not cached.
func (f *Encodings) get(key factorKey, encode func() encoded) encoded {
	e, ok := f.known[key]
	if ok {
		return e
	}
	e = encode()
	if e.m.Bytes() < leastFactor {
		return e
	}
	if f.known == nil {
		f.known = map[factorKey]encoded{}
	}
	f.known[key] = e
	f.oldest = append(f.oldest, key)
	f.bytes += e.m.Bytes()
	for f.bytes > maxFactors && len(f.oldest) > 1 {
		f.bytes -= f.known[f.oldest[0]].m.Bytes()
		delete(f.known, f.oldest[0])
		f.oldest = slices.Delete(f.oldest, 0, 1)
	}
	return e
}

// mostCopies is the number of elements up to which vectors of zeros and ones are kept.
const mostCopies = 1 << 16

// zeroVec returns n zeros, which callers must not change.
func (a *Arith) zeroVec(op *flow.Op, r ring.Ring, n int) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, n)
	}
	e := a.encodings()
	v := e.zeros[r]
	if v.Len() < n || v.ShapeOnly() {
		if v = ring.New(r, n); n > mostCopies {
			return v
		}
		if e.zeros == nil {
			e.zeros = map[ring.Ring]ring.Vec{}
		}
		e.zeros[r] = v
	}
	return v.Slice(0, n)
}

// trueVec returns n ones in Z_2, which callers must not change.
func (a *Arith) trueVec(op *flow.Op, n int) ring.Vec {
	r := ring.Z(1)
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, n)
	}
	e := a.encodings()
	v := e.ones
	if v.Len() < n || v.ShapeOnly() {
		v = ring.New(r, n)
		if ring.AddInt(v, v, 1); n > mostCopies {
			return v
		}
		e.ones = v
	}
	return v.Slice(0, n)
}

// integers reports whether all elements of a float array are integers.
func integers(c *tensor.Array) bool {
	return !slices.ContainsFunc(c.Floats(), func(v float64) bool { return v != math.Trunc(v) })
}
