package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Submission is what is judged of a job.
type Submission struct {
	By      string   // the submitter's name, from its certificate
	Program string   // the digest of the program's text
	Inputs  []string // the names of this party's inputs that the job uses
	Keep    []string // the name under which results are kept, if they are
	Kept    []string // the names of what is used that earlier jobs have kept
	Learn   []string // all parties that learn results
	Ranges  bool     // ranges of this party's inputs are declared
	Reveals int      // tensors that the program reveals on its way
	// OwnControl is the first loop or branch of the program on which this party's
	// inputs alone decide, and its place; "" if there is none.
	OwnControl string
	Now        time.Time
}

// Verdict is what is to be done with a submission. What nobody decided is
// denied.
type Verdict int

// The verdicts, from least to most.
const (
	Denied Verdict = iota
	NeedsApproval
	Allowed
)

func (v Verdict) String() string { return [...]string{"denied", "needs approval", "allowed"}[v] }

// Decision is a verdict and why.
type Decision struct {
	Verdict Verdict
	Rule    string   // the rule that let it in, "" where denied
	Reason  string   // where denied: each rule for the submitter, and its first field that forbids
	Fetch   []string // who, beside admins, may fetch results and reports
}

// judge finds the first rule that fits. used is what was counted so far.
func (p *Policy) judge(s Submission, used map[string]*count) Decision {
	var reasons []string
	for _, r := range p.Rules {
		why := r.forbids(s, used[r.Name])
		switch {
		case why == "":
			d := Decision{Verdict: Allowed, Rule: r.Name, Fetch: r.Fetch}
			if r.Approve {
				d.Verdict = NeedsApproval
			}
			return d
		case slices.Contains(r.Submitters, s.By): // others' rules are none of the submitter's business
			reasons = append(reasons, fmt.Sprintf("rule %q: %s", r.Name, why))
		}
	}
	if reasons == nil {
		return Decision{Reason: fmt.Sprintf("no rule names %s among its submitters", s.By)}
	}
	return Decision{Reason: strings.Join(reasons, "; ")}
}

// forbids names the rule's first field that does not fit, and says why.
func (r *Rule) forbids(s Submission, used *count) string {
	if !slices.Contains(r.Submitters, s.By) {
		return fmt.Sprintf("submitters: %s is not among them", s.By)
	}
	if r.Programs != nil && !slices.Contains(r.Programs, s.Program) {
		return fmt.Sprintf("programs: %s is not among them", s.Program)
	}
	if name, ok := r.Inputs.missing(s.Inputs); ok {
		return fmt.Sprintf("inputs: %q is not among them", name)
	}
	if name, ok := r.Keep.missing(s.Keep); ok {
		return fmt.Sprintf("keep: results may not be kept as %q", name)
	}
	if name, ok := r.Kept.missing(s.Kept); ok {
		return fmt.Sprintf("kept: %q is not among them", name)
	}
	if name, ok := r.Reveal.missing(s.Learn); ok {
		return fmt.Sprintf("reveal: %s may not learn results", name)
	}
	if s.Reveals < 0 || r.Reveals != AnyReveals && s.Reveals > r.Reveals {
		return fmt.Sprintf("reveals: the program may reveal %d tensors on its way, %d are allowed", s.Reveals, r.Reveals)
	}
	if r.RefuseOwnControl && s.OwnControl != "" {
		return fmt.Sprintf("own_control: this party's inputs alone decide on %s, so how long that takes tells of them "+
			"(give the loop a public number of iterations; in place of a branch choose between both results with stablehlo.select)", s.OwnControl)
	}
	if s.Ranges && !r.Ranges {
		return "ranges: jobs may not declare ranges of inputs, since that they are refused or not says where values lie"
	}
	if r.Runs > 0 && used.runs() >= r.Runs {
		return fmt.Sprintf("runs: all %d are used up", r.Runs)
	}
	if r.Rate.Runs > 0 && used.within(r.Rate.Per, s.Now) >= r.Rate.Runs {
		return fmt.Sprintf("rate: %d have started within %s", r.Rate.Runs, perName(r.Rate.Per))
	}
	return ""
}
