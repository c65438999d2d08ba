package ops

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/quota"
)

// Refusals returns the function that a daemon's listener calls for each connection that it refuses. It
// calls count with the cause of each, and logs one refusal a minute for each network, with the number of
// those that were not logged.
func Refusals(log *slog.Logger, count func(cause string)) func(from string, err error) {
	var reports quota.Reports
	return func(from string, err error) {
		count(pki.DenialCause(err))
		due, suppressed := reports.Add(pki.Network(from), time.Now())
		if !due {
			return
		}
		about := []any{"from", from, "error", err.Error()}
		if suppressed > 0 {
			about = append(about, "suppressed", suppressed)
		}
		log.Warn("caller refused", about...)
	}
}

// showRefusals shows the causes of refusals as 0 before the first refusal.
func showRefusals(refused *prometheus.CounterVec) {
	for _, cause := range pki.DenialCauses {
		refused.WithLabelValues(cause)
	}
}
