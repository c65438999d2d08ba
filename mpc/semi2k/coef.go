package semi2k

import (
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// coef is an expression for a vector of coefficients that all computing parties know. It is evaluated where
// it is used.
type coef struct {
	kind coefKind
	c, e int64
	vec  *flow.Future[ring.Vec] // unsigned integers, in the polynomial's ring or a narrower one
	bits bitVec
	a, b *coef
}

type coefKind uint8

const (
	coefConst coefKind = iota // c
	coefPow                   // 2^c
	coefVec
	coefBits
	coefLift      // of a vec over Z_2^w: vec + 2^(w−2) mod 2^w
	coefTopIsZero // the negation of that one's top bit, 0 or 1
	coefAffine    // a·c + e
	coefAdd
	coefMul
)

func constant(c int64) *coef                { return &coef{kind: coefConst, c: c} }
func vector(v *flow.Future[ring.Vec]) *coef { return &coef{kind: coefVec, vec: v} }
func bitVector(b bitVec) *coef              { return &coef{kind: coefBits, bits: b} }
func (x *coef) isConst(c int64) bool        { return x.kind == coefConst && x.c == c }
func (x *coef) minus(y *coef) *coef         { return x.plus(y.times(constant(-1))) }
func (x *coef) scaled(c int64) *coef        { return x.times(constant(c)) }

// pow2 is 2^s.
func pow2(s int) *coef {
	if s < 63 {
		return constant(1 << s)
	}
	return &coef{kind: coefPow, c: int64(s)}
}

// affine returns x·c + e, folded into a constant or into x's own factor and summand if they fit 64 bits. It
// returns nil if x is constant and the result does not fit.
func (x *coef) affine(c, e int64) *coef {
	of, c0, e0 := x, int64(1), int64(0)
	switch x.kind {
	case coefConst:
		of, c0, e0 = nil, 0, x.c
	case coefAffine:
		of, c0, e0 = x.a, x.c, x.e
	}
	c1, ok1 := product64(c0, c)
	e1, ok2 := product64(e0, c)
	if s := e1 + e; ok1 && ok2 && (s > e1) == (e > 0) {
		if of == nil {
			return constant(s)
		}
		return &coef{kind: coefAffine, a: of, c: c1, e: s}
	}
	if of == nil {
		return nil
	}
	return &coef{kind: coefAffine, a: x, c: c, e: e}
}

// product64 returns a·b and whether it fits 64 bits.
func product64(a, b int64) (int64, bool) {
	p := a * b
	return p, a == 0 || p/a == b && (a != -1 || b != math.MinInt64)
}

func (x *coef) plus(y *coef) *coef {
	if x.kind == coefConst {
		x, y = y, x
	}
	if y.isConst(0) {
		return x
	}
	if y.kind == coefConst {
		if z := x.affine(1, y.c); z != nil {
			return z
		}
	}
	return &coef{kind: coefAdd, a: x, b: y}
}

func (x *coef) times(y *coef) *coef {
	if x.kind == coefConst {
		x, y = y, x
	}
	switch {
	case y.isConst(0) || x.isConst(1):
		return y
	case y.isConst(1) || x.isConst(0):
		return x
	case y.kind == coefConst:
		if z := x.affine(y.c, 0); z != nil {
			return z
		}
	}
	return &coef{kind: coefMul, a: x, b: y}
}

// deps appends to ds the futures that an evaluation of x reads. seen holds the expressions that were visited
// before.
func (x *coef) deps(ds []flow.Dep, seen *coefSet) []flow.Dep {
	if x == nil || !seen.add(x) {
		return ds
	}
	switch x.kind {
	case coefVec, coefLift, coefTopIsZero:
		return append(ds, x.vec)
	case coefBits:
		return append(ds, x.bits)
	}
	return x.b.deps(x.a.deps(ds, seen), seen)
}

// coefSet is a set of expressions.
type coefSet struct {
	few  []*coef // the first ones, up to fewCoefs: most sets have no more
	room [8]*coef
	more map[*coef]bool
}

// fewCoefs is the number of expressions up to which a look at each takes less time than a map.
const fewCoefs = 16

// add adds x and reports whether it is new.
func (s *coefSet) add(x *coef) bool {
	switch {
	case slices.Contains(s.few, x) || s.more[x]:
		return false
	case len(s.few) < fewCoefs:
		if s.few == nil {
			s.few = s.room[:0]
		}
		s.few = append(s.few, x)
	case s.more == nil:
		s.more = map[*coef]bool{x: true}
	default:
		s.more[x] = true
	}
	return true
}

// evaluator evaluates the coefficients of one polynomial, each expression once, in blocks of elements. A
// block's intermediate values fit the cache.
type evaluator struct {
	ring  ring.Ring
	op    *flow.Op
	block int // length in elements
	like  ring.Vec
	index map[*coef]int // of the steps from number fewCoefs on
	steps []evaluation
}

// evaluation is one expression of an evaluator. Expressions are listed after their operands.
type evaluation struct {
	x       *coef
	a, b    int      // places of its operands
	scratch ring.Vec // its own, a block long
	raw     ring.Vec // in the ring of what it is made of, likewise
	val     ring.Vec
}

// blockLength is the number of elements of a block, a multiple of 64.
const blockLength = 1024

// evaluators holds evaluators that are not in use, with the storage of their lists.
var evaluators = sync.Pool{New: func() any { return &evaluator{index: map[*coef]int{}} }}

// freeEvaluator returns an evaluator that is not in use. It is a function of its own because a Get in one that has an operation
// is taken for the value of a step (TestPublicIsNotOpened).
func freeEvaluator() *evaluator { return evaluators.Get().(*evaluator) }

// newEvaluator returns an evaluator for vectors of n elements over r. After free it must not be used.
func newEvaluator(op *flow.Op, r ring.Ring, n int) *evaluator {
	e := freeEvaluator()
	e.ring, e.op, e.block, e.like = r, op, min(n, blockLength), ring.New(r, 0)
	if op.Graph.DryRun() {
		e.like = ring.ShapeOnly(r, 0)
	}
	return e
}

// add adds x and its operands, returns x's index in steps, and adds the work for n elements to the operation.
func (e *evaluator) add(x *coef, n int) int {
	if at, ok := e.find(x); ok {
		return at
	}
	v := evaluation{x: x}
	e.op.Spend(flow.Cached, bytes(e.ring, n))
	switch x.kind {
	case coefAffine:
		v.a = e.add(x.a, n)
	case coefAdd:
		v.a, v.b = e.add(x.a, n), e.add(x.b, n)
	case coefMul:
		v.a, v.b = e.add(x.a, n), e.add(x.b, n)
		spendProducts(e.op, maps.Elementwise{N: n}, e.ring)
	}
	if x.kind != coefVec || x.vec.Get().Ring() != e.ring {
		v.scratch = e.like.UninitialisedLike(e.ring, e.block)
	}
	switch x.kind {
	case coefLift, coefTopIsZero:
		v.raw = e.like.UninitialisedLike(x.vec.Get().Ring(), e.block)
	case coefConst:
		ring.Sub(v.scratch, v.scratch, v.scratch)
		ring.AddInt(v.scratch, v.scratch, x.c)
	case coefPow:
		ring.Sub(v.scratch, v.scratch, v.scratch)
		ring.AddPow(v.scratch, v.scratch, int(x.c), false)
	}
	at := len(e.steps)
	if e.steps = append(e.steps, v); at >= fewCoefs {
		e.index[x] = at
	}
	return at
}

// find returns x's index in steps, if it is there.
func (e *evaluator) find(x *coef) (at int, ok bool) {
	for i := range e.steps[:min(len(e.steps), fewCoefs)] {
		if e.steps[i].x == x {
			return i, true
		}
	}
	at, ok = e.index[x]
	return at, ok
}

// run evaluates all expressions for elements [lo, hi), at most one block.
func (e *evaluator) run(lo, hi int) {
	for i := range e.steps {
		v := &e.steps[i]
		if v.scratch.Len() > 0 {
			v.val = v.scratch.Slice(0, hi-lo)
		}
		switch x := v.x; x.kind {
		case coefVec:
			if part := x.vec.Get().Slice(lo, hi); v.scratch.Len() > 0 {
				ring.Low(v.val, part)
			} else {
				v.val = part
			}
		case coefLift, coefTopIsZero:
			part := x.vec.Get().Slice(lo, hi)
			raw, w := v.raw.Slice(0, hi-lo), part.Ring().Bits
			ring.AddPow(raw, part, w-2, false)
			if x.kind == coefTopIsZero {
				ring.AddPow(raw, raw, w-1, false)
				ring.Rsh(raw, raw, w-1)
			}
			ring.Low(v.val, raw)
		case coefBits:
			ring.FromBits(v.val, x.bits.Get().Slice(lo, hi))
		case coefAdd:
			ring.Add(v.val, e.steps[v.a].val, e.steps[v.b].val)
		case coefAffine:
			ring.Affine(v.val, e.steps[v.a].val, x.c, x.e)
		case coefMul:
			ring.Mul(v.val, e.steps[v.a].val, e.steps[v.b].val)
		}
	}
}

// free releases the evaluator's storage.
func (e *evaluator) free() {
	for _, v := range e.steps {
		v.scratch.Free()
		v.raw.Free()
	}
	clear(e.steps) // a free evaluator keeps no vector alive
	clear(e.index)
	e.steps, e.op = e.steps[:0], nil
	evaluators.Put(e)
}
