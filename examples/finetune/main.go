// Command finetune trains a new last layer of an imported ONNX model on secrets: bob has a network that knows five digits,
// alice images of other digits, and they train the answer to alice's question. Only the new layer and its loss are revealed.
package main

import (
	"context"
	"fmt"
	"log"
	"path/filepath"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/tensor"
)

const (
	alice = 0
	bob   = 1
)

func main() {
	file, err := onnx.Open(filepath.Join(folder, "../resnet/model.onnx"))
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	images, labels := data()
	model, err := file.Import(onnx.Options{Shapes: map[string][]int{"image": images.Shape}, Outputs: []string{"/6/Flatten_output_0"}})
	if err != nil {
		log.Fatal(err)
	}
	b := build.New("finetune")
	args := []tacet.Arg{{Owner: alice, Data: images}, {Owner: alice, Data: labels}}
	x, y := b.Arg("images", tensor.F32, images.Shape...), b.Arg("labels", tensor.F32, labels.Shape...)
	inputs := []build.Value{x}
	for i, w := range model.Weights {
		inputs = append(inputs, b.Arg(fmt.Sprint("weight", i), w.Type.DType, w.Type.Shape...))
		weight, err := w.Array()
		if err != nil {
			log.Fatal(err)
		}
		args = append(args, tacet.Arg{Owner: bob, Data: weight})
	}
	features := b.Include("model", model.Program, inputs...)[0] // of each image, computed once
	m := nn.New(b)
	layer := m.Dense("layer", features.Dim(1), 1)
	loss := m.Train(60, nn.Adam{Rate: nn.Constant(0.1)}, func(build.Value) build.Value {
		return nn.SigmoidCrossEntropy(b, b.Reshape(layer.Apply(features), labels.Len()), y)
	})
	scores := b.Reshape(layer.Apply(features), labels.Len())
	right := b.Equal(b.Greater(scores, 0), b.Greater(y, 0.5))
	b.Return(append(m.Values(), loss, b.Mean(b.Convert(right, tensor.F32)))...)
	program, err := b.Program()
	if err != nil {
		log.Fatal(err)
	}
	first := m.Init(1)
	for _, p := range m.Params() {
		args = append(args, tacet.Arg{Owner: tacet.Public, Data: first.Array(p.Name())})
	}
	out, err := tacet.Run(context.Background(), tacet.Spec{Program: program, Parties: []string{"alice", "bob"}, Args: args})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d weights, loss %.2f, at least 9 in 10 right: %v\n", out.Results[0].Len(), out.Results[2].Floats()[0], out.Results[3].Floats()[0] >= 0.9)
}
