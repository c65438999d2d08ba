package node

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/node/api"
)

// maxSamples bounds the metrics that an answer has.
const maxSamples = 4000

// samples returns the metrics of Tacet and of the process. A histogram has its count and its sum.
func samples(from prometheus.Gatherer) ([]api.Sample, error) {
	families, err := from.Gather()
	if err != nil {
		return nil, err
	}
	out := []api.Sample{}
	for _, f := range families {
		name := f.GetName()
		if !strings.HasPrefix(name, "tacet_") && !strings.HasPrefix(name, "process_") {
			continue
		}
		for _, m := range f.Metric {
			s := api.Sample{Name: name}
			for _, l := range m.Label {
				if s.Labels == nil {
					s.Labels = map[string]string{}
				}
				s.Labels[l.GetName()] = l.GetValue()
			}
			add := func(end string, x float64) {
				s.Name, s.Value = name+end, x
				if len(out) < maxSamples && x-x == 0 { // no NaN or infinity, which JSON does not have
					out = append(out, s)
				}
			}
			switch {
			case m.Counter != nil:
				add("", m.Counter.GetValue())
			case m.Gauge != nil:
				add("", m.Gauge.GetValue())
			case m.Histogram != nil:
				add("_count", float64(m.Histogram.GetSampleCount()))
				add("_sum", m.Histogram.GetSampleSum())
			}
		}
	}
	return out, nil
}
