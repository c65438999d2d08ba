package gomlx

import (
	"iter"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet"
)

// Owners says to which party each tensor of a batch belongs, by name; "" stands for public tensors.
type Owners struct{ Inputs, Labels []string }

// Dataset returns a dataset with the batches of ds, whose tensors belong to the given parties (Backend.Owned).
func (b *Backend) Dataset(ds train.Dataset, o Owners) train.Dataset { return owned{b, ds, o} }

type owned struct {
	backend *Backend
	train.Dataset
	owners Owners
}

// Iter implements train.Dataset.
func (d owned) Iter() iter.Seq2[train.Batch, error] {
	return func(yield func(train.Batch, error) bool) {
		for batch, err := range d.Dataset.Iter() {
			if err == nil {
				err = d.share(batch.Inputs, d.owners.Inputs, "input")
			}
			if err == nil {
				err = d.share(batch.Labels, d.owners.Labels, "label")
			}
			if !yield(batch, err) || err != nil {
				return
			}
		}
	}
}

// share replaces tensors by tensors that belong to their owners.
func (d owned) share(list []*tensors.Tensor, owners []string, what string) error {
	if len(list) != len(owners) {
		return errors.Wrapf(tacet.ErrUsage, "gomlx: dataset %q has %d %ss and Owners names %d (\"\" for a public one)",
			d.Name(), len(list), what, len(owners))
	}
	for i, owner := range owners {
		if owner == "" {
			continue
		}
		t, err := d.backend.Owned(owner, list[i])
		if err != nil {
			return err
		}
		if err := list[i].FinalizeAll(); err != nil {
			return err
		}
		list[i] = t
	}
	return nil
}
