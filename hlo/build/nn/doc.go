// Package nn has layers, losses and optimisers for programs that package build writes.
//
//	b := build.New("train")
//	x, y := b.Arg("x", tensor.F32, 569, 30), b.Arg("y", tensor.F32, 569)
//	m := nn.New(b)
//	hidden, out := m.Dense("hidden", 30, 16), m.Dense("out", 16, 1)
//	loss := m.Train(100, nn.Adam{Rate: nn.Constant(0.01)}, func(build.Value) build.Value {
//		h := b.Relu(hidden.Apply(x))
//		return nn.SigmoidCrossEntropy(b, b.Reshape(out.Apply(h), 569), y)
//	})
//	b.Return(append(m.Values(), loss)...)
//
// # Parameters
//
// A Model declares a layer's parameters as arguments of the program, behind those declared before, under names such as
// "hidden.weight". Within gives them a path. Their first values are not part of the program: Model.Init makes them from a
// seed, as random numbers that everybody may know, and Params saves and loads them as .npz and .safetensors files, so that
// a trained model of one party can be the argument instead. Init's numbers depend on the seed and the names only.
//
// # Training
//
// Train writes a loop whose iterations compute the loss, its gradient (build.Builder.Gradient), and an optimiser's
// update. The loop is an ordinary loop of the program: its state stays secret, its checkpoints are the job's. Optimisers
// are written as optax has them, so that what package pattern knows of these applies: parameters keep guard bits, and
// second moments keep digits.
//
// Like those of package build, functions here neither return errors nor panic: the first mistake is kept by the Builder.
package nn
