package bins

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkHidden refuses what has no groups of a hidden join.
func checkHidden(h *hidden.Join, parties, rows int) error {
	return h.Check("bins and groups", parties, rows, hidden.Inner, hidden.Left)
}

// joined writes the program of a task on a hidden join.
type joined struct {
	*build.Builder
	join  *hidden.Join
	rows  int
	spec  *party.Spec
	moved []*tensor.Array // by argument, what the join moves; nil for other arguments
	match build.Value     // the rows' weights
}

// newJoined returns a joined with its first argument, the weights.
func newJoined(name string, h *hidden.Join, rows int, spec *party.Spec) *joined {
	w := &joined{Builder: build.New(name), join: h, rows: rows, spec: spec}
	w.match = w.arg("match", party.Kept, tensor.F64, nil, rows)
	return w
}

// arg adds an argument.
func (w *joined) arg(name string, owner int, d tensor.DType, data *tensor.Array, dims ...int) build.Value {
	a := party.Arg{Owner: owner}
	if owner == party.Kept {
		w.moved = append(w.moved, data)
	} else {
		a.Data, w.moved = data, append(w.moved, nil)
	}
	w.spec.Args = append(w.spec.Args, a)
	return w.Arg(name, d, dims...)
}

// perRow adds an argument with values for each row of a party's table, zeros in rows that do not count and in those without a row of the
// party; weights has the type of the values.
func (w *joined) perRow(name string, rank int, data *tensor.Array, weights build.Value) build.Value {
	owner := w.join.Owner(rank)
	x := w.arg(name, owner, weights.DType(), data, w.rows)
	if owner == party.Kept || !w.join.Weighs() {
		return x
	}
	return w.Mul(x, weights)
}

// members adds the one-hot of a party's groups of rows. It returns a matrix with a row for each group, and the number of rows of
// each group that count; weights has the type of the one-hot.
func (w *joined) members(name string, rank, groups int, of *oneHot, weights build.Value) (members, counts build.Value) {
	d := weights.DType()
	if owner := w.join.Owner(rank); owner == party.Kept {
		x := w.arg(name, owner, d, of.array(d, true), w.rows, groups)
		return w.Transpose(x), w.Sum(x, 0)
	}
	x := w.arg(name, rank, d, of.array(d, false), groups, w.rows)
	if !w.join.Weighs() {
		return x, w.Sum(x, 1)
	}
	return x, w.Dot(x, weights)
}

// unmatched returns 1 for rows of a left join without a match and 0 for others; weights are those of the join.
func (w *joined) unmatched(weights build.Value) build.Value {
	one := any(1.0)
	if !weights.DType().IsFloat() {
		one = 1
	}
	return w.Sub(one, weights)
}

// oneHot says in which groups, of several divisions, each row is; nil in a process without the data.
type oneHot struct {
	groups int
	of     [][]int // of each division, by row
	first  []int   // number of the first group of each division
}

// array returns the one-hot as a matrix with a row for each group, or with byRow for each row.
func (o *oneHot) array(d tensor.DType, byRow bool) *tensor.Array {
	if o == nil {
		return nil
	}
	rows := len(o.of[0])
	words := make([]uint64, o.groups*rows)
	for k, of := range o.of {
		for row, group := range of {
			at := (o.first[k]+group)*rows + row
			if byRow {
				at = row*o.groups + o.first[k] + group
			}
			words[at] = 1
		}
	}
	shape := tensor.Shape{o.groups, rows}
	if byRow {
		shape = tensor.Shape{rows, o.groups}
	}
	if !d.IsFloat() {
		return tensor.FromWords(d, shape, words)
	}
	values := make([]float64, len(words))
	for i, x := range words {
		values[i] = float64(x)
	}
	return tensor.FromFloats(d, shape, values)
}

// MatchArg returns the number of the program's argument that holds the weights of a hidden join; false without one.
func (b *Binning) MatchArg() (int, bool) { return 0, b.Hidden != nil }

// MatchArg returns the number of the program's argument that holds the weights of a hidden join; false without one.
func (g *Groups) MatchArg() (int, bool) { return 0, g.Hidden != nil }

// Moved returns, for each argument of the program that comes to the keeper's rows as shares, what the other party provides: an array
// with a row for each row of its own table. It returns nil for other arguments.
func (b *Binning) Moved() ([]*tensor.Array, error) {
	w, err := b.hidden()
	if err != nil {
		return nil, err
	}
	return w.moved, nil
}

// Moved is that of Binning.
func (g *Groups) Moved() ([]*tensor.Array, error) {
	w, err := g.hidden()
	if err != nil {
		return nil, err
	}
	return w.moved, nil
}

// ones returns n ones.
func ones(n int) *tensor.Array {
	words := make([]uint64, n)
	for i := range words {
		words[i] = 1
	}
	return tensor.FromWords(tensor.I32, tensor.Shape{n}, words)
}

// divided is what the program computes of secret groups of rows.
type divided struct{ counts, exists, kept build.Value }

// groupsOf returns what follows from the groups' numbers of rows.
func (w *joined) groupsOf(counts build.Value, least int) divided {
	return divided{counts, w.Convert(w.Greater(counts, 0), tensor.I32), w.Convert(w.GreaterEqual(counts, least), tensor.I32)}
}

// hidden writes the program of a hidden join. Results are those of Results.
func (b *Binning) hidden() (*joined, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	spec := &party.Spec{Ring: 64, Fraction: 18, Parties: b.Parties, Computing: len(b.Parties), Network: party.DefaultNetwork}
	w := newJoined("bins", b.Hidden, b.Rows, spec)
	other := 1 - b.Hidden.Keeper
	var mark *tensor.Array
	if b.present(other) {
		mark = ones(b.Hidden.Rows[other])
	}
	match := w.arg("matches", party.Kept, tensor.I32, mark, b.Rows)
	var labels *tensor.Array
	if b.Target != nil {
		words := make([]uint64, len(b.Target))
		for i, y := range b.Target {
			words[i] = uint64(y)
		}
		labels = tensor.FromWords(tensor.I32, tensor.Shape{len(words)}, words)
	}
	target := w.perRow("target", b.Owner, labels, match)
	var results []build.Value
	for rank := range b.Parties {
		spec.Reveal = append(spec.Reveal, rank)
		hot, all := &oneHot{}, 0
		for _, f := range b.Features {
			if f.Owner == rank {
				hot.of, hot.first = append(hot.of, f.Of), append(hot.first, all)
				all += f.cells()
			}
		}
		if all == 0 {
			continue
		}
		if hot.groups = all; hot.of[0] == nil {
			hot = nil
		}
		members, counts := w.members(fmt.Sprint("bins", rank), rank, all, hot, match)
		positives := w.Dot(members, target)
		if b.Hidden.Lacks(rank) { // rows without a match are in the bins of missing values
			apart := w.unmatched(match)
			missing := w.Array(tensor.FromWords(tensor.I32, tensor.Shape{all}, b.missing(rank)))
			counts = w.Add(counts, w.Mul(missing, w.Sum(apart)))
			positives = w.Add(positives, w.Mul(missing, w.Dot(apart, target)))
		}
		c := w.groupsOf(counts, b.MinGroup)
		ok := w.Convert(w.And(w.GreaterEqual(positives, 1), w.Less(positives, counts)), tensor.I32)
		c.kept = w.Mul(c.kept, ok)
		at := 0
		var parts []build.Value
		for _, f := range b.Features {
			if f.Owner == rank {
				part := func(x build.Value) build.Value { return w.Slice(x, []int{at}, []int{at + f.cells()}) }
				parts = append(parts, w.shown(divided{part(c.counts), part(c.exists), part(c.kept)}, b.MinGroup))
				at += f.cells()
			}
		}
		visible := w.Concat(0, parts...)
		results = append(results, w.Sub(w.Mul(c.exists, withheld), visible), w.Mul(counts, visible), w.Mul(positives, visible))
	}
	if results = append(results, w.Sum(target)); b.Hidden.Weighs() {
		results = append(results, w.Sum(match))
	}
	results = hidden.Withhold(w.Builder, w.match, b.MinGroup, results)
	for i, f := range b.Features {
		if f.Levels == nil {
			var bounds *tensor.Array
			if f.Of != nil {
				bounds = bitsOf(f.Bounds)
			}
			results = append(results, w.arg(fmt.Sprintf("bounds%d", i), f.Owner, tensor.U64, bounds, f.Bins))
		}
	}
	w.Return(results...)
	var err error
	spec.Program, err = w.Program()
	return w, err
}

// missing marks the bins of missing values among all bins of a party.
func (b *Binning) missing(rank int) []uint64 {
	var out []uint64
	for _, f := range b.Features {
		if f.Owner == rank {
			out = append(append(out, make([]uint64, f.Bins)...), 1)
		}
	}
	return out
}

// shown is Shown of groups whose order by numbers of rows is secret.
func (w *joined) shown(c divided, least int) build.Value {
	return Shown(w.Builder, Cells{Counts: c.counts, Exists: c.exists, Kept: c.kept, Before: Before(w.Builder, c.counts)}, least)
}

// present reports whether this process has a party's data.
func (b *Binning) present(rank int) bool {
	if b.Owner == rank {
		return b.Target != nil
	}
	for _, f := range b.Features {
		if f.Owner == rank {
			return f.Of != nil
		}
	}
	return false
}

// groups is the number of groups: all combinations of levels, and of a left join that lacks rows of their owner the group of these rows.
func (g *Groups) groups() int {
	if g.Hidden.Lacks(g.Owner) {
		return g.cells() + 1
	}
	return g.cells()
}

// matches reports whether the numbers of rows that match are results: those of groups of the keeper of a left join, of which the other
// party has values.
func (g *Groups) matches() bool {
	return g.Hidden != nil && !g.Hidden.Lacks(g.Owner) && slices.ContainsFunc(g.Values, func(v Value) bool { return g.Hidden.Lacks(v.Owner) })
}

// hidden writes the program of a hidden join. Results are those of Results. Of a left join that lacks rows of the groups' owner these rows
// are the last group. A group of the keeper is withheld too if some of its rows match, but fewer than MinGroup: sums of the other
// party's values are sums of these.
func (g *Groups) hidden() (*joined, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	spec := &party.Spec{Ring: groupRing, Fraction: groupFraction, Parties: g.Parties, Computing: len(g.Parties), Network: party.DefaultNetwork}
	for rank := range g.Parties {
		spec.Reveal = append(spec.Reveal, rank)
	}
	n := g.cells()
	w := newJoined("groups", g.Hidden, g.Rows, spec)
	var hot *oneHot
	if g.Of != nil {
		hot = &oneHot{groups: n, of: [][]int{g.Of}, first: []int{0}}
	}
	members, counts := w.members("groups", g.Owner, n, hot, w.match)
	whole := func(x build.Value) build.Value { return w.Convert(w.Add(x, 0.5), tensor.I32) } // a half more, since products are units off
	var apart, matching build.Value
	if g.Hidden.Lacks(g.Owner) {
		apart = w.unmatched(w.match)
		counts = w.Concat(0, counts, w.Reshape(w.Sum(apart), 1))
	}
	c := w.groupsOf(whole(counts), g.MinGroup)
	cells := Cells{Counts: c.counts, Exists: c.exists, Kept: c.kept, Before: Before(w.Builder, c.counts)}
	if g.matches() {
		matching = whole(w.Dot(members, w.match))
		cells.Kept = Parts(w.Builder, cells, []build.Value{matching}, g.MinGroup)
	}
	visible := Shown(w.Builder, cells, g.MinGroup)
	withheld := w.Sub(c.exists, visible)
	results := []build.Value{w.Convert(w.Sub(w.Mul(c.counts, visible), withheld), tensor.I64)}
	scale := w.Convert(visible, tensor.F64)
	for i, v := range g.Values {
		var data *tensor.Array
		if v.Values != nil {
			data = tensor.FromFloats(tensor.F64, tensor.Shape{len(v.Values)}, v.Values)
		}
		x := w.perRow(fmt.Sprintf("value%d", i), v.Owner, data, w.match)
		sums := w.Dot(members, x)
		if g.Hidden.Lacks(g.Owner) {
			rest := w.Const(tensor.F64, 0.0, 1)
			if !g.Hidden.Lacks(v.Owner) {
				rest = w.Reshape(w.Dot(apart, x), 1)
			}
			sums = w.Concat(0, sums, rest)
		}
		results = append(results, w.Mul(sums, scale))
	}
	if g.matches() {
		results = append(results, w.Convert(w.Mul(matching, visible), tensor.I64))
	}
	w.Return(hidden.Withhold(w.Builder, w.match, g.MinGroup, results)...)
	var err error
	spec.Program, err = w.Program()
	return w, err
}
