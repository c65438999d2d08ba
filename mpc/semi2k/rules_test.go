package semi2k

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// readers are what may read values where a graph is built: of graphs that are done.
var readers = []string{"Reveal", "Additive", "EndPhase"}

// makers make requests, masks and ids.
var makers = []string{"take", "takeVec", "takeStream", "takeBits", "leaf", "open", "openAll", "openBits", "Next", "newMask",
	"NewFresh", "NewFreshBits", "NewOwned", "NewZero", "NewDerived", "NewShuffled", "NewUpper"}

// stepMakers are package flow's functions whose function arguments run when what
// they read is there.
var stepMakers = []string{"Do", "Try", "Later", "Lazy", "Exchange", "Pick"}

// breaches lists where a source file breaks rule 1: reads a value while the graph is
// built, when requests are made, or makes a request in a step, where values are.
func breaches(set *token.FileSet, f *ast.File) []string {
	var out []string
	report := func(n ast.Node, what string) {
		out = append(out, fmt.Sprintf("%v: %s", set.Position(n.Pos()), what))
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		var walk func(n ast.Node, inner, step bool)
		walk = func(n ast.Node, inner, step bool) {
			ast.Inspect(n, func(c ast.Node) bool {
				if c == n {
					return true
				}
				if l, ok := c.(*ast.FuncLit); ok {
					walk(l.Body, true, step)
					return false
				}
				call, ok := c.(*ast.CallExpr)
				if !ok {
					return true
				}
				pack, name := called(call)
				if name == "Get" && len(call.Args) == 0 && !inner && !slices.Contains(readers, fn.Name.Name) && !onlySteps(fn) {
					report(call, "a value is read while the graph is built")
				}
				if step && slices.Contains(makers, name) {
					report(call, name+" is called in a step")
				}
				if pack == "flow" && slices.Contains(stepMakers, name) {
					for _, a := range call.Args {
						if l, ok := a.(*ast.FuncLit); ok {
							walk(l.Body, true, true)
						}
					}
				}
				return true
			})
		}
		if fn.Body != nil {
			walk(fn.Body, false, false)
		}
	}
	return out
}

// onlySteps reports whether a function makes no steps and takes no operation to
// make any for: one that steps call.
func onlySteps(fn *ast.FuncDecl) bool {
	for _, p := range fn.Type.Params.List {
		if star, ok := p.Type.(*ast.StarExpr); ok {
			if s, ok := star.X.(*ast.SelectorExpr); ok && s.Sel.Name == "Op" {
				return false
			}
		}
	}
	makes := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			pack, name := called(c)
			makes = makes || pack == "flow" || slices.Contains(makers, name)
		}
		return true
	})
	return !makes
}

// called is the name of what is called, and its package or receiver if that is one
// word.
func called(c *ast.CallExpr) (pack, name string) {
	f := c.Fun
	if i, ok := f.(*ast.IndexExpr); ok {
		f = i.X
	}
	switch f := f.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			pack = x.Name
		}
		return pack, f.Sel.Name
	}
	return "", ""
}

// sources calls f with each source file of the package, or with what an overlay has
// in its place (see TestMutations).
func sources(t *testing.T, f func(set *token.FileSet, file *ast.File)) {
	t.Helper()
	var overlay struct{ Replace map[string]string }
	if path := os.Getenv(overlayVariable); path != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &overlay); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d source files: %v", len(files), err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		full, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		if other := overlay.Replace[full]; other != "" {
			full = other
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, full, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		f(set, parsed)
	}
}

// TestPublicIsNotOpened (rule 1): requests, masks and their ids are made while a
// graph is built, where no value can be read, and in no step, where values are.
func TestPublicIsNotOpened(t *testing.T) {
	sources(t, func(set *token.FileSet, f *ast.File) {
		for _, b := range breaches(set, f) {
			t.Error(b)
		}
	})
}

// writers are the functions that put vectors into messages: of sums of a share and a
// mask of its own, of owners' masked inputs, of shuffled masked values, and those that reveal.
var writers = []string{"write", "shareOwn", "passed", "Reveal", "RevealTo"}

// TestOnlyOutgoingLeaves (rule 4): rerandomised alone makes shares that may leave
// without a mask, and Reveal and RevealTo send no others.
func TestOnlyOutgoingLeaves(t *testing.T) {
	makes, reveals := 0, 0
	sources(t, func(set *token.FileSet, f *ast.File) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			name := fn.Name.Name
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CompositeLit:
					if id, ok := n.Type.(*ast.Ident); ok && id.Name == "outgoing" {
						makes++
						if name != "rerandomised" {
							t.Errorf("%v: %s makes a share that may leave", set.Position(n.Pos()), name)
						}
					}
				case *ast.CallExpr:
					pack, method := called(n)
					if pack != "w" || method != "Vec" && method != "Bits" {
						return true
					}
					if !slices.Contains(writers, name) {
						t.Errorf("%v: %s puts a vector into a message", set.Position(n.Pos()), name)
					}
					if sel, ok := n.Args[0].(*ast.SelectorExpr); strings.HasPrefix(name, "Reveal") && (!ok || sel.Sel.Name != "share") {
						t.Errorf("%v: a share leaves that is not re-randomised", set.Position(n.Pos()))
					} else if strings.HasPrefix(name, "Reveal") {
						reveals++
					}
				}
				return true
			})
		}
	})
	if makes != 2 || reveals != 2 {
		t.Errorf("%d outgoing shares are made and %d sent", makes, reveals)
	}
}

// TestMultiplesStayExact (rule 5): whole multiples of what is divided by come out
// exact between two parties, however the shares' low bits lie.
func TestMultiplesStayExact(t *testing.T) {
	const n = 1 << 10
	xs := make([]int64, n)
	for i := range xs {
		xs[i] = int64(2 * (i - n/2))
	}
	for _, masked := range []bool{false, true} {
		tr := trial{n: 2, seed: 3, in: []operand{{v: ring.FromInts(ring.Z(64), xs), bound: 20, masked: masked}}}
		tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.TruncateReduce(op, in[0], 1), p.Truncate(op, in[0], 1), p.Truncate(op, p.Unopened(op, in[0]), 1)}
		}
		for j, out := range tr.run(t).out {
			for i, x := range xs {
				if got := out.Int(i).Int64(); got != x/2 {
					t.Fatalf("masked %t, form %d: %d/2 is %d", masked, j, x, got)
				}
			}
		}
	}
}

// TestRoundedOnce (rule 6): what one share is rounded to by an amount is the same
// however often, and in whatever form, it is asked for.
func TestRoundedOnce(t *testing.T) {
	const n = 1 << 10
	for _, parties := range []int{2, 3} {
		tr := trial{n: parties, seed: 4, in: []operand{constantOperand(ring.Z(64), 5<<18+77777, n, 40, false)}}
		tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{
				p.TruncateReduce(op, in[0], 18),
				p.Truncate(op, in[0], 18),
				p.TruncateReduce(op, in[0], 18),
				p.Truncate(op, in[0], 18),
			}
		}
		out := tr.run(t).out
		up := 0
		for i := range n {
			first := out[0].Int(i)
			for j, v := range out {
				if v.Int(i).Cmp(first) != 0 {
					t.Fatalf("n=%d: rounded to %v, and, asked the time %d, to %v", parties, first, j, v.Int(i))
				}
			}
			if first.Cmp(big.NewInt(5)) > 0 {
				up++
			}
		}
		if up < n/8 || up > n/2 {
			t.Errorf("n=%d: %d of %d are rounded up, of 0.297 of a unit", parties, up, n)
		}
	}
}

// panics reports whether f does.
func panics(f func()) (does bool) {
	defer func() { does = recover() != nil }()
	f()
	return false
}

// TestModulusBelongsToShares (rule 7): vectors of different rings do not meet, and
// bits are dropped only where there is room for what is left.
func TestModulusBelongsToShares(t *testing.T) {
	a, b := ring.New(ring.Z(64), 8), ring.New(ring.Z(46), 8)
	for name, f := range map[string]func(){
		"a sum of two rings":         func() { ring.Add(a, a, b) },
		"a drop without room":        func() { ring.TruncateReduce(b, a, 19, 0) },
		"an offset above the ring":   func() { ring.Offset(b, a, 0, false) },
		"a shift onto a narrow ring": func() { ring.AddShifted(b, a, 0, false) },
	} {
		if !panics(f) {
			t.Errorf("%s passes", name)
		}
	}
}

// TestMagnitudesFit (rule 8): a bound is never beyond what the ring holds, what is
// lifted has its slack bit, and a comparison has the bits that its operand needs.
func TestMagnitudesFit(t *testing.T) {
	p := New(t.Context(), Config{Rank: 0, Computing: 2, Source: &requirements{at: map[uint64]int{}}, Inputs: Inputs{}})
	op := flow.NewDryRun(link.Online, &flow.Account{}).Op(7, &flow.Cost{}, "test")
	r := ring.Z(64)
	opened := func(bound int) *share {
		s := p.newShare(r, 1, 0, flow.Resolved(ring.ShapeOnly(r, 1)))
		p.open(op, s)
		s.bound = bound
		return s
	}
	x := p.Linear(op, maps.Combine{N: 1, Coef: []int64{1 << 40}}, opened(50))
	if b := x.Bound(); b != 62 {
		t.Errorf("the bound of 2^40 times a number below 2^50 is 2^%d", b)
	}
	for name, f := range map[string]func(){
		"a lift without a slack bit":       func() { p.asPoly(op, opened(63), ring.Z(82)) },
		"a comparison of too few bits":     func() { p.negativeShares(op, comparison{opened(20), 20}) },
		"a comparison of the whole ring's": func() { p.negativeShares(op, comparison{opened(20), 65}) },
	} {
		if !panics(f) {
			t.Errorf("%s passes", name)
		}
	}
	if panics(func() { p.asPoly(op, opened(62), ring.Z(82)); p.negativeShares(op, comparison{opened(20), 21}) }) {
		t.Error("what fits does not pass")
	}
}

// TestDealerHearsNothing (rule 9): a party that deals is sent nothing online, also of
// what a program discloses.
func TestDealerHearsNothing(t *testing.T) {
	var mu sync.Mutex
	heard := map[int]int{}
	tr := trial{n: 2, inside: true, in: []operand{constantOperand(ring.Z(64), 77, 8, 20, true)}}
	tr.heard = func(to int) {
		mu.Lock()
		heard[to]++
		mu.Unlock()
	}
	tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		x := p.RevealToComputing(op, p.Relu(op, ring.Z(64), in[0]))
		own := p.InputLate(op, 1, ring.Z(64), 8, 62, p.RevealTo(op, in[0], 1))
		return single(p.Linear(op, maps.Combine{N: 8, Coef: []int64{1, 1}}, x, own))
	}
	tr.run(t)
	if heard[0] == 0 || heard[1] == 0 || heard[2] > 0 {
		t.Errorf("messages by receiver: %v", heard)
	}
}

// TestMaximaUseTheirRing (rule 8): differences of numbers that fill a narrow ring up
// to their slack bit have none left, and are chosen from all the same.
func TestMaximaUseTheirRing(t *testing.T) {
	const n, w = 512, 42
	out := ring.Z(64)
	var in []operand
	for i := range byte(4) {
		v := extremes(ring.Z(w), w-2, n, i)
		for j := range n / 4 { // the ends against each other
			e := v.Slice(j, j+1)
			ring.Sub(e, e, e)
			ring.AddPow(e, e, w-2, (j>>i)&1 == 0)
			ring.AddInt(e, e, int64(1-2*((j>>i)&1)))
		}
		in = append(in, operand{v: v, bound: w - 2})
	}
	for _, parties := range []int{2, 3} {
		tr := trial{n: parties, seed: 6, in: in}
		tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			b := p.LessConst(op, in[0], 0)
			var four []*share
			for _, x := range in {
				four = append(four, p.share(x))
			}
			return []mpc.Secret{
				p.Max(op, out, in[0], in[1]), p.Max(op, out, in[0], in[1], in[2]),
				p.Select(op, out, b, in[0], in[1]), p.maxByAllPairs(op, out, four, treeLevel{}),
				p.maxByAllPairs(op, out, four, treeLevel{winners: true, fast: true}),
			}
		}
		got := tr.run(t).out
		for i := range n {
			var x [4]*big.Int
			for j := range x {
				x[j] = in[j].v.Int(i)
			}
			largest := func(xs ...*big.Int) *big.Int {
				return slices.MaxFunc(xs, (*big.Int).Cmp)
			}
			chosen := x[1]
			if x[0].Sign() < 0 {
				chosen = x[0]
			}
			for j, want := range []*big.Int{largest(x[:2]...), largest(x[:3]...), chosen, largest(x[:]...), largest(x[:]...)} {
				if got[j].Int(i).Cmp(want) != 0 {
					t.Fatalf("n=%d, operation %d of %v: %v instead of %v", parties, j, x, got[j].Int(i), want)
				}
			}
		}
	}
}

// TestMaximaOfMany tests the trees of pairs by which maxima of many elements are found, and that few elements, and those of which
// only rounds count, take the fewest rounds.
func TestMaximaOfMany(t *testing.T) {
	const n, w = 1 << 16, 42
	var in []operand
	for i := range byte(5) {
		in = append(in, operand{v: extremes(ring.Z(w), w-2, n, i), bound: w - 2})
	}
	for _, out := range []ring.Ring{ring.Z(w), ring.Z(64)} {
		tr := trial{n: 2, seed: 6, in: in}
		tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			var xs, few, more []*share
			for _, x := range in {
				xs, few = append(xs, p.share(x)), append(few, &share{ring: ring.Z(w), n: n / 64, bound: w - 2})
				more = append(more, &share{ring: ring.Z(w), n: 4 * n, bound: w - 2})
			}
			check := func(what string, xs []*share, groups ...int) {
				var have []int
				for w, tree := len(xs), p.maxTree(op, out, xs); len(tree) > 0; tree = tree[1:] {
					w = (w + tree[0].fan - 1) / tree[0].fan
					have = append(have, w)
				}
				if !slices.Equal(have, groups) {
					t.Errorf("%s: levels of %v groups, want %v", what, have, groups)
				}
			}
			check("three of many", more[:3], 2, 1)
			check("three of few", few[:3], 1)
			op.Objective = flow.ForRounds
			check("least rounds", more[:3], 1)
			op.Objective = flow.ForTotal
			check("three", xs[:3], 2, 1)
			check("five", xs, 3, 2, 1)
			return []mpc.Secret{p.Max(op, out, in[0], in[1], in[2]), p.Max(op, out, in...)}
		}
		got := tr.run(t).out
		number := func(v ring.Vec, i int) int64 { return int64(v.Words()[i]<<(64-v.Ring().Bits)) >> (64 - v.Ring().Bits) }
		for i := range n {
			want := number(in[0].v, i)
			for j := 1; j < len(in); j++ {
				want = max(want, number(in[j].v, i))
				if k := j - 2; (k == 0 || k == 2) && number(got[k/2], i) != want {
					t.Fatalf("%v: the maximum of %d numbers at %d is %v instead of %v", out, j+1, i, number(got[k/2], i), want)
				}
			}
		}
	}
}
