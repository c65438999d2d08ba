package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// measure runs a job with all systems, in turns: first each once without
// counting, then each once a round, in one order and the other by turns. What
// cannot be done is said in a system's row; an error is an interrupt.
func (w *workshop) measure(ctx context.Context, j job) ([]row, error) {
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
			s, err := running[i].turn(ctx, w.limit)
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

// order is who is when: forwards and backwards by turns, so that nobody always
// runs after the same.
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
