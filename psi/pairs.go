package psi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
)

// Pairs are intersections of the keys of one party, the hub, with those of each other party: one after the other, in rank order. No two of
// them have a seed, a correlation or a random order in common. The hub learns which of its keys each other party has, and each other
// party which of its keys the hub has; all parties learn how many.
type Pairs struct {
	Method  Method
	Parties []string // by rank
	Hub     int      // rank
	Network string   // as in Spec
}

// PairsOutcome is the result of Pairs, by rank of the party that is not the hub. Entries of the hub's rank are 0 and nil.
type PairsOutcome struct {
	Matches []int // numbers of common keys
	// Rows[p] are the rows of p and of the hub that have the same keys, as in Outcome, without those of parties in other processes.
	Rows    [][2][]int
	Reports []*profile.Report // at a seat, plans of the intersections of other parties
}

// Others returns the ranks of all parties but the hub.
func (p Pairs) Others() []int {
	var out []int
	for rank := range p.Parties {
		if rank != p.Hub {
			out = append(out, rank)
		}
	}
	return out
}

// spec returns the intersection of a party's keys with those of the hub.
func (p Pairs) spec(other int) Spec {
	return Spec{Method: p.Method, Parties: []string{p.Parties[other], p.Parties[p.Hub]}, Network: p.Network}
}

// Plan returns the plans of the intersections for parties with these numbers of keys, by rank.
func (p Pairs) Plan(counts []int) (*PairsOutcome, error) {
	out := p.outcome()
	for _, other := range p.Others() {
		var err error
		if out.Reports[other], err = Plan(p.spec(other), [2]int{counts[other], counts[p.Hub]}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p Pairs) outcome() *PairsOutcome {
	n := len(p.Parties)
	return &PairsOutcome{Matches: make([]int, n), Rows: make([][2][]int, n), Reports: make([]*profile.Report, n)}
}

// Run computes the intersections in this process, which has the keys of all parties, by rank.
func (p Pairs) Run(ctx context.Context, keys [][]Key) (*PairsOutcome, error) {
	out := p.outcome()
	for _, other := range p.Others() {
		s := p.spec(other)
		s.Keys = [][]Key{keys[other], keys[p.Hub]}
		found, err := Run(ctx, s)
		if err != nil {
			return nil, err
		}
		out.Matches[other], out.Rows[other], out.Reports[other] = len(found.Rows[0]), found.Rows, found.Report
	}
	return out, nil
}

// Join runs one party's side of its intersections: with the hub, or at the hub with each other party. counts are the numbers of keys by
// rank; keys are this party's. seat.Rank is the rank on the link of all parties. begin is told the other party's rank before each
// intersection of this party, and matched how many keys match as soon as that is known; their errors end the join. In the end the hub tells
// all parties how many keys of each match.
func (p Pairs) Join(
	ctx context.Context, keys []Key, counts []int, seat Seat, begin func(other int) error, matched func(other, keys int) error,
) (*PairsOutcome, error) {
	if len(counts) != len(p.Parties) || seat.Link.Size() != len(p.Parties) || seat.Ranks != nil {
		return nil, errors.New("psi: want a link of all parties, and their numbers of keys")
	}
	out, err := p.Plan(counts)
	if err != nil {
		return nil, err
	}
	for _, r := range out.Reports {
		if r != nil {
			r.Plan = nil // it stands for the report of a run
		}
	}
	self := seat.Rank
	for _, other := range p.Others() {
		if self != other && self != p.Hub {
			continue
		}
		if err := begin(other); err != nil {
			return nil, err
		}
		s, at := p.spec(other), seat
		at.Ranks, at.Rank, s.Keys = []int{other, p.Hub}, 0, [][]Key{keys, nil}
		if self == p.Hub {
			at.Rank, s.Keys = 1, [][]Key{nil, keys}
		}
		found, err := Join(ctx, s, [2]int{counts[other], counts[p.Hub]}, at)
		if err != nil {
			return nil, err
		}
		out.Matches[other], out.Rows[other], out.Reports[other] = len(found.Rows[at.Rank]), found.Rows, found.Report
		if err := matched(other, out.Matches[other]); err != nil {
			return nil, err
		}
	}
	return out, p.tellMatches(ctx, out.Matches, counts, seat)
}

// matchesKey is the key of the message with the numbers of matches.
var matchesKey = link.Key{Phase: link.Setup, Op: firstOp + 2}

// tellMatches sends the numbers of matches from the hub to all other parties, where it completes them.
func (p Pairs) tellMatches(ctx context.Context, matches, counts []int, seat Seat) error {
	if seat.Rank == p.Hub {
		text, err := json.Marshal(matches)
		if err != nil {
			return err
		}
		for _, other := range p.Others() {
			seat.Link.Send(other, matchesKey, 0, text)
		}
		return nil
	}
	type answer struct {
		data []byte
		err  error
	}
	got := make(chan answer, 1)
	seat.Link.Await(p.Hub, matchesKey, func(m link.Message, err error) { got <- answer{m.Data, err} })
	var all []int
	select {
	case a := <-got:
		if a.err != nil {
			return a.err
		}
		if err := json.Unmarshal(a.data, &all); err != nil || len(all) != len(matches) {
			return fmt.Errorf("psi: %s sent no numbers of matches", p.Parties[p.Hub])
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for other, n := range all {
		if most := min(counts[other], counts[p.Hub]); other == p.Hub && n != 0 || n < 0 || n > most {
			return fmt.Errorf("psi: %s says that %d of %d keys of %s match", p.Parties[p.Hub], n, most, p.Parties[other])
		}
	}
	if n, own := all[seat.Rank], matches[seat.Rank]; n != own {
		return fmt.Errorf("psi: %s says that %d keys match, and here it is %d", p.Parties[p.Hub], n, own)
	}
	copy(matches, all)
	return nil
}

// Chain returns the reports as one: that of the last intersection, whose Join is that of the one before, and so on; nil without any.
func (o *PairsOutcome) Chain() *profile.Report {
	var out *profile.Report
	for _, r := range slices.DeleteFunc(slices.Clone(o.Reports), func(r *profile.Report) bool { return r == nil }) {
		r.Join, out = out, r
	}
	return out
}
