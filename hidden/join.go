package hidden

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Join describes a hidden join that matched the rows of a task: those of the task are the keeper's, and each has a weight that no
// party knows, 1 if a row of the other party belongs to it and 0 otherwise. The other party's columns come to these rows as shares,
// zeros where the weight is 0. Methods take nil, which stands for rows that no hidden join matched.
type Join struct {
	Keeper int   // rank
	Rows   []int // numbers of rows of the parties' tables, by rank
	// Left says that all rows of the keeper count, as in a left join; the other party's columns are zeros where the weight is 0.
	Left bool
	// Outer says that the rows of both parties count, as in a full outer join: the task has the keeper's rows, then the other party's, of
	// which those count that match none of the keeper's. Columns are zeros in rows that their owner lacks. Left is false then.
	Outer bool
}

// Total returns the number of rows of the task.
func (h *Join) Total() int {
	if h.Outer {
		return h.Rows[0] + h.Rows[1]
	}
	return h.Rows[h.Keeper]
}

// Check refuses what is no hidden join among this number of parties whose keeper has this number of rows.
func (h *Join) Check(parties, rows int) error {
	if h != nil && (parties != 2 || len(h.Rows) != 2 || h.Keeper < 0 || h.Keeper > 1 || h.Left && h.Outer || rows != h.Total()) {
		return errors.New("a hidden join is one of two parties' rows")
	}
	return nil
}

// OfParty returns the number of rows of a party's table, which is rows without a hidden join.
func (h *Join) OfParty(rank, rows int) int {
	if h == nil {
		return rows
	}
	return h.Rows[rank]
}

// Owner returns the owner of an argument with values of a party's rows: the party, or party.Kept if a hidden join moves them.
func (h *Join) Owner(rank int) int {
	if h != nil && rank != h.Keeper {
		return party.Kept
	}
	return rank
}

// matching reports whether the rows that match count, and no others.
func (h *Join) matching() bool { return !h.Left && !h.Outer }

// OneParty reports whether a value that is made of a party's columns alone, over the rows that count, takes all rows of that party, so
// that it says nothing of which rows match.
func (h *Join) OneParty(rank int) bool { return h.Outer || h.Left && rank == h.Keeper }

// CheckTarget refuses a target of the given party of which rows that count may have none. parties are the parties' names.
func (h *Join) CheckTarget(owner int, parties []string) error {
	switch {
	case h == nil || h.matching():
		return nil
	case h.Outer:
		return errors.New("rows of an outer join that its owner lacks have no target (join with kind left, whose keeper is the target's owner)")
	case owner != h.Keeper:
		return fmt.Errorf("the target of a left join is a column of %s, which keeps its rows (keeper)", parties[h.Keeper])
	}
	return nil
}

// Weighs reports whether the weights of a hidden join say which rows count. In a left join all of the keeper's do.
func (h *Join) Weighs() bool { return h != nil && !h.Left }

// Inner refuses joins that are no inner joins, for what is of rows that match.
func (h *Join) Inner(what string) error {
	switch {
	case h == nil || h.matching():
		return nil
	case h.Left:
		return fmt.Errorf("%s are of rows that match: rows of a left join lack columns (join with kind inner)", what)
	}
	return fmt.Errorf("%s are of rows that match: rows of an outer join lack columns (join with kind inner)", what)
}

// Moved returns, of the arguments that a party provides to a run of spec, those that a hidden join moves, and nil for others.
func Moved(spec *party.Spec, args []*tensor.Array) []*tensor.Array {
	out := make([]*tensor.Array, len(spec.Args))
	for i, a := range spec.Args {
		if a.Owner == party.Kept && i < len(args) {
			out[i] = args[i]
		}
	}
	return out
}
