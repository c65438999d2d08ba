package resume

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/checkpoint"
)

// Offer describes a checkpoint that a party has. It contains public facts only, and parties send it to each
// other as JSON.
type Offer struct {
	ID        string             // id of the checkpoint
	Loop      int                // number of the loop, from 0
	Iteration int                `json:"Turn"` // number of its iterations that are done
	Values    []checkpoint.Value // descriptions of the stored values
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

// Checkpoint returns the checkpoint that the party offers to resume from: its id and its program point. For a nil offer it
// returns the zero Checkpoint, which stands for the program's beginning.
func (o *Offer) Checkpoint() Checkpoint {
	if o == nil {
		return Checkpoint{}
	}
	return Checkpoint{ID: o.ID, Loop: o.Loop, Iteration: o.Iteration}
}

// Offers returns the checkpoints of the party of this rank, or an empty list if the plan has no folder of it.
// damaged has an error for each file that was ignored because it is damaged. err is not nil if checkpoints
// belong to another program, other settings or other inputs.
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

// Newest returns the newest checkpoint that all parties offer, by program point; nil if there is none. offers
// has the list of each party; there must be at least one.
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
