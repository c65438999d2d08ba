package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Submission has the facts of a job by which rules judge it.
type Submission struct {
	By      string // submitter's name, from its certificate
	Program string // digest of the program's text
	// Programs are the digests of a service's further programs: a rule must allow all of them.
	Programs []string
	Task     string // kind of the task that the program was built from; "" without one
	Exactly  string // digest of all that the task says; "" without one
	// Columns are the columns of this party's tables that the task uses.
	Columns []Column
	// Joins are the methods of joins that a rule must allow, none for a task without a join: two for keys of stacked tables, of which
	// parties learn which match. Keys are the columns of this party's tables that make a key.
	Joins []string
	Keys  []Column
	// Protocol is the name of the job's protocol.
	Protocol  string
	Parties   []string // names of the job's parties in rank order
	Computing int      // number of computing parties
	// Ring is the number of bits of the job's ring, and Fraction the number of its fraction bits.
	Ring, Fraction int
	Set            map[string]string // the job's settings, by name
	// Owners has the owner of each argument: a party's name, Public, Kept, or "" if it is not known yet.
	Owners  []string
	State   map[int]int // by argument, the result that replaces it between a service's requests and is not revealed
	Offline bool        // the job makes a session of correlations ahead of time and runs no program
	Inputs  []string    // names of this party's inputs that the job uses, as the rules name them
	Asked   []string    // the same inputs as the submission names them, for messages; nil means as in Inputs
	// Provides has, for each of Inputs, the arguments that it provides according to the submission; nil where the file's content says.
	Provides [][]int
	Keep     []string // the name under which results are kept; empty if they are not
	Kept     []string // names of the kept results that the job uses
	Learn    []string // names of all parties that learn results
	Told     []string // names of parties to which the program reveals tensors while it runs, but for those that all online parties learn
	Outputs  []string // types of results that a party learns, and of tensors revealed while the program runs
	Ranges   bool     // the job declares ranges of this party's inputs
	Reveals  int      // number of tensors that the program may reveal while it runs
	// OwnerLocalControl describes the program's first loop or branch whose condition depends on this party's
	// inputs alone, with its position; "" if there is none.
	OwnerLocalControl string
	Now               time.Time // time of the judgement, for rates
}

// Column is a column of a table in a node's catalogue. Rules name it as ENTRY.COLUMN. Both names may contain dots;
// that two columns of a node have the same name in rules is excluded by its catalogue (node.ReadConfig).
type Column struct {
	Entry string // name of the table in the catalogue
	Name  string // name of the column in the table
}

// String returns the name of the column in rules.
func (c Column) String() string { return c.Entry + "." + c.Name }

// Verdict is the outcome of judging a submission. The zero value is Denied.
type Verdict int

// The verdicts, from the least permission to the most.
const (
	Denied        Verdict = iota // no rule allows the job
	NeedsApproval                // a rule allows the job, once an admin has approved it
	Allowed                      // a rule allows the job
)

// String returns the verdict in words.
func (v Verdict) String() string { return [...]string{"denied", "needs approval", "allowed"}[v] }

// Decision is the policy's verdict on a submission, with its reason.
type Decision struct {
	Verdict Verdict // whether the job may start
	Rule    string  // name of the rule that matched; "" if none did
	// Reason says, for a denied submission, which field of each rule that lists the submitter is the first that
	// does not match. It is "" otherwise.
	Reason string
	Fetch  []string // names, besides admins, that may fetch results and reports
}

// sessionMismatch is mismatch for protocol, parties, arithmetic and the owners of arguments.
func (r *Rule) sessionMismatch(s Submission) string {
	if name, ok := r.Protocols.firstForbidden([]string{s.Protocol}); ok {
		return fmt.Sprintf("protocols: the job runs %s, and the rule allows %s", name, strings.Join(r.Protocols.List, ", "))
	}
	if r.Parties != nil && !slices.Equal(r.Parties, s.Parties) {
		return fmt.Sprintf("parties: the job's are %s, and the rule allows %s, in this order", strings.Join(s.Parties, ", "), strings.Join(r.Parties, ", "))
	}
	if r.Computing != 0 && r.Computing != s.Computing {
		return fmt.Sprintf("computing: the job has %d computing parties, and the rule wants %d", s.Computing, r.Computing)
	}
	if why := r.Arithmetic.mismatch(s); why != "" {
		return why
	}
	if r.State != nil && !maps.Equal(r.State, s.State) {
		return fmt.Sprintf("state: requests replace %s, and the rule wants %s: other results would be revealed", stateYAML(s.State), stateYAML(r.State))
	}
	arg, ok := r.Arguments.forbidden(s.Owners)
	switch {
	case !ok:
		return ""
	case s.Owners[arg] == Public:
		return fmt.Sprintf("arguments: argument %d is public, chosen by the submitter (a rule that allows it has arguments: {%d: public})", arg, arg)
	}
	return fmt.Sprintf("arguments: argument %d is %s's, and the rule allows %s", arg, s.Owners[arg], strings.Join(r.Arguments.Owners[arg], ", "))
}

// judge returns the decision of the first rule that matches s. used holds the counts so far.
func (p *Policy) judge(s Submission, used *counts) Decision {
	var reasons []string
	for _, r := range p.Rules {
		why := r.mismatch(s, used.of(s)[r.Name])
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

// programs returns the digests of all programs of the job.
func (s *Submission) programs() []string { return append([]string{s.Program}, s.Programs...) }

// programMismatch is mismatch for the program, or the task and its columns. A rule that names a program by digest does
// not allow it as that of a task, whose submitter chooses the columns.
func (r *Rule) programMismatch(s Submission) string {
	switch {
	case s.Task == "":
		if digest, ok := r.Programs.firstForbidden(s.programs()); ok {
			return fmt.Sprintf("programs: %s is not among them", digest)
		}
		return ""
	case r.Exactly != nil && !slices.Contains(r.Exactly, s.Exactly):
		return fmt.Sprintf("exactly: the task's digest is %s, which is not among them", s.Exactly)
	case r.Programs.Any:
		return ""
	}
	if _, ok := r.Tasks.firstForbidden([]string{s.Task}); ok {
		return fmt.Sprintf("tasks: %s is not among them", s.Task)
	}
	if r.Columns.Any {
		return ""
	}
	allowed := map[string]bool{} // the rule and the task may both list very many columns
	for _, column := range r.Columns.List {
		allowed[column] = true
	}
	for _, column := range s.Columns {
		if !allowed[column.String()] && !allowed[column.Entry+".*"] {
			return fmt.Sprintf("columns: %q is not among them", column)
		}
	}
	return ""
}

// ArgumentList returns numbers of arguments as a text, such as "0, 2 to 5".
func ArgumentList(args []int) string {
	args = slices.Clone(args)
	slices.Sort(args)
	args = slices.Compact(args)
	var out []string
	for i := 0; i < len(args); {
		end := i
		for end+1 < len(args) && args[end+1] == args[end]+1 {
			end++
		}
		switch end - i {
		case 0:
			out = append(out, fmt.Sprint(args[i]))
		case 1:
			out = append(out, fmt.Sprint(args[i]), fmt.Sprint(args[end]))
		default:
			out = append(out, fmt.Sprintf("%d to %d", args[i], args[end]))
		}
		i = end + 1
	}
	return strings.Join(out, ", ")
}

// asked returns the name of an input for messages.
func (s *Submission) asked(i int) string {
	if i < len(s.Asked) {
		return s.Asked[i]
	}
	return s.Inputs[i]
}

// joinMismatch is mismatch for the join of a task. No rule allows a join unless it says so.
func (r *Rule) joinMismatch(s Submission) string {
	if len(s.Joins) == 0 {
		return ""
	}
	if name, ok := r.Joins.firstForbidden(s.Joins); ok {
		return fmt.Sprintf("joins: %s is not among them", name)
	}
	for _, column := range s.Keys {
		if !r.Keys.Any && !slices.Contains(r.Keys.List, column.String()) {
			return fmt.Sprintf("keys: %q is not among them", column)
		}
	}
	return ""
}

// mismatch returns the first field of the rule that does not match s, with the reason; "" if the rule
// matches.
func (r *Rule) mismatch(s Submission, used *count) string {
	if !slices.Contains(r.Submitters, s.By) {
		return fmt.Sprintf("submitters: %s is not among them", s.By)
	}
	if why := r.programMismatch(s); why != "" {
		return why
	}
	if why := r.joinMismatch(s); why != "" {
		return why
	}
	if why := r.sessionMismatch(s); why != "" {
		return why
	}
	if name, ok := r.Inputs.firstForbidden(s.Inputs); ok {
		return fmt.Sprintf("inputs: %q is not among them", s.asked(slices.Index(s.Inputs, name)))
	}
	for i, name := range s.Inputs[:min(len(s.Inputs), len(s.Provides))] {
		allowed, listed := r.Provides[name]
		for _, arg := range s.Provides[i] {
			if listed && !slices.Contains(allowed, arg) {
				return fmt.Sprintf("inputs: %q provides argument %d, and the rule allows it for %s", s.asked(i), arg, ArgumentList(allowed))
			}
		}
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
	// A digest fixes to whom the program reveals tensors, as it fixes which they are.
	fixed := s.Task == "" && !r.Programs.Any || r.Exactly != nil
	if name, ok := r.Reveal.firstForbidden(s.Told); ok && !fixed {
		return fmt.Sprintf("reveal: %s may not learn results, and the program reveals intermediate tensors to it", name)
	}
	if name, ok := r.Outputs.firstForbidden(s.Outputs); ok {
		return fmt.Sprintf("outputs: a result or an intermediate value of type %s may not be revealed", name)
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
	if r.Rate.Runs > 0 && used.within(s.By, r.Rate.Per, s.Now) >= r.Rate.Runs {
		return fmt.Sprintf("rate: %d of %s's have started within %s", r.Rate.Runs, s.By, perName(r.Rate.Per))
	}
	return ""
}
