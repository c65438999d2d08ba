package ops

import (
	"log/slog"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/quota"
)

// Refusals returns the function that a daemon's listener calls for each connection that it refuses (pki.Listen).
// The function calls count with the cause of each. It logs only one refusal a minute for the same network and
// reason, with the number of those that were not logged, and at most ten reasons for a network in a minute.
func Refusals(log *slog.Logger, count func(cause string)) func(from string, err error) {
	var reasons quota.Reports
	networks := quota.Reports{Burst: 10}
	return func(from string, err error) {
		count(pki.DenialCause(err))
		network, now := pki.Network(from), time.Now()
		reason := strings.TrimPrefix(err.Error(), from+": ")
		due, same := reasons.Add(network+" "+reason, now)
		if !due {
			return
		}
		due, others := networks.Add(network, now)
		if !due {
			return
		}
		about := []any{"from", from, "error", err.Error()}
		if same+others > 0 {
			about = append(about, "suppressed", same+others)
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
