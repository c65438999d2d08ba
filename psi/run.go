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
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/version"
)

// Key is 128 bits of a hash of a row's key columns.
type Key = [2]uint64

// MaxKeys is the largest number of keys of a party.
const MaxKeys = 1 << 24

// Method is a protocol for the intersection of two sets.
type Method uint8

// The methods (package comment).
const (
	VOLE Method = iota // by a vector oblivious linear evaluation, which a dealer makes that is neither party
	ECDH               // by Diffie-Hellman on an elliptic curve, without a dealer
)

// String returns the method's name as reports have it, such as "psi".
func (m Method) String() string {
	if m == ECDH {
		return "ecdh"
	}
	return "psi"
}

// Spec describes an intersection: the method, the two parties, and their sets.
type Spec struct {
	Method  Method
	Parties []string // two names
	Keys    [][]Key  // by party, distinct; only their numbers count in a plan
	Network string   // link between the parties and from a dealer; "" or none: messages are not slowed down

	perMessage int // the largest number of points of a message of ECDH; 0: pointsPerMessage (tests take fewer)
}

// Outcome is the result of Run. Rows[p] are the positions of the common keys in party p's list. Rows[0][i] and
// Rows[1][i] have the same key; the order of i is random.
type Outcome struct {
	Rows   [2][]int
	Report *profile.Report
}

// session is a run or a plan.
type session struct {
	Spec
	lengths
	shape    link.Shape
	receiver int // rank
	graphs   [2]*flow.Graph
	accounts [2]flow.Account
	costs    [2][numOps]flow.Cost
	sides    [2]*side
	results  [2]*flow.Future[[]int32]
}

func newSession(s Spec, counts [2]int) (*session, error) {
	if len(s.Parties) != 2 {
		return nil, errors.New("psi: want two parties")
	}
	if s.Network == "" {
		s.Network = "none"
	}
	shape, err := link.ParseShape(s.Network)
	if err != nil {
		return nil, fmt.Errorf("psi: %w", err)
	}
	if s.Method > ECDH {
		return nil, fmt.Errorf("psi: no method has the number %d", s.Method)
	}
	for i, n := range counts {
		if err := check(s.Parties[i], n); err != nil {
			return nil, err
		}
	}
	if s.perMessage == 0 {
		s.perMessage = pointsPerMessage
	}
	x := &session{Spec: s, shape: shape}
	if counts[1] < counts[0] {
		x.receiver = 1
	}
	x.lengths = newLengths(s.Method, counts[x.receiver], counts[1-x.receiver])
	return x, nil
}

// names returns the names of the method's operations.
func (x *session) names() *[numOps]string {
	if x.Method == ECDH {
		return &ecdhNames
	}
	return &voleNames
}

// build adds both parties' steps to their graphs.
func (x *session) build() {
	for rank, g := range x.graphs {
		s := x.sides[rank]
		s.lengths, s.peer, s.name, s.perMessage = x.lengths, 1-rank, x.Parties[1-rank], x.perMessage
		s.begin(g, x.names(), &x.costs[rank])
		switch {
		case x.Method == ECDH && rank == x.receiver:
			x.results[rank] = s.receiveECDH()
		case x.Method == ECDH:
			x.results[rank] = s.sendECDH()
		case rank == x.receiver:
			x.results[rank] = s.receive()
		default:
			x.results[rank] = s.send()
		}
	}
}

// Plan returns the report of a run of s for sets with the given numbers of keys, with predicted costs. s.Keys is not
// used.
func Plan(s Spec, counts [2]int) (*profile.Report, error) {
	x, err := newSession(s, counts)
	if err != nil {
		return nil, err
	}
	if err := x.dryRun(); err != nil {
		return nil, err
	}
	r := x.header()
	x.predict(r, x)
	p := r.Predicted.Online
	r.Online.BytesSent, r.Online.Messages, r.Online.Rounds = p.BytesSent, p.Messages, p.Rounds
	r.Offline.BytesSent, r.Offline.Rounds = int64(x.dealt()), x.dealings()
	for i := range r.Ops {
		o := &r.Ops[i]
		o.Rounds, o.OfflineBytes = o.Predicted.Rounds, o.Predicted.OfflineBytes
		copy(o.BytesSent, o.Predicted.BytesSent)
		copy(o.Messages, o.Predicted.Messages)
	}
	r.Plan = &profile.Plan{}
	return r, nil
}

// dealings is the number of messages of the dealer.
func (x *session) dealings() int {
	if x.Method == ECDH {
		return 0
	}
	return 1
}

// dryRun builds and runs graphs without data.
func (x *session) dryRun() error {
	for rank := range x.graphs {
		x.graphs[rank] = flow.NewDryRun(link.Online, &x.accounts[rank])
		x.sides[rank] = &side{}
	}
	x.build()
	return errors.Join(x.graphs[0].Wait(), x.graphs[1].Wait())
}

// Run computes the intersection of both parties' sets in this process, which has the keys of both and is the dealer, if
// the method has one. When ctx ends, Run returns its error.
func Run(ctx context.Context, s Spec) (*Outcome, error) {
	if len(s.Keys) != 2 {
		return nil, errors.New("psi: want the keys of two parties")
	}
	counts := [2]int{len(s.Keys[0]), len(s.Keys[1])}
	plan, err := newSession(s, counts)
	if err != nil {
		return nil, err
	}
	if err := plan.dryRun(); err != nil {
		return nil, err
	}
	x, _ := newSession(s, counts)
	r := x.header()
	for rank := range x.sides {
		x.sides[rank] = &side{keys: s.Keys[rank], seed: ring.NewSeed()}
	}
	if x.Method == VOLE {
		start, to := time.Now(), x.sides[x.receiver]
		if to.correction, err = x.deliver(ctx, deal(x.sides[1-x.receiver].seed, to.seed, x.entries)); err != nil {
			return nil, err
		}
		r.Offline.Seconds, r.Offline.BytesSent, r.Offline.Rounds = time.Since(start).Seconds(), int64(len(to.correction)), x.dealings()
	}
	start := time.Now()
	ends := link.Shaped(2, x.shape)
	for rank, end := range ends {
		x.graphs[rank] = flow.New(ctx, link.Online, end, &x.accounts[rank])
	}
	x.build()
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
	out := &Outcome{Report: r}
	for rank, f := range x.results {
		for _, key := range f.Get() {
			if key >= 0 {
				out.Rows[rank] = append(out.Rows[rank], int(key))
			}
		}
	}
	x.predict(r, plan)
	x.measure(r, seconds)
	return out, nil
}

// deliver sends the correction over the dealer's connection.
func (x *session) deliver(ctx context.Context, correction []byte) ([]byte, error) {
	if x.shape.Zero() {
		return correction, ctx.Err()
	}
	from, to := link.Pipe(x.shape)
	defer from.Close()
	defer to.Close()
	defer context.AfterFunc(ctx, func() { from.Close(); to.Close() })()
	go from.Write(correction)
	out := make([]byte, len(correction))
	if _, err := io.ReadFull(to, out); err != nil {
		return nil, errors.Join(context.Cause(ctx), err)
	}
	return out, nil
}

// header is a report without costs.
func (x *session) header() *profile.Report {
	r := &profile.Report{
		Tacet: version.Get().String(), Program: "psi", Protocol: x.Method.String(), Parties: x.Parties, Network: x.Network,
		Frames: []profile.Frame{{Outer: -1, Op: -1, Func: "main"}},
	}
	for _, p := range []*profile.Phase{&r.Setup, &r.Input, &r.Output} {
		p.BytesSent = make([]int64, 2)
	}
	r.Online.BytesSent, r.Online.Messages = make([]int64, 2), make([]int64, 2)
	for i, name := range x.names() {
		r.Ops = append(r.Ops, profile.Op{
			ID: i, Op: name, BytesSent: make([]int64, 2), Messages: make([]int64, 2),
			Predicted: profile.OpCost{BytesSent: make([]int64, 2), Messages: make([]int64, 2)},
		})
	}
	return r
}

// predict sets the costs of a dry run.
func (x *session) predict(r *profile.Report, plan *session) {
	p := &r.Predicted
	p.Offline.BytesSent = int64(plan.dealt())
	p.Online.BytesSent, p.Online.Messages = make([]int64, 2), make([]int64, 2)
	for rank := range plan.graphs {
		p.Online.BytesSent[rank], p.Online.Messages[rank] = plan.accounts[rank].Bytes.Load(), plan.accounts[rank].Messages.Load()
		p.Online.Rounds = max(p.Online.Rounds, plan.graphs[rank].Rounds())
		for i := range r.Ops {
			c, o := &plan.costs[rank][i], &r.Ops[i]
			o.Predicted.BytesSent[rank], o.Predicted.Messages[rank] = c.Bytes.Load(), c.Messages.Load()
			o.Predicted.Rounds = max(o.Predicted.Rounds, int(c.Rounds.Load()))
		}
	}
	r.Ops[opEncoding].Predicted.OfflineBytes = int64(plan.dealt())
}

// measure sets the costs of the run.
func (x *session) measure(r *profile.Report, seconds float64) {
	r.Online.Seconds = seconds
	r.Ops[opEncoding].OfflineBytes = r.Offline.BytesSent
	for rank := range x.graphs {
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
