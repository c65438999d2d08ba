package party_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// randomSetting is who runs a random program.
type randomSetting struct {
	protocol string
	parties  int
	ring     int
}

func (s randomSetting) String() string { return fmt.Sprintf("%s/%d/%d", s.protocol, s.parties, s.ring) }

func (s randomSetting) fraction() int { return map[int]int{32: 8, 64: 18, 128: 26}[s.ring] }

func allRandomSettings() (out []randomSetting) {
	for _, p := range []randomSetting{{"semi2k", 2, 0}, {"semi2k", 3, 0}, {"semi2k", 5, 0}, {"aby3", 3, 0}, {"plain", 2, 0}} {
		for _, ring := range []int{32, 64, 128} {
			out = append(out, randomSetting{p.protocol, p.parties, ring})
		}
	}
	return out
}

// randomCase is a random program, its setting and its inputs.
type randomCase struct {
	seed    uint64
	setting randomSetting
	*exprProgram
}

// newRandomCase is the case of a seed. No magnitude is above 2^most if most > 0.
func newRandomCase(seed uint64, settings []randomSetting, most int) *randomCase {
	r := rand.New(rand.NewPCG(seed, 17))
	s := settings[r.IntN(len(settings))]
	return &randomCase{seed, s, randomExpr(r, limitsOf(s.ring, s.fraction(), most), s.parties)}
}

// wrong is how a run's results are not as they have to be.
type wrong struct {
	err       error // the run's, nil where a number is wrong
	result    int   // place in results
	element   int
	got, want float64
	tolerance float64
}

func (w *wrong) String() string {
	if w.err != nil {
		return w.err.Error()
	}
	return fmt.Sprintf("result %d, element %d is %.17g, not %.17g (off by %.3g, tolerance %.3g)",
		w.result, w.element, w.got, w.want, math.Abs(w.got-w.want), w.tolerance)
}

// arguments are the program's inputs.
func (c *randomCase) arguments() (args []party.Arg) {
	for _, i := range c.inputs() {
		e := c.exprs[i]
		a := party.Arg{Owner: e.owner, Data: tensor.FromFloats(tensor.F64, e.shape, slices.Clone(e.data))}
		if e.ranged && e.owner != party.Public {
			a.Range = &pattern.Interval{Lo: slices.Min(e.data), Hi: slices.Max(e.data)}
		}
		args = append(args, a)
	}
	return args
}

// run runs the case; nil says that its results are right.
func (c *randomCase) run() *wrong {
	prog, err := hlo.Parse("random.mlir", []byte(c.text()))
	if err != nil {
		return &wrong{err: err}
	}
	seed := make([]byte, 32)
	for i := range 8 {
		seed[i] = byte(c.seed >> (8 * i))
	}
	s := party.Spec{Program: prog, Protocol: c.setting.protocol, Ring: c.setting.ring, Fraction: c.setting.fraction(),
		Computing: c.setting.parties, Args: c.arguments(), Reveal: []int{0}, Network: "none", Seed: seed}
	for i := range c.setting.parties {
		s.Parties = append(s.Parties, fmt.Sprint("p", i))
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), time.Minute, errors.New("no end within a minute"))
	defer cancel()
	out, err := party.Run(ctx, s)
	if err != nil {
		return &wrong{err: err}
	}
	for i, at := range c.results {
		e := c.exprs[at]
		for j, got := range out.Results[i].Floats() {
			if !(math.Abs(got-e.val[j]) <= e.err[j]) {
				return &wrong{nil, i, j, got, e.val[j], e.err[j]}
			}
		}
	}
	return nil
}

// clone is a deep copy.
func (c *randomCase) clone() *randomCase {
	out, p := *c, *c.exprProgram
	p.exprs, p.results = nil, slices.Clone(c.results)
	for _, e := range c.exprs {
		x := *e
		x.args, x.data = slices.Clone(e.args), slices.Clone(e.data)
		p.exprs = append(p.exprs, &x)
	}
	out.exprProgram = &p
	return &out
}

// tidy drops what no result needs, and evaluates what is left.
func (c *randomCase) tidy() error {
	needed := make([]bool, len(c.exprs))
	for _, r := range c.results {
		needed[r] = true
	}
	for i, e := range slices.Backward(c.exprs) {
		if needed[i] {
			for _, k := range e.args {
				needed[k] = true
			}
		}
	}
	place := make([]int, len(c.exprs))
	var kept []*expr
	for i, e := range c.exprs {
		if place[i] = len(kept); needed[i] {
			kept = append(kept, e)
		}
	}
	for _, e := range kept {
		for j, k := range e.args {
			e.args[j] = place[k]
		}
	}
	for j, r := range c.results {
		c.results[j] = place[r]
	}
	c.exprs = kept
	return c.evalAll()
}

// shrinker makes a failing case smaller while it fails.
type shrinker struct {
	*randomCase
	w    *wrong
	runs int // that may still be made
}

// shrunk is a small case that fails, and how.
func (c *randomCase) shrunk(w *wrong) (*randomCase, *wrong) {
	s := &shrinker{c.clone(), w, 400}
	for s.round() && s.runs > 0 {
	}
	return s.randomCase, s.w
}

// take makes a change if the case then still fails.
func (s *shrinker) take(change func(c *randomCase) bool) bool {
	if s.runs <= 0 {
		return false
	}
	c := s.clone()
	if !change(c) || c.tidy() != nil {
		return false
	}
	s.runs--
	w := c.run()
	if w == nil || (w.err == nil) != (s.w.err == nil) {
		return false
	}
	s.randomCase, s.w = c, w
	return true
}

// round tries every change once, the ones that drop most first.
func (s *shrinker) round() bool {
	changed := false
	for k := len(s.results) - 1; k >= 0 && len(s.results) > 1; k-- {
		if k < len(s.results) {
			changed = s.take(func(c *randomCase) bool { c.results = slices.Delete(c.results, k, k+1); return true }) || changed
		}
	}
	for i := 0; i < len(s.exprs); i++ {
		if s.exprs[i].leaf() {
			continue
		}
		changed = s.take(func(c *randomCase) bool { // it is the result
			if slices.Contains(c.results, i) || c.exprs[i].logic() {
				return false
			}
			c.results = []int{i}
			return true
		}) || changed
	}
	for i := len(s.exprs) - 1; i >= 0; i-- {
		if i < len(s.exprs) && !s.exprs[i].leaf() && !slices.Contains(s.results, i) {
			changed = s.take(func(c *randomCase) bool { return c.cut(i) }) || changed
		}
	}
	for i := len(s.exprs) - 1; i >= 0; i-- {
		for j := 0; i < len(s.exprs) && j < len(s.exprs[i].args); j++ {
			changed = s.take(func(c *randomCase) bool { return c.skip(i, j) }) || changed
		}
	}
	if s.w.err == nil {
		changed = s.take(func(c *randomCase) bool { return c.only(s.w.element) }) || changed
	}
	changed = s.take(func(c *randomCase) bool { return c.fewer() }) || changed
	for i := range s.exprs {
		changed = s.take(func(c *randomCase) bool {
			was := c.exprs[i].ranged
			c.exprs[i].ranged = false
			return was
		}) || changed
	}
	return s.simplify() || changed
}

// cut has an input in an operation's place.
func (c *randomCase) cut(i int) bool {
	e := c.exprs[i]
	if e.logic() {
		c.exprs[i] = &expr{op: "mask", shape: e.out, data: e.val}
	} else {
		c.exprs[i] = &expr{op: "input", shape: e.out, data: e.val}
	}
	return true
}

// skip has an operand in an operation's place.
func (c *randomCase) skip(i, j int) bool {
	e := c.exprs[i]
	x := e.args[j]
	if e.logic() || c.exprs[x].logic() || !slices.Equal(c.exprs[x].out, e.out) || c.exprs[x].leaf() && slices.Contains(c.results, i) {
		return false
	}
	for _, other := range c.exprs {
		for k, at := range other.args {
			if at == i {
				other.args[k] = x
			}
		}
	}
	for k, r := range c.results {
		if r == i {
			c.results[k] = x
		}
	}
	return true
}

// only keeps one element of arrays that all have one shape.
func (c *randomCase) only(k int) bool {
	shape := c.exprs[0].out
	if size(shape) < 2 {
		return false
	}
	for _, e := range c.exprs {
		if !slices.Equal(e.out, shape) {
			return false
		}
	}
	for _, e := range c.exprs {
		if e.leaf() {
			e.shape, e.data = []int{1}, e.data[k:k+1]
		} else if e.shape != nil || e.span != nil {
			return false
		}
	}
	return true
}

// fewer has two parties, and owners among them.
func (c *randomCase) fewer() bool {
	if c.setting.protocol != "semi2k" || c.setting.parties == 2 {
		return false
	}
	c.setting.parties = 2
	for _, e := range c.exprs {
		if e.owner >= 2 {
			e.owner %= 2
		}
	}
	return true
}

// simplify has simpler numbers in leaves.
func (s *shrinker) simplify() bool {
	changed := false
	for i := range s.exprs {
		for k := 0; i < len(s.exprs) && k < len(s.exprs[i].data); k++ {
			v := s.exprs[i].data[k]
			_, e := math.Frexp(v)
			for _, to := range []float64{0, 1, math.Copysign(math.Ldexp(0.5, e), v)} {
				if !s.exprs[i].leaf() || v == to || v == 0 || v == 1 && to != 0 || s.exprs[i].op == "mask" {
					break
				}
				if s.take(func(c *randomCase) bool { c.exprs[i].data[k] = to; return true }) {
					changed = true
					break
				}
			}
		}
	}
	return changed
}

// describe says all about a case that failed.
func (c *randomCase) describe(w *wrong) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%v: %v\n%s", c.setting, w, c.text())
	for _, i := range c.inputs() {
		e := c.exprs[i]
		owner := "public"
		if e.owner != party.Public {
			owner = fmt.Sprint("of party ", e.owner)
		}
		if e.ranged {
			owner += ", range declared"
		}
		fmt.Fprintf(&b, "%%v%d, %s: %v\n", i, owner, e.data)
	}
	for _, i := range c.results {
		e := c.exprs[i]
		fmt.Fprintf(&b, "%%v%d is to be %v, within %.3g\n", i, e.val, e.err)
	}
	return b.String()
}

// class names how a shrunk case goes wrong: protocol and ring, and the operation of
// the wrong result with those of its operands.
func (c *randomCase) class(w *wrong) string {
	where := fmt.Sprintf("%s, ring %d: ", c.setting.protocol, c.setting.ring)
	if w.err != nil {
		return where + "error"
	}
	return where + c.form(c.results[w.result], 1)
}

// environment is a number that the environment sets, or the default.
func environment(t *testing.T, name string, or uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return or
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// failure is a case that failed.
type failure struct {
	*randomCase
	w *wrong
}

// TestRandomPrograms: random programs, whose values are within their ranges, are
// right within 4 units an operation. The environment sets
//
//	TACET_TEST_PROGRAMS    how many programs
//	TACET_TEST_SEED        the first one's seed; the others have the next ones
//	TACET_TEST_SETTINGS    settings with one of these words in them, like "semi2k/2/64 /32"
//	TACET_TEST_MOST        no magnitude is above 2^this
//	TACET_TEST_KEEP_GOING  1: run all, and count failures by the operations of the shrunk programs
func TestRandomPrograms(t *testing.T) {
	number := uint64(1000)
	if testing.Short() {
		number = 100
	}
	number = environment(t, "TACET_TEST_PROGRAMS", number)
	first := environment(t, "TACET_TEST_SEED", 1)
	most := int(environment(t, "TACET_TEST_MOST", 0))
	goOn := os.Getenv("TACET_TEST_KEEP_GOING") == "1"
	settings := allRandomSettings()
	if words := strings.Fields(os.Getenv("TACET_TEST_SETTINGS")); len(words) > 0 {
		settings = slices.DeleteFunc(settings, func(s randomSetting) bool {
			return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s.String(), w) })
		})
	}
	if len(settings) == 0 {
		t.Fatal("TACET_TEST_SETTINGS names none")
	}
	start := time.Now()
	failures := runRandom(first, number, settings, most, goOn)
	t.Logf("%d programs from seed %d in %v", number, first, time.Since(start).Round(time.Millisecond))
	if len(failures) == 0 {
		return
	}
	if !goOn {
		f := failures[0]
		small, w := f.shrunk(f.w)
		t.Fatalf("seed %d fails; TACET_TEST_SEED=%d TACET_TEST_PROGRAMS=1 and the same other settings run it again\n%s\nshrunk, %s", f.seed, f.seed, f.describe(f.w), small.describe(w))
	}
	summarize(t, failures)
}

// runRandom runs programs and gives those that failed, by seed: the first one, or
// all if it is to go on.
func runRandom(first, number uint64, settings []randomSetting, most int, goOn bool) []failure {
	var failures []failure
	var lock sync.Mutex
	var next atomic.Uint64
	var stop atomic.Bool
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for !stop.Load() {
				i := next.Add(1) - 1
				if i >= number {
					return
				}
				c := newRandomCase(first+i, settings, most)
				if w := c.run(); w != nil {
					lock.Lock()
					failures = append(failures, failure{c, w})
					lock.Unlock()
					stop.Store(!goOn)
				}
			}
		})
	}
	wg.Wait()
	slices.SortFunc(failures, func(a, b failure) int { return int(a.seed) - int(b.seed) })
	return failures
}

// summarize counts failures by class, with the smallest example of each.
func summarize(t *testing.T, failures []failure) {
	counts, examples := map[string]int{}, map[string]failure{}
	var lock sync.Mutex
	var wg sync.WaitGroup
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, f := range failures {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			small, w := f.shrunk(f.w)
			class := small.class(w)
			lock.Lock()
			defer lock.Unlock()
			counts[class]++
			if old, ok := examples[class]; !ok || len(small.text()) < len(old.text()) {
				examples[class] = failure{small, w}
			}
		})
	}
	wg.Wait()
	classes := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, class := range classes {
		e := examples[class]
		t.Logf("%d × %s, seed %d\n%s", counts[class], class, e.seed, e.describe(e.w))
	}
	for _, class := range classes {
		t.Logf("%5d  %s", counts[class], class)
	}
	t.Errorf("%d programs fail", len(failures))
}

// TestRandomReference: the reference of random programs is package eval's, within
// float64's rounding, and every operation is met often.
func TestRandomReference(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(500) {
		c := newRandomCase(seed, allRandomSettings(), 0)
		for _, e := range c.exprs {
			met[e.op]++
		}
		prog, err := hlo.Parse("random.mlir", []byte(c.text()))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, c.text())
		}
		var args []*tensor.Array
		for _, a := range c.arguments() {
			args = append(args, a.Data)
		}
		out, err := eval.Func(context.Background(), prog.Main, args)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, c.text())
		}
		for i, at := range c.results {
			e := c.exprs[at]
			for j, got := range out[i].Floats() {
				if !(math.Abs(got-e.val[j]) <= e.err[j]) {
					t.Fatalf("seed %d: %s", seed, c.describe(&wrong{nil, i, j, got, e.val[j], e.err[j]}))
				}
			}
		}
	}
	t.Log(met)
	for _, op := range append(slices.Clone(exprOps), "input", "const", "mask", "compare") {
		if op != "scaled" && met[op] < 20 {
			t.Errorf("%d operations %s in 500 programs", met[op], op)
		}
	}
}
