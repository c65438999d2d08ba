package ops

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/profile"
)

// Load describes how busy a node is now.
type Load struct {
	Jobs   map[string]int // number of jobs by state
	Memory int64          // bytes reserved for running jobs
	Limit  int64          // maximum of Memory
	Stored int            // number of unused sessions in the store of correlated randomness
	Broken int            // number of files and folders of the state folder that could not be restored at the start
	// Waits has, by submitter, how long the oldest job that is pending or queued has waited.
	Waits map[string]time.Duration
	// Dealer has, for the configured dealer's name, 1 if the last attempt to reach it succeeded and 0 otherwise.
	// It is empty without a dealer.
	Dealer map[string]float64
}

// maxSubmitters bounds the number of submitters that have a label of their own in the metrics.
const maxSubmitters = 20

// waits returns the waiting times in seconds of the submitters whose jobs have waited longest; the maximum of
// all others has the label "others".
func waits(by map[string]time.Duration) map[string]float64 {
	names := slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(cmp.Compare(by[b], by[a]), cmp.Compare(a, b))
	})
	out := map[string]float64{}
	for i, name := range names {
		if i >= maxSubmitters {
			name = "others"
		}
		if _, ok := out[name]; !ok {
			out[name] = by[names[i]].Seconds()
		}
	}
	return out
}

// NodeMetrics has the metrics of a node. Its methods may be called from several goroutines.
type NodeMetrics struct {
	ended, denied, refused, plansRefused, panics, restarts, bytes, messages, rounds, opSeconds, opCalls *prometheus.CounterVec
	waited, ran, answered, planned                                                                      *prometheus.HistogramVec
	auditBroken                                                                                         *prometheus.GaugeVec
}

// NewNodeMetrics registers a node's metrics with r. folders are the folders whose disk space is shown, by label.
// r calls level when it is read; level returns the node's present load.
func NewNodeMetrics(r *prometheus.Registry, folders map[string]string, level func() Load) *NodeMetrics {
	m := &NodeMetrics{
		ended:        counter("jobs_ended_total", "Jobs that have ended, by final state.", "state"),
		denied:       counter("jobs_denied_total", "Submissions and jobs that the policy has denied, by the key of the rule that denies them.", "cause"),
		planned:      histogram("plan_seconds", "Seconds that planning a job took."),
		plansRefused: counter("plans_refused_total", "Submissions and jobs that were refused because planning them exceeds a limit, by what is limited.", "limit"),
		restarts:     counter("service_restarts_total", "Sessions of services with restart: always that began after a loss of the one before."),
		answered:     histogram("request_seconds", "Seconds from a request's submission to its end, by final state.", "state"),
		refused:      counter("callers_refused_total", "Connections that were refused before they were served, by cause.", "cause"),
		panics:       counter("handler_panics_total", "Requests whose handler panicked: defects of the node."),
		bytes:        counter("sent_bytes_total", "Bytes that this party has sent to other parties in finished jobs, by phase.", "phase"),
		messages:     counter("sent_messages_total", "Messages that this party has sent in the online phase of finished jobs."),
		rounds:       counter("rounds_total", "Rounds of finished jobs, by phase.", "phase"),
		opSeconds:    counter("op_seconds_total", "Seconds of this party's local computation in finished jobs, by operation.", "op"),
		opCalls:      counter("op_calls_total", "Calls of operations in finished jobs.", "op"),
		waited:       histogram("job_wait_seconds", "Seconds from a job's submission to its start."),
		ran:          histogram("job_seconds", "Seconds from a job's start to its end, by final state.", "state"),
		auditBroken:  gauge("audit_broken", "1 if the audit log that the node found at its start had been changed or cut, else 0."),
	}
	showRefusals(m.refused)
	m.panics.WithLabelValues()
	r.MustRegister(m.panics)
	m.restarts.WithLabelValues()
	r.MustRegister(m.denied, m.planned, m.plansRefused, newDiskGauge(folders), m.ended, m.answered, m.refused, m.bytes, m.messages, m.rounds,
		m.restarts, m.opSeconds, m.opCalls, m.waited, m.ran, m.auditBroken,
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
		newCollectedGauge("queue_age_seconds", "Age of the oldest job that is pending or queued, by submitter.", "submitter",
			func() map[string]float64 { return waits(level().Waits) }),
		newCollectedGauge("dealer_reachable", "1 if the last probe reached the dealer, else 0.", "dealer",
			func() map[string]float64 { return level().Dealer }),
		newGauge("state_broken", "Files and folders of the state that could not be restored when the node started.", func() float64 {
			return float64(level().Broken)
		}))
	return m
}

// Refused counts a connection that the listener refused. cause is a pki.DenialCause.
func (m *NodeMetrics) Refused(cause string) { m.refused.WithLabelValues(cause).Inc() }

// Panicked counts a request whose HTTP handler panicked.
func (m *NodeMetrics) Panicked() { m.panics.WithLabelValues().Inc() }

// AuditBroken records whether the audit log that the node found at its start had been changed or cut.
func (m *NodeMetrics) AuditBroken(broken bool) {
	m.auditBroken.WithLabelValues().Set(0)
	if broken {
		m.auditBroken.WithLabelValues().Set(1)
	}
}

// Denied counts a submission or a job that the policy has denied, by cause.
func (m *NodeMetrics) Denied(cause string) { m.denied.WithLabelValues(cause).Inc() }

// Planned records how long planning a job took.
func (m *NodeMetrics) Planned(took time.Duration) {
	m.planned.WithLabelValues().Observe(took.Seconds())
}

// PlanRefused counts a submission or a job that was refused because planning it exceeds a limit: "memory",
// "operations" or "time".
func (m *NodeMetrics) PlanRefused(limit string) { m.plansRefused.WithLabelValues(limit).Inc() }

// Started records the start of a job. waited is the time since its submission.
func (m *NodeMetrics) Started(waited time.Duration) {
	m.waited.WithLabelValues().Observe(waited.Seconds())
}

// Restarted counts a session that opens a service again.
func (m *NodeMetrics) Restarted() { m.restarts.WithLabelValues().Inc() }

// Ended counts the end of a job in a final state. ran is the time since its session began, 0 if none began.
func (m *NodeMetrics) Ended(state string, ran time.Duration) {
	m.ended.WithLabelValues(state).Inc()
	if ran > 0 {
		m.ran.WithLabelValues(state).Observe(ran.Seconds())
	}
}

// Served counts the end of a request to a service in a final state. took is the time since its submission.
func (m *NodeMetrics) Served(state string, took time.Duration) {
	m.answered.WithLabelValues(state).Observe(took.Seconds())
}

// Cost adds the costs in the report r of a finished job or request, for the party of this rank.
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
