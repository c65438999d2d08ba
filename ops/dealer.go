package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// DealerMetrics are a dealer's.
type DealerMetrics struct {
	ended, bytes, refused *prometheus.CounterVec
	seconds               *prometheus.HistogramVec
}

// NewDealerMetrics makes a dealer's metrics; open says how many sessions are
// being served, by how far they are.
func NewDealerMetrics(r *prometheus.Registry, open func() map[string]float64) *DealerMetrics {
	m := &DealerMetrics{
		ended:   counter("dealer_sessions_total", "Sessions that have ended: served, or how else.", "end"),
		bytes:   counter("dealer_sent_bytes_total", "Bytes of corrections that were sent."),
		refused: counter("callers_refused_total", "Connections of callers whose certificates were refused."),
		seconds: histogram("dealer_session_seconds", "From a session's first party to its end."),
	}
	m.bytes.WithLabelValues()
	m.refused.WithLabelValues()
	r.MustRegister(m.ended, m.bytes, m.refused, m.seconds, watch("dealer_sessions", "Sessions that are being served, by how far they are.", "state", open))
	return m
}

// Refused counts a caller whom TLS did not let in.
func (m *DealerMetrics) Refused() { m.refused.WithLabelValues().Inc() }

// Sent counts bytes of corrections.
func (m *DealerMetrics) Sent(bytes int64) { m.bytes.WithLabelValues().Add(float64(bytes)) }

// Ended counts a session's end, such as served, failed or refused.
func (m *DealerMetrics) Ended(end string, lasted time.Duration) {
	m.ended.WithLabelValues(end).Inc()
	m.seconds.WithLabelValues().Observe(lasted.Seconds())
}
