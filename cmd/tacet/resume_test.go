//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
)

// trainTurns is the number of iterations of a training in real processes.
const trainTurns = 300

const trainJob = `program: train.mlir
parties: [alice, bob, carol]
inputs:
  - {owner: alice, file: x0.npy, arg: 0}
  - {owner: bob, file: x0.npy, arg: 1}
  - {owner: carol, file: x0.npy, arg: 2}
outputs: {reveal: [alice]}
`

const trainText = `func.func @main(%%a: tensor<64xf32>, %%b: tensor<64xf32>, %%c: tensor<64xf32>) -> tensor<64xf32> {
  %%zero = stablehlo.constant dense<0> : tensor<i32>
  %%one = stablehlo.constant dense<1> : tensor<i32>
  %%turns = stablehlo.constant dense<%d> : tensor<i32>
  %%rate = stablehlo.constant dense<0.0625> : tensor<64xf32>
  %%0:2 = stablehlo.while(%%i = %%zero, %%w = %%c) : tensor<i32>, tensor<64xf32>
  cond {
    %%1 = stablehlo.compare LT, %%i, %%turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %%1 : tensor<i1>
  } do {
    %%2 = stablehlo.multiply %%w, %%a : tensor<64xf32>
    %%3 = stablehlo.logistic %%2 : tensor<64xf32>
    %%4 = stablehlo.subtract %%b, %%3 : tensor<64xf32>
    %%5 = stablehlo.multiply %%4, %%rate : tensor<64xf32>
    %%6 = stablehlo.add %%w, %%5 : tensor<64xf32>
    %%7 = stablehlo.add %%i, %%one : tensor<i32>
    stablehlo.return %%7, %%6 : tensor<i32>, tensor<64xf32>
  }
  return %%0#1 : tensor<64xf32>
}
`

// TestKilledGoesOn kills parties during a training (kill -9), one of them the leader, restarts them,
// and resumes the training as a user would.
func TestKilledGoesOn(t *testing.T) {
	r := newRig(t, 64)
	r.write("", "train.yaml", trainJob)
	r.write("", "train.mlir", fmt.Sprintf(trainText, trainTurns))
	want := r.input(2, 0)
	for i, a := range r.input(0, 0) {
		b := r.input(1, 0)[i]
		for range trainTurns {
			want[i] += (b - 1/(1+math.Exp(-want[i]*a))) / 16
		}
	}
	for _, victim := range []string{"bob", "alice"} {
		out, stderr, err := r.tacet("submit", "train.yaml", "--checkpoint", "10", "--detach")
		if err != nil {
			t.Fatal(stderr)
		}
		id := strings.TrimSpace(out)
		r.setAside(id)
		r.killed(victim)
		r.up()
		for _, p := range r.parties {
			if j, known := r.end(&api.Submission{ID: id}, p); !known || j.State != api.Failed || j.NewestCheckpoint == "" {
				t.Errorf("%s killed: %+v", victim, j)
			}
		}
		out, _, err = r.tacet("jobs", id[:8])
		if err != nil || strings.Count(out, "; checkpoint: loop 1, iteration ") != 3 {
			t.Errorf("%s killed: %v: %s", victim, err, out)
		}
		_, stderr, err = r.tacet("submit", "train.yaml", "--checkpoint", "10", "--resume", id[:8], "--report", "rest.json", "--out", "rest")
		if err != nil {
			t.Fatalf("%s killed: %s", victim, stderr)
		}
		turn := 0
		if _, err := fmt.Sscanf(stderr, "tacet: resumes from loop 1, iteration %d\n", &turn); err != nil {
			t.Errorf("%s killed: %q", victim, stderr)
		}
		var report profile.Report
		r.check(json.Unmarshal([]byte(r.read("", "rest.json")), &report))
		for _, o := range report.Ops {
			if o.Op == "stablehlo.logistic" && o.Calls != trainTurns-turn {
				t.Errorf("%s killed: from turn %d on there are %d turns", victim, turn, o.Calls)
			}
		}
		text := r.read("rest", "out0.npy")
		array, err := npy.NewReader(strings.NewReader(text), int64(len(text)))
		r.check(err)
		got, err := array.Array()
		r.check(err)
		for i, x := range got.Floats() {
			if math.Abs(x-want[i]) > 1e-2 {
				t.Errorf("%s killed: element %d is %v, not %v", victim, i, x, want[i])
				break
			}
		}
		out, _, err = r.tacet("audit", filepath.Join("carol", "state", "audit.log"))
		if err != nil || !strings.Contains(out, fmt.Sprintf("resumes job %.8s; from loop 1, iteration %d", id, turn)) {
			t.Errorf("%s killed: %v: %s", victim, err, out)
		}
		for _, p := range r.parties {
			if left, err := filepath.Glob(filepath.Join(r.dir, p, "state", "jobs", "*", "checkpoints")); err != nil || left != nil {
				t.Errorf("%s killed: %s still has %v, %v", victim, p, left, err)
			}
			r.tidy(victim+" killed", p)
		}
		r.check(os.RemoveAll(filepath.Join(r.dir, "rest")))
	}
}

// setAside waits until all nodes have a checkpoint of a job.
func (r *rig) setAside(id string) {
	r.t.Helper()
	for _, p := range r.parties {
		for deadline := time.Now().Add(rigWait); ; time.Sleep(time.Millisecond) {
			j, err := r.asked(p, id)
			if err == nil && j.NewestCheckpoint != "" {
				break
			}
			if err == nil && j.State.Final() || time.Now().After(deadline) {
				r.t.Fatalf("%+v, %v", j, err)
			}
		}
	}
}
