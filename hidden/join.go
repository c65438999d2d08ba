package hidden

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Join describes a hidden join that matched the rows of a task: those of the task are the keeper's, and each has a weight that no
// party knows, 1 if a row of the other party belongs to it and 0 otherwise. The other party's columns come to these rows as shares,
// zeros where the weight is 0. Methods take nil, which stands for rows that no hidden join matched.
type Join struct {
	Keeper int   // rank
	Rows   []int // numbers of rows of the parties' tables, by rank
	Kind   Kind
}

// Kind says which rows of a hidden join count.
type Kind int

// The kinds of joins.
const (
	// Inner is the kind of which rows count that match.
	Inner Kind = iota
	// Left is the kind of which all rows of the keeper count; the other party's columns are zeros where the weight is 0.
	Left
	// Outer is the kind of which the rows of both parties count, those of one key once: the task has the keeper's rows, then the other
	// party's, of which those count that match none of the keeper's. Columns are zeros in rows that their owner lacks.
	Outer
)

// kinds are the names of kinds.
var kinds = []string{Inner: "inner", Left: "left", Outer: "outer"}

// String returns the name of the kind.
func (k Kind) String() string { return kinds[k] }

// ParseKind returns the kind with a name; "" stands for Inner.
func ParseKind(name string) (Kind, error) {
	if i := slices.Index(kinds, name); i >= 0 {
		return Kind(i), nil
	}
	switch name {
	case "":
		return Inner, nil
	case "right":
		return 0, errors.New("right is left with the other party's rows (kind: left, keeper: the party whose rows all count)")
	}
	return 0, fmt.Errorf("want inner, left or outer, got %q", name)
}

// Total returns the number of rows of the task.
func (h *Join) Total() int {
	if h.Kind == Outer {
		return h.Rows[0] + h.Rows[1]
	}
	return h.Rows[h.Keeper]
}

// Check refuses what is no hidden join among this number of parties whose task has this number of rows, and kinds that the task does not
// take; what names the task's results in the message.
func (h *Join) Check(what string, parties, rows int, takes ...Kind) error {
	switch {
	case h == nil:
		return nil
	case parties != 2 || len(h.Rows) != 2 || h.Keeper < 0 || h.Keeper > 1 || h.Kind < 0 || int(h.Kind) >= len(kinds):
		return errNoJoin
	case !slices.Contains(takes, h.Kind):
		names := make([]string, len(takes))
		for i, k := range takes {
			names[i] = k.String()
		}
		return fmt.Errorf("join: kind: %s is not for %s, of which rows have no values then (kind: %s)", h.Kind, what, strings.Join(names, " or "))
	case rows != h.Total():
		return errNoJoin
	}
	return nil
}

var errNoJoin = errors.New("a hidden join is one of two parties' rows")

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

// OneParty reports whether a value that is made of a party's columns alone, over the rows that count, takes all rows of that party, so
// that it says nothing of which rows match.
func (h *Join) OneParty(rank int) bool { return h.Kind == Outer || h.Kind == Left && rank == h.Keeper }

// Lacks reports whether rows count in which a party's columns are zeros, as none of its rows belongs to them.
func (h *Join) Lacks(rank int) bool {
	return h != nil && (h.Kind == Outer || h.Kind == Left && rank != h.Keeper)
}

// CheckTarget refuses a target of the given party of which rows that count may have none. parties are the parties' names.
func (h *Join) CheckTarget(owner int, parties []string) error {
	if h.Lacks(owner) {
		return fmt.Errorf("the target of a join of kind %s is a column of the party that keeps its rows: other rows have none "+
			"(kind: left, keeper: %s)", h.Kind, parties[owner])
	}
	return nil
}

// Weighs reports whether the weights of a hidden join say which rows count. In a left join all of the keeper's do.
func (h *Join) Weighs() bool { return h != nil && h.Kind != Left }

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
