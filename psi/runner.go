package psi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/version"
)

// runner runs or plans the graphs of a session of two parties: both in this process, or that of one of them.
type runner struct {
	parties  []string
	ranks    [2]int // that the parties have on the link
	network  string
	shape    link.Shape
	protocol string
	names    []string              // of the operations
	manifest *correlation.Manifest // what the dealer makes; nil without one
	dealtFor []int                 // the operation that needs it, by request of the manifest
	dealtAt  int                   // rank of the party to which the dealer sends its messages
	graphs   [2]*flow.Graph
	accounts [2]flow.Account
	base     uint32         // what the operations' numbers of messages begin at, beyond firstOp
	costs    [2][]flow.Cost // by rank and operation
}

// dealtTo is a party's side that takes what a dealer deals.
type dealtTo interface {
	takeDealt(common ring.Seed, messages [][]byte)
}

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
	r := &runner{parties: parties, ranks: [2]int{0, 1}, network: network, shape: shape, protocol: protocol, names: names}
	for rank := range r.costs {
		r.costs[rank] = make([]flow.Cost, len(names))
	}
	return r, nil
}

// dealtCosts returns the bytes of the dealer's messages, and in how many rounds it sends them.
func (x *runner) dealtCosts() (bytes int64, rounds int) {
	if x.manifest == nil {
		return 0, 0
	}
	return x.manifest.Bytes(), 1
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

// run deals to both sides, runs the graphs, to which build adds the steps, and returns the report with the costs that were planned.
// When ctx ends, run returns its error.
func (x *runner) run(ctx context.Context, planned *profile.Report, sides [2]dealtTo, build func()) (*profile.Report, error) {
	r := x.header()
	start := time.Now()
	if x.manifest != nil {
		messages, seeds := [][]byte{}, []ring.Seed{ring.NewSeed(), ring.NewSeed()} // the sender's is the second
		err := correlation.NewLocal(2, seeds).Deal(ctx, x.manifest, func(_ correlation.ID, data []byte) error {
			messages = append(messages, data)
			return nil
		})
		if err == nil {
			err = x.deliver(ctx, messages)
		}
		if err != nil {
			return nil, err
		}
		sides[1-x.dealtAt].takeDealt(seeds[0], nil)
		sides[x.dealtAt].takeDealt(seeds[1], messages)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	x.tookOffline(r, start)
	start = time.Now()
	ends := link.Shaped(2, x.shape)
	for rank, end := range ends {
		x.graphs[rank] = flow.New(ctx, link.Online, end, &x.accounts[rank])
	}
	build()
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
	return x.finish(r, planned, seconds), nil
}

// tookOffline sets the costs of the offline phase, which began at start.
func (x *runner) tookOffline(r *profile.Report, start time.Time) {
	if bytes, rounds := x.dealtCosts(); rounds > 0 {
		r.Offline.Seconds, r.Offline.BytesSent, r.Offline.Rounds = time.Since(start).Seconds(), bytes, rounds
	}
}

// finish sets the measured costs of a run, and the planned ones.
func (x *runner) finish(r, planned *profile.Report, seconds float64) *profile.Report {
	r.Predicted = planned.Predicted
	for i := range r.Ops {
		r.Ops[i].Predicted = planned.Ops[i].Predicted
	}
	x.measure(r, seconds)
	return r
}

// deliver sends the dealer's messages over its connection, and returns them in place.
func (x *runner) deliver(ctx context.Context, messages [][]byte) error {
	if x.shape.Zero() {
		return ctx.Err()
	}
	from, to := link.Pipe(x.shape)
	defer from.Close()
	defer to.Close()
	defer context.AfterFunc(ctx, func() { from.Close(); to.Close() })()
	sent := slices.Clone(messages)
	go func() {
		for _, m := range sent {
			from.Write(m)
		}
	}()
	for i, m := range sent {
		messages[i] = make([]byte, len(m))
		if _, err := io.ReadFull(to, messages[i]); err != nil {
			return errors.Join(context.Cause(ctx), err)
		}
	}
	return ctx.Err()
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
		if rank == x.dealtAt && x.manifest != nil {
			for i, request := range x.manifest.Requests {
				r.Ops[x.dealtFor[i]].OfflineBytes += request.Bytes()
			}
		}
		if x.graphs[rank] == nil { // at a seat
			continue
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
