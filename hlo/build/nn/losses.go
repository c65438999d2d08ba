package nn

import "github.com/tacet-mpc/tacet/hlo/build"

// SoftmaxCrossEntropy returns the mean of −Σ labels·log softmax(logits) over all but the last dimension. labels have the
// shape of logits: a one-hot vector or probabilities along the last dimension.
func SoftmaxCrossEntropy(b *build.Builder, logits, labels build.Value) build.Value {
	return b.Neg(b.Mean(b.Sum(b.Mul(labels, LogSoftmax(b, logits)), -1)))
}

// SigmoidCrossEntropy returns the mean of softplus(logits) − labels·logits, the logistic loss of labels 0 and 1, or of
// probabilities.
func SigmoidCrossEntropy(b *build.Builder, logits, labels build.Value) build.Value {
	return b.Mean(b.Sub(softplus(b, logits), b.Mul(labels, logits)))
}

// softplus is log(1 + exp x) without exponentials of large numbers.
func softplus(b *build.Builder, x build.Value) build.Value {
	return b.Add(b.Max(x, 0), b.Log1p(b.Exp(b.Neg(b.Abs(x)))))
}

// MeanSquaredError returns the mean of (predictions − targets)².
func MeanSquaredError(b *build.Builder, predictions, targets build.Value) build.Value {
	d := b.Sub(predictions, targets)
	return b.Mean(b.Mul(d, d))
}

// LogSoftmax returns the logarithm of the softmax along the last dimension, without exponentials of large numbers.
func LogSoftmax(b *build.Builder, x build.Value) build.Value {
	keep := x.Shape()
	if len(keep) > 0 {
		keep[len(keep)-1] = 1
	}
	d := b.Sub(x, b.Reshape(b.ReduceMax(x, -1), keep...))
	return b.Sub(d, b.Log(b.Reshape(b.Sum(b.Exp(d), -1), keep...)))
}
