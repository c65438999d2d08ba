package party_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Two loops of five and three iterations, the second in a function. The first carries
// what nobody changes, a public counter and number, what only the first party
// knows, a secret count, and secrets; it reads a product that came before it, and
// the second what the first gave.
const loopsText = `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>, %p: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<3xf32>
  %none = stablehlo.constant dense<0> : tensor<3xi32>
  %few = stablehlo.constant dense<1> : tensor<3xi32>
  %xy = stablehlo.multiply %x, %y : tensor<3xf32>
  %start = stablehlo.tanh %y : tensor<3xf32>
  %0:7 = stablehlo.while(%d = %y, %i = %zero, %q = %p, %k = %x, %v = %start, %n = %none, %m = %half) : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.multiply %q, %half : tensor<3xf32>
    %4 = stablehlo.add %k, %p : tensor<3xf32>
    %5 = stablehlo.multiply %v, %xy : tensor<3xf32>
    %6 = stablehlo.add %5, %k : tensor<3xf32>
    %7 = stablehlo.multiply %6, %half : tensor<3xf32>
    %8 = stablehlo.compare LT, %7, %d : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %9 = stablehlo.select %8, %few, %none : tensor<3xi1>, tensor<3xi32>
    %10 = stablehlo.add %n, %9 : tensor<3xi32>
    %11 = stablehlo.maximum %m, %7 : tensor<3xf32>
    stablehlo.return %d, %2, %3, %4, %7, %10, %11 : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>
  }
  %a = stablehlo.multiply %0#6, %0#2 : tensor<3xf32>
  %b = func.call @second(%0#4, %x, %a) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %b, %0#5, %0#3 : tensor<3xf32>, tensor<3xi32>, tensor<3xf32>
}
func.func private @second(%v: tensor<3xf32>, %x: tensor<3xf32>, %a: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %u = %v) : tensor<i32>, tensor<3xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.multiply %u, %x : tensor<3xf32>
    %3 = stablehlo.subtract %2, %a : tensor<3xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3 : tensor<i32>, tensor<3xf32>
  }
  return %0#1 : tensor<3xf32>
}`

// mixedText is a loop that carries bits, numbers in an order, and an index, in
// whose iterations there is another loop, a sort and a reveal; and one that a secret
// ends.
const mixedText = `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>, %p: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xi32>, tensor<3xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<3xf32>
  %few = stablehlo.constant dense<1> : tensor<3xi32>
  %none = stablehlo.constant dense<0> : tensor<3xi32>
  %all = stablehlo.constant dense<true> : tensor<3xi1>
  %0:5 = stablehlo.while(%i = %zero, %b = %all, %s = %y, %n = %none, %r = %p) : tensor<i32>, tensor<3xi1>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2:2 = stablehlo.while(%j = %zero, %u = %s) : tensor<i32>, tensor<3xf32>
    cond {
      %3 = stablehlo.compare LT, %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %4 = stablehlo.multiply %u, %half : tensor<3xf32>
      %5 = stablehlo.add %4, %x : tensor<3xf32>
      %6 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %6, %5 : tensor<i32>, tensor<3xf32>
    }
    %7 = "stablehlo.sort"(%2#1) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%v: tensor<f32>, %w: tensor<f32>):
      %8 = stablehlo.compare LT, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    %9 = stablehlo.compare GT, %7, %r : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
    %10 = stablehlo.xor %9, %b : tensor<3xi1>
    %11 = stablehlo.select %10, %few, %none : tensor<3xi1>, tensor<3xi32>
    %12 = stablehlo.add %n, %11 : tensor<3xi32>
    %13 = stablehlo.multiply %7, %half : tensor<3xf32>
    %14 = stablehlo.custom_call @tacet.reveal(%13) : (tensor<3xf32>) -> tensor<3xf32>
    %15 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %15, %10, %7, %12, %14 : tensor<i32>, tensor<3xi1>, tensor<3xf32>, tensor<3xi32>, tensor<3xf32>
  }
  %16 = stablehlo.slice %0#3 [0:1] : (tensor<3xi32>) -> tensor<1xi32>
  %17 = stablehlo.reshape %16 : (tensor<1xi32>) -> tensor<i32>
  %18:2 = stablehlo.while(%i = %17, %u = %0#2) : tensor<i32>, tensor<3xf32>
  cond {
    %19 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %19 : tensor<i1>
  } do {
    %20 = stablehlo.add %u, %half : tensor<3xf32>
    %21 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %21, %20 : tensor<i32>, tensor<3xf32>
  }
  return %18#1, %0#3, %0#4 : tensor<3xf32>, tensor<3xi32>, tensor<3xf32>
}`

// looping is a spec of these loops, and what they give in clear.
func looping(t *testing.T, protocol string, parties, computing int) (party.Spec, []*tensor.Array) {
	t.Helper()
	s := small(t, parties, computing)
	s.Store, s.Protocol, s.Reveal = "", protocol, []int{0}
	s.Program = parse(t, loopsText)
	s.Args = []party.Arg{
		{Owner: 0, Data: vector3(0.5, -1.25, 1)},
		{Owner: parties - 1, Data: vector3(-0.75, 0.5, 1.5)},
		{Owner: party.Public, Data: vector3(0.25, 1, -0.5)},
	}
	want, err := eval.Func(context.Background(), s.Program.Main, []*tensor.Array{s.Args[0].Data, s.Args[1].Data, s.Args[2].Data})
	if err != nil {
		t.Fatal(err)
	}
	s.Checkpoints = &resume.Checkpoints{Every: 1, Folder: filepath.Join(t.TempDir(), "checkpoints")}
	return s, want
}

// checkResults compares results.
func checkResults(t *testing.T, got, want []*tensor.Array) {
	t.Helper()
	for i, w := range want {
		if !w.DType.IsFloat() {
			if !slices.Equal(got[i].Words(), w.Words()) {
				t.Errorf("result %d: %v, want %v", i, got[i].Words(), w.Words())
			}
			continue
		}
		for k, x := range got[i].Floats() {
			if math.Abs(x-w.Floats()[k]) > 1e-3 {
				t.Errorf("result %d: %v, want %v", i, got[i].Floats(), w.Floats())
				break
			}
		}
	}
}

// snapshots has a run keep what lies in its folder after each checkpoint, as a
// crash there would leave it; by place, a folder.
type snapshots struct {
	t      *testing.T
	dir    string
	mu     sync.Mutex
	places map[string]int // how many parties came there
}

func (s *snapshots) watch(c *resume.Checkpoints) {
	c.Written = func(x resume.Checkpoint) {
		if x.Err != nil || x.Bytes == 0 {
			s.t.Errorf("%+v", x)
			return
		}
		if err := os.CopyFS(filepath.Join(s.dir, x.Place(), x.Party), os.DirFS(filepath.Join(c.Folder, x.Party))); err != nil {
			s.t.Error(err)
		}
		s.mu.Lock()
		s.places[x.Place()]++
		s.mu.Unlock()
	}
}

func newSnapshots(t *testing.T) *snapshots {
	return &snapshots{t: t, dir: t.TempDir(), places: map[string]int{}}
}

// sentOnline is the bytes that a run's parties send online.
func sentOnline(r *profile.Report) (n int64) {
	for _, m := range r.Online.Messages {
		n += m
	}
	return n
}

// TestResume checks that a run resumed from any of its checkpoints gives the results of the whole
// run, for less, and that it can be interrupted again.
func TestResume(t *testing.T) {
	for _, c := range []struct {
		protocol           string
		parties, computing int
	}{{"semi2k", 2, 2}, {"semi2k", 3, 3}, {"semi2k", 3, 2}, {"aby3", 3, 3}} {
		t.Run(fmt.Sprintf("%s-%d-%d", c.protocol, c.parties, c.computing), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			s, want := looping(t, c.protocol, c.parties, c.computing)
			shots := newSnapshots(t)
			shots.watch(s.Checkpoints)
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			checkResults(t, out.Results, want)
			checkPrediction(t, out.Report)
			var places []string
			for k := range 4 {
				places = append(places, fmt.Sprintf("loop 1, iteration %d", k+1))
			}
			places = append(places, "the end of loop 1", "loop 2, iteration 1", "loop 2, iteration 2", "the end of loop 2")
			online := min(c.computing, c.parties)
			if c.protocol == "aby3" {
				online = 2
			}
			for _, p := range places {
				if shots.places[p] != online {
					t.Errorf("%d parties came to %s", shots.places[p], p)
				}
			}
			if len(shots.places) != len(places) {
				t.Errorf("%v", shots.places)
			}
			most := sentOnline(out.Report)
			for i, p := range places {
				again := s
				var told sync.Map
				again.Checkpoints = &resume.Checkpoints{
					Every:  2,
					Folder: filepath.Join(shots.dir, p),
					Resume: true,
					Resumed: func(x resume.Checkpoint) error {
						told.Store(x.Party, x.Place())
						return nil
					},
				}
				next := newSnapshots(t)
				next.watch(again.Checkpoints)
				out, err := party.Run(t.Context(), again)
				if err != nil {
					t.Fatalf("%s: %v", p, err)
				}
				checkResults(t, out.Results, want)
				checkPrediction(t, out.Report)
				if n := sentOnline(out.Report); n > most {
					t.Errorf("from %s on %d messages are sent, from the place before %d", p, n, most)
				} else {
					most = n
				}
				if out.Report.ResumedFrom != p {
					t.Errorf("the report says that it resumes from %q, not %s", out.Report.ResumedFrom, p)
				}
				for _, name := range s.Parties {
					if at, _ := told.Load(name); at != p {
						t.Errorf("%s resumes from %v, not %s", name, at, p)
					}
				}
				for k, later := range places { // at every second iteration, and at ends
					want := 0
					if k > i && !strings.Contains(later, "iteration 1") && !strings.Contains(later, "iteration 3") {
						want = online
					}
					if n := next.places[later]; n != want {
						t.Errorf("from %s on %d parties came to %s", p, n, later)
					}
				}
				for k, p := range slices.Sorted(maps.Keys(next.places)) { // and from there once more
					if (i+k)%3 != 0 {
						continue
					}
					third := s
					third.Checkpoints = &resume.Checkpoints{Every: 5, Folder: filepath.Join(next.dir, p), Resume: true}
					out, err := party.Run(t.Context(), third)
					if err != nil {
						t.Fatalf("%s: %v", p, err)
					}
					checkResults(t, out.Results, want)
					checkPrediction(t, out.Report)
				}
			}
		})
	}
}

// TestResumeMixed: whatever a loop carries and does, it goes on; in other rings,
// and with the program as it stands.
func TestResumeMixed(t *testing.T) {
	for name, change := range map[string]func(s *party.Spec){
		"as usual":       func(*party.Spec) {},
		"without passes": func(s *party.Spec) { s.Set["passes"] = "none" },
		"wide":           func(s *party.Spec) { s.Ring, s.Fraction = 128, 26 },
		"by the plan":    func(s *party.Spec) { s.Set["optimize"], s.Network = "auto", "1e9/1us" },
		"sorted by net":  func(s *party.Spec) { s.Set["sort"] = "network" },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := looping(t, "semi2k", 3, 3)
			s.Program, s.Reveals, s.Set = parse(t, mixedText), 4, map[string]string{"while.bound": "4"}
			change(&s)
			clear := make([]*tensor.Array, len(s.Args))
			for i, a := range s.Args {
				clear[i] = a.Data
			}
			want, err := eval.Func(
				context.Background(),
				parse(
					t,
					strings.ReplaceAll(
						mixedText,
						"custom_call @tacet.reveal(%13) : (tensor<3xf32>) -> tensor<3xf32>",
						"reshape %13 : (tensor<3xf32>) -> tensor<3xf32>",
					),
				).Main,
				clear,
			)
			if err != nil {
				t.Fatal(err)
			}
			shots := taken(t, s)
			for _, p := range []string{"loop 1, iteration 1", "loop 1, iteration 3", "the end of loop 1"} {
				again := s
				again.Checkpoints = &resume.Checkpoints{Every: 1, Folder: filepath.Join(shots.dir, p), Resume: true}
				out, err := party.Run(t.Context(), again)
				if err != nil {
					t.Fatalf("%s: %v", p, err)
				}
				checkResults(t, out.Results, want)
				checkPrediction(t, out.Report)
			}
		})
	}
}
