package policy

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxRuleName bounds a rule's name, in bytes.
const maxRuleName = 100

// Narrow returns the rule that allows s again, and nothing else that r does not allow: r, which matched s, with
// every field that says what may run set to what s has, and without approval. What r restricts otherwise (types of
// outputs, runs, rate, control by own inputs) and grants (fetch) stays. name is the new rule's name.
//
// An argument whose owner is not known yet (Submission.Owners) may be any party's or kept, but not public. The values of
// public arguments are the submitter's choice in each job: a rule cannot fix them.
func (r Rule) Narrow(name string, s Submission) Rule {
	out := r
	out.Name, out.Approve, out.Describe = name, false, false
	out.Submitters = []string{s.By}
	out.Programs, out.Tasks, out.Columns, out.Exactly = namesOf(s.programs()), Names{}, Names{}, nil
	out.Arithmetic = Arithmetic{Numbers{List: []int{s.Ring}}, Numbers{List: []int{s.Fraction}}, Settings{Values: map[string][]string{}}}
	if s.Task != "" {
		// Kind and columns do not say what is revealed: a model of predict is no part of its program, and thresholds choose what eval shows.
		out.Programs, out.Tasks, out.Columns, out.Exactly = Names{}, Names{List: []string{s.Task}}, Names{}, []string{s.Exactly}
		for _, c := range s.Columns {
			out.Columns.List = append(out.Columns.List, c.String())
		}
		out.Arithmetic.Rings, out.Arithmetic.Fractions = anyArithmetic.Rings, anyArithmetic.Fractions // the task fixes both
	}
	out.Joins, out.Keys = Names{}, Names{}
	if len(s.Joins) > 0 {
		out.Joins = Names{List: slices.Clone(s.Joins)}
		for _, c := range s.Keys {
			out.Keys.List = append(out.Keys.List, c.String())
		}
	}
	for key, value := range s.Set {
		out.Arithmetic.Set.Values[key] = []string{value}
	}
	out.Protocols = Names{List: []string{s.Protocol}}
	out.Parties, out.Computing = slices.Clone(s.Parties), s.Computing
	out.Arguments = Arguments{Owners: map[int][]string{}}
	for arg, owner := range s.Owners {
		if owner != "" {
			out.Arguments.Owners[arg] = []string{owner}
		}
	}
	out.State = nil
	if len(s.State) > 0 { // without it, the same programs would reveal what a service keeps between requests
		out.State = maps.Clone(s.State)
	}
	out.Inputs, out.Keep, out.Kept = namesOf(s.Inputs), namesOf(s.Keep), namesOf(s.Kept)
	out.Provides = r.provided(s)
	out.Reveal, out.Reveals, out.Ranges = namesOf(s.Learn), s.Reveals, s.Ranges
	return out
}

// provided returns Provides of the rule that Narrow makes: the arguments of s, and what r says of inputs whose content says which they
// provide.
func (r Rule) provided(s Submission) map[string][]int {
	var out map[string][]int
	for i, name := range s.Inputs[:min(len(s.Inputs), len(s.Provides))] {
		if s.Provides[i] != nil {
			if out == nil {
				out = map[string][]int{}
			}
			out[name] = append(append([]int{}, out[name]...), s.Provides[i]...)
		}
	}
	for i, name := range s.Inputs {
		if i >= len(s.Provides) || s.Provides[i] == nil {
			delete(out, name)
			if args, ok := r.Provides[name]; ok {
				if out == nil {
					out = map[string][]int{}
				}
				out[name] = slices.Clone(args)
			}
		}
	}
	for name, args := range out {
		slices.Sort(args)
		out[name] = slices.Compact(args)
	}
	return out
}

// namesOf returns the set of these names.
func namesOf(names []string) Names {
	names = slices.Clone(names)
	slices.Sort(names)
	return Names{List: slices.Compact(names)}
}

// NewName returns a name for the rule that allows s again, which no rule of the policy has.
func (p *Policy) NewName(s Submission) string {
	_, digest, _ := strings.Cut(s.Program, ":")
	what := fmt.Sprintf("%.12s", digest)
	if s.Task != "" {
		what = s.Task
	}
	base := fmt.Sprintf("%s for %s", what, s.By)
	if len(base) > maxRuleName-12 {
		base = base[:maxRuleName-12]
	}
	for n := 1; ; n++ {
		name := base
		if n > 1 {
			name += " " + strconv.Itoa(n)
		}
		if !slices.ContainsFunc(p.Rules, func(r Rule) bool { return r.Name == name }) {
			return name
		}
	}
}

// YAML returns the rule as an item of the list rules of a policy file, each line after the first indented by two
// spaces. All fields whose absence would mean something else are written.
func (r Rule) YAML() string {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "  %s: %s\n", key, value) }
	fmt.Fprintf(&b, "- name: %s\n", strconv.Quote(r.Name))
	line("submitters", list(r.Submitters))
	if r.Tasks.Any || r.Tasks.List != nil {
		line("tasks", r.Tasks.yaml())
		line("columns", r.Columns.yaml())
		if r.Exactly != nil {
			line("exactly", list(r.Exactly))
		}
	} else {
		line("programs", r.Programs.yaml())
	}
	if r.Joins.Any || r.Joins.List != nil {
		line("joins", r.Joins.yaml())
		if r.Keys.Any || r.Keys.List != nil {
			line("keys", r.Keys.yaml())
		}
	}
	line("protocols", r.Protocols.yaml())
	if r.Parties != nil {
		line("parties", list(r.Parties))
	}
	if r.Computing > 0 {
		line("computing", strconv.Itoa(r.Computing))
	}
	if task := r.Tasks.Any || r.Tasks.List != nil; !task {
		line("ring", r.Arithmetic.Rings.yaml())
		line("fraction", r.Arithmetic.Fractions.yaml())
	}
	line("set", r.Arithmetic.Set.yaml())
	line("arguments", r.Arguments.yaml())
	if r.State != nil {
		line("state", stateYAML(r.State))
	}
	if r.Inputs.Any || len(r.Inputs.List) > 0 {
		line("inputs", r.inputsYAML())
	}
	for _, f := range []struct {
		key   string
		names Names
		all   bool // what absence means
	}{
		{"keep", r.Keep, false}, {"kept", r.Kept, false},
		{"outputs", r.Outputs, true},
	} {
		if f.names.Any != f.all || len(f.names.List) > 0 {
			line(f.key, f.names.yaml())
		}
	}
	line("reveal", r.Reveal.yaml())
	switch {
	case r.Reveals == AnyReveals:
		line("reveals", "any")
	case r.Reveals > 0:
		line("reveals", strconv.Itoa(r.Reveals))
	}
	if r.RefuseOwnerLocalControl {
		line("owner_local_control", "refuse")
	}
	if r.Ranges {
		line("ranges", "true")
	}
	if r.Runs > 0 {
		line("runs", strconv.Itoa(r.Runs))
	}
	if r.Rate.Runs > 0 {
		line("rate", r.Rate.yaml())
	}
	if r.Approve {
		line("approve", "true")
	}
	if len(r.Fetch) > 0 {
		line("fetch", list(r.Fetch))
	}
	return b.String()
}

func (r Rule) inputsYAML() string {
	if len(r.Provides) == 0 {
		return r.Inputs.yaml()
	}
	out := make([]string, len(r.Inputs.List))
	for i, name := range r.Inputs.List {
		args := "any"
		if only, ok := r.Provides[name]; ok {
			args = Numbers{List: only}.yaml()
		}
		out[i] = strconv.Quote(name) + ": " + args
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (n Names) yaml() string {
	if n.Any {
		return "any"
	}
	return list(n.List)
}

func (n Numbers) yaml() string {
	if n.Any {
		return "any"
	}
	return "[" + n.text(0) + "]"
}

func (s Settings) yaml() string {
	if s.Any {
		return "any"
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(s.Values)) {
		values := "any"
		if s.Values[key] != nil {
			values = list(s.Values[key])
		}
		out = append(out, strconv.Quote(key)+": "+values)
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (a Arguments) yaml() string {
	if a.Any {
		return "any"
	}
	var out []string
	for _, arg := range slices.Sorted(maps.Keys(a.Owners)) {
		out = append(out, fmt.Sprintf("%d: %s", arg, list(a.Owners[arg])))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func stateYAML(state map[int]int) string {
	var out []string
	for _, arg := range slices.Sorted(maps.Keys(state)) {
		out = append(out, fmt.Sprintf("%d: %d", arg, state[arg]))
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (r Rate) yaml() string {
	for _, p := range periods {
		if p.per == r.Per {
			return fmt.Sprintf("%d/%s", r.Runs, p.name)
		}
	}
	return fmt.Sprintf("%d/%v", r.Runs, r.Per) // no policy file has another period
}

// list returns texts as a YAML list of quoted texts.
func list(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = strconv.Quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// rulesLine is the line under which the rules of a policy file are listed, and the first of them.
var rulesLine = regexp.MustCompile(`(?m)^rules:[ \t]*(?:#.*)?\r?\n(?:[ \t]*(?:#.*)?\r?\n)*( *)- `)

// Insert returns the text of a policy file with the rule r as the first one. text is the file's text for this party,
// and comment a line that is written above the rule. The result is parsed: the other rules, the admins and the order
// are what they were. A text that has no list of rules in block style is an error.
func Insert(party string, text []byte, r Rule, comment string) ([]byte, error) {
	before, err := Parse("the policy", party, text)
	if err != nil {
		return nil, err
	}
	m := rulesLine.FindSubmatchIndex(text)
	if m == nil {
		return nil, fmt.Errorf("the policy has no list that begins with a line rules: and a line with a dash: add the rule by hand")
	}
	at, indent := m[2], string(text[m[2]:m[3]])
	var out bytes.Buffer
	out.Write(text[:at])
	comment = strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, comment)
	fmt.Fprintf(&out, "%s# %s\n", indent, comment)
	for l := range strings.Lines(r.YAML()) {
		out.WriteString(indent + l)
	}
	out.Write(text[at:])
	after, err := Parse("the policy", party, out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the extended policy is not valid, add the rule by hand: %w", err)
	}
	same := *after
	same.SHA256, same.Rules = before.SHA256, after.Rules[min(1, len(after.Rules)):]
	if !reflect.DeepEqual(&same, before) || after.Rules[0].YAML() != r.YAML() {
		return nil, fmt.Errorf("the policy cannot be extended without changing its other rules: add the rule by hand")
	}
	return out.Bytes(), nil
}

// Judge returns the policy's decision about a submission as if no run had been counted against the limits of rules. A
// zero s.Now stands for the present time.
func (p *Policy) Judge(s Submission) Decision {
	if s.Now.IsZero() {
		s.Now = time.Now()
	}
	return p.judge(s, &counts{})
}
