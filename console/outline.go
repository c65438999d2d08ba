package console

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Bounds of what an outline takes and holds: operations that are visited, operations of a path, paths, and layers.
const (
	outlineVisits = 300_000
	outlineTime   = 10 * time.Second
	outlineMemory = 1 << 30
	maxPathSteps  = 14
	maxPaths      = 40
	maxLayers     = 60
)

// maxNamed bounds the arguments that a warning names.
const maxNamed = 8

// outline describes a program for a person who is asked to approve it.
type outline struct {
	Operations []countRow
	Layers     []countRow
	Paths      []pathRow
	MorePaths  int
	Warnings   []string
	Functions  int
	Lines      []string // the program as text
	Coarse     bool     // the program is too long to follow each operation
}

type countRow struct {
	Name  string
	Count int
}

// pathRow says how a revealed value depends on arguments of this party.
type pathRow struct {
	Target, From string
	Steps        []string // from the argument to the value
	None         bool     // it does not depend on them
}

// set is a set of this party's arguments, by position in flow.ours; the 64th bit stands for all further ones.
type set uint64

// fact is what is known of a value: on which arguments of this party it may depend, and of which it may hold elements
// unchanged. via is a value that it is computed from by op, on the way from such an argument; nil for an argument.
type fact struct {
	deps, copies set
	via          *fact
	step         string
	picks        bool // some operation on the way takes a part of its operand
}

// flow follows this party's arguments through a program.
type flow struct {
	ours    []int // numbers of this party's arguments
	visits  int
	targets []target
	coarse  bool
}

// target is a value that is revealed.
type target struct {
	name  string
	shape tensor.Shape
	fact  *fact
}

// outlineOf describes a program. ours are the numbers of this party's arguments, reveals says whether results are
// revealed at all. It takes bounded time and memory.
func outlineOf(ctx context.Context, name string, text []byte, ours []int, reveals bool) (out *outline, err error) {
	defer func() {
		if x := recover(); x != nil {
			out, err = nil, fmt.Errorf("the program cannot be described: %v", x)
		}
	}()
	ctx, _, end := budget.New(ctx, budget.Limits{Time: outlineTime, Memory: outlineMemory})
	defer end()
	p, err := hlo.ParseContext(ctx, name, text)
	if err != nil {
		return nil, err
	}
	out = &outline{Functions: len(p.Reached())}
	out.Lines = linesOf(p)
	count, layers := map[string]int{}, map[string]int{}
	var order []string
	for _, f := range p.Reached() {
		eachOp(f.Body, func(o *hlo.Op) {
			count[strings.TrimPrefix(o.Title(), "stablehlo.")]++
			if layer := layerOf(o.Loc); layer != "" {
				if layers[layer] == 0 {
					order = append(order, layer)
				}
				layers[layer]++
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		out.Operations = append(out.Operations, countRow{name, count[name]})
	}
	slices.SortStableFunc(out.Operations, func(a, b countRow) int { return cmp.Compare(b.Count, a.Count) })
	for _, layer := range order[:min(len(order), maxLayers)] {
		out.Layers = append(out.Layers, countRow{layer, layers[layer]})
	}
	f := &flow{ours: ours}
	args := make([]*fact, len(p.Main.Body.Params))
	for i := range args {
		args[i] = &fact{}
		if at := slices.Index(ours, i); at >= 0 {
			bit := set(1) << min(at, 63)
			args[i] = &fact{deps: bit, copies: bit, step: fmt.Sprintf("argument %d", i)}
		}
	}
	results := f.call(p.Main, args)
	if reveals {
		for i, r := range results {
			f.targets = append(f.targets, target{fmt.Sprintf("result %d: %v", i, p.Main.Results[i]), p.Main.Results[i].Shape, r})
		}
	}
	out.Coarse = f.coarse
	out.describe(p, f)
	return out, nil
}

// linesOf returns a program's text line by line; of an artifact its printed form.
func linesOf(p *hlo.Program) []string {
	text := p.Text
	if !utf8.Valid(text) || bytes.HasPrefix(text, []byte("ML\xefR")) {
		var b bytes.Buffer
		if err := p.Print(&b); err != nil {
			return []string{"the program cannot be printed: " + err.Error()}
		}
		text = b.Bytes()
	}
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

// eachOp calls f for all operations of a block and its regions, terminators excluded.
func eachOp(b *hlo.Block, f func(*hlo.Op)) {
	for i, o := range b.Ops {
		if i < len(b.Ops)-1 {
			f(o)
		}
		for _, r := range o.Regions {
			eachOp(r, f)
		}
	}
}

// layerOf returns the layer in an operation's name, JAX's name stack: jit(f)/conv1/max is of the layer conv1.
func layerOf(name string) string {
	parts := strings.Split(name, "/")
	if len(parts) < 2 {
		return ""
	}
	parts = parts[:len(parts)-1]
	for len(parts) > 0 && strings.HasPrefix(parts[0], "jit(") {
		parts = parts[1:]
	}
	return strings.Join(parts, "/")
}

// call follows the arguments of a function to its results.
func (f *flow) call(fn *hlo.Func, args []*fact) []*fact {
	env := map[*hlo.Value]*fact{}
	for i, p := range fn.Body.Params {
		env[p] = args[i]
	}
	return f.block(fn.Body, env)
}

// block follows the operations of a block, whose parameters are in env, and returns the facts of its results.
func (f *flow) block(b *hlo.Block, env map[*hlo.Value]*fact) []*fact {
	for _, o := range b.Ops[:len(b.Ops)-1] {
		f.op(o, env)
	}
	out := make([]*fact, len(b.Return().Operands))
	for i, v := range b.Return().Operands {
		out[i] = env[v]
	}
	return out
}

// op follows an operation.
func (f *flow) op(o *hlo.Op, env map[*hlo.Value]*fact) {
	f.visits++
	f.coarse = f.coarse || f.visits > outlineVisits
	operands := make([]*fact, len(o.Operands))
	for i, v := range o.Operands {
		operands[i] = env[v]
	}
	if revealing(o) {
		for i, v := range o.Operands {
			f.targets = append(f.targets, target{fmt.Sprintf("%s at %v: %v", revealOf(o), o.Pos, v.Type), v.Type.Shape, operands[i]})
		}
	}
	if o.Callee != nil && !f.coarse && len(o.Callee.Body.Params) == len(operands) {
		for i, r := range f.call(o.Callee, operands) {
			if i < len(o.Results) {
				env[o.Results[i]] = r
			}
		}
		return
	}
	made := &fact{step: stepOf(o)}
	all := operands
	if len(o.Regions) > 0 {
		all = append(slices.Clone(operands), f.captured(o, env)...)
	}
	picks := o.Name == hlo.OpSlice || o.Name == hlo.OpDynamicSlice || o.Name == hlo.OpGather || o.Name == hlo.OpDynamicGather
	for i, x := range all {
		if x == nil || x.deps == 0 {
			continue
		}
		if made.via == nil {
			made.via = x
		}
		made.deps |= x.deps
		made.picks = made.picks || x.picks || picks
		if i < len(operands) && moves(o, i) {
			made.copies |= x.copies
		}
	}
	for _, r := range o.Results {
		env[r] = made
	}
	for _, r := range o.Regions { // for what is revealed within: each parameter may hold all that the operation reads
		inner := maps.Clone(env)
		for _, p := range r.Params {
			inner[p] = made
		}
		if !f.coarse {
			f.block(r, inner)
		}
	}
}

// captured returns the facts of values outside of an operation's regions that the regions read.
func (f *flow) captured(o *hlo.Op, env map[*hlo.Value]*fact) (out []*fact) {
	seen := map[*fact]bool{}
	for _, r := range o.Regions {
		eachOp(r, func(inner *hlo.Op) {
			for _, v := range inner.Operands {
				if x := env[v]; x != nil && !seen[x] {
					seen[x], out = true, append(out, x)
				}
			}
		})
		for _, v := range r.Return().Operands {
			if x := env[v]; x != nil && !seen[x] {
				seen[x], out = true, append(out, x)
			}
		}
	}
	return out
}

// moves reports whether elements of the operation's results may be elements of its operand i.
func moves(o *hlo.Op, i int) bool {
	switch {
	case o.Is(hlo.Structured):
		return o.LinearOperand(i)
	case o.Name == hlo.OpConvert, o.Name == hlo.OpOptimizationBarrier, o.Name == hlo.OpCustomCall:
		return true
	case o.Name == hlo.OpSelect:
		return i > 0
	}
	return o.Callee != nil // a function that was not followed
}

// revealing reports whether an operation reveals its operands while the program runs.
func revealing(o *hlo.Op) bool {
	_, one := hlo.RevealedTo(o)
	return one || o.Name == hlo.OpCustomCall && o.Attrs.Str("call_target_name") == "tacet.reveal"
}

// revealOf names a call that reveals its operands.
func revealOf(o *hlo.Op) string {
	target := o.Attrs.Str("call_target_name")
	if rank, ok := hlo.RevealedTo(o); ok {
		return fmt.Sprintf("%s party %d", target, rank)
	}
	return target
}

// stepOf describes an operation on a path.
func stepOf(o *hlo.Op) string {
	what := strings.TrimPrefix(o.Title(), "stablehlo.")
	if target := o.Attrs.Str("call_target_name"); target != "" {
		what = target
	}
	if o.Callee != nil {
		what += " @" + o.Callee.Name
	}
	if layer := layerOf(o.Loc); layer != "" {
		what += " (" + layer + ")"
	}
	return what
}

// path returns the steps from an argument to a fact, equal neighbours once.
func (x *fact) path() []string {
	var steps []string
	for y := x; y != nil; y = y.via {
		if len(steps) == 0 || steps[len(steps)-1] != y.step {
			steps = append(steps, y.step)
		}
	}
	slices.Reverse(steps)
	if n := len(steps); n > maxPathSteps {
		cut := append(slices.Clone(steps[:maxPathSteps/2]), fmt.Sprintf("… %d more …", n-maxPathSteps))
		steps = append(cut, steps[n-maxPathSteps/2:]...)
	}
	return steps
}

// names returns the arguments of a set.
func (f *flow) names(s set) string {
	var out []string
	for i, arg := range f.ours {
		if s&(1<<min(i, 63)) != 0 {
			out = append(out, fmt.Sprint(arg))
		}
	}
	switch {
	case len(out) > 8:
		return fmt.Sprintf("%d arguments", len(out))
	case len(out) == 1:
		return "argument " + out[0]
	}
	return "arguments " + strings.Join(out, ", ")
}

// describe adds paths and warnings.
func (out *outline) describe(p *hlo.Program, f *flow) {
	warn := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); len(out.Warnings) < maxPaths && !slices.Contains(out.Warnings, text) {
			out.Warnings = append(out.Warnings, text)
		}
	}
	out.MorePaths = max(0, len(f.targets)-maxPaths)
	for i, t := range f.targets {
		if i < maxPaths {
			row := pathRow{Target: t.name, None: t.fact.deps == 0}
			if !row.None {
				row.From, row.Steps = f.names(t.fact.deps), t.fact.path()
			}
			out.Paths = append(out.Paths, row)
		}
		n := t.shape.Size()
		var large []string // arguments that are not larger than the value
		for at, arg := range f.ours {
			bit := set(1) << min(at, 63)
			if t.fact.deps&bit == 0 {
				continue
			}
			shape := p.Main.Body.Params[arg].Type.Shape
			all := shape.Size()
			row := 0
			if len(shape) > 0 && shape[0] > 1 {
				row = all / shape[0]
			}
			if t.fact.copies&bit != 0 {
				warn("%s may hold elements of argument %d of ours unchanged: only operations that move elements lie between", t.name, arg)
			}
			if n >= all && all > 1 {
				large = append(large, fmt.Sprintf("%d (%d)", arg, all))
			}
			if row > 0 && n == row && t.fact.picks && (row > 1 || t.fact.copies&bit != 0) {
				warn("%s has the size of one row of argument %d of ours, and the program takes parts of it: it may be about one row",
					t.name, arg)
			}
		}
		switch k := len(large); {
		case k == 1:
			warn("%s is as large as argument %s of ours (%d elements): it may say all of it", t.name, large[0], n)
		case k > maxNamed:
			warn("%s is as large as %d arguments of ours (%d elements): it may say all of one", t.name, k, n)
		case k > 1:
			warn("%s is as large as arguments %s of ours (%d elements): it may say all of one", t.name, strings.Join(large, ", "), n)
		}
	}
	if bits.Len(uint(len(f.ours))) > 6 {
		warn("more than 64 arguments are ours: the paths of the last ones are shown together")
	}
	if f.coarse {
		warn("the program is too long to follow each operation: what results depend on is shown too widely")
	}
}
