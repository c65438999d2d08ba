package pattern

import "github.com/tacet-mpc/tacet/hlo"

// logOnePlusExp reads t as log(1 + exp(x)).
func (a *attempt) logOnePlusExp(t term) (term, bool) {
	log1p := func(t term) (term, bool) {
		if y, ok := a.unary(t, hlo.OpLogPlusOne); ok {
			return a.exp(y)
		}
		if s, ok := a.unary(t, hlo.OpLog); ok {
			if y, ok := a.onePlus(s); ok {
				return a.exp(y)
			}
		}
		return t, false
	}
	if x, ok := log1p(t); ok {
		return x, true
	}
	// x itself where x is not a number
	nan, in, out, guarded := a.masked(t)
	if guarded {
		p, q, ok := a.binary(nan, hlo.OpCompare)
		if !ok || !a.asks(nan, "NE") || !a.same(p, q) {
			return t, false
		}
		if y, ok := a.minus(p); ok && !a.same(in, p) {
			p = y // log(exp(0) + exp(x)) asks for 0 − x
		}
		x, ok := a.logOnePlusExp(out)
		return x, ok && a.same(in, x) && a.same(p, x)
	}
	// max(x, 0) + log(1 + exp(−|x|))
	p, q, ok := a.binary(t, hlo.OpAdd)
	if !ok {
		return t, false
	}
	for range 2 {
		if d, ok := log1p(q); ok {
			if abs, ok := a.minus(d); ok {
				if y, ok := a.unary(abs, hlo.OpAbs); ok {
					x, ok := a.relu(p)
					if z, minus := a.minus(y); ok && minus && a.same(x, z) {
						return x, true
					}
					return x, ok && a.same(x, y)
				}
			}
		}
		p, q = q, p
	}
	return t, false
}

// relu reads t as max(x, 0).
func (a *attempt) relu(t term) (term, bool) {
	x, y, ok := a.binary(t, hlo.OpMaximum)
	if !ok {
		return t, false
	}
	if _, c := a.constant(x); c {
		x, y = y, x
	}
	k, c := a.constant(y)
	return x, c && k == 0
}

func (a *attempt) softplus(_ *hlo.Op, end term) *Match {
	x, ok := a.logOnePlusExp(end)
	if !ok {
		return nil
	}
	return a.made(Softplus, nil, x)
}

// logSigmoid recognises −softplus(−x), and the logarithm of a sigmoid.
func (a *attempt) logSigmoid(_ *hlo.Op, end term) *Match {
	if s, ok := a.unary(end, hlo.OpLog); ok {
		x, ok := a.logistic(s)
		if !ok {
			return nil
		}
		return a.made(LogSigmoid, nil, x)
	}
	if p, ok := a.minus(end); ok {
		if n, ok := a.logOnePlusExp(p); ok {
			if x, ok := a.minus(n); ok {
				return a.made(LogSigmoid, nil, x)
			}
		}
	}
	return nil
}
