package gomlx

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/dataset"
	"github.com/gomlx/gomlx/ml/layers"
	"github.com/gomlx/gomlx/ml/layers/activation"
	"github.com/gomlx/gomlx/ml/model"
	"github.com/gomlx/gomlx/ml/train"
	"github.com/gomlx/gomlx/ml/train/loss"
	"github.com/gomlx/gomlx/ml/train/optimizer"

	"github.com/tacet-mpc/tacet"
)

func backend(t *testing.T, c Config) *Backend {
	t.Helper()
	if c.Spec.Parties == nil {
		c.Spec.Parties = []string{"alice", "bob"}
	}
	b, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// trained trains a network for some steps and returns the losses, the weights of a layer and the backend. Without owners
// everything is public, and computed in the clear.
func trained(t *testing.T, c Config, o Owners, optimiser optimizer.Interface, steps int) ([]float32, [][]float32, *Backend) {
	t.Helper()
	b := backend(t, c)
	r := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float32, 64), make([][]float32, 64)
	for i := range x {
		sum := 0.0
		for range 4 {
			v := r.NormFloat64()
			sum += v
			x[i] = append(x[i], float32(v))
		}
		y[i] = []float32{float32(math.Tanh(sum))}
	}
	ds, err := dataset.InMemoryFromData(b, "data", []any{x}, []any{y})
	if err != nil {
		t.Fatal(err)
	}
	store := model.NewStore()
	if err := store.SetRNGStateFromSeed(7); err != nil {
		t.Fatal(err)
	}
	network := func(scope *model.Scope, x *graph.Node) *graph.Node {
		h := activation.Relu(layers.Dense(scope.In("hidden"), x, true, 8))
		return layers.Dense(scope.In("out"), h, true, 1)
	}
	trainer := train.NewTrainer(b, store, network, loss.MeanSquaredError, optimiser, nil, nil)
	var losses []float32
	loop := train.NewLoop(trainer)
	loop.OnStep("losses", 0, func(_ *train.Loop, metrics []*tensors.Tensor) error {
		losses = append(losses, metrics[0].Value().(float32))
		return nil
	})
	if _, err := loop.RunSteps(b.Dataset(ds.Infinite(true).BatchSize(32, true), o), steps); err != nil {
		t.Fatal(err)
	}
	w := store.GetVariable("/hidden/dense/weights")
	if w == nil {
		for v := range store.IterVariables() {
			t.Log(v.Path())
		}
		t.Fatal("there is no variable of that name")
	}
	value, err := w.Value()
	if err != nil {
		t.Fatal(err)
	}
	if o.Inputs[0] != "" {
		denied := exception(func() { value.Value() })
		if denied == nil || !strings.Contains(denied.Error(), "is secret, and no rule reveals it") {
			t.Errorf("the weights could be read: %v", denied)
		}
		if err := b.Reveal(value); err != nil {
			t.Fatal(err)
		}
	}
	return losses, value.Value().([][]float32), b
}

// exception returns the panic of f as an error, nil if there is none.
func exception(f func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	f()
	return nil
}

// TestTrainer compares trainings on two parties' data with the same trainings in the clear.
func TestTrainer(t *testing.T) {
	const steps = 4
	for name, o := range map[string]func() optimizer.Interface{
		"sgd":  func() optimizer.Interface { return optimizer.StochasticGradientDescent().WithLearningRate(0.1).Done() },
		"adam": func() optimizer.Interface { return optimizer.Adam().LearningRate(0.02).Done() },
	} {
		t.Run(name, func(t *testing.T) {
			var runs []Run
			c := Config{Reveal: []Rule{{Graph: "Trainer", Last: 2}}, Run: func(r Run) { runs = append(runs, r) }}
			losses, weights, b := trained(t, c, Owners{[]string{"alice"}, []string{"bob"}}, o(), steps)
			expected, expectedWeights, clear := trained(t, Config{Run: func(Run) { t.Error("public data were shared") }},
				Owners{[]string{""}, []string{""}}, o(), steps)
			if len(losses) != steps || losses[steps-1] >= losses[0] {
				t.Errorf("losses %v", losses)
			}
			for i := range expected {
				if d := math.Abs(float64(losses[i] - expected[i])); d > 1e-3 {
					t.Errorf("step %d: loss %v, in the clear %v", i, losses[i], expected[i])
				}
			}
			for i, row := range expectedWeights {
				for j, w := range row {
					if d := math.Abs(float64(weights[i][j] - w)); d > 2e-3 {
						t.Errorf("weight %d,%d is %v, in the clear %v", i, j, weights[i][j], w)
					}
				}
			}
			// What the loop reads of each step is two metrics; the test has revealed the weights.
			if n := len(b.Revealed()); n != 2*steps+1 {
				t.Errorf("%d tensors were revealed: %v", n, b.Revealed())
			}
			if len(clear.Revealed()) != 0 {
				t.Errorf("public tensors count as revealed: %v", clear.Revealed())
			}
			for _, r := range runs {
				if r.Graph != "reveal" && r.Report.Output.BytesSent[0]+r.Report.Output.BytesSent[1] != 0 {
					t.Errorf("a run of %s sent %d bytes in the output phase", r.Graph, r.Report.Output.BytesSent)
				}
			}
			last := slices.IndexFunc(runs, func(r Run) bool { return r.Graph == "reveal" }) - 1
			t.Logf("online bytes of a step: %d in %d rounds", runs[last].Report.Online.BytesSent, runs[last].Report.Online.Rounds)
		})
	}
}

// secretly runs a function of secret arguments of alice, and of the same arguments in public, and returns both results.
func secretly(t *testing.T, f func(x, zero *graph.Node) *graph.Node, args ...any) (private, public any) {
	t.Helper()
	b := backend(t, Config{Reveal: []Rule{{Last: 1}}})
	e, err := graph.NewExec(b, f)
	if err != nil {
		t.Fatal(err)
	}
	var owned []any
	for _, a := range args {
		x, err := b.Owned("alice", tensors.MustFromAnyValue(a))
		if err != nil {
			t.Fatal(err)
		}
		owned = append(owned, x)
	}
	// What belongs to one party alone is computed in the clear: another party's zero makes all secret.
	zero, err := b.Owned("bob", tensors.MustFromAnyValue(float32(0)))
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Exec(append(owned, zero)...)
	if err != nil {
		t.Fatal(err)
	}
	x, err := out[0].Buffer(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	if x.(*buffer).shares == nil {
		t.Fatal("the result is not secret")
	}
	known, err := e.Exec(append(append([]any{}, args...), float32(0))...)
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Value(), known[0].Value()
}

func near(t *testing.T, x, y any) {
	t.Helper()
	a, b := tensors.MustFromAnyValue(x), tensors.MustFromAnyValue(y)
	if !a.InDelta(b, 1e-3) {
		t.Errorf("%v, in the clear %v", x, y)
	}
}

// TestClosures runs loops, branches and sorts on secrets. Their closures use values of the functions around them.
func TestClosures(t *testing.T) {
	x := []float32{3, -1, 2, 0.5}
	t.Run("while", func(t *testing.T) {
		a, b := secretly(t, func(x, zero *graph.Node) *graph.Node {
			g := x.Graph()
			scale := graph.MulScalar(graph.OnesLike(x), 0.5) // used inside
			start := graph.Scalar(g, x.DType(), 0)
			cond := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
				i := graph.Parameter(g, "i", start.Shape())
				graph.Parameter(g, "y", x.Shape())
				return []*graph.Node{graph.LessThan(i, graph.Scalar(g, x.DType(), 3))}
			})
			body := graph.NewClosure(g, func(g *graph.Graph) []*graph.Node {
				i := graph.Parameter(g, "i", start.Shape())
				y := graph.Parameter(g, "y", x.Shape())
				return []*graph.Node{graph.AddScalar(i, 1), graph.Add(graph.Mul(y, scale), zero)}
			})
			return graph.While(cond, body, start, x)[1]
		}, x)
		near(t, a, b)
	})
	t.Run("if", func(t *testing.T) {
		a, b := secretly(t, func(x, zero *graph.Node) *graph.Node {
			g := x.Graph()
			yes := graph.NewClosure(g, func(*graph.Graph) []*graph.Node { return []*graph.Node{graph.Add(x, zero)} })
			no := graph.NewClosure(g, func(*graph.Graph) []*graph.Node { return []*graph.Node{graph.Neg(x)} })
			return graph.If(graph.LessThan(graph.ReduceAllSum(x), zero), yes, no)[0]
		}, x)
		near(t, a, b)
	})
	t.Run("sort", func(t *testing.T) {
		a, b := secretly(t, func(x, zero *graph.Node) *graph.Node { return graph.Sort(graph.Add(x, zero), 0, true) }, x)
		near(t, a, b)
	})
}

// TestOwners checks who owns results: what depends on one party's data alone stays that party's, and is not shared.
func TestOwners(t *testing.T) {
	b := backend(t, Config{Run: func(Run) { t.Error("there was a run") }})
	e, err := graph.NewExec(b, func(x, y *graph.Node) (*graph.Node, *graph.Node) { return graph.Exp(x), graph.Neg(y) })
	if err != nil {
		t.Fatal(err)
	}
	x, err := b.Owned("bob", tensors.MustFromAnyValue([]float32{1, 2}))
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Exec(x, []float32{5})
	if err != nil {
		t.Fatal(err)
	}
	if got := out[1].Value().([]float32)[0]; got != -5 {
		t.Errorf("−5 is %v", got)
	}
	if err := exception(func() { out[0].Value() }); err == nil {
		t.Error("bob's tensor could be read")
	}
	if got := out[0].Value().([]float32); got[0] == got[0] {
		t.Errorf("a refused tensor is %v, not NaN", got)
	}
	if err := b.Reveal(out[0]); err != nil {
		t.Fatal(err)
	}
	if got := out[0].Value().([]float32)[1]; math.Abs(float64(got)-math.E*math.E) > 1e-5 {
		t.Errorf("e² is %v", got)
	}
	if r := b.Revealed(); len(r) != 1 || r[0].Output != 0 {
		t.Errorf("revealed %v", r)
	}
}

// TestRulesNameResults checks that a rule for the results of all computations does not reveal a party's input.
func TestRulesNameResults(t *testing.T) {
	b := backend(t, Config{Reveal: []Rule{{Last: 1}, {}}})
	x, err := b.Owned("bob", tensors.MustFromAnyValue([]float32{1, 2}))
	if err != nil {
		t.Fatal(err)
	}
	if err := exception(func() { x.Value() }); err == nil || len(b.Revealed()) != 0 {
		t.Errorf("bob's input could be read: %v, revealed %v", err, b.Revealed())
	}
}

// TestRefusals checks errors.
func TestRefusals(t *testing.T) {
	for _, config := range []string{"", "alice", "alice,alice"} {
		if _, err := compute.NewWithConfig(Name + ":" + config); !errors.Is(err, tacet.ErrUsage) {
			t.Errorf("parties %q: %v", config, err)
		}
	}
	b := backend(t, Config{})
	if _, err := b.Owned("carol", tensors.MustFromAnyValue(float32(1))); !errors.Is(err, tacet.ErrUsage) {
		t.Errorf("carol: %v", err)
	}
	ds, err := dataset.InMemoryFromData(b, "data", []any{[]float32{1, 2}}, []any{[]float32{1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range b.Dataset(ds.BatchSize(2, true), Owners{Inputs: []string{"alice"}}).Iter() {
		if !errors.Is(err, tacet.ErrUsage) {
			t.Errorf("labels without owners: %v", err)
		}
	}
	x, err := b.Owned("alice", tensors.MustFromAnyValue(float32(1e20)))
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Owned("bob", tensors.MustFromAnyValue(float32(1)))
	if err != nil {
		t.Fatal(err)
	}
	e, err := graph.NewExec(b, func(x, y *graph.Node) *graph.Node { return graph.Mul(x, y) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Exec(x, y); !errors.Is(err, tacet.ErrRange) {
		t.Errorf("1e20: %v", err)
	}
	b.Finalize()
	if !b.IsFinalized() {
		t.Error("the backend is not finalized")
	}
}
