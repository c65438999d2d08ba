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

// Between tries to have a slot at every node, the lead waits so long, twice as
// long each time, and a random part of it less: several leads that want each
// other's slots must not meet again and again.
const (
	firstWait = 20 * time.Millisecond
	lastWait  = 2 * time.Second
)

// lack is why a try has not led to slots at all nodes.
type lack struct {
	why    string // "" if it has
	silent string // the node that did not answer, "" if all did
}

// lead brings a job to its start at all nodes: it reserves slots, all or none,
// until it has them or the time to wait is over. While a node does not answer
// it keeps nobody's.
func (n *Node) lead(t *task) {
	ctx, cancel := context.WithDeadline(n.ctx, t.Submitted.Add(n.config.Limits.Wait))
	defer cancel()
	wait := firstWait
	last := lack{why: "for the other nodes"}
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
				n.giveUp(t, err.Error())
				return
			}
			if lacks.why == "" {
				if err := n.startAll(ctx, t, start); err != nil {
					n.giveUp(t, err.Error())
				}
				return
			}
			if ctx.Err() == nil { // or there is no answer since the time is over
				last = lacks
			}
			waits = last.why
			n.release(t, "")
		}
		n.mu.Lock()
		t.Phase = "waits " + waits
		n.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(wait/2 + rand.N(wait/2)):
			wait = min(2*wait, lastWait)
		case <-ctx.Done():
			if n.ctx.Err() == nil {
				n.giveUp(t, fmt.Sprintf("not started within %v: it waits %s", n.config.Limits.Wait, waits))
			}
			return
		}
	}
}

// look has somebody look after a job that has not begun. The node's lock is
// held.
func (n *Node) look(t *task) {
	switch {
	case t.State.Final():
	case t.leads():
		n.work.Go(func() { n.lead(t) })
	default:
		n.work.Go(func() { n.await(t) })
	}
}

// await waits for another node to start a job, which may be gone, or unable to
// say that it has given up.
func (n *Node) await(t *task) {
	limit := time.NewTimer(time.Until(t.Submitted.Add(n.config.Limits.Wait + n.reserved())))
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
				n.end(t, api.Failed, fmt.Sprintf("not started within %v, nor has %s, who leads it, said why", n.config.Limits.Wait, t.Parties[0]))
			}
			n.mu.Unlock()
			return
		case <-n.ctx.Done():
			return
		}
	}
}

// giveUp ends a job here and at the other nodes.
func (n *Node) giveUp(t *task, reason string) {
	n.mu.Lock()
	n.end(t, api.Failed, reason)
	reason = t.Error // if it had ended, why
	n.mu.Unlock()
	n.release(t, reason)
}

// reserveAll asks every node for a slot, and then, since it is known then who
// owns which argument, for memory; the start says that, what is resident, and how
// many requests to a service there is memory for at all of them.
// A node that was silent is asked first whether it is there again, and nothing of
// anybody else until it is. An error ends the job.
func (n *Node) reserveAll(ctx context.Context, t *task, silent string) (start api.Start, l lack, err error) {
	if silent != "" {
		if _, err := n.peer(silent).Health(ctx); err != nil {
			return start, lack{fmt.Sprintf("for %v", err), silent}, nil
		}
	}
	given := make([][]int, len(t.Parties))
	l, err = n.askAll(ctx, t, nil, func(rank int, r api.Reserved) {
		given[rank] = r.Args
		start.Stay = append(start.Stay, r.Stay...)
	})
	if l.why != "" || err != nil {
		return start, l, err
	}
	w, err := n.workOf(t)
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
		// Nodes plan the job, one after the other, before they answer. Where that took
		// long, the first may not keep its slot any more: asked again, all answer at once.
		if l.why != "" || err != nil || time.Since(began) < n.reserved()/2 {
			return start, l, err
		}
	}
}

// askAll asks every node to reserve, this one last; for memory too if it is known
// how the job will start.
func (n *Node) askAll(ctx context.Context, t *task, start *api.Start, given func(rank int, r api.Reserved)) (l lack, err error) {
	w, err := n.workOf(t)
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
		var refused *api.Refused // 404: not submitted there yet
		switch {
		case errors.As(err, &refused) && refused.Status != http.StatusNotFound && refused.Status != http.StatusServiceUnavailable || err != nil && rank == t.rank:
			return l, err
		case refused != nil:
			return lack{why: fmt.Sprintf("for %v", err)}, nil
		case err != nil:
			return lack{fmt.Sprintf("for %v", err), name}, nil
		case r.State.Final():
			return l, fmt.Errorf("%s: job is %s: %s", name, r.State, r.Error)
		case !r.Slot && r.State == api.Pending:
			return lack{why: fmt.Sprintf("for an admin of %s to approve it", name)}, nil
		case !r.Slot:
			return lack{why: fmt.Sprintf("for %s: %s", name, r.Error)}, nil
		}
		given(rank, r)
	}
	return l, nil
}

// startAll draws the session and starts it at all nodes.
func (n *Node) startAll(ctx context.Context, t *task, s api.Start) error {
	s.Session = correlation.NewSessionID().String()
	for rank := len(t.Parties) - 1; rank > 0; rank-- {
		if err := n.peer(t.Parties[rank]).Start(ctx, t.ID, s); err != nil {
			return err
		}
	}
	return n.start(t, s)
}

// peer is a client of another node, that is given up when it shows no sign of
// life.
func (n *Node) peer(name string) *api.Client {
	c := api.Over(name, name, func(ctx context.Context) (net.Conn, error) { return n.net.Dial(ctx, name, api.Proto) })
	return c.Heed(n.config.Limits.Silence)
}

// workOf is what a job that has not ended is about.
func (n *Node) workOf(t *task) (*work, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if t.work == nil {
		return nil, refuse(http.StatusConflict, "job %s is %s at %s: %s", t.ID, t.State, n.config.Name, t.Error)
	}
	return t.work, nil
}

// release gives back what is reserved for a job at the other nodes, and, with
// a reason, ends it there. Who does not hear gives it back by itself.
func (n *Node) release(t *task, reason string) {
	n.mu.Lock()
	n.unreserve(t)
	r := api.Release{Try: t.try, Reason: n.config.bare(reason)}
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

// reserve keeps a slot for a job, if one is free, and memory, if it is asked
// for that.
func (n *Node) reserve(t *task, m api.Reserve) (r api.Reserved, err error) {
	needs, err := n.needs(t, m)
	if err != nil {
		return r, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	defer func() {
		if !r.Slot {
			t.given = nil // those who wait hold nothing
		}
	}()
	t.try = m.Try
	r = api.Reserved{State: t.State, Error: t.Error}
	if t.work != nil {
		r.Args, r.Stay = t.work.own, t.work.stay
	}
	switch {
	case t.State != api.Queued:
		return r, nil
	case n.closed:
		r.Error = ErrStopping.Error()
		return r, nil
	case t.slot != nil:
		t.slot.Reset(n.reserved())
	case n.slots == 0:
		r.Error = fmt.Sprintf("all %d jobs that run at once are running", n.config.Limits.Jobs)
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
	if needs.of(1) > free {
		r.Error = fmt.Sprintf("the job takes %s of memory by plan, and running jobs leave %s", yamlfile.FormatSize(needs.of(1)), yamlfile.FormatSize(n.memory))
		return r, nil
	}
	r.Slot, r.Batch = true, 1
	for r.Batch < min(t.work.sub.Batch, n.config.Limits.Batch) && needs.of(r.Batch+1) <= free {
		r.Batch++
	}
	n.allot(t, needs.of(r.Batch))
	return r, nil
}

// allot reserves so much memory for a job, more or less than it had. The node's
// lock is held.
func (n *Node) allot(t *task, bytes int64) {
	n.memory += t.memory - bytes
	t.memory = bytes
}

// holdSlot keeps a slot until it is started, released, or the time is over.
func (n *Node) holdSlot(t *task) {
	var slot *time.Timer
	slot = time.AfterFunc(n.reserved(), func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if t.State == api.Queued && t.slot == slot {
			n.unreserve(t)
		}
	})
	t.slot = slot
}

// reserved is how long a slot is kept for a start.
func (n *Node) reserved() time.Duration { return 4 * n.config.Limits.Silence }

// unreserve gives a slot back. The node's lock is held.
func (n *Node) unreserve(t *task) {
	if t.slot == nil {
		return
	}
	t.slot.Stop()
	t.slot, t.given = nil, nil
	n.slots++
	n.allot(t, 0)
}

// ended is what another party says of a job: it goes no further. The node's
// lock is held.
func (n *Node) ended(t *task, by string, r api.Release) {
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
