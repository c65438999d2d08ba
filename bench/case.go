package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Case is something to be measured: a job, or an operation as a small program.
type Case struct {
	Name string // name in tables
	// Elements is the number that costs per element are divided by; 0 if no such number is defined.
	Elements int
	Spec     party.Spec // what is run: the program with its arguments and settings
	// Text is the program for other systems, without Tacet's custom calls.
	Text []byte
	// Want computes the expected results in cleartext. If it is nil, results are not compared.
	Want func(context.Context) ([]*tensor.Array, error)
}

// Row is the measured cost of a case, over the given number of runs.
type Row struct {
	Op       string `json:"op"`       // name of the case
	Elements int    `json:"elements"` // number of elements by which costs per element are divided
	Protocol string `json:"protocol"` // name of the protocol
	Ring     int    `json:"ring"`     // width in bits of the ring of floats
	Fraction int    `json:"fraction"` // number of fraction bits of floats
	Parties  int    `json:"parties"`  // number of computing parties
	Network  string `json:"network"`  // name of the network that was emulated between the parties
	Runs     int    `json:"runs"`     // number of runs
	// Online is the time from shared inputs to shared results. Offline is the time of all work before, without
	// planning.
	Online          Times   `json:"online_seconds"`
	NanosPerElement float64 `json:"ns_per_element"`    // online, fastest run
	BytesPerElement float64 `json:"bytes_per_element"` // BytesSent per element
	BytesSent       int64   `json:"bytes_sent"`        // online, of the party that sends the most
	Rounds          int     `json:"rounds"`            // rounds of the online phase
	OfflineBytes    int64   `json:"offline_bytes"`     // bytes that are sent in the offline phase
	Offline         Times   `json:"offline_seconds"`
	// CPU is the CPU time of all cores for the whole run: planning, offline phase, inputs and
	// outputs included; zero if the system does not report it.
	CPU Times `json:"cpu_seconds"`
	// PeakMemoryBytes is the process's largest resident size until the end of the last run,
	// including earlier measurements in the process; 0 if the system does not report it.
	PeakMemoryBytes int64 `json:"peak_memory_bytes"`
	// MaxAbsError is the largest difference between a result and the expected one; nil if nothing was compared.
	MaxAbsError *float64 `json:"max_abs_error,omitempty"`
}

// Times holds the minimum, median and maximum of several durations, in seconds.
type Times struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	Max    float64 `json:"max"`
}

func timesOf(v []float64) Times {
	v = slices.Sorted(slices.Values(v))
	n := len(v)
	return Times{v[0], (v[(n-1)/2] + v[n/2]) / 2, v[n-1]}
}

// Measure runs a case the given number of times and returns what it cost. before, if not nil, is called before each
// run with its number. The error is that of a run, or of ctx.
func (c Case) Measure(ctx context.Context, runs int, before func(run int)) (Row, error) {
	s := c.Spec
	r := Row{
		Op:       c.Name,
		Elements: c.Elements,
		Protocol: s.Protocol,
		Ring:     s.Ring,
		Fraction: s.Fraction,
		Parties:  s.Computing,
		Network:  s.Network,
		Runs:     runs,
	}
	var online, offline, cpu []float64
	for i := range runs {
		if before != nil {
			before(i)
		}
		runtime.GC() // free the memory of the previous run
		start := cpuTime()
		out, err := party.Run(ctx, s)
		if err != nil {
			return r, fmt.Errorf("%s: %w", c.Name, err)
		}
		online = append(online, out.Report.Online.Seconds)
		offline = append(offline, out.Report.Offline.Seconds)
		cpu = append(cpu, (cpuTime() - start).Seconds())
		r.PeakMemoryBytes = out.Report.PeakMemoryBytes
		if i > 0 {
			continue // bytes, rounds and errors are the same in every run
		}
		r.Rounds, r.OfflineBytes = out.Report.Online.Rounds, out.Report.Offline.BytesSent
		r.BytesSent = slices.Max(out.Report.Online.BytesSent)
		if c.Elements > 0 {
			r.BytesPerElement = float64(r.BytesSent) / float64(c.Elements)
		}
		if r.MaxAbsError, err = c.compare(ctx, out.Results); err != nil {
			return r, fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	r.Online, r.Offline, r.CPU = timesOf(online), timesOf(offline), timesOf(cpu)
	if c.Elements > 0 {
		r.NanosPerElement = r.Online.Min * 1e9 / float64(c.Elements)
	}
	return r, nil
}

// compare returns the largest absolute error of all results.
func (c Case) compare(ctx context.Context, got []*tensor.Array) (*float64, error) {
	if c.Want == nil {
		return nil, nil
	}
	want, err := c.Want(ctx)
	if err != nil {
		return nil, err
	}
	worst := 0.0
	for i, w := range want {
		g := got[i].Floats()
		for j, x := range w.Floats() {
			worst = max(worst, math.Abs(g[j]-x))
		}
	}
	return &worst, nil
}
