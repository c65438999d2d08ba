package gbt

import (
	"fmt"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Training is a Shape together with the data of all parties, for a run in one process.
type Training struct {
	*Shape
	Data []Data // by rank
}

// Spec returns Shape.Spec with all parties' data. It returns an error that names the party if its data differs from the
// Shape.
func (t *Training) Spec() (party.Spec, error) {
	spec, err := t.Shape.Spec()
	if err != nil {
		return spec, err
	}
	if len(t.Data) != len(t.Parties) {
		return spec, fmt.Errorf("data of %d parties is given, and the model has %d", len(t.Data), len(t.Parties))
	}
	return spec, spec.SetData(func(rank int) ([]*tensor.Array, error) { return t.Args(rank, t.Data[rank]) })
}

// Names returns the names of all features, PARTY.FEATURE in rank order; of stacked tables FEATURE, before those of parties beside them.
func (t *Training) Names() []string {
	features := make([][]table.Feature, len(t.Data))
	for rank, d := range t.Data {
		features[rank] = d.Features
	}
	if t.Stacked != nil {
		return t.Stacked.Names(t.Parties, features)
	}
	return table.FullNames(t.Parties, features)
}
