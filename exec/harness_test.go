package exec_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// program is a small program. Its main function has arguments %a, %b, … of the types args, separated by
// spaces, and results of the types outs. It applies the operation op, in generic form, to all arguments, or
// consists of body, which ends with a return.
type program struct {
	name              string
	file              string // of a whole program, instead
	op, attrs, region string
	body              string
	args, outs        string

	data   []*tensor.Array   // the arguments; nil: drawn
	lo, hi float64           // the range of drawn floats; both 0: −2 to 2
	least  int64             // the range of drawn integers; least = most: all bits
	most   int64             // inclusive
	units  float64           // allowed error in units of the last place, of results of magnitude 1 or less; 0: 2
	rings  []setting         // nil: usual[:1]
	set    map[string]string // settings as in a job file
	ranges []pattern.Interval
	facts  bool // only with the program's facts: of small numbers
	alone  bool // no argument is secret from the start, as shares of complex numbers are not
}

// setting is the ring of floats and their fraction bits.
type setting struct{ bits, fraction int }

var (
	usual  = []setting{{64, 18}, {128, 26}, {32, 8}}
	middle = usual[:1]
	large  = usual[:2]
)

// Visibilities of arguments beside ranks: kept is a stored share, hence secret from the start.
const kept = -3

var visibilities = []int{kept, 0, 1, exec.Public}

// tensors writes the types of a list of shapes with element types.
func tensors(list string) []string {
	var out []string
	for _, t := range strings.Fields(list) {
		out = append(out, "tensor<"+t+">")
	}
	return out
}

func (p program) text() string {
	args, outs := tensors(p.args), tensors(p.outs)
	var params, names []string
	for i, t := range args {
		names = append(names, fmt.Sprintf("%%%c", 'a'+i))
		params = append(params, names[i]+": "+t)
	}
	body := p.body
	if body == "" {
		result, returned := "%0", []string{"%0"}
		if len(outs) > 1 {
			result, returned = fmt.Sprintf("%%0:%d", len(outs)), nil
			for i := range outs {
				returned = append(returned, fmt.Sprintf("%%0#%d", i))
			}
		}
		attrs, region := "", ""
		if p.attrs != "" {
			attrs = " <{" + p.attrs + "}>"
		}
		if p.region != "" {
			region = " ({\n" + p.region + "\n})"
		}
		body = fmt.Sprintf("%s = \"%s\"(%s)%s%s : (%s) -> (%s)\nreturn %s : %s", result, p.op, strings.Join(names, ", "), attrs, region,
			strings.Join(args, ", "), strings.Join(outs, ", "), strings.Join(returned, ", "), strings.Join(outs, ", "))
	}
	return fmt.Sprintf(
		"module @m {\nfunc.func public @main(%s) -> (%s) {\n%s\n}\n}\n",
		strings.Join(params, ", "),
		strings.Join(outs, ", "),
		body,
	)
}

func (p program) title() string {
	if p.name != "" {
		return p.name
	}
	return p.op + " " + p.args
}

func parse(t testing.TB, p program) *hlo.Program {
	t.Helper()
	prog, err := (*hlo.Program)(nil), error(nil)
	if p.file != "" {
		prog, err = hlo.ReadFile(p.file)
	} else {
		prog, err = hlo.Parse("test.mlir", []byte(p.text()))
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, p.text())
	}
	return prog
}

// drawn fills an array: floats are multiples of 1/64, which all settings but the least hold exactly.
func (p program) drawn(r *rand.Rand, t tensor.Type) *tensor.Array {
	n := t.Shape.Size()
	if t.DType.IsComplex() {
		out := tensor.NewArray(t)
		part := func() float64 { return float64(r.IntN(257)-128) / 64 }
		for i := range n {
			switch z := out.Data.(type) {
			case []complex64:
				z[i] = complex64(complex(part(), part()))
			case []complex128:
				z[i] = complex(part(), part())
			}
		}
		return out
	}
	if t.DType.IsFloat() {
		lo, hi := p.lo, p.hi
		if lo == hi {
			lo, hi = -2, 2
		}
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Round((lo+(hi-lo)*r.Float64())*64) / 64
		}
		return tensor.FromFloats(t.DType, t.Shape, v)
	}
	w := make([]uint64, n)
	for i := range w {
		if w[i] = r.Uint64(); p.least != p.most {
			w[i] = uint64(p.least + r.Int64N(p.most-p.least+1))
		} else if r.IntN(3) == 0 { // ends of the type, 0 and ±1
			top := uint64(1) << (t.DType.Bits() - 1)
			w[i] = []uint64{0, 1, ^uint64(0), top, top - 1}[r.IntN(5)]
		}
	}
	return tensor.FromWords(t.DType, t.Shape, w)
}

// noLink is the link of a party that has no peers.
type noLink struct{}

func (noLink) Rank() int                                            { return 0 }
func (noLink) Size() int                                            { return 1 }
func (noLink) Send(int, link.Key, int32, []byte)                    { panic("a message in the clear") }
func (noLink) Await(int, link.Key, func(m link.Message, err error)) { panic("a message in the clear") }

// walked is the result of a program that has been walked as parties do: in a dry run by a party that has no
// data, in a dry run by a party that has it, and then for its results.
type walked struct {
	results []exec.Result
	arrays  []*tensor.Array // results in cleartext
	kept    []*tensor.Array // of the results that are kept, else nil
	costs   *exec.Costs
	notes   []string
}

// walk runs a program on the protocol plain. owners are the arguments' visibilities. edit, if not nil, changes
// the configuration of every walk; dry tells the last one from the others.
func walk(
	p *hlo.Program,
	s setting,
	set map[string]string,
	owners []int,
	data []*tensor.Array,
	edit func(c *exec.Config, dry bool),
) (*walked, error) {
	options, err := fxp.ParseOptions(set)
	if err != nil {
		return nil, err
	}
	out := &walked{}
	ctx, memo := context.Background(), &exec.Memo{}
	facts := exec.Analyse(p)
	ops := [3]int{}
	for i, dry := range []bool{true, true, false} {
		g := flow.NewDryRun(link.Online, &flow.Account{})
		if !dry {
			g = flow.New(ctx, link.Online, noLink{}, &flow.Account{})
		}
		note := func(where, what string) {
			if !dry {
				out.notes = append(out.notes, where+": "+what)
			}
		}
		arith := &fxp.Arith{P: plain.Party{Note: note}, Ring: ring.Z(s.bits), Fraction: s.fraction, Options: options, Note: note}
		c := exec.Config{
			Program: p, Arith: arith, Graph: g, Costs: exec.NewCosts(p), Evaluates: func(int) bool { return i > 0 },
			Facts: facts, Step: func(done, _ int) { ops[i] = done },
		}
		if i > 0 {
			c.Memo = memo
		}
		for j, a := range data {
			arg := exec.Arg{Who: owners[j], Data: a}
			if i == 0 && owners[j] >= 0 {
				arg.Data = nil
			}
			if owners[j] == kept {
				arg = exec.Arg{Who: exec.Secret, Held: stored(arith, a)}
			}
			c.Args = append(c.Args, arg)
		}
		if edit != nil {
			edit(&c, dry)
		}
		if out.results, err = exec.Walk(ctx, c); err != nil {
			return nil, err
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		out.costs = c.Costs
	}
	if ops[0] != ops[2] || ops[1] != ops[2] {
		return nil, fmt.Errorf("the dry runs took %d and %d operation instances, the run %d", ops[0], ops[1], ops[2])
	}
	for _, r := range out.results {
		a := r.Data
		if r.Owner == exec.Secret {
			a = cleartext(r.Secret, r.Type)
		}
		out.arrays = append(out.arrays, a)
		var k *tensor.Array
		if r.Kept != nil {
			k = cleartext(r.Kept, r.Type)
		}
		out.kept = append(out.kept, k)
	}
	return out, nil
}

func stored(a *fxp.Arith, x *tensor.Array) *fxp.StoredShare {
	scale := 0
	if x.DType.IsFloat() {
		scale = a.Fraction
	}
	r := a.RingOf(x.DType)
	return &fxp.StoredShare{Vec: fxp.Encode(x, r, scale), Scale: scale, Bound: r.Bits - 2}
}

func cleartext(v *fxp.Value, t tensor.Type) *tensor.Array {
	return fxp.Decode(v.S.(mpc.Clear).Clear().Get(), t, v.Scale)
}

// mixes lists visibilities of n arguments: all combinations of up to three; of more, rotations and those with
// one argument that differs from secret others.
func mixes(n int) [][]int {
	var out [][]int
	if n <= 3 {
		count := 1
		for range n {
			count *= len(visibilities)
		}
		for i := range count {
			owners := make([]int, n)
			for j := range owners {
				owners[j], i = visibilities[i%len(visibilities)], i/len(visibilities)
			}
			out = append(out, owners)
		}
		return out
	}
	for shift := range visibilities {
		owners := make([]int, n)
		for j := range owners {
			owners[j] = visibilities[(j+shift)%len(visibilities)]
		}
		out = append(out, owners)
	}
	for j := -1; j < n; j++ {
		for _, v := range visibilities[1:] {
			owners := make([]int, n)
			for k := range owners {
				if owners[k] = kept; k == j {
					owners[k] = v
				}
			}
			if out = append(out, owners); j < 0 {
				break
			}
		}
	}
	return out
}

// agree runs programs for all visibilities of their arguments and compares the results with package eval's.
// What no secret reached must be equal.
func agree(t *testing.T, programs ...program) {
	t.Helper()
	for _, p := range programs {
		t.Run(p.title(), func(t *testing.T) {
			t.Parallel()
			p.agrees(t)
		})
	}
}

// arguments returns the program's data, or draws it.
func (p program) arguments(prog *hlo.Program) []*tensor.Array {
	if p.data != nil {
		return p.data
	}
	h := fnv.New64()
	h.Write([]byte(p.file + p.text()))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	var data []*tensor.Array
	for _, v := range prog.Main.Body.Params {
		data = append(data, p.drawn(r, v.Type))
	}
	return data
}

func (p program) agrees(t *testing.T) {
	t.Helper()
	prog := parse(t, p)
	rings := p.rings
	if rings == nil {
		rings = middle
	}
	data := p.arguments(prog)
	want := p.wanted(t, prog, data)
	for _, s := range rings {
		for _, owners := range mixes(len(data)) {
			if !p.alone || !slices.Contains(owners, kept) {
				p.compare(t, prog, s, owners, data, want)
			}
		}
	}
}

// wanted evaluates the program in the clear.
func (p program) wanted(t *testing.T, prog *hlo.Program, data []*tensor.Array) []*tensor.Array {
	t.Helper()
	want, err := eval.Func(context.Background(), prog.Main, data)
	if err != nil {
		t.Fatalf("eval: %v\n%s", err, p.text())
	}
	return want
}

// compare runs a program for some visibilities, and once without facts where all arguments are secret.
func (p program) compare(t *testing.T, prog *hlo.Program, s setting, owners []int, data, want []*tensor.Array) {
	t.Helper()
	with := []bool{true}
	if !p.facts && !slices.ContainsFunc(owners, func(o int) bool { return o != kept }) {
		with = []bool{true, false}
	}
	for _, facts := range with {
		got, err := walk(prog, s, p.set, owners, data, func(c *exec.Config, _ bool) {
			if !facts {
				c.Facts = nil
			} else if p.ranges != nil {
				c.Facts = exec.Analyse(prog, p.ranges...)
			}
		})
		if err != nil {
			t.Fatalf("%+v, owners %v: %v\n%s", s, owners, err, p.text())
		}
		for j, w := range want {
			if err := p.near(s, got.results[j], got.arrays[j], w); err != nil {
				t.Fatalf("%+v, owners %v, facts %v: result %d: %v\n%s\narguments %v", s, owners, facts, j, err, p.text(), contents(data))
			}
		}
	}
}

func contents(list []*tensor.Array) []any {
	var out []any
	for _, a := range list {
		out = append(out, a.Data)
	}
	return out
}

// near returns an error if a result is not what was wanted.
func (p program) near(s setting, r exec.Result, got, want *tensor.Array) error {
	if !got.Type.Equal(want.Type) {
		return fmt.Errorf("has type %v, want %v", got.Type, want.Type)
	}
	if r.Owner != exec.Secret || !want.DType.IsFloat() && !want.DType.IsComplex() {
		if !want.DType.IsFloat() && !want.DType.IsComplex() {
			if g, w := fmt.Sprint(got.Data), fmt.Sprint(want.Data); g != w {
				return fmt.Errorf("is %s, want %s", g, w)
			}
			return nil
		}
		for part, w := range parts(want) {
			g := parts(got)[part]
			for i := range w {
				if g[i] != w[i] && !(math.IsNaN(g[i]) && math.IsNaN(w[i])) {
					return fmt.Errorf("element %d is %v, want %v", i, g[i], w[i])
				}
			}
		}
		return nil
	}
	units := p.units
	if units == 0 {
		units = 2
	}
	for part, w := range parts(want) {
		g := parts(got)[part]
		for i := range w {
			if limit := units * math.Ldexp(math.Max(1, math.Abs(w[i])), -s.fraction); !(math.Abs(g[i]-w[i]) <= limit) {
				return fmt.Errorf("element %d is %v, want %v within %v", i, g[i], w[i], limit)
			}
		}
	}
	return nil
}

// parts returns the real numbers of an array.
func parts(a *tensor.Array) [][]float64 {
	if a.DType.IsComplex() {
		re, im := a.Parts()
		return [][]float64{re.Floats(), im.Floats()}
	}
	return [][]float64{a.Floats()}
}

// refused checks that a program of secrets is refused at the operation, as unsupported, with a message that
// contains want.
func refused(t *testing.T, p program, op, want string, owners ...int) {
	t.Helper()
	prog := parse(t, p)
	var data []*tensor.Array
	r := rand.New(rand.NewPCG(1, 1))
	for i, v := range prog.Main.Body.Params {
		data = append(data, p.drawn(r, v.Type))
		if i >= len(owners) {
			owners = append(owners, kept)
		}
	}
	_, err := walk(prog, middle[0], p.set, owners, data, nil)
	var e *hlo.Error
	if !errors.As(err, &e) {
		t.Errorf("%s: the error is %v, want a refusal of %s", p.title(), err, op)
		return
	}
	if e.Op != op || e.Pos.File != "test.mlir" || e.Pos.Line < 3 || !strings.Contains(err.Error(), want) {
		t.Errorf("%s: refused with %v, want %s and %q", p.title(), err, op, want)
	}
}

// combiner is a region that applies an operation to two scalars.
func combiner(op, elem string) string {
	return fmt.Sprintf(
		"^bb0(%%x: tensor<%[2]s>, %%y: tensor<%[2]s>):\n%%z = %[1]s %%x, %%y : tensor<%[2]s>\nstablehlo.return %%z : tensor<%[2]s>",
		op,
		elem,
	)
}

// elementOf is the element type of a shape with one.
func elementOf(t string) string {
	if at := strings.Index(t, "complex"); at >= 0 {
		return t[at:]
	}
	return t[strings.LastIndex(t, "x")+1:]
}

func floats(d tensor.DType, shape tensor.Shape, v ...float64) *tensor.Array {
	return tensor.FromFloats(d, shape, v)
}

func integers(d tensor.DType, shape tensor.Shape, v ...int64) *tensor.Array {
	w := make([]uint64, len(v))
	for i, x := range v {
		w[i] = uint64(x)
	}
	return tensor.FromWords(d, shape, w)
}

type shape = tensor.Shape

const f32 = tensor.F32

func arrays(a ...*tensor.Array) []*tensor.Array { return a }

// mustParse parses a program of a property test, which draws it.
func mustParse(p program) *hlo.Program {
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		panic(err)
	}
	return prog
}

const (
	boolean = tensor.Bool
	i32     = tensor.I32
)

func futureOf(v *fxp.Value) flow.Dep { return v.S.(mpc.Clear).Clear() }
