package node

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/version"
)

// lead carries out the leader's actions of a job, one after the other, until the session has started,
// the job has ended, or the node stops.
func (n *Node) lead(t *task) {
	ctx := n.ctx
	if j := n.job(t); j == nil || !j.Reopening() { // a service is opened again for as long as it is wanted
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, t.submitted.Add(n.config.Limits.Wait))
		defer cancel()
	}
	var e jobstate.Event = newAttempt(false)
	for n.ctx.Err() == nil {
		n.mu.Lock()
		next, changed := n.step(t.ID, e).next, t.changed
		n.mu.Unlock()
		if next == nil {
			return
		}
		e = n.leaderAction(ctx, t, next, changed)
	}
}

// newAttempt returns the event that begins an attempt, with the id of the session that may follow.
func newAttempt(slept bool) jobstate.Attempt {
	return jobstate.Attempt{Session: correlation.NewSessionID().String(), Slept: slept}
}

// leaderAction carries out an action of the leader and returns the event that answers it. changed is
// closed when the job changes.
func (n *Node) leaderAction(ctx context.Context, t *task, next jobstate.Action, changed <-chan struct{}) jobstate.Event {
	switch a := next.(type) {
	case jobstate.Probe:
		_, err := n.peer(a.Party).Health(ctx)
		return jobstate.Probed{Error: n.errorText(err)}
	case jobstate.ProbeDealer:
		return jobstate.DealerProbed{Error: n.errorText(n.probeDealer(ctx, t))}
	case jobstate.Ask:
		r, err := n.ask(ctx, t, a)
		return jobstate.Answered{Reserved: r, Error: n.errorText(err), Failure: failureOf(err, a.Rank == t.rank)}
	case jobstate.Assign:
		var owners []int
		w, err := n.resolvedOf(t)
		if err == nil {
			owners, err = w.owners(a.Given)
		}
		return jobstate.Assigned{Owners: owners, Error: n.errorText(err)}
	case jobstate.StartAt:
		var err error
		if a.Rank == t.rank {
			err = n.start(t, a.Start)
		} else {
			err = n.peer(t.Parties[a.Rank]).Start(ctx, t.ID, a.Start)
		}
		return jobstate.SessionStarted{Error: n.errorText(err), Failure: failureOf(err, a.Rank == t.rank)}
	case jobstate.Sleep:
		slept := false
		select {
		case <-changed:
		case <-time.After(a.For/2 + rand.N(a.For/2)):
			slept = true
		case <-ctx.Done():
		}
		return newAttempt(slept)
	}
	panic(fmt.Sprintf("node: %T is no action of a leader", next))
}

// ask sends a reserve message to the node of a rank.
func (n *Node) ask(ctx context.Context, t *task, a jobstate.Ask) (api.Reserved, error) {
	w, err := n.resolvedOf(t)
	if err != nil {
		return api.Reserved{}, err
	}
	m := api.Reserve{Version: version.Release, Digest: t.digest, Terms: w.sub.Terms(), Try: a.Try, Owners: a.Owners, Stay: a.Stay}
	if a.Rank == t.rank {
		return n.reserve(t, m)
	}
	return n.peer(t.Parties[a.Rank]).Reserve(ctx, t.ID, m)
}

// failureOf returns what the error of a message to reserve a slot or to start means. own says that this node gave it.
func failureOf(err error, own bool) jobstate.Failure {
	var refused *api.Refused
	switch {
	case err == nil:
		return ""
	case own:
		return jobstate.Permanent
	case !errors.As(err, &refused):
		return jobstate.Silent
	case refused.Status == http.StatusNotFound:
		return jobstate.Missing
	case refused.Status == http.StatusServiceUnavailable:
		return jobstate.NotYet
	}
	return jobstate.Permanent
}

// errorText returns the text of an error without paths of this node; "" for nil.
func (n *Node) errorText(err error) string {
	if err == nil {
		return ""
	}
	return n.redact(err)
}

// peer returns a client of another node. Its calls fail if that node sends no heartbeat for
// Limits.HeartbeatTimeout.
func (n *Node) peer(name string) *api.Client {
	c := api.Over(name, name, func(ctx context.Context) (net.Conn, error) { return n.net.Dial(ctx, name, api.Proto) })
	return c.As(n.config.Name).WithHeartbeatTimeout(n.config.Limits.HeartbeatTimeout)
}

// resolvedOf returns the resolved submission of a job that has not ended.
func (n *Node) resolvedOf(t *task) (*resolvedJob, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if t.resolved == nil {
		j := n.jobs.Job(t.ID)
		if j == nil {
			return nil, refuse(http.StatusConflict, "there is no job %s at %s any more", t.ID, n.config.Name)
		}
		return nil, refuse(http.StatusConflict, "job %s is %s at %s: %s", t.ID, j.State, n.config.Name, j.Error)
	}
	return t.resolved, nil
}

// release sends a release message to the other nodes of a job, in the background.
func (n *Node) release(t *task, r api.Release) {
	for rank, name := range t.Parties {
		if rank == t.rank {
			continue
		}
		n.work.Go(func() {
			if err := n.peer(name).Release(n.ctx, t.ID, r); err != nil {
				n.log.Debug("release", "job", t.ID, "node", name, "error", err.Error())
			}
		})
	}
}

// reserve answers a reserve message of the job's leader. If it asks for memory, the job is planned
// first, unless it was before.
func (n *Node) reserve(t *task, m api.Reserve) (api.Reserved, error) {
	e := jobstate.Reserve{Try: m.Try, Memory: m.Owners != nil}
	r := n.apply(t, e)
	if r.plan {
		planned := make(chan error, 1)
		n.work.Go(func() { planned <- n.plan(t, m) }) // the node does not stop before the plan's end is stored
		if err := <-planned; err != nil {
			return api.Reserved{}, err
		}
		r = n.apply(t, e)
	}
	if r.refused != nil {
		return api.Reserved{}, r.refused
	}
	return *r.reserved, nil
}
