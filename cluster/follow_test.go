package cluster

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestFollow checks that a job that has failed at all nodes that answer is reported at once, and that
// one that is done there is not: the other nodes may differ.
func TestFollow(t *testing.T) {
	away := errors.New("nobody listens there")
	for _, c := range []struct {
		state    api.State // at alice
		patience time.Duration
		want     string
		jobs     int
	}{
		{api.Failed, time.Hour, "job 17: failed at alice: lost bob", 1},
		{api.Done, 50 * time.Millisecond, away.Error(), 0},
		{api.Running, 50 * time.Millisecond, away.Error(), 0},
	} {
		alice := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			api.Answer(w, api.Job{ID: "17", Node: "alice", State: c.state, Error: "lost bob"})
		}))
		clients := map[string]*api.Client{
			"alice": api.Over("alice", "alice", func(context.Context) (net.Conn, error) { return net.Dial("tcp", alice.Listener.Addr().String()) }),
			"bob":   api.Over("bob", "bob", func(context.Context) (net.Conn, error) { return nil, away }),
		}
		jobs, err := Follow(t.Context(), clients, []string{"alice", "bob"}, "17", c.patience, func([]api.Job) { t.Error("all have answered") })
		if err == nil || !strings.Contains(err.Error(), c.want) || len(jobs) != c.jobs {
			t.Errorf("%s at alice: %v, %v; want %q", c.state, jobs, err, c.want)
		}
		alice.Close()
	}
}
