package policy

import (
	"slices"
	"time"
)

// Policy is what a policy file says.
type Policy struct {
	SHA256 string   // of the file's text
	Party  string   // whose inputs it is about
	Admins []string // may list, approve, cancel and fetch everything
	Rules  []Rule
}

// Rule is one thing that is allowed.
type Rule struct {
	Name       string
	Submitters []string
	Programs   []string // digests; nil for any program
	Inputs     Names    // this party's inputs that may be used
	Keep       Names    // under which results may be kept
	Kept       Names    // of results that jobs have kept, those that may be used
	Reveal     Names    // parties that may learn results
	Reveals    int      // tensors revealed on the way, or AnyReveals
	Ranges     bool     // jobs may declare ranges of this party's inputs
	Runs       int      // in all; 0 for no bound
	Rate       Rate
	// RefuseOwnControl refuses programs in which this party's inputs alone decide on
	// a loop or a branch.
	RefuseOwnControl bool
	Approve          bool     // an admin must approve each job
	Fetch            []string // who, beside admins, may fetch results and reports
}

// AnyReveals allows any number of tensors to be revealed on the way.
const AnyReveals = -1

// Names are those that a rule allows.
type Names struct {
	Any  bool
	List []string
}

// missing is the first of names that is not allowed.
func (n Names) missing(names []string) (string, bool) {
	if n.Any {
		return "", false
	}
	for _, name := range names {
		if !slices.Contains(n.List, name) {
			return name, true
		}
	}
	return "", false
}

// Rate is how many runs may start within any stretch of time of this length;
// the zero value is no bound.
type Rate struct {
	Runs int
	Per  time.Duration
}

// Names says whether a rule has the name among its submitters.
func (p *Policy) Names(name string) bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return slices.Contains(r.Submitters, name) })
}

// RefusesOwnControl says whether any rule does.
func (p *Policy) RefusesOwnControl() bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.RefuseOwnControl })
}

// Admin says whether the name is one of the policy's admins.
func (p *Policy) Admin(name string) bool { return slices.Contains(p.Admins, name) }
