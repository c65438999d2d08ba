package exec

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// Config is the input of a walk of a program at one party. Program, Arith, Graph, Costs, Evaluates and Args are
// required.
type Config struct {
	Program *hlo.Program // the program to walk
	Arith   *fxp.Arith   // builds the steps for operations on secrets
	Graph   *flow.Graph  // this party's dataflow graph, to which the walk adds steps; it says whether the walk is a dry run
	Costs   *Costs       // receives an entry for each operation
	// Evaluates reports whether this party computes in cleartext the values of an owner, which is a rank.
	Evaluates func(owner int) bool
	// Args are the arguments of main, in the order of its parameters.
	Args []Arg
	// First is the number of the walk's first operation instance; later instances have the next numbers. Two walks of
	// a session may share numbers only if they run the same operations in the same order.
	First uint32
	// Memo keeps public results of a session's first walk for its later walks. nil keeps none.
	Memo *Memo
	// Shared says that an earlier walk of the session has shared the values that stay the same (Arg.Stays) and that one party
	// knows. Such a value is evaluated only if the walk reads its cleartext, and not merely to be shared.
	Shared bool
	// Facts are the program's facts (Analyse). With nil, no operations are fused and all values count as unbounded.
	Facts *Facts
	// Aims maps an operation's number in the program's text (Costs.ID) to the objective by which protocols are chosen
	// for that operation. Operations that are not in the map have the objective of Arith.Options.
	Aims map[int]flow.Objective
	// Keep[i] says whether result i is also returned as a finalized secret (Result.Kept), so that the caller can
	// store this party's share of it. nil keeps none.
	Keep []bool
	// Reveals is the largest number of tensors that the program may reveal before its end; with more, Walk returns an
	// error. A tensor that is revealed in each iteration of a loop counts once for each iteration.
	Reveals int
	// Revealing, if not nil, is called with each operation that reveals its operands, when its steps are built.
	Revealing func(o *hlo.Op)
	// Online is the number of online parties, the ranks below which @tacet.reveal_to may name. Learns reports whether this party computes
	// in cleartext what the party of the given rank learns while the graph runs; nil: it does so of none. Early holds what the dry run
	// leaves for that to the walk that follows; it is nil where none follows.
	Online int
	Learns func(rank int) bool
	Early  *Early
	// Deciding, if not nil, is called with each loop and branch that only one party evaluates, because it depends on
	// that party's own values, and with the rank of that party.
	Deciding func(o *hlo.Op, owner int)
	// Watch, if not nil, is called with the results of every operation of a function, loop or branch, after the
	// operation's steps have been built. A result is nil if it is not a secret real number, or has no effect because
	// of a secret condition. op is the operation to which Watch adds steps that inspect the results.
	Watch func(o *hlo.Op, results []*fxp.Value, op *flow.Op)
	// Loops maps the loops of main at which Checkpoint is called to their descriptions. nil: none.
	Loops map[*hlo.Op]*Loop
	// Checkpoint is called at the loops in Loops; it is not used if there are none.
	Checkpoint CheckpointFunc
	// Step, if not nil, is called after every operation with the number of operation instances so far and the number
	// of the current iteration of the outermost loop, counted from 1; 0 outside of loops.
	Step func(done, iteration int)
}

// Arg is an argument of the program. Data is its value, needed at the parties for which Config.Evaluates holds or if
// it is public; Held is this party's share instead, if the argument is secret.
type Arg struct {
	Who   int              // the rank of the party that knows the value, or Public; unused if Held is set
	Stays bool             // whether the value is the same in every walk of a session, as a public value is
	Data  *tensor.Array    // the value in cleartext; nil where this party does not have it
	Held  *fxp.StoredShare // this party's share of a secret argument; nil for other arguments
}

// Result is one result of the program, or one live-in value of a checkpoint.
type Result struct {
	Owner  int           // the rank of the only party that knows the value, Public or Secret
	Type   tensor.Type   // element type and shape
	Data   *tensor.Array // the value in cleartext; nil if it is secret or another party alone has it
	Secret *fxp.Value    // the value if it is secret, finalized at the end of a program; otherwise nil
	Kept   *fxp.Value    // the finalized secret of a result that Config.Keep names; otherwise nil
}

// run is the state of one walk.
type run struct {
	Config
	ctx   context.Context
	ids   uint32 // instances so far
	uses  map[*hlo.Op]*uses
	depth int
	frame *Frame              // place in the tree of calls
	read  map[*hlo.Value]int  // number of operations that read a value
	given map[*hlo.Value]bool // values that operations return (not parameters)
	// choices holds the pairs of values, or of a value and nil for a number, that an operation compares and
	// another one selects from.
	choices       map[[2]*hlo.Value]bool
	matches       map[*hlo.Value]bool      // see matched
	floatCompares *bool                    // see comparesFloats
	readers       map[*hlo.Value][]*hlo.Op // see comparedOnly
	picks         map[*hlo.Value][]picking // the selections by windows that gradients of max-pools make
	taken         map[*hlo.Value]bool      // values that checkpoints store at loops after their last use
	alone         map[*hlo.Op]bool         // operations that one party alone evaluates
	failed        *LocalError              // the first local error
	// revealed counts the reveals so far; choosing is the number of enclosing branches and loops with a
	// secret condition.
	revealed, choosing int
	// loops is the number of enclosing loops; iteration is that of the outermost one, from 1, and 0 outside of loops.
	loops, iteration int
	excess           *hlo.Op // the first reveal beyond what the job allows
	budget           *budget.Budget
	live             live
	invariants       invariants
	rearranged       rearranged
	postponed        int             // number of postponed values that are being evaluated, each for the one before
	own              context.Context // ctx with a budget of its own for what one party alone computes
}

// reads returns the number of times that operations read a value.
func (x *run) reads(v *hlo.Value) int {
	if x.read == nil {
		x.read, x.given = map[*hlo.Value]int{}, map[*hlo.Value]bool{}
		for o := range x.uses {
			for _, in := range o.Operands {
				x.read[in]++
			}
			for _, out := range o.Results {
				x.given[out] = true
			}
		}
	}
	return x.read[v]
}

// readsAlone reports whether the operation is the only reader of its only operand.
func (c *opRun) readsAlone() bool {
	if len(c.o.Operands) != 1 {
		return false
	}
	in := c.o.Operands[0]
	return c.reads(in) == 1 && c.given[in] // a block's parameter may be read outside of it
}

// chosenFrom reports whether some operation compares v with other, or with any number if other is nil, and
// selects from it.
func (x *run) chosenFrom(v, other *hlo.Value) bool {
	if x.choices == nil {
		x.choices = map[[2]*hlo.Value]bool{}
		for o := range x.uses {
			switch o.Name {
			case hlo.OpMaximum, hlo.OpMinimum:
				x.choices[[2]*hlo.Value{o.Operands[0], o.Operands[1]}] = true
				x.choices[[2]*hlo.Value{o.Operands[1], o.Operands[0]}] = true
				fallthrough
			case hlo.OpClamp, hlo.OpAbs, hlo.OpSelect:
				for _, in := range o.Operands {
					x.choices[[2]*hlo.Value{in}] = true
				}
			}
		}
	}
	return x.choices[[2]*hlo.Value{v, other}]
}

// matched reports whether some operation compares v for equality with its own maximum or minimum along dimensions, as the
// gradient of the latter does. Both are then taken of v rounded to the fraction: otherwise the extreme, one of whose
// operands is rounded in each comparison, would differ from all elements of v by its last bits.
func (x *run) matched(v *hlo.Value) bool {
	if x.matches == nil {
		x.matches = map[*hlo.Value]bool{}
		defs := map[*hlo.Value]*hlo.Op{}
		for o := range x.uses {
			for _, r := range o.Results {
				defs[r] = o
			}
		}
		for o := range x.uses {
			if dir := o.Attrs.Str("comparison_direction"); o.Name != hlo.OpCompare || dir != "EQ" && dir != "NE" {
				continue
			}
			for i, v := range o.Operands {
				from := defs[o.Operands[1-i]]
				for from != nil && from.Is(hlo.Moving) && len(from.Operands) == 1 {
					from = defs[from.Operands[0]]
				}
				if from != nil && (from.Name == hlo.OpReduce || from.Name == hlo.OpReduceWindow) && from.Operands[0] == v {
					body := algo.Reducer(from.Regions[0])
					x.matches[v] = x.matches[v] || body == hlo.OpMaximum || body == hlo.OpMinimum
				}
			}
		}
	}
	return x.matches[v]
}

// rounded returns a secret float rounded to the fraction.
func (c *opRun) rounded(v *value) *value {
	if v.owner != Secret || !v.typ.DType.IsFloat() {
		return v
	}
	return &value{typ: v.typ, owner: v.owner, sec: c.Arith.Rescale(c.op, v.sec), repeats: v.repeats}
}

// Walk adds the steps of a program to a party's graph and returns the results of main. In a dry run all steps are
// done when Walk returns; otherwise the caller waits for the graph (flow.Graph.Wait) before it reads secrets. Walk
// returns a *LocalError if an operation on one party's own values failed, an error of kind problem.Limit if the
// budget of ctx is exceeded, and an error that names the operation if it is not supported on its operands.
func Walk(ctx context.Context, c Config) ([]Result, error) {
	x := &run{Config: c, ctx: ctx, uses: map[*hlo.Op]*uses{}, frame: c.Costs.Frames[0]}
	for _, f := range c.Program.Funcs {
		analyse(f.Body, x.Facts, x.uses)
	}
	if p, ok := mpc.As[mpc.Expecter](c.Arith.P); ok {
		contractions := 0
		c.Program.Each(func(o *hlo.Op) {
			if o.Is(hlo.Contraction) {
				contractions++
			}
		})
		p.ExpectContractions(contractions)
	}
	x.taken = taken(c.Loops)
	x.budget, x.own = budget.From(ctx), budget.Forked(ctx)
	x.live = live{Budget: x.budget}
	defer x.live.end()
	main := c.Program.Main
	args := make([]*value, len(c.Args))
	for i, a := range c.Args {
		t := main.Body.Params[i].Type
		args[i] = &value{typ: t, owner: a.Who, raw: true, argument: i + 1}
		if a.Held != nil {
			args[i] = secret(x.Arith.FromShare(x.Graph, t, a.Held))
			continue
		}
		if a.Stays && a.Who >= 0 {
			args[i].owner = mpc.Staying(a.Who)
		}
		if a.Who == Public || c.Evaluates(a.Who) {
			args[i].arr = a.Data
			x.live.given(a.Data)
		}
	}
	out, err := x.block(main.Body, nil, args)
	if err != nil {
		return nil, err
	}
	if err := x.refuseReveals(); err != nil {
		return nil, err
	}
	if x.failed != nil {
		return nil, x.failed
	}
	x.Memo.endFirstWalk()
	return x.results(main.Body.Return(), out)
}

// results finalizes the secrets among the results.
func (x *run) results(ret *hlo.Op, out []*value) ([]Result, error) {
	op := x.instance(ret)
	results := make([]Result, len(out))
	for i, v := range out {
		v = (&opRun{run: x, op: op, o: ret}).sooner(v)
		results[i] = Result{Type: v.typ, Data: v.array()}
		results[i].Owner, _ = mpc.Owner(v.owner)
		if v.owner == Secret {
			c := &opRun{run: x, op: op, o: ret}
			results[i].Secret = x.Arith.Finalize(op, c.flat(v).sec)
		}
		if x.Keep != nil && x.Keep[i] {
			c := &opRun{run: x, op: op, o: ret}
			results[i].Kept = c.kept(ret.Operands[i], v)
		}
	}
	return results, nil
}

// instance takes the number of the next operation instance.
func (x *run) instance(o *hlo.Op) *flow.Op {
	op, _ := x.booked(o)
	return op

}

// booked is instance, and also returns the instance's entry in the costs.
func (x *run) booked(o *hlo.Op) (*flow.Op, *OpCost) {
	id := x.ids
	x.ids++
	e := x.Costs.book(id, x.frame, o)
	op := x.Graph.Op(x.First+id, &e.Cost, e.where)
	op.Objective = x.Arith.Options.Objective()
	if aim, chosen := x.Aims[e.ID]; chosen {
		op.Objective = aim
	}
	return op, e
}

// block runs a block's operations and returns its results.
func (x *run) block(b *hlo.Block, outer *scope, args []*value) ([]*value, error) {
	s := newScope(outer)
	defer x.leave(s)
	for i, p := range b.Params {
		x.bind(s, p, args[i])
	}
	last := len(b.Ops) - 1
	for _, o := range b.Ops[:last] {
		if err := x.Graph.Admit(); err != nil {
			return nil, err
		}
		if x.ctx.Err() != nil {
			return nil, budget.Cause(x.ctx, o)
		}
		if err := x.charge(o); err != nil {
			return nil, err
		}
		if x.Facts != nil && x.Facts.Patterns.Skipped(o) {
			continue // what it ends is computed as a whole, or else then
		}
		if err := x.guarded(s, o); err != nil {
			return nil, err
		}
		if x.Watch != nil {
			x.watch(s, o)
		}
		for _, v := range x.uses[o].last {
			if !x.taken[v] {
				x.drop(s, v)
			}
		}
		if x.Step != nil {
			x.Step(int(x.ids), x.iteration)
		}
	}
	if err := x.spell(s, b.Ops[last]); err != nil {
		return nil, err
	}
	return x.operands(s, b.Ops[last])
}

// watch calls Watch with an operation's results.
func (x *run) watch(s *scope, o *hlo.Op) {
	op := x.Graph.Op(x.First+x.ids, &flow.Cost{}, o.Pos.String()+": "+o.Title())
	results := make([]*fxp.Value, len(o.Results))
	for i, r := range o.Results {
		if v := s.vals[r]; v != nil && v.owner == Secret && x.choosing == 0 {
			results[i] = x.Arith.ToCheckpoint(op, v.sec) // nil for complex numbers
		}
	}
	x.Watch(o, results, op)
}

// guarded runs step and converts a panic, which would end the process and with it all sessions of a node, to
// an error that names the operation.
func (x *run) guarded(s *scope, o *hlo.Op) error {
	returned := false
	err := flow.Guard(func() error {
		err := x.step(s, o)
		returned = true
		return err
	})
	if !returned && x.ctx.Err() == nil && !errors.Is(err, problem.Limit) {
		return refuse(o, err.Error(), "")
	}
	return err
}

// step runs one operation of a block, or the match that it ends.
func (x *run) step(s *scope, o *hlo.Op) error {
	v, err := x.match(s, o)
	if err != nil {
		return err
	}
	if v != nil {
		x.bind(s, o.Results[0], v)
		return nil
	}
	if err := x.runUnfused(s, o); err != nil {
		return err
	}
	if err := x.spell(s, o); err != nil {
		return err
	}
	in, err := x.operands(s, o)
	if err != nil {
		return err
	}
	out, err := x.op(s, o, in)
	if err != nil {
		return err
	}
	if alone(o, out) && x.knownTo(s, o, in) != Secret && !anyLate(out) { // else the second walk computes it too
		x.Memo.spare(in)
	}
	if o.Name == hlo.OpConcatenate {
		out[0].joined = joinedOf(o, in, out[0])
	}
	for i, r := range o.Results {
		x.bind(s, r, out[i])
	}
	return nil
}

// bind makes v the value of a block's parameter or an operation's result, and records its range known from
// the program's text.
func (x *run) bind(s *scope, of *hlo.Value, v *value) {
	if v.owner == Secret && v.sec != nil && v.typ.DType != of.Type.DType { // of an operand that another float type was converted to
		typed, sec := *v, *v.sec
		typed.typ.DType, sec.Type.DType = of.Type.DType, of.Type.DType
		typed.sec, typed.moved = &sec, nil
		v = &typed
	}
	x.live.hold(v)
	s.vals[of] = v
	v.guarded = v.guarded || v.owner != Public && v.sec == nil && x.Facts != nil && x.Facts.Cotangents[of] && x.Arith.Guard() > 0
	v.fine = v.fine || v.owner != Public && v.sec == nil && x.Facts != nil && (x.Facts.Roots[of] || x.Facts.Quotients[of])
	switch r := x.known(of); {
	case v.sec != nil:
		x.Arith.Within(v.sec, r)
	case v.within == (fxp.Range{}):
		v.within = r
	default: // both ranges hold
		v.within = fxp.Range{Lo: max(v.within.Lo, r.Lo), Hi: min(v.within.Hi, r.Hi)}
	}
}

func (x *run) operands(s *scope, o *hlo.Op) ([]*value, error) {
	in := make([]*value, len(o.Operands))
	for i, v := range o.Operands {
		if in[i] = s.get(v); in[i] == nil {
			return nil, &hlo.Error{Pos: o.Pos, Op: o.Title(), Msg: fmt.Sprintf("operand %%%s has no value here", v.Name)}
		}
	}
	return in, nil
}

// op runs one operation.
func (x *run) op(s *scope, o *hlo.Op, in []*value) ([]*value, error) {
	if f := control[o.Name]; f != nil {
		return f(x, s, o, in)
	}
	owner := x.knownTo(s, o, in)
	if owner != Secret && (owner == Public || !hides(o)) {
		return x.clear(s, o, in, owner)
	}
	f := handlerOf(o, in)
	if f == nil {
		return nil, refuse(o, "is not built yet for secret operands", "compute it from values that are public or that one party knows")
	}
	if err := checkNarrow(o, in); err != nil {
		return nil, err
	}
	if !hides(o) && !slices.ContainsFunc(o.Results, func(r *hlo.Value) bool { return r.Type.Shape.Size() > 0 }) {
		x.instance(o)
		return nothing(o), nil
	}
	end, err := x.listed(o, in)
	if err != nil {
		return nil, err
	}
	defer end()
	c := &opRun{run: x, op: x.instance(o), o: o, scope: s}
	return f(c, c.operable(c.soonerAll(in)))
}

// nothing returns results without elements, which hold nothing secret.
func nothing(o *hlo.Op) []*value {
	out := make([]*value, len(o.Results))
	for i, r := range o.Results {
		out[i] = zeros(r.Type)
	}
	return out
}

// alone reports whether an operation returned a value that one party alone computed and for which the other
// parties do not need its public operands. They need those of views and contractions, to derive the result
// from shares.
func alone(o *hlo.Op, out []*value) bool {
	return control[o.Name] == nil && !hides(o) && !isView(o) && o.Name != hlo.OpDotGeneral &&
		!slices.ContainsFunc(out, func(v *value) bool { return v.owner < 0 })
}

// clear evaluates in cleartext an operation whose operands are all public or known to party owner.
func (x *run) clear(s *scope, o *hlo.Op, in []*value, owner int) ([]*value, error) {
	op, booked := x.booked(o) // taken by every party, so that ids do not depend on ownership
	id := op.ID - x.First
	out := make([]*value, len(o.Results))
	for i, r := range o.Results {
		out[i] = &value{typ: r.Type, owner: owner}
	}
	if owner != Public && len(out) == 1 {
		out[0].made, out[0].moved = x.madeBy(o, in)
		out[0].raw = isView(o) && len(in) == 1 && in[0].raw
		out[0].spread = spreads(o, in)
		if o.Name == hlo.OpBroadcastInDim {
			out[0].broadcast = o.Attrs.Ints("broadcast_dimensions")
		}
	}
	if owner != Public && anyLate(x.readBy(s, o, in)) {
		for i, r := range o.Results {
			out[i] = &value{typ: r.Type, owner: owner}
		}
		return out, x.clearLate(s, o, op, booked, owner, in, out)
	}
	if c, ok := o.Constant(); ok && !c.Repeated {
		x.live.given(c.Elements)
	} else if ok && c.Type.Shape.Size() >= spelledFrom {
		out[0].repeated = &c
		return out, nil
	}
	if kept, ok := x.Memo.get(id); owner == Public && ok {
		for i := range out {
			out[i].arr = kept[i]
		}
		return out, nil
	}
	if _, stays := mpc.Owner(owner); stays && x.Shared {
		return out, x.postpone(s, o, op, booked, owner, in, out)
	}
	args := make([]*tensor.Array, len(in))
	for i, v := range in {
		args[i] = v.array()
		if args[i] == nil && owner == Public {
			return nil, refuse(o, "needs a public value that is missing", "give the public inputs")
		}
	}
	if owner == Public {
		if res := x.invariants.get(o, args); res != nil {
			for i := range out {
				out[i].arr = res[i]
			}
			x.Memo.put(id, out, true)
			return out, nil
		}
	}
	for _, v := range x.uses[o].captured {
		if c := s.get(v); c != nil && c.array() == nil {
			args = nil // not the values that its regions read
		}
	}
	env := eval.NewEnv(func(v *hlo.Value) *tensor.Array {
		if c := s.get(v); c != nil {
			return c.array()
		}
		return nil
	})
	start := time.Now()
	res, err := x.evaluate(s, env, o, owner, args)
	if err != nil {
		return nil, err
	}
	if res != nil {
		booked.Cleartext.Add(int64(time.Since(start)))
	}
	for i, r := range res {
		out[i].arr = r
	}
	if owner == Public {
		x.Memo.put(id, out, false)
		if x.loops > 0 && len(o.Regions) == 0 {
			x.invariants.put(o, args, res)
		}
	}
	return out, nil
}

// postpone makes the results of an instance of an operation, all of whose operands stay and are the owner's, values that are evaluated
// when they are read. Memo keeps what the walk itself reads; operands of other postponed values are evaluated again.
func (x *run) postpone(s *scope, o *hlo.Op, op *flow.Op, booked *OpCost, owner int, in, out []*value) error {
	if _, err := x.evaluate(s, nil, o, owner, nil); err != nil {
		return err // is not supported
	}
	rank, _ := mpc.Owner(owner)
	if !x.Evaluates(rank) {
		return nil
	}
	captured := map[*hlo.Value]*value{}
	for _, v := range x.uses[o].captured {
		captured[v] = s.get(v)
	}
	env := eval.NewEnv(func(v *hlo.Value) *tensor.Array {
		if c := captured[v]; c != nil {
			return c.array()
		}
		return nil
	})
	evaluated := func() []*tensor.Array {
		x.postponed++
		defer func() { x.postponed-- }()
		args := make([]*tensor.Array, len(in))
		for i, v := range in {
			args[i] = v.array()
		}
		if slices.Contains(args, nil) {
			return make([]*tensor.Array, len(out))
		}
		start := time.Now()
		res, err := env.Op(x.own, o, args)
		booked.Cleartext.Add(int64(time.Since(start)))
		if err != nil {
			if x.failed == nil {
				x.failed = &LocalError{rank, err}
			}
			return make([]*tensor.Array, len(out))
		}
		return res
	}
	var res []*tensor.Array
	for i := range out {
		out[i].postponed = func() *tensor.Array {
			if res == nil && x.postponed == 0 {
				res = x.Memo.read(op.ID-x.First, evaluated)
			} else if res == nil {
				res = evaluated()
			}
			return res[i]
		}
	}
	return nil
}

// spreads reports whether a value that one party evaluates is broadcast, here or before, from fewer elements
// or dimensions, as biases and masks are. Concatenations and sums are not broadcasts.
func spreads(o *hlo.Op, in []*value) bool {
	shape, together := o.Results[0].Type.Shape, o.Name == hlo.OpConcatenate || o.Name == hlo.OpPad
	return o.Name != hlo.OpReduce && !slices.ContainsFunc(in, func(v *value) bool {
		return v.owner != Public && !v.spread && (together || len(v.typ.Shape) >= len(shape) && v.typ.Shape.Size() >= shape.Size())
	})
}

// LocalError says that the party of rank Owner failed to evaluate a value that only it knows. Whether and why it
// fails may depend on the party's inputs. So the text names the party only, and errors.Is and errors.As do not reach
// the reason; other parties and submitters read the same text for all inputs. The party itself reads the reason from
// Cause.
type LocalError struct {
	Owner int // rank of the party
	cause error
}

// Error returns a text that names the party and not the reason.
func (e *LocalError) Error() string {
	return fmt.Sprintf("party %d failed while it computed on its own inputs", e.Owner)
}

// Cause returns the reason for the failure, which may depend on the party's inputs. It must not be sent to anyone
// else.
func (e *LocalError) Cause() error { return e.cause }

// evaluate computes in cleartext an operation whose operands are all public or known to party owner. It returns
// nil where this party lacks some of the operands: args is nil, or holds a nil. An operation that the
// evaluator does not support is refused by every party alike, with data or without, in whichever branch it
// is. A failure at the operands' owner that depends on the data is a LocalError. The walk returns it only
// after it has seen the whole program, so that errors of later operations are reported whether it occurred or
// not.
// refused later is refused whether it failed or not.
func (x *run) evaluate(s *scope, env *eval.Env, o *hlo.Op, owner int, args []*tensor.Array) ([]*tensor.Array, error) {
	if owner == Public {
		return env.Op(x.ctx, o, args)
	}
	if err := x.checked(s, o); err != nil {
		return nil, err
	}
	if err := x.fits(o, args); err != nil {
		return nil, err
	}
	if x.Deciding != nil {
		rank, _ := mpc.Owner(owner)
		eachControl(o, map[*hlo.Func]bool{}, func(o *hlo.Op) { x.Deciding(o, rank) })
	}
	if args == nil || slices.Contains(args, nil) {
		return nil, nil // another party computes it
	}
	out, err := env.Op(x.own, o, args)
	if err != nil && x.ctx.Err() == nil {
		if rank, _ := mpc.Owner(owner); x.failed == nil {
			x.failed = &LocalError{rank, err}
		}
		return nil, nil
	}
	return out, err
}

// eachControl calls f for the loops and branches that an operation is or contains, and for those of the
// functions that it calls, except functions in seen.
func eachControl(o *hlo.Op, seen map[*hlo.Func]bool, f func(*hlo.Op)) {
	if o.Is(hlo.Control) {
		f(o)
	}
	blocks := o.Regions
	if o.Callee != nil && !seen[o.Callee] {
		seen[o.Callee] = true
		blocks = append(slices.Clone(blocks), o.Callee.Body)
	}
	for _, b := range blocks {
		for _, in := range b.Ops {
			eachControl(in, seen, f)
		}
	}
}

// checked runs eval.Check for an operation in a scope; only once for an operation of the program for which
// the enclosing scope makes no difference.
func (x *run) checked(s *scope, o *hlo.Op) error {
	if x.alone[o] {
		return nil
	}
	if eval.Check(o, nil) != nil {
		return eval.Check(o, func(v *hlo.Value) *tensor.Array {
			if c := s.get(v); c != nil && c.owner == Public {
				return c.array()
			}
			return nil
		})
	}
	if x.uses[o] != nil { // otherwise it was made for one instance of a body
		if x.alone == nil {
			x.alone = map[*hlo.Op]bool{}
		}
		x.alone[o] = true
	}
	return nil
}

// refuse returns the error that an operation cannot run, with a hint.
func refuse(o *hlo.Op, msg, hint string) error {
	return &hlo.Error{Pos: o.Pos, Op: o.Title(), Msg: msg, Hint: hint, Unsupported: true}
}
