package main

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestJoinFile checks that the job file of a review has the submission's join.
func TestJoinFile(t *testing.T) {
	got := joinFile(&api.Join{
		Method: "stacked", On: map[string][]string{"a": {"id"}, "b": {"id"}, "c": {"key"}}, Case: true, Beside: []string{"c"},
		Rows: map[string]int{"a": 5, "b": 6, "c": 9}, Matches: map[string]int{"a": 4, "b": 5},
	})
	want := `join:
  method: "stacked"
  beside: ["c"]
  on: {"a": ["id"], "b": ["id"], "c": ["key"]}
  rows: {"a": 5, "b": 6, "c": 9}
  matches: {"a": 4, "b": 5}
  normalise: ["case"]
`
	if got != want {
		t.Errorf("the join is\n%s, want\n%s", got, want)
	}
}

// TestCheckReview checks that a submission is compared with the status of the job before files are written.
func TestCheckReview(t *testing.T) {
	sound := func() (api.Job, *api.Submission) {
		s := &api.Submission{ID: "17", Program: api.Program{Text: []byte("p")}, Public: []api.Public{{Arg: 1}, {Arg: 0}}}
		return api.Job{ID: "17", Node: "bob", Digest: s.Program.Digest(), Arguments: make([]api.Argument, 2)}, s
	}
	for name, c := range map[string]struct {
		change func(*api.Job, *api.Submission)
		want   string
	}{
		"sound":           {func(*api.Job, *api.Submission) {}, ""},
		"another job":     {func(_ *api.Job, s *api.Submission) { s.ID = "18" }, `bob sent the submission of job "18", not of 17`},
		"another program": {func(_ *api.Job, s *api.Submission) { s.Program.Text = []byte("q") }, "bob sent a program with the digest sha256:8e35c2cd3bf6641bdb0e2050b76932cbb2e6034a0ddacc1d9bea82a6ba57f7cf, but the job's status says sha256:148de9c5"},
		"negative":        {func(_ *api.Job, s *api.Submission) { s.Public[0].Arg = -1 }, "public argument -1, which is out of range or given twice"},
		"too large":       {func(_ *api.Job, s *api.Submission) { s.Public[0].Arg = 2 }, "public argument 2, which is out of range or given twice"},
		"twice":           {func(_ *api.Job, s *api.Submission) { s.Public[0].Arg = 0 }, "public argument 0, which is out of range or given twice"},
		"no arguments":    {func(j *api.Job, s *api.Submission) { j.Arguments = nil }, "the job's status lists 0 arguments"},
	} {
		j, s := sound()
		c.change(&j, s)
		err := checkReview(j, s)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
