package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Registry is an empty set of metrics with those that all daemons have: the
// process's and Go's, who it is, and when its certificate ends.
func Registry(name, version string, expires time.Time) *prometheus.Registry {
	r := prometheus.NewRegistry()
	info := gauge("info", "Always 1; its labels say who this is.", "name", "version")
	info.WithLabelValues(name, version).Set(1)
	end := gauge("certificate_expiry_seconds", "When the certificate ends, in seconds since 1970.")
	end.WithLabelValues().Set(float64(expires.Unix()))
	r.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		info, end,
	)
	return r
}

// prefix begins the names of all metrics of Tacet's own.
const prefix = "tacet"

func gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: prefix, Name: name, Help: help}, labels)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: prefix, Name: name, Help: help}, labels)
}

// seconds are a histogram's bounds for what takes from a millisecond to hours.
var seconds = []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: prefix, Name: name, Help: help, Buckets: seconds}, labels)
}

// byLabel is what watch makes.
type byLabel struct {
	desc *prometheus.Desc
	look func() map[string]float64
}

// watch is a gauge for every label that look names, looked at when somebody
// asks.
func watch(name, help, label string, look func() map[string]float64) prometheus.Collector {
	return byLabel{prometheus.NewDesc(prefix+"_"+name, help, []string{label}, nil), look}
}

func (b byLabel) Describe(c chan<- *prometheus.Desc) { c <- b.desc }

func (b byLabel) Collect(c chan<- prometheus.Metric) {
	for value, x := range b.look() {
		c <- prometheus.MustNewConstMetric(b.desc, prometheus.GaugeValue, x, value)
	}
}
