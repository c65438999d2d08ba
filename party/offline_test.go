package party_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/version"
)

// small is a job of a product, a comparison and a public factor, of whose
// arguments the last party, who need not compute, owns one.
func small(t testing.TB, parties, computing int) party.Spec {
	t.Helper()
	p, err := hlo.Parse("small.mlir", []byte(`module @m {
  func.func public @main(%a: tensor<6xf32>, %b: tensor<6xf32>, %c: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.multiply %a, %b : tensor<6xf32>
    %1 = stablehlo.maximum %0, %b : tensor<6xf32>
    %2 = stablehlo.multiply %1, %c : tensor<6xf32>
    return %2 : tensor<6xf32>
  }
}`))
	if err != nil {
		t.Fatal(err)
	}
	vector := func(x ...float64) *tensor.Array { return tensor.FromFloats(tensor.F32, tensor.Shape{6}, x) }
	s := party.Spec{
		Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: computing, Network: "none", Reveal: []int{0},
		Args: []party.Arg{
			{Owner: 0, Data: vector(1, -2, 3, -4, 5, 0.5)},
			{Owner: parties - 1, Data: vector(2, 1, -1, 0.25, 3, 8)},
			{Owner: party.Public, Data: vector(1, 2, 1, 2, 1, 2)},
		},
		Store: filepath.Join(t.TempDir(), "store"),
	}
	s.Parties = []string{"alice", "bob", "carol"}[:parties]
	return s
}

var smallWant = []float64{2, 2, -1, 0.5, 15, 16}

func checkSmall(t testing.TB, out *party.Outcome) {
	t.Helper()
	for i, x := range out.Results[0].Floats() {
		if d := x - smallWant[i]; d > 1e-3 || d < -1e-3 {
			t.Errorf("element %d: %v, want %v", i, x, smallWant[i])
		}
	}
}

// withoutData is the spec as offline has it.
func withoutData(s party.Spec) party.Spec {
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		if s.Args[i].Owner != party.Public {
			s.Args[i].Data = nil
		}
	}
	return s
}

func make1(t testing.TB, s party.Spec, n int) party.OfflineResult {
	t.Helper()
	made, err := party.Offline(context.Background(), withoutData(s), n)
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(made.Sessions) // the order of use; those of one millisecond are made in any
	return made
}

// A run from a store sends what one with a dealer at work does, and each takes
// a session of its own, until none is left.
func TestRunsFromAStore(t *testing.T) {
	for _, c := range []struct {
		protocol           string
		parties, computing int
	}{{"semi2k", 2, 2}, {"semi2k", 3, 3}, {"semi2k", 3, 2}, {"aby3", 3, 3}} {
		for _, network := range []string{"none", "1e9/100us"} {
			s := small(t, c.parties, c.computing)
			s.Protocol, s.Network = c.protocol, network
			made := make1(t, s, 2)
			if len(made.Sessions) != 2 || made.Ready != 2 {
				t.Fatalf("made %+v", made)
			}
			live := s
			live.Store = ""
			want, err := party.Run(context.Background(), live)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 2 {
				out, err := party.Run(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				checkSmall(t, out)
				checkPrediction(t, out.Report)
				r, w := out.Report, want.Report
				if r.Offline.Session != made.Sessions[i] || r.Offline.Seconds != 0 || r.Offline.BytesSent != made.Bytes {
					t.Errorf("run %d of %v: offline %+v", i, made, r.Offline)
				}
				if !reflect.DeepEqual(r.Online.BytesSent, w.Online.BytesSent) || r.Online.Rounds != w.Online.Rounds ||
					r.Offline.BytesSent != w.Offline.BytesSent {
					t.Errorf("from a store: %+v, %+v; from a dealer: %+v, %+v", r.Online, r.Offline, w.Online, w.Offline)
				}
			}
			_, err = party.Run(context.Background(), s)
			if err == nil || !errors.As(err, new(*store.MissingError)) || !strings.Contains(err.Error(), "no session is ready (2 spent)") {
				t.Errorf("a third run: %v", err)
			}
		}
	}
}

// What was made for something else is not used, and the error says in what it
// differs.
func TestStoreOfSomethingElse(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*party.Spec)
		want   string // "": it serves all the same
	}{
		{"nothing", func(*party.Spec) {}, ""},
		{"network", func(s *party.Spec) { s.Network = "1e9/1ms" }, ""},
		{"who learns", func(s *party.Spec) { s.Reveal = []int{0, 1} }, ""},
		{"values", func(s *party.Spec) { s.Args[0].Data = s.Args[1].Data }, ""},
		{"ring", func(s *party.Spec) { s.Ring = 128 }, "ring: 64 there, 128 here"},
		{"fraction", func(s *party.Spec) { s.Fraction = 20 }, "fraction: 18 there, 20 here"},
		{"parties", func(s *party.Spec) { s.Parties = []string{"bob", "alice", "carol"} }, "parties: [alice bob carol] there, [bob alice carol] here"},
		{"computing", func(s *party.Spec) { s.Computing = 2 }, "computing: 3 there, 2 here"},
		{"owner", func(s *party.Spec) { s.Args[1].Owner = 0 }, "owner of argument 1: 2 there, 0 here"},
		{"setting", func(s *party.Spec) { s.Set = map[string]string{"optimize": "total"} }, "set optimize: nothing there, total here"},
		{"public value", func(s *party.Spec) {
			s.Args[2].Data = tensor.FromFloats(tensor.F32, tensor.Shape{6}, make([]float64, 6))
		}, "public argument 2: "},
		{"program", func(s *party.Spec) {
			p, err := hlo.Parse("small.mlir", []byte(`module @m {
  func.func public @main(%a: tensor<6xf32>, %b: tensor<6xf32>, %c: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.multiply %a, %b : tensor<6xf32>
    return %0 : tensor<6xf32>
  }
}`))
			if err != nil {
				t.Fatal(err)
			}
			s.Program = p
		}, "program: "},
		{"header", func(s *party.Spec) {
			for _, p := range s.Parties {
				replace(t, filepath.Join(s.Store, p), `"version":"`+version.Since+`"`, `"version":"0.0.9"`)
			}
		}, "damaged file: its header has a wrong checksum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := small(t, 3, 3)
			make1(t, s, 1)
			s.Args = slices.Clone(s.Args)
			c.change(&s)
			_, err := party.Run(context.Background(), s)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// replace changes bytes in all files of a folder.
func replace(t testing.TB, dir, old, with string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.ready"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), old) {
			t.Fatalf("%s does not have %q", f, old)
		}
		if err := os.WriteFile(f, []byte(strings.ReplaceAll(string(b), old, with)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A session that lacks at one party is none; of others all runs at once take
// different ones.
func TestConcurrentRuns(t *testing.T) {
	s := small(t, 2, 2)
	made := make1(t, s, 9)
	for i, p := range s.Parties { // the first at alice alone, the second at bob
		if err := os.Remove(filepath.Join(s.Store, p, made.Sessions[1-i]+".ready")); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	var used []string
	var wg sync.WaitGroup
	for range 7 {
		wg.Go(func() {
			out, err := party.Run(context.Background(), s)
			if err != nil {
				t.Error(err)
				return
			}
			checkSmall(t, out)
			mu.Lock()
			defer mu.Unlock()
			used = append(used, out.Report.Offline.Session)
		})
	}
	wg.Wait()
	slices.Sort(used)
	if !slices.Equal(used, made.Sessions[2:]) {
		t.Errorf("%v were used of %v", used, made.Sessions)
	}
	_, err := party.Run(context.Background(), s)
	if err == nil || !strings.Contains(err.Error(), "ready at every party") {
		t.Errorf("the rest: %v", err)
	}
}

// A correction that is not what was written ends the run, and the session.
func TestDamagedCorrections(t *testing.T) {
	s := small(t, 2, 2)
	made := make1(t, s, 1)
	path := filepath.Join(s.Store, "bob", made.Sessions[0])
	b, err := os.ReadFile(path + ".ready")
	if err != nil {
		t.Fatal(err)
	}
	b[len(b)-1] ^= 4
	if err := os.WriteFile(path+".ready", b, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = party.Run(context.Background(), s)
	if err == nil || !strings.Contains(err.Error(), "wrong checksum") || !strings.Contains(err.Error(), made.Sessions[0]) ||
		!strings.Contains(err.Error(), "small.mlir:") {
		t.Errorf("got %v", err)
	}
	for _, p := range s.Parties {
		if _, err := os.Stat(filepath.Join(s.Store, p, made.Sessions[0]+".spent")); err != nil {
			t.Error(err)
		}
	}
}

func TestStoresThatCannotBe(t *testing.T) {
	s := small(t, 2, 2)
	for _, c := range []struct {
		name   string
		change func(*party.Spec)
		want   string
	}{
		{"none", func(*party.Spec) {}, "there is no store"},
		{"plain", func(s *party.Spec) { s.Protocol = "plain" }, "plain takes nothing from a store"},
		{"seed", func(s *party.Spec) { s.Seed = []byte{1} }, "their own seeds"},
		{"file", func(s *party.Spec) {
			s.Store = filepath.Join(t.TempDir(), "file")
			if err := os.WriteFile(s.Store, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, "not a directory"},
	} {
		x := s
		c.change(&x)
		if _, err := party.Run(context.Background(), x); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if c.name == "none" {
			continue
		}
		if _, err := party.Offline(context.Background(), x, 1); err == nil {
			t.Errorf("%s: offline makes it", c.name)
		}
	}
}

// What an earlier process left unfinished is named and removed.
func TestOfflineTidiesUp(t *testing.T) {
	s := small(t, 2, 2)
	make1(t, s, 1)
	rest := filepath.Join(s.Store, "bob", strings.Repeat("0a", 16)+".making")
	if err := os.WriteFile(rest, []byte("TACET"), 0o600); err != nil {
		t.Fatal(err)
	}
	var notices []string
	s.Notice = func(text string) { notices = append(notices, text) }
	make1(t, s, 1)
	if len(notices) != 1 || !strings.Contains(notices[0], "session 0a0a") || !strings.Contains(notices[0], "is incomplete") {
		t.Errorf("told %q", notices)
	}
	if _, err := os.Stat(rest); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
	}
}

// Interrupted, it leaves whole sessions and nothing else.
func TestOfflineIsInterrupted(t *testing.T) {
	s := small(t, 2, 2)
	ctx, cancel := context.WithCancel(context.Background())
	s.Progress = func(p party.Progress) {
		if p.Phase == "session 3 of 5" && p.Done > 0 {
			cancel()
		}
	}
	made, err := party.Offline(ctx, withoutData(s), 5)
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "2 of 5 sessions were made") || len(made.Sessions) != 2 {
		t.Fatalf("%+v, %v", made, err)
	}
	for _, p := range s.Parties {
		files, err := filepath.Glob(filepath.Join(s.Store, p, "*.*"))
		if err != nil || len(files) != 3 { // and CACHEDIR.TAG
			t.Errorf("%s has %v, %v", p, files, err)
		}
	}
	if _, damaged, err := store.Verify(context.Background(), s.Store, false, nil); err != nil || len(damaged) > 0 {
		t.Error(damaged, err)
	}
}
