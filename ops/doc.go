// Package ops has what daemons (nodes and dealers) show to their operators: logs, health, metrics and profiles.
//
// Logs are JSON, one event per line, on standard error or in a file. A Server serves metrics, health and
// profiles over plain HTTP, for monitoring inside the owner's network. It runs only if the configuration has an
// address for it, which should not be public:
//
//	GET /metrics        Prometheus' text format
//	GET /health         200 while the daemon accepts work, 503 while it does not; JSON
//	GET /debug/pprof/   Go's runtime profiles (net/http/pprof), if pprof is true
//
// Metrics contain counts, sizes and times, by state, phase and operation: facts that all parties of a job know.
// They contain no values, names of inputs or job ids.
package ops
