package party

import (
	"fmt"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/version"
)

// DefaultPairAge is the age from which what a pair of parties has kept is not used any more.
const DefaultPairAge = 24 * time.Hour

// pairTerm is the name of the term that tells what pairs of parties keep from correlations for one program; its value is
// the format.
const pairTerm = "pair state"

// keepsPairState reports whether the party keeps something from one session to the next.
func (s *session) keepsPairState() bool {
	between := s.spec.Descriptor().Between
	return s.spec.PairState != "" && between != nil && between.Keep != nil && s.computes()
}

// pairStore is where the party keeps something from one session to the next; nil if it does not.
func (s *session) pairStore() *offline.PairStore {
	if !s.keepsPairState() {
		return nil
	}
	age := s.spec.PairAge
	if age == 0 {
		age = DefaultPairAge
	}
	computing := s.spec.Parties[:s.spec.online()]
	return &offline.PairStore{
		Store: offline.Store{
			Path: s.spec.PairState, Party: s.spec.Parties[s.rank], Notice: s.spec.notice, Memory: s.spec.StoreMemory,
		},
		Rank: s.rank, Parties: computing, Keeping: s.spec.Descriptor().Between.Keep, Age: age,
		Terms: map[string]string{
			pairTerm: "1", versionTerm: version.Since, "protocol": s.spec.Protocol, "parties": fmt.Sprintf("%q", computing),
		},
	}
}

// madeStore is where the party takes sessions from that were made ahead of time, without terms; nil if it takes none from
// a store.
func (s *session) madeStore() *offline.PairStore {
	between := s.spec.Descriptor().Between
	if s.spec.Store == "" || between == nil || between.Keep == nil || !s.computes() {
		return nil
	}
	return &offline.PairStore{Store: s.store(), Rank: s.rank, Parties: s.spec.Parties, Keeping: between.Keep}
}

// offersNothing reports whether a party takes no part in the choice of a session: it does not compute, and the others
// make their correlations between them.
func (s *session) offersNothing(rank int) bool {
	return s.spec.Descriptor().Supply == protocol.BetweenParties && rank >= s.spec.online()
}

// prunePairState removes what this party has kept and the other computing parties have not, once all have said what they
// could use, and returns the sessions among which the first party chooses.
func (s *session) prunePairState(offered, common []string) ([]string, error) {
	k := s.pairStore()
	if k == nil {
		return common, nil
	}
	if s.keepsAlone { // nothing is left over for a later session
		if err := s.predictKept(nil); err != nil {
			return nil, err
		}
	}
	if s.keepsAlone || s.witness != nil && s.witness.peerOlder {
		common = slices.DeleteFunc(slices.Clone(common), func(text string) bool { // the session makes new keys
			id, err := correlation.ParseSessionID(text)
			return err == nil && k.Has(id)
		})
	}
	return common, k.Prune(sessionIDs(offered), sessionIDs(common))
}

// pairStateText says for reports whether the session began with something that was kept, and what it was; "" if nothing is
// ever kept.
func (s *session) pairStateText() string {
	switch {
	case !s.keepsPairState() || s.madeAhead:
		return ""
	case s.keepsAlone:
		return "cold: another party keeps nothing"
	case s.kept == nil:
		return "cold"
	}
	return "warm: " + s.kept.String()
}

// sessionIDs reads ids that this process has written.
func sessionIDs(texts []string) (out []correlation.SessionID) {
	for _, text := range texts {
		if id, err := correlation.ParseSessionID(text); err == nil {
			out = append(out, id)
		}
	}
	return out
}

// predictKept predicts the offline phase anew, of a session that begins with what was kept.
func (s *session) predictKept(kept protocol.Kept) error {
	s.kept = kept
	c := s.config(nil)
	c.Demand = s.plan.demand
	return s.predictOffline(s.plan, c)
}

// planKept sets what each party of this process has kept for the next session, for a plan. If all of them are here, only a
// session that all have kept counts.
func (l *execution) planKept() {
	var common []correlation.SessionID
	first := true
	for _, x := range l.sessions {
		k := x.pairStore()
		if k == nil {
			continue
		}
		x.offers = k.Offered()
		if first {
			common, first = x.offers, false
			continue
		}
		common = slices.DeleteFunc(slices.Clone(common), func(id correlation.SessionID) bool { return !slices.Contains(x.offers, id) })
	}
	if len(common) == 0 {
		return
	}
	for _, x := range l.sessions {
		if k := x.pairStore(); k != nil {
			x.kept, _ = k.Peek(common[0])
		}
	}
}
