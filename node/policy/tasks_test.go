package policy

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestTasks: which tasks and columns rules allow.
func TestTasks(t *testing.T) {
	p, err := parse("rules:\n" +
		"- {name: fits, submitters: [carol], tasks: [glm], columns: [people.age, 'claims.*'], inputs: any, reveal: any}\n" +
		"- {name: programs, submitters: [dave], programs: ['" + digest + "'], inputs: any, reveal: any, ring: any, fraction: any}\n" +
		"- {name: everything, submitters: [root], programs: any, inputs: any, reveal: any}\n" +
		"- {name: joins, submitters: [joiner], tasks: [glm], columns: any, joins: [psi], keys: [people.id], inputs: any, reveal: any}\n")
	if err != nil {
		t.Fatal(err)
	}
	k := keeper(t, p, filepath.Join(t.TempDir(), "policy.json"))
	for _, c := range []struct {
		name   string
		change func(*Submission)
		want   string
	}{
		{"allowed columns", func(*Submission) {}, "allowed: fits"},
		{"a setting of costs", func(s *Submission) { s.Set = map[string]string{"optimize": "total"} }, "allowed: fits"},
		{"another setting", func(s *Submission) { s.Set = map[string]string{"exp.clamp": "none"} }, `denied: rule "fits": set:`},
		{"another column", func(s *Submission) { s.Columns = append(s.Columns, Column{"people", "name"}) }, `denied: rule "fits": columns: "people.name" is not among them`},
		{"a column of an entry whose name begins with another's", func(s *Submission) { s.Columns[1].Entry = "claims.v2" }, `denied: rule "fits": columns: "claims.v2.cost" is not among them`},
		{"a column of another entry", func(s *Submission) { s.Columns[0].Entry = "staff" }, `denied: rule "fits": columns: "staff.age" is not among them`},
		{"another task", func(s *Submission) { s.Task = "svm" }, `denied: rule "fits": tasks: svm is not among them`},
		{"a program", func(s *Submission) { s.Task, s.Columns = "", nil }, `denied: rule "fits": programs:`},
		{"a rule for the digest", func(s *Submission) { s.By = "dave" }, `denied: rule "programs": tasks: glm is not among them`},
		{"the digest without a task", func(s *Submission) { s.By, s.Task = "dave", "" }, "allowed: programs"},
		{"a rule for any program", func(s *Submission) { s.By = "root" }, "allowed: everything"},
		{"a join where none is allowed", func(s *Submission) { s.Joins = []string{"psi"} }, `denied: rule "fits": joins: psi is not among them`},
		{"a join by any program", func(s *Submission) { s.By, s.Joins = "root", []string{"hidden"} }, `denied: rule "everything": joins: hidden is not among them`},
		{"an allowed join", func(s *Submission) { s.By, s.Joins, s.Keys = "joiner", []string{"psi"}, []Column{{"people", "id"}} }, "allowed: joins"},
		{"another method", func(s *Submission) { s.By, s.Joins = "joiner", []string{"hidden"} }, `denied: rule "joins": joins: hidden is not among them`},
		{"another key", func(s *Submission) {
			s.By, s.Joins, s.Keys = "joiner", []string{"psi"}, []Column{{"people", "id"}, {"people", "age"}}
		},
			`denied: rule "joins": keys: "people.age" is not among them`},
		{"no join", func(s *Submission) { s.By = "joiner" }, "allowed: joins"},
	} {
		s := credit()
		s.Task, s.Columns, s.Ring, s.Fraction, s.Reveals = "glm", []Column{{"people", "age"}, {"claims", "cost"}}, 128, 40, 0
		c.change(&s)
		d := k.Judge(s)
		if got := fmt.Sprintf("%v: %s%s", d.Verdict, d.Rule, d.Reason); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
	for rule, want := range map[string]string{
		"tasks: [glm]":                                             "has tasks but no columns",
		"tasks: [svm], columns: any":                               `"svm" is no task (glm, gbt, stats, predict, eval, bin, group, kmeans, pca)`,
		"tasks: [glm], columns: [age]":                             "want ENTRY.COLUMN",
		"programs: any, columns: any":                              "has columns but no tasks",
		"programs: any, tasks: any, columns: any":                  "has programs and tasks",
		"inputs: any":                                              "has no programs",
		"tasks: any, columns: any, joins: [psi]":                   "only one of joins and keys",
		"tasks: any, columns: any, joins: [stacked, hidden]":       "only one of joins and keys",
		"tasks: any, columns: any, joins: [stacked], keys: any":    "only one of joins and keys",
		"tasks: any, columns: any, joins: [ecdh], keys: any":       `"ecdh" is no method of a join`,
		"tasks: any, columns: any, joins: any, keys: ['people.*']": "name each column",
		"tasks: any, columns: any, joins: any, keys: [age]":        "want ENTRY.COLUMN",
		"programs: ['" + digest + "'], joins: any, keys: any":      "has joins but no tasks",
	} {
		if _, err := parse("rules:\n- {name: r, submitters: [c], " + rule + "}\n"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", rule, err, want)
		}
	}
}

// TestNarrowJoin: the narrow rule of a task with a join allows that join, and no other method or key.
func TestNarrowJoin(t *testing.T) {
	s := usual()
	s.Task, s.Exactly, s.Columns = "glm", "sha256:"+strings.Repeat("0c", 32), []Column{{"people", "age"}}
	s.Joins, s.Keys = []string{"psi"}, []Column{{"people", "id"}}
	s.Owners, s.Set, s.Reveals = []string{"alice", "bob"}, nil, 0
	wide, err := parse("rules:\n- {name: r, submitters: [carol], tasks: any, columns: any, joins: any, keys: any, inputs: any, reveal: any}\n")
	if err != nil {
		t.Fatal(err)
	}
	text := "rules:\n" + wide.Rules[0].Narrow("narrow", s).YAML()
	narrow, err := parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	rows := s // which are stacked: no key matches them
	rows.Joins, rows.Keys = []string{"stacked"}, nil
	if text = "rules:\n" + wide.Rules[0].Narrow("narrow", rows).YAML(); !strings.Contains(text, `joins: ["stacked"]`) {
		t.Errorf("the narrow rule is %s", text)
	}
	if p, err := parse(text); err != nil || p.judge(rows, &counts{}).Verdict != Allowed || p.judge(s, &counts{}).Verdict != Denied {
		t.Errorf("%s: %v", text, err)
	}
	for name, c := range map[string]struct {
		change func(*Submission)
		want   Verdict
	}{
		"the same":               {func(*Submission) {}, Allowed},
		"another method":         {func(s *Submission) { s.Joins = []string{"hidden"} }, Denied},
		"keys of stacked tables": {func(s *Submission) { s.Joins = []string{"stacked", "psi"} }, Denied},
		"another key":            {func(s *Submission) { s.Keys[0].Name = "name" }, Denied},
	} {
		x := s
		x.Keys = []Column{{"people", "id"}}
		c.change(&x)
		if got := narrow.judge(x, &counts{}).Verdict; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
