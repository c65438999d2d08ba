package ops

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Config is the configuration of a Server. Address, Metrics, Health and Log are required.
type Config struct {
	Address string               // host:port at which the server listens, plain HTTP
	PProf   bool                 // serve Go's runtime profiles too
	Metrics *prometheus.Registry // the metrics to serve
	// Health returns the answer of /health, for JSON, and whether the daemon accepts work.
	Health func() (status any, ok bool)
	Log    *slog.Logger // log of panics and errors of the server
	// Panicked, if not nil, is called when a handler has panicked.
	Panicked func()
}

// Server is the HTTP server for operators, with metrics, health and profiles at the paths that the package
// comment lists. Listen starts it.
type Server struct {
	http http.Server
	l    net.Listener
	done chan struct{}
}

// Listen starts a Server at c.Address. The error is that of opening the port.
func Listen(c Config) (*Server, error) {
	l, err := net.Listen("tcp", c.Address)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w (change or remove metrics in the configuration)", err)
	}
	s := &Server{l: l, done: make(chan struct{})}
	s.http.Handler = Guarded(c.routes(), c.Log, c.Panicked)
	s.http.ReadHeaderTimeout = 10 * time.Second
	s.http.IdleTimeout = time.Minute
	s.http.MaxHeaderBytes = 1 << 16
	s.http.ErrorLog = slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug)
	go func() {
		defer close(s.done)
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			c.Log.Error("the metrics server has failed", "error", err.Error())
		}
	}()
	return s, nil
}

// Address returns the host:port at which the server listens.
func (s *Server) Address() string { return s.l.Addr().String() }

// Close stops the server: it waits for the requests in progress, until ctx ends, and then closes their
// connections.
func (s *Server) Close(ctx context.Context) {
	if s.http.Shutdown(ctx) != nil {
		s.http.Close()
	}
	<-s.done
}

func (c *Config) routes() http.Handler {
	m := http.NewServeMux()
	m.Handle("GET /metrics", promhttp.HandlerFor(c.Metrics, promhttp.HandlerOpts{MaxRequestsInFlight: 4}))
	m.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) {
		status, ok := c.Health()
		w.Header().Set("Content-Type", "application/json")
		if !ok {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		json.NewEncoder(w).Encode(status) // an error means that the client has disconnected
	})
	if c.PProf {
		m.HandleFunc("GET /debug/pprof/", pprof.Index)
		m.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		m.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		m.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		m.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return m
}
