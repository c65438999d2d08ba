// Package ops is what daemons show to their operators: logs, health, metrics and profiles.
//
// Logs are JSON, one event per line, on standard error. Metrics, health and profiles are served over
// plain HTTP by a [Server] of their own, for monitoring inside the owner's network. Without an address
// in the configuration there is none; the address should not be public:
//
//	GET /metrics        Prometheus' text format
//	GET /health         200 while the daemon accepts work, 503 while it does not; JSON
//	GET /debug/pprof/   Go's profiles, if pprof is true
//
// Metrics contain counts, sizes and times, by state, phase and operation: facts that all parties of a
// job know. They contain no values, names of inputs or job ids.
package ops
