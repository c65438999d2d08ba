package node

import (
	"github.com/tacet-mpc/tacet/node/api"
)

// simIterations is the number of iterations of a training, with a checkpoint after every third.
const simIterations = 40

// simTraining has a secret product and a sigmoid in every iteration.
const simTraining = `func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<f32> {
  %p = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %turns = stablehlo.constant dense<40> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<f32>
  %q = stablehlo.logistic %p : tensor<f32>
  %0:2 = stablehlo.while(%i = %zero, %w = %half) : tensor<i32>, tensor<f32>
  cond {
    %1 = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.multiply %w, %q : tensor<f32>
    %3 = stablehlo.add %2, %half : tensor<f32>
    %4 = stablehlo.logistic %3 : tensor<f32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %4 : tensor<i32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}`

// training returns such a job and its expected result.
func (w *world) training(order []string) (*api.Submission, float64) {
	s := w.submission(order...)
	s.Program = api.Program{Name: "training.mlir", Text: []byte(simTraining)}
	s.Public, s.Checkpoint = nil, 3
	p := dot(of(order[0], "x.npy"), of(order[1], "x.npy"))
	v := 0.5
	for range simIterations {
		v = logistic(v*logistic(p) + 0.5)
	}
	return s, v
}

// runTraining submits a training, resumes it once if it fails, and leaves it for goOn if it has not
// finished by then.
func (w *world) runTraining(order []string) {
	s, want := w.training(order)
	if w.choose(2) == 0 {
		s.Computing = 2
	}
	w.submitted(s)
	if w.ended(s, want) > 0 {
		return
	}
	again := w.resume(s)
	w.submitted(again)
	if w.ended(again, want) == 0 {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.left = append(w.left, again, s)
	}
}

// resume returns a job that resumes another.
func (w *world) resume(s *api.Submission) *api.Submission {
	again := *s
	again.ID, again.Resume = newID(), s.ID
	return &again
}

// resumeFailed resumes, after all faults are removed, the failed trainings that all nodes still have.
func (w *world) resumeFailed() {
	for _, s := range w.left {
		broken := true
		for _, p := range s.Parties {
			n, _ := w.task(s.ID, p)
			j := n.state().Job(s.ID)
			// A hostile submitter may have used the id before: a job of somebody else cannot be resumed.
			broken = broken && j != nil && j.Sent == s.Digest() && (j.State == api.Failed || j.State == api.Cancelled)
		}
		if !broken {
			continue
		}
		again := w.resume(s)
		w.submitted(again)
		_, want := w.training(s.Parties)
		if done := w.ended(again, want); done != len(s.Parties) {
			w.violated("job %s, which resumes from %s, is done at %d of %d", again.ID, s.ID, done, len(s.Parties))
		}
		n, _ := w.task(again.ID, s.Parties[0])
		w.events.add("job %s went on from %s, %s", again.ID, s.ID, n.state().Job(again.ID).ResumedFrom)
	}
}
