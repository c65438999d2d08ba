package pass

import "github.com/tacet-mpc/tacet/hlo"

// logarithms rewrites logarithms of products and quotients with exponentials: log(x·exp(y)) is
// log(x) + y, log(x/exp(y)) is log(x) − y, log(exp(y)/x) is y − log(x), and log(exp(y)) is y. This
// saves the product or quotient, and the logarithm too if the owner of x computes it in cleartext:
// the deviance y·log(y/μ) of a generalised linear model has μ = exp(η). The result is more accurate,
// since neither the exponential nor the quotient is rounded before the logarithm. x = 0 has the
// logarithm of zero either way, and x < 0 has none.
var logarithms = Pass{"logarithms", "logarithms of products and quotients with exponentials become sums", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpLog || parts[o] || !e.secretFloat(o.Results[0]) {
			return false
		}
		v := o.Operands[0]
		if f := s.named(v, hlo.OpExponential); f != nil && !parts[f] {
			return s.replaceResult(o, f.Operands[0])
		}
		f := s.named(v, hlo.OpMultiply, hlo.OpDivide)
		if f == nil || parts[f] {
			return false
		}
		for i, x := range f.Operands {
			exp := s.named(f.Operands[1-i], hlo.OpExponential)
			if exp == nil || parts[exp] || !s.secretFloat(exp.Results[0]) {
				continue
			}
			log, y := s.emitLike(hlo.OpLog, x), exp.Operands[0]
			switch {
			case f.Name == hlo.OpMultiply:
				return s.replaceResult(o, s.emitLike(hlo.OpAdd, log, y))
			case i == 0:
				return s.replaceResult(o, s.emitLike(hlo.OpSubtract, log, y))
			}
			return s.replaceResult(o, s.emitLike(hlo.OpSubtract, y, log))
		}
		return false
	})
}}
