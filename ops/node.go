package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/profile"
)

// Load is the present load of a node.
type Load struct {
	Jobs   map[string]int // number of jobs by state
	Memory int64          // bytes reserved for running jobs
	Limit  int64          // maximum of Memory
	Stored int            // number of unused sessions in the store of correlated randomness
	Broken int            // number of files and folders of the state that could not be restored
}

// NodeMetrics are the metrics of a node.
type NodeMetrics struct {
	ended, refused, bytes, messages, rounds, opSeconds, opCalls *prometheus.CounterVec
	waited, ran, answered                                       *prometheus.HistogramVec
}

// NewNodeMetrics registers a node's metrics with r. level returns its present load.
func NewNodeMetrics(r *prometheus.Registry, level func() Load) *NodeMetrics {
	m := &NodeMetrics{
		ended:     counter("jobs_ended_total", "Jobs that have ended, by final state.", "state"),
		answered:  histogram("request_seconds", "Seconds from a request's submission to its end, by final state.", "state"),
		refused:   counter("callers_refused_total", "Connections of callers whose certificates were refused."),
		bytes:     counter("sent_bytes_total", "Bytes that this party has sent to other parties in finished jobs, by phase.", "phase"),
		messages:  counter("sent_messages_total", "Messages that this party has sent in the online phase of finished jobs."),
		rounds:    counter("rounds_total", "Rounds of finished jobs, by phase.", "phase"),
		opSeconds: counter("op_seconds_total", "Seconds of this party's local computation in finished jobs, by operation.", "op"),
		opCalls:   counter("op_calls_total", "Calls of operations in finished jobs.", "op"),
		waited:    histogram("job_wait_seconds", "Seconds from a job's submission to its start."),
		ran:       histogram("job_seconds", "Seconds from a job's start to its end, by final state.", "state"),
	}
	m.refused.WithLabelValues() // so that the counter is shown as 0 before the first refusal
	r.MustRegister(m.ended, m.answered, m.refused, m.bytes, m.messages, m.rounds, m.opSeconds, m.opCalls, m.waited, m.ran,
		newCollectedGauge("jobs", "Jobs at this node, by state.", "state", func() map[string]float64 {
			out := map[string]float64{}
			for state, n := range level().Jobs {
				out[state] = float64(n)
			}
			return out
		}),
		newCollectedGauge("memory_bytes", "Memory reserved for running jobs, and its limit.", "what", func() map[string]float64 {
			l := level()
			return map[string]float64{"planned": float64(l.Memory), "limit": float64(l.Limit)}
		}),
		newCollectedGauge("store_sessions", "Sessions of correlated randomness in this party's store.", "state", func() map[string]float64 {
			return map[string]float64{"ready": float64(level().Stored)}
		}),
		newGauge("state_broken", "Files and folders of the state that could not be restored when the node started.", func() float64 {
			return float64(level().Broken)
		}))
	return m
}

// Refused counts a connection whose TLS handshake failed.
func (m *NodeMetrics) Refused() { m.refused.WithLabelValues().Inc() }

// Started records the time that a job waited before its start.
func (m *NodeMetrics) Started(waited time.Duration) {
	m.waited.WithLabelValues().Observe(waited.Seconds())
}

// Ended counts the end of a job. ran is the time since its start, 0 if it never started.
func (m *NodeMetrics) Ended(state string, ran time.Duration) {
	m.ended.WithLabelValues(state).Inc()
	if ran > 0 {
		m.ran.WithLabelValues(state).Observe(ran.Seconds())
	}
}

// Served records the end of a request and the time since its submission.
func (m *NodeMetrics) Served(state string, took time.Duration) {
	m.answered.WithLabelValues(state).Observe(took.Seconds())
}

// Cost adds the costs of a finished job or request for the party of a rank.
func (m *NodeMetrics) Cost(r *profile.Report, rank int) {
	for _, p := range []struct {
		phase  string
		bytes  []int64
		rounds int
	}{
		{"setup", r.Setup.BytesSent, r.Setup.Rounds}, {"input", r.Input.BytesSent, r.Input.Rounds},
		{"online", r.Online.BytesSent, r.Online.Rounds}, {"output", r.Output.BytesSent, r.Output.Rounds},
	} {
		m.bytes.WithLabelValues(p.phase).Add(float64(byRank(p.bytes, rank)))
		m.rounds.WithLabelValues(p.phase).Add(float64(p.rounds))
	}
	m.messages.WithLabelValues().Add(float64(byRank(r.Online.Messages, rank)))
	for _, o := range r.Ops {
		m.opSeconds.WithLabelValues(o.Op).Add(o.Seconds)
		m.opCalls.WithLabelValues(o.Op).Add(float64(o.Calls))
	}
}

// byRank returns the entry of a rank; 0 if the list is shorter.
func byRank(list []int64, rank int) int64 {
	if rank < len(list) {
		return list[rank]
	}
	return 0
}
