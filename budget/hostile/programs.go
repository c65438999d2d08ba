// Package hostile generates short programs that ask for more memory, work or time than any machine has. Tests
// give them to code that plans programs: it must refuse each one with a typed error, or plan it within a budget.
package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Program is the text of a StableHLO program with one argument, %x : tensor<4xf32>, which one party may own.
// Name says what it tries, for test messages.
type Program struct{ Name, Text string }

// Programs returns all programs of the corpus, with sizes drawn from seed. The same seed gives the same
// programs.
func Programs(seed uint64) []Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
	for _, family := range families {
		for range family.count {
			g.begin()
			result := family.write(g)
			g.programs = append(g.programs, Program{
				Name: fmt.Sprintf("%s-%d", family.name, len(g.programs)),
				Text: fmt.Sprintf("%sfunc.func public @main(%%x: tensor<4xf32>) -> %s {\n%s  return %s : %s\n}\n",
					g.functions.String(), result.typ, g.body.String(), result.name, result.typ),
			})
		}
	}
	return g.programs
}

// families are the kinds of programs, with the number of programs of each kind.
var families = []struct {
	name  string
	count int
	write func(g *generator) value
}{
	{"iota", 12, (*generator).iota}, {"splats", 12, (*generator).splats}, {"broadcast", 8, (*generator).broadcasts},
	{"dot", 12, (*generator).dot}, {"endless", 10, (*generator).endless}, {"nested", 8, (*generator).nestedLoops},
	{"calls", 8, (*generator).calls}, {"doubling", 8, (*generator).doubling}, {"pad", 8, (*generator).pad},
	{"window", 10, (*generator).window}, {"elementwise", 10, (*generator).elementwise}, {"sort", 10, (*generator).sort},
	{"gather", 8, (*generator).gather}, {"convolution", 8, (*generator).convolution}, {"fft", 8, (*generator).fft},
	{"matrix", 8, (*generator).matrix}, {"random", 6, (*generator).random}, {"reduce", 8, (*generator).reduce},
	{"secrets", 24, (*generator).secrets}, {"local", 8, (*generator).local}, {"shapes", 8, (*generator).shapes},
	{"growing", 6, (*generator).growing}, {"returned", 24, (*generator).returned}, {"read", 42, (*generator).read},
}

// value is a value of the program that is being written.
type value struct{ name, typ string }

// generator writes programs.
type generator struct {
	*rand.Rand
	programs        []Program
	functions, body strings.Builder
	values          int
}

func (g *generator) begin() {
	g.functions.Reset()
	g.body.Reset()
	g.values = 0
}

// op writes an operation with one result; format holds everything after "%n = ".
func (g *generator) op(typ, format string, args ...any) value {
	v := value{fmt.Sprintf("%%%d", g.values), typ}
	g.values++
	fmt.Fprintf(&g.body, "  %s = %s\n", v.name, fmt.Sprintf(format, args...))
	return v
}

// size returns a power of two, or a number near it.
func (g *generator) size(low, high int) int {
	n := 1 << (low + g.IntN(high-low+1))
	if g.IntN(3) == 0 {
		n -= 1 + g.IntN(3)
	}
	return max(1, n)
}

func (g *generator) pick(of ...string) string { return of[g.IntN(len(of))] }

func vector(n int, d string) string { return fmt.Sprintf("tensor<%dx%s>", n, d) }

// line is a public vector.
func (g *generator) line(n int, d string) value {
	t := vector(n, d)
	return g.op(t, "stablehlo.iota dim = 0 : %s", t)
}

// wide is a secret, or owner-local, vector.
func (g *generator) wide(n int) value {
	t := vector(n, "f32")
	one := g.op("tensor<f32>", "stablehlo.constant dense<0.0> : tensor<f32>")
	few := g.op("tensor<f32>", `"stablehlo.reduce"(%%x, %s) <{dimensions = array<i64: 0>}> ({
    ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):
      %%s = stablehlo.add %%p, %%q : tensor<f32>
      stablehlo.return %%s : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>`, one.name)
	return g.op(t, "stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> %s", few.name, t)
}

func (g *generator) unary(name string, x value) value {
	return g.op(x.typ, "%s %s : %s", name, x.name, x.typ)
}

func (g *generator) binary(name string, x, y value) value {
	return g.op(x.typ, "%s %s, %s : %s", name, x.name, y.name, x.typ)
}
