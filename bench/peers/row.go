package main

import (
	"cmp"
	"fmt"
	"slices"
)

// row is what a job cost with one system.
type row struct {
	job, system string
	samples     []sample // of the timed runs
	failed      string   // why there are none
	// How many times as long as Tacet it took, round by round: as Tacet's online
	// phase, and as its online and offline phases. Nothing in Tacet's own row, or
	// where Tacet did not run.
	online, whole []float64
}

// compare fills in ratios.
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
			rows[i].whole = append(rows[i].whole, s.seconds/(t.seconds+t.offline))
		}
	}
}

// spread is the least, the middle and the most of some numbers.
type spread struct{ min, median, max float64 }

// of is the spread of numbers, of which there is one at least.
func of(v []float64) spread {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return spread{v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]}
}

// text prints the three alike.
func (s spread) text(format string) string {
	return fmt.Sprintf(format+" – "+format+" – "+format, s.min, s.median, s.max)
}

// all are one number of every sample.
func all[T any](samples []sample, number func(sample) T) []T {
	var out []T
	for _, s := range samples {
		out = append(out, number(s))
	}
	return out
}

// most is the largest of one number of all samples.
func most[T cmp.Ordered](samples []sample, number func(sample) T) T {
	return slices.Max(all(samples, number))
}

func (r row) seconds() spread { return of(all(r.samples, func(s sample) float64 { return s.seconds })) }
func (r row) offline() spread { return of(all(r.samples, func(s sample) float64 { return s.offline })) }
func (r row) cpu() spread     { return of(all(r.samples, func(s sample) float64 { return s.cpu })) }
func (r row) bytes() int64    { return most(r.samples, func(s sample) int64 { return s.bytes }) }
func (r row) rounds() int     { return most(r.samples, func(s sample) int { return s.rounds }) }
func (r row) messages() int   { return most(r.samples, func(s sample) int { return s.messages }) }
func (r row) memory() int64   { return most(r.samples, func(s sample) int64 { return s.memory }) }

// off is the largest error; nil where nothing was compared.
func (r row) off() *float64 {
	var worst *float64
	for _, s := range r.samples {
		if s.off != nil && (worst == nil || *s.off > *worst) {
			worst = s.off
		}
	}
	return worst
}
