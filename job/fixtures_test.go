package job

import (
	"path/filepath"
	"testing"
)

// TestJobsBind binds the jobs of all examples and fixtures to their programs and expected results.
func TestJobsBind(t *testing.T) {
	examples, err := filepath.Glob("../examples/*/job.yaml")
	if err != nil || len(examples) == 0 {
		t.Fatal("no examples", err)
	}
	for _, path := range append(examples, fixtures(t)...) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			j, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			p, err := j.ReadProgram(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			run, err := j.RunSpec(p)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := j.PlanSpec(p)
			if err != nil {
				t.Fatal(err)
			}
			for i, param := range p.Main.Body.Params {
				if !run.Args[i].Data.Type.Equal(param.Type) || run.Args[i].Owner != plan.Args[i].Owner {
					t.Errorf("argument %d: %v of %d, planned for %d", i, run.Args[i].Data.Type, run.Args[i].Owner, plan.Args[i].Owner)
				}
			}
			if len(j.State) > 0 {
				return // a service's results depend on earlier requests
			}
			want, err := j.Expected(p)
			if err != nil {
				t.Fatal(err)
			}
			if e, off := Compare(want, want, 0, 0); off != nil || len(e.MaxAbsError) != len(p.Main.Results) {
				t.Errorf("%d results: %v", len(e.MaxAbsError), off)
			}
		})
	}
}
