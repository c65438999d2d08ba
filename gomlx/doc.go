// Package gomlx runs GoMLX's models on data that stays secret-shared among parties. It is a backend of
// github.com/gomlx/gomlx: layers, losses, optimisers, metrics and the Trainer are used as they are.
//
//	backend, err := gomlx.New(gomlx.Config{
//		Spec:   tacet.Spec{Parties: []string{"alice", "bob"}},
//		Reveal: []gomlx.Rule{{Graph: "Trainer", Last: 2}}, // loss and average loss of each step
//	})
//	ds := backend.Dataset(data, gomlx.Owners{Inputs: []string{"alice"}, Labels: []string{"bob"}})
//	trainer := train.NewTrainer(backend, store, network, loss.MeanSquaredError, optimizer.Adam().Done(), nil, nil)
//	_, err = train.NewLoop(trainer).RunSteps(ds, 100)
//
// The folder examples/digits has a whole program. The module is one of its own, with versions of GoMLX that work together:
// interfaces of github.com/gomlx/compute change between releases. It needs neither cgo nor XLA.
//
// # Who knows what
//
// A tensor is public, one party's own, or secret. Tensors that a Go program gives to GoMLX are public, so are the initial
// weights, which are random numbers from a seed; Backend.Owned and Backend.Dataset say what belongs to a party.
//
// Each computation is built as a StableHLO program (package hlo/build). When it is executed, results that depend on public
// tensors alone are public (the number of the step, a schedule's rate), and results that depend on one party's tensors as well
// are that party's; both are computed in the clear. All other results are kept as shares, which the next computation takes as
// its arguments: a Trainer's weights and moments are secret from the first step on. Nothing is revealed by executing.
//
// Reading a secret tensor, as Tensor.Value does, reveals it to the parties of Spec.Reveal if a Rule of Config.Reveal names it,
// and is refused otherwise. Backend.Reveal names one tensor, for instance a variable after the training. Backend.Revealed lists
// what was revealed. A train.Loop reads the metrics of each step, so it needs a rule for them; Trainer.TrainStep reads nothing.
//
// # Security
//
// All parties run in this process (tacet.Run), whose user can see all data: to develop a model, to test it and to measure it.
// A refusal protects against mistakes in a program, not against the process. What the protocols protect is said in package
// tacet; each execution is a session of its own with fresh randomness, and the shares that it keeps are those of package party.
//
// # Limits
//
// Shapes are static. Random bits from a secret state are refused, and so are operations on secrets that package exec refuses.
// GoMLX's fused operations are decomposed by GoMLX; softmax, layer normalisation and others are recognised again by Tacet's
// passes. Gradients are GoMLX's.
package gomlx
