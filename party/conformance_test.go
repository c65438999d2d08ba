package party_test

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

var rewriteTable = flag.Bool("rewrite", false, "write docs/operations.md anew")

// An operand's form: what all know, what a party knows, what none does.
const (
	formPublic = 'p'
	formKnown  = 'k'
	formSecret = 's'
)

// mixes are the forms of operands in which an operation is run: all secret;
// each one alone secret, with public and with known others; all known to
// parties one after the other.
func (o operation) mixes() []string {
	free := []int{}
	mix := make([]byte, len(o.in))
	for i := range mix {
		mix[i] = formPublic
		if o.constant[i] == "" {
			free = append(free, i)
			mix[i] = formSecret
		}
	}
	out := []string{string(mix)}
	if len(free) == 1 {
		return out
	}
	alone := func(secret int, rest byte) {
		m := append([]byte{}, mix...)
		for _, i := range free {
			if m[i] = rest; i == secret {
				m[i] = formSecret
			}
		}
		out = append(out, string(m))
	}
	for _, i := range free {
		alone(i, formPublic)
		alone(i, formKnown)
	}
	alone(-1, formKnown)
	return out
}

// program is the operation on operands in the given forms: a secret one is the
// sum of what two parties know.
func (o operation) program(mix string) string {
	var args, names, types, outs, results []string
	body := ""
	for i, t := range o.in {
		typ := "tensor<" + t + ">"
		v := fmt.Sprintf("%%x%d", i)
		names, types = append(names, v), append(types, typ)
		switch {
		case o.constant[i] != "":
			body += fmt.Sprintf("  %s = stablehlo.constant dense<%s> : %s\n", v, o.constant[i], typ)
		case mix[i] == formSecret:
			args = append(args, fmt.Sprintf("%%a%d: %s", i, typ), fmt.Sprintf("%%b%d: %s", i, typ))
			op := "add"
			if strings.HasSuffix(t, "i1") {
				op = "xor"
			}
			body += fmt.Sprintf("  %s = stablehlo.%s %%a%d, %%b%d : %s\n", v, op, i, i, typ)
		default:
			args = append(args, v+": "+typ)
		}
	}
	n := ""
	for i, t := range o.out {
		outs = append(outs, "tensor<"+t+">")
		if len(o.out) > 1 {
			results, n = append(results, fmt.Sprintf("%%r#%d", i)), fmt.Sprintf(":%d", len(o.out))
		} else {
			results = append(results, "%r")
		}
	}
	regions := ""
	if o.regions != "" {
		regions = " " + o.regions
	}
	body += fmt.Sprintf("  %%r%s = %q(%s) <{%s}>%s : (%s) -> (%s)\n  return %s : %s\n", n, o.name, strings.Join(names, ", "), o.attrs, regions,
		strings.Join(types, ", "), strings.Join(outs, ", "), strings.Join(results, ", "), strings.Join(outs, ", "))
	return fmt.Sprintf("module @m {\n func.func public @main(%s) -> (%s) {\n%s }\n%s}\n", strings.Join(args, ", "), strings.Join(outs, ", "), body, o.callee)
}

// number is an operand's value: within the operation's domain, in units of the
// coarsest fixed point.
func (o operation) number(r *rand.Rand, i int, t tensor.Type) *tensor.Array {
	n := t.Shape.Size()
	draw := func() float64 { return math.Round((o.lo+(o.hi-o.lo)*r.Float64())*1024) / 1024 }
	if t.DType.IsComplex() {
		z := make([]complex64, n)
		for k := range z {
			z[k] = complex(float32(draw()), float32(draw()))
		}
		return &tensor.Array{Type: t, Data: z}
	}
	if !t.DType.IsFloat() {
		return edged(r, t)
	}
	f := make([]float64, n)
	for k := range f {
		f[k] = draw()
	}
	if o.unlike == "definite" && i == 0 {
		side := t.Shape[1]
		for k := range f {
			f[k] /= 4
			if k%(side+1) == 0 {
				f[k] = 3
			}
			if row, column := k/side, k%side; row > column {
				f[k] = f[column*side+row]
			}
		}
	}
	return tensor.FromFloats(t.DType, t.Shape, f)
}

// arguments gives the program's arguments and owners; a secret's parts sum up
// to it.
func (o operation) arguments(r *rand.Rand, prog *hlo.Program, mix string, parties int) []party.Arg {
	var out []party.Arg
	params := prog.Main.Body.Params
	for i := range o.in {
		if o.constant[i] != "" {
			continue
		}
		t := params[len(out)].Type
		x := o.number(r, i, t)
		switch mix[i] {
		case formPublic:
			out = append(out, party.Arg{Owner: party.Public, Data: x})
		case formKnown:
			out = append(out, party.Arg{Owner: i % parties, Data: x})
		default:
			a, b := halves(r, x)
			out = append(out, party.Arg{Owner: 0, Data: a}, party.Arg{Owner: parties - 1, Data: b})
		}
	}
	return out
}

// halves are two arrays whose sum is x, exactly.
func halves(r *rand.Rand, x *tensor.Array) (a, b *tensor.Array) {
	if z, ok := x.Data.([]complex64); ok {
		p, q := make([]complex64, len(z)), make([]complex64, len(z))
		for i := range z {
			p[i] = complex(float32(r.IntN(2048))/1024, float32(r.IntN(2048))/1024)
			q[i] = z[i] - p[i]
		}
		return &tensor.Array{Type: x.Type, Data: p}, &tensor.Array{Type: x.Type, Data: q}
	}
	a = random(r, x.Type)
	if x.DType.IsFloat() {
		p, q := a.Floats(), append([]float64{}, x.Floats()...)
		p = append([]float64{}, p...)
		for i := range q {
			p[i] = math.Round(p[i]*1024) / 1024
			q[i] -= p[i]
		}
		return tensor.FromFloats(x.DType, x.Shape, p), tensor.FromFloats(x.DType, x.Shape, q)
	}
	w := append([]uint64{}, x.Words()...)
	for i, v := range a.Words() {
		if w[i] -= v; x.DType == tensor.Bool {
			w[i] &= 1
		}
	}
	return a, tensor.FromWords(x.DType, x.Shape, w)
}

// measured is what one run of an operation gave.
type measured struct {
	bytes, dealt int64
	rounds       int
	units        float64 // largest error in units of the last place
}

// run runs the operation and checks its results, and that its costs are those
// predicted.
func (o operation) run(t *testing.T, mix string, s setting) measured {
	t.Helper()
	prog, err := hlo.Parse("test.mlir", []byte(o.program(mix)))
	if err != nil {
		t.Fatalf("%v\n%s", err, o.program(mix))
	}
	r := rand.New(rand.NewPCG(5, 6))
	spec := party.Spec{Program: prog, Protocol: s.protocol, Ring: s.ring, Fraction: s.f, Computing: s.computing, Network: "none", Reveal: []int{0},
		Seed: []byte("0123456789abcdef"), Args: o.arguments(r, prog, mix, s.computing)}
	var data []*tensor.Array
	for _, a := range spec.Args {
		data = append(data, a.Data)
	}
	for i := range s.parties {
		spec.Parties = append(spec.Parties, fmt.Sprintf("p%d", i))
	}
	want, err := eval.Func(context.Background(), prog.Main, data)
	if err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(context.Background(), spec)
	if err != nil {
		t.Errorf("%s %s: %v", mix, s.protocol, err)
		return measured{}
	}
	program{tol: max(o.tol, 1e-3)}.compare(t, s, out.Results, want)
	checkPrediction(t, out.Report)
	m := measured{bytes: out.Report.Online.BytesSent[0], dealt: out.Report.Offline.BytesSent, rounds: out.Report.Online.Rounds}
	if p := out.Report.Predicted.Online; out.Report.Expected() {
		m.bytes, m.rounds = p.BytesSent[0], p.Rounds
	}
	for i, w := range want {
		var x, y []float64
		switch {
		case w.DType.IsFloat():
			x, y = out.Results[i].Floats(), w.Floats()
		case w.DType.IsComplex():
			x, y = numbers(out.Results[i].Data), numbers(w.Data)
		}
		for k := range x {
			m.units = max(m.units, math.Ldexp(math.Abs(x[k]-y[k]), s.f))
		}
	}
	return m
}

var conformanceSettings = []setting{
	{"semi2k", 64, 18, 2, 2, nil}, // the table's
	{"plain", 64, 18, 2, 2, nil},
	{"semi2k", 64, 18, 3, 3, nil},
	{"semi2k", 128, 26, 2, 2, nil},
	{"semi2k", 128, 26, 3, 3, nil},
	{"plain", 128, 26, 3, 3, nil},
	{"aby3", 64, 18, 3, 3, nil},
}

// The settings of cheetah take minutes: TACET_TEST_CHEETAH=all adds them.
func init() {
	if os.Getenv("TACET_TEST_CHEETAH") == "all" {
		conformanceSettings = append(conformanceSettings, setting{"cheetah", 64, 18, 2, 2, nil}, setting{"cheetah", 128, 26, 3, 2, nil})
	}
}

// TestConformance runs every operation with operands in every form, on every
// protocol, ring and number of parties, and holds the page of operations to
// what was measured.
func TestConformance(t *testing.T) {
	t.Parallel()
	var rows []string
	for index, o := range operations() {
		if raced && index%16 != 0 {
			continue
		}
		name := o.name + " " + o.form + " " + strings.Join(o.in, " ")
		t.Run(name, func(t *testing.T) {
			var first measured
			for i, s := range conformanceSettings {
				if i > 2 && testing.Short() {
					break
				}
				for j, mix := range o.mixes() {
					if i > 1 && j > 1 {
						break // forms are the same affair in every ring
					}
					m := o.run(t, mix, s)
					if j == 0 && i == 0 {
						first = m
					}
					if i == 0 && (j == 0 || m.bytes != first.bytes || m.rounds != first.rounds) {
						rows = append(rows, o.row(mix, j, m))
					}
				}
			}
		})
	}
	if !t.Failed() && !raced {
		checkTable(t, rows)
	}
}

// row is a line of the table.
func (o operation) row(mix string, nth int, m measured) string {
	name := "`" + strings.TrimPrefix(o.name, "stablehlo.") + "`"
	if o.form != "" {
		name += " " + o.form
	}
	in := strings.Join(o.in, ", ")
	if nth > 0 {
		name, in = "", ""
	}
	var forms []string
	for i := range mix {
		if o.constant[i] == "" {
			forms = append(forms, map[byte]string{formPublic: "public", formKnown: "owner-local", formSecret: "secret"}[mix[i]])
		}
	}
	return fmt.Sprintf("| %s | %s | %s | %d | %d | %d | %.1f |\n", name, in, strings.Join(forms, ", "), m.bytes, m.rounds, m.dealt, m.units)
}

const tableHead = `# Operations on secrets

The operations that accept secret operands, and their costs with the protocol ` + "`semi2k`" + ` between two parties, in Z_2^64 with 18 fraction bits. This page is
generated by

    go test ./party -run TestConformance -rewrite

which runs every row with all protocols, in rings of 64 and 128 bits, with two and three parties, and compares the results with the reference in the clear.
Without ` + "`-rewrite`" + ` the test fails if a cost differs from this page.

Operands are *public* (known to all parties), *owner-local* (known in cleartext to one party; successive operands have different owners) or *secret* (the sum of two
values that two parties share in the input phase). Operations whose operands are all public, or all known to one party, are computed in the clear at no cost
and have no row. *Bytes* are the online bytes that one party sends, *rounds* include the truncation before the output, and *dealt* bytes are sent by the dealer
before. For sorts of more than 64 rows, bytes and rounds depend on a random order. Every operation accepts all forms of operands; a form without a row costs as much as the first one.
*Error* is the largest observed error in units of the last place (2^-18); for results above 1 it includes the rounding of float32 in the reference. Integers and booleans are exact.

| operation | operand types | operands | bytes | rounds | dealt | error |
|---|---|---|---|---|---|---|
`

// checkTable compares the page with what was measured, but for errors.
func checkTable(t *testing.T, rows []string) {
	t.Helper()
	file := filepath.Join("..", "docs", "operations.md")
	got := tableHead + strings.Join(rows, "")
	if *rewriteTable {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	have, want := strings.Split(string(text), "\n"), strings.Split(got, "\n")
	for i, line := range want {
		if i >= len(have) || costs(have[i]) != costs(line) {
			t.Fatalf("docs/operations.md: line %d is no longer %s (if that is meant, run go test ./party -run TestConformance -rewrite)", i+1, line)
		}
	}
	if len(have) != len(want) {
		t.Errorf("docs/operations.md has %d lines, not %d (go test ./party -run TestConformance -rewrite)", len(have), len(want))
	}
}

// costs is a line without its last column.
func costs(line string) string {
	if i := strings.LastIndex(strings.TrimSuffix(line, " |"), "|"); i > 0 {
		return line[:i]
	}
	return line
}

// Every operation that accepts secrets has a row of the table.
func TestConformanceCoversOperations(t *testing.T) {
	missing := exec.Operations()
	for _, o := range operations() {
		missing = slices.DeleteFunc(missing, func(name string) bool { return name == o.name })
	}
	if len(missing) > 0 {
		t.Errorf("without a row in operations(): %s", strings.Join(missing, ", "))
	}
}
