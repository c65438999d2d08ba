package glm

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Program returns the program that fits the model. It depends on the family, the link and the numbers of rows
// and features, not on values. The error says what is wrong with the model.
func (m *Model) Program() (*hlo.Program, error) {
	s, err := m.Shape()
	if err != nil {
		return nil, err
	}
	return s.program()
}

// Spec returns the spec of a run that fits the model: all parties compute, and all learn the results. The caller
// may set protocol and network. The error says what is wrong with the model.
func (m *Model) Spec() (party.Spec, error) {
	s, err := m.Shape()
	if err != nil {
		return party.Spec{}, err
	}
	spec, err := s.Spec()
	if err != nil {
		return party.Spec{}, err
	}
	return spec, spec.SetData(func(rank int) ([]*tensor.Array, error) {
		out, err := s.Args(rank, m.data(rank))
		for i, a := range spec.Args {
			if a.Owner == party.Kept && i < len(out) { // Moved
				out[i] = nil
			}
		}
		return out, err
	})
}
