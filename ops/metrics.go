package ops

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/version"
)

// Registry returns a new registry with the metrics that all daemons have: those of the process and of Go, the
// daemon's name and release, and the expiry of certificates. expiries returns the certificates: first the
// daemon's own, then those of its CAs.
func Registry(name, release string, expiries func() []pki.Expiry) *prometheus.Registry {
	r := prometheus.NewRegistry()
	info := gauge("info", "Always 1; the labels are the daemon's name and version.", "name", "version")
	info.WithLabelValues(name, release).Set(1)
	b := version.Get()
	build := gauge("build_info", "Always 1; the labels identify the build: release, protocol number, commit, whether the source differed from it, version of Go.",
		"version", "protocol", "commit", "modified", "go")
	build.WithLabelValues(b.Version, strconv.Itoa(b.Protocol), b.Commit, strconv.FormatBool(b.Modified), b.Go).Set(1)
	end := newGauge("certificate_expiry_seconds", "Time at which the certificate expires, in seconds since 1970.",
		func() float64 { return float64(expiries()[0].Expires.Unix()) })
	cas := newCollectedGauge("ca_expiry_seconds", "Time at which the first certificate of an organisation's CAs expires, in seconds since 1970.", "organisation",
		func() map[string]float64 {
			out := map[string]float64{}
			for _, e := range expiries()[1:] {
				at := float64(e.Expires.Unix())
				if first, ok := out[e.Organisation]; !ok || at < first {
					out[e.Organisation] = at
				}
			}
			return out
		})
	r.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		info, build, end, cas,
	)
	return r
}

// prefix is the namespace of all metrics of Tacet.
const prefix = "tacet"

func gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: prefix, Name: name, Help: help}, labels)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: prefix, Name: name, Help: help}, labels)
}

// seconds holds the bucket bounds of histograms, from a millisecond to hours.
var seconds = []float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000, 10000}

func histogram(name, help string, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: prefix, Name: name, Help: help, Buckets: seconds}, labels)
}

// newGauge returns a gauge without labels. Its value is what read returns when the metrics are collected.
func newGauge(name, help string, read func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Namespace: prefix, Name: name, Help: help}, read)
}

// diskGauge is the collector that newDiskGauge returns.
type diskGauge struct {
	desc    *prometheus.Desc
	folders map[string]string
}

// newDiskGauge returns a gauge of the free and used bytes of the file systems of folders, which are given by
// their label. A folder that cannot be looked at has no values.
func newDiskGauge(folders map[string]string) prometheus.Collector {
	help := "Bytes of the file systems of the daemon's folders that are free for it, and in use."
	return diskGauge{prometheus.NewDesc(prefix+"_disk_bytes", help, []string{"folder", "what"}, nil), folders}
}

func (d diskGauge) Describe(c chan<- *prometheus.Desc) { c <- d.desc }

func (d diskGauge) Collect(c chan<- prometheus.Metric) {
	for label, folder := range d.folders {
		free, used, err := disk(folder)
		if err != nil {
			continue
		}
		c <- prometheus.MustNewConstMetric(d.desc, prometheus.GaugeValue, free, label, "free")
		c <- prometheus.MustNewConstMetric(d.desc, prometheus.GaugeValue, used, label, "used")
	}
}

// collectedGauge is the collector that newCollectedGauge returns.
type collectedGauge struct {
	desc *prometheus.Desc
	read func() map[string]float64
}

// newCollectedGauge returns a gauge with one label. Its values are those that look returns, by label
// value, when the metrics are collected.
func newCollectedGauge(name, help, label string, look func() map[string]float64) prometheus.Collector {
	return collectedGauge{prometheus.NewDesc(prefix+"_"+name, help, []string{label}, nil), look}
}

func (b collectedGauge) Describe(c chan<- *prometheus.Desc) { c <- b.desc }

func (b collectedGauge) Collect(c chan<- prometheus.Metric) {
	for value, x := range b.read() {
		c <- prometheus.MustNewConstMetric(b.desc, prometheus.GaugeValue, x, value)
	}
}
