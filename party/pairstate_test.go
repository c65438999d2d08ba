package party_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/cheetah"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// pairSpec is a program of two parties without a dealer that uses keys and transfers: a matrix product and a comparison.
func pairSpec(t *testing.T) party.Spec {
	t.Helper()
	prog, err := hlo.Parse("test.mlir", []byte(`func.func @main(%x: tensor<16x64xf32>, %w: tensor<64x16xf32>) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %z = stablehlo.constant dense<0.0> : tensor<16x16xf32>
  %1 = stablehlo.maximum %0, %z : tensor<16x16xf32>
  return %1 : tensor<16x16xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	x, w := make([]float64, 1024), make([]float64, 1024)
	for i := range x {
		x[i], w[i] = float64(i%7)/4-0.5, float64(i%5)/4-0.5
	}
	return party.Spec{
		Program: prog, Protocol: cheetah.Protocol.Name, Parties: []string{"alice", "bob"}, PairState: t.TempDir(),
		Args: []party.Arg{
			{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{16, 64}, x)},
			{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{64, 16}, w)},
		},
	}
}

// checkPair checks results of pairSpec.
func checkPair(t *testing.T, s party.Spec, out *party.Outcome) {
	t.Helper()
	x, w := s.Args[0].Data.Floats(), s.Args[1].Data.Floats()
	for i, got := range out.Results[0].Floats() {
		want := 0.0
		for k := range 64 {
			want += x[i/16*64+k] * w[k*16+i%16]
		}
		if d := got - max(want, 0); d > 1e-3 || d < -1e-3 {
			t.Fatalf("element %d is %v, want %v", i, got, max(want, 0))
		}
	}
}

// checkSame compares a run's costs of all phases with a plan's.
func checkSame(t *testing.T, plan, run *profile.Report) {
	t.Helper()
	if plan.Offline.PairState != run.Offline.PairState || !slices.Equal(plan.Offline.BySender, run.Offline.BySender) ||
		plan.Offline.Rounds != run.Offline.Rounds || !slices.Equal(plan.Setup.BytesSent, run.Setup.BytesSent) {
		t.Errorf("planned %+v, measured %+v; setup %v and %v", plan.Offline, run.Offline, plan.Setup, run.Setup)
	}
	checkPlanned(t, run)
}

// TestPairState runs a program three times: the first run makes keys and base transfers, the others begin with what the
// one before has kept. Plans say what each of them sends.
func TestPairState(t *testing.T) {
	s := pairSpec(t)
	var bytes []int64
	for range 3 {
		plan, err := party.Plan(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		out, err := party.Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		checkPair(t, s, out)
		checkSame(t, plan, out.Report)
		t.Logf("%s: %d bytes in %d rounds", out.Report.Offline.PairState, out.Report.Offline.BytesSent, out.Report.Offline.Rounds)
		bytes = append(bytes, out.Report.Offline.BytesSent)
	}
	if bytes[0] < 3*bytes[1] || bytes[1] != bytes[2] {
		t.Errorf("offline bytes %v: a warm session should send less, and all of them the same", bytes)
	}
}

// pairWorld is two parties apart, each with a folder and a memory of its own.
type pairWorld struct {
	folder [2]string // with pair state and memory; "" if the party keeps nothing
}

// run runs a session, with connections through tap if that is not nil, and returns both outcomes. Errors are by rank.
func (w *pairWorld) run(t *testing.T, spec party.Spec, tap func(rank int, e *link.Endpoint)) (outs [2]*party.Outcome, errs [2]error) {
	t.Helper()
	ends, id := link.Memory(2), correlation.NewSessionID()
	var wg sync.WaitGroup
	for rank := range 2 {
		s := spec
		s.Args = slices.Clone(spec.Args)
		s.Args[1-rank].Data = nil
		s.PairState = ""
		if w.folder[rank] != "" {
			s.PairState = filepath.Join(w.folder[rank], "pair")
			memory, err := store.OpenMemory(filepath.Join(w.folder[rank], "memory"))
			if err != nil {
				t.Fatal(err)
			}
			s.StoreMemory = memory
		}
		if tap != nil {
			tap(rank, ends[rank])
		}
		wg.Go(func() {
			defer ends[rank].Close()
			outs[rank], errs[rank] = party.Join(t.Context(), s, party.Seat{Rank: rank, Link: ends[rank], Session: id})
		})
	}
	wg.Wait()
	return outs, errs
}

// wants runs a session that must succeed, cold or warm at both parties, and as predicted.
func (w *pairWorld) wants(t *testing.T, spec party.Spec, state string) {
	t.Helper()
	outs, errs := w.run(t, spec, nil)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	for rank, out := range outs {
		if got, _, _ := strings.Cut(out.Report.Offline.PairState, ":"); got != state {
			t.Errorf("party %d: %s, want %s", rank, out.Report.Offline.PairState, state)
		}
		checkPair(t, spec, out)
		checkPlanned(t, out.Report)
	}
}

// TestPairStateApart runs sessions of two parties that have only messages in common. A folder that is restored from a
// backup, with or without its memory, is emptied, and the session makes new keys instead of using anything twice.
func TestPairStateApart(t *testing.T) {
	spec := pairSpec(t)
	w := &pairWorld{[2]string{t.TempDir(), t.TempDir()}}
	w.wants(t, spec, "cold")
	w.wants(t, spec, "warm")
	for rank := range 2 {
		for name, restored := range map[string]string{"state": "pair", "state and memory": "."} {
			t.Run(fmt.Sprintf("rank %d restores %s", rank, name), func(t *testing.T) {
				from, backup := filepath.Join(w.folder[rank], restored), filepath.Join(t.TempDir(), "backup")
				if err := os.CopyFS(backup, os.DirFS(from)); err != nil {
					t.Fatal(err)
				}
				w.wants(t, spec, "warm") // uses what the backup has
				if err := os.RemoveAll(from); err != nil {
					t.Fatal(err)
				}
				if err := os.CopyFS(from, os.DirFS(backup)); err != nil {
					t.Fatal(err)
				}
				w.wants(t, spec, "cold")
				w.wants(t, spec, "warm")
			})
		}
	}
	t.Run("another age", func(t *testing.T) {
		old := spec
		old.PairAge = time.Nanosecond
		w.wants(t, old, "cold")
	})
}

// TestPairStateOfOne runs sessions in which one party keeps something and the other one does not: both make the same, and
// nothing is left over.
func TestPairStateOfOne(t *testing.T) {
	spec := pairSpec(t)
	w := &pairWorld{[2]string{t.TempDir(), ""}}
	for range 2 {
		outs, errs := w.run(t, spec, nil)
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatal(err)
		}
		for rank, want := range []string{"cold: another party keeps nothing", ""} {
			if got := outs[rank].Report.Offline.PairState; got != want {
				t.Errorf("party %d: %q, want %q", rank, got, want)
			}
			checkPlanned(t, outs[rank].Report)
		}
	}
	if kept, _ := filepath.Glob(filepath.Join(w.folder[0], "pair", "*", "*.ready")); len(kept) > 0 {
		t.Errorf("%v is kept", kept)
	}
}

// TestPairStateOfThree lets a third party, which does not compute, bring an input: it keeps nothing, and the other two do.
func TestPairStateOfThree(t *testing.T) {
	spec := pairSpec(t)
	spec.Parties = append(spec.Parties, "carol")
	spec.Args[1].Owner = 2
	for _, want := range []string{"cold", "warm"} {
		out, err := party.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := strings.Cut(out.Report.Offline.PairState, ":"); got != want {
			t.Errorf("%s, want %s", out.Report.Offline.PairState, want)
		}
		checkPair(t, spec, out)
	}
	if _, err := os.Stat(filepath.Join(spec.PairState, "carol")); err == nil {
		t.Error("a party that does not compute keeps something")
	}
}

// TestPairStateRefused wants clear errors.
func TestPairStateRefused(t *testing.T) {
	for want, change := range map[string]func(*party.Spec){
		"protocol semi2k keeps nothing":   func(s *party.Spec) { s.Protocol = "semi2k" },
		"Spec.Seed: a fixed seed would":   func(s *party.Spec) { s.Seed = []byte{1} },
		"Spec.PairAge: want an age of 0 ": func(s *party.Spec) { s.PairAge = -1 },
	} {
		s := pairSpec(t)
		change(&s)
		if _, err := party.Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := party.Open(t.Context(), pairSpec(t), nil); err == nil || !strings.Contains(err.Error(), "a service keeps nothing") {
		t.Errorf("a service: %v", err)
	}
}

// TestStoreBetween makes sessions ahead of time, without data, and runs them: nothing is sent offline, each serves once, and
// they fit their program alone.
func TestStoreBetween(t *testing.T) {
	spec := pairSpec(t)
	spec.PairState, spec.Store = "", t.TempDir()
	shapes := spec
	shapes.Args = slices.Clone(spec.Args)
	for i := range shapes.Args {
		shapes.Args[i].Data = nil
	}
	made, err := party.Offline(t.Context(), shapes, 2)
	if err != nil || len(made.Sessions) != 2 || made.Ready != 2 || made.Bytes < 100_000 {
		t.Fatalf("%+v, %v", made, err)
	}
	for _, id := range made.Sessions {
		out, err := party.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		checkPair(t, spec, out)
		r := out.Report
		if r.Offline.Session != id || r.Offline.BytesSent != 0 || r.Predicted.Offline.BytesSent != 0 || r.Offline.Rounds != 0 ||
			!slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) || r.Offline.PairState != "" {
			t.Errorf("%+v, want session %s", r.Offline, id)
		}
		other := spec
		other.Set = map[string]string{"optimize": "rounds"}
		if _, err := party.Run(t.Context(), other); !errors.As(err, new(*store.MissingError)) {
			t.Errorf("a run with another setting: %v", err)
		}
	}
	if _, err := party.Run(t.Context(), spec); err == nil || !strings.Contains(err.Error(), "no session is ready (2 spent)") {
		t.Errorf("a third run: %v", err)
	}
}

// TestStoreBetweenApart makes a session among parties that are apart, one of which does not compute, and runs it once; the
// next run makes its correlations itself.
func TestStoreBetweenApart(t *testing.T) {
	spec := pairSpec(t)
	spec.PairState, spec.Parties, spec.Args[1].Owner = "", append(spec.Parties, "carol"), 2
	folders := [3]string{t.TempDir(), t.TempDir(), t.TempDir()}
	apart := func(do func(ctx context.Context, s party.Spec, seat party.Seat) error) {
		t.Helper()
		ends, id := link.Memory(3), correlation.NewSessionID()
		var wg sync.WaitGroup
		errs := make([]error, 3)
		for rank := range ends {
			s := spec
			s.Args, s.Store = slices.Clone(spec.Args), folders[rank]
			for i := range s.Args {
				if s.Args[i].Owner != rank {
					s.Args[i].Data = nil
				}
			}
			wg.Go(func() {
				defer ends[rank].Close()
				errs[rank] = do(t.Context(), s, party.Seat{Rank: rank, Link: ends[rank], Session: id})
			})
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	apart(party.StoreOffline)
	for _, stored := range []bool{true, false} {
		apart(func(ctx context.Context, s party.Spec, seat party.Seat) error {
			out, err := party.Join(ctx, s, seat)
			if err != nil {
				return err
			}
			checkPair(t, spec, out)
			if got := out.Report.Offline.BytesSent == 0; got != stored {
				t.Errorf("party %d: %d bytes offline, from a store: %v", seat.Rank, out.Report.Offline.BytesSent, stored)
			}
			return nil
		})
	}
}
