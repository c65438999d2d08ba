package ops

import (
	"log/slog"
	"net/http"

	"github.com/tacet-mpc/tacet/flow"
)

// Guarded returns a handler that calls h and, if h panics, ends the connection. It then logs the panic at level
// error with the route, and nothing that the request contains, and calls count, if that is not nil. (Package
// http would log the panic's value, which may be part of the request.)
func Guarded(h http.Handler, log *slog.Logger, count func()) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := flow.Guard(func() error {
			h.ServeHTTP(w, r)
			return nil
		})
		if err == nil {
			return
		}
		log.Error("panic while a request was answered", "route", route(r), "error", err.Error())
		if count != nil {
			count()
		}
		panic(http.ErrAbortHandler) // ends the connection; package http logs nothing of it
	})
}

// route returns the pattern of the route of a request, without what its path contains.
func route(r *http.Request) string {
	if r.Pattern == "" { // the handler that routes has not seen it
		return "none"
	}
	return r.Pattern
}
