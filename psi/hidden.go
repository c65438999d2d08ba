package psi

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/ring"
)

// MaxJoined is the largest number of rows of a party of a hidden join.
const MaxJoined = 1 << 21

// Hidden describes a hidden join (package comment). Party Keeper keeps its rows and their order. The other party's columns
// come to these rows as shares.
type Hidden struct {
	Parties []string // two names
	Keeper  int      // rank
	Keys    [][]Key  // by party, distinct; a row that matches none has a random one. Only their numbers count in a plan
	Ring    int      // bits of the ring of shares
	// Columns are those of the party that is not Keeper, one element for each of its rows, over Z_2^Ring. A plan needs their
	// number only: of nil, Width.
	Columns []ring.Vec
	Width   int
	One     int64  // the weight of a row that matches; that of other rows is 0
	Network string // link between the parties and from a dealer; "" or none: messages are not slowed down
	// Both says that the other party's rows get weights too, as a full outer join needs. The protocol then runs a second time, with fresh
	// randomness: the other party keeps its rows, and no columns move.
	Both bool
}

// HiddenOutcome is the result of RunHidden. Shares[p] are party p's additive shares of the weights of the keeper's rows, and of
// the columns in the order of these rows: zeros where no row matches.
type HiddenOutcome struct {
	Shares [2][]ring.Vec
	// Matched, with Hidden.Both, are the shares of the weights of the other party's rows: One for a row that matches one of the keeper's.
	Matched [2]ring.Vec
	Report  *profile.Report
}

// inTurn runs join, and with Both a second time in the other direction.
func (s Hidden) inTurn(join func(s Hidden, second bool) (*HiddenOutcome, error)) (*HiddenOutcome, error) {
	both := s.Both
	s.Both = false
	out, err := join(s, false)
	if err != nil || !both {
		return out, err
	}
	s.Keeper, s.Columns, s.Width = 1-s.Keeper, []ring.Vec{}, 0
	back, err := join(s, true)
	if err != nil {
		return nil, err
	}
	for rank, shares := range back.Shares {
		if len(shares) > 0 { // of this process
			out.Matched[rank] = shares[0]
		}
	}
	addReport(out.Report, back.Report)
	return out, nil
}

// addReport adds the costs of a second join to those of a first. Slices are made anew, since reports of plans share them.
func addReport(r, second *profile.Report) {
	add := func(to *[]int64, by []int64) {
		sum := make([]int64, len(*to))
		for i, x := range *to {
			sum[i] = x + by[i]
		}
		*to = sum
	}
	on, by := &r.Online, &second.Online
	on.Seconds, on.Rounds = on.Seconds+by.Seconds, on.Rounds+by.Rounds
	add(&on.BytesSent, by.BytesSent)
	add(&on.Messages, by.Messages)
	r.Offline.Seconds += second.Offline.Seconds
	r.Offline.BytesSent += second.Offline.BytesSent
	r.Offline.Rounds += second.Offline.Rounds
	p, q := &r.Predicted, &second.Predicted
	p.Offline.BytesSent += q.Offline.BytesSent
	p.Online.Rounds += q.Online.Rounds
	add(&p.Online.BytesSent, q.Online.BytesSent)
	add(&p.Online.Messages, q.Online.Messages)
	for i := range r.Ops {
		o, by := &r.Ops[i], &second.Ops[i]
		o.Calls, o.Seconds, o.Rounds, o.OfflineBytes = o.Calls+by.Calls, o.Seconds+by.Seconds, o.Rounds+by.Rounds, o.OfflineBytes+by.OfflineBytes
		add(&o.BytesSent, by.BytesSent)
		add(&o.Messages, by.Messages)
		p, q := &o.Predicted, &by.Predicted
		p.Rounds, p.OfflineBytes = p.Rounds+q.Rounds, p.OfflineBytes+q.OfflineBytes
		add(&p.BytesSent, q.BytesSent)
		add(&p.Messages, q.Messages)
	}
}

// HiddenFailureBits returns λ such that a hidden join of tables with the given numbers of rows ends with an error or has a
// wrong row with probability 2^-λ at most.
func HiddenFailureBits(keeper, other int) float64 { return -math.Log2(failure(keeper, other)) }

// OuterFailureBits is HiddenFailureBits with Hidden.Both.
func OuterFailureBits(keeper, other int) float64 {
	return -math.Log2(failure(keeper, other) + failure(other, keeper))
}

// failure is the probability of HiddenFailureBits.
func failure(keeper, other int) float64 {
	l := newHiddenLengths(keeper, other)
	p := math.Exp2(-44) + math.Exp2(-FailureBits(l.slots)) + math.Exp2(-FailureBits(choices*other))
	return p + float64(l.slots+choices*other)*math.Exp2(-64)
}

// hiddenLengths are the sizes of a hidden join.
type hiddenLengths struct {
	keeper, other int // numbers of rows
	part          int // slots of a part of the cuckoo table
	slots         int // m
	places        int // N: rows of the other party, and one of zeros for each slot
	hints         int // entries of the OKVS of hints
}

func newHiddenLengths(keeper, other int) hiddenLengths {
	l := hiddenLengths{keeper: keeper, other: other, part: cuckooSlots(keeper)}
	l.slots = choices * l.part
	l.places, l.hints = other+l.slots, entries(choices*other)
	return l
}

// The operations of a hidden join. The first two are those of VOLE.
const (
	opHints = iota + opEncoding + 1
	opEqual
	opPlaces
	opOrder
	opRows
)

var hiddenNames = []string{"join.seed", "join.encoding", "join.hints", "join.equal", "join.places", "join.order", "join.rows"}

// hiddenSession is a hidden join that is run or planned.
type hiddenSession struct {
	Hidden
	*runner
	hiddenLengths
	sides   [2]*hiddenSide
	results [2][]*flow.Future[ring.Vec]
}

func newHidden(s Hidden, counts [2]int) (*hiddenSession, error) {
	r, err := newRunner(s.Parties, s.Network, "hidden", hiddenNames)
	if err != nil {
		return nil, err
	}
	for i, n := range counts {
		if err := check(s.Parties[i], n, MaxJoined); err != nil {
			return nil, err
		}
	}
	if s.Keeper != 0 && s.Keeper != 1 {
		return nil, fmt.Errorf("psi: no party has the rank %d", s.Keeper)
	}
	if s.Ring != 64 && s.Ring != 128 {
		return nil, fmt.Errorf("psi: shares over a ring of %d bits, want 64 or 128", s.Ring)
	}
	x := &hiddenSession{Hidden: s, runner: r, hiddenLengths: newHiddenLengths(counts[s.Keeper], counts[1-s.Keeper])}
	if s.Columns != nil {
		x.Width = len(s.Columns)
	}
	for i, c := range s.Columns {
		if c.Len() != x.other || c.Ring() != ring.Z(s.Ring) {
			return nil, fmt.Errorf("psi: column %d has %d elements of %v, want %d of %v", i, c.Len(), c.Ring(), x.other, ring.Z(s.Ring))
		}
	}
	x.manifest = &correlation.Manifest{Requests: []*correlation.Request{lengths{entries: entries(x.slots)}.vole(), x.hidden()}}
	x.dealtFor, x.dealtAt = []int{opEncoding, opEqual}, 1-s.Keeper
	return x, nil
}

// hiddenID is the request for all but the VOLE of a hidden join in a manifest.
const hiddenID correlation.ID = 2

// hidden returns that request.
func (x *hiddenSession) hidden() *correlation.Request {
	l := joins.Sizes{Slots: x.slots, Places: x.places, Keeper: x.keeper, Columns: 1 + x.Width}
	return &correlation.Request{
		ID: hiddenID, Kind: correlation.HiddenJoin, Out: ring.Z(x.Ring), N: l.Keeper * l.Columns, Join: l, Op: "join.equal",
	}
}

// build adds both parties' steps to their graphs.
func (x *hiddenSession) build() {
	for rank := range x.graphs {
		x.buildAt(rank)
	}
}

// buildAt adds a party's steps to its graph.
func (x *hiddenSession) buildAt(rank int) {
	s := x.sides[rank]
	s.hiddenLengths, s.peer, s.name = x.hiddenLengths, x.ranks[1-rank], x.Parties[1-rank]
	s.base = x.base
	s.lengths = lengths{receiver: x.slots, sender: choices * x.other, entries: entries(x.slots), value: padBytes}
	s.ring, s.width, s.one = ring.Z(x.Ring), 1+x.Width, x.One
	s.begin(x.graphs[rank], x.names, x.costs[rank])
	if rank == x.Keeper {
		x.results[rank] = s.keep()
	} else {
		x.results[rank] = s.give(x.Columns)
	}
}

// PlanHidden returns the report of a hidden join of tables with the given numbers of rows, with predicted costs.
func PlanHidden(s Hidden, counts [2]int) (*profile.Report, error) {
	out, err := s.inTurn(func(s Hidden, _ bool) (*HiddenOutcome, error) {
		r, err := planHidden(s, counts)
		return &HiddenOutcome{Report: r}, err
	})
	if err != nil {
		return nil, err
	}
	return out.Report, nil
}

// planHidden is PlanHidden in one direction.
func planHidden(s Hidden, counts [2]int) (*profile.Report, error) {
	s.Width = max(s.Width, len(s.Columns))
	s.Columns = nil
	x, err := newHidden(s, counts)
	if err != nil {
		return nil, err
	}
	x.sides = [2]*hiddenSide{{}, {}}
	return x.plan(x.build)
}

// RunHidden joins in this process, which has the data of both parties and is the dealer. When ctx ends, RunHidden returns its
// error.
func RunHidden(ctx context.Context, s Hidden) (*HiddenOutcome, error) {
	return s.inTurn(func(s Hidden, _ bool) (*HiddenOutcome, error) { return runHidden(ctx, s) })
}

// runHidden is RunHidden in one direction.
func runHidden(ctx context.Context, s Hidden) (*HiddenOutcome, error) {
	if len(s.Keys) != 2 {
		return nil, errors.New("psi: want the keys of two parties")
	}
	if s.Columns == nil {
		s.Columns = []ring.Vec{}
	}
	counts := [2]int{len(s.Keys[0]), len(s.Keys[1])}
	planned, err := planHidden(s, counts)
	if err != nil {
		return nil, err
	}
	x, err := newHidden(s, counts)
	if err != nil {
		return nil, err
	}
	for rank := range x.sides {
		x.sides[rank] = &hiddenSide{side: side{keys: s.Keys[rank]}}
	}
	r, err := x.run(ctx, planned, [2]dealtTo{x.sides[0], x.sides[1]}, x.build)
	if err != nil {
		return nil, err
	}
	out := &HiddenOutcome{Report: r}
	for rank, columns := range x.results {
		for _, c := range columns {
			out.Shares[rank] = append(out.Shares[rank], c.Get())
		}
	}
	return out, nil
}
