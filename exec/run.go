package exec

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// Config is what a walk needs.
type Config struct {
	Program *hlo.Program
	Arith   *fxp.Arith
	Graph   *flow.Graph
	Costs   *Costs
	// Evaluates says of which owners' values this party computes in clear.
	Evaluates func(owner int) bool
	// Args are the arguments: who knows them, and their values where Evaluates
	// says so or all know them.
	Args []Arg
	// First is the number of the walk's first operation instance: no other walk
	// of a session, but one that goes alike, has numbers from there on.
	First uint32
	// Memo, if not nil, keeps public results from the first walk for the
	// others.
	Memo *Memo
	// Facts are the program's; nil for a program taken operation by
	// operation.
	Facts *Facts
	// Aims are what operations' protocols are chosen for, by id in the costs,
	// where that is not what the options say.
	Aims map[int]flow.Aim
	// Keep says of each result whether it is kept: given as a secret too, whoever
	// knows it; nil for none.
	Keep []bool
	// Reveals is how many tensors the program may reveal on its way: one that is
	// revealed in each iteration of a loop counts as often.
	Reveals int
	// Revealing, if not nil, is told of each call that reveals its operands.
	Revealing func(o *hlo.Op)
	// Deciding, if not nil, is told of each loop and branch on which one party's own
	// values decide, which that party alone evaluates.
	Deciding func(o *hlo.Op, owner int)
	// Watch, if not nil, is told of every operation of a function, loop or
	// branch what it gave, as it is built: nil for results that are no secret
	// numbers, or that do not count since a secret decides on them. op is a
	// handle for steps that look at them.
	Watch func(o *hlo.Op, results []*fxp.Value, op *flow.Op)
	// Loops are those of main's loops at which Aside is told of what is needed to go
	// on from there.
	Loops map[*hlo.Op]*Loop
	Aside Aside
	// Step, if not nil, is called after every operation with the number done.
	Step func(done int)
}

// Arg is an argument of the program: who knows it (a rank or Public) and, if
// this party has it, its value. One that stays has the same value in every walk
// of a session; those that all know do.
type Arg struct {
	Who   int
	Stays bool
	Data  *tensor.Array
	Held  *fxp.Held // of one that nobody knows
}

// Result is a result of the program: who knows it, its value in clear if this
// party has it and it is not secret, else the settled secret.
type Result struct {
	Who    int
	Type   tensor.Type
	Data   *tensor.Array
	Secret *fxp.Value
	Kept   *fxp.Value // settled, of what is kept
}

// run is one walk.
type run struct {
	Config
	ctx   context.Context
	ids   uint32 // instances so far
	uses  map[*hlo.Op]*uses
	depth int
	frame *Frame              // where in the tree of calls
	read  map[*hlo.Value]int  // how often operations have it as an operand
	given map[*hlo.Value]bool // what operations give
	// What some operation compares with another value, or a number (nil), and
	// chooses from.
	choices map[[2]*hlo.Value]bool
	picks   map[*hlo.Value][]picking // what gradients of pools choose from
	taken   map[*hlo.Value]bool      // what is set aside at loops that come after its last use
	alone   map[*hlo.Op]bool         // what one party evaluates, and can
	failed  *OwnError                // the first
	// Reveals so far, and how many branches and loops around are decided on by
	// secrets.
	revealed, choosing int
	excess             *hlo.Op // the first reveal beyond what the job allows
}

// reads is how often operations read a value.
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

// readsAlone reports whether an operation alone reads its only operand.
func (c *opRun) readsAlone() bool {
	if len(c.o.Operands) != 1 {
		return false
	}
	in := c.o.Operands[0]
	return c.reads(in) == 1 && c.given[in] // what a block is given may be read outside
}

// chosenFrom reports whether some operation compares a value with another one,
// or any operation with a number if that is nil, and chooses from it.
func (x *run) chosenFrom(v, other *hlo.Value) bool {
	if x.choices == nil {
		x.choices = map[[2]*hlo.Value]bool{}
		for o := range x.uses {
			switch o.Name {
			case "stablehlo.maximum", "stablehlo.minimum":
				x.choices[[2]*hlo.Value{o.Operands[0], o.Operands[1]}] = true
				x.choices[[2]*hlo.Value{o.Operands[1], o.Operands[0]}] = true
				fallthrough
			case "stablehlo.clamp", "stablehlo.abs", "stablehlo.select":
				for _, in := range o.Operands {
					x.choices[[2]*hlo.Value{in}] = true
				}
			}
		}
	}
	return x.choices[[2]*hlo.Value{v, other}]
}

// Walk builds the program's graph. In a weightless graph it is done when Walk
// returns; else the caller waits for the graph before it uses the results.
func Walk(ctx context.Context, c Config) ([]Result, error) {
	x := &run{Config: c, ctx: ctx, uses: map[*hlo.Op]*uses{}, frame: c.Costs.Frames[0]}
	for _, f := range c.Program.Funcs {
		analyse(f.Body, x.Facts, x.uses)
	}
	x.taken = taken(c.Loops)
	main := c.Program.Main
	args := make([]*value, len(c.Args))
	for i, a := range c.Args {
		t := main.Body.Params[i].Type
		args[i] = &value{typ: t, who: a.Who, raw: true}
		if a.Held != nil {
			args[i] = secret(x.Arith.Held(x.Graph, t, a.Held))
			continue
		}
		if a.Stays && a.Who >= 0 {
			args[i].who = mpc.Staying(a.Who)
		}
		if a.Who == Public || c.Evaluates(a.Who) {
			args[i].arr = a.Data
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
	x.Memo.settle()
	return x.results(main.Body.Return(), out)
}

// results settles what is secret.
func (x *run) results(ret *hlo.Op, out []*value) ([]Result, error) {
	op := x.instance(ret)
	results := make([]Result, len(out))
	for i, v := range out {
		results[i] = Result{Type: v.typ, Data: v.arr}
		results[i].Who, _ = mpc.Owner(v.who)
		if v.who == Secret {
			c := &opRun{run: x, op: op, o: ret}
			results[i].Secret = x.Arith.Settle(op, c.flat(v).sec)
		}
		if x.Keep != nil && x.Keep[i] {
			c := &opRun{run: x, op: op, o: ret}
			results[i].Kept = c.kept(ret.Operands[i], v)
		}
	}
	return results, nil
}

// instance numbers the next operation instance.
func (x *run) instance(o *hlo.Op) *flow.Op {
	op, _ := x.booked(o)
	return op

}

// booked is instance, with where it is booked.
func (x *run) booked(o *hlo.Op) (*flow.Op, *OpCost) {
	id := x.ids
	x.ids++
	e := x.Costs.book(id, x.frame, o)
	op := x.Graph.Op(x.First+id, &e.Cost, e.where)
	op.Aim = x.Arith.Options.Aim()
	if aim, chosen := x.Aims[e.ID]; chosen {
		op.Aim = aim
	}
	return op, e
}

// block runs a block's operations and returns its results.
func (x *run) block(b *hlo.Block, outer *scope, args []*value) ([]*value, error) {
	s := newScope(outer)
	for i, p := range b.Params {
		x.bind(s, p, args[i])
	}
	last := len(b.Ops) - 1
	for _, o := range b.Ops[:last] {
		if err := x.Graph.Admit(); err != nil {
			return nil, err
		}
		if err := x.ctx.Err(); err != nil {
			return nil, context.Cause(x.ctx)
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
				delete(s.vals, v)
			}
		}
		if x.Step != nil {
			x.Step(int(x.ids))
		}
	}
	return x.operands(s, b.Ops[last])
}

// watch shows what an operation gave.
func (x *run) watch(s *scope, o *hlo.Op) {
	op := x.Graph.Op(x.First+x.ids, &flow.Cost{}, o.Pos.String()+": "+o.Name)
	results := make([]*fxp.Value, len(o.Results))
	for i, r := range o.Results {
		if v := s.vals[r]; v != nil && v.who == Secret && x.choosing == 0 {
			results[i] = x.Arith.ToSetAside(op, v.sec) // nil of complex numbers
		}
	}
	x.Watch(o, results, op)
}

// guarded is step. A panic, which would end the process and with it all sessions
// of a node, becomes an error that names the operation.
func (x *run) guarded(s *scope, o *hlo.Op) error {
	returned := false
	err := flow.Guard(func() error {
		err := x.step(s, o)
		returned = true
		return err
	})
	if !returned {
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
	if err := x.undone(s, o); err != nil {
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
	if alone(o, out) {
		x.Memo.spare(in)
	}
	for i, r := range o.Results {
		x.bind(s, r, out[i])
	}
	return nil
}

// bind makes v the value of what a block is given, or an operation gives, with what
// the program's text says of that.
func (x *run) bind(s *scope, of *hlo.Value, v *value) {
	s.vals[of] = v
	switch r := x.known(of); {
	case v.sec != nil:
		x.Arith.Within(v.sec, r)
	case v.within == (fxp.Range{}):
		v.within = r
	default: // both are true of it
		v.within = fxp.Range{Lo: max(v.within.Lo, r.Lo), Hi: min(v.within.Hi, r.Hi)}
	}
}

func (x *run) operands(s *scope, o *hlo.Op) ([]*value, error) {
	in := make([]*value, len(o.Operands))
	for i, v := range o.Operands {
		if in[i] = s.get(v); in[i] == nil {
			return nil, &hlo.Error{Pos: o.Pos, Op: o.Name, Msg: fmt.Sprintf("operand %%%s has no value here", v.Name)}
		}
	}
	return in, nil
}

// op runs one operation.
func (x *run) op(s *scope, o *hlo.Op, in []*value) ([]*value, error) {
	if f := control[o.Name]; f != nil {
		return f(x, s, o, in)
	}
	who := Public
	for _, v := range in {
		who = join(who, v.who)
	}
	for _, v := range x.uses[o].captured {
		if c := s.get(v); c != nil {
			who = join(who, c.who)
		}
	}
	if who != Secret && (who == Public || !hides(o)) {
		return x.clear(s, o, in, who)
	}
	f := handlerOf(o, in)
	if f == nil {
		return nil, refuse(o, "is not built yet for secret operands", "compute it from values that are public or that one party knows")
	}
	if !hides(o) && !slices.ContainsFunc(o.Results, func(r *hlo.Value) bool { return r.Type.Shape.Size() > 0 }) {
		x.instance(o)
		return nothing(o), nil
	}
	c := &opRun{run: x, op: x.instance(o), o: o, scope: s}
	return f(c, c.operable(in))
}

// nothing are results without elements: there is nothing in them to be secret.
func nothing(o *hlo.Op) []*value {
	out := make([]*value, len(o.Results))
	for i, r := range o.Results {
		out[i] = zeros(r.Type)
	}
	return out
}

// alone reports whether an operation gave what one party has computed alone, where
// its public operands are of no use to others: not, as those of views and
// contractions, to make what it gave of shares.
func alone(o *hlo.Op, out []*value) bool {
	return control[o.Name] == nil && !hides(o) && !viewOps[o.Name] && o.Name != "stablehlo.dot_general" &&
		!slices.ContainsFunc(out, func(v *value) bool { return v.who < 0 })
}

// clear evaluates an operation that all parties or one can do alone.
func (x *run) clear(s *scope, o *hlo.Op, in []*value, who int) ([]*value, error) {
	op, booked := x.booked(o) // taken, so that ids do not depend on who knows what
	id := op.ID - x.First
	out := make([]*value, len(o.Results))
	for i, r := range o.Results {
		out[i] = &value{typ: r.Type, who: who}
	}
	if who != Public && len(out) == 1 {
		out[0].made = madeBy(o, in)
		out[0].raw = viewOps[o.Name] && len(in) == 1 && in[0].raw
		out[0].spread = spreads(o, in)
	}
	if kept, ok := x.Memo.get(id); who == Public && ok {
		for i := range out {
			out[i].arr = kept[i]
		}
		return out, nil
	}
	args := make([]*tensor.Array, len(in))
	for i, v := range in {
		args[i] = v.arr
		if v.arr == nil && who == Public {
			return nil, refuse(o, "needs a public value that is not there", "give the public inputs")
		}
	}
	for _, v := range x.uses[o].captured {
		if c := s.get(v); c != nil && c.arr == nil {
			args = nil // not what its regions read
		}
	}
	env := eval.NewEnv(func(v *hlo.Value) *tensor.Array {
		if c := s.get(v); c != nil {
			return c.arr
		}
		return nil
	})
	start := time.Now()
	res, err := x.evaluate(s, env, o, who, args)
	if err != nil {
		return nil, err
	}
	if res != nil {
		booked.Clear.Add(int64(time.Since(start)))
	}
	for i, r := range res {
		out[i].arr = r
	}
	if who == Public {
		x.Memo.put(id, out)
	}
	return out, nil
}

// spreads reports whether what one party evaluates is spread from fewer elements or
// dimensions, there or before, as biases and masks are. Values put together, and sums,
// are not.
func spreads(o *hlo.Op, in []*value) bool {
	shape, together := o.Results[0].Type.Shape, o.Name == "stablehlo.concatenate" || o.Name == "stablehlo.pad"
	return o.Name != "stablehlo.reduce" && !slices.ContainsFunc(in, func(v *value) bool {
		return v.who != Public && !v.spread && (together || len(v.typ.Shape) >= len(shape) && v.typ.Shape.Size() >= shape.Size())
	})
}

// OwnError says that a party could not evaluate what it alone knows. That can
// depend on its inputs, and so can the reason, which neither its text nor Unwrap
// gives: what other parties and submitters may read is the same whatever the inputs
// are. Cause is for the party itself.
type OwnError struct {
	Owner int // rank
	cause error
}

func (e *OwnError) Error() string {
	return fmt.Sprintf("party %d failed while it computed on its own inputs", e.Owner)
}

// Cause is the reason; it may depend on the party's inputs.
func (e *OwnError) Cause() error { return e.cause }

// evaluate computes an operation that all parties or one can do alone, in clear;
// nil where this party does not have all that it reads: args is nil, or holds a nil.
// Whatever the program's text says against it every party finds, with data or
// without: an operation that the evaluator cannot do is refused by all alike, in
// whichever branch it stands. What then fails at the owner of the operands is an
// OwnError, with which the walk ends when it has seen the whole program: what is
// refused later is refused whether it failed or not.
func (x *run) evaluate(s *scope, env *eval.Env, o *hlo.Op, who int, args []*tensor.Array) ([]*tensor.Array, error) {
	if who == Public {
		return env.Op(x.ctx, o, args)
	}
	if err := x.checked(s, o); err != nil {
		return nil, err
	}
	if x.Deciding != nil {
		owner, _ := mpc.Owner(who)
		eachControl(o, map[*hlo.Func]bool{}, func(o *hlo.Op) { x.Deciding(o, owner) })
	}
	if args == nil || slices.Contains(args, nil) {
		return nil, nil // another party's affair
	}
	out, err := env.Op(x.ctx, o, args)
	if err != nil && x.ctx.Err() == nil {
		if owner, _ := mpc.Owner(who); x.failed == nil {
			x.failed = &OwnError{owner, err}
		}
		return nil, nil
	}
	return out, err
}

// eachControl visits the loops and branches that an operation is or holds; those of
// functions that it calls, but for seen ones.
func eachControl(o *hlo.Op, seen map[*hlo.Func]bool, f func(*hlo.Op)) {
	switch o.Name {
	case "stablehlo.while", "stablehlo.if", "stablehlo.case":
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

// checked is eval.Check of an operation in a scope; once for each operation of the
// program to which what is known around it makes no difference.
func (x *run) checked(s *scope, o *hlo.Op) error {
	if x.alone[o] {
		return nil
	}
	if eval.Check(o, nil) != nil {
		return eval.Check(o, func(v *hlo.Value) *tensor.Array {
			if c := s.get(v); c != nil && c.who == Public {
				return c.arr
			}
			return nil
		})
	}
	if x.uses[o] != nil { // else it is made for one instance of a body
		if x.alone == nil {
			x.alone = map[*hlo.Op]bool{}
		}
		x.alone[o] = true
	}
	return nil
}

// refuse says that an operation cannot run.
func refuse(o *hlo.Op, msg, hint string) error {
	return &hlo.Error{Pos: o.Pos, Op: o.Name, Msg: msg, Hint: hint}
}
