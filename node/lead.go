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
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// The leader waits between two attempts to reserve slots: firstWait, doubled after each attempt up to
// lastWait, minus a random part of up to a half. The random part keeps leaders that want the same
// slots from colliding again and again.
const (
	firstWait = 20 * time.Millisecond
	lastWait  = 2 * time.Second
)

// notReady says why an attempt did not reserve slots at all nodes.
type notReady struct {
	reason string // "" if all slots are reserved
	silent string // name of the node that did not answer; "" if all did
}

// lead starts a job at all nodes: it reserves slots at all nodes or none, retries until Limits.Wait is
// over, and then starts the session. While a node does not answer, the leader holds no slots at the
// others.
func (n *Node) lead(t *task) {
	ctx, cancel := context.WithDeadline(n.ctx, t.Submitted.Add(n.config.Limits.Wait))
	defer cancel()
	wait := firstWait
	last := notReady{reason: "for the other nodes"}
	for {
		n.mu.Lock()
		t.try++
		state, changed := t.State, t.changed
		n.mu.Unlock()
		if state.Final() || state == api.Running {
			if state.Final() {
				n.release(t, t.Error)
			}
			return
		}
		waits := "for an admin's approval here"
		if state == api.Queued {
			start, lacks, err := n.reserveAll(ctx, t, last.silent)
			if err != nil {
				n.failEverywhere(t, err.Error())
				return
			}
			if lacks.reason == "" {
				if err := n.startAll(ctx, t, start); err != nil {
					n.failEverywhere(t, err.Error())
				}
				return
			}
			if ctx.Err() == nil { // otherwise the missing answer is due to the deadline
				last = lacks
			}
			waits = last.reason
			n.release(t, "")
		}
		n.mu.Lock()
		t.Phase = "waiting " + waits
		n.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(wait/2 + rand.N(wait/2)):
			wait = min(2*wait, lastWait)
		case <-ctx.Done():
			if n.ctx.Err() == nil {
				n.failEverywhere(t, fmt.Sprintf("not started within %v: waiting %s", n.config.Limits.Wait, waits))
			}
			return
		}
	}
}

// supervise runs the goroutine that leads a job, or that awaits its start. Node.mu is held.
func (n *Node) supervise(t *task) {
	switch {
	case t.State.Final():
	case t.leads():
		n.work.Go(func() { n.lead(t) })
	default:
		n.work.Go(func() { n.awaitStart(t) })
	}
}

// awaitStart fails a job that its leader has not started within Limits.Wait plus the slot timeout: the
// leader may be gone, or unable to report that it failed.
func (n *Node) awaitStart(t *task) {
	limit := time.NewTimer(time.Until(t.Submitted.Add(n.config.Limits.Wait + n.slotTimeout())))
	defer limit.Stop()
	for {
		n.mu.Lock()
		state, changed := t.State, t.changed
		n.mu.Unlock()
		if state != api.Queued && state != api.Pending {
			return
		}
		select {
		case <-changed:
		case <-limit.C:
			n.mu.Lock()
			if t.State == state {
				n.end(t, api.Failed, fmt.Sprintf("not started within %v, and %s (rank 0, which starts the job) gave no reason", n.config.Limits.Wait, t.Parties[0]))
			}
			n.mu.Unlock()
			return
		case <-n.ctx.Done():
			return
		}
	}
}

// failEverywhere ends a job as failed at this node and at the other nodes.
func (n *Node) failEverywhere(t *task, reason string) {
	n.mu.Lock()
	n.end(t, api.Failed, reason)
	reason = t.Error // the first reason, if the job had ended before
	n.mu.Unlock()
	n.release(t, reason)
}

// reserveAll reserves a slot at every node, and then, once the answers say who owns which argument,
// memory. The returned start holds the owners, the resident arguments and the batch size for which all
// nodes have memory. If silent is not empty, the node of that name is probed first, and nothing is
// reserved until it answers. A returned error ends the job.
func (n *Node) reserveAll(ctx context.Context, t *task, silent string) (start api.Start, l notReady, err error) {
	if silent != "" {
		if _, err := n.peer(silent).Health(ctx); err != nil {
			return start, notReady{fmt.Sprintf("for %v", err), silent}, nil
		}
	}
	given := make([][]int, len(t.Parties))
	l, err = n.askAll(ctx, t, nil, func(rank int, r api.Reserved) {
		given[rank] = r.Args
		start.Stay = append(start.Stay, r.Stay...)
	})
	if l.reason != "" || err != nil {
		return start, l, err
	}
	w, err := n.resolvedOf(t)
	if err != nil {
		return start, l, err
	}
	if start.Owners, err = w.owners(given); err != nil {
		return start, l, err
	}
	start.Batch = max(1, w.sub.Batch)
	for {
		began := time.Now()
		l, err = n.askAll(ctx, t, &start, func(_ int, r api.Reserved) { start.Batch = min(start.Batch, r.Batch) })
		// Each node plans the job before it answers, one after the other. If that took long,
		// the first node's slot may have timed out; a second request renews the slots and is
		// answered from the stored plans.
		if l.reason != "" || err != nil || time.Since(began) < n.slotTimeout()/2 {
			return start, l, err
		}
	}
}

// askAll sends a reserve request to every node, the highest rank first and this node last, and passes
// each answer to given. If start is not nil, memory is reserved too.
func (n *Node) askAll(ctx context.Context, t *task, start *api.Start, given func(rank int, r api.Reserved)) (l notReady, err error) {
	w, err := n.resolvedOf(t)
	if err != nil {
		return l, err
	}
	m := api.Reserve{Version: party.Version, Digest: t.digest, Terms: w.sub.Terms(), Try: t.try}
	if start != nil {
		m.Owners, m.Stay = start.Owners, start.Stay
	}
	for rank := len(t.Parties) - 1; rank >= 0; rank-- {
		name := t.Parties[rank]
		var r api.Reserved
		if rank == t.rank {
			r, err = n.reserve(t, m)
		} else {
			r, err = n.peer(name).Reserve(ctx, t.ID, m)
		}
		var refused *api.Refused // status 404: the submission has not reached that node yet
		switch {
		case errors.As(err, &refused) && refused.Status != http.StatusNotFound && refused.Status != http.StatusServiceUnavailable || err != nil && rank == t.rank:
			return l, err
		case refused != nil:
			return notReady{reason: fmt.Sprintf("for %v", err)}, nil
		case err != nil:
			return notReady{fmt.Sprintf("for %v", err), name}, nil
		case r.State.Final():
			return l, fmt.Errorf("%s: job is %s: %s", name, r.State, r.Error)
		case !r.Slot && r.State == api.Pending:
			return notReady{reason: fmt.Sprintf("for an admin of %s to approve it", name)}, nil
		case !r.Slot:
			return notReady{reason: fmt.Sprintf("for %s: %s", name, r.Error)}, nil
		}
		given(rank, r)
	}
	return l, nil
}

// startAll draws the session id and starts the session at all nodes, the highest rank first.
func (n *Node) startAll(ctx context.Context, t *task, s api.Start) error {
	s.Session = correlation.NewSessionID().String()
	for rank := len(t.Parties) - 1; rank > 0; rank-- {
		if err := n.peer(t.Parties[rank]).Start(ctx, t.ID, s); err != nil {
			return err
		}
	}
	return n.start(t, s)
}

// peer returns a client of another node. Its calls fail if that node sends no heartbeat for
// Limits.HeartbeatTimeout.
func (n *Node) peer(name string) *api.Client {
	c := api.Over(name, name, func(ctx context.Context) (net.Conn, error) { return n.net.Dial(ctx, name, api.Proto) })
	return c.WithHeartbeatTimeout(n.config.Limits.HeartbeatTimeout)
}

// resolvedOf returns the resolved submission of a job that has not ended.
func (n *Node) resolvedOf(t *task) (*resolvedJob, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if t.resolved == nil {
		return nil, refuse(http.StatusConflict, "job %s is %s at %s: %s", t.ID, t.State, n.config.Name, t.Error)
	}
	return t.resolved, nil
}

// release frees the job's reservations at all nodes. With a reason it also fails the job at the
// others. A node that the message does not reach frees its slot after slotTimeout.
func (n *Node) release(t *task, reason string) {
	n.mu.Lock()
	n.unreserve(t)
	r := api.Release{Try: t.try, Reason: n.config.redactPaths(reason)}
	n.mu.Unlock()
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

// reserve reserves a slot for a job if one is free or held already, and memory if m names the owners.
// The answer says whether it did, and why not.
func (n *Node) reserve(t *task, m api.Reserve) (r api.Reserved, err error) {
	needs, err := n.planMemory(t, m)
	if err != nil {
		return r, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	defer func() {
		if !r.Slot {
			t.inputValues = nil // a job without a slot must hold no input values in memory
		}
	}()
	t.try = m.Try
	r = api.Reserved{State: t.State, Error: t.Error}
	if t.resolved != nil {
		r.Args, r.Stay = t.resolved.own, t.resolved.residentArgs
	}
	switch {
	case t.State != api.Queued:
		return r, nil
	case n.closed:
		r.Error = ErrStopping.Error()
		return r, nil
	case t.slot != nil:
		t.slot.Reset(n.slotTimeout())
	case n.slots == 0:
		r.Error = fmt.Sprintf("all %d slots are in use (limits: jobs)", n.config.Limits.Jobs)
		return r, nil
	default:
		n.slots--
		n.holdSlot(t)
	}
	if m.Owners == nil {
		r.Slot = true
		return r, nil
	}
	free := n.memory + t.memory
	if needs.forBatch(1) > free {
		r.Error = fmt.Sprintf("the job needs %s of memory according to its plan; %s are free", yamlfile.FormatSize(needs.forBatch(1)), yamlfile.FormatSize(n.memory))
		return r, nil
	}
	r.Slot, r.Batch = true, 1
	for r.Batch < min(t.resolved.sub.Batch, n.config.Limits.Batch) && needs.forBatch(r.Batch+1) <= free {
		r.Batch++
	}
	n.reserveMemory(t, needs.forBatch(r.Batch))
	return r, nil
}

// reserveMemory sets the memory reserved for a job. Node.mu is held.
func (n *Node) reserveMemory(t *task, bytes int64) {
	n.memory += t.memory - bytes
	t.memory = bytes
}

// holdSlot starts the timer that frees the job's slot unless the session starts or the slot is
// released or renewed.
func (n *Node) holdSlot(t *task) {
	var slot *time.Timer
	slot = time.AfterFunc(n.slotTimeout(), func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if t.State == api.Queued && t.slot == slot {
			n.unreserve(t)
		}
	})
	t.slot = slot
}

// slotTimeout returns how long a slot stays reserved without a start or a renewal.
func (n *Node) slotTimeout() time.Duration { return 4 * n.config.Limits.HeartbeatTimeout }

// unreserve frees a job's slot and memory. Node.mu is held.
func (n *Node) unreserve(t *task) {
	if t.slot == nil {
		return
	}
	t.slot.Stop()
	t.slot, t.inputValues = nil, nil
	n.slots++
	n.reserveMemory(t, 0)
}

// handleRelease handles a peer's release message: without a reason it frees the slot of that attempt,
// with one it ends the job. Node.mu is held.
func (n *Node) handleRelease(t *task, by string, r api.Release) {
	reason := fmt.Sprintf("%s gave up: %.1000s", by, r.Reason)
	switch {
	case r.Reason == "":
		if t.State == api.Queued && r.Try == t.try {
			n.unreserve(t)
		}
	case t.stop != nil:
		t.stop(errors.New(reason))
	default:
		n.end(t, api.Failed, reason)
	}
}
