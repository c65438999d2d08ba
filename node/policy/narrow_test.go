package policy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const wide = `# kept comments
admins: [chief]   # she decides
admins_may_add_rules: true
rules:
  # asks for each job
  - name: "asked"
    submitters: [carol, dan]
    programs: any
    protocols: any
    arguments: any
    inputs: any
    reveal: any
    reveals: any
    keep: any
    kept: any
    ranges: true
    rate: 5/hour
    runs: 7
    fetch: [carol]
    approve: true
    owner_local_control: refuse
`

// usual is a submission that wide asks for.
func usual() Submission {
	return Submission{
		By: "carol", Program: digest, Protocol: "semi2k", Parties: []string{"alice", "bob"}, Computing: 2, Ring: 64, Fraction: 18,
		Set: map[string]string{"exp.mode": "taylor"}, Owners: []string{"alice", "", "public"},
		Inputs: []string{"x \"1\".npz", "y.npy", "z.npy"}, Provides: [][]int{nil, {1}, {3, 0}}, Learn: []string{"bob"},
		Outputs: []string{"tensor<4xf32>"}, Reveals: 1,
	}
}

// TestNarrow checks that the narrow rule allows its submission without approval, and no other one.
func TestNarrow(t *testing.T) {
	p, err := parse(wide)
	if err != nil || !p.AdminsMayAddRules {
		t.Fatalf("%+v, %v", p, err)
	}
	s := usual()
	rule := p.Rules[0].Narrow(p.NewName(s), s)
	text, err := Insert("alice", []byte(wide), rule, "by chief\nfor job 3f9a")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "  # by chief for job 3f9a\n  - name: \"0a0a0a0a0a0a for carol\"\n") || !strings.Contains(string(text), "# kept comments") {
		t.Errorf("%s", text)
	}
	q, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if d := q.Judge(s); d.Verdict != Allowed || d.Rule != rule.Name || !slices.Equal(d.Fetch, []string{"carol"}) {
		t.Errorf("%+v", d)
	}
	if n := q.Rules[0]; n.Runs != 7 || n.Rate.Runs != 5 || !n.RefuseOwnerLocalControl {
		t.Errorf("restrictions are lost: %+v", n)
	}
	if name := q.NewName(s); name == rule.Name {
		t.Errorf("the name %q is used twice", name)
	}
	for what, change := range map[string]func(*Submission){
		"submitter": func(s *Submission) { s.By = "dan" },
		"program":   func(s *Submission) { s.Program = "sha256:" + strings.Repeat("0b", 32) },
		"protocol":  func(s *Submission) { s.Protocol = "aby3" },
		"parties":   func(s *Submission) { s.Parties = []string{"bob", "alice"} },
		"computing": func(s *Submission) { s.Computing = 1 },
		"ring":      func(s *Submission) { s.Ring = 32 },
		"fraction":  func(s *Submission) { s.Fraction = 3 },
		"setting":   func(s *Submission) { s.Set = map[string]string{"exp.mode": "pade"} },
		"owner":     func(s *Submission) { s.Owners = []string{"alice", "bob", "bob"} },
		"public":    func(s *Submission) { s.Owners = []string{"alice", "public", "public"} },
		"input":     func(s *Submission) { s.Inputs = []string{"y.npz"} },
		"place":     func(s *Submission) { s.Provides = [][]int{nil, {3}, {1, 0}} },
		"learns":    func(s *Submission) { s.Learn = []string{"alice", "bob"} },
		"reveals":   func(s *Submission) { s.Reveals = 2 },
		"keep":      func(s *Submission) { s.Keep = []string{"model"} },
		"kept":      func(s *Submission) { s.Kept = []string{"model"} },
		"ranges":    func(s *Submission) { s.Ranges = true },
		"task":      func(s *Submission) { s.Task = "glm" },
	} {
		other := usual()
		change(&other)
		if d := q.Judge(other); d.Rule == rule.Name {
			t.Errorf("another %s is allowed: %+v", what, d)
		}
	}
}

// TestNarrowTask checks the rule of a task.
func TestNarrowTask(t *testing.T) {
	text := strings.Replace(wide, "programs: any", "tasks: [glm]\n    columns: any", 1)
	p, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	s := usual()
	s.Task, s.Exactly, s.Columns, s.Set = "glm", "sha256:"+strings.Repeat("0c", 32), []Column{{"patients", "age"}}, nil
	extended, err := Insert("alice", []byte(text), p.Rules[0].Narrow(p.NewName(s), s), "x")
	if err != nil {
		t.Fatal(err)
	}
	q, err := parse(string(extended))
	if err != nil {
		t.Fatal(err)
	}
	if d := q.Judge(s); d.Verdict != Allowed {
		t.Errorf("%+v\n%s", d, extended)
	}
	s.Columns = []Column{{"patients", "age"}, {"patients", "name"}}
	if d := q.Judge(s); d.Verdict == Allowed {
		t.Errorf("another column is allowed: %+v", d)
	}
	s.Columns, s.Exactly = s.Columns[:1], "sha256:"+strings.Repeat("0d", 32)
	if d := q.Judge(s); d.Verdict == Allowed {
		t.Errorf("another task of the same columns is allowed: %+v", d)
	}
}

// TestToldByTasks checks that a rule for tasks says who may learn what they reveal while they run, unless it says all of the task.
func TestToldByTasks(t *testing.T) {
	s := Submission{By: "x", Task: "gbt", Exactly: "d", Protocol: "semi2k", Ring: 64, Learn: []string{"bob"}, Told: []string{"carol"}, Reveals: 1}
	rule := Rule{
		Submitters: []string{"x"}, Tasks: Names{List: []string{"gbt"}}, Protocols: Names{Any: true}, Reveal: Names{List: []string{"bob"}},
		Reveals: 1, Outputs: Names{Any: true}, Arithmetic: Arithmetic{Rings: Numbers{Any: true}, Fractions: Numbers{Any: true}},
	}
	if why := rule.mismatch(s, &count{}); !strings.HasPrefix(why, "reveal: carol may not learn results, and the program reveals") {
		t.Errorf("mismatch: %q", why)
	}
	rule.Exactly = []string{"d"}
	if why := rule.mismatch(s, &count{}); why != "" {
		t.Errorf("a rule for this task alone: %q", why)
	}
}

// TestNarrowState checks that the rule of a service with state does not allow its programs to run without the state, which would reveal
// the results that the service keeps to itself.
func TestNarrowState(t *testing.T) {
	p, err := parse(wide)
	if err != nil {
		t.Fatal(err)
	}
	s := usual()
	s.State = map[int]int{2: 1}
	extended, err := Insert("alice", []byte(wide), p.Rules[0].Narrow(p.NewName(s), s), "x")
	if err != nil {
		t.Fatal(err)
	}
	q, err := parse(string(extended))
	if err != nil {
		t.Fatal(err)
	}
	if d := q.Judge(s); d.Verdict != Allowed {
		t.Errorf("%+v\n%s", d, extended)
	}
	for _, state := range []map[int]int{nil, {2: 0}, {1: 1}, {1: 0, 2: 1}} {
		s.State = state
		if d := q.Judge(s); d.Verdict == Allowed {
			t.Errorf("allowed with state %v: %+v", state, d)
		}
	}
	for _, wrong := range []string{"{a: 1}", "{1: x}", "[1]", "{1: 0, 01: 0}"} {
		if _, err := parse(strings.Replace(wide, "arguments: any", "arguments: any\n    state: "+wrong, 1)); err == nil {
			t.Errorf("state: %s is read", wrong)
		}
	}
}

// TestInsertRefuses checks that texts which cannot be extended safely are refused.
func TestInsertRefuses(t *testing.T) {
	p, err := parse(wide)
	if err != nil {
		t.Fatal(err)
	}
	rule := p.Rules[0].Narrow("new", usual())
	for _, text := range []string{
		"admins: [chief]\n",
		"rules: [{name: a, submitters: [carol], programs: any}]\n",
		"rules:\n  []\n",
		"rules:\n- {name: new, submitters: [carol], programs: any}\n",
	} {
		if out, err := Insert("alice", []byte(text), rule, "x"); err == nil {
			t.Errorf("extended %q to %q", text, out)
		}
	}
}

// TestRuleYAML checks that a rule's text is read as the same rule.
func TestRuleYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := usual()
		s.Owners = rapid.SliceOfN(rapid.SampledFrom([]string{"alice", "bob", "public", "kept", ""}), 0, 4).Draw(t, "owners")
		s.Inputs = rapid.SliceOfN(rapid.StringMatching(`[a-zA-Z0-9 "'\\:#é☃./-]{1,12}`), 0, 3).Draw(t, "inputs")
		s.Provides = rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, 9), 0, 3), len(s.Inputs), len(s.Inputs)).Draw(t, "provides")
		s.Ring = rapid.SampledFrom([]int{32, 64, 128}).Draw(t, "ring")
		s.Fraction = rapid.IntRange(1, 61).Draw(t, "fraction")
		s.Ranges = rapid.Bool().Draw(t, "ranges")
		s.Reveals = rapid.IntRange(0, 3).Draw(t, "reveals")
		p, err := parse(wide)
		if err != nil {
			t.Fatal(err)
		}
		rule := p.Rules[0].Narrow("n", s)
		q, err := parse("rules:\n" + rule.YAML())
		if err != nil {
			t.Fatalf("%v\n%s", err, rule.YAML())
		}
		if got := q.Rules[0].YAML(); got != rule.YAML() {
			t.Fatalf("%s\nis read as\n%s", rule.YAML(), got)
		}
		if d := q.Judge(s); d.Verdict != Allowed {
			t.Fatalf("%+v\n%s\n%s", d, rule.YAML(), fmt.Sprint(s))
		}
	})
}
