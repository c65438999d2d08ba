package semi2k

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const functionPage = "../../docs/functions.md"

// functionHead is the page's text before its tables.
const functionHead = `# Functions of secrets

What real functions of secrets cost and how exact they are, with the protocol ` + "`semi2k`" + `. This page is written by

    go test ./mpc/semi2k -run TestFunctionTable -rewrite

which runs every function among parties in one process; the same test without ` + "`-rewrite`" + ` fails where a cost on this page is
not the protocol's any more.

*Bytes* are what one party sends to all others for each element of the argument, whose own opening is among them (an argument
that is open already costs that much less); *rounds* count from shares of the argument; *dealt* bytes are what the dealer sends,
to one party, before the run. *Absolute* is the largest error on the interval, *relative* the largest one where the result is 1 or
more, of %d points and against the function in float64. A unit of the last place is %.2g with 18 fraction bits and %.2g with 26.
Functions of rows are measured on normally distributed elements, σ their standard deviation; m is a row's length.

## Domains

- **exp, exp2** are defined everywhere: 0 below 2^-(f+2), which is a quarter of a unit, and 2^(k-2-f-1/1024) above the largest value. With the lower
  clamp alone, what leaves the ring above wraps; with none, what lies below gives garbage of any size that differs from run to run.
- **sigmoid, tanh, erf, erfc, gelu, silu, softplus** are defined everywhere: outside their windows they are what they approach. **sin, cos** and
  **floor** are exact to the end of the ring.
- **log, 1/x, rsqrt** take 0 for one unit, as does a quotient's divisor: log 0 is the logarithm of 2^-f, 1/0 is 2^f. **sqrt, cbrt** and
  positive powers of 0 are 0.
- **log, powers, quotients** take arguments over the whole range of values; the rows below are of functions of 32 bits of units with 18 fraction bits (2^14; 2^13 if
  they have a sign) and 40 with 26, as where a program's bounds say so. A negative argument where the function has no sign gives a value without meaning,
  the same in every run but for rounding. Nothing reports it.
- **Ranges.** Values are below 2^(k-2-f) in magnitude: 1.7e13 at k = 64, f = 18. **Contractions** are below 2^(k-2-2f): 6.7e7 there. A contraction is the
  result of a dot or a convolution, a sum whose terms are all products, products by public numbers that are no integers or contractions (passed through maxima, choices, views or sums on
  the way, or not), or a contraction times a public or known factor: what is added up before it is rescaled. If a kernel takes up factors of its
  owner's (a batch normalisation's), the product with them is the contraction, and a kernel whose results are proved to fit has 4 guard bits; of a maximum over two, the difference is a contraction too. Everything else has the range of values:
  a single elementwise product or quotient, a mean, and whatever is added to a product, laid beside it, compared with it, chosen for it or bounds it.
  Results beyond these ranges wrap. "tacet plan --ranges" lists contractions that nothing proves to fit, inputs that declare their range prove it, "run --check"
  names what wraps on given inputs. Public numbers beyond the range of values saturate to half of it, and so does what one party computes of its own inputs; what is
  spread over a contraction (a bias) saturates below a quarter of its range if its owner has computed it, and is refused there, with its element, if it is an input.
- **Functions on a known range** (sigmoid/8 on [-8, 8], reciprocal/2 on [1, 2], reciprocal/16 on [1, 16], atan on [-1, 1]) give values of bounded size and no meaning
  outside it.
- **softmax** takes everything, rows with masked elements (the ring's most negative number) too; of a row of nothing else it is 1/m.
- **layernorm** at k = 64 needs m²(variance + ε) below 2^24 for rows of up to %d elements. Longer rows subtract their mean first, rounded to a unit: they
  need m·(variance + ε) below 2^24 and a mean below 2^12, and their errors grow by half a unit times the number of parties, divided by σ:
  3.6e-4 at m = 768, σ = 0.01.
  At k = 128 the first bound is 2^40, at every length.
- **Comparisons** (LT, LE, GT, GE, EQ, NE) of two floats are exact, as in the program's own type, where no operation has computed with either as a secret:
  where each is public, known to one party (its input, or what it computes in clear from its inputs and public values), or consists of elements of such
  values that views, concatenations, look-ups at positions and selections have copied, at secret positions and by secret bits too. Parties then share
  their floats' places in the order of all floats, in a ring of 33 bits (65 for f64), or by the 32 bits of each (64) where that costs less, whatever the job's ring is: x < t is right where x and t differ by one unit of
  the last place, 1e-30 is above 0, NaN is unordered. So trees send rows where their libraries do, if thresholds are inputs, not sums or products with a secret
  (a one-hot matrix of another party's that picks features by a dot is one: pick them by position). If other operations read such a float besides, it is shared
  in fixed point too. Every other comparison is one of fixed-point numbers: floats that are less than a unit apart may be equal there. Maxima, minima, clamps, sorts and
  argmax compare in fixed point. Inputs are below the range of values also where they are only compared.
- **Small numbers.** A product of which a root is taken in the end (sqrt, rsqrt, cbrt), a square or one of two different values, is kept at three fractions in a
  wider ring (ring 64: a unit of 2^-54; ring 128: 2^-58), through sums, further products, quotients, public factors, views, concatenations, choices, magnitudes, maxima, minima, loops
  and calls, and over the range of values. So are products of products that end in a quotient, as dividend or divisor, and what one party computes of its own inputs if it ends under a root or in
  a quotient. A single elementwise product is divided, and is a divisor, at two fractions over the range of values; sums of such products at two fractions in the range of
  contractions. So √(a·b), a·b/(a·c), a covariance over √(v·w), cosines, slopes and gains are as exact as their inputs, which are rounded to 2^-f. A dot keeps such products only if they are its
  direct operands, and the dot ends under a root. A root or a quotient has ten guard bits more where it is a divisor or part of one. So x/(√v + ε)
  of optimisers is right for gradients down to 2^-16; the square may be written (c·x)·x with a constant c. A constant that is 0 in the form in which it is used
  is named before the run, by "tacet plan" and "tacet run". Not kept are digits of inputs below 2^-f; those of quotients that are divided again; those that a convolution, a product
  with a contraction (a dot's result is rounded before it is multiplied, unless a root or a quotient follows), a maximum along dimensions, a sort or an equality would need; and, with fractions
  of 28 bits or more at ring 128, those of products of products, beyond 2^-f. Scale columns first there.
  A public factor is rounded to f significant bits (a relative error of 2^-19 with 18), and an array of them to those of its largest element.
- **Gradients.** A gradient that an optimiser divides by its own size (x/√(Σx² + ε) element by element, or by a maximum of |x|) is right to 2^-28 or so of the largest factor, at
  ring 64, fraction 18: the cotangents of which it follows, which nothing but linear operations read, have ten guard bits from where they begin, in rings of ten bits more, and the range of
  values; their contractions are made in two parts and keep the range of contractions. Where the other factor's magnitudes add up to 2^34 or more, guard bits are lost: a contraction is off
  by up to 2^18 there, where rounding to the fraction would have cost 2^16. There are no guard bits with ring 32, or with a fraction of 25 bits or more, which needs none.
  The parameters to which such an optimiser adds its updates have the guard bits too, so that the roundings of many small updates do not add up; all else reads them
  rounded to the fraction. Gradients below 2^-22 (ring 64, fraction 18) get wrong updates if the constant beside the gradient's size is below 2^-22 too (adam, adamw, nadam, adamax
  with optax's defaults); a larger one (rmsprop's 1e-4, adagrad's 3.2e-4) keeps those updates small, and only their digits are lost: "tacet plan" and "tacet run" say so
  before the run, with operation, constant, and the ring and fraction for smaller gradients.
- **Trainings.** After 50 steps of an LSTM or a LeNet, or 20 of a small BERT, by adam, adamw, rmsprop, adagrad, adamax or nadam, parameters whose gradients were 2^-16 or more in all
  steps are within a hundredth of the largest update of float32, and the loss is within one per cent, if float32 itself is as stable as that. It often is not: from inputs rounded to 18
  bits, float32 gets up to 0.2 of an update (BERT, adam), 0.3 (LeNet, adagrad) or 10 (LeNet, rmsprop) away from itself, and nadam on the LeNet 0.9 in float32 against float64, because an
  optimiser makes whole updates of the signs of gradients near 0. There a private training is as far from float32 as float32 from rounded inputs is (party's TestOptax judges by this
  rule): 0.16 (BERT, adam), 0.19 (LeNet, adagrad), 0.2 to 0.95 (LeNet, nadam), 0.02 to 2.2 (LeNet, rmsprop), another number in every run.
`

// page is the whole text; without errors the columns that hold them are empty.
func page(t *testing.T, errors bool) string {
	var b strings.Builder
	fmt.Fprintf(&b, functionHead, tablePoints, priceSettings[0].unit(), priceSettings[2].unit(), maxMeanFreeRow)
	for _, c := range priceSettings {
		fmt.Fprintf(&b, "\n## %d parties, k = %d, %d fraction bits\n\n| function | measured on | bytes | rounds | dealt | absolute | relative |\n|---|---|---|---|---|---|---|\n", c.n, c.k, c.fraction)
		for _, f := range allPriced() {
			p := f.price(c)
			fmt.Fprintf(&b, "| %s | %s | %.2f | %d | %.0f |", f.name, f.interval, p.bytes(c), p.rounds, float64(p.dealt)/float64(p.elements))
			if errors {
				d := f.errors(t, c)
				fmt.Fprintf(&b, " %.1e | %.1e |", d.absolute, d.relative)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestFunctionTable writes the page, or compares all of it but the errors.
func TestFunctionTable(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	if *rewrite {
		if err := os.WriteFile(functionPage, []byte(page(t, true)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(functionPage)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i, line := range lines {
		if w := strings.Split(line, "|"); len(w) == 9 && strings.Contains(w[6], "e") && !strings.Contains(w[6], "abs") {
			lines[i] = strings.Join(w[:6], "|") + "|"
		}
	}
	if d := cmp.Diff(strings.Join(lines, "\n"), page(t, false)); d != "" {
		t.Errorf("%s is not what functions cost (-page +now); run go test -run TestFunctionTable -rewrite:\n%s", functionPage, d)
	}
}
