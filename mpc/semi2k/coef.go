package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// coef is a vector of public or opened coefficients, as an expression that is
// evaluated where it is used.
type coef struct {
	kind coefKind
	c    int64
	vec  *flow.Of[ring.Vec] // unsigned integers, in this or a narrower ring
	bits *flow.Of[ring.Bits]
	a, b *coef
}

type coefKind uint8

const (
	coefConst coefKind = iota // c
	coefPow                   // 2^c
	coefVec
	coefBits
	coefAdd
	coefMul
)

func constant(c int64) *coef                { return &coef{kind: coefConst, c: c} }
func pow2(s int) *coef                      { return &coef{kind: coefPow, c: int64(s)} }
func vector(v *flow.Of[ring.Vec]) *coef     { return &coef{kind: coefVec, vec: v} }
func bitVector(b *flow.Of[ring.Bits]) *coef { return &coef{kind: coefBits, bits: b} }
func (x *coef) isConst(c int64) bool        { return x.kind == coefConst && x.c == c }
func (x *coef) minus(y *coef) *coef         { return x.plus(y.times(constant(-1))) }
func (x *coef) scaled(c int64) *coef        { return x.times(constant(c)) }

func (x *coef) plus(y *coef) *coef {
	switch {
	case x.isConst(0):
		return y
	case y.isConst(0):
		return x
	case x.kind == coefConst && y.kind == coefConst:
		return constant(x.c + y.c)
	}
	return &coef{kind: coefAdd, a: x, b: y}
}

func (x *coef) times(y *coef) *coef {
	switch {
	case x.isConst(0) || y.isConst(1):
		return x
	case y.isConst(0) || x.isConst(1):
		return y
	case x.kind == coefConst && y.kind == coefConst:
		return constant(x.c * y.c)
	}
	return &coef{kind: coefMul, a: x, b: y}
}

// deps lists what an evaluation reads.
func (x *coef) deps(seen map[*coef]bool) []flow.Dep {
	if x == nil || seen[x] {
		return nil
	}
	seen[x] = true
	switch x.kind {
	case coefVec:
		return []flow.Dep{x.vec}
	case coefBits:
		return []flow.Dep{x.bits}
	}
	return append(x.a.deps(seen), x.b.deps(seen)...)
}

// evaluator evaluates coefficients of one polynomial, each expression once.
// Its vectors belong to it.
type evaluator struct {
	ring ring.Ring
	n    int
	like ring.Vec // has storage if the run has
	memo map[*coef]ring.Vec
	op   *flow.Op
}

func (e *evaluator) eval(x *coef) ring.Vec {
	if v, ok := e.memo[x]; ok {
		return v
	}
	out := e.like.Like(e.ring, e.n)
	e.op.Spend(flow.Bytes, bytes(e.ring, e.n))
	switch x.kind {
	case coefConst:
		ring.AddInt(out, out, x.c)
	case coefPow:
		ring.AddPow(out, out, int(x.c), false)
	case coefVec:
		ring.Low(out, x.vec.Get())
	case coefBits:
		ring.FromBits(out, x.bits.Get())
	case coefAdd:
		ring.Add(out, e.eval(x.a), e.eval(x.b))
	case coefMul:
		switch {
		case x.a.kind == coefConst:
			ring.Scale(out, e.eval(x.b), x.a.c)
		case x.b.kind == coefConst:
			ring.Scale(out, e.eval(x.a), x.b.c)
		default:
			spendProducts(e.op, maps.Elementwise{N: e.n}, e.ring)
			ring.Mul(out, e.eval(x.a), e.eval(x.b))
		}
	}
	e.memo[x] = out
	return out
}

func (e *evaluator) free() {
	for _, v := range e.memo {
		v.Free()
	}
}
