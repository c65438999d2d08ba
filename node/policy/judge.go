package policy

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Submission holds the facts of a job that rules refer to.
type Submission struct {
	By      string   // submitter's name, from its certificate
	Program string   // digest of the program's text
	Inputs  []string // names of this party's inputs that the job uses
	Keep    []string // name under which results are kept; empty: not kept
	Kept    []string // names of the kept results that the job uses
	Learn   []string // all parties that learn results
	Ranges  bool     // the job declares ranges of this party's inputs
	Reveals int      // number of tensors that the program may reveal while it runs
	// OwnerLocalControl is the program's first loop or branch whose condition depends on this party's
	// inputs alone, with its position; "" if there is none.
	OwnerLocalControl string
	Now               time.Time
}

// Verdict is the outcome of judging a submission. The zero value is Denied.
type Verdict int

// The verdicts, in ascending order of permission.
const (
	Denied Verdict = iota
	NeedsApproval
	Allowed
)

func (v Verdict) String() string { return [...]string{"denied", "needs approval", "allowed"}[v] }

// Decision is a verdict with its reason.
type Decision struct {
	Verdict Verdict
	Rule    string   // name of the rule that matched; "" if denied
	Reason  string   // if denied: for each rule that lists the submitter, the first field that does not match
	Fetch   []string // names, besides admins, that may fetch results and reports
}

// judge returns the decision of the first rule that matches s. used holds the counts so far, by rule
// name.
func (p *Policy) judge(s Submission, used map[string]*count) Decision {
	var reasons []string
	for _, r := range p.Rules {
		why := r.mismatch(s, used[r.Name])
		switch {
		case why == "":
			d := Decision{Verdict: Allowed, Rule: r.Name, Fetch: r.Fetch}
			if r.Approve {
				d.Verdict = NeedsApproval
			}
			return d
		case slices.Contains(r.Submitters, s.By): // rules for other submitters are not disclosed
			reasons = append(reasons, fmt.Sprintf("rule %q: %s", r.Name, why))
		}
	}
	if reasons == nil {
		return Decision{Reason: fmt.Sprintf("no rule names %s among its submitters", s.By)}
	}
	return Decision{Reason: strings.Join(reasons, "; ")}
}

// mismatch returns the first field of the rule that does not match s, with the reason; "" if the rule
// matches.
func (r *Rule) mismatch(s Submission, used *count) string {
	if !slices.Contains(r.Submitters, s.By) {
		return fmt.Sprintf("submitters: %s is not among them", s.By)
	}
	if r.Programs != nil && !slices.Contains(r.Programs, s.Program) {
		return fmt.Sprintf("programs: %s is not among them", s.Program)
	}
	if name, ok := r.Inputs.firstForbidden(s.Inputs); ok {
		return fmt.Sprintf("inputs: %q is not among them", name)
	}
	if name, ok := r.Keep.firstForbidden(s.Keep); ok {
		return fmt.Sprintf("keep: results may not be kept as %q", name)
	}
	if name, ok := r.Kept.firstForbidden(s.Kept); ok {
		return fmt.Sprintf("kept: %q is not among them", name)
	}
	if name, ok := r.Reveal.firstForbidden(s.Learn); ok {
		return fmt.Sprintf("reveal: %s may not learn results", name)
	}
	if s.Reveals < 0 || r.Reveals != AnyReveals && s.Reveals > r.Reveals {
		return fmt.Sprintf("reveals: the program may reveal %d intermediate tensors, %d are allowed", s.Reveals, r.Reveals)
	}
	if r.RefuseOwnerLocalControl && s.OwnerLocalControl != "" {
		return fmt.Sprintf("owner_local_control: the condition of %s depends on this party's inputs alone, so its running time reveals information about them "+
			"(give the loop a public number of iterations; replace the branch by stablehlo.select between both results)", s.OwnerLocalControl)
	}
	if s.Ranges && !r.Ranges {
		return "ranges: jobs may not declare ranges of inputs, since whether a range is refused reveals information about the values"
	}
	if r.Runs > 0 && used.runs() >= r.Runs {
		return fmt.Sprintf("runs: all %d are used up", r.Runs)
	}
	if r.Rate.Runs > 0 && used.within(r.Rate.Per, s.Now) >= r.Rate.Runs {
		return fmt.Sprintf("rate: %d have started within %s", r.Rate.Runs, perName(r.Rate.Per))
	}
	return ""
}
