package offline

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// dealt are a party's correlations from a dealer that deals during the run.
type dealt struct {
	seed    ring.Seed
	segment *segment // nil at parties that receive no corrections
}

// uncorrected returns the correlations of a party that receives no corrections: its seed.
func uncorrected(seed ring.Seed, requests []*Request) []Correlations {
	out := make([]Correlations, len(requests))
	for i := range out {
		out[i] = &dealt{seed: seed}
	}
	return out
}

// dealt returns the stream's segments as a party's correlations, with its seed.
func (s *stream) dealt(seed ring.Seed) []Correlations {
	out := make([]Correlations, len(s.segments))
	for i, p := range s.segments {
		out[i] = &dealt{seed, p}
	}
	return out
}

// Seed implements Correlations.
func (m *dealt) Seed() ring.Seed { return m.seed }

// Corrections implements Correlations.
func (m *dealt) Corrections() correlation.Corrections {
	if m.segment == nil {
		return nil
	}
	return m.segment.delivery
}

// Result implements Correlations; it is always nil.
func (m *dealt) Result() any { return nil }

// Ready implements Correlations.
func (m *dealt) Ready(ctx context.Context) error {
	if m.segment == nil {
		return nil
	}
	return m.segment.ready(ctx)
}

// Finish implements Correlations.
func (m *dealt) Finish(context.Context) error { return nil }

// Complete implements Correlations.
func (m *dealt) Complete(ctx context.Context) error {
	if m.segment == nil {
		return nil
	}
	return m.segment.complete(ctx)
}

// Took implements Correlations.
func (m *dealt) Took() time.Duration {
	if m.segment == nil {
		return 0
	}
	return m.segment.duration()
}

// ArrivedAt is the time at which all corrections had arrived; zero at parties that receive none.
func (m *dealt) ArrivedAt() time.Time {
	if m.segment == nil {
		return time.Time{}
	}
	return m.segment.arrivedAt()
}

func (m *dealt) Close() error {
	if m.segment != nil {
		m.segment.close()
	}
	return nil
}
