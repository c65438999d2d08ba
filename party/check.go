package party

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/tensor"
)

// Checked is what running a job in clear beside its fixed point shows.
type Checked struct {
	Notes  []Note  // what protocols cannot hold
	Off    []Off   // where errors begin that exceed the bound
	After  int     // how many operations are off only because their operands are
	Ranges []Range // of all secret floats, in the program's order
}

// Note is something that protocols would give wrong or saturated values for.
type Note struct {
	Where, What string
	Times       int
}

// Off is an operation that gives a result beyond the bound though its operands
// are within it.
type Off struct {
	Op        *hlo.Op
	Turn      int // how often it had run before
	Elements  int // how many are off, of Of
	Of        int
	Index     int // of the worst
	Got, Want float64
}

// Range is the largest magnitude of an operation's floats.
type Range struct {
	Op      *hlo.Op
	Largest float64
	// Ring is the narrowest ring, with its usual fraction bits, that holds the
	// values and what they are computed from; 0: none does.
	Ring int
}

// Ring is the narrowest ring that holds all that was seen, by what is usual; 0:
// none does.
func (c *Checked) Ring() int {
	bits := 32
	for _, r := range c.Ranges {
		if r.Ring == 0 {
			return 0
		}
		bits = max(bits, r.Ring)
	}
	return bits
}

// Bound is how far off a number may be: by Atol + Rtol·|x|.
type Bound struct{ Atol, Rtol float64 }

// keptBytes bounds the reference values that a check holds at a time; of what
// is beyond them errors are not looked for.
const keptBytes = 2 << 30

// maxTurns bounds how often an operation runs in the clear.
const maxTurns = 1 << 18

// Check runs a job in clear, with everybody's inputs in this process: once in
// the program's own types and once in protocol plain's fixed point, operation
// by operation as the program is written, and compares.
func Check(ctx context.Context, s Spec, bound Bound) (*Checked, error) {
	c := &checker{bound: bound, kept: map[*hlo.Op][][]*tensor.Array{}, turn: map[*hlo.Op]int{}, largest: map[*hlo.Op]float64{}, secret: map[*hlo.Op]bool{}, narrow: map[*hlo.Op]int{}, ring: s.Ring, off: map[*hlo.Op]*Off{}}
	args := make([]*tensor.Array, len(s.Args))
	for i, a := range s.Args {
		args[i] = a.Data
	}
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	_, err := eval.Watched(within, s.Program.Main, args, func(o *hlo.Op, results []*tensor.Array) {
		if c.reference(o, results); len(c.kept[o]) > maxTurns {
			stop(fmt.Errorf("%v: %s ran %d times in the clear: the loop around it may never end (bound it: no run follows it that far)", o.Pos, o.Name, maxTurns))
		}
	})
	if err != nil {
		if cause := context.Cause(within); cause != nil {
			err = cause
		}
		return nil, err
	}
	s.Protocol, s.Set = "plain", maps.Clone(s.Set)
	if s.Set == nil {
		s.Set = map[string]string{}
	}
	s.Set["passes"] = "none" // the program's own operations are to be named
	s.watch = c.watch
	notes := map[[2]string]int{}
	s.Note = func(where, what string) {
		c.mu.Lock()
		defer c.mu.Unlock()
		notes[[2]string{where, what}]++
	}
	s.Seed, s.Machine, s.Progress = nil, nil, nil
	if _, err := Run(ctx, s); err != nil {
		return nil, err
	}
	out := c.checked(s.Program, s.Ring, s.Fraction)
	for n, times := range notes {
		out.Notes = append(out.Notes, Note{n[0], n[1], times})
	}
	return out, nil
}

// checker compares two runs.
type checker struct {
	bound Bound
	ring  int
	kept  map[*hlo.Op][][]*tensor.Array // reference results, turn by turn
	bytes int64
	turn  map[*hlo.Op]int // of the run in fixed point

	mu      sync.Mutex
	largest map[*hlo.Op]float64
	secret  map[*hlo.Op]bool // has secret floats
	narrow  map[*hlo.Op]int  // the scale of one that has the range of contractions
	off     map[*hlo.Op]*Off
}

// reference notes what the program's own arithmetic gives.
func (c *checker) reference(o *hlo.Op, results []*tensor.Array) {
	var kept []*tensor.Array
	for _, a := range results {
		if !a.DType.IsFloat() {
			kept = append(kept, nil)
			continue
		}
		for _, x := range a.Floats() {
			if x = math.Abs(x); x > c.largest[o] && !math.IsInf(x, 1) {
				c.largest[o] = x
			}
		}
		kept = append(kept, a)
		c.bytes += int64(a.Len()) * int64(a.DType.Bits()) / 8
	}
	if c.bytes > keptBytes {
		kept = nil
	}
	c.kept[o] = append(c.kept[o], kept)
}

// watch compares what fixed point gives, when it is there.
func (c *checker) watch(o *hlo.Op, results []*fxp.Value, op *flow.Op) {
	turn := c.turn[o]
	c.turn[o]++
	if turn >= len(c.kept[o]) { // no turn of the reference's
		return
	}
	for i, v := range results {
		if v == nil || !v.Type.DType.IsFloat() {
			continue
		}
		c.secret[o] = true
		if v.Contraction() && v.S.Ring().Bits <= c.ring {
			c.narrow[o] = max(c.narrow[o], v.Scale)
		}
		if i >= len(c.kept[o][turn]) {
			continue
		}
		want, t, scale := c.kept[o][turn][i], tensor.Type{DType: tensor.F64, Shape: v.Type.Shape}, v.Scale
		clear := plain.Clear(v.S)
		flow.Do(op, 0, func() struct{} {
			c.compare(o, turn, fxp.Decode(clear.Get(), t, scale).Floats(), want.Floats())
			return struct{}{}
		}, clear)
	}
}

// compare looks for what is beyond the bound. Infinities and what is not
// defined have no fixed-point form, which notes say.
func (c *checker) compare(o *hlo.Op, turn int, got, want []float64) {
	off := Off{Op: o, Turn: turn, Of: len(want)}
	worst := 0.0
	for i, x := range want {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		e := math.Abs(got[i] - x)
		if e <= c.bound.Atol+c.bound.Rtol*math.Abs(x) {
			continue
		}
		off.Elements++
		if e > worst {
			worst, off.Index, off.Got, off.Want = e, i, got[i], x
		}
	}
	if off.Elements == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if first := c.off[o]; first == nil || turn < first.Turn {
		c.off[o] = &off
	}
}

// checked puts together what was seen.
func (c *checker) checked(p *hlo.Program, bits, fraction int) *Checked {
	out := &Checked{}
	beyond := map[*hlo.Value]bool{}
	each(p, func(o *hlo.Op) {
		if off := c.off[o]; off != nil {
			for _, r := range o.Results {
				beyond[r] = true
			}
			if c.within(o, 0) || slices.ContainsFunc(o.Operands, func(v *hlo.Value) bool { return beyond[v] }) {
				out.After++
			} else {
				out.Off = append(out.Off, *off)
			}
		}
		if c.secret[o] {
			out.Ranges = append(out.Ranges, Range{o, c.largest[o], ringFor(c.narrow[o], c.largest[o], bits, fraction)})
		}
	})
	return out
}

// maxNesting bounds how deeply calls and regions are looked into.
const maxNesting = 1000

// within reports whether something that an operation calls or holds is off.
func (c *checker) within(o *hlo.Op, depth int) bool {
	bodies := o.Regions
	if o.Callee != nil {
		bodies = append(slices.Clone(bodies), o.Callee.Body)
	}
	for _, b := range bodies {
		for _, in := range b.Ops {
			if c.off[in] != nil || depth < maxNesting && c.within(in, depth+1) {
				return true
			}
		}
	}
	return false
}

// each visits a program's operations in the order of its text.
func each(p *hlo.Program, f func(*hlo.Op)) {
	var block func(b *hlo.Block)
	block = func(b *hlo.Block) {
		for _, o := range b.Ops {
			for _, r := range o.Regions {
				block(r)
			}
			f(o)
		}
	}
	for _, fn := range p.Funcs {
		block(fn.Body)
	}
}

// ringFor is the narrowest ring that holds magnitudes up to the largest: of the
// job's bits with its own fraction, of others with the usual one. A scale above the
// fraction says that it has the range of contractions.
func ringFor(scale int, largest float64, bits, fraction int) int {
	for _, u := range fxp.Usual {
		f := u.Fraction
		if u.Bits == bits {
			f = fraction
		}
		if scale > fraction {
			f = 2*f + max(0, scale-2*fraction)
		}
		if largest < math.Ldexp(1, u.Bits-2-f) {
			return u.Bits
		}
	}
	return 0
}
