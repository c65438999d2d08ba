package exp

import (
	"context"
	"math"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/study"
)

// measuredTimes are the measured times and memory of a mode, two parties.
type measuredTimes struct {
	mode          mode
	ring          int
	local, wan    float64 // seconds per element without a network, and at 100 Mbit/s and 10 ms
	predicted     float64 // seconds per element without a network
	memory        float64 // measured growth of the process's memory, bytes per element
	memoryPlanned float64 // bytes per element in the plan
}

// Limits of the runs, by their plans: the process's memory in bytes, and seconds at 100 Mbit/s
// including the dealer's sending.
const (
	memoryBound = 1500 << 20
	wanBound    = 5
)

// seconds returns the predicted duration of all phases on a network, +Inf if the plan lacks the
// network.
func seconds(r *profile.Report, network string) float64 {
	for _, n := range r.Plan.Networks {
		if n.Name == network {
			return n.Input + n.Online + n.Output + n.Offline
		}
	}
	return math.Inf(1)
}

// findTimes measures all modes.
func (s *findings) findTimes(ctx context.Context, _ []int) error {
	of := s.scale()
	for _, ring := range of.rings {
		for _, m := range of.modes {
			s.lab.Step("runs of %s, ring %d", m.name, ring)
			t := measuredTimes{mode: m, ring: ring, memory: math.NaN()}
			var n, local, planned, wan []float64
			for _, size := range of.elements {
				trial := m.trialAt(ring, 2, grid(-5, 5, size))
				r, err := s.lab.Plan(ctx, trial)
				if err != nil {
					return err
				}
				if r.PeakMemoryBytes > memoryBound {
					break
				}
				var out *party.Outcome
				grown, err := study.PeakMemoryGrowth(func() (err error) {
					out, err = s.lab.Run(ctx, trial, "none", of.repeats)
					return err
				})
				if err != nil {
					return err
				}
				n = append(n, float64(size))
				local, planned = append(local, out.Report.Online.Seconds), append(planned, study.Online(r, "none"))
				t.memory, t.memoryPlanned = grown/float64(size), float64(study.Sum(r.Plan.MemoryBytes))/float64(size)
				if seconds(r, "wan") <= wanBound {
					if out, err = s.lab.Run(ctx, trial, "wan", of.repeats); err != nil {
						return err
					}
					wan = append(wan, out.Report.Online.Seconds)
				}
			}
			_, t.local = study.Fit(n, local)
			_, t.predicted = study.Fit(n, planned)
			_, t.wan = study.Fit(n[:len(wan)], wan)
			s.times = append(s.times, t)
		}
	}
	return nil
}

// measuredTable lists measured beside predicted values.
func (s *findings) measuredTable() *study.Table {
	t := &study.Table{Columns: []string{"mode", "ring", "µs, no network, predicted", "measured", "µs at 100 Mbit/s and 10 ms, predicted", "measured", "memory, plan", "measured"}}
	for _, m := range s.times {
		predicted := math.NaN()
		for _, c := range s.costs {
			if c.mode.name == m.mode.name && c.ring == m.ring && c.parties == 2 {
				predicted = c.each["wan"]
			}
		}
		t.Add(m.mode.name, m.ring, 1e6*m.predicted, 1e6*m.local, 1e6*predicted, 1e6*m.wan, m.memoryPlanned, m.memory)
	}
	return t
}
