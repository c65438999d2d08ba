package party_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/budget/hostile"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

// narrow is a budget for tests.
var narrow = budget.Limits{Memory: 16 << 20, Operations: 1 << 18}

// planned plans a program whose arguments the first of two parties owns, within limits, and checks that it ends in a typed refusal
// or in a plan, and takes no more memory than the budget and its use explain.
func planned(t *testing.T, ctx context.Context, name, text string, l budget.Limits, changes ...func(*party.Spec)) error {
	t.Helper()
	ctx, b, cancel := budget.New(ctx, l)
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := planText(ctx, name, text, changes...)
	runtime.ReadMemStats(&after)
	switch kind := problem.Of(err).Kind; {
	case err == nil:
	case kind == problem.Limit || kind == problem.Usage || kind == problem.Unsupported:
	default:
		t.Errorf("%s: %v (%s)\n%s", name, err, kind, text)
	}
	operations, _ := b.Spent()
	if _, peak := b.Held(); peak > l.Memory || operations > l.Operations {
		t.Errorf("%s: %d bytes and %d operations were taken", name, peak, operations)
	}
	got, most := after.TotalAlloc-before.TotalAlloc, uint64(4*l.Memory)+uint64(operations)*8192+1000*uint64(len(text))+8<<20
	if got > most {
		t.Errorf("%s: %d bytes were allocated, for %d operations (%v)\n%.2000s", name, got, operations, err, text)
	}
	return err
}

func planText(ctx context.Context, name, text string, changes ...func(*party.Spec)) error {
	p, err := hlo.Parse(name, []byte(text))
	if err != nil {
		return err
	}
	machine := timing.Default
	s := party.Spec{
		Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"alice", "bob"}, Computing: 2, Network: "none", Reveal: []int{0},
		Machine: &machine,
	}
	for range p.Main.Body.Params {
		s.Args = append(s.Args, party.Arg{Owner: 0})
	}
	for _, change := range changes {
		change(&s)
	}
	_, err = party.Plan(ctx, s)
	return err
}

// uses are how a program of the corpus, or its argument, may be used beside being one party's.
var uses = map[string]func(*party.Spec){
	"kept results": func(s *party.Spec) { s.Keep, s.Reveal = true, nil },
	"resident":     func(s *party.Spec) { s.Args[0].Resident, s.Reveal = true, []int{0, 1} },
	"public": func(s *party.Spec) {
		s.Args[0] = party.Arg{Owner: party.Public, Data: tensor.NewArray(s.Program.Main.Body.Params[0].Type)}
	},
	"secret": func(s *party.Spec) {
		s.Args[0] = party.Arg{Owner: party.Kept, Shares: []*party.StoredShare{{
			ID: "0", Type: s.Program.Main.Body.Params[0].Type, Protocol: s.Protocol, Parties: s.Parties, Computing: s.Computing,
			Fraction: s.Fraction, Ring: s.Ring, Scale: s.Fraction, Bound: 40,
		}}}
		s.Set = map[string]string{"while.bound": "3"}
	},
}

// Programs of the corpus are bounded, too, whoever has their argument and whatever becomes of their results.
func TestHostileUses(t *testing.T) {
	if raced {
		t.Skip("nothing runs beside the plan that the race detector could find")
	}
	for use, change := range uses {
		t.Run(use, func(t *testing.T) {
			refused := 0
			for i, p := range hostile.Programs(4) {
				family, _, _ := strings.Cut(p.Name, "-")
				if constants := family == "returned" || family == "read"; use == "secret" && i%3 != 0 || use != "secret" && !constants {
					continue
				}
				err := planned(t, t.Context(), p.Name, p.Text, narrow, change)
				if errors.Is(err, problem.Limit) {
					refused++
				}
			}
			if refused < 20 {
				t.Errorf("%d programs are refused because of a limit", refused)
			}
		})
	}
}

// Each program of the corpus ends in a typed refusal, or is planned within the budget.
func TestHostilePrograms(t *testing.T) {
	if raced {
		t.Skip("nothing runs beside the plan that the race detector could find")
	}
	refused := map[string]int{}
	programs := hostile.Programs(1)
	if len(programs) < 200 {
		t.Errorf("there are %d programs", len(programs))
	}
	runs := testcases.OneOf(t, 2)
	for _, p := range programs {
		if !runs() {
			continue
		}
		err := planned(t, t.Context(), p.Name, p.Text, narrow)
		family, _, _ := strings.Cut(p.Name, "-")
		switch {
		case errors.Is(err, problem.Limit):
			refused[family]++
		case errors.Is(err, problem.Usage) && !strings.Contains(err.Error(), "too large to be computed") &&
			!strings.Contains(err.Error(), "more than 2^40 elements"):
			t.Errorf("%s is no program: %v\n%s", p.Name, err, p.Text)
		}
	}
	for _, family := range []string{"iota", "splats", "dot", "endless", "nested", "calls", "doubling", "window", "sort", "growing", "random", "returned",
		"read"} {
		if refused[family] == 0 {
			t.Errorf("no program of %s exceeds the budget", family)
		}
	}
}

// The end of a context ends a plan that would not end.
func TestPlanIsCancelled(t *testing.T) {
	for _, body := range []string{
		"    %w = stablehlo.add %v, %v : tensor<4xf32>\n    stablehlo.return %w : tensor<4xf32>\n",
		"    %w = stablehlo.multiply %v, %v : tensor<4xf32>\n    stablehlo.return %w : tensor<4xf32>\n",
	} {
		text := `func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.while"(%x) ({
    ^bb0(%v: tensor<4xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
` + body + `  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
`
		ctx, b, cancel := budget.New(t.Context(), budget.Limits{})
		ctx, stop := context.WithCancelCause(ctx)
		enough := errors.New("enough")
		done := make(chan error, 1)
		go func() { done <- planText(ctx, "p", text) }()
		for {
			if n, _ := b.Spent(); n > 1000 || len(done) > 0 { // it is being planned
				break
			}
			runtime.Gosched()
		}
		stop(enough)
		if err := <-done; !errors.Is(err, enough) {
			t.Errorf("the plan ended with %v", err)
		}
		cancel()
	}
}

// A program that stays within a budget costs in it what it costs without one.
func TestBudgetChangesNothing(t *testing.T) {
	s := layersSpec(t, 2)
	want, err := party.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	ctx, b, cancel := budget.New(t.Context(), budget.Limits{Memory: math.MaxInt64})
	defer cancel()
	got, err := party.Plan(ctx, s)
	if err != nil || got.Online.Rounds != want.Online.Rounds || got.Offline.BytesSent != want.Offline.BytesSent {
		t.Errorf("%v: %+v, not %+v", err, got.Online, want.Online)
	}
	if _, peak := b.Held(); peak == 0 {
		t.Error("the plan took no memory")
	}
}

// FuzzPlan plans any program text under a small budget.
func FuzzPlan(f *testing.F) {
	for i, p := range hostile.Programs(2) {
		if i%8 == 0 && len(p.Text) < 4000 {
			f.Add(p.Text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		planned(t, t.Context(), "p", text, budget.Limits{Memory: 4 << 20, Operations: 1 << 16})
	})
}

// A run whose parties' shares of the inputs do not fit the memory is refused when it has been planned, before inputs are shared.
// The program's inputs take far more memory than its plan, whose peak depends on how the parties' plans overlap.
func TestInputsMustFit(t *testing.T) {
	p, err := hlo.Parse("first.mlir", []byte(`func.func public @main(%x: tensor<1x16384xf32>, %y: tensor<16384x1xf32>) -> tensor<1x1xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<1x16384xf32>, tensor<16384x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
`))
	if err != nil {
		t.Fatal(err)
	}
	s := layersSpec(t, 2)
	s.Program, s.Args = p, nil
	for owner, param := range p.Main.Body.Params {
		s.Args = append(s.Args, party.Arg{Owner: owner, Data: tensor.NewArray(param.Type)})
	}
	const shares = 3 * 2 * 16384 * 8 // three words of each element of the two inputs
	ctx, b, cancel := budget.New(t.Context(), budget.Limits{Memory: math.MaxInt64})
	defer cancel()
	if _, err := party.Run(ctx, s); err != nil {
		t.Fatal(err)
	}
	if _, peak := b.Held(); peak > shares/2 {
		t.Fatalf("the plan takes %d bytes, the inputs' shares %d: the test tells nothing", peak, shares)
	}
	ctx, _, cancel = budget.New(t.Context(), budget.Limits{Memory: shares / 2, Settings: budget.Settings{Memory: "--memory"}})
	defer cancel()
	_, err = party.Run(ctx, s)
	if !errors.Is(err, problem.Limit) || !strings.HasPrefix(err.Error(), "the parties' shares of the inputs take ") ||
		!strings.HasSuffix(err.Error(), "(raise --memory, or make the program smaller)") {
		t.Error(err)
	}
	ctx, _, cancel = budget.New(t.Context(), budget.Limits{Memory: 2 * shares})
	defer cancel()
	if _, err := party.Run(ctx, s); err != nil {
		t.Error(err)
	}
}

// Constants that repeat one element take memory from when they are read: a hundred of 4 MiB each fit into 64 MiB.
func TestSplatsArePlannedOneByOne(t *testing.T) {
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	const shape = "tensor<1048576xf32>"
	var b strings.Builder
	fmt.Fprintf(&b, "func.func public @main(%%x: tensor<4xf32>) -> tensor<4xf32> {\n")
	for i := range 100 {
		fmt.Fprintf(&b, "%%c%d = stablehlo.constant dense<%d.5> : %s\n", i, i, shape)
	}
	fmt.Fprintf(&b, "%%s0 = stablehlo.iota dim = 0 : %s\n", shape)
	for i := range 100 {
		fmt.Fprintf(&b, "%%s%d = stablehlo.add %%s%d, %%c%d : %s\n", i+1, i, i, shape)
	}
	fmt.Fprintf(&b, "%%r = stablehlo.slice %%s100 [0:4] : (%s) -> tensor<4xf32>\n%%y = stablehlo.add %%x, %%r : tensor<4xf32>\nreturn %%y : tensor<4xf32>\n}\n", shape)
	ctx, budgeted, cancel := budget.New(t.Context(), budget.Limits{Memory: 128 << 20})
	defer cancel()
	if err := planText(ctx, "p", b.String()); err != nil {
		t.Error(err)
	}
	if _, peak := budgeted.Held(); peak < 2*8<<20 {
		t.Errorf("at most %d bytes were held", peak)
	}
}

// A model's embedding by secret words is planned within what its positions take: those of the vectors that the indices become
// and of the table's rows, and not one of every element of the table for each index.
func TestEmbeddingsArePlanned(t *testing.T) {
	const text = `
func.func public @main(%t: tensor<30522x768xf32>, %i: tensor<128x1xi32>) -> tensor<128x768xf32> {
  %r = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 768>}> : (tensor<30522x768xf32>, tensor<128x1xi32>) -> tensor<128x768xf32>
  return %r : tensor<128x768xf32>
}`
	limits := budget.Limits{Memory: 2 << 30, Operations: 1 << 30} // of both parties
	if err := planned(t, t.Context(), "embedding", text, limits, func(s *party.Spec) { s.Args[1].Owner = 1 }); err != nil {
		t.Error(err)
	}
}
