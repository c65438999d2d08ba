package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/profile"
)

// Level is how full a node is, when somebody asks.
type Level struct {
	Jobs   map[string]int // by state
	Memory int64          // bytes that running jobs take by plan
	Limit  int64          // bytes that they may take
	Stored int            // sessions of correlated randomness that are ready in its store
}

// NodeMetrics are a node's.
type NodeMetrics struct {
	ended, refused, bytes, messages, rounds, opSeconds, opCalls *prometheus.CounterVec
	waited, ran, answered                                       *prometheus.HistogramVec
}

// NewNodeMetrics makes a node's metrics.
func NewNodeMetrics(r *prometheus.Registry, level func() Level) *NodeMetrics {
	m := &NodeMetrics{
		ended:     counter("jobs_ended_total", "Jobs that have ended, by the state in which.", "state"),
		answered:  histogram("request_seconds", "From a request's coming to its end, by the state in which it ended.", "state"),
		refused:   counter("callers_refused_total", "Connections of callers whose certificates were refused."),
		bytes:     counter("sent_bytes_total", "Bytes that this party has sent to others in jobs that are done, by phase.", "phase"),
		messages:  counter("sent_messages_total", "Messages that this party has sent online in jobs that are done."),
		rounds:    counter("rounds_total", "Rounds of jobs that are done, by phase.", "phase"),
		opSeconds: counter("op_seconds_total", "Seconds of this party's local work in jobs that are done, by operation.", "op"),
		opCalls:   counter("op_calls_total", "Calls of operations in jobs that are done.", "op"),
		waited:    histogram("job_wait_seconds", "From a job's submission to its start."),
		ran:       histogram("job_seconds", "From a job's start to its end, by the state in which it ended.", "state"),
	}
	m.refused.WithLabelValues() // which starts at 0, not at the first
	r.MustRegister(m.ended, m.answered, m.refused, m.bytes, m.messages, m.rounds, m.opSeconds, m.opCalls, m.waited, m.ran,
		watch("jobs", "Jobs that are here, by state.", "state", func() map[string]float64 {
			out := map[string]float64{}
			for state, n := range level().Jobs {
				out[state] = float64(n)
			}
			return out
		}),
		watch("memory_bytes", "Memory of running jobs by plan, and what it may be.", "what", func() map[string]float64 {
			l := level()
			return map[string]float64{"planned": float64(l.Memory), "limit": float64(l.Limit)}
		}),
		watch("store_sessions", "Sessions of correlated randomness in this party's store.", "state", func() map[string]float64 {
			return map[string]float64{"ready": float64(level().Stored)}
		}))
	return m
}

// Refused counts a caller whom TLS did not let in.
func (m *NodeMetrics) Refused() { m.refused.WithLabelValues().Inc() }

// Started counts a job's way to its start.
func (m *NodeMetrics) Started(waited time.Duration) {
	m.waited.WithLabelValues().Observe(waited.Seconds())
}

// Ended counts a job's end; ran is from its start, 0 where it never started.
func (m *NodeMetrics) Ended(state string, ran time.Duration) {
	m.ended.WithLabelValues(state).Inc()
	if ran > 0 {
		m.ran.WithLabelValues(state).Observe(ran.Seconds())
	}
}

// Served counts a request's end, so long after it came.
func (m *NodeMetrics) Served(state string, took time.Duration) {
	m.answered.WithLabelValues(state).Observe(took.Seconds())
}

// Cost counts what a job that is done has cost the party of a rank.
func (m *NodeMetrics) Cost(r *profile.Report, rank int) {
	for _, p := range []struct {
		phase  string
		bytes  []int64
		rounds int
	}{
		{"setup", r.Setup.BytesSent, r.Setup.Rounds}, {"input", r.Input.BytesSent, r.Input.Rounds},
		{"online", r.Online.BytesSent, r.Online.Rounds}, {"output", r.Output.BytesSent, r.Output.Rounds},
	} {
		m.bytes.WithLabelValues(p.phase).Add(float64(of(p.bytes, rank)))
		m.rounds.WithLabelValues(p.phase).Add(float64(p.rounds))
	}
	m.messages.WithLabelValues().Add(float64(of(r.Online.Messages, rank)))
	for _, o := range r.Ops {
		m.opSeconds.WithLabelValues(o.Op).Add(o.Seconds)
		m.opCalls.WithLabelValues(o.Op).Add(float64(o.Calls))
	}
}

// of is a party's number, 0 where a report does not have it.
func of(list []int64, rank int) int64 {
	if rank < len(list) {
		return list[rank]
	}
	return 0
}
