package main

import (
	"math"
	"testing"
)

// TestLearn trains for a few steps. Metrics are revealed: two of each step, and the accuracy of the evaluation, which is a
// whole number of images.
func TestLearn(t *testing.T) {
	const steps, heldOut = 6, 50
	first, last, accuracy, backend, err := learn(steps, 100, heldOut)
	if err != nil {
		t.Fatal(err)
	}
	right := float64(accuracy) * heldOut
	if last > 0.85*first || accuracy < 0 || accuracy > 1 || math.Abs(right-math.Round(right)) > 0.01 {
		t.Errorf("loss %v, then %v, accuracy %v", first, last, accuracy)
	}
	for _, r := range backend.Revealed() {
		if r.Shape.Size() != 1 {
			t.Errorf("revealed %v", r)
		}
	}
	if n := len(backend.Revealed()); n != 2*steps+1 {
		t.Errorf("%d tensors were revealed, want %d", n, 2*steps+1)
	}
	t.Logf("loss %.2f, then %.2f, accuracy %.2f", first, last, accuracy)
}
