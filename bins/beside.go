package bins

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// block is the rows of a stacked table: which party has it, and their place among all rows.
type block struct{ rank, from, to int }

// blocks returns the blocks of stacked tables, without parties beside them.
func blocks(rows stacked.Rows) []block {
	var out []block
	at := 0
	for rank, n := range rows {
		if n > 0 {
			out = append(out, block{rank, at, at + n})
			at += n
		}
	}
	return out
}

// owner returns the party that has a block's values of a column: of owner 0 the block's, else the owner, which is beside the tables.
func (k block) owner(column int) int {
	if column == 0 {
		return k.rank
	}
	return column
}

// rows returns the rows from and to of a block in the table of the party that has a column's values.
func (k block) rows(column int) (from, to int) {
	if column == 0 {
		return 0, k.to - k.from
	}
	return k.from, k.to
}

// checkOwner refuses an owner of a column that neither is 0, for the stacked tables, nor has a table beside them.
func checkOwner(rows stacked.Rows, owner int, name string) error {
	if !rows.IsSide(owner) {
		return fmt.Errorf("%s is neither a column of all stacked tables nor one of a party beside them", name)
	}
	return nil
}

// checkBeside refuses what are no bins of stacked tables with others beside them. Errors about values name no value.
func (b *Binning) checkBeside() error {
	if err := b.Stacked.CheckBeside(len(b.Parties), make([]int, len(b.Parties))); err != nil {
		return err
	}
	if err := checkOwner(b.Stacked, b.Owner, "the target"); err != nil {
		return err
	}
	for _, f := range b.Features {
		if err := checkOwner(b.Stacked, f.Owner, f.Name); err != nil {
			return err
		}
		if f.Grid != nil {
			return errors.New("ranges: with a table beside stacked ones their columns of numbers have edges (edges: {age: [30, 45, 60]})")
		}
		if bounds := len(f.Bounds); f.Levels != nil && len(f.Levels) != f.Bins || f.Owner == 0 && f.Levels == nil && bounds != f.Bins {
			return fmt.Errorf("%s has %d bins, %d levels and %d bounds", f.Name, f.Bins, len(f.Levels), bounds)
		}
	}
	if len(b.Data) > len(b.Parties) {
		return fmt.Errorf("there are tables of %d parties, and the task has %d", len(b.Data), len(b.Parties))
	}
	for rank, d := range b.Data {
		if d == nil {
			continue
		}
		n, side, name := b.Stacked.In(rank), b.Stacked.Side(rank), b.Parties[rank]
		if err := checkTarget(d.Target); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if has := b.Owner == side; has && len(d.Target) != n || !has && d.Target != nil || len(d.Of) != len(b.Features) {
			return fmt.Errorf("the table of %s has %d rows of the target and %d features, and the task has %d and %d", name, len(d.Target), len(d.Of), n,
				len(b.Features))
		}
		for i := range b.Features {
			f := &b.Features[i]
			if has := f.Owner == side; has && len(d.Of[i]) != n || !has && d.Of[i] != nil {
				return fmt.Errorf("%s of %s has %d rows, and the task has %d", f.Name, name, len(d.Of[i]), n)
			}
			for row, cell := range d.Of[i] {
				if cell < 0 || cell >= f.cells() {
					return fmt.Errorf("%s of %s: row %d is in no bin", f.Name, name, row+1)
				}
			}
		}
	}
	return nil
}

// data returns what a party has of its rows; nil in a process without it.
func (b *Binning) data(rank int) *BinRows {
	if rank < len(b.Data) {
		return b.Data[rank]
	}
	return nil
}

// beside is stacked with tables beside the stacked ones. The rows of each stacked table are a block; the numbers of rows and of positives
// in each bin are those of blocks, and so are the rules by which bins are withheld. The owner of a column counts rows in cleartext, and
// positives too if it has the target; else it gives one-hots, and the target's owner shares it.
func (b *Binning) beside() (party.Spec, error) {
	spec := &party.Spec{Ring: 64, Fraction: 18, Parties: b.Parties, Computing: len(b.Parties), Network: party.DefaultNetwork}
	w := &joined{Builder: build.New("bins"), spec: spec}
	for rank := range b.Parties {
		spec.Reveal = append(spec.Reveal, rank)
	}
	targets := b.targets(w)
	var counts, positives, bad []build.Value // by block
	for i, k := range blocks(b.Stacked) {
		var rows, hits, few []build.Value
		for j := range b.Features {
			r, p, x := b.ofBlock(w, k, j, targets[i])
			rows, hits, few = append(rows, r), append(hits, p), append(few, x)
		}
		counts, positives, bad = append(counts, w.Concat(0, rows...)), append(positives, w.Concat(0, hits...)), append(bad, w.Concat(0, few...))
	}
	var sums []build.Value
	for _, y := range targets {
		sums = append(sums, w.Sum(y))
	}
	results := append(b.shown(w.Builder, counts, positives, bad), stacked.Sum(w.Builder, sums))
	for i, f := range b.Features {
		if !f.atOwn() {
			continue
		}
		var bounds *tensor.Array
		if d := b.data(f.Owner); d != nil {
			bounds = bitsOf(d.Bounds[i])
		}
		results = append(results, w.arg(fmt.Sprintf("bounds%d", i), f.Owner, tensor.U64, bounds, f.Bins))
	}
	w.Return(results...)
	var err error
	spec.Program, err = w.Program()
	return *spec, err
}

// atOwn reports whether a feature of a party beside stacked tables has bins with bounds at its own quantiles.
func (f *Feature) atOwn() bool { return f.Owner > 0 && f.Levels == nil }

// targets adds the target, and returns that of each block.
func (b *Binning) targets(w *joined) []build.Value {
	words := func(d *BinRows) *tensor.Array {
		if d == nil {
			return nil
		}
		out := make([]uint64, len(d.Target))
		for i, y := range d.Target {
			out[i] = uint64(y)
		}
		return tensor.FromWords(tensor.I32, tensor.Shape{len(out)}, out)
	}
	var all build.Value
	if b.Owner > 0 {
		all = w.arg("target", b.Owner, tensor.I32, words(b.data(b.Owner)), b.Rows)
	}
	var out []build.Value
	for _, k := range blocks(b.Stacked) {
		if b.Owner > 0 {
			out = append(out, w.Slice(all, []int{k.from}, []int{k.to}))
		} else {
			out = append(out, w.arg(fmt.Sprint("target", k.rank), k.rank, tensor.I32, words(b.data(k.rank)), k.to-k.from))
		}
	}
	return out
}

// ofBlock adds the numbers of rows and of positives of a block in each bin of a feature, and 1 for bins that the block's rows withhold.
func (b *Binning) ofBlock(w *joined, k block, feature int, target build.Value) (rows, positives, bad build.Value) {
	f := &b.Features[feature]
	n, size, owner := f.cells(), k.to-k.from, k.owner(f.Owner)
	arg := func(name string, data []uint64, dims ...int) build.Value {
		var a *tensor.Array
		if data != nil {
			a = tensor.FromWords(tensor.I32, dims, data)
		}
		return w.arg(fmt.Sprintf("%s%d_%d", name, feature, k.rank), owner, tensor.I32, a, dims...)
	}
	var of []int
	var y []float64
	d, from, to := b.data(owner), 0, 0
	if from, to = k.rows(f.Owner); d != nil {
		of = d.Of[feature][from:to]
	}
	var r, p, x []uint64
	if of != nil {
		r = make([]uint64, n)
		for _, cell := range of {
			r[cell]++
		}
	}
	rows = arg("rows", r, n)
	if f.Owner == b.Owner {
		if of != nil {
			y, p, x = d.Target[from:to], make([]uint64, n), make([]uint64, n)
			for row, cell := range of {
				p[cell] += uint64(y[row])
			}
			for i := range x {
				x[i] = uint64(bit(r[i] > 0 && (r[i] < uint64(b.MinGroup) || p[i] == 0 || p[i] == r[i])))
			}
		}
		return rows, arg("positives", p, n), arg("bad", x, n)
	}
	if of != nil {
		p = make([]uint64, n*size)
		for row, cell := range of {
			p[cell*size+row] = 1
		}
	}
	positives = w.Dot(arg("bins", p, n, size), target)
	few := w.Or(w.Less(rows, b.MinGroup), w.Or(w.Less(positives, 1), w.GreaterEqual(positives, rows)))
	return rows, positives, w.Convert(w.And(w.Greater(rows, 0), few), tensor.I32)
}

// checkBeside refuses what are no groups of stacked tables with others beside them. Errors about values name no value.
func (g *Groups) checkBeside() error {
	if err := g.Stacked.CheckBeside(len(g.Parties), make([]int, len(g.Parties))); err != nil {
		return err
	}
	if err := checkOwner(g.Stacked, g.Owner, g.By[0]); err != nil {
		return err
	}
	for _, v := range g.Values {
		if err := checkOwner(g.Stacked, v.Owner, v.Name); err != nil {
			return err
		}
	}
	if len(g.Data) > len(g.Parties) {
		return fmt.Errorf("there are tables of %d parties, and the task has %d", len(g.Data), len(g.Parties))
	}
	for rank, d := range g.Data {
		if d == nil {
			continue
		}
		n, side, name := g.Stacked.In(rank), g.Stacked.Side(rank), g.Parties[rank]
		if has := g.Owner == side; has && len(d.Of) != n || !has && d.Of != nil || len(d.Values) != len(g.Values) {
			return fmt.Errorf("the table of %s has %d rows, and the task has %d", name, len(d.Of), n)
		}
		if err := g.checkGroups(d.Of); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for i, v := range g.Values {
			if has := v.Owner == side; has && len(d.Values[i]) != n || !has && d.Values[i] != nil {
				return fmt.Errorf("%s of %s has %d rows, and the task has %d", v.Name, name, len(d.Values[i]), n)
			}
			if err := checkValues(v.Name, d.Values[i]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// data returns what a party has of its rows; nil in a process without it.
func (g *Groups) data(rank int) *GroupRows {
	if rank < len(g.Data) {
		return g.Data[rank]
	}
	return nil
}

// beside is stacked with tables beside the stacked ones. The rows of each stacked table are a block, of which the owner of the groups
// counts the rows of each in cleartext, and sums its own values. Of values of others it gives one-hots of the block's rows.
func (g *Groups) beside() (party.Spec, error) {
	spec := &party.Spec{Ring: groupRing, Fraction: groupFraction, Parties: g.Parties, Computing: len(g.Parties), Network: party.DefaultNetwork}
	w, n := &joined{Builder: build.New("groups"), spec: spec}, g.cells()
	for rank := range g.Parties {
		spec.Reveal = append(spec.Reveal, rank)
	}
	values := make([]build.Value, len(g.Values)) // of parties beside, all rows; of others not used
	for i, v := range g.Values {
		if v.Owner > 0 && v.Owner != g.Owner {
			values[i] = w.arg(fmt.Sprint("value", i), v.Owner, tensor.F64, g.values(i, v.Owner, 0, g.Rows), g.Rows)
		}
	}
	kept := w.Const(tensor.I32, 1, n)
	var counts []build.Value                     // by block
	sums := make([][]build.Value, len(g.Values)) // by value and block
	for _, k := range blocks(g.Stacked) {
		owner, size := k.owner(g.Owner), k.to-k.from
		from, to := k.rows(g.Owner)
		var own *GroupRows // the block's
		if d := g.data(owner); d != nil {
			own = &GroupRows{Of: d.Of[from:to]}
		}
		var rows, few, hot *tensor.Array
		if own != nil {
			rows = own.totals(n)[0]
			few = g.few(rows)
		}
		counts = append(counts, w.arg(fmt.Sprint("rows", k.rank), owner, tensor.I32, rows, n))
		kept = w.Mul(kept, w.Sub(1, w.arg(fmt.Sprint("few", k.rank), owner, tensor.I32, few, n)))
		var members build.Value
		if g.others() > 0 {
			if own != nil {
				words := make([]float64, n*size)
				for row, group := range own.Of {
					words[group*size+row] = 1
				}
				hot = tensor.FromFloats(tensor.F64, tensor.Shape{n, size}, words)
			}
			members = w.arg(fmt.Sprint("groups", k.rank), owner, tensor.F64, hot, n, size)
		}
		for i, v := range g.Values {
			if v.Owner == g.Owner {
				var sum *tensor.Array
				if own != nil {
					sum = (&GroupRows{Of: own.Of, Values: [][]float64{g.Data[owner].Values[i][from:to]}}).totals(n)[1]
				}
				sums[i] = append(sums[i], w.arg(fmt.Sprintf("sums%d_%d", i, k.rank), owner, tensor.F64, sum, n))
				continue
			}
			x := values[i]
			if v.Owner > 0 {
				x = w.Slice(x, []int{k.from}, []int{k.to})
			} else {
				x = w.arg(fmt.Sprintf("value%d_%d", i, k.rank), k.rank, tensor.F64, g.values(i, k.rank, 0, size), size)
			}
			sums[i] = append(sums[i], w.Dot(members, x))
		}
	}
	totals := []build.Value{stacked.Sum(w.Builder, counts)}
	for _, of := range sums {
		totals = append(totals, stacked.Sum(w.Builder, of))
	}
	w.Return(g.shown(w.Builder, totals, counts, kept)...)
	var err error
	spec.Program, err = w.Program()
	return *spec, err
}

// values returns the values of some rows of a party; nil in a process without them.
func (g *Groups) values(i, rank, from, to int) *tensor.Array {
	d := g.data(rank)
	if d == nil {
		return nil
	}
	return tensor.FromFloats(tensor.F64, tensor.Shape{to - from}, d.Values[i][from:to])
}
