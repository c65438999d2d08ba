package onnx

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// Versions of the default operator set that are taken.
const (
	oldestOpset = 7
	newestOpset = 28
)

// Options determine what the file leaves open, and what of it is imported. The zero Options are those of a file with
// static shapes.
type Options struct {
	Shapes map[string][]int         // shapes of inputs by name; a shape of the file must agree
	Dims   map[string]int           // sizes of named dimensions
	Values map[string]*tensor.Array // inputs that are constants of the program and no arguments
	// Numbers are such inputs by their elements as texts in row-major order, separated by commas, or one text for all elements, such as
	// "16000" or "true".
	Numbers map[string]string
	// Outputs, if not empty, are names of values of the graph that the program returns instead of the graph's outputs,
	// such as the features before a last layer. Nodes and weights that they do not need are left out.
	Outputs []string
}

// Imported is a model that was converted to a program.
type Imported struct {
	// Program has the graph's inputs as its first arguments and the weights as the others.
	Program *hlo.Program
	Inputs  []Input  // the graph's inputs that are arguments, in the graph's order
	Weights []Weight // in the order of the arguments
	Outputs []Output // the program's results
	Notes   []string // what differs from the model, in sentences
}

// Input is an input of the graph that is an argument of the program.
type Input struct {
	Name string
	Type tensor.Type
}

// Output is a result of the program.
type Output struct {
	Name string
	Type tensor.Type
}

// Import converts the model to a program. Errors are *problem.Error: of kind Unsupported if Tacet lacks an operation or
// type of the model, else of kind Usage.
func (f *File) Import(o Options) (m *Imported, err error) {
	im := &importer{
		f: f, o: o, m: &Imported{}, opsets: f.Model.Opsets,
		taken: map[string]int{}, weightNames: map[string]int{}, places: map[string]hlo.Pos{},
		initial: map[*model.Tensor]*value{}, functions: map[[2]string]*model.Function{},
	}
	for _, x := range f.Model.Functions {
		if at := [2]string{x.Domain, x.Name}; im.functions[at] == nil {
			im.functions[at] = x
		}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bail:
			m, err = nil, r.err
		default:
			panic(r)
		}
	}()
	im.model()
	return im.m, nil
}

// bail is the panic that ends an import.
type bail struct{ err *problem.Error }

// importer imports one model.
type importer struct {
	f           *File
	o           Options
	m           *Imported
	places      map[string]hlo.Pos // by the name of a node's operations in plans
	b           *build.Builder
	opsets      map[string]int64
	taken       map[string]int // by the name of an argument: the last number that was appended to it for another name
	weightNames map[string]int // the same of weights
	initial     map[*model.Tensor]*value
	functions   map[[2]string]*model.Function // by domain and name
	depth       int                           // of graphs and functions within each other
	nodes       int                           // that have been built
	folds       int                           // elements that have been folded
	entries     int                           // of the graphs and functions within the model, as often as they are built
}

// fail ends the import with an error about the whole model.
func (im *importer) fail(kind problem.Kind, remedy, format string, args ...any) {
	panic(bail{problem.New(kind, im.f.name, format, args...).With(remedy)})
}

func (im *importer) model() {
	if v := im.opsets[""]; v != 0 && (v < oldestOpset || v > newestOpset) {
		im.fail(problem.Unsupported, fmt.Sprintf("export the model with an operator set from %d to %d", oldestOpset, newestOpset),
			"the model has version %d of the operator set", v)
	}
	g := im.f.Model.Graph
	if g.Sparse > 0 {
		im.fail(problem.Unsupported, "export dense weights", "the model has sparse initialisers")
	}
	if len(im.o.Outputs) > 0 {
		g = im.upTo(g, im.o.Outputs)
	}
	im.b = build.New(programName(g.Name))
	s := newScope(nil)
	held := map[string]bool{}
	for _, t := range g.Initializers {
		held[t.Name] = true
	}
	im.checkOptions(g, held)
	for _, in := range g.Inputs {
		if !held[in.Name] {
			s.set(in.Name, im.input(in))
		}
	}
	im.graph(g, s)
	im.results(g, s)
}

// upTo returns the part of a graph that computes the given values.
func (im *importer) upTo(g *model.Graph, outputs []string) *model.Graph {
	part := *g
	part.Nodes, part.Outputs = nil, nil
	needed, computed := map[string]bool{}, map[string]bool{}
	for _, name := range outputs {
		needed[name] = true
		part.Outputs = append(part.Outputs, &model.Value{Name: name})
	}
	for _, n := range slices.Backward(g.Nodes) {
		if slices.ContainsFunc(n.Outputs, func(name string) bool { return needed[name] }) {
			part.Nodes = append(part.Nodes, n)
			need(n, needed)
		}
		for _, name := range n.Outputs {
			computed[name] = true
		}
	}
	slices.Reverse(part.Nodes)
	for _, name := range outputs {
		if !computed[name] || name == "" {
			last := g.Nodes[max(0, len(g.Nodes)-12):]
			var known []string
			for _, n := range last {
				known = append(known, n.Outputs...)
			}
			im.fail(problem.Usage, "the last nodes compute "+strings.Join(known, ", "), "output %q: no node of the graph computes it", name)
		}
	}
	return &part
}

// need adds the names that a node reads, and those in its graphs.
func need(n *model.Node, names map[string]bool) {
	for _, name := range n.Inputs {
		names[name] = true
	}
	for _, a := range n.Attrs {
		if a.Graph == nil {
			continue
		}
		for _, in := range a.Graph.Nodes {
			need(in, names)
		}
		for _, o := range a.Graph.Outputs {
			names[o.Name] = true
		}
	}
}

// programName is a module's name: letters, digits and "_".
func programName(name string) string {
	name = identifier(name)
	if len(name) > 64 {
		name = name[:64]
	}
	return name
}

// identifier is a name with other characters replaced by "_".
func identifier(name string) string {
	name = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' {
			return c
		}
		return '_'
	}, name)
	if name == "" || name[0] >= '0' && name[0] <= '9' || name[0] == '.' {
		name = "m" + name
	}
	return name
}

// checkOptions refuses names that the graph does not have.
func (im *importer) checkOptions(g *model.Graph, held map[string]bool) {
	var names, dims []string
	for _, in := range g.Inputs {
		if !held[in.Name] {
			names = append(names, in.Name)
			for _, d := range in.Type.Dims {
				dims = append(dims, d.Param)
			}
		}
	}
	for name := range im.o.Shapes {
		if !slices.Contains(names, name) {
			im.fail(problem.Usage, "inputs: "+strings.Join(names, ", "), "shape of %q: the model has no such input", name)
		}
	}
	for _, name := range slices.Concat(slices.Sorted(maps.Keys(im.o.Values)), slices.Sorted(maps.Keys(im.o.Numbers))) {
		if !slices.Contains(names, name) {
			im.fail(problem.Usage, "inputs: "+strings.Join(names, ", "), "value of %q: the model has no such input", name)
		}
	}
	for name := range im.o.Dims {
		if !slices.Contains(dims, name) || name == "" {
			im.fail(problem.Usage, "give the shape of an input", "size of %q: no input has a dimension of that name", name)
		}
	}
}

// input makes an argument of an input of the graph.
func (im *importer) input(in *model.Value) *value {
	if in.Type.Kind != model.TensorKind {
		im.fail(problem.Unsupported, "inputs are dense tensors", "input %q is no tensor", in.Name)
	}
	d, err := model.DType(in.Type.Elem)
	if err != nil {
		im.fail(problem.Unsupported, "export the model with inputs of numbers", "input %q: %w", in.Name, err)
	}
	t := tensor.Type{DType: d, Shape: im.shape(in)}
	if a := im.o.Values[in.Name]; a != nil {
		if !a.Type.Equal(t) {
			im.fail(problem.Usage, "give an array of the input's type", "input %q has type %v, and its value %v", in.Name, t, a.Type)
		}
		return constant(a)
	}
	if text, ok := im.o.Numbers[in.Name]; ok {
		a, err := parseNumbers(text, t)
		if err != nil {
			im.fail(problem.Usage, "give its elements in row-major order, separated by commas, or one for all", "value of input %q: %w", in.Name, err)
		}
		return constant(a)
	}
	im.m.Inputs = append(im.m.Inputs, Input{in.Name, t})
	v := im.b.Arg(im.argument(in.Name), d, t.Shape...)
	im.check()
	return computed(v)
}

// shape is the shape of an input, by the file and the options.
func (im *importer) shape(in *model.Value) tensor.Shape {
	given, ok := im.o.Shapes[in.Name]
	if !in.Type.Ranked && !ok {
		im.fail(problem.Usage, fmt.Sprintf("give it, such as --shape %s=1x3", in.Name), "input %q: the file does not say its shape", in.Name)
	}
	if ok && in.Type.Ranked && len(given) != len(in.Type.Dims) {
		im.fail(problem.Usage, "give as many dimensions", "input %q has %d dimensions, and the given shape %d", in.Name, len(in.Type.Dims), len(given))
	}
	out := tensor.Shape{}
	for i := range max(len(given), len(in.Type.Dims)) {
		size, name := -1, ""
		if in.Type.Ranked {
			d := in.Type.Dims[i]
			name = d.Param
			if d.Size >= 0 && d.Param == "" && d.Size <= 1<<31-1 {
				size = int(d.Size)
			}
		}
		if n, known := im.o.Dims[name]; known && name != "" {
			size = n
		}
		if ok {
			if size >= 0 && size != given[i] {
				im.fail(problem.Usage, "give a shape that agrees with the file", "input %q: dimension %d is %d in the file and %d in the given shape",
					in.Name, i, size, given[i])
			}
			size = given[i]
		}
		if size < 0 {
			what := "unknown"
			if name != "" {
				what = fmt.Sprintf("called %q", name)
			}
			im.fail(problem.Usage, fmt.Sprintf("give the input's shape, such as --shape %s=%s", in.Name, example(in.Type.Dims)),
				"input %q: the size of dimension %d is %s", in.Name, i, what)
		}
		out = append(out, size)
	}
	if err := hlo.CheckType(tensor.Type{DType: tensor.F32, Shape: out}); err != nil {
		im.fail(problem.Usage, "give a smaller shape", "input %q: %w", in.Name, err)
	}
	return out
}

// example is a shape with numbers for the dimensions that the file leaves open.
func example(dims []model.Dim) string {
	var parts []string
	for _, d := range dims {
		if d.Size < 0 {
			d.Size = 8
		}
		parts = append(parts, fmt.Sprint(d.Size))
	}
	return strings.Join(parts, "x")
}

// argument is a free name of an argument.
func (im *importer) argument(name string) string {
	return freeName(im.taken, identifier(name))
}

// freeName returns a name that is not in taken, base or base with a number, and adds it.
func freeName(taken map[string]int, base string) string {
	out, last := base, taken[base]
	for taken[out] != 0 {
		last++
		out = fmt.Sprintf("%s_%d", base, last)
	}
	taken[base] = max(last, 1) // the numbers up to last are taken: the next name does not try them again
	if out != base {
		taken[out] = 1
	}
	return out
}

// check ends the import if the builder has refused something outside of a node.
func (im *importer) check() {
	if err := im.b.Err(); err != nil {
		im.fail(problem.Usage, "see docs/onnx.md", "%w", err)
	}
}

// results makes the graph's outputs the program's results.
func (im *importer) results(g *model.Graph, s *scope) {
	var out []build.Value
	for _, o := range g.Outputs {
		v := s.get(o.Name)
		if v == nil {
			im.fail(problem.Usage, "the file is damaged", "output %q: no node computes it", o.Name)
		}
		if v.kind != isTensor {
			im.fail(problem.Unsupported, "return its tensors", "output %q is a sequence or an optional value", o.Name)
		}
		r := im.materialise(v)
		im.check()
		out = append(out, r)
		im.m.Outputs = append(im.m.Outputs, Output{o.Name, r.Type()})
	}
	im.b.Return(out...)
	p, err := im.b.Program()
	if err != nil {
		im.fail(problem.Usage, "please report it", "the program is not valid: %w", err)
	}
	p.File = im.f.name
	im.place(p.Main.Body)
	im.m.Program = p
}
