package bins

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
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
