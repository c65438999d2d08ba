package kmeans

import (
	"fmt"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
)

// Training is a Shape together with the data of all parties, for a run in one process.
type Training struct {
	*Shape
	Data [][]table.Feature // by rank
}

// Spec returns Shape.Spec with all parties' data. It returns an error that names the party if its data differs from the
// Shape.
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
