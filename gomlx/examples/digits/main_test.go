package main

import "testing"

// TestLearn trains for a few steps. Metrics are revealed: two of each step, two of the evaluation.
func TestLearn(t *testing.T) {
	const steps = 6
	first, last, accuracy, backend, err := learn(steps, 100, 50)
	if err != nil {
		t.Fatal(err)
	}
	if last > 0.85*first || accuracy < 0 || accuracy > 1 {
		t.Errorf("loss %v, then %v, accuracy %v", first, last, accuracy)
	}
	for _, r := range backend.Revealed() {
		if r.Shape.Size() != 1 {
			t.Errorf("revealed %v", r)
		}
	}
	if n := len(backend.Revealed()); n > 2*steps+2 {
		t.Errorf("%d tensors were revealed", n)
	}
	t.Logf("loss %.2f, then %.2f, accuracy %.2f", first, last, accuracy)
}
