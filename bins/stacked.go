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
	c := Cells{Counts: totals[0], Exists: w.Convert(w.Greater(totals[0], 0), tensor.I32), Before: Before(w.Builder, totals[0])}
	c.Kept = w.Mul(c.Exists, kept)
	c.Kept = Apart(w.Builder, c, counts, g.MinGroup)
	visible := Shown(w.Builder, c, g.MinGroup)
	results := []build.Value{w.Convert(w.Sub(w.Mul(c.Counts, visible), w.Sub(c.Exists, visible)), tensor.I64)}
	scale := w.Convert(visible, tensor.F64)
	for _, sum := range totals[1:] {
		results = append(results, w.Mul(sum, scale))
	}
	w.Return(results...)
	var err error
	spec.Program, err = w.Program()
	return *spec, err
}

// checkStacked refuses what are no bins of stacked tables. Errors about values name no value.
func (b *Binning) checkStacked() error {
	if b.Stacked == nil {
		return nil
	}
	if err := b.Stacked.Check(len(b.Parties), make([]int, len(b.Parties))); err != nil {
		return err
	}
	if len(b.Data) > len(b.Parties) {
		return fmt.Errorf("there are tables of %d parties, and the task has %d", len(b.Data), len(b.Parties))
	}
	for _, f := range b.Features {
		if f.Owner != 0 || f.Levels == nil && len(f.Bounds) != f.Bins || f.Levels != nil && len(f.Levels) != f.Bins {
			return fmt.Errorf("%s has %d bins, %d levels and %d bounds", f.Name, f.Bins, len(f.Levels), len(f.Bounds))
		}
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
				if cell < 0 || cell >= f.cells() {
					return fmt.Errorf("%s of %s: row %d is in no bin", f.Name, b.Parties[rank], row+1)
				}
			}
		}
	}
	return nil
}

// stacked is Spec of stacked tables: each party counts its own rows and positives in cleartext, so that messages do not grow with rows. A
// bin of which a party has rows, but fewer than MinGroup or of one class only, is withheld: the others can subtract their own rows from
// what is shown. So are bins that Apart and Shown add.
func (b *Binning) stacked() (party.Spec, error) {
	spec := &party.Spec{Ring: 64, Fraction: 18, Parties: b.Parties, Computing: len(b.Parties), Network: party.DefaultNetwork}
	w, all := &joined{Builder: build.New("bins"), spec: spec}, 0
	for i := range b.Features {
		all += b.Features[i].cells()
	}
	var counts, positives, targets []build.Value // by party
	allowed := w.Const(tensor.I32, 1, all)
	for rank := range b.Parties {
		spec.Reveal = append(spec.Reveal, rank)
		var own binTotals
		if rank < len(b.Data) && b.Data[rank] != nil {
			own = b.totals(b.Data[rank], all)
		}
		arg := func(name string, a *tensor.Array, dims ...int) build.Value {
			return w.arg(fmt.Sprint(name, rank), rank, tensor.I32, a, dims...)
		}
		counts = append(counts, arg("rows", own.rows, all))
		positives = append(positives, arg("positives", own.positives, all))
		allowed = w.Mul(allowed, w.Sub(1, arg("bad", own.bad, all)))
		targets = append(targets, arg("target", own.target))
	}
	rows, hits := stacked.Sum(w.Builder, counts), stacked.Sum(w.Builder, positives)
	exists := w.Convert(w.Greater(rows, 0), tensor.I32)
	both := w.Convert(w.And(w.GreaterEqual(hits, 1), w.Less(hits, rows)), tensor.I32)
	kept := w.Mul(w.Mul(exists, allowed), both)
	var parts []build.Value
	at := 0
	for i := range b.Features {
		n := b.Features[i].cells()
		part := func(x build.Value) build.Value { return w.Slice(x, []int{at}, []int{at + n}) }
		c := Cells{Counts: part(rows), Exists: part(exists), Kept: part(kept), Before: Before(w.Builder, part(rows))}
		var own []build.Value
		for _, x := range counts {
			own = append(own, part(x))
		}
		c.Kept = Apart(w.Builder, c, own, b.MinGroup)
		parts = append(parts, Shown(w.Builder, c, b.MinGroup))
		at += n
	}
	visible := w.Concat(0, parts...)
	w.Return(w.Sub(w.Mul(exists, withheld), visible), w.Mul(rows, visible), w.Mul(hits, visible), stacked.Sum(w.Builder, targets))
	var err error
	spec.Program, err = w.Program()
	return *spec, err
}

// binTotals are what a party counts of its rows: those of each bin of all features, the positives among them, 1 for each bin that it alone
// has withheld, and its positives.
type binTotals struct{ rows, positives, bad, target *tensor.Array }

// totals returns the totals of a party's rows, of so many bins of all features.
func (b *Binning) totals(d *BinRows, all int) binTotals {
	rows, positives, bad := make([]uint64, all), make([]uint64, all), make([]uint64, all)
	at, sum := 0, uint64(0)
	for i := range b.Features {
		for row, cell := range d.Of[i] {
			rows[at+cell]++
			positives[at+cell] += uint64(d.Target[row])
		}
		at += b.Features[i].cells()
	}
	for _, y := range d.Target {
		sum += uint64(y)
	}
	for i, n := range rows {
		bad[i] = uint64(bit(n > 0 && (n < uint64(b.MinGroup) || positives[i] == 0 || positives[i] == n)))
	}
	of := func(words []uint64) *tensor.Array { return tensor.FromWords(tensor.I32, tensor.Shape{all}, words) }
	return binTotals{of(rows), of(positives), of(bad), tensor.FromWords(tensor.I32, nil, []uint64{sum})}
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
