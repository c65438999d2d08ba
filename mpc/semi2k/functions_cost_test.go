package semi2k

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

const functionFile, functionOracle = "testdata/functions.txt", "testdata/functions_oracle.txt"

// priced is a function as its costs are stated: for each element of a vector,
// or of rows.
type priced struct {
	name, oracle string
	m            int // elements of a row; 1
	in           int // arguments
	build        func(c settings) func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
	bytes, dealt float64 // the largest costs allowed, 0 if there is no bound
	rounds       int
	more         [2]float64 // bits beyond those in testdata/functions_oracle.txt
	zero         bool
	errors       func(t *testing.T, c settings) *deviation // on the interval of its name
	interval     string
}

// allPriced lists functions, then functions of rows, each once.
func allPriced() (out []priced) {
	for _, f := range functions {
		out = append(out, priced{
			name: f.name, oracle: f.oracle, m: 1, in: 2, build: f.build, bytes: f.bytes, rounds: f.rounds, dealt: f.dealt,
			more: [2]float64{float64(f.more[0]), float64(f.more[1])}, zero: f.zero,
			errors: func(t *testing.T, c settings) *deviation {
				xs := f.grid(tablePoints, c)
				return f.measured(t, c, xs, f.others(len(xs), c))
			},
			interval: f.interval(),
		})
	}
	seen := map[string]bool{}
	for _, f := range rowFunctions {
		if seen[f.String()] {
			continue
		}
		seen[f.String()] = true
		out = append(out, priced{
			name: f.String(), oracle: f.oracle, m: f.m, in: 1, build: f.build, bytes: f.bytes, rounds: f.rounds,
			more: [2]float64{f.more, f.more}, zero: f.more > 0,
			errors: func(t *testing.T, c settings) *deviation {
				return f.measured(t, c, f.rows(1+tablePoints/f.m, c))
			},
			interval: fmt.Sprintf("σ = %g", f.sd),
		})
	}
	return out
}

// priceSettings are the settings whose costs are stated.
var priceSettings = []settings{{2, 64, 18}, {3, 64, 18}, {2, 128, 26}, {3, 128, 26}}

// tablePoints are for errors in the table of functions.
const tablePoints = 20000

// goldenRings are the rings that the golden files have costs for, with the
// default number of fraction bits.
var goldenRings = []settings{{k: 32, fraction: 8}, {k: 64, fraction: 18}, {k: 128, fraction: 26}}

// price is what a function costs, by a run without storage; runs with storage
// are held to cost the same wherever a trial is run.
type price struct {
	rounds                  int
	online, messages, dealt int64 // bytes of so many elements, to one other party
	elements                int64
}

func (f priced) price(c settings) price { return f.among(trial{n: c.n}, c) }

// among is the price among the parties of a trial.
func (f priced) among(tr trial, c settings) price {
	n := 64 * f.m
	tr.build = f.build(c)
	for range f.in {
		tr.in = append(tr.in, operand{v: ring.ShapeOnly(ring.Z(c.k), n)})
	}
	_, form, cost, g := tr.dryRun(0)
	others := int64(tr.n - 1)
	return price{g.Rounds(), cost.Bytes.Load() / others, cost.Messages.Load() / others, form.Bytes(), int64(n)}
}

// bytes that one party sends for an element, to all others.
func (p price) bytes(c settings) float64 {
	return float64(p.online) * float64(c.n-1) / float64(p.elements)
}

// TestFunctionCosts holds what functions cost against golden files, and against
// the largest cost allowed.
func TestFunctionCosts(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	for _, file := range goldenFiles {
		var b strings.Builder
		fmt.Fprintf(&b, "%-30s %2s %4s %7s %7s %9s %8s\n", "function", "n", "k", "rounds", "online", "messages", "dealt")
		for _, f := range allPriced() {
			for _, c := range goldenRings {
				for _, tr := range file.among {
					c.n = tr.n
					p := f.among(tr, c)
					fmt.Fprintf(&b, "%-30s %2d %4d %7d %7s %9d %8s\n", f.name, tr.parties(), c.k, p.rounds, per(p.online, p.elements), p.messages, per(p.dealt, p.elements))
				}
			}
		}
		golden(t, suffixed(functionFile, file.suffix), b.String())
	}
	for _, f := range allPriced() {
		c := settings{2, 64, 18}
		p := f.price(c)
		if f.bytes > 0 && (p.bytes(c) > f.bytes || p.rounds != f.rounds) {
			t.Errorf("%s: %.2f bytes in %d rounds, at most %v in %d", f.name, p.bytes(c), p.rounds, f.bytes, f.rounds)
		}
		if dealt := float64(p.dealt) / float64(p.elements); f.dealt > 0 && dealt > f.dealt {
			t.Errorf("%s: %.1f dealt bytes, at most %v", f.name, dealt, f.dealt)
		}
	}
}

// golden compares with a file, or writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s changed (-want +got); if that is meant, run go test -run %s -rewrite:\n%s", file, t.Name(), d)
	}
}

// extraDealt returns the dealt bytes beyond those in testdata/functions_oracle.txt: what a function
// of the whole ring takes, and the share of [x ≥ 1 unit] by which 0 is taken for one unit.
func (f priced) extraDealt(c settings) float64 {
	switch {
	case f.name == "sin" || f.name == "cos": // words for λ and for λ − 2^k·top
		return float64(2*precisionFor(ring.Z(c.k), c.fraction).tableRing(c.k, c.fraction).Bits) / 8
	case f.zero:
		return float64(c.k)/8 + 3
	}
	return 0
}

// TestFunctionOracle compares costs with those in testdata/functions_oracle.txt, which
// a simulation counted that shares no code with this package: the same bytes and
// rounds, but for what is opened beyond them on purpose, and no more dealt bytes.
func TestFunctionOracle(t *testing.T) {
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	oracle := readFunctionOracle(t)
	compared := 0
	for _, f := range allPriced() {
		for _, c := range priceSettings {
			want, ok := oracle[fmt.Sprintf("%s %d %d", f.oracle, c.n, c.k)]
			if !ok {
				continue
			}
			compared++
			p := f.price(c)
			bytes := want.bytes + f.more[c.k/128]*float64(c.n-1)/8
			fewer := 0.0 // bits that positions among more than 15 digits open less, once a row
			if f.m > 1 && strings.HasPrefix(f.oracle, "layernorm") && c.k > 64 {
				fewer = 9 / float64(f.m)
			}
			bytes -= fewer * float64(c.n-1) / 8
			if math.Abs(p.bytes(c)-bytes) > 0.0051 || p.rounds != want.rounds {
				t.Errorf("%s %+v: %.3f bytes in %d rounds, the oracle has %.3f in %d", f.name, c, p.bytes(c), p.rounds, bytes, want.rounds)
			}
			dealt := float64(p.dealt) / float64(p.elements)
			if limit := want.dealt + 0.5 + f.extraDealt(c); dealt > limit {
				t.Errorf("%s %+v: %.1f dealt bytes, the oracle has %.0f and %.1f are allowed", f.name, c, dealt, want.dealt, limit)
			}
		}
	}
	if compared < 45 {
		t.Errorf("only %d rows compared", compared)
	}
}

type oraclePrice struct {
	rounds       int
	bytes, dealt float64
}

func readFunctionOracle(t *testing.T) map[string]oraclePrice {
	t.Helper()
	text, err := os.ReadFile(functionOracle)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]oraclePrice{}
	for _, line := range strings.Split(string(text), "\n") {
		w := strings.Fields(line)
		if len(w) < 6 || w[0] == "#" || w[0] == "function" {
			continue
		}
		var x [5]float64
		for i, s := range w[len(w)-5:] {
			if x[i], err = strconv.ParseFloat(s, 64); err != nil {
				t.Fatalf("%s: %q: %v", functionOracle, line, err)
			}
		}
		key := fmt.Sprintf("%s %v %v", strings.Join(w[:len(w)-5], " "), x[0], x[1])
		out[key] = oraclePrice{int(x[2]), x[3], x[4]}
	}
	return out
}
