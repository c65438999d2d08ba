package onnx

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// graph builds the nodes of a graph in the scope s, which has its inputs.
func (im *importer) graph(g *model.Graph, s *scope) {
	for _, t := range g.Initializers {
		v, err := im.initializer(t, t.Name)
		if err != nil {
			im.fail(kindOf(err), "", "initialiser %q: %w", t.Name, err)
		}
		s.set(t.Name, v)
	}
	im.steps(g.Nodes, s, im.opsets, nil)
}

func kindOf(err error) problem.Kind {
	if errors.Is(err, errors.ErrUnsupported) {
		return problem.Unsupported
	}
	return problem.Usage
}

// steps builds nodes, which are in topological order. of has the attributes of the function that the nodes belong to.
func (im *importer) steps(nodes []*model.Node, s *scope, opsets map[string]int64, of map[string]*model.Attr) {
	im.depth++
	defer func() { im.depth-- }()
	if im.depth > maxGraphs {
		im.fail(problem.Unsupported, "functions must not call themselves", "graphs and functions are nested more than %d deep", maxGraphs)
	}
	if im.nodes += len(nodes); im.nodes > maxNodes { // before any is built: they take far more memory than the file
		im.fail(problem.Unsupported, "give loops fewer iterations", "the model has more than %d nodes when loops are written out", maxNodes)
	}
	for _, n := range nodes {
		if im.depth > 1 { // the model's own nodes are built once
			im.spend(entriesOf(n))
		}
		im.step(n, s, opsets, of)
	}
}

// spend counts entries of a graph or function within the model, which may be few bytes of the file and be built very often.
func (im *importer) spend(n int) {
	if im.entries += n; im.entries > maxEntries {
		im.fail(problem.Unsupported, "give loops fewer iterations",
			"the model has more than %d inputs, outputs, attributes and weights when loops and functions are written out", maxEntries)
	}
}

// entriesOf returns the number of a node's inputs, outputs and attributes, with the elements of lists.
func entriesOf(n *model.Node) int {
	out := 1 + len(n.Inputs) + len(n.Outputs)
	for _, a := range n.Attrs {
		out += 1 + len(a.Ints) + len(a.Floats) + len(a.Strings)
	}
	return out
}

// node is an operation that is being built.
type node struct {
	im    *importer
	b     *build.Builder
	n     *model.Node
	in    []*value // nil for an input that is left out
	s     *scope
	opset int64 // version of the operator set of the node's domain
	sets  map[string]int64
	of    map[string]*model.Attr
	// folding says that the node is built in a program of its own, whose arguments are args.
	folding bool
	args    []*tensor.Array
	local   map[*value]build.Value
}

// operation is an entry of the table of operations.
type operation struct {
	build func(x *node) []*value
	// known lists inputs whose elements must be known during the import.
	known []int
	// graphs says that the operation evaluates graphs, or has results that are no tensors: it is not folded itself.
	whole bool
}

func (im *importer) step(n *model.Node, s *scope, opsets map[string]int64, of map[string]*model.Attr) {
	x := &node{im: im, b: im.b, n: n, s: s, opset: opsets[n.Domain], sets: opsets, of: of}
	if x.opset == 0 && n.Domain == "" {
		x.opset = newestOpset
	}
	for _, name := range n.Inputs {
		if name == "" {
			x.in = append(x.in, nil)
			continue
		}
		v := s.get(name)
		if v == nil {
			x.fail("the file is damaged: nodes are not in order", "input %q: no node before this one computes it", name)
		}
		x.in = append(x.in, v)
	}
	var out []*value
	op, ok := operations[n.Domain+"."+n.Op]
	if f := im.function(n); f != nil && !ok {
		out = x.call(f)
	} else if !ok {
		x.unknown()
	} else {
		x.checkInputs()
		out = x.run(op)
	}
	for i, name := range n.Outputs {
		if name == "" {
			continue
		}
		if i >= len(out) || out[i] == nil {
			x.unsupported("", "output %d (%q) is not computed", i, name)
		}
		s.set(name, out[i])
	}
}

// unknown refuses an operation that is in no table.
func (x *node) unknown() {
	domain := x.n.Domain
	if domain == "" {
		domain = "the default domain"
	}
	x.unsupported("docs/onnx.md lists the operations that Tacet imports", "the operation %s of %s is not supported", x.n.Op, domain)
}

// checkInputs refuses values that no operation of numbers takes.
func (x *node) checkInputs() {
	for i, v := range x.in {
		if v != nil && v.kind == isTexts && !takesTexts[x.n.Domain+"."+x.n.Op] {
			x.unsupported("encode texts as numbers before the model", "input %d is a tensor of strings", i)
		}
	}
}

// run builds a node, or evaluates it if everything that it takes is known.
func (x *node) run(op operation) []*value {
	if op.whole {
		return x.apply(op)
	}
	known, weight := true, false
	for _, v := range x.in {
		if v == nil {
			continue
		}
		known = known && v.isKnown()
		weight = weight || v.isWeight()
	}
	if known && !weight {
		if out := x.folded(op); out != nil {
			return out
		}
	}
	out := x.apply(op)
	if known && weight {
		for i, v := range out {
			if v != nil && v.kind == isTensor && v.array == nil && v.lazy == nil {
				v.weight = true
				v.lazy = func() *tensor.Array { return x.folded(op)[i].array }
			}
		}
	}
	return out
}

// apply builds the node. After the builder has refused something, shapes are missing, so that an operation may end in a run-time
// error; so it does where attributes and inputs of a damaged model do not fit together.
func (x *node) apply(op operation) (out []*value) {
	defer func() {
		r := recover()
		if _, ok := r.(runtime.Error); ok {
			x.checkBuilt()
			x.fail("the file is damaged, or its inputs have other shapes", "inputs and attributes do not fit together: %v", r)
		}
		if r != nil {
			panic(r)
		}
	}()
	build := func() { out = op.build(x) }
	if !x.folding && !op.whole {
		name := x.scopeName()
		x.im.places[name] = hlo.Pos{File: x.im.f.name, Line: x.n.Number + 1, Source: name}
		x.b.Scope(name, build)
	} else {
		build()
	}
	x.checkBuilt()
	return out
}

// folded evaluates a node whose inputs are known. It returns nil if that is too large, unless the node depends on weights.
func (x *node) folded(op operation) []*value {
	f := *x
	f.b, f.folding, f.args, f.local = build.New("fold"), true, nil, map[*value]build.Value{}
	out := f.apply(op)
	var results []build.Value
	size := 0
	for _, v := range out {
		if v != nil && v.kind == isTensor && v.array == nil {
			results = append(results, *v.built)
			size += v.typ.Shape.Size()
		}
	}
	if len(results) == 0 {
		return out
	}
	if size > maxFolded || x.im.folds+size > maxFolding {
		return nil
	}
	x.im.folds += size
	f.b.Return(results...)
	p, err := f.b.Program()
	if err != nil {
		f.fail("please report it", "it cannot be evaluated: %w", err)
	}
	for _, o := range p.Main.Body.Ops {
		for _, r := range o.Results {
			if r.Type.Shape.Size() > 4*maxFolded {
				return nil
			}
		}
	}
	arrays, err := eval.Func(context.Background(), p.Main, f.args)
	if err != nil {
		f.fail("", "it cannot be evaluated: %w", err)
	}
	for i, v := range out {
		if v != nil && v.kind == isTensor && v.array == nil {
			out[i] = constant(arrays[0])
			arrays = arrays[1:]
		}
	}
	return out
}

// place names the node for messages.
func (x *node) place() string {
	name := x.n.Name
	if name == "" && len(x.n.Outputs) > 0 {
		name = "of " + x.n.Outputs[0]
	}
	return fmt.Sprintf("%s: node %d %q", x.im.f.name, x.n.Number, name)
}

// stop ends the import with an error about the node.
func (x *node) stop(kind problem.Kind, remedy, format string, args ...any) {
	err := problem.New(kind, x.place(), format, args...).With(remedy)
	err.Operation = x.n.Op
	panic(bail{err})
}

func (x *node) fail(remedy, format string, args ...any) {
	x.stop(problem.Usage, remedy, format, args...)
}

func (x *node) unsupported(remedy, format string, args ...any) {
	x.stop(problem.Unsupported, remedy, format, args...)
}

// checkBuilt ends the import if the builder has refused something.
func (x *node) checkBuilt() {
	err := x.b.Err()
	var e *build.Error
	if errors.As(err, &e) {
		x.fail("the model does not follow ONNX's rules, or its inputs have other shapes", "%s: %s", e.Op, e.Msg)
	}
}

// function returns the function that a node calls, or nil.
func (im *importer) function(n *model.Node) *model.Function {
	return im.functions[[2]string{n.Domain, n.Op}]
}

// call builds the nodes of a function.
func (x *node) call(f *model.Function) []*value {
	x.im.spend(1 + len(f.Inputs) + len(f.Outputs) + len(f.Defaults))
	s := newScope(nil)
	for i, name := range f.Inputs {
		if i < len(x.in) && x.in[i] != nil {
			s.set(name, x.in[i])
		}
	}
	attrs := map[string]*model.Attr{}
	for _, a := range f.Defaults {
		attrs[a.Name] = a
	}
	for _, a := range x.n.Attrs {
		attrs[a.Name] = x.resolved(a)
	}
	x.im.steps(dropMissing(f.Nodes, s), s, f.Opsets, attrs)
	var out []*value
	for _, name := range f.Outputs {
		out = append(out, s.get(name))
	}
	return out
}

// dropMissing returns nodes in which inputs that a function's call leaves out are "".
func dropMissing(nodes []*model.Node, s *scope) []*model.Node {
	made := map[string]bool{}
	for name := range s.values {
		made[name] = true
	}
	out := make([]*model.Node, len(nodes))
	for i, n := range nodes {
		c := *n
		c.Inputs = append([]string(nil), n.Inputs...)
		for j, name := range c.Inputs {
			if !made[name] {
				c.Inputs[j] = ""
			}
		}
		for _, name := range n.Outputs {
			made[name] = true
		}
		out[i] = &c
	}
	return out
}

// scopeName is the name that a node's operations have in plans: the node's, or its operation and number.
func (x *node) scopeName() string {
	name := strings.Trim(x.n.Name, "/")
	clean := strings.Map(func(c rune) rune {
		if c > ' ' && c < 0x7f && c != '"' && c != '\\' {
			return c
		}
		return '_'
	}, name)
	if clean == "" {
		return fmt.Sprintf("%s_%d", identifier(x.n.Op), x.n.Number)
	}
	if len(clean) > 200 {
		clean = clean[:200]
	}
	return clean
}

// place gives operations the positions of the nodes that they were made of: the node's number from 1 on, and its name.
func (im *importer) place(b *hlo.Block) {
	for _, o := range b.Ops {
		if _, rest, ok := strings.Cut(o.Loc, ")/"); ok {
			if at := strings.LastIndex(rest, "/"); at > 0 {
				if pos, ok := im.places[rest[:at]]; ok {
					o.Pos = pos
				}
			}
		}
		for _, r := range o.Regions {
			im.place(r)
		}
	}
}
