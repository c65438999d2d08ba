package policy

import (
	"slices"
	"time"
)

// Policy has the content of a policy file.
type Policy struct {
	SHA256 string   // hash of the file's text, in hexadecimal
	Party  string   // name of the party whose inputs the policy protects
	Admins []string // names that may list, approve, cancel and fetch everything at this node
	Rules  []Rule   // rules in the file's order; the first one that matches decides
	// AdminsMayAddRules says that an admin may add, over the control API, a rule that allows exactly one job again
	// (Narrow).
	AdminsMayAddRules bool
}

// Rule is one rule of a policy. The package documentation explains the fields, and what is allowed where the
// file leaves them out.
type Rule struct {
	Name       string     // name in messages and counts
	Submitters []string   // names of the submitters to whom the rule applies
	Programs   Names      // digests of program texts
	Tasks      Names      // kinds of tasks whose programs the node has built itself, besides Programs
	Columns    Names      // columns of this party's tables that tasks may use: ENTRY.COLUMN, ENTRY.*
	Exactly    []string   // digests of all that tasks say; nil: they may say anything else
	Joins      Names      // methods by which rows of several tables may meet: psi, hidden, stacked
	Keys       Names      // columns of this party's tables that may make keys of joins: ENTRY.COLUMN
	Protocols  Names      // names of protocols
	Parties    []string   // the job's parties in rank order; nil: any
	Computing  int        // number of computing parties; 0: any
	Arithmetic Arithmetic // rings, fraction bits and settings
	Arguments  Arguments  // owners of the program's arguments
	// State has, by argument, the results that replace it between a service's requests and are not revealed; nil: any or none.
	State  map[int]int
	Inputs Names // inputs of this party that may be used
	// Provides has, by input, the arguments that it may provide; an input that it does not list may provide any. It bounds
	// only what a submission says: the names of a file's arrays are its owner's choice.
	Provides map[string][]int
	Keep     Names // names under which results may be kept
	Kept     Names // kept results that may be used
	Reveal   Names // parties that may learn results
	Outputs  Names // types of results and of tensors revealed while the program runs
	Reveals  int   // maximum number of tensors revealed while the program runs, or AnyReveals
	Ranges   bool  // jobs may declare ranges of this party's inputs
	Describe bool  // submitters may learn the types and shapes of Inputs without a job
	Runs     int   // maximum total number of runs; 0: unlimited
	Rate     Rate  // maximum rate of runs
	// RefuseOwnerLocalControl refuses programs with a loop or branch whose condition depends on this
	// party's inputs alone.
	RefuseOwnerLocalControl bool
	Approve                 bool     // an admin must approve each job
	Fetch                   []string // names, besides admins, that may fetch results and reports
}

// Owners of arguments besides the parties, in Arguments.Owners and Submission.Owners.
const (
	Public = "public" // the submitter sends the argument's value to all nodes
	Kept   = "kept"   // the argument is a result that an earlier job has kept
	Joined = "joined" // the argument is made by the job's hidden join, as shares
)

// Arguments says who may own a program's arguments. If Any is set, there is no restriction. Otherwise Owners
// has, by argument, the names of the allowed owners. An argument that Owners does not list may be owned by any
// party or be a kept result, but not be public.
type Arguments struct {
	Any    bool             // there is no restriction
	Owners map[int][]string // names of the allowed owners, by argument, if Any is not set
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

// AnyReveals is the value of Rule.Reveals that allows a program to reveal any number of tensors while it runs.
const AnyReveals = -1

// Names is a set of allowed names. If Any is set, all names are allowed, otherwise those in List; the zero value
// allows none.
type Names struct {
	Any  bool     // all names are allowed
	List []string // the allowed names, if Any is not set
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

// Rate allows at most Runs runs to start within any interval of length Per. The zero value is no bound.
type Rate struct {
	Runs int           // maximum number of runs
	Per  time.Duration // length of the interval
}

// NamesSubmitter reports whether some rule lists name under submitters.
func (p *Policy) NamesSubmitter(name string) bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return slices.Contains(r.Submitters, name) })
}

// Submitters returns the number of names that rules list under submitters.
func (p *Policy) Submitters() int {
	names := map[string]bool{}
	for _, r := range p.Rules {
		for _, name := range r.Submitters {
			names[name] = true
		}
	}
	return len(names)
}

// MayDescribe reports whether name may learn the types and shapes of the arrays in an input of this party: admins may,
// and submitters of a rule that lists the input and has describe.
func (p *Policy) MayDescribe(name, input string) bool {
	return p.IsAdmin(name) || slices.ContainsFunc(p.Rules, func(r Rule) bool {
		_, forbidden := r.Inputs.firstForbidden([]string{input})
		return r.Describe && slices.Contains(r.Submitters, name) && !forbidden
	})
}

// RefusesOwnerLocalControl reports whether some rule has owner_local_control: refuse.
func (p *Policy) RefusesOwnerLocalControl() bool {
	return slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.RefuseOwnerLocalControl })
}

// Identities returns all identities that the policy names as admins, submitters or for fetch, as TLS spells them
// (NAME@ORGANISATION, or NAME): each once, sorted.
func (p *Policy) Identities() []string {
	all := slices.Clone(p.Admins)
	for _, r := range p.Rules {
		all = slices.Concat(all, r.Submitters, r.Fetch)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// IsAdmin reports whether name is one of the policy's admins.
func (p *Policy) IsAdmin(name string) bool { return slices.Contains(p.Admins, name) }
