package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// Result has the findings of a check.
type Result struct {
	Warnings    []Warning    // values that protocols cannot represent
	Divergences []Divergence // operations at which errors beyond the bound begin
	// Propagated is the number of operations beyond the bound only because operands or operations inside of them
	// are.
	Propagated int
	Ranges     []Range // one for each operation with secret floats, in the program's order
}

// Warning says that at a place of the program protocols would compute wrong or saturated values.
type Warning struct {
	Where, What string // place in the program, and the reason
	Times       int    // number of occurrences
}

// Divergence is an operation whose result differs from the reference by more than the bound, although its
// operands do not.
type Divergence struct {
	Op        *hlo.Op // the operation
	Iteration int     // number of earlier executions of the operation that were within the bound
	Elements  int     // number of elements beyond the bound
	Of        int     // number of all elements of the result
	Index     int     // row-major index of the element with the largest error
	Got, Want float64 // value of that element in fixed point and in the reference
}

// Range is the largest magnitude of an operation's floating-point results.
type Range struct {
	Op      *hlo.Op // the operation
	Largest float64 // largest finite magnitude in the reference run
	// Ring is the number of bits of the narrowest ring that holds these values and the intermediate values from
	// which they are computed, with the ring's default fraction bits; 0 if no ring does.
	Ring int
}

// Ring returns the number of bits of the narrowest ring that holds the values of all Ranges, with its default
// fraction bits; 0 if no ring does.
func (c *Result) Ring() int {
	bits := 32
	for _, r := range c.Ranges {
		if r.Ring == 0 {
			return 0
		}
		bits = max(bits, r.Ring)
	}
	return bits
}

// Bound is the tolerance Atol + Rtol·|x| for the error of a value x.
type Bound struct{ Atol, Rtol float64 }

// maxReferenceBytes bounds the reference values that a check stores. Later values are not compared.
const maxReferenceBytes = 2 << 30

// Comparison is the comparison that --check makes: of one run in fixed point, operation by operation, with the reference,
// which is the same program evaluated in its own types. The caller
//
//  1. calls New, then Reference;
//  2. runs the program in fixed point with Watch and Note as callbacks;
//  3. if rewrite passes changed the program, runs it with them and NoteRewritten as a callback, and calls Rewritten;
//  4. calls Result.
type Comparison struct {
	bound      Bound
	ring       int                           // bits of the job's ring
	references map[*hlo.Op][][]*tensor.Array // reference results, by execution
	bytes      int64
	iteration  map[*hlo.Op]int // number of executions so far in fixed point

	mu               sync.Mutex
	largest          map[*hlo.Op]float64
	secret           map[*hlo.Op]bool // operations with secret floats
	contractionScale map[*hlo.Op]int  // fraction bits of results that have the range of contractions
	off              map[*hlo.Op]*Divergence
	notes            map[[2]string]int // number of warnings by place and text
	rewritten        map[[2]string]int // of the run with rewrite passes alone
}

// New returns an empty Comparison for a run in a ring of so many bits. Errors up to bound are not reported.
func New(bound Bound, ring int) *Comparison {
	return &Comparison{
		bound: bound, ring: ring, references: map[*hlo.Op][][]*tensor.Array{}, iteration: map[*hlo.Op]int{}, largest: map[*hlo.Op]float64{},
		secret: map[*hlo.Op]bool{}, contractionScale: map[*hlo.Op]int{}, off: map[*hlo.Op]*Divergence{}, notes: map[[2]string]int{},
		rewritten: map[[2]string]int{},
	}
}

// maxCleartextRuns bounds how often one operation may run in the reference.
const maxCleartextRuns = 1 << 18

// Reference evaluates the program in its own types with these arguments, one for each of main, and records the
// results of its operations. It returns an error if the evaluation fails, if an operation runs more than 2^18
// times, or if ctx ends.
func (c *Comparison) Reference(ctx context.Context, p *hlo.Program, args []*tensor.Array) error {
	within, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	_, err := eval.FuncWatched(within, p.Main, args, func(o *hlo.Op, results []*tensor.Array) {
		if c.reference(o, results); len(c.references[o]) > maxCleartextRuns {
			stop(fmt.Errorf("%v: %s ran %d times in cleartext: the loop around it may never end (bound its number of iterations)",
				o.Pos, o.Title(), maxCleartextRuns))
		}
	})
	if cause := context.Cause(within); err != nil && cause != nil {
		return cause
	}
	return err
}

// Note counts one occurrence of a warning: at the place where, a value that protocols cannot represent, for the
// reason what. It may be called from several goroutines.
func (c *Comparison) Note(where, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notes[[2]string{where, what}]++
}

// NoteRewritten is Note for the run with rewrite passes: it counts warnings that the run without passes did not give.
func (c *Comparison) NoteRewritten(where, what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.notes[[2]string{where, what}] == 0 {
		c.rewritten[[2]string{where, what}]++
	}
}

// Rewritten compares the results of the run with rewrite passes with the reference; nil stands for a result that nobody
// learns. An error beyond the bound counts for the operation that defines the result.
func (c *Comparison) Rewritten(p *hlo.Program, results []*tensor.Array) {
	type place struct {
		op *hlo.Op
		i  int
	}
	defined := map[*hlo.Value]place{}
	for _, o := range p.Main.Body.Ops {
		for i, r := range o.Results {
			defined[r] = place{o, i}
		}
	}
	ops := p.Main.Body.Ops
	if len(ops) == 0 {
		return
	}
	for i, v := range ops[len(ops)-1].Operands { // of the return
		at, ok := defined[v]
		runs := c.references[at.op]
		if !ok || i >= len(results) || results[i] == nil || len(runs) == 0 || at.i >= len(runs[0]) || runs[0][at.i] == nil {
			continue
		}
		c.compare(at.op, len(runs)-1, results[i].Floats(), runs[len(runs)-1][at.i].Floats())
	}
}

// reference records the results of the program's own arithmetic.
func (c *Comparison) reference(o *hlo.Op, results []*tensor.Array) {
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
	if c.bytes > maxReferenceBytes {
		kept = nil
	}
	c.references[o] = append(c.references[o], kept)
}

// Watch compares the results of operation o in the run in fixed point with the reference. It has the signature
// of exec.Config.Watch, which calls it after each execution of an operation; op is the step of the graph that it
// belongs to.
func (c *Comparison) Watch(o *hlo.Op, results []*fxp.Value, op *flow.Op) {
	run := c.iteration[o]
	c.iteration[o]++
	if run >= len(c.references[o]) { // the reference did not run it that often
		return
	}
	for i, v := range results {
		if v == nil || !v.Type.DType.IsFloat() {
			continue
		}
		c.secret[o] = true
		if v.Contraction() && v.S.Ring().Bits <= c.ring {
			c.contractionScale[o] = max(c.contractionScale[o], v.Scale)
		}
		if i >= len(c.references[o][run]) {
			continue
		}
		want, t, scale := c.references[o][run][i], tensor.Type{DType: tensor.F64, Shape: v.Type.Shape}, v.Scale
		clear := v.S.(mpc.Clear).Clear()
		flow.Do(op, 0, func() struct{} {
			c.compare(o, run, fxp.Decode(clear.Get(), t, scale).Floats(), want.Floats())
			return struct{}{}
		}, clear)
	}
}

// compare records errors beyond the bound. It skips infinities and NaN, which have no fixed-point
// form and are reported as warnings.
func (c *Comparison) compare(o *hlo.Op, run int, got, want []float64) {
	off := Divergence{Op: o, Iteration: run, Of: len(want)}
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
	if first := c.off[o]; first == nil || run < first.Iteration {
		c.off[o] = &off
	}
}

// Result returns what the comparison has found, once both runs have ended. p is the program and fraction the
// number of fraction bits of the job.
func (c *Comparison) Result(p *hlo.Program, fraction int) *Result {
	out := &Result{}
	beyond := map[*hlo.Value]bool{}
	p.Each(func(o *hlo.Op) {
		if off := c.off[o]; off != nil {
			for _, r := range o.Results {
				beyond[r] = true
			}
			if c.within(o, 0) || slices.ContainsFunc(o.Operands, func(v *hlo.Value) bool { return beyond[v] }) {
				out.Propagated++
			} else {
				out.Divergences = append(out.Divergences, *off)
			}
		}
		if c.secret[o] {
			out.Ranges = append(out.Ranges, Range{o, c.largest[o], ringFor(c.contractionScale[o], c.largest[o], c.ring, fraction)})
		}
	})
	for n, times := range c.rewritten {
		if c.notes[n] == 0 {
			c.notes[n] = times
		}
	}
	for n, times := range c.notes {
		out.Warnings = append(out.Warnings, Warning{n[0], n[1], times})
	}
	return out
}

// maxNesting bounds the depth of calls and regions that within examines.
const maxNesting = 1000

// within reports whether an operation in the regions or the callee of o is beyond the bound.
func (c *Comparison) within(o *hlo.Op, depth int) bool {
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

// ringFor is the narrowest ring that holds magnitudes up to largest: a ring of the job's bits has
// the job's fraction, others the default one. If scale exceeds fraction, the values have the range
// of contractions.
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
