package psi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/version"
)

// runner runs or plans the two graphs of a session of two parties, both in this process.
type runner struct {
	parties  []string
	network  string
	shape    link.Shape
	protocol string
	names    []string   // of the operations
	dealings [2]dealing // by rank
	graphs   [2]*flow.Graph
	accounts [2]flow.Account
	costs    [2][]flow.Cost // by rank and operation
}

// dealing is the message of the dealer to a party: its size in bytes, 0 for none, and the operation that needs it.
type dealing struct{ size, op int }

// newRunner returns a runner of operations with the given names, for one run or one plan.
func newRunner(parties []string, network, protocol string, names []string) (*runner, error) {
	if len(parties) != 2 {
		return nil, errors.New("psi: want two parties")
	}
	network = cmp.Or(network, "none")
	shape, err := link.ParseShape(network)
	if err != nil {
		return nil, fmt.Errorf("psi: %w", err)
	}
	r := &runner{parties: parties, network: network, shape: shape, protocol: protocol, names: names}
	for rank := range r.costs {
		r.costs[rank] = make([]flow.Cost, len(names))
	}
	return r, nil
}

// dealtCosts returns the bytes and the number of the dealer's messages.
func (x *runner) dealtCosts() (bytes int64, messages int) {
	for _, d := range x.dealings {
		if d.size > 0 {
			bytes, messages = bytes+int64(d.size), 1 // at the same time
		}
	}
	return bytes, messages
}

// plan runs the graphs, to which build adds the steps, without data and returns the report of costs.
func (x *runner) plan(build func()) (*profile.Report, error) {
	for rank := range x.graphs {
		x.graphs[rank] = flow.NewDryRun(link.Online, &x.accounts[rank])
	}
	build()
	if err := errors.Join(x.graphs[0].Wait(), x.graphs[1].Wait()); err != nil {
		return nil, err
	}
	r := x.header()
	x.measure(r, 0)
	r.Offline.BytesSent, r.Offline.Rounds = x.dealtCosts()
	r.Predicted.Offline.BytesSent = r.Offline.BytesSent
	on := r.Online
	r.Predicted.Online.BytesSent, r.Predicted.Online.Messages, r.Predicted.Online.Rounds = on.BytesSent, on.Messages, on.Rounds
	for i := range r.Ops {
		o := &r.Ops[i]
		o.Calls, o.Seconds = 0, 0
		o.Predicted.BytesSent, o.Predicted.Messages, o.Predicted.Rounds = o.BytesSent, o.Messages, o.Rounds
		o.Predicted.OfflineBytes = o.OfflineBytes
	}
	r.Plan = &profile.Plan{}
	return r, nil
}

// run deals, runs the graphs, to which build adds the steps, and returns the report with the costs that were planned. Build
// receives the dealer's messages by rank. When ctx ends, run returns its error.
func (x *runner) run(ctx context.Context, planned *profile.Report, deal func() [2][]byte, build func([2][]byte)) (*profile.Report, error) {
	r := x.header()
	start := time.Now()
	corrections, err := x.deliver(ctx, deal())
	if err != nil {
		return nil, err
	}
	if bytes, messages := x.dealtCosts(); messages > 0 {
		r.Offline.Seconds, r.Offline.BytesSent, r.Offline.Rounds = time.Since(start).Seconds(), bytes, messages
	}
	start = time.Now()
	ends := link.Shaped(2, x.shape)
	for rank, end := range ends {
		x.graphs[rank] = flow.New(ctx, link.Online, end, &x.accounts[rank])
	}
	build(corrections)
	var wg sync.WaitGroup
	var failures [2]error
	for rank, g := range x.graphs {
		wg.Go(func() {
			if failures[rank] = g.Wait(); failures[rank] != nil {
				x.graphs[1-rank].Fail(failures[rank])
			}
		})
	}
	wg.Wait()
	seconds := time.Since(start).Seconds()
	go ends[0].Close() // each end waits for the other's leave
	ends[1].Close()
	if err := cmp.Or(failures[0], failures[1]); err != nil {
		return nil, err
	}
	r.Predicted = planned.Predicted
	for i := range r.Ops {
		r.Ops[i].Predicted = planned.Ops[i].Predicted
	}
	x.measure(r, seconds)
	return r, nil
}

// deliver sends the corrections over the dealer's connections.
func (x *runner) deliver(ctx context.Context, corrections [2][]byte) (out [2][]byte, err error) {
	if x.shape.Zero() {
		return corrections, ctx.Err()
	}
	var wg sync.WaitGroup
	var failures [2]error
	for rank, c := range corrections {
		if len(c) == 0 {
			continue
		}
		out[rank] = make([]byte, len(c))
		wg.Go(func() {
			from, to := link.Pipe(x.shape)
			defer from.Close()
			defer to.Close()
			defer context.AfterFunc(ctx, func() { from.Close(); to.Close() })()
			go from.Write(c)
			_, failures[rank] = io.ReadFull(to, out[rank])
		})
	}
	wg.Wait()
	if err := cmp.Or(failures[0], failures[1]); err != nil {
		return out, errors.Join(context.Cause(ctx), err)
	}
	return out, ctx.Err()
}

// header is a report without costs.
func (x *runner) header() *profile.Report {
	r := &profile.Report{
		Tacet: version.Get().String(), Program: "psi", Protocol: x.protocol, Parties: x.parties, Network: x.network,
		Frames: []profile.Frame{{Outer: -1, Op: -1, Func: "main"}},
	}
	for _, p := range []*profile.Phase{&r.Setup, &r.Input, &r.Output} {
		p.BytesSent = make([]int64, 2)
	}
	r.Online.BytesSent, r.Online.Messages = make([]int64, 2), make([]int64, 2)
	for i, name := range x.names {
		r.Ops = append(r.Ops, profile.Op{
			ID: i, Op: name, BytesSent: make([]int64, 2), Messages: make([]int64, 2),
			Predicted: profile.OpCost{BytesSent: make([]int64, 2), Messages: make([]int64, 2)},
		})
	}
	return r
}

// measure sets the costs of the online phase, and of operations.
func (x *runner) measure(r *profile.Report, seconds float64) {
	r.Online.Seconds = seconds
	for rank := range x.graphs {
		if d := x.dealings[rank]; d.size > 0 {
			r.Ops[d.op].OfflineBytes += int64(d.size)
		}
		r.Online.BytesSent[rank], r.Online.Messages[rank] = x.accounts[rank].Bytes.Load(), x.accounts[rank].Messages.Load()
		r.Online.Rounds = max(r.Online.Rounds, x.graphs[rank].Rounds())
		for i := range r.Ops {
			c, o := &x.costs[rank][i], &r.Ops[i]
			o.Calls++
			o.Seconds += float64(c.Nanos.Load()) / 1e9
			o.BytesSent[rank], o.Messages[rank] = c.Bytes.Load(), c.Messages.Load()
			o.Rounds = max(o.Rounds, int(c.Rounds.Load()))
		}
	}
}
