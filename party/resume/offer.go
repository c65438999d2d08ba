package resume

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/checkpoint"
)

// Offer describes a checkpoint that a party has. It is public, and parties send it as JSON.
type Offer struct {
	ID        string
	Loop      int
	Iteration int `json:"Turn"`
	Values    []checkpoint.Value
}

// before orders checkpoints by place in the program, and those of one place by id.
func (o *Offer) before(p *Offer) bool {
	if o.Loop != p.Loop {
		return o.Loop < p.Loop
	}
	if o.Iteration != p.Iteration {
		return o.Iteration < p.Iteration
	}
	return o.ID < p.ID
}

// Checkpoint describes the offer; a nil offer is the program's beginning.
func (o *Offer) Checkpoint() Checkpoint {
	if o == nil {
		return Checkpoint{}
	}
	return Checkpoint{ID: o.ID, Loop: o.Loop, Iteration: o.Iteration}
}

// Offers lists the checkpoints of a party in this process; none if it holds no shares. damaged are
// the errors of files that are ignored. Checkpoints that do not fit the run are an error.
func (p *Plan) Offers(rank int) (offers []Offer, damaged []error, err error) {
	offers = []Offer{}
	f := p.folders[rank]
	if f == nil {
		return offers, nil, nil
	}
	headers, damaged, err := f.List()
	if err != nil {
		return nil, damaged, err
	}
	fits := p.requirements(rank)
	for _, h := range headers {
		if in := differs(h.Requirements, fits); in != "" {
			return nil, damaged, fmt.Errorf("party: the checkpoints of %s do not fit this run, which differs in %s "+
				"(repeat the run unchanged, or start it from its beginning)", p.parties[rank], in)
		}
		offers = append(offers, Offer{h.ID, h.Loop, h.Iteration, h.Values})
	}
	return offers, damaged, nil
}

// Newest returns the newest checkpoint that all parties offer; nil if there is none.
func Newest(offers [][]Offer) *Offer {
	var newest *Offer
	for i, o := range offers[0] {
		lacks := func(all []Offer) bool {
			return !slices.ContainsFunc(all, func(p Offer) bool { return reflect.DeepEqual(o, p) })
		}
		if !slices.ContainsFunc(offers, lacks) && (newest == nil || newest.before(&o)) {
			newest = &offers[0][i]
		}
	}
	return newest
}

// differs describes the first term in which two sets of terms differ, with both values; "" if there
// is none. Of the values of owners' arguments it gives the term's name only, not even hashes, since
// other parties read the message.
func differs(there, here map[string]string) string {
	all := maps.Clone(there)
	maps.Copy(all, here)
	for _, term := range slices.Sorted(maps.Keys(all)) {
		switch {
		case there[term] == here[term]:
		case strings.HasPrefix(term, ownValuesTerm):
			return term
		default:
			return fmt.Sprintf("%s: %.80q in the checkpoint, %.80q in this run", term, there[term], here[term])
		}
	}
	return ""
}
