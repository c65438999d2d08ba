package main

import (
	"cmp"
	"fmt"
	"slices"
)

// row is the cost of a job with one system.
type row struct {
	job, system string
	samples     []sample // of the timed runs
	failed      string   // reason why there are no samples, "" if there are
	// online and whole are the ratios of the time to Tacet's time in the same round: to its online
	// phase, and to its online and offline phases together. They are nil in Tacet's own row and if
	// Tacet did not run.
	online, total []float64
}

// compare fills in the ratios.
func compare(rows []row) {
	at := slices.IndexFunc(rows, func(r row) bool { return r.system == "tacet" && r.failed == "" })
	if at < 0 {
		return
	}
	for i, r := range rows {
		if i == at {
			continue
		}
		for round, s := range r.samples {
			t := rows[at].samples[round]
			rows[i].online = append(rows[i].online, s.seconds/t.seconds)
			rows[i].total = append(rows[i].total, s.seconds/(t.seconds+t.offline))
		}
	}
}

// spread is the minimum, median and maximum of some numbers.
type spread struct{ min, median, max float64 }

// spreadOf returns the spread of v, which must not be empty.
func spreadOf(v []float64) spread {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return spread{v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]}
}

// text formats the three numbers.
func (s spread) text(format string) string {
	return fmt.Sprintf(format+" – "+format+" – "+format, s.min, s.median, s.max)
}

// column returns one number of every sample.
func column[T any](samples []sample, number func(sample) T) []T {
	var out []T
	for _, s := range samples {
		out = append(out, number(s))
	}
	return out
}

// maximum returns the maximum of one number over all samples.
func maximum[T cmp.Ordered](samples []sample, number func(sample) T) T {
	return slices.Max(column(samples, number))
}

func (r row) seconds() spread {
	return spreadOf(column(r.samples, func(s sample) float64 { return s.seconds }))
}
func (r row) offline() spread {
	return spreadOf(column(r.samples, func(s sample) float64 { return s.offline }))
}
func (r row) cpu() spread {
	return spreadOf(column(r.samples, func(s sample) float64 { return s.cpu }))
}
func (r row) bytes() int64  { return maximum(r.samples, func(s sample) int64 { return s.bytes }) }
func (r row) rounds() int   { return maximum(r.samples, func(s sample) int { return s.rounds }) }
func (r row) messages() int { return maximum(r.samples, func(s sample) int { return s.messages }) }
func (r row) memory() int64 { return maximum(r.samples, func(s sample) int64 { return s.memory }) }

// maxError returns the largest error, nil if nothing was compared.
func (r row) maxError() *float64 {
	var worst *float64
	for _, s := range r.samples {
		if s.maxError != nil && (worst == nil || *s.maxError > *worst) {
			worst = s.maxError
		}
	}
	return worst
}
