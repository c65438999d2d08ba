package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// measure runs a job with all systems in alternation: first each once untimed, then each once per
// round, with the order reversed in every second round. A system that fails has the reason in its
// row. The only error is an interrupt.
func (w *runner) measure(ctx context.Context, j job) ([]row, error) {
	w.progress(j.name)
	rows := make([]row, len(w.systems))
	for i, s := range w.systems {
		rows[i] = row{job: j.name, system: s}
	}
	args, err := j.arguments(w.fixtures, w.elements)
	folder := ""
	if err == nil {
		folder, err = w.task(ctx, j, args)
	}
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	if err != nil {
		for i := range rows {
			rows[i].failed = err.Error()
		}
		return rows, nil
	}
	running := make([]*driver, len(rows))
	defer func() {
		for _, d := range running {
			if d != nil {
				d.close()
			}
		}
	}()
	for i, s := range w.systems {
		if running[i], err = w.start(ctx, s, j, args, folder); err != nil {
			rows[i].failed = err.Error()
		}
	}
	for run := range w.runs + 1 {
		for _, i := range order(len(rows), run) {
			if running[i] == nil {
				continue
			}
			s, err := running[i].runOnce(ctx, w.limit)
			if ctx.Err() != nil {
				return nil, errors.New("interrupted")
			}
			if err != nil {
				w.progress(fmt.Sprintf("%s with %s: %v", j.name, w.systems[i], err))
				rows[i] = row{job: j.name, system: w.systems[i], failed: err.Error()}
				running[i].close()
				running[i] = nil
			} else if run > 0 {
				rows[i].samples = append(rows[i].samples, s)
			}
		}
	}
	compare(rows)
	return rows, nil
}

// order returns the order of systems in a round. It alternates between forward and backward, so
// that no system always runs after the same other one.
func order(n, run int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	if run%2 == 1 {
		slices.Reverse(out)
	}
	return out
}
