// Digits trains a convolutional network for handwritten digits on Alice's images and Bob's labels, with GoMLX's layers,
// optimiser and Trainer as they are. The losses of the steps and the accuracy at the end are revealed. The trained weights stay
// shared, so that neither party has them.
package main

import (
	"fmt"
	"log"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/metric"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/gomlx"
)

// network returns the scores of ten digits for images of 8×8.
func network(scope *model.Scope, images *graph.Node) *graph.Node {
	x := layers.Convolution(scope.In("conv"), images).Channels(4).KernelSize(3).PadSame().Done()
	x = graph.MaxPool(activation.Relu(x)).Window(2).Done()
	x = graph.Reshape(x, x.Shape().Dimensions[0], -1)
	return layers.Dense(scope.In("dense"), x, true, 10)
}

func main() {
	_, loss, accuracy, backend, err := learn(40, 500, 200)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("loss %.2f, %.0f %% of the images that were held out are recognised\n", loss, 100*accuracy)
	fmt.Printf("revealed: %d numbers\n", len(backend.Revealed()))
}

// learn trains for some steps and returns the first and the last loss, and the accuracy on images that were held out.
func learn(steps, images, heldOut int) (first, last, accuracy float32, backend *gomlx.Backend, err error) {
	backend, err = gomlx.New(gomlx.Config{
		Spec:   tacet.Spec{Parties: []string{"alice", "bob"}},
		Reveal: []gomlx.Rule{{Graph: "Trainer", Last: 2}}, // what each step and each evaluation returns: two metrics
	})
	if err != nil {
		return 0, 0, 0, nil, err
	}
	owned := func(seed uint64, n, batch int) (train.Dataset, error) {
		x, y := digits(seed, n)
		ds, err := dataset.InMemoryFromData(backend, "digits", []any{x}, []any{y})
		if err != nil {
			return nil, err
		}
		ds.BatchSize(batch, true).Infinite(seed == 1)
		return backend.Dataset(ds, gomlx.Owners{Inputs: []string{"alice"}, Labels: []string{"bob"}}), nil
	}
	training, err := owned(1, images, 50)
	if err != nil {
		return 0, 0, 0, nil, err
	}
	test, err := owned(2, heldOut, heldOut)
	if err != nil {
		return 0, 0, 0, nil, err
	}
	store := model.NewStore()
	if err := store.SetRNGStateFromSeed(1); err != nil { // the first weights are random numbers that everybody may know
		return 0, 0, 0, nil, err
	}
	trainer := train.NewTrainer(backend, store, network, loss.SparseCategoricalCrossEntropyLogits,
		optimizer.Adam().LearningRate(0.02).Done(), nil, []metric.Interface{metric.NewSparseCategoricalAccuracy("accuracy", "#acc")})
	loop := train.NewLoop(trainer)
	metrics, err := loop.RunSteps(training, 1)
	if err != nil {
		return 0, 0, 0, nil, err
	}
	first = metrics[0].Value().(float32)
	if metrics, err = loop.RunSteps(training, steps-1); err != nil {
		return 0, 0, 0, nil, err
	}
	last = metrics[0].Value().(float32)
	if metrics, err = trainer.Eval(test); err != nil {
		return 0, 0, 0, nil, err
	}
	return first, last, metrics[1].Value().(float32), backend, nil
}
