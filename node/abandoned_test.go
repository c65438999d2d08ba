package node

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/version"
)

// abandoner is a party's node that takes part in a job until its session has begun, and then does nothing for it.
type abandoner struct {
	t        *testing.T
	port     *port
	args     []int            // the arguments that it provides
	connects bool             // it connects to the session
	leaves   bool             // it closes the connection then
	beats    []link.Option    // its heartbeats then
	began    map[string]bool  // jobs whose sessions it was told to start
	ends     []*link.Endpoint // of sessions
	mu       sync.Mutex
	work     sync.WaitGroup
}

// serve answers the leader of jobs until the port is closed.
func (a *abandoner) serve() {
	control := newConnListener()
	m := http.NewServeMux()
	m.HandleFunc("POST /v1/sessions/{id}/reserve", func(w http.ResponseWriter, r *http.Request) {
		api.Identify(w.Header())
		api.Answer(w, api.Reserved{State: api.Queued, Slot: true, Args: a.args})
	})
	m.HandleFunc("POST /v1/sessions/{id}/start", func(w http.ResponseWriter, r *http.Request) {
		api.Identify(w.Header())
		var start api.Start
		if err := api.ReadMessage(r.Body, api.MaxMessage, &start); err != nil {
			a.t.Error(err)
		}
		api.Answer(w, struct{}{})
		a.mu.Lock()
		defer a.mu.Unlock()
		if id := r.PathValue("id"); !a.began[id] {
			a.began[id] = true
			a.work.Go(func() { a.join(id, start.Session) })
		}
	})
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		api.Identify(w.Header())
		api.Answer(w, struct{}{})
	})
	server := &http.Server{Handler: m}
	a.work.Go(func() { server.Serve(control) })
	a.work.Go(func() {
		for {
			c, err := a.port.Accept()
			if err != nil {
				server.Close()
				control.Close()
				return
			}
			if c.Proto != api.Proto || !control.offer(c) {
				c.Close()
			}
		}
	})
}

// join connects to a session at alice.
func (a *abandoner) join(job, session string) {
	if !a.connects {
		return
	}
	c, err := a.port.Dial(a.t.Context(), "alice", SessionProto)
	if err == nil {
		err = writeJSON(c, dialRequest{version.Release, version.Protocol, job, session, 1, 0})
	}
	reply := dialReply{Wait: true}
	for err == nil && reply.Wait {
		reply = dialReply{}
		err = readJSON(c, &reply)
	}
	if err != nil || reply.Error != "" {
		a.t.Errorf("bob does not connect: %v %s", err, reply.Error)
		return
	}
	if a.leaves {
		c.Close()
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.beats == nil {
		a.work.Go(func() { io.Copy(io.Discard, c) })
		return
	}
	a.ends = append(a.ends, link.NewEndpoint(1, []io.ReadWriteCloser{c, nil}, a.beats...))
}

// TestAbandonedSession has a party's node reserve, connect to the session of a protocol without a dealer, and never go on: with
// heartbeats, in silence, and without a connection. The session ends within the deadline that the other node's settings give, with
// that reason, and its slot and its memory are free then.
func TestAbandonedSession(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, k := range []struct {
		name     string
		connects bool
		beats    []link.Option
		want     string
	}{
		{"heartbeats", true, []link.Option{link.Heartbeat{Interval: 50 * time.Millisecond, Timeout: time.Minute}}, "limits: time"},
		{"silence", true, nil, "bob"},
		{"no connection", false, nil, "bob"},
	} {
		t.Run(k.name, func(t *testing.T) {
			c := newCluster(t, "alice", "bob")
			defer c.stop()
			for _, p := range []string{"alice", "bob"} {
				c.stops[p]()
				delete(c.stops, p)
			}
			c.start("alice", []string{"alice", "bob"}, func(l *Config) { l.Limits.Time = 2 * clusterSilence; l.Limits.Jobs = 1 })
			a := &abandoner{t: t, port: c.wires.port("bob"), args: []int{1}, connects: k.connects, beats: k.beats, began: map[string]bool{}}
			a.serve()
			s := c.submission("alice", "bob")
			s.Protocol = "cheetah"
			if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			j := c.wait(s.ID, "alice")
			if j.State != api.Failed || !strings.Contains(j.Error, k.want) || j.Session == "" {
				t.Errorf("the job is %s (%s), session %q; want a reason with %q", j.State, j.Error, j.Session, k.want)
			}
			c.nothingHeld("alice", s.ID)
			a.port.Close()
			a.mu.Lock()
			for _, e := range a.ends {
				e.Close()
			}
			a.mu.Unlock()
			a.work.Wait()
		})
	}
}

// nothingHeld fails the test if a node holds something of a job that has ended: a slot, memory, inputs or connections.
func (c *testCluster) nothingHeld(name, id string) {
	n := c.nodes[name]
	state := n.state()
	if slots, memory := state.FreeSlots(), state.FreeMemory(); slots != n.config.Limits.Jobs || memory != n.config.Limits.Memory {
		c.t.Errorf("%d slots and %d of %d bytes are free", slots, memory, n.config.Limits.Memory)
	}
	n.mu.Lock()
	if x := n.tasks[id]; x.resolved != nil || x.inputValues != nil {
		c.t.Error("the job's submission or inputs are held")
	}
	n.mu.Unlock()
	for deadline := time.Now().Add(busyWait); ; time.Sleep(10 * time.Millisecond) {
		n.mu.Lock()
		left := n.tasks[id].conns
		n.mu.Unlock()
		if left == nil {
			break
		}
		if time.Now().After(deadline) {
			c.t.Fatal("the session's connections are held")
		}
	}
}

// TestJoinAbandoned: a party whose peer leaves while they match rows ends at once, names the peer, and holds nothing.
func TestJoinAbandoned(t *testing.T) {
	defer goleak.VerifyNone(t)
	for name, replace := range map[string][]string{
		"psi":    nil,
		"hidden": {"method: psi", "method: hidden", ", rows: 21,", ","},
	} {
		c := joinCluster(t, map[string]string{"alice": ", joins: any, keys: any", "bob": ", joins: any, keys: any"})
		c.stops["bob"]()
		delete(c.stops, "bob")
		_, s, err := joinSubmission(t, replace...)
		if err != nil {
			t.Fatal(err)
		}
		a := &abandoner{t: t, port: c.wires.port("bob"), args: s.Inputs[1].Args, connects: true, leaves: true, began: map[string]bool{}}
		a.serve()
		if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if j := c.wait(s.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "bob") || strings.Contains(j.Error, "limits") || j.Session == "" {
			t.Errorf("%s: the job is %s (%s), session %q", name, j.State, j.Error, j.Session)
		} else {
			t.Logf("%s: %v: %s", name, time.Since(start), j.Error)
		}
		c.nothingHeld("alice", s.ID)
		a.port.Close()
		a.work.Wait()
		c.stop()
	}
}
