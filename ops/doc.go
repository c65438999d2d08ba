// Package ops is what daemons show of themselves to those who run them: logs,
// health, metrics and profiles.
//
// Logs are JSON, one event a line, on standard error. Metrics, health and
// profiles are served over plain HTTP by a [Server] of their own, for whoever
// scrapes and probes inside the owner's network; there is none unless the
// configuration gives it an address, which should be no public one:
//
//	GET /metrics        Prometheus' text format
//	GET /health         200 while the daemon takes work, 503 when it does not; JSON
//	GET /debug/pprof/   Go's profiles, where pprof is true
//
// Metrics hold counts, sizes and times, by state, phase and operation: what
// all parties of a job know. They hold no value, no name of an input, no id of
// a job.
package ops
