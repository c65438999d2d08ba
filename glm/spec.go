package glm

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// shape returns what all parties know of the model.
func (m *Model) shape() *shape {
	s := &shape{
		Family: m.Family, Link: m.Link, rows: len(m.Target.Values), offset: m.Offset != nil, iterations: m.Iterations, condition: m.Condition,
	}
	for _, p := range m.Parties {
		s.features = append(s.features, len(p.Features))
	}
	return s
}

// Program returns the program that fits the model. It depends on the family, the link and the numbers of rows
// and features, not on values. The error says what is wrong with the model.
func (m *Model) Program() (*hlo.Program, error) {
	m, err := m.resolve()
	if err != nil {
		return nil, err
	}
	return m.shape().program()
}

// Spec returns the spec of a run that fits the model: all parties compute, and all learn the results. The caller
// may set protocol and network. The error says what is wrong with the model.
func (m *Model) Spec() (party.Spec, error) {
	m, err := m.resolve()
	if err != nil {
		return party.Spec{}, err
	}
	spec := party.Spec{Ring: ring, Fraction: fraction, Computing: len(m.Parties), Network: party.DefaultNetwork}
	if spec.Program, err = m.shape().program(); err != nil {
		return party.Spec{}, err
	}
	give := func(rank int, values []float64, dims ...int) {
		a := tensor.FromFloats(tensor.F64, tensor.Shape(dims), values)
		spec.Args = append(spec.Args, party.Arg{Owner: rank, Data: a})
	}
	for rank, p := range m.Parties {
		spec.Parties, spec.Reveal = append(spec.Parties, p.Name), append(spec.Reveal, rank)
		k := len(p.Features)
		if k == 0 {
			continue
		}
		x, shift, scale := make([]float64, k*len(m.Target.Values)), make([]float64, k), make([]float64, k)
		for j, f := range p.Features {
			mean, sd, err := scales(p.Name, f)
			if err != nil {
				return party.Spec{}, err
			}
			for i, v := range f.Values {
				x[i*k+j] = (v - mean) / sd
			}
			shift[j], scale[j] = mean/sd, 1/sd
		}
		give(rank, x, len(m.Target.Values), k)
		give(rank, shift, k)
		give(rank, scale, k)
	}
	if m.Offset != nil {
		give(m.OffsetOwner, m.Offset.Values, len(m.Offset.Values))
	}
	y, mean, unit, err := m.target()
	if err != nil {
		return party.Spec{}, err
	}
	give(m.Owner, y, len(y))
	if m.shape().dispersed() {
		give(m.Owner, []float64{mean})
		give(m.Owner, []float64{unit})
	}
	return spec, nil
}

// target returns the target in its owner's scale: y = (target − mean)/unit, where unit is a power of two.
func (m *Model) target() (y []float64, mean, unit float64, err error) {
	y, unit = make([]float64, len(m.Target.Values)), 1
	switch m.Family {
	case Gaussian:
		sd := 0.0
		if mean, sd, err = scales(m.Parties[m.Owner].Name, m.Target); err != nil {
			return nil, 0, 0, err
		}
		unit = powerOfTwo(sd)
	case Gamma:
		total := 0.0
		for _, v := range m.Target.Values {
			total += v / float64(len(y))
		}
		unit = powerOfTwo(total)
		if !(unit >= 1.0/maxCount && unit <= maxCount) {
			return nil, 0, 0, fmt.Errorf("%s.%s has values too large or too small (rescale it: the mean is from 2^-20 to 2^20)",
				m.Parties[m.Owner].Name, m.Target.Name)
		}
	}
	for i, v := range m.Target.Values {
		y[i] = (v - mean) / unit
	}
	return y, mean, unit, nil
}

func powerOfTwo(x float64) float64 { return math.Exp2(math.Round(math.Log2(x))) }
