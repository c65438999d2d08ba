package bins

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// Feature is a column whose owner has put each row into one of its bins.
type Feature struct {
	Name  string // PARTY.COLUMN
	Owner int    // rank
	// Bins is the number of bins. Rows are in one more if their value is missing.
	Bins int
	// Levels are the names of the bins of texts; nil for numbers, whose bins have bounds.
	Levels []string
	// Of is the bin of each row, Bins where the value is missing. Bounds are the upper bounds of bins of numbers,
	// ascending, as many as there are bins; unused bins have the bound +∞. Both are nil in a process without the data.
	Of     []int
	Bounds []float64
	// Grid, if not nil, is the range of a stacked column of numbers in which its bins have bounds at quantiles of all rows: Bounds is nil
	// then, and BinRows.Of are cells of the grid, Cells where the value is missing. All features with a Grid have the same Bins.
	Grid *stacked.Grid
}

// Binning compares the bins of features with a 0/1 target. Its fields are what all parties know, and the data that this
// process has.
type Binning struct {
	Parties  []string // in rank order
	Rows     int
	Features []Feature
	Owner    int       // rank of the target's owner
	Target   []float64 // 0 and 1; nil in a process without the data
	MinGroup int       // least number of rows of a bin that is not withheld
	Sample   bool      // the target says to which of two samples a row belongs: the result is called stability
	// Hidden, if not nil, is the hidden join that matched the rows: Rows are the keeper's, and those that match are counted. Data have a
	// value for each row of their owner's table.
	Hidden *hidden.Join
	// Stacked, if not nil, are the numbers of rows of the parties' tables, by rank, whose rows are those of one table: each party has the
	// target and all features of its own rows. Features have rank 0 as owner, Bounds that all parties know, and no data; Target is nil.
	// Data are the parties' rows, nil for those that this process has not.
	// Parties whose number of rows is 0 are beside these tables, with further features of all rows, or the target: Owner and Feature.Owner
	// are their ranks then. Bins of their numbers have bounds at their own quantiles, BinRows.Bounds.
	Stacked stacked.Rows
	Data    []*BinRows
}

// BinRows are a party's rows of a Binning of stacked tables.
type BinRows struct {
	Of     [][]int     // of each feature, the bin or the cell of each row: Feature.Of; nil for features of other owners
	Target []float64   // 0 and 1; nil if another party has it
	Bounds [][]float64 // by feature, of a party beside stacked tables: Feature.Bounds of its numbers
}

// Bounds of binnings and groups.
const (
	DefaultBins     = 10  // number of bins of a feature for which none is given
	DefaultMinGroup = 5   // least rows of a bin or group that is shown, where none is given
	MaxBins         = 256 // maximum number of bins of a feature
	maxRows         = 1 << 22
	maxColumns      = 1 << 14 // bins of all features
)

// check refuses what cannot be binned. Errors about values name no value.
func (b *Binning) check() error {
	if b.Rows < 2 || b.Rows > maxRows {
		return fmt.Errorf("the tables have %d rows; bins are for 2 to %d", b.Rows, maxRows)
	}
	if err := checkHidden(b.Hidden, len(b.Parties), b.Rows); err != nil {
		return err
	}
	if len(b.Features) == 0 {
		return errors.New("there are no features to put into bins")
	}
	if err := checkMinGroup(b.MinGroup, b.Rows); err != nil {
		return err
	}
	columns := 0
	for _, f := range b.Features {
		if columns += f.Bins + 1; f.Bins < 1 || f.Bins > MaxBins {
			return fmt.Errorf("bins: %s has %d bins, want 1 to %d", f.Name, f.Bins, MaxBins)
		}
		if n := b.Hidden.OfParty(f.Owner, b.Rows); b.Stacked == nil && f.Of != nil && len(f.Of) != n {
			return fmt.Errorf("%s has %d rows, and the task has %d", f.Name, len(f.Of), n)
		}
	}
	if columns > maxColumns {
		return fmt.Errorf("the features have %d bins in all, at most %d are possible", columns, maxColumns)
	}
	if n := b.Hidden.OfParty(b.Owner, b.Rows); b.Target != nil && len(b.Target) != n {
		return fmt.Errorf("the target has %d rows, and the task has %d", len(b.Target), n)
	}
	if err := checkTarget(b.Target); err != nil {
		return err
	}
	return b.checkStacked()
}

// checkTarget refuses a target whose values are not 0 and 1.
func checkTarget(target []float64) error {
	for i, y := range target {
		if y != 0 && y != 1 {
			return fmt.Errorf("row %d of the target: values are 0 or 1", i+1)
		}
	}
	return nil
}

// checkMinGroup refuses numbers that withhold everything, or say nothing.
func checkMinGroup(n, rows int) error {
	if n < 1 || n > rows {
		return fmt.Errorf("min_group: want 1 to the number of rows, %d, got %d", rows, n)
	}
	return nil
}

// cells is the number of bins of a feature, with that of missing values.
func (f *Feature) cells() int { return f.Bins + 1 }

// counts returns the number of rows of each bin.
func (f *Feature) counts() []int {
	out := make([]int, f.cells())
	for _, cell := range f.Of {
		out[cell]++
	}
	return out
}

// owned is what a process with the data of a party knows of its features, bin by bin.
type owned struct {
	hot, counts, small, exists, positives []int32
	before                                [][]int32 // of each feature
}

// owned computes from the features of a party; nil in a process without its data. Positives are computed for the target's
// owner.
func (b *Binning) owned(rank int) *owned {
	out := &owned{}
	for i := range b.Features {
		f := &b.Features[i]
		if f.Owner != rank {
			continue
		}
		if f.Of == nil {
			return nil
		}
		hot, positives := make([]int32, f.cells()*b.Rows), make([]int32, f.cells())
		for row, cell := range f.Of {
			hot[cell*b.Rows+row] = 1
			if b.Target != nil && b.Target[row] == 1 {
				positives[cell]++
			}
		}
		counts := f.counts()
		for _, n := range counts {
			out.counts = append(out.counts, int32(n))
			out.small = append(out.small, bit(n > 0 && n < b.MinGroup))
			out.exists = append(out.exists, bit(n > 0))
		}
		out.hot, out.positives, out.before = append(out.hot, hot...), append(out.positives, positives...), append(out.before, before(counts))
	}
	return out
}

// before returns a matrix whose element (i, j) is 1 if bin j has fewer rows than i, or as many and a smaller number.
func before(counts []int) []int32 {
	k := len(counts)
	out := make([]int32, k*k)
	for i := range k {
		for j := range k {
			out[i*k+j] = bit(cmp.Or(cmp.Compare(counts[j], counts[i]), cmp.Compare(j, i)) < 0)
		}
	}
	return out
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// columns are vectors over the bins of all features of a party, one feature after the other.
type columns struct{ counts, small, exists, positives, kept build.Value }

// Spec returns the spec of a run that compares the bins with the target: all parties compute, and all learn the
// results. The caller may set protocol and network. It returns an error if the Binning is invalid.
func (b *Binning) Spec() (party.Spec, error) {
	if err := b.check(); err != nil {
		return party.Spec{}, err
	}
	if b.Hidden != nil {
		w, err := b.hidden()
		if err != nil {
			return party.Spec{}, err
		}
		return *w.spec, nil
	}
	if b.Stacked.Besides() {
		return b.beside()
	}
	if b.Stacked != nil {
		return b.stacked()
	}
	spec := party.Spec{Ring: 64, Fraction: 18, Parties: b.Parties, Computing: len(b.Parties), Network: party.DefaultNetwork}
	w := build.New("bins")
	arg := func(name string, rank int, data []int32, dims ...int) build.Value {
		a := party.Arg{Owner: rank}
		if data != nil {
			a.Data = &tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: dims}, Data: data}
		}
		spec.Args = append(spec.Args, a)
		return w.Arg(name, tensor.I32, dims...)
	}
	var y []int32
	for _, x := range b.Target {
		y = append(y, int32(x))
	}
	target := arg("target", b.Owner, y, b.Rows)
	var results []build.Value
	for rank := range b.Parties {
		spec.Reveal = append(spec.Reveal, rank)
		all := 0
		for _, f := range b.Features {
			if f.Owner == rank {
				all += f.cells()
			}
		}
		if all == 0 {
			continue
		}
		own := b.owned(rank)
		of := func(get func(*owned) []int32) []int32 {
			if own == nil {
				return nil
			}
			return get(own)
		}
		vector := func(name string, get func(*owned) []int32) build.Value {
			return arg(fmt.Sprint(name, rank), rank, of(get), all)
		}
		var p columns
		p.counts = vector("counts", func(o *owned) []int32 { return o.counts })
		p.small = vector("small", func(o *owned) []int32 { return o.small })
		p.exists = vector("exists", func(o *owned) []int32 { return o.exists })
		if rank == b.Owner {
			p.positives = vector("positives", func(o *owned) []int32 { return o.positives })
		} else {
			p.positives = w.Dot(arg(fmt.Sprint("bins", rank), rank, of(func(o *owned) []int32 { return o.hot }), all, b.Rows), target)
		}
		ok := w.Convert(w.And(w.GreaterEqual(p.positives, 1), w.Less(p.positives, p.counts)), tensor.I32)
		p.kept = w.Mul(w.Sub(p.exists, p.small), ok)
		at, k := 0, 0
		var parts []build.Value
		for i := range b.Features {
			if f := &b.Features[i]; f.Owner == rank {
				n := f.cells()
				m := arg(fmt.Sprintf("before%d", i), rank, of(func(o *owned) []int32 { return o.before[k] }), n, n)
				part := func(x build.Value) build.Value { return w.Slice(x, []int{at}, []int{at + n}) }
				parts = append(parts, Shown(w, Cells{part(p.counts), part(p.exists), part(p.kept), m}, b.MinGroup))
				at, k = at+n, k+1
			}
		}
		visible := w.Concat(0, parts...)
		results = append(results, w.Sub(w.Mul(p.exists, withheld), visible), w.Mul(p.counts, visible), w.Mul(p.positives, visible))
	}
	results = append(results, w.Sum(target))
	for i, f := range b.Features {
		if f.Levels != nil {
			continue
		}
		a := party.Arg{Owner: f.Owner}
		if f.Of != nil {
			a.Data = bitsOf(f.Bounds)
		}
		spec.Args = append(spec.Args, a)
		results = append(results, w.Arg(fmt.Sprintf("bounds%d", i), tensor.U64, f.Bins))
	}
	w.Return(results...)
	var err error
	spec.Program, err = w.Program()
	return spec, err
}

// Cells are the inputs of Shown for n groups of rows. Counts, Exists and Kept are vectors of n elements, Before is an n
// × n matrix, all of type i32. Counts has the numbers of rows. Exists is 1 for a group with rows. Kept is 1 for a group
// with rows that is not withheld for a reason of its own, such as too few rows. Before[i][j] is 1 if group j has fewer
// rows than group i, or as many and a lower number.
type Cells struct{ Counts, Exists, Kept, Before build.Value }

// Shown adds operations to b that compute which groups are shown: a vector with 1 for each group that has rows and that
// Withheld does not withhold, else 0. The group sizes stay secret. Withheld groups have least rows or more together.
func Shown(b *build.Builder, c Cells, least int) build.Value {
	n := c.Counts.Dim(0)
	bad := b.Sub(c.Exists, c.Kept)
	number, rows := b.Sum(bad), b.Sum(b.Mul(bad, c.Counts))
	spread := func(x build.Value) build.Value { return b.Broadcast(x, n) }
	numberBefore, rowsBefore := b.Dot(c.Before, c.Kept), b.Dot(c.Before, b.Mul(c.Kept, c.Counts))
	needed := b.Or(b.Less(b.Add(spread(number), numberBefore), 2), b.Less(b.Add(spread(rows), rowsBefore), least))
	more := b.And(needed, spread(b.Greater(number, 0)))
	return b.Mul(c.Kept, b.Sub(1, b.Convert(more, tensor.I32)))
}

// Apart returns c.Kept without the groups that are withheld because of one of several parties that have rows of their own: if
// fewer than least rows of a party, but some, are in withheld groups, the others could tell how many, from its number of rows and from
// groups that are shown. Of the groups that are kept and have rows of that party the smallest one is withheld then. own are the parties'
// numbers of rows of each group. A group of which a party has some rows, but fewer than least, is not among c.Kept.
func Apart(b *build.Builder, c Cells, own []build.Value, least int) build.Value {
	kept := c.Kept
	for _, counts := range own {
		rows := b.Sum(b.Mul(b.Sub(c.Exists, kept), counts))
		few := b.And(b.Greater(rows, 0), b.Less(rows, least))
		has := b.Mul(kept, b.Convert(b.Greater(counts, 0), tensor.I32))
		first := b.Less(b.Dot(c.Before, has), 1)
		kept = b.Sub(kept, b.Mul(has, b.Convert(b.And(first, b.Broadcast(few, counts.Dim(0))), tensor.I32)))
	}
	return kept
}

// Parts returns c.Kept without groups that have rows of one of several parts of all rows, but fewer than least, and without those of
// Apart. own are the parts' numbers of rows of each group.
func Parts(b *build.Builder, c Cells, own []build.Value, least int) build.Value {
	for _, counts := range own {
		few := b.And(b.Greater(counts, 0), b.Less(counts, least))
		c.Kept = b.Mul(c.Kept, b.Sub(1, b.Convert(few, tensor.I32)))
	}
	return Apart(b, c, own, least)
}

// bitsOf returns floats as integers with the same bits: their owner sends them as they are, and no ring bounds them.
func bitsOf(values []float64) *tensor.Array {
	words := make([]uint64, len(values))
	for i, x := range values {
		words[i] = math.Float64bits(x)
	}
	return tensor.FromWords(tensor.U64, tensor.Shape{len(values)}, words)
}

// Withheld returns which groups are withheld, given their numbers of rows: those with fewer than least rows and those
// that bad marks (nil marks none). If there are any, the smallest other groups are withheld too, until the withheld
// groups are at least two and have at least least rows together. A group without rows is neither withheld nor shown.
func Withheld(counts []int, least int, bad []bool) []bool {
	order := make([]int, len(counts))
	out := make([]bool, len(counts))
	number, rows := 0, 0
	withhold := func(i int) { out[i], number, rows = true, number+1, rows+counts[i] }
	for i, n := range counts {
		if order[i] = i; n > 0 && (n < least || bad != nil && bad[i]) {
			withhold(i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(counts[a], counts[b]) })
	for _, i := range order {
		if number > 0 && counts[i] > 0 && !out[i] && (number < 2 || rows < least) {
			withhold(i)
		}
	}
	return out
}

// Before adds operations to b that compute Cells.Before from secret numbers of rows.
func Before(b *build.Builder, counts build.Value) build.Value {
	k := counts.Dim(0)
	key := b.Add(b.Mul(counts, k), b.Iota(tensor.I32, 0, k))
	return b.Convert(b.Less(b.BroadcastInDim(key, []int{1}, k, k), b.BroadcastInDim(key, []int{0}, k, k)), tensor.I32)
}
