package onnx

import (
	"fmt"
	"math"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var mlModelOps = map[string]operation{
	"ai.onnx.ml.TreeEnsembleClassifier": {build: (*node).treeClassifier},
	"ai.onnx.ml.TreeEnsembleRegressor":  {build: (*node).treeRegressor},
	"ai.onnx.ml.TreeEnsemble":           {build: (*node).treeEnsemble},
	"ai.onnx.ml.LinearClassifier":       {build: linearClassifier},
	"ai.onnx.ml.LinearRegressor":        {build: linearRegressor},
	"ai.onnx.ml.SVMClassifier":          {build: svmClassifier},
	"ai.onnx.ml.SVMRegressor":           {build: svmRegressor},
}

// labels are the classes of a classifier.
type labels struct {
	ints  []int
	texts []string
}

// labels reads the classes: integers of an attribute, or texts. A text is given as the number of its class.
func (x *node) labels(ints string) labels {
	l := labels{x.ints(ints), x.texts("classlabels_strings")}
	if len(l.ints) == 0 && len(l.texts) == 0 {
		x.fail("the file is damaged", "there are no labels of classes")
	}
	if len(l.texts) > 0 && !x.folding {
		x.im.noteTexts(x.n.Outputs[0], l.texts)
	}
	return l
}

// noteTexts notes that a result has numbers in place of texts.
func (im *importer) noteTexts(output string, texts []string) {
	var parts []string
	for i, t := range texts {
		parts = append(parts, fmt.Sprintf("%d %q", i, t))
	}
	im.m.Notes = append(im.m.Notes, fmt.Sprintf("%s has the number of the class in place of its name: %s", output, strings.Join(parts, ", ")))
}

func (l labels) count() int { return max(len(l.ints), len(l.texts)) }

// name gives numbers of classes, i64, their labels.
func (l labels) name(b *build.Builder, at build.Value) build.Value {
	plain := true
	for i, n := range l.ints {
		plain = plain && n == i
	}
	if plain {
		return at
	}
	return b.Take(b.Array(int64s(l.ints...)), at, 0)
}

// transformed applies a post_transform to scores.
func (x *node) transformed(v build.Value, kind string) build.Value {
	b := x.b
	switch upper(kind) {
	case "NONE", "":
		return v
	case "LOGISTIC":
		return b.Sigmoid(v)
	case "SOFTMAX":
		return b.Softmax(v, -1)
	case "SOFTMAX_ZERO":
		// A score of 0 has no share.
		e := b.Exp(b.Sub(v, keepDims(b, b.ReduceMax(v, -1), v, v.Rank()-1)))
		e = b.Select(b.Greater(b.Abs(v), 1e-7), e, 0)
		return b.Div(e, keepDims(b, b.Sum(e, -1), v, v.Rank()-1))
	case "PROBIT":
		return b.Mul(b.Op(hlo.OpErfInv, []build.Value{b.Sub(b.Mul(v, 2), 1)}, nil)[0], math.Sqrt2)
	}
	x.fail("the file is damaged", "post_transform is %q", kind)
	return v
}

// classified are the labels and the scores of a classifier. One score is that of the second of two classes: a probability, if
// positive says that all weights are, else a number whose sign decides.
func (x *node) classified(score build.Value, l labels, transform string, positive bool) []*value {
	b := x.b
	n := score.Dim(0)
	if score.Dim(1) == 1 {
		threshold := 0.0
		if positive {
			threshold = 0.5
		}
		flat := b.Reshape(score, n)
		second := b.Greater(flat, threshold)
		var label build.Value
		switch {
		case len(l.ints) == 2:
			label = b.Select(second, b.Const(tensor.I64, l.ints[1]), b.Const(tensor.I64, l.ints[0]))
		default:
			label = b.Convert(second, tensor.I64)
		}
		first := b.Neg(score)
		if positive {
			first = b.Sub(b.Const(score.DType(), 1), score)
			transform = "NONE"
		}
		both := b.Concat(1, first, score)
		if upper(transform) == "PROBIT" {
			return several(label, x.cast(x.transformed(both, "PROBIT"), tensor.F32))
		}
		return several(label, x.cast(x.transformed(both, transform), tensor.F32))
	}
	_, at := argMax(b, score, 1, false, false)
	return several(l.name(b, b.Convert(at, tensor.I64)), x.cast(x.transformed(score, transform), tensor.F32))
}

// affine is rows times coefficients plus intercepts: rows, n.
func (x *node) affine(v build.Value, n int) build.Value {
	b, c := x.b, x.numbers64("coefficients")
	if n < 1 || len(c) != n*v.Dim(1) {
		x.fail("the model does not take inputs of this shape", "there are %d coefficients for %d times %d", len(c), n, v.Dim(1))
	}
	w := x.weightOf("coefficients", v.DType(), tensor.Shape{n, v.Dim(1)}, c)
	out := b.DotGeneral(v, w, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}})
	if i := x.numbers64("intercepts"); len(i) > 0 {
		if len(i) != n {
			x.fail("the file is damaged", "there are %d intercepts, want %d", len(i), n)
		}
		out = b.Add(out, x.weightOf("intercepts", v.DType(), tensor.Shape{1, n}, i))
	}
	return out
}

func linearRegressor(x *node) []*value {
	v := x.affine(x.rows(), x.int("targets", 1))
	return one(x.cast(x.transformed(v, x.text("post_transform", "NONE")), tensor.F32))
}

func linearClassifier(x *node) []*value {
	l, v := x.labels("classlabels_ints"), x.rows()
	n := len(x.numbers64("coefficients")) / max(1, v.Dim(1))
	return x.classified(x.affine(v, n), l, x.text("post_transform", "NONE"), false)
}

// kernel is the kernel of rows and support vectors: rows, vectors.
func (x *node) kernel(v build.Value, n int) build.Value {
	b := x.b
	s := x.numbers64("support_vectors")
	if n < 1 || len(s) != n*v.Dim(1) {
		x.fail("the model does not take inputs of this shape", "there are %d numbers of support vectors for %d times %d", len(s), n, v.Dim(1))
	}
	vectors := x.weightOf("vectors", v.DType(), tensor.Shape{n, v.Dim(1)}, s)
	params := x.floats("kernel_params")
	p := [3]float64{}
	for i := range min(3, len(params)) {
		p[i] = float64(params[i])
	}
	dot := b.DotGeneral(v, vectors, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}})
	switch kind := upper(x.text("kernel_type", "LINEAR")); kind {
	case "LINEAR":
		return dot
	case "POLY":
		return powInt(b, b.Add(b.Mul(dot, p[0]), p[1]), int(p[2]))
	case "SIGMOID":
		return b.Tanh(b.Add(b.Mul(dot, p[0]), p[1]))
	case "RBF":
		// |v − s|² = |v|² + |s|² − 2 v·s
		square := func(m build.Value, at int) build.Value {
			return b.BroadcastInDim(b.Sum(b.Mul(m, m), 1), []int{at}, v.Dim(0), n)
		}
		distance := b.Sub(b.Add(square(v, 0), square(vectors, 1)), b.Mul(dot, 2))
		return b.Exp(b.Mul(distance, -p[0]))
	default:
		x.fail("the file is damaged", "kernel_type is %q", kind)
		return dot
	}
}

// powInt is a power by products.
func powInt(b *build.Builder, v build.Value, n int) build.Value {
	if n < 1 || n > 8 {
		return b.Pow(v, n)
	}
	out := v
	for range n - 1 {
		out = b.Mul(out, v)
	}
	return out
}

func svmRegressor(x *node) []*value {
	b, v := x.b, x.rows()
	rho := x.numbers64("rho")
	if len(rho) < 1 {
		x.fail("the file is damaged", "rho is missing")
	}
	c := x.numbers64("coefficients")
	var k build.Value
	if n := x.int("n_supports", 0); n > 0 {
		k = x.kernel(v, n)
	} else {
		k = v
	}
	if len(c) != k.Dim(1) {
		x.fail("the file is damaged", "there are %d coefficients, want %d", len(c), k.Dim(1))
	}
	w := x.weightOf("coefficients", v.DType(), tensor.Shape{len(c), 1}, c)
	out := b.Add(b.DotGeneral(k, w, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{0}}),
		x.weightOf("rho", v.DType(), tensor.Shape{1, 1}, rho[:1]))
	if x.int("one_class", 0) != 0 {
		positive := b.Greater(out, 0)
		return one(x.cast(b.Select(positive, b.Const(v.DType(), 1), -1), tensor.F32))
	}
	return one(x.cast(x.transformed(out, x.text("post_transform", "NONE")), tensor.F32))
}

// svmClassifier decides between each two classes; the class with the most votes wins.
func svmClassifier(x *node) []*value {
	b, v, l := x.b, x.rows(), x.labels("classlabels_ints")
	per := x.ints("vectors_per_class")
	classes := l.count()
	if len(per) == 0 {
		return x.linearSVM(v, l)
	}
	total := 0
	var start []int
	for _, n := range per {
		if n < 0 {
			x.fail("the file is damaged", "vectors_per_class is %v", per)
		}
		start = append(start, total)
		total += n
	}
	c, rho := x.numbers64("coefficients"), x.numbers64("rho")
	pairs := classes * (classes - 1) / 2
	if classes != len(per) || len(c) != (classes-1)*total || len(rho) != pairs {
		x.fail("the file is damaged", "coefficients of %d classes are not as many", classes)
	}
	// Column p of the matrix has the coefficients of pair p.
	w := make([]float64, total*pairs)
	var left, right []int
	p := 0
	for i := range classes {
		for j := i + 1; j < classes; j++ {
			for s := start[i]; s < start[i]+per[i]; s++ {
				w[s*pairs+p] = c[(j-1)*total+s]
			}
			for s := start[j]; s < start[j]+per[j]; s++ {
				w[s*pairs+p] = c[i*total+s]
			}
			left, right = append(left, i), append(right, j)
			p++
		}
	}
	k := x.kernel(v, total)
	scores := b.Add(b.DotGeneral(k, x.weightOf("coefficients", v.DType(), tensor.Shape{total, pairs}, w),
		hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{0}}), x.weightOf("rho", v.DType(), tensor.Shape{1, pairs}, rho))
	won := b.Greater(scores, 0)
	votes := x.votes(won, left, right, classes)
	_, at := argMax(b, votes, 1, false, false)
	label := l.name(b, b.Convert(at, tensor.I64))
	a, bs := x.numbers64("prob_a"), x.numbers64("prob_b")
	if len(a) == 0 {
		if pairs == 1 {
			scores = b.Concat(1, b.Neg(scores), scores)
		}
		return several(label, x.cast(x.transformed(scores, x.text("post_transform", "NONE")), tensor.F32))
	}
	if classes != 2 || len(a) != 1 || len(bs) != 1 {
		x.unsupported("train without probability=True", "probabilities of %d classes by Platt's method are not supported", classes)
	}
	first := b.Sigmoid(b.Neg(b.Add(b.Mul(scores, x.weightOf("prob_a", v.DType(), tensor.Shape{1, 1}, a)),
		x.weightOf("prob_b", v.DType(), tensor.Shape{1, 1}, bs))))
	second := b.Sub(b.Const(first.DType(), 1), first)
	class := b.Convert(b.Reshape(b.Greater(second, first), v.Dim(0)), tensor.I64)
	return several(l.name(b, class), x.cast(b.Concat(1, first, second), tensor.F32))
}

// votes counts, for each class, the pairs that it wins, as i32.
func (x *node) votes(won build.Value, left, right []int, classes int) build.Value {
	b := x.b
	// votes = won·(L − R) + the number of pairs in which the class is the second one
	sign, second := make([]int32, len(left)*classes), make([]int32, classes)
	for p := range left {
		sign[p*classes+left[p]]++
		sign[p*classes+right[p]]--
		second[right[p]]++
	}
	m := b.Array(&tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: tensor.Shape{len(left), classes}}, Data: sign})
	s := b.Array(&tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: tensor.Shape{1, classes}}, Data: second})
	return b.Add(b.DotGeneral(b.Convert(won, tensor.I32), m, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{0}}), s)
}

// linearSVM has a vector of coefficients for each class and no support vectors.
func (x *node) linearSVM(v build.Value, l labels) []*value {
	b, rho := x.b, x.numbers64("rho")
	c := x.numbers64("coefficients")
	n := l.count()
	if len(c) != n*v.Dim(1) || len(rho) < 1 {
		x.fail("the model does not take inputs of this shape", "there are %d coefficients for %d times %d", len(c), n, v.Dim(1))
	}
	w := x.weightOf("coefficients", v.DType(), tensor.Shape{n, v.Dim(1)}, c)
	score := b.DotGeneral(v, w, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}})
	score = b.Add(score, x.weightOf("rho", v.DType(), tensor.Shape{1, 1}, rho[:1]))
	return x.classified(score, l, x.text("post_transform", "NONE"), false)
}
