package nn

import "github.com/tacet-mpc/tacet/hlo/build"

// SoftmaxCrossEntropy returns a scalar: the mean, over all dimensions but the last, of −Σ labels·log softmax(logits)
// along the last dimension. labels have the shape of logits and hold one-hot vectors or probabilities.
func SoftmaxCrossEntropy(b *build.Builder, logits, labels build.Value) build.Value {
	return b.Neg(b.Mean(b.Sum(b.Mul(labels, LogSoftmax(b, logits)), -1)))
}

// SigmoidCrossEntropy returns the mean of softplus(logits) − labels·logits over all elements, a scalar: the logistic
// loss for labels 0 and 1, or for probabilities.
func SigmoidCrossEntropy(b *build.Builder, logits, labels build.Value) build.Value {
	return b.Mean(b.Sub(softplus(b, logits), b.Mul(labels, logits)))
}

// softplus is log(1 + exp x) without exponentials of large numbers.
func softplus(b *build.Builder, x build.Value) build.Value {
	return b.Add(b.Max(x, 0), b.Log1p(b.Exp(b.Neg(b.Abs(x)))))
}

// MeanSquaredError returns the mean of (predictions − targets)² over all elements, a scalar.
func MeanSquaredError(b *build.Builder, predictions, targets build.Value) build.Value {
	d := b.Sub(predictions, targets)
	return b.Mean(b.Mul(d, d))
}

// LogSoftmax returns x − log Σ exp x along the last dimension. It subtracts the maximum first, so that exponentials do
// not overflow.
func LogSoftmax(b *build.Builder, x build.Value) build.Value {
	keep := x.Shape()
	if len(keep) > 0 {
		keep[len(keep)-1] = 1
	}
	d := b.Sub(x, b.Reshape(b.ReduceMax(x, -1), keep...))
	return b.Sub(d, b.Log(b.Reshape(b.Sum(b.Exp(d), -1), keep...)))
}
