package hidden

import (
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Rows are the rows of a task on a hidden join in its program, whose first arguments are their weights.
type Rows struct {
	*build.Builder
	*Join
	Match   build.Value // of the keeper's rows: 1 where a row of the other party has the same key, else 0
	Weights build.Value // of all rows of the task: 1 for those that count, else 0
	alone   build.Value // of an outer join: 1 for rows of the other party that match none, else 0
}

// NewRows adds the arguments of WeightArgs.
func (h *Join) NewRows(b *build.Builder) *Rows {
	r := &Rows{Builder: b, Join: h}
	n := h.Rows[h.Keeper]
	r.Match = b.Arg("match", tensor.F64, n)
	switch {
	case h.Kind == Outer:
		r.alone = b.Sub(1.0, b.Arg("matched", tensor.F64, h.Rows[1-h.Keeper]))
		r.Weights = b.Concat(0, b.Const(tensor.F64, 1.0, n), r.alone)
	case h.Kind == Left:
		r.Weights = b.Const(tensor.F64, 1.0, n)
	default:
		r.Weights = r.Match
	}
	return r
}

// WeightArgs returns the arguments that the join makes beside columns: the weights of the keeper's rows and, of an outer join, those of the
// other party's rows, 1 where a row of the keeper has the same key.
func (h *Join) WeightArgs() []party.Arg {
	if h.Kind == Outer {
		return []party.Arg{{Owner: party.Kept}, {Owner: party.Kept}}
	}
	return []party.Arg{{Owner: party.Kept}}
}

// Weight reports whether an argument is one of WeightArgs, if match is the number of the first of them.
func (h *Join) Weight(match, arg int) bool { return arg >= match && arg < match+len(h.WeightArgs()) }

// ColumnArgs returns the arguments with a party's columns: of the keeper's rows and, of an outer join's other party, of its own rows.
func (h *Join) ColumnArgs(rank int, data *tensor.Array) []party.Arg {
	switch owner := h.Owner(rank); {
	case owner == rank:
		return []party.Arg{{Owner: rank, Data: data}}
	case h.Kind == Outer:
		return []party.Arg{{Owner: owner}, {Owner: rank, Data: data}}
	default:
		return []party.Arg{{Owner: owner}}
	}
}

// Columns are a party's columns in the rows of a task.
type Columns struct {
	rows *Rows
	rank int
	kept build.Value // of the keeper's rows
	own  build.Value // of an outer join's other party: of its own rows
}

// Columns adds the arguments of ColumnArgs.
func (r *Rows) Columns(name string, rank, width int) *Columns {
	c := &Columns{rows: r, rank: rank, kept: r.Arg(name, tensor.F64, r.Rows[r.Keeper], width)}
	if c.twice() {
		c.own = r.Arg(name+"own", tensor.F64, r.Rows[rank], width)
	}
	return c
}

// keeps reports whether the columns are the keeper's, and twice whether they are in rows of both parties.
func (c *Columns) keeps() bool { return c.rank == c.rows.Keeper }
func (c *Columns) twice() bool { return c.rows.Kind == Outer && !c.keeps() }

// Slice returns some of the columns.
func (c *Columns) Slice(from, to int) *Columns {
	out := *c
	of := func(x build.Value) build.Value { return c.rows.Slice(x, []int{0, from}, []int{x.Dim(0), to}) }
	if out.kept = of(c.kept); c.twice() {
		out.own = of(c.own)
	}
	return &out
}

// whole returns columns of all rows of the task from those of the keeper's rows and, if there are any, of the other party's.
func (c *Columns) whole(own build.Value) build.Value {
	r := c.rows
	switch {
	case c.twice():
		return r.Concat(0, c.kept, own)
	case r.Kind == Outer:
		return r.Concat(0, c.kept, r.Const(tensor.F64, 0.0, r.Rows[1-r.Keeper], c.kept.Dim(1)))
	}
	return c.kept
}

// All returns the columns, a row for each of the task. They are zeros in rows that their owner lacks.
func (c *Columns) All() build.Value { return c.whole(c.own) }

// Weighted returns the columns times the rows' weights.
func (c *Columns) Weighted() build.Value {
	r := c.rows
	switch {
	case c.twice():
		return c.whole(r.Mul(c.own, r.Reshape(r.alone, r.Rows[c.rank], 1)))
	case c.keeps() && r.Kind == Inner:
		return r.Mul(c.kept, r.Reshape(r.Match, r.Rows[r.Keeper], 1))
	}
	return c.whole(c.own)
}

// Sums returns the sums of the columns over rows that count.
func (c *Columns) Sums() build.Value {
	r := c.rows
	switch {
	case c.twice():
		return r.Add(r.Sum(c.kept, 0), r.Dot(r.alone, c.own))
	case c.keeps() && r.Kind == Inner:
		return r.Dot(r.Match, c.kept)
	}
	return r.Sum(c.kept, 0) // zeros in rows that do not count
}
