package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/glm"
)

// TestFlagErrors: an error of a job that flags describe names the flag that is wrong, and no other place.
func TestFlagErrors(t *testing.T) {
	files := map[string]string{}
	for name, text := range map[string]string{"alice": "id,age\n1,30\n2,40\n3,50\n4,60\n5,31\n6,32\n", "bob": "id,y,z\n1,0,3\n2,1,4\n3,0,5\n4,1,7\n5,0,1\n6,1,4\n"} {
		files[name] = filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fit := Task{Family: glm.Binomial, Target: "y", Features: []string{"age", "z"}}
	trees := Task{Kind: GBT, Target: "y", Features: []string{"age", "z"}}
	with := func(t Task, change func(*Task)) Task { change(&t); return t }
	on := map[string][]string{"alice": {"id"}, "bob": {"id"}}
	for want, x := range map[string]struct {
		task Task
		join Join
	}{
		"--trees: want 1 to 300, got 1000":                {with(trees, func(t *Task) { t.Growth.Trees = 1000 }), Join{Method: Aligned}},
		"--min-weight: want ":                             {with(trees, func(t *Task) { t.Growth.MinWeight = -1 }), Join{Method: Aligned}},
		"--iterations: want 2 to 100, got 900":            {with(fit, func(t *Task) { t.Iterations = 900 }), Join{Method: Aligned}},
		`--link: link "log" is not among`:                 {with(fit, func(t *Task) { t.Link = glm.Log }), Join{Method: Aligned}},
		"--power: power is for family tweedie":            {with(fit, func(t *Task) { t.Power = 1.5 }), Join{Method: Aligned}},
		`--target: the table of bob has no column "none"`: {with(fit, func(t *Task) { t.Target = "bob.none" }), Join{Method: Aligned}},
		`--features: column "none" is in 0 tables`:        {with(trees, func(t *Task) { t.Features = []string{"none"} }), Join{Method: Aligned}},
		"--offset: column bob.z is named twice":           {with(fit, func(t *Task) { t.Offset = "z" }), Join{Method: Aligned}},
		"--edges: edges belong to":                        {with(trees, func(t *Task) { t.Edges = map[string][]float64{"z": {1}} }), Join{Method: Aligned}},
		"--quantiles: quantile 7 is not from 0 to 1":      {Task{Kind: Stats, Quantiles: []float64{7}}, Join{Method: Aligned}},
		"--keeper: keeper belongs to method: hidden":      {fit, Join{Method: Aligned, Keeper: "bob"}},
		"--on: on is missing":                             {fit, Join{Method: PSI}},
		"the tables have 6 rows, too few for 7":           {with(fit, func(t *Task) { t.Levels = map[string][]string{"bob.z": {"1", "3", "4", "5", "7", "8"}} }), Join{Method: Aligned}},
		"--join: method stacked is for":                   {Task{Kind: Predict, Model: "none.json"}, Join{Method: Stacked}},
		"--holdout: how many of the rows":                 {with(trees, func(t *Task) { t.Growth.Holdout = 2 }), Join{Method: Hidden, On: on}},
	} {
		j, err := NewFit([]string{"alice", "bob"}, files, x.task, x.join)
		if err == nil {
			var w Work
			if w, _, err = j.Work(t.Context()); err == nil {
				_, err = j.TaskSpec(w)
			}
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
