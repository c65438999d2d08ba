package main

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/tensor"
)

// kills is the number of runs that are killed; TACET_TEST_KILLS overrides it.
const kills = 8

// TestKilledRuns kills stored runs at random moments (kill -9): no session may be used twice, the
// store must stay intact, and the next run must report the crashed session.
func TestKilledRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	n := kills
	if text := os.Getenv("TACET_TEST_KILLS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	dir := crashJob(t)
	if _, err := runTacet(t, dir, 0, "offline", "job.yaml", "--store", "store", "--sessions", strconv.Itoa(2*n+2)); err != nil {
		t.Fatal(err)
	}
	run := []string{"run", "job.yaml", "--store", "store", "--network", "1e9/4ms"}
	start := time.Now()
	if _, err := runTacet(t, dir, 0, run...); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(start)
	before := look(t, dir)
	hit, late := 0, 0
	for range n {
		_, err := runTacet(t, dir, time.Duration(rand.Float64()*float64(whole)), run...)
		if err == nil {
			late++
		}
		after := look(t, dir)
		crashed := checkStates(t, before, after)
		hit += len(crashed)
		stderr, err := runTacet(t, dir, 0, run...)
		if err != nil {
			t.Fatal(err)
		}
		for id := range crashed {
			line := fmt.Sprintf("tacet: session %v was begun by an earlier run that did not end: the session is spent and skipped\n", id)
			if !strings.Contains(stderr, line) {
				t.Errorf("the next run does not say of %v what happened: %q", id, stderr)
			}
		}
		if n := strings.Count(stderr, "\n"); n != len(crashed) {
			t.Errorf("%d lines of %d crashed sessions: %q", n, len(crashed), stderr)
		}
		before = look(t, dir)
		if crashed := checkStates(t, after, before); len(crashed) > 0 {
			t.Errorf("a run that ended left %v", crashed)
		}
	}
	t.Logf("of %d runs %d were killed before their end, %d with a session begun", n, n-late, hit)
	files, damaged, err := store.Verify(t.Context(), filepath.Join(dir, "store"), false, nil)
	if err != nil || len(damaged) > 0 || files == 0 {
		t.Errorf("%d files, damaged %v, %v", files, damaged, err)
	}
}

// checkStates compares a store before and after a run: sessions that were not ready must stay so, and
// at most one session may have begun. It returns the crashed sessions.
func checkStates(t *testing.T, before, after map[correlation.SessionID]*store.Row) map[correlation.SessionID]bool {
	t.Helper()
	crashed, begun := map[correlation.SessionID]bool{}, 0
	for id, b := range before {
		a := after[id]
		if a == nil {
			t.Errorf("session %v is gone", id)
			continue
		}
		if maps.Equal(a.States, b.States) {
			continue
		}
		if b.State() == store.Ready {
			begun++
		}
		for p, s := range a.States {
			was := b.States[p]
			switch {
			case s == store.Ready && was != store.Ready, s == store.Begun, was == store.Spent && s != store.Spent:
				t.Errorf("session %v at %s was %v and is %v", id, p, was, s)
			case s == store.Crashed:
				crashed[id] = true
			}
		}
	}
	if begun > 1 {
		t.Errorf("one run has begun %d sessions", begun)
	}
	return crashed
}

func look(t *testing.T, dir string) map[correlation.SessionID]*store.Row {
	t.Helper()
	rows, _, err := store.List(filepath.Join(dir, "store"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[correlation.SessionID]*store.Row{}
	for _, r := range rows {
		out[r.Session] = r
	}
	return out
}

// runTacet runs the command in a process of its own, which is killed after a time
// if that is not 0, and returns what it wrote to standard error.
func runTacet(t *testing.T, dir string, kill time.Duration, args ...string) (string, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	c := exec.Command(exe, args...)
	c.Args[0] = "tacet"
	c.Dir, c.Stderr = dir, &stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	if kill > 0 {
		timer := time.AfterFunc(kill, func() { c.Process.Kill() })
		defer timer.Stop()
	}
	if err := c.Wait(); err != nil {
		return stderr.String(), fmt.Errorf("tacet %s: %w: %s", args[0], err, stderr.String())
	}
	return stderr.String(), nil
}

// crashJob returns a job of several rounds.
func crashJob(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("job.yaml", `program: program.mlir
parties: [alice, bob]
inputs:
  - {owner: alice, file: a.npy, arg: 0}
  - {owner: bob, file: b.npy, arg: 1}
`)
	write("program.mlir", `module @m {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<64xf32>
    %1 = stablehlo.maximum %0, %arg1 : tensor<64xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<64xf32>
    %3 = stablehlo.maximum %2, %arg0 : tensor<64xf32>
    return %3 : tensor<64xf32>
  }
}
`)
	var b bytes.Buffer
	if err := npy.Write(&b, tensor.NewArray(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{64}})); err != nil {
		t.Fatal(err)
	}
	write("a.npy", b.String())
	write("b.npy", b.String())
	return dir
}
