package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// DealerMetrics has the metrics of a dealer. Its methods may be called from several goroutines.
type DealerMetrics struct {
	ended, bytes, refused *prometheus.CounterVec
	seconds               *prometheus.HistogramVec
}

// NewDealerMetrics registers a dealer's metrics with r. r calls open when it is read; open returns the number of
// open sessions by state.
func NewDealerMetrics(r *prometheus.Registry, open func() map[string]float64) *DealerMetrics {
	m := &DealerMetrics{
		ended:   counter("dealer_sessions_total", "Sessions that have ended, by how they ended.", "end"),
		bytes:   counter("dealer_sent_bytes_total", "Bytes of corrections sent."),
		refused: counter("callers_refused_total", "Connections that were refused before they were served, by cause.", "cause"),
		seconds: histogram("dealer_session_seconds", "Seconds from a session's first connection to its end."),
	}
	m.bytes.WithLabelValues()
	showRefusals(m.refused)
	r.MustRegister(m.ended, m.bytes, m.refused, m.seconds, newCollectedGauge("dealer_sessions", "Open sessions, by state.", "state", open))
	return m
}

// Refused counts a refused connection or session. cause is a pki.DenialCause, or "session" for a session that
// was refused.
func (m *DealerMetrics) Refused(cause string) { m.refused.WithLabelValues(cause).Inc() }

// Sent adds to the count of the bytes of corrections that were sent.
func (m *DealerMetrics) Sent(bytes int64) { m.bytes.WithLabelValues().Add(float64(bytes)) }

// Ended counts the end of a session, and its duration. end is "served" or "failed".
func (m *DealerMetrics) Ended(end string, lasted time.Duration) {
	m.ended.WithLabelValues(end).Inc()
	m.seconds.WithLabelValues().Observe(lasted.Seconds())
}
