package party_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/profile"
)

// TestCheckpointsSendNothing checks that checkpoints cost no bytes, messages or rounds, and hardly
// any dealt bytes (for values that are correct only modulo their ring, a product in a wider ring).
// Values that a checkpoint needs opened are opened at the loop, and not at the operation that needs
// them next.
func TestCheckpointsSendNothing(t *testing.T) {
	if raced {
		t.Skip("plans alone")
	}
	for _, name := range []string{"gcn-train", "logreg-train", "kmeans", "glm-gamma", "glm-tweedie", "gpr-cg"} {
		t.Run(name, func(t *testing.T) {
			_, s := load(t, fixture(t, name), nil)
			var plans [2]*profile.Report
			for i := range plans {
				r, err := party.Plan(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				plans[i] = r
				s.Checkpoints = &resume.Checkpoints{Every: 1}
			}
			without, with := plans[0].Predicted, plans[1].Predicted
			if d := cmp.Diff(without.Online, with.Online); d != "" {
				t.Errorf("online, -without +with checkpoints\n%s", d)
			}
			if less, more := without.Offline.BytesSent, with.Offline.BytesSent; more > less+less/200 {
				t.Errorf("%d bytes are dealt with checkpoints, %d without", more, less)
			}
		})
	}
}

// TestTrainingResumed: training among five parties, from the middle on.
func TestTrainingResumed(t *testing.T) {
	if raced {
		t.Skip("smaller ones do")
	}
	j, s := load(t, fixture(t, "gcn-train"), nil)
	shots := newSnapshots(t)
	s.Checkpoints = &resume.Checkpoints{Every: 7, Folder: t.TempDir()}
	shots.watch(s.Checkpoints)
	whole, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	checkExpected(t, j, s, whole)
	s.Checkpoints = &resume.Checkpoints{Every: 7, Folder: filepath.Join(shots.dir, "loop 1, iteration 14"), Resume: true}
	rest, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	checkExpected(t, j, s, rest)
	checkPrediction(t, rest.Report)
	if a, b := whole.Report.Online, rest.Report.Online; 2*b.Rounds > a.Rounds || 2*b.BytesSent[0] > a.BytesSent[0] {
		t.Errorf("6 of 20 iterations take %d of %d rounds and %d of %d bytes", b.Rounds, a.Rounds, b.BytesSent[0], a.BytesSent[0])
	}
}

// taken runs a spec up to its end and returns its snapshots.
func taken(t *testing.T, s party.Spec) *snapshots {
	t.Helper()
	shots := newSnapshots(t)
	checkpoints := *s.Checkpoints
	shots.watch(&checkpoints)
	s.Checkpoints = &checkpoints
	if _, err := party.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return shots
}

// TestResumeRefused checks that checkpoints of a different run are not used, and that the message
// names the difference.
func TestResumeRefused(t *testing.T) {
	s, _ := looping(t, "semi2k", 3, 3)
	shots := taken(t, s)
	for name, c := range map[string]struct {
		change func(s *party.Spec)
		want   string
	}{
		"a byte of the program": {func(s *party.Spec) { s.Program = parse(t, loopsText+"\n") }, "differs in program"},
		"ring":                  {func(s *party.Spec) { s.Ring, s.Fraction = 128, 26 }, `differs in fraction: "18" in the checkpoint, "26" in this run`},
		"protocol":              {func(s *party.Spec) { s.Protocol = "aby3" }, "differs in protocol"},
		"parties":               {func(s *party.Spec) { s.Parties = []string{"alice", "bob", "dave"} }, "differs in parties"},
		"who computes":          {func(s *party.Spec) { s.Computing = 2 }, "differs in computing"},
		"who learns":            {func(s *party.Spec) { s.Reveal = []int{0, 1} }, "differs in reveal"},
		"settings":              {func(s *party.Spec) { s.Set = map[string]string{"exp.mode": "taylor"} }, "differs in set exp.mode"},
		"an owner's input":      {func(s *party.Spec) { s.Args[1].Data = vector3(-0.75, 0.5, 1.25) }, "of carol do not fit this run, which differs in values of argument 1 (repeat the run"},
		"a public input":        {func(s *party.Spec) { s.Args[2].Data = vector3(0.25, 1, 1) }, "differs in public argument 2"},
		"a fixed seed":          {func(s *party.Spec) { s.Seed = []byte{1} }, "masks twice"},
		"plain":                 {func(s *party.Spec) { s.Protocol = "plain" }, "no shares to write to a checkpoint"},
		"no iterations":         {func(s *party.Spec) { s.Checkpoints.Every = 0 }, "iterations, got 0"},
	} {
		t.Run(name, func(t *testing.T) {
			other, _ := looping(t, "semi2k", 3, 3)
			other.Checkpoints = &resume.Checkpoints{Every: 1, Folder: filepath.Join(shots.dir, "loop 1, iteration 3"), Resume: true}
			c.change(&other)
			if _, err := party.Run(t.Context(), other); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestResumeCommon: a run resumes from the newest checkpoint that all parties
// have of one run, and from its beginning if there is none.
func TestResumeCommon(t *testing.T) {
	s, want := looping(t, "semi2k", 3, 3)
	one, other := taken(t, s), taken(t, s)
	for name, c := range map[string]struct {
		from map[string]string // by party, the folder
		want string
	}{
		"all the same":      {map[string]string{"alice": one.dir + "/loop 1, iteration 3", "bob": one.dir + "/loop 1, iteration 3", "carol": one.dir + "/loop 1, iteration 3"}, "loop 1, iteration 3"},
		"one is behind":     {map[string]string{"alice": one.dir + "/loop 1, iteration 3", "bob": one.dir + "/loop 1, iteration 4", "carol": one.dir + "/the end of loop 1"}, "loop 1, iteration 3"},
		"one is far behind": {map[string]string{"alice": one.dir + "/loop 1, iteration 4", "bob": one.dir + "/loop 2, iteration 2", "carol": one.dir + "/loop 2, iteration 1"}, "the beginning"},
		"one has nothing":   {map[string]string{"alice": one.dir + "/loop 1, iteration 3", "bob": one.dir + "/loop 1, iteration 3"}, "the beginning"},
		"of two runs":       {map[string]string{"alice": one.dir + "/loop 1, iteration 3", "bob": other.dir + "/loop 1, iteration 3", "carol": one.dir + "/loop 1, iteration 3"}, "the beginning"},
	} {
		t.Run(name, func(t *testing.T) {
			s := s
			s.Checkpoints = &resume.Checkpoints{Every: 100, Folder: t.TempDir(), Resume: true}
			for name, dir := range c.from {
				if err := os.CopyFS(filepath.Join(s.Checkpoints.Folder, name), os.DirFS(filepath.Join(dir, name))); err != nil {
					t.Fatal(err)
				}
			}
			var mu sync.Mutex
			at := map[string]string{}
			s.Checkpoints.Resumed = func(x resume.Checkpoint) error {
				mu.Lock()
				defer mu.Unlock()
				at[x.Party] = x.Place()
				return nil
			}
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			checkResults(t, out.Results, want)
			if d := cmp.Diff(map[string]string{"alice": c.want, "bob": c.want, "carol": c.want}, at); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestCheckpointNotWritten checks that a party that cannot write a checkpoint reports it and
// continues, and that the run resumes later from one that was written.
func TestCheckpointNotWritten(t *testing.T) {
	s, want := looping(t, "semi2k", 2, 2)
	var mu sync.Mutex
	failed := 0
	bob := filepath.Join(s.Checkpoints.Folder, "bob")
	aside := filepath.Join(t.TempDir(), "bob")
	s.Checkpoints.Written = func(x resume.Checkpoint) {
		mu.Lock()
		defer mu.Unlock()
		switch {
		case x.Party == "alice" && x.Err != nil:
			t.Error(x.Err)
		case x.Party == "bob" && x.Err != nil:
			failed++
		case x.Place() == "loop 2, iteration 1" && x.Party == "bob":
			if err := os.Rename(bob, aside); err != nil {
				t.Error(err)
			}
		}
	}
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	checkResults(t, out.Results, want)
	if failed != 2 { // iteration 2 and the end
		t.Errorf("%d checkpoints were not written", failed)
	}
	if err := os.Rename(aside, bob); err != nil {
		t.Fatal(err)
	}
	at := ""
	s.Checkpoints = &resume.Checkpoints{Every: 1, Folder: s.Checkpoints.Folder, Resume: true, Resumed: func(x resume.Checkpoint) error {
		if x.Party == "alice" {
			at = x.Place()
		}
		return nil
	}}
	if out, err = party.Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	checkResults(t, out.Results, want)
	if at != "loop 2, iteration 1" {
		t.Errorf("it resumes from %s", at)
	}
}

// TestNoCheckpoint checks that a warning is given for a program in which no loop can have
// checkpoints.
func TestNoCheckpoint(t *testing.T) {
	complexLoop := `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %few = stablehlo.constant dense<2> : tensor<i32>
  %z = stablehlo.complex %x, %y : tensor<3xcomplex<f32>>
  %0:2 = stablehlo.while(%i = %zero, %u = %z) : tensor<i32>, tensor<3xcomplex<f32>>
  cond {
    %1 = stablehlo.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %u, %z : tensor<3xcomplex<f32>>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<3xcomplex<f32>>
  }
  %4 = stablehlo.real %0#1 : (tensor<3xcomplex<f32>>) -> tensor<3xf32>
  return %4 : tensor<3xf32>
}`
	for name, c := range map[string]struct {
		program *hlo.Program
		args    []party.Arg
		want    string
	}{
		"no loop":         {parse(t, trainText), []party.Arg{{Owner: 0, Data: vector3(1, 2, 3)}, {Owner: 1, Data: vector3(1, 2, 3)}}, "the run will write no checkpoint"},
		"complex numbers": {parse(t, complexLoop), []party.Arg{{Owner: 0, Data: vector3(1, 2, 3)}, {Owner: 1, Data: vector3(1, 2, 3)}}, "secret complex numbers"},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := looping(t, "semi2k", 2, 2)
			s.Program, s.Args = c.program, c.args
			var mu sync.Mutex
			said := ""
			s.Notice = func(text string) {
				mu.Lock()
				defer mu.Unlock()
				said = text
			}
			s.Checkpoints.Written = func(x resume.Checkpoint) { t.Errorf("%+v", x) }
			if _, err := party.Run(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("%q, want %q", said, c.want)
			}
		})
	}
}
