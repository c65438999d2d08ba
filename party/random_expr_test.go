package party_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/ring"
)

// expr is one value of a random program: an operation, its operands, and what
// eval computes of them.
type expr struct {
	op     string // a StableHLO operation's short name, or input, const, mask, mean, square
	args   []int  // operands, places in exprProgram.exprs below this one's own
	data   []float64
	shape  []int    // of input, const, mask and broadcast_in_dim
	owner  int      // of an input: a rank, or party.Public
	ranged bool     // an input declares the range of its data
	dim    int      // of concatenate; of reductions of a matrix, −1 for all dimensions
	span   [][3]int // of slice: start, limit, stride of each dimension
	dir    string   // of compare
	lo, hi float64  // of clamp

	// val is the result in float64 and err bounds the absolute error, to first
	// order. A public value has only the rounding errors of float64 in err.
	val, err []float64
	out      []int // shape of the result
	public   bool
	// product says that every term of the value is a product, so that a sum of
	// such values is a contraction.
	product bool
	// dotted says that the value is made of a dot by sums, products and views: whoever
	// knows a factor may fold it into the dot's, so a product with it is a chain of
	// products, which is a contraction.
	dotted bool
	// factor bounds, of what is dotted, the operands of the dots and their number of
	// products.
	factor float64
}

func (e *expr) leaf() bool  { return e.op == "input" || e.op == "const" || e.op == "mask" }
func (e *expr) logic() bool { return e.op == "compare" || e.op == "mask" }

// most is the largest magnitude of the value.
func (e *expr) most() float64 {
	most := 0.0
	for _, v := range e.val {
		most = math.Max(most, math.Abs(v))
	}
	return most
}

// exprLimits are the ranges that a program's values keep to.
type exprLimits struct {
	fraction     int
	values       float64 // magnitudes of values are below it
	contractions float64 // magnitudes of contractions are below it
}

// Values keep to this part of a range, and with their error bounds to that.
const keptTo, keptWithError = 0.9, 0.95

// limitsOf are the ranges of a ring. No magnitude is above 2^most if most > 0.
func limitsOf(bits, fraction, most int) exprLimits {
	r := ring.Z(bits)
	v, c := fxp.ValueBits(r, fraction), fxp.ContractionBits(r, fraction)
	if most > 0 {
		v, c = min(v, most), min(c, most)
	}
	return exprLimits{fraction, math.Ldexp(1, v), math.Ldexp(1, c)}
}

func (l exprLimits) unit() float64 { return math.Ldexp(1, -l.fraction) }

// exprProgram is a random program.
type exprProgram struct {
	exprLimits
	exprs   []*expr
	results []int
}

var (
	errRange = errors.New("outside of the range")
	errShape = errors.New("shapes do not fit")
	errNear  = errors.New("too near to where a function jumps")
)

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// opErr is the error that an operation may add.
const opErr = 4 // units

// roundoff is the relative error of float64 results, the decoded ones included.
const roundoff = 1. / (1 << 51)

// functionErr is the relative error of a quotient or a root.
func (l exprLimits) functionErr() float64 {
	if l.fraction > 18 {
		return math.Ldexp(1, -28)
	}
	return math.Ldexp(1, -20)
}

// factorErr bounds the error of a public factor: it has as many fraction bits as
// make the largest of its array fill the fraction, at most two fractions and, if
// that is 1 or more, no less than one. Factors that fit are exact.
func (l exprLimits) factorErr(c []float64) []float64 {
	out := make([]float64, len(c))
	largest, low := 0.0, math.MaxInt
	for _, v := range c {
		if v != 0 {
			frac, e := math.Frexp(v)
			n := int64(math.Abs(math.Ldexp(frac, 53)))
			for e -= 53; n&1 == 0; n >>= 1 {
				e++
			}
			largest, low = math.Max(largest, math.Abs(v)), min(low, e)
		}
	}
	_, top := math.Frexp(largest)
	if largest == 0 || top-low <= l.fraction && -low <= 2*l.fraction {
		return out
	}
	scale := min(max(l.fraction, l.fraction-top), 2*l.fraction)
	for i, v := range c {
		out[i] = math.Max(math.Ldexp(1, -scale-1), math.Abs(v)*l.unit())
	}
	return out
}

// encoded is the error bound of a value where it meets secrets that are no factors
// of it.
func (p *exprProgram) encoded(e *expr) []float64 {
	if !e.public {
		return e.err
	}
	out := slices.Clone(e.err)
	for i := range out {
		out[i] += p.unit() / 2
	}
	return out
}

// factors are the error bounds of both factors of a product.
func (p *exprProgram) factors(x, y *expr) (ex, ey []float64) {
	with := func(c *expr, other *expr) []float64 {
		if !c.public || other.public {
			return c.err
		}
		out := p.factorErr(c.val)
		for i := range out {
			out[i] += c.err[i]
		}
		return out
	}
	return with(x, y), with(y, x)
}

// zero reports whether the value is public and 0.
func (e *expr) zero() bool {
	return e.public && !slices.ContainsFunc(e.val, func(v float64) bool { return v != 0 })
}

// productsOf reports whether all secrets among some values are products, and there
// is one.
func productsOf(xs ...*expr) bool {
	some := false
	for _, x := range xs {
		if !x.public && !x.product {
			return false
		}
		some = some || x.product
	}
	return some
}

// eval computes the i-th value of the values before it, and says why the program
// may not have it.
func (p *exprProgram) eval(i int) error {
	e := p.exprs[i]
	in := make([]*expr, len(e.args))
	for j, k := range e.args {
		in[j] = p.exprs[k]
		if in[j].logic() != (e.op == "select" && j == 0) {
			return errShape
		}
	}
	e.public, e.product, e.dotted, e.factor = true, false, e.op == "dot_general", 0
	for _, x := range in {
		e.public = e.public && x.public
		switch e.op {
		case "add", "subtract", "negate", "multiply", "square", "divide", "slice", "broadcast_in_dim", "concatenate":
			e.dotted, e.factor = e.dotted || x.dotted, math.Max(e.factor, x.factor)
		}
	}
	e.val, e.err = nil, nil
	added := opErr * p.unit()
	limit := p.values
	put := func(v, err float64) { e.val, e.err = append(e.val, v), append(e.err, err) }
	alike := func(xs ...*expr) bool {
		for _, x := range xs {
			if !slices.Equal(x.out, xs[0].out) {
				return false
			}
		}
		e.out = xs[0].out
		return true
	}
	switch e.op {
	case "input", "const", "mask":
		e.out, e.public = e.shape, e.op != "input" || e.owner == party.Public
		if len(e.data) != size(e.shape) {
			return errShape
		}
		for _, v := range e.data {
			if e.public {
				put(v, 0)
			} else {
				put(v, p.unit()/2)
			}
		}
		added = 0
	case "add", "subtract":
		x, y := in[0], in[1]
		if !alike(x, y) {
			return errShape
		}
		ex, ey := p.encoded(x), p.encoded(y)
		for j := range x.val {
			v := x.val[j] + y.val[j]
			if e.op == "subtract" {
				v = x.val[j] - y.val[j]
			}
			put(v, ex[j]+ey[j])
		}
		switch { // a public 0 is no term
		case x.product && y.product:
			e.product, limit = true, p.contractions
		case x.product && y.zero() || y.product && x.zero():
			e.product = true
		}
	case "negate":
		alike(in[0])
		for j, v := range in[0].val {
			put(-v, in[0].err[j])
		}
		e.product = in[0].product
	case "multiply", "square":
		x, y := in[0], in[len(in)-1]
		if !alike(x, y) {
			return errShape
		}
		ex, ey := p.factors(x, y)
		for j := range x.val {
			put(x.val[j]*y.val[j], math.Abs(x.val[j])*ey[j]+math.Abs(y.val[j])*ex[j]+ex[j]*ey[j])
		}
		if x.dotted || y.dotted {
			limit = p.contractions
			added += p.folded(e)
		}
		e.product = !e.public
		if e.product && (x.public && integers(x.val) && !y.product || y.public && integers(y.val) && !x.product) {
			e.product = false
		}
	case "dot_general":
		if err := p.dot(e, in[0], in[1]); err != nil {
			return err
		}
		if !e.public {
			e.product, limit = true, p.contractions
		}
	case "sum", "mean", "reduce_max", "reduce_min":
		if in[0].product && (e.op == "sum" || e.op == "mean") {
			limit = p.contractions
		}
		if err := p.reduce(e, in[0], limit); err != nil {
			return err
		}
	case "maximum", "minimum":
		x, y := in[0], in[1]
		if !alike(x, y) {
			return errShape
		}
		ex, ey := p.encoded(x), p.encoded(y)
		for j := range x.val {
			v := math.Max(x.val[j], y.val[j])
			if e.op == "minimum" {
				v = math.Min(x.val[j], y.val[j])
			}
			put(v, math.Max(ex[j], ey[j]))
		}
		e.product = productsOf(x, y)
	case "clamp":
		alike(in[0])
		ex := p.encoded(in[0])
		for j, v := range in[0].val {
			put(math.Min(math.Max(v, e.lo), e.hi), math.Max(ex[j], p.unit()/2))
		}
		e.product = in[0].product
		if e.lo > e.hi || math.Max(math.Abs(e.lo), math.Abs(e.hi)) > keptTo*p.values {
			return errRange
		}
	case "abs":
		alike(in[0])
		for j, v := range in[0].val {
			put(math.Abs(v), in[0].err[j])
		}
		e.product = in[0].product
	case "sqrt":
		x := in[0]
		alike(x)
		ex := p.encoded(x)
		for j, v := range x.val {
			if v <= 4*(ex[j]+p.unit()) {
				return errNear
			}
			put(math.Sqrt(v), ex[j]/(2*math.Sqrt(v-ex[j]))+p.functionErr()*math.Sqrt(v))
		}
	case "divide":
		if err := p.divide(e, in[0], in[1]); err != nil {
			return err
		}
		if in[0].dotted {
			limit = p.contractions
			added += p.folded(e)
		}
	case "concatenate":
		if err := p.concatenate(e, in); err != nil {
			return err
		}
		e.product = productsOf(in...)
	case "slice", "broadcast_in_dim":
		if err := p.view(e, in[0]); err != nil {
			return err
		}
		e.product, added = in[0].product, 0
	case "compare":
		x, y := in[0], in[1]
		if !alike(x, y) {
			return errShape
		}
		ex, ey := p.encoded(x), p.encoded(y)
		for j := range x.val {
			d := x.val[j] - y.val[j]
			if near := ex[j] + ey[j] + added + roundoff*(math.Abs(x.val[j])+math.Abs(y.val[j])); math.Abs(d) <= near {
				return errNear
			}
			v := 0.0
			if (d > 0) == (e.dir[0] == 'G') {
				v = 1
			}
			put(v, 0)
		}
		return nil
	case "select":
		b, x, y := in[0], in[1], in[2]
		if !alike(x, y, b) {
			return errShape
		}
		ex, ey := p.encoded(x), p.encoded(y)
		for j := range x.val {
			if b.val[j] != 0 {
				put(x.val[j], ex[j])
			} else {
				put(y.val[j], ey[j])
			}
		}
		e.product = productsOf(x, y)
	default:
		panic(e.op)
	}
	if e.op == "mask" {
		return nil
	}
	if e.public {
		e.product, added = false, 0
		if e.op != "const" && e.op != "input" {
			limit = p.values
		}
	}
	for j, v := range e.val {
		if e.op != "input" && e.op != "const" {
			e.err[j] += added + roundoff*math.Abs(v)
		}
		if !(math.Abs(v) < keptTo*limit && math.Abs(v)+e.err[j] < keptWithError*limit) {
			return errRange
		}
	}
	return nil
}

// folded bounds the error of what is dotted if a factor is folded into an operand of
// the dot: that is rounded once more, after the product.
func (p *exprProgram) folded(e *expr) float64 { return e.factor * p.unit() / 2 }

func integers(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return x != math.Trunc(x) })
}

// dot evaluates the product of vectors or matrices over the last dimension of x
// and the first of y.
func (p *exprProgram) dot(e, x, y *expr) error {
	if len(x.out) == 0 || len(y.out) == 0 || x.out[len(x.out)-1] != y.out[0] {
		return errShape
	}
	n := y.out[0]
	rows, cols := len(x.val)/n, len(y.val)/n
	e.out = append(slices.Clone(x.out[:len(x.out)-1]), y.out[1:]...)
	ex, ey := p.factors(x, y)
	for i, f := range []*expr{x, y} { // constants may have two bits less, to fit the range of contractions
		if f.public && !integers(f.val) {
			for j := range f.val {
				[][]float64{ex, ey}[i][j] *= 4
			}
		}
	}
	e.factor = float64(n) * math.Max(x.most(), y.most())
	for r := range rows {
		for c := range cols {
			v, err := 0.0, 0.0
			for k := range n {
				i, j := r*n+k, k*cols+c
				v += x.val[i] * y.val[j]
				err += math.Abs(x.val[i])*ey[j] + math.Abs(y.val[j])*ex[i] + ex[i]*ey[j] + roundoff*math.Abs(x.val[i]*y.val[j])
			}
			e.val, e.err = append(e.val, v), append(e.err, err)
		}
	}
	return nil
}

// reduce evaluates a reduction. The sum of a mean keeps to the limit too.
func (p *exprProgram) reduce(e, x *expr, limit float64) error {
	outer, n, inner, out, err := splitAt(x.out, e.dim)
	if err != nil {
		return err
	}
	e.out = out
	for o := range outer {
		for i := range inner {
			sum, errs, most, worst := 0.0, 0.0, math.Inf(-1), 0.0
			for k := range n {
				at := (o*n+k)*inner + i
				v := x.val[at]
				sum += v
				errs += x.err[at] + roundoff*math.Abs(v)
				worst = math.Max(worst, x.err[at])
				if e.op == "reduce_min" {
					v = -v
				}
				most = math.Max(most, v)
			}
			switch e.op {
			case "sum":
				e.val, e.err = append(e.val, sum), append(e.err, errs)
			case "mean":
				if !(math.Abs(sum) < keptTo*limit) {
					return errRange
				}
				by := 1 / float64(n)
				if !x.public {
					errs += opErr*p.unit() + math.Abs(sum)*p.factorErr([]float64{by})[0]/by
				}
				e.val, e.err = append(e.val, sum*by), append(e.err, errs*by)
			case "reduce_min", "reduce_max":
				if x.product && n == 2 && !(math.Abs(x.val[o*n*inner+i]-x.val[(o*n+1)*inner+i]) < keptTo*p.contractions) {
					return errRange // the difference is a contraction
				}
				if e.op == "reduce_min" {
					most = -most
				}
				e.val, e.err = append(e.val, most), append(e.err, worst)
			}
		}
	}
	e.product = x.product || e.op == "mean"
	return nil
}

// splitAt splits a shape at the dimension that is reduced, or at all if dim is −1.
func splitAt(shape []int, dim int) (outer, n, inner int, out []int, err error) {
	switch {
	case len(shape) == 0 || dim >= len(shape):
		return 0, 0, 0, nil, errShape
	case dim < 0:
		return 1, size(shape), 1, []int{}, nil
	}
	out = append(slices.Clone(shape[:dim]), shape[dim+1:]...)
	return size(shape[:dim]), shape[dim], size(shape[dim+1:]), out, nil
}

// divide evaluates a quotient by a secret, or by a public array, which is a product
// with the reciprocals.
func (p *exprProgram) divide(e, y, x *expr) error {
	if !slices.Equal(x.out, y.out) {
		return errShape
	}
	e.out = x.out
	if x.public {
		by := make([]float64, len(x.val))
		for j, v := range x.val {
			if by[j] = 1 / v; math.IsInf(by[j], 0) {
				return errRange
			}
		}
		errs := p.factorErr(by)
		for j, b := range by {
			eb := x.err[j] * b * b
			if !y.public {
				eb += errs[j]
			}
			e.val = append(e.val, y.val[j]/x.val[j])
			e.err = append(e.err, y.err[j]*math.Abs(b)+math.Abs(y.val[j])*eb+y.err[j]*eb)
		}
		e.product = !y.public
		return nil
	}
	ey := p.encoded(y)
	for j, v := range x.val {
		least := math.Abs(v) - x.err[j]
		if math.Abs(v) <= 8*(x.err[j]+p.unit()) {
			return errNear
		}
		q := y.val[j] / v
		e.val = append(e.val, q)
		e.err = append(e.err, (ey[j]+math.Abs(q)*x.err[j])/least+p.functionErr()*math.Abs(q))
	}
	return nil
}

// concatenate joins values along a dimension.
func (p *exprProgram) concatenate(e *expr, in []*expr) error {
	x, dim := in[0], e.dim
	if dim < 0 || dim >= len(x.out) {
		return errShape
	}
	e.out = slices.Clone(x.out)
	for _, y := range in[1:] {
		if len(y.out) != len(x.out) || !slices.Equal(y.out[:dim], x.out[:dim]) || !slices.Equal(y.out[dim+1:], x.out[dim+1:]) {
			return errShape
		}
		e.out[dim] += y.out[dim]
	}
	for o := range size(x.out[:dim]) {
		for _, y := range in {
			n := size(y.out[dim:])
			e.val = append(e.val, y.val[o*n:(o+1)*n]...)
			e.err = append(e.err, p.encoded(y)[o*n:(o+1)*n]...)
		}
	}
	return nil
}

// view evaluates a slice or a broadcast of a scalar.
func (p *exprProgram) view(e, x *expr) error {
	if e.op == "broadcast_in_dim" {
		if len(x.out) != 0 {
			return errShape
		}
		e.out = e.shape
		for range size(e.shape) {
			e.val, e.err = append(e.val, x.val[0]), append(e.err, x.err[0])
		}
		return nil
	}
	if len(e.span) != len(x.out) || len(x.out) == 0 {
		return errShape
	}
	at := []int{0}
	e.out = nil
	for d, s := range e.span {
		if s[1] > x.out[d] || s[0] >= s[1] {
			return errShape
		}
		var next []int
		for _, base := range at {
			for k := s[0]; k < s[1]; k += s[2] {
				next = append(next, base*x.out[d]+k)
			}
		}
		at = next
		e.out = append(e.out, (s[1]-s[0]+s[2]-1)/s[2])
	}
	for _, k := range at {
		e.val, e.err = append(e.val, x.val[k]), append(e.err, x.err[k])
	}
	return nil
}

// evalAll evaluates the whole program.
func (p *exprProgram) evalAll() error {
	for i := range p.exprs {
		if err := p.eval(i); err != nil {
			return err
		}
	}
	return nil
}

// inputs are the places of the program's arguments.
func (p *exprProgram) inputs() (out []int) {
	for i, e := range p.exprs {
		if e.op == "input" {
			out = append(out, i)
		}
	}
	return out
}

func typeText(shape []int, element string) string {
	s := "tensor<"
	for _, d := range shape {
		s += strconv.Itoa(d) + "x"
	}
	return s + element + ">"
}

func numberText(v float64) string {
	s := strconv.FormatFloat(v, 'e', -1, 64)
	if !strings.Contains(s, ".") {
		s = strings.Replace(s, "e", ".0e", 1)
	}
	return s
}

func denseText(data []float64, shape []int, text func(float64) string) string {
	if len(shape) == 0 {
		return text(data[0])
	}
	n := len(data) / shape[0]
	var parts []string
	for i := range shape[0] {
		parts = append(parts, denseText(data[i*n:(i+1)*n], shape[1:], text))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func intsText(xs []int) string { return strings.ReplaceAll(fmt.Sprint(xs), " ", ", ") }

// text is the program in StableHLO.
func (p *exprProgram) text() string {
	var b strings.Builder
	var args, outs, names []string
	for _, i := range p.inputs() {
		args = append(args, fmt.Sprintf("%%v%d: %s", i, typeText(p.exprs[i].out, "f64")))
	}
	for _, i := range p.results {
		outs = append(outs, typeText(p.exprs[i].out, "f64"))
		names = append(names, fmt.Sprintf("%%v%d", i))
	}
	fmt.Fprintf(&b, "module @random {\n  func.func public @main(%s) -> (%s) {\n", strings.Join(args, ", "), strings.Join(outs, ", "))
	for i, e := range p.exprs {
		for _, line := range p.lines(i, e) {
			fmt.Fprintf(&b, "    %s\n", line)
		}
	}
	fmt.Fprintf(&b, "    return %s : %s\n  }\n}\n", strings.Join(names, ", "), strings.Join(outs, ", "))
	return b.String()
}

// lines are the StableHLO operations of one value.
func (p *exprProgram) lines(i int, e *expr) []string {
	t := typeText(e.out, "f64")
	name := func(j int) string { return fmt.Sprintf("%%v%d", e.args[j]) }
	of := func(j int) string { return typeText(p.exprs[e.args[j]].out, "f64") }
	v := fmt.Sprintf("%%v%d", i)
	constant := func(name string, c float64) string {
		return fmt.Sprintf("%s = stablehlo.constant dense<%s> : tensor<f64>", name, numberText(c))
	}
	switch e.op {
	case "input":
		return nil
	case "const":
		return []string{fmt.Sprintf("%s = stablehlo.constant dense<%s> : %s", v, denseText(e.data, e.shape, numberText), t)}
	case "mask":
		truth := func(x float64) string { return strconv.FormatBool(x != 0) }
		return []string{fmt.Sprintf("%s = stablehlo.constant dense<%s> : %s", v, denseText(e.data, e.shape, truth), typeText(e.shape, "i1"))}
	case "add", "subtract", "multiply", "divide", "maximum", "minimum":
		return []string{fmt.Sprintf("%s = stablehlo.%s %s, %s : %s", v, e.op, name(0), name(1), t)}
	case "negate", "abs", "sqrt":
		return []string{fmt.Sprintf("%s = stablehlo.%s %s : %s", v, e.op, name(0), t)}
	case "square":
		return []string{fmt.Sprintf("%s = chlo.square %s : %s -> %s", v, name(0), t, t)}
	case "dot_general":
		return []string{fmt.Sprintf("%s = stablehlo.dot_general %s, %s, contracting_dims = [%d] x [0] : (%s, %s) -> %s",
			v, name(0), name(1), len(p.exprs[e.args[0]].out)-1, of(0), of(1), t)}
	case "sum", "mean", "reduce_max", "reduce_min":
		return p.reduction(i, e)
	case "clamp":
		return []string{constant(v+"l", e.lo), constant(v+"h", e.hi),
			fmt.Sprintf("%s = stablehlo.clamp %sl, %s, %sh : (tensor<f64>, %s, tensor<f64>) -> %s", v, v, name(0), v, t, t)}
	case "concatenate":
		var names, types []string
		for j := range e.args {
			names, types = append(names, name(j)), append(types, of(j))
		}
		return []string{fmt.Sprintf("%s = stablehlo.concatenate %s, dim = %d : (%s) -> %s", v, strings.Join(names, ", "), e.dim, strings.Join(types, ", "), t)}
	case "slice":
		var spans []string
		for _, s := range e.span {
			spans = append(spans, fmt.Sprintf("%d:%d:%d", s[0], s[1], s[2]))
		}
		return []string{fmt.Sprintf("%s = stablehlo.slice %s [%s] : (%s) -> %s", v, name(0), strings.Join(spans, ", "), of(0), t)}
	case "broadcast_in_dim":
		return []string{fmt.Sprintf("%s = stablehlo.broadcast_in_dim %s, dims = [] : (%s) -> %s", v, name(0), of(0), t)}
	case "compare":
		return []string{fmt.Sprintf("%s = stablehlo.compare %s, %s, %s, FLOAT : (%s, %s) -> %s", v, e.dir, name(0), name(1), of(0), of(1), typeText(e.out, "i1"))}
	case "select":
		return []string{fmt.Sprintf("%s = stablehlo.select %s, %s, %s : %s, %s", v, name(0), name(1), name(2), typeText(e.out, "i1"), t)}
	}
	panic(e.op)
}

// reduction are the operations of a reduction.
func (p *exprProgram) reduction(i int, e *expr) []string {
	x := p.exprs[e.args[0]]
	v, t := fmt.Sprintf("%%v%d", i), typeText(e.out, "f64")
	init, op, to := "0.0", "add", v
	switch e.op {
	case "reduce_max":
		init, op = "0xFFF0000000000000", "maximum"
	case "reduce_min":
		init, op = "0x7FF0000000000000", "minimum"
	case "mean":
		to += "s"
	}
	dims := []int{e.dim}
	if e.dim < 0 {
		dims = nil
		for d := range x.out {
			dims = append(dims, d)
		}
	}
	lines := []string{
		fmt.Sprintf("%sz = stablehlo.constant dense<%s> : tensor<f64>", v, init),
		fmt.Sprintf("%s = stablehlo.reduce(%%v%d init: %sz) applies stablehlo.%s across dimensions = %s : (%s, tensor<f64>) -> %s",
			to, e.args[0], v, op, intsText(dims), typeText(x.out, "f64"), t),
	}
	if e.op == "mean" {
		_, n, _, _, _ := splitAt(x.out, e.dim)
		lines = append(lines,
			fmt.Sprintf("%sn = stablehlo.constant dense<%d.0> : %s", v, n, t),
			fmt.Sprintf("%s = stablehlo.divide %ss, %sn : %s", v, v, v, t))
	}
	return lines
}

// form is the expression of a value: operations, and for leaves s (secret), p
// (public input) or c (constant).
func (p *exprProgram) form(i, depth int) string {
	e := p.exprs[i]
	switch {
	case e.op == "input" && e.owner == party.Public:
		return "p"
	case e.op == "input":
		return "s"
	case e.leaf():
		return "c"
	case depth == 0:
		return e.op
	}
	var args []string
	for _, k := range e.args {
		args = append(args, p.form(k, depth-1))
	}
	switch e.op {
	case "add", "multiply", "maximum", "minimum", "concatenate": // the order says nothing
		slices.Sort(args)
	}
	return e.op + "(" + strings.Join(args, ", ") + ")"
}

// exprMaker makes a random program.
type exprMaker struct {
	*rand.Rand
	*exprProgram
	parties int
}

// randomExpr is a random program of up to eight operations.
func randomExpr(r *rand.Rand, l exprLimits, parties int) *exprProgram {
	m := exprMaker{r, &exprProgram{exprLimits: l}, parties}
	m.fresh(m.someShape(), math.Log2(l.values))
	for range 1 + max(r.IntN(8), r.IntN(8)) {
		for range 40 {
			if m.try() {
				break
			}
		}
	}
	var may []int
	for i, e := range m.exprs {
		if !e.leaf() && !e.logic() {
			may = append(may, i)
		}
	}
	if len(may) == 0 {
		m.add(&expr{op: "abs", args: []int{0}})
		may = []int{len(m.exprs) - 1}
	}
	m.results = []int{may[len(may)-1]}
	for range r.IntN(3) {
		m.results = append(m.results, may[r.IntN(len(may))])
	}
	slices.Sort(m.results)
	m.results = slices.Compact(m.results)
	return m.exprProgram
}

func (m *exprMaker) someShape() []int {
	switch k := m.IntN(10); {
	case k == 0:
		return []int{}
	case k < 7:
		return []int{1 + m.IntN(6)}
	}
	return []int{1 + m.IntN(3), 1 + m.IntN(3)}
}

// add appends a value if the program may have it.
func (m *exprMaker) add(e *expr) (int, bool) {
	m.exprs = append(m.exprs, e)
	if err := m.eval(len(m.exprs) - 1); err != nil {
		m.exprs = m.exprs[:len(m.exprs)-1]
		return 0, false
	}
	return len(m.exprs) - 1, true
}

// numbers are elements with log-uniform magnitudes up to 2^top, of both signs.
func (m *exprMaker) numbers(n int, top float64) []float64 {
	least := -float64(m.fraction)
	top = math.Max(least, math.Min(top, math.Log2(m.values))+math.Log2(keptTo)-1e-6)
	if m.IntN(2) == 0 {
		top = least + (top-least)*m.Float64()
	}
	low := least
	if m.IntN(2) == 0 {
		low = math.Max(least, top-3)
	}
	few := m.IntN(3) == 0 // bits
	out := make([]float64, n)
	for i := range out {
		v := math.Exp2(low + (top-low)*m.Float64())
		if few {
			frac, e := math.Frexp(v)
			if v = math.Ldexp(math.Trunc(frac*8)/8, e); v >= 1 {
				v = math.Trunc(v)
			}
		}
		if m.IntN(2) == 0 {
			v = -v
		}
		if m.IntN(12) == 0 {
			v = 0
		}
		out[i] = v
	}
	return out
}

// owner is a rank, rather another one than the last input's: what one party owns it
// computes in clear.
func (m *exprMaker) owner() int {
	if k := m.inputs(); len(k) > 0 && m.IntN(2) == 0 {
		return (m.exprs[k[len(k)-1]].owner + 1) % m.parties // 0 after a public one
	}
	return m.IntN(m.parties)
}

// fresh appends an input or a constant with magnitudes up to 2^top.
func (m *exprMaker) fresh(shape []int, top float64) int {
	e := &expr{op: "input", shape: shape, data: m.numbers(size(shape), top), owner: m.owner()}
	first := len(m.exprs) == 0
	switch k := m.IntN(10); {
	case first || k < 6:
		e.ranged = m.IntN(8) == 0
	case k < 7:
		e.owner = party.Public
	default:
		e.op = "const"
		if m.IntN(2) == 0 {
			for i := range e.data {
				e.data[i] = e.data[0]
			}
		}
	}
	i, ok := m.add(e)
	if !ok {
		panic(fmt.Sprint("random input outside of its range: ", e.data))
	}
	return i
}

// some is the place of a number, the last ones rather.
func (m *exprMaker) some() int {
	for {
		i := m.IntN(len(m.exprs))
		if m.IntN(2) == 0 {
			i = len(m.exprs) - 1 - m.IntN(min(3, len(m.exprs)))
		}
		if !m.exprs[i].logic() {
			return i
		}
	}
}

// beside is the place of a number of a shape, below 2^top if it is fresh.
func (m *exprMaker) beside(shape []int, top float64) int {
	var may []int
	for i, e := range m.exprs {
		if !e.logic() && slices.Equal(e.out, shape) {
			may = append(may, i)
		}
	}
	if len(may) == 0 || m.IntN(2) == 0 {
		return m.fresh(shape, top)
	}
	return may[m.IntN(len(may))]
}

var exprOps = []string{"add", "add", "subtract", "multiply", "multiply", "multiply", "scaled", "dot_general", "dot_general", "sum", "mean",
	"maximum", "minimum", "reduce_max", "reduce_min", "clamp", "clamp", "concatenate", "slice", "select", "select", "abs", "square", "sqrt", "divide", "divide",
	"negate", "broadcast_in_dim"}

// try appends a random operation, and says whether it did.
func (m *exprMaker) try() bool {
	before := len(m.exprs)
	e := m.operation(exprOps[m.IntN(len(exprOps))])
	if e != nil {
		if _, ok := m.add(e); ok {
			return true
		}
	}
	m.exprs = m.exprs[:before]
	return false
}

// operation is a random operation, which may not be allowed.
func (m *exprMaker) operation(op string) *expr {
	x := m.some()
	in := m.exprs[x]
	room := math.Log2(m.values)
	size1 := math.Log2(math.Max(in.most(), m.unit()))
	swap := func(a, b int) []int {
		if m.IntN(2) == 0 {
			return []int{b, a}
		}
		return []int{a, b}
	}
	switch op {
	case "add", "subtract", "maximum", "minimum":
		return &expr{op: op, args: swap(x, m.beside(in.out, room))}
	case "multiply":
		return &expr{op: op, args: swap(x, m.beside(in.out, room-size1))}
	case "scaled": // by a constant
		k, ok := m.add(&expr{op: "const", shape: in.out, data: m.numbers(len(in.val), room-size1)})
		if !ok {
			return nil
		}
		if m.IntN(3) > 0 {
			for i := range m.exprs[k].data {
				m.exprs[k].data[i] = m.exprs[k].data[0]
			}
			m.eval(k)
		}
		return &expr{op: "multiply", args: swap(x, k)}
	case "dot_general":
		if len(in.out) == 0 {
			return nil
		}
		n := in.out[len(in.out)-1]
		top := math.Log2(m.contractions) - size1 - math.Log2(float64(n))
		other := []int{n}
		if m.IntN(3) == 0 {
			other = append(other, 1+m.IntN(3))
		}
		return &expr{op: op, args: []int{x, m.beside(other, top)}}
	case "sum", "mean", "reduce_max", "reduce_min":
		e := &expr{op: op, args: []int{x}, dim: -1}
		if len(in.out) == 2 && m.IntN(2) == 0 {
			e.dim = m.IntN(2)
		}
		return e
	case "clamp":
		b := m.numbers(2, room)
		return &expr{op: op, args: []int{x}, lo: min(b[0], b[1]), hi: max(b[0], b[1])}
	case "concatenate":
		if len(in.out) == 0 {
			return nil
		}
		dim := m.IntN(len(in.out))
		other := slices.Clone(in.out)
		if m.IntN(2) == 0 {
			other[dim] = 1 + m.IntN(2)
		}
		if in.out[dim]+other[dim] > 6 {
			return nil
		}
		return &expr{op: op, args: swap(x, m.beside(other, room)), dim: dim}
	case "slice":
		e := &expr{op: op, args: []int{x}}
		for _, d := range in.out {
			from := m.IntN(d)
			e.span = append(e.span, [3]int{from, from + 1 + m.IntN(d-from), 1 + m.IntN(4)/3})
		}
		return e
	case "broadcast_in_dim":
		return &expr{op: op, args: []int{x}, shape: []int{1 + m.IntN(5)}}
	case "select":
		y := m.beside(in.out, room)
		if m.IntN(4) == 0 {
			e := &expr{op: "mask", shape: in.out}
			for range in.val {
				e.data = append(e.data, float64(m.IntN(2)))
			}
			k, _ := m.add(e)
			return &expr{op: op, args: []int{k, x, y}}
		}
		of := m.beside(in.out, room)
		dir := []string{"GT", "GE", "LT", "LE"}[m.IntN(4)]
		k, ok := m.add(&expr{op: "compare", args: []int{of, m.beside(in.out, room)}, dir: dir})
		if !ok {
			return nil
		}
		return &expr{op: op, args: append([]int{k}, swap(x, y)...)}
	case "sqrt":
		if slices.ContainsFunc(in.val, func(v float64) bool { return v < 0 }) {
			k, ok := m.add(&expr{op: "abs", args: []int{x}})
			if !ok {
				return nil
			}
			x = k
		}
		return &expr{op: op, args: []int{x}}
	case "divide":
		return &expr{op: op, args: swap(x, m.beside(in.out, room))}
	}
	return &expr{op: op, args: []int{x}} // abs, square, negate
}
