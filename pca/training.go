package pca

import (
	"fmt"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
)

// Training is a Shape with the data of all parties.
type Training struct {
	*Shape
	Data [][]table.Feature // by rank
}

// Spec returns the run.
func (t *Training) Spec() (party.Spec, error) {
	spec, err := t.Shape.Spec()
	if err != nil {
		return spec, err
	}
	for rank, features := range t.Data {
		args, err := t.Args(rank, features)
		if err != nil {
			return party.Spec{}, fmt.Errorf("%s: %w", t.Parties[rank], err)
		}
		for i, a := range args {
			if a != nil {
				spec.Args[i].Data = a
			}
		}
	}
	return spec, nil
}

// Names returns the names of all features, PARTY.FEATURE in rank order.
func (t *Training) Names() []string {
	var out []string
	for rank, features := range t.Data {
		for _, f := range features {
			out = append(out, t.Parties[rank]+"."+f.Name)
		}
	}
	return out
}
