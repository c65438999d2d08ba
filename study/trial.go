package study

import (
	"context"
	"fmt"
	"math"
	"reflect"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/protocols"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Trial is a program with its data and settings, which a Lab plans and runs with the protocol semi2k.
type Trial struct {
	Name   string          // name in errors
	Text   string          // the program as StableHLO text
	Owners []int           // by argument: rank of its owner, or party.Public
	Data   []*tensor.Array // by argument: its value
	Ring   int             // bits of the ring: 64 with 18 fraction bits, or 128 with 26
	// Fraction is the number of fraction bits; 0 for the one of the ring in Fractions.
	Fraction int
	Parties  int               // number of parties
	Set      map[string]string // options by name, as in job files
	// Networks are further networks for which plans predict times, spelled as in job files.
	Networks []string
}

// Fractions has the number of fraction bits of a Trial, by the number of bits of its ring.
var Fractions = map[int]int{64: 18, 128: 26}

// spec converts the trial for package party.
func (t *Trial) spec() (party.Spec, error) {
	p, err := hlo.Parse(t.Name, []byte(t.Text))
	if err != nil {
		return party.Spec{}, err
	}
	fraction := t.Fraction
	if fraction == 0 {
		fraction = Fractions[t.Ring]
	}
	s := party.Spec{Program: p, Protocol: protocols.Default, Ring: t.Ring, Fraction: fraction,
		Computing: t.Parties, Reveal: []int{0}, Network: "none", Set: t.Set}
	for i := range t.Parties {
		s.Parties = append(s.Parties, fmt.Sprintf("party%d", i))
	}
	for i, owner := range t.Owners {
		a := party.Arg{Owner: owner}
		if t.Data != nil {
			a.Data = t.Data[i]
		}
		s.Args = append(s.Args, a)
	}
	return s, nil
}

// Plan returns the report of a plan of the trial, with predicted times on all Networks
// and the trial's own.
func (l *Lab) Plan(ctx context.Context, t Trial) (*profile.Report, error) {
	s, err := t.spec()
	if err != nil {
		return nil, err
	}
	for i := range s.Args {
		if s.Args[i].Owner != party.Public {
			s.Args[i].Data = nil
		}
	}
	s.Machine = &l.Machine
	for _, n := range Networks {
		s.Networks = append(s.Networks, n.Name)
	}
	s.Networks = append(s.Networks, t.Networks...)
	r, err := party.Plan(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	return r, nil
}

// Online returns the predicted seconds of a plan's online phase on a network; NaN if the plan lacks the network.
func Online(r *profile.Report, network string) float64 {
	for _, n := range r.Plan.Networks {
		if n.Name == network {
			return n.Online
		}
	}
	return math.NaN()
}

// Run runs the trial so many times on a network, and returns the outcome with the shortest online phase. It
// returns an error if a run fails, or if its bytes or rounds differ from the prediction.
func (l *Lab) Run(ctx context.Context, t Trial, network string, times int) (*party.Outcome, error) {
	s, err := t.spec()
	if err != nil {
		return nil, err
	}
	s.Network = network
	var best *party.Outcome
	for range times {
		out, err := party.Run(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		r := out.Report
		if p := r.Predicted; !reflect.DeepEqual(p.Online.BytesSent, r.Online.BytesSent) || p.Online.Rounds != r.Online.Rounds ||
			p.Offline.BytesSent != r.Offline.BytesSent {
			return nil, fmt.Errorf("%s: predicted %+v, measured online %+v, offline %+v", t.Name, p, r.Online, r.Offline)
		}
		if best == nil || r.Online.Seconds < best.Report.Online.Seconds {
			best = out
		}
	}
	return best, nil
}

// Sum returns the sum of v, such as the bytes of all parties.
func Sum(v []int64) (sum int64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// EvalClear evaluates the program in cleartext, in its own types, and returns the results.
func (t *Trial) EvalClear(ctx context.Context) ([]*tensor.Array, error) {
	p, err := hlo.Parse(t.Name, []byte(t.Text))
	if err != nil {
		return nil, err
	}
	return eval.Func(ctx, p.Main, t.Data)
}
