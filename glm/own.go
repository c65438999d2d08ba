package glm

import "math"

// Names of the statistics of the target alone that a fit reveals.
const (
	ownNull       = "null deviance"
	ownLikelihood = "the target's part of the log-likelihood"
)

// own lists the statistics of the target alone that a run reveals, in order: the deviance of the model without features, unless
// an offset or weights take part in it, and the part of the log-likelihood that does not follow from the deviance. Its owner computes
// them in cleartext.
func (s *Shape) own() []string {
	if s.weighted() || s.SGD != nil {
		return nil
	}
	var out []string
	if s.OffsetOwner < 0 && !s.piece(s.Owner) { // each party of stacked tables has a part of the target
		out = append(out, ownNull)
	}
	if s.Family == Poisson || s.Family == Gamma || s.Family == NegativeBinomial {
		out = append(out, ownLikelihood)
	}
	return out
}

// ownValues returns the statistics that own lists.
func (s *Shape) ownValues(y []float64) []float64 {
	var out []float64
	for _, name := range s.own() {
		if name == ownNull {
			out = append(out, s.nullDeviance(y))
		} else {
			out = append(out, s.saturated(y))
		}
	}
	return out
}

// entropy returns x·log x, 0 at 0.
func entropy(x float64) float64 {
	if x <= 0 {
		return 0
	}
	return x * math.Log(x)
}

// nullDeviance returns the deviance of the model whose mean is that of the target.
func (s *Shape) nullDeviance(y []float64) float64 {
	mean := 0.0
	for _, v := range y {
		mean += v / float64(len(y))
	}
	sum := 0.0
	for _, v := range y {
		switch p, a := s.Power, s.Alpha; s.Family {
		case Gaussian:
			sum += (v - mean) * (v - mean) / 2
		case Binomial:
			sum -= v*math.Log(mean) + (1-v)*math.Log1p(-mean)
		case Poisson:
			sum += entropy(v) - v*math.Log(mean) - (v - mean)
		case Gamma:
			sum += math.Log(mean/v) + v/mean - 1
		case Tweedie:
			sum += math.Pow(v, 2-p)/((1-p)*(2-p)) - v*math.Pow(mean, 1-p)/(1-p) + math.Pow(mean, 2-p)/(2-p)
		case NegativeBinomial:
			sum += entropy(v) - v*math.Log(mean) - (v+1/a)*(math.Log1p(a*v)-math.Log1p(a*mean))
		}
	}
	return 2 * sum
}

// saturated returns the log-likelihood of Poisson and NegativeBinomial targets whose means are their values; of Gamma targets
// the negative sum of logarithms.
func (s *Shape) saturated(y []float64) float64 {
	sum := 0.0
	for _, v := range y {
		count, _ := math.Lgamma(v + 1)
		switch s.Family {
		case Poisson:
			sum += entropy(v) - v - count
		case NegativeBinomial:
			per := 1 / s.Alpha
			more, _ := math.Lgamma(v + per)
			least, _ := math.Lgamma(per)
			sum += more - count - least + entropy(v) + v*math.Log(s.Alpha) - (v+per)*math.Log1p(s.Alpha*v)
		case Gamma:
			sum -= math.Log(v)
		}
	}
	return sum
}

// logLikelihood returns the log-likelihood of a fit; false if what is revealed does not determine it. own is the target's part.
func (s *Shape) logLikelihood(deviance, dispersion, own float64) (float64, bool) {
	n := float64(s.Rows)
	if s.weighted() {
		return 0, false
	}
	switch s.Family {
	case Gaussian:
		if s.Link == Identity {
			return -n / 2 * (math.Log(2*math.Pi*deviance/n) + 1), true
		}
		return -(deviance/dispersion + n*math.Log(2*math.Pi*dispersion)) / 2, true
	case Binomial:
		return -deviance / 2, true
	case Poisson, NegativeBinomial:
		return own - deviance/2, true
	case Gamma:
		gamma, _ := math.Lgamma(1 / dispersion)
		return -(deviance/2+n+n*math.Log(dispersion))/dispersion - n*gamma + own, true
	}
	return 0, false
}
