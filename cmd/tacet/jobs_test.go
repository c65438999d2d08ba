package main

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
)

// TestShowJobs checks that a job's description is printed once if all nodes agree, and by node, with a
// warning, if one says something else.
func TestShowJobs(t *testing.T) {
	job := func(node string) api.Job {
		return api.Job{
			ID: "3f9a", Node: node, Program: "p.mlir", Protocol: "semi2k", Computing: 2, Parties: []string{"alice", "bob"}, State: api.Pending,
			Arguments: []api.Argument{{Type: "tensor<f32>", Owner: "alice"}, {Type: "tensor<4xf32>", Owner: policy.Public}, {Type: "tensor<2xf32>"}},
			Reveals:   []api.Learned{{What: "result 0: tensor<f32>", By: []string{"alice"}}},
		}
	}
	show := func(jobs ...api.Job) string {
		var b strings.Builder
		if err := showJobs(&b, jobs); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	same := show(job("alice"), job("bob"))
	for _, want := range []string{
		`program    "p.mlir"`, "argument   0: tensor<f32>, alice's", "argument   1: tensor<4xf32>, PUBLIC: its value is the submitter's choice",
		"argument   2: tensor<2xf32>, not assigned yet", "reveals    result 0: tensor<f32> to alice",
	} {
		if strings.Count(same, want) != 1 || strings.Contains(same, "warning") {
			t.Errorf("got\n%s\nwithout one %q", same, want)
		}
	}
	one := job("alice")
	one.Inputs, one.Provides = []string{"w.npy", "all.npz"}, []string{"0, 2", ""}
	if got := show(one); !strings.Contains(got, `inputs "w.npy" as argument 0, 2, "all.npz":`) {
		t.Errorf("inputs with their arguments:\n%s", got)
	}
	knows := job("bob")
	knows.Arguments[2].Owner = "bob"
	if got := show(job("alice"), knows); !strings.Contains(got, "2: tensor<2xf32>, bob's") || strings.Contains(got, "warning") {
		t.Errorf("what bob knows of his own files is a difference:\n%s", got)
	}
	liar := job("alice")
	liar.Reveals = nil
	if got := show(liar, job("bob")); !strings.Contains(got, "warning") || strings.Count(got, "0: tensor<f32>, alice's") != 2 {
		t.Errorf("alice says that nothing is revealed:\n%s", got)
	}
	many := job("alice")
	many.Arguments = nil
	for range 20 {
		many.Arguments = append(many.Arguments, api.Argument{Type: "tensor<f32>", Owner: "alice"}, api.Argument{Type: "tensor<2xf32>", Owner: "alice"})
	}
	many.Arguments = append(many.Arguments, api.Argument{Type: "tensor<3xf32>", Owner: policy.Public})
	if got := show(many); !strings.Contains(got, "0 to 39: tensor<f32> to tensor<2xf32>, alice's") || !strings.Contains(got, "40: tensor<3xf32>, PUBLIC") {
		t.Errorf("many arguments:\n%s", got)
	}
}
