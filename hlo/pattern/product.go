package pattern

import "github.com/tacet-mpc/tacet/hlo"

// maxFactors is the largest number of factors of a product.
const maxFactors = 8

// factor is a factor or divisor of a product.
type factor struct {
	term
	under bool
}

// product splits t into a number and factors. Terms for which whole returns true are not split further.
func (a *attempt) product(t term, whole func(term) bool) (coef float64, fs []factor, ok bool) {
	coef, ok = 1, true
	var visit func(t term, under bool)
	visit = func(t term, under bool) {
		if len(fs) > maxFactors || !ok {
			ok = false
			return
		}
		if k, c := a.constant(t); c {
			if under {
				k = 1 / k
			}
			coef *= k
			return
		}
		if whole != nil && whole(t) {
			fs = append(fs, factor{t, under})
			return
		}
		if x, y, ok := a.binary(t, hlo.OpMultiply); ok {
			visit(x, under)
			visit(y, under)
			return
		}
		if x, y, ok := a.binary(t, hlo.OpDivide); ok {
			visit(x, under)
			visit(y, !under)
			return
		}
		if x, ok := a.unary(t, hlo.OpNegate); ok {
			coef = -coef
			visit(x, under)
			return
		}
		if x, ok := a.square(t); ok {
			visit(x, under)
			visit(x, under)
			return
		}
		if x, y, ok := a.binary(t, hlo.OpPower); ok {
			if k, ok := a.constant(y); ok && k == 3 {
				visit(x, under)
				visit(x, under)
				visit(x, under)
				return
			}
		}
		fs = append(fs, factor{t, under})
	}
	visit(t, false)
	return coef, fs, ok && len(fs) <= maxFactors
}

// exactly reports whether t is coef·x^n times one further factor for which f returns true.
func (a *attempt) exactly(t term, coef float64, x term, n int, f func(factor) bool) bool {
	isX := func(t term) bool { return a.same(t, x) }
	c, fs, ok := a.product(t, isX)
	if !ok || !near(c, coef) {
		return false
	}
	found := f == nil
	for _, g := range fs {
		switch {
		case !g.under && isX(g.term):
			n--
		case !found && f(g):
			found = true
		default:
			return false
		}
	}
	return found && n == 0
}

// onePlus reads t as 1 + x.
func (a *attempt) onePlus(t term) (term, bool) {
	p, q, ok := a.binary(t, hlo.OpAdd)
	if !ok {
		return t, false
	}
	if k, ok := a.constant(p); ok && k == 1 {
		return q, true
	}
	k, ok := a.constant(q)
	return p, ok && k == 1
}

// minus reads t as −x.
func (a *attempt) minus(t term) (term, bool) {
	if x, ok := a.unary(t, hlo.OpNegate); ok {
		return x, true
	}
	if x, y, ok := a.binary(t, hlo.OpMultiply); ok {
		if k, ok := a.constant(x); ok && k == -1 {
			return y, true
		}
		k, ok := a.constant(y)
		return x, ok && k == -1
	}
	if x, y, ok := a.binary(t, hlo.OpSubtract); ok {
		k, ok := a.constant(x)
		return y, ok && k == 0
	}
	return t, false
}
