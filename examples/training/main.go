// Training fits a logistic regression on the features of two parties, with Adam. Only the weights and the loss are revealed.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/tensor"
)

func main() {
	b := build.New("logistic")
	x, z := b.Arg("x", tensor.F32, 200, 2), b.Arg("z", tensor.F32, 200, 3)
	y := b.Arg("y", tensor.F32, 200)
	m := nn.New(b)
	layer := m.Dense("layer", 5, 1)
	loss := m.Train(40, nn.Adam{Rate: nn.Constant(0.1)}, func(build.Value) build.Value {
		return nn.SigmoidCrossEntropy(b, b.Reshape(layer.Apply(b.Concat(1, x, z)), 200), y)
	})
	b.Return(append(m.Values(), loss)...)
	program, err := b.Program()
	if err != nil {
		log.Fatal(err)
	}
	alice, bob, labels := data() // Alice's features, Bob's features and Bob's labels
	args := []tacet.Arg{{Owner: 0, Data: alice}, {Owner: 1, Data: bob}, {Owner: 1, Data: labels}}
	for first, i := m.Init(1), 0; i < len(m.Params()); i++ {
		args = append(args, tacet.Arg{Owner: tacet.Public, Data: first.Array(m.Params()[i].Name())})
	}
	out, err := tacet.Run(context.Background(), tacet.Spec{Program: program, Parties: []string{"alice", "bob"}, Args: args})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("weights %.1f, loss %.2f\n", out.Results[0].Floats(), out.Results[2].Floats()[0])
}
