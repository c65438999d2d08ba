package policy

import (
	"slices"
	"time"
)

// Policy is the content of a policy file.
type Policy struct {
	SHA256 string   // of the file's text, hexadecimal
	Party  string   // name of the party that owns the inputs
	Admins []string // names that may list, approve, cancel and fetch everything
	Rules  []Rule
}

// Rule is one rule of a policy.
type Rule struct {
	Name       string
	Submitters []string
	Programs   Names // digests of programs
	Protocols  Names
	Parties    []string // the job's parties in rank order; nil: any
	Computing  int      // number of computing parties; 0: any
	Arithmetic Arithmetic
	Arguments  Arguments
	Inputs     Names // inputs of this party that may be used
	Keep       Names // names under which results may be kept
	Kept       Names // kept results that may be used
	Reveal     Names // parties that may learn results
	Outputs    Names // types of results and of tensors revealed while the program runs
	Reveals    int   // maximum number of tensors revealed while the program runs, or AnyReveals
	Ranges     bool  // jobs may declare ranges of this party's inputs
	Runs       int   // maximum total number of runs; 0: unlimited
	Rate       Rate
	// RefuseOwnerLocalControl refuses programs with a loop or branch whose condition depends on this
	// party's inputs alone.
	RefuseOwnerLocalControl bool
	Approve                 bool     // an admin must approve each job
	Fetch                   []string // names, besides admins, that may fetch results and reports
}

// Public and Kept are owners of arguments besides the parties: the submitter, who sends public inputs to
// all nodes, and a result that an earlier job has kept.
const (
	Public = "public"
	Kept   = "kept"
)

// Arguments says who may own a program's arguments: anybody (Any), or for each listed argument the names
// in Owners, and for any other argument any party and kept results.
type Arguments struct {
	Any    bool
	Owners map[int][]string
}

// forbidden returns the first argument whose owner a does not allow; owners holds the owners by argument,
// "" where they are not known yet.
func (a Arguments) forbidden(owners []string) (arg int, ok bool) {
	if a.Any {
		return 0, false
	}
	for i, owner := range owners {
		allowed, listed := a.Owners[i]
		switch {
		case owner == "":
		case listed && !slices.Contains(allowed, owner), !listed && owner == Public:
			return i, true
		}
	}
	return 0, false
}

// AnyReveals allows any number of tensors to be revealed while the program runs.
const AnyReveals = -1

// Names is a set of allowed names: any, or those in List.
type Names struct {
	Any  bool
	List []string
}

// firstForbidden returns the first of names that n does not allow; false if it allows all.
func (n Names) firstForbidden(names []string) (string, bool) {
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

// Rate bounds the runs that may start within any interval of length Per; the zero value is no bound.
type Rate struct {
	Runs int
	Per  time.Duration
}

// NamesSubmitter reports whether a rule lists the name under submitters.
func (p *Policy) NamesSubmitter(name string) bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return slices.Contains(r.Submitters, name) })
}

// RefusesOwnerLocalControl reports whether a rule sets owner_local_control: refuse.
func (p *Policy) RefusesOwnerLocalControl() bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.RefuseOwnerLocalControl })
}

// Identities returns the identities that the policy names, as TLS spells them (NAME@ORGANISATION, or
// NAME), each once.
func (p *Policy) Identities() []string {
	all := slices.Clone(p.Admins)
	for _, r := range p.Rules {
		all = slices.Concat(all, r.Submitters, r.Fetch)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// IsAdmin reports whether the name is one of the policy's admins.
func (p *Policy) IsAdmin(name string) bool { return slices.Contains(p.Admins, name) }
