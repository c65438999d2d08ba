package tacet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet"
)

// score is a program with two arguments, as jax.jit(f).lower(x, w).as_text() prints
// it: the logistic score of two rows of three features.
const score = `func.func @main(%x: tensor<2x3xf32>, %w: tensor<3xf32>) -> tensor<2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %1 = stablehlo.logistic %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}`

// scoreSpec has alice own the features and bob the weights; alice learns the scores.
func scoreSpec() tacet.Spec {
	p, err := tacet.Parse("score.mlir", []byte(score))
	if err != nil {
		log.Fatal(err)
	}
	x, err := tacet.NewArray([]float32{1, 0, 2, 0, 3, 1}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	w, err := tacet.NewArray([]float32{0.5, -1, 0.25})
	if err != nil {
		log.Fatal(err)
	}
	return tacet.Spec{
		Program: p,
		Parties: []string{"alice", "bob"},
		Args:    []tacet.Arg{{Owner: 0, Data: x}, {Owner: 1, Data: w}},
		Reveal:  []int{0},
	}
}

// Run computes with all parties in this process.
func ExampleRun() {
	out, err := tacet.Run(context.Background(), scoreSpec())
	if err != nil {
		log.Fatal(err)
	}
	scores, err := tacet.Float32s(out.Results[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v: %.3f\n", out.Results[0].Type, scores)
	// Output: tensor<2xf32>: [0.731 0.060]
}

// Plan needs no data: shapes are the program's.
func ExamplePlan() {
	s := scoreSpec()
	s.Args = []tacet.Arg{{Owner: 0}, {Owner: 1}}
	r, err := tacet.Plan(context.Background(), s)
	if err != nil {
		log.Fatal(err)
	}
	online := r.Predicted.Online
	fmt.Printf("online: alice sends %d bytes in %d rounds\n", online.BytesSent[0], online.Rounds)
	// Output: online: alice sends 24 bytes in 4 rounds
}

// A service shares a model's weights once and evaluates one request after the other.
func ExampleOpen() {
	s := scoreSpec()
	s.Args[0].Data = nil      // each request brings the features
	s.Args[1].Resident = true // the weights are shared once
	v, err := tacet.Open(context.Background(), s)
	if err != nil {
		log.Fatal(err)
	}
	defer v.Close()
	for _, feature := range []float32{-1, 1} {
		x, err := tacet.NewArray([]float32{feature, 0, 0, 0, feature, 0}, 2, 3)
		if err != nil {
			log.Fatal(err)
		}
		out, err := v.Evaluate(context.Background(), x, nil)
		if err != nil {
			log.Fatal(err)
		}
		scores, err := tacet.Float32s(out.Results[0])
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.2f\n", scores)
	}
	// Output:
	// [0.38 0.73]
	// [0.62 0.27]
}

// Submit runs a job file on the nodes of its parties; cluster.yaml says where these are.
// On one machine, `tacet up` starts nodes and writes cluster/cluster.yaml.
func ExampleSubmit() {
	dir, down := startCluster() // as `tacet up` does
	defer down()
	nodes, err := tacet.Connect(filepath.Join(dir, "cluster.yaml"))
	if err != nil {
		log.Fatal(err)
	}
	job, err := tacet.LoadJob(filepath.Join(dir, "job.yaml"))
	if err != nil {
		log.Fatal(err)
	}
	out, err := tacet.Submit(context.Background(), nodes, job, tacet.SubmitOptions{})
	if err != nil {
		log.Fatal(err)
	}
	scores, err := tacet.Float32s(out.Results[0])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.3f\n", scores)
	// Output: [0.731 0.060]
}

// Errors have a kind, a place and more.
func ExampleDescribe() {
	s := scoreSpec()
	s.Args[1].Data, _ = tacet.NewArray([]float32{0.5, float32(math.NaN()), 0.25})
	_, err := tacet.Run(context.Background(), s)
	p := tacet.Describe(err)
	fmt.Println(errors.Is(err, tacet.ErrRange), p.Place, *p.Argument, p.Element)
	fmt.Println(err)
	// Output:
	// true Spec.Args 1 [1]
	// Spec.Args[1]: element [1]: NaN cannot be shared (inputs with an owner are finite numbers)
}

// Slice gives elements in their own type.
func ExampleSlice() {
	a, err := tacet.NewArray([]int32{1, 2, 3, 4}, 2, 2)
	if err != nil {
		log.Fatal(err)
	}
	n, err := tacet.Slice[int32](a)
	fmt.Println(n, err)
	_, err = tacet.Slice[float32](a)
	fmt.Println(err)
	// Output:
	// [1 2 3 4] <nil>
	// Slice: the array is tensor<2x2xi32>, whose elements are []int32, not []float32
}

// writeFile writes a file of an example.
func writeFile(dir, name, text string) {
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		log.Fatal(err)
	}
}
