package bins

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkStacked refuses what are no groups of stacked tables. Errors about values name no value.
func (g *Groups) checkStacked() error {
	if g.Stacked == nil {
		return nil
	}
	if g.Stacked.Besides() {
		return g.checkBeside()
	}
	if err := g.Stacked.Check(len(g.Parties), make([]int, len(g.Parties))); err != nil {
		return err
	}
	if len(g.Data) > len(g.Parties) {
		return fmt.Errorf("there are tables of %d parties, and the task has %d", len(g.Data), len(g.Parties))
	}
	for rank, d := range g.Data {
		if d == nil {
			continue
		}
		if n := g.Stacked[rank]; len(d.Of) != n || len(d.Values) != len(g.Values) {
			return fmt.Errorf("the table of %s has %d rows, and the task has %d", g.Parties[rank], len(d.Of), n)
		}
		if err := g.checkGroups(d.Of); err != nil {
			return fmt.Errorf("%s: %w", g.Parties[rank], err)
		}
		for i, v := range d.Values {
			if len(v) != len(d.Of) {
				return fmt.Errorf("%s of %s has %d rows, and the task has %d", g.Values[i].Name, g.Parties[rank], len(v), len(d.Of))
			}
			if err := checkValues(g.Values[i].Name, v); err != nil {
				return fmt.Errorf("%s: %w", g.Parties[rank], err)
			}
		}
	}
	return nil
}

// stacked is Spec of stacked tables: each party counts and sums its own rows in cleartext, so that messages do not grow with rows. A group
// of which a party has fewer rows than MinGroup, but some, is withheld: the other party can subtract its own rows from what is shown. So
// are groups that Apart and Shown add.
func (g *Groups) stacked() (party.Spec, error) {
	spec := &party.Spec{Ring: groupRing, Fraction: groupFraction, Parties: g.Parties, Computing: len(g.Parties), Network: party.DefaultNetwork}
	w, n := &joined{Builder: build.New("groups"), spec: spec}, g.cells()
	totals := make([]build.Value, 1+len(g.Values)) // rows, then sums
	var counts []build.Value                       // by party
	kept := w.Const(tensor.I32, 1, n)
	for rank := range g.Parties {
		spec.Reveal = append(spec.Reveal, rank)
		own := make([]*tensor.Array, len(totals))
		if rank < len(g.Data) && g.Data[rank] != nil {
			own = g.Data[rank].totals(n)
		}
		var few *tensor.Array
		if own[0] != nil {
			few = g.few(own[0])
		}
		kept = w.Mul(kept, w.Sub(1, w.arg(fmt.Sprint("few", rank), rank, tensor.I32, few, n)))
		for i, a := range own {
			name, d := fmt.Sprint("rows", rank), tensor.I32
			if i > 0 {
				name, d = fmt.Sprintf("sums%d_%d", i-1, rank), tensor.F64
			}
			x := w.arg(name, rank, d, a, n)
			if i == 0 {
				counts = append(counts, x)
			}
			if rank == 0 {
				totals[i] = x
			} else {
				totals[i] = w.Add(totals[i], x)
			}
		}
	}
	w.Return(g.shown(w.Builder, totals, counts, kept)...)
	var err error
	spec.Program, err = w.Program()
	return *spec, err
}

// shown returns the results: totals are the rows of each group, then sums; counts are the rows of each stacked table, and kept is 0 for
// groups of which one of these has some rows, but too few.
func (g *Groups) shown(w *build.Builder, totals, counts []build.Value, kept build.Value) []build.Value {
	c := Cells{Counts: totals[0], Exists: w.Convert(w.Greater(totals[0], 0), tensor.I32), Before: Before(w, totals[0])}
	c.Kept = w.Mul(c.Exists, kept)
	c.Kept = Apart(w, c, counts, g.MinGroup)
	visible := Shown(w, c, g.MinGroup)
	results := []build.Value{w.Convert(w.Sub(w.Mul(c.Counts, visible), w.Sub(c.Exists, visible)), tensor.I64)}
	scale := w.Convert(visible, tensor.F64)
	for _, sum := range totals[1:] {
		results = append(results, w.Mul(sum, scale))
	}
	return results
}

// checkStacked refuses what are no bins of stacked tables. Errors about values name no value.
func (b *Binning) checkStacked() error {
	if b.Stacked == nil {
		return nil
	}
	if b.Stacked.Besides() {
		return b.checkBeside()
	}
	if err := b.Stacked.Check(len(b.Parties), make([]int, len(b.Parties))); err != nil {
		return err
	}
	if len(b.Data) > len(b.Parties) {
		return fmt.Errorf("there are tables of %d parties, and the task has %d", len(b.Data), len(b.Parties))
	}
	atQuantiles := 0 // bins of each feature with a grid
	for _, f := range b.Features {
		bounds := f.Bins
		if f.Levels != nil || f.Grid != nil {
			bounds = 0
		}
		if f.Owner != 0 || len(f.Bounds) != bounds || f.Levels != nil && len(f.Levels) != f.Bins {
			return fmt.Errorf("%s has %d bins, %d levels and %d bounds", f.Name, f.Bins, len(f.Levels), len(f.Bounds))
		}
		if f.Grid == nil {
			continue
		}
		if err := f.Grid.Check(); err != nil {
			return fmt.Errorf("ranges: %s: %w", f.Name, err)
		}
		if f.Bins < 2 || atQuantiles > 0 && f.Bins != atQuantiles {
			return fmt.Errorf("bins: want 2 or more, got %d", f.Bins)
		}
		atQuantiles = f.Bins
	}
	if err := b.Stacked.CheckBins(atQuantiles, b.MinGroup); err != nil {
		return err
	}
	for rank, d := range b.Data {
		if d == nil {
			continue
		}
		n := b.Stacked[rank]
		if len(d.Target) != n || len(d.Of) != len(b.Features) {
			return fmt.Errorf("the table of %s has %d rows and %d features, and the task has %d and %d", b.Parties[rank], len(d.Target), len(d.Of), n,
				len(b.Features))
		}
		if err := checkTarget(d.Target); err != nil {
			return fmt.Errorf("%s: %w", b.Parties[rank], err)
		}
		for i, of := range d.Of {
			f := &b.Features[i]
			if len(of) != n {
				return fmt.Errorf("%s of %s has %d rows, and the task has %d", f.Name, b.Parties[rank], len(of), n)
			}
			for row, cell := range of {
				if cell < 0 || cell >= f.cellsOfRows() {
					return fmt.Errorf("%s of %s: row %d is in no bin", f.Name, b.Parties[rank], row+1)
				}
			}
		}
	}
	return nil
}

// cellsOfRows is the number of different values of BinRows.Of.
func (f *Feature) cellsOfRows() int {
	if f.Grid != nil {
		return stacked.Cells + 1
	}
	return f.cells()
}

// stacked is Spec of stacked tables: each party counts its own rows and positives in cleartext, by bins or by cells of grids, so that
// messages do not grow with rows. A bin of which a party has rows, but fewer than MinGroup or of one class only, is withheld: the others
// can subtract their own rows from what is shown. So are bins that Apart and Shown add.
func (b *Binning) stacked() (party.Spec, error) {
	spec := &party.Spec{Ring: 64, Fraction: 18, Parties: b.Parties, Computing: len(b.Parties), Network: party.DefaultNetwork}
	w := &joined{Builder: build.New("bins"), spec: spec}
	var grids []int // features with a grid
	fixed := 0      // bins of other features
	for i := range b.Features {
		if f := &b.Features[i]; f.Grid != nil {
			grids = append(grids, i)
		} else {
			fixed += f.cells()
		}
	}
	var counts, positives, bad, targets []build.Value // by party
	var cells [2][]build.Value                        // rows and positives by party: features with a grid × cells
	for rank := range b.Parties {
		spec.Reveal = append(spec.Reveal, rank)
		var own binTotals
		if rank < len(b.Data) && b.Data[rank] != nil {
			own = b.totals(b.Data[rank], fixed, len(grids))
		}
		arg := func(name string, a *tensor.Array, dims ...int) build.Value {
			return w.arg(fmt.Sprint(name, rank), rank, tensor.I32, a, dims...)
		}
		if fixed > 0 {
			counts = append(counts, arg("rows", own.rows, fixed))
			positives = append(positives, arg("positives", own.positives, fixed))
			bad = append(bad, arg("bad", own.bad, fixed))
		}
		if len(grids) > 0 {
			cells[0] = append(cells[0], arg("cells", own.cells, len(grids), stacked.Cells+1))
			cells[1] = append(cells[1], arg("positivecells", own.hits, len(grids), stacked.Cells+1))
		}
		targets = append(targets, arg("target", own.target))
	}
	var at build.Value
	var quantiled [3][]build.Value // counts, positives and bad of grids by party: features with a grid × bins
	if len(grids) > 0 {
		at, quantiled = b.quantiled(w.Builder, cells, b.Features[grids[0]].Bins)
	}
	if len(grids) > 0 {
		for i, fixed := range []*[]build.Value{&counts, &positives, &bad} {
			*fixed = b.inOrder(w.Builder, *fixed, quantiled[i])
		}
	}
	results := append(b.shown(w.Builder, counts, positives, bad), stacked.Sum(w.Builder, targets))
	if len(grids) > 0 {
		results = append(results, at)
	}
	w.Return(results...)
	var err error
	spec.Program, err = w.Program()
	return *spec, err
}

// shown returns the state of each bin, and rows and positives of those that are shown, from the rows and positives of each stacked table,
// and 1 for bins that one of them withholds.
func (b *Binning) shown(w *build.Builder, counts, positives, bad []build.Value) []build.Value {
	rows, hits := stacked.Sum(w, counts), stacked.Sum(w, positives)
	kept := w.Const(tensor.I32, 1, rows.Dim(0))
	for _, x := range bad {
		kept = w.Mul(kept, w.Sub(1, x))
	}
	exists := w.Convert(w.Greater(rows, 0), tensor.I32)
	both := w.Convert(w.And(w.GreaterEqual(hits, 1), w.Less(hits, rows)), tensor.I32)
	kept = w.Mul(w.Mul(exists, kept), both)
	var parts []build.Value
	from := 0
	for i := range b.Features {
		n := b.Features[i].cells()
		part := func(x build.Value) build.Value { return w.Slice(x, []int{from}, []int{from + n}) }
		c := Cells{Counts: part(rows), Exists: part(exists), Kept: part(kept), Before: Before(w, part(rows))}
		var own []build.Value
		for _, x := range counts {
			own = append(own, part(x))
		}
		c.Kept = Apart(w, c, own, b.MinGroup)
		parts = append(parts, Shown(w, c, b.MinGroup))
		from += n
	}
	visible := w.Concat(0, parts...)
	return []build.Value{w.Sub(w.Mul(exists, withheld), visible), w.Mul(rows, visible), w.Mul(hits, visible)}
}

// inOrder returns numbers of the bins of all features by party, from those of features without a grid (one vector of all, if there are
// any) and of those with one (a row for each).
func (b *Binning) inOrder(w *build.Builder, fixed, quantiled []build.Value) []build.Value {
	var out []build.Value
	for rank := range b.Parties {
		var parts []build.Value
		from, next := 0, 0
		for i := range b.Features {
			n := b.Features[i].cells()
			if b.Features[i].Grid == nil {
				parts = append(parts, w.Slice(fixed[rank], []int{from}, []int{from + n}))
				from += n
				continue
			}
			parts = append(parts, w.Reshape(w.Slice(quantiled[rank], []int{next, 0}, []int{next + 1, n}), n))
			next++
		}
		out = append(out, w.Concat(0, parts...))
	}
	return out
}

// quantiled returns the bounds of bins of features with a grid, as cells, and by party the numbers of rows and positives of each bin, and 1
// for bins that the party's rows withhold. cells are numbers of rows and positives, of which the last are those of missing values.
func (b *Binning) quantiled(w *build.Builder, cells [2][]build.Value, bins int) (at build.Value, out [3][]build.Value) {
	k := cells[0][0].Dim(0)
	present := func(x build.Value) build.Value { return w.Slice(x, []int{0, 0}, []int{k, stacked.Cells}) }
	q := stacked.NewQuantiles(w, present(stacked.Sum(w, cells[0])), bins)
	for rank := range b.Parties {
		for i := range cells {
			x := cells[i][rank]
			missing := w.Slice(x, []int{0, stacked.Cells}, []int{k, stacked.Cells + 1})
			out[i] = append(out[i], w.Concat(1, q.Counts(present(x)), missing))
		}
		rows, hits := out[0][rank], out[1][rank]
		few := w.Or(w.Less(rows, b.MinGroup), w.Or(w.Less(hits, 1), w.GreaterEqual(hits, rows)))
		out[2] = append(out[2], w.Convert(w.And(w.Greater(rows, 0), few), tensor.I32))
	}
	return q.At, out
}

// binTotals are what a party counts of its rows: those of each bin of features without a grid, the positives among them, 1 for each bin
// that it alone has withheld; rows and positives in each cell of grids; and its positives.
type binTotals struct{ rows, positives, bad, cells, hits, target *tensor.Array }

// totals returns the totals of a party's rows, of so many bins of features without a grid and so many features with one.
func (b *Binning) totals(d *BinRows, fixed, grids int) binTotals {
	rows, positives, bad := make([]uint64, fixed), make([]uint64, fixed), make([]uint64, fixed)
	cells, hits := make([]uint64, grids*(stacked.Cells+1)), make([]uint64, grids*(stacked.Cells+1))
	at, gridAt, sum := 0, 0, uint64(0)
	for i := range b.Features {
		f := &b.Features[i]
		r, p, from := rows, positives, &at
		if f.Grid != nil {
			r, p, from = cells, hits, &gridAt
		}
		for row, cell := range d.Of[i] {
			r[*from+cell]++
			p[*from+cell] += uint64(d.Target[row])
		}
		*from += f.cellsOfRows()
	}
	for _, y := range d.Target {
		sum += uint64(y)
	}
	for i, n := range rows {
		bad[i] = uint64(bit(n > 0 && (n < uint64(b.MinGroup) || positives[i] == 0 || positives[i] == n)))
	}
	of := func(words []uint64, dims ...int) *tensor.Array { return tensor.FromWords(tensor.I32, dims, words) }
	return binTotals{
		of(rows, fixed), of(positives, fixed), of(bad, fixed), of(cells, grids, stacked.Cells+1), of(hits, grids, stacked.Cells+1),
		tensor.FromWords(tensor.I32, nil, []uint64{sum}),
	}
}

// few marks groups of which a party has some rows, but too few.
func (g *Groups) few(counts *tensor.Array) *tensor.Array {
	out := make([]uint64, counts.Len())
	for i, n := range counts.Words() {
		out[i] = uint64(bit(n > 0 && n < uint64(g.MinGroup)))
	}
	return tensor.FromWords(tensor.I32, counts.Shape, out)
}

// totals returns the number of rows of each of n groups, and the sums of values.
func (d *GroupRows) totals(n int) []*tensor.Array {
	counts := make([]uint64, n)
	for _, group := range d.Of {
		counts[group]++
	}
	out := []*tensor.Array{tensor.FromWords(tensor.I32, tensor.Shape{n}, counts)}
	for _, values := range d.Values {
		sums := make([]float64, n)
		for row, group := range d.Of {
			sums[group] += values[row]
		}
		out = append(out, tensor.FromFloats(tensor.F64, tensor.Shape{n}, sums))
	}
	return out
}
