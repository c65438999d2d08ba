package job

import (
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestPassesOfFixtures compares the results of the fixtures with and without passes, evaluated in clear, and the patterns found in
// them. It is here, since a test of package pass that imports this package compiles whatever lies between both again.
func TestPassesOfFixtures(t *testing.T) {
	kinds := func(p *hlo.Program) []string {
		var out []string
		ps := pattern.Find(p)
		for _, m := range ps.All {
			if !ps.Skipped(m.End) && m.Kind != pattern.DivSqrt && m.Kind != pattern.Abs {
				out = append(out, m.Kind.String())
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	runs := testcases.OneOf(t, 2)
	for _, file := range fixtures(t) {
		if !runs() {
			continue
		}
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			j, err := Load(file)
			if err != nil {
				t.Fatal(err)
			}
			p, err := hlo.ReadFile(j.Program)
			if err != nil {
				t.Fatal(err)
			}
			s, err := j.RunSpec(p)
			if err != nil {
				t.Fatal(err)
			}
			o := pass.Options{Fold: true, Guard: 4, Guarded: math.Inf(1), Squares: 28}
			var args []*tensor.Array
			for _, a := range s.Args {
				vis := hlo.Public
				if a.Owner >= 0 {
					vis = hlo.OwnerLocal(a.Owner)
				}
				o.Args = append(o.Args, vis)
				args = append(args, a.Data)
			}
			q := pass.Rewrite(p, o)
			if err := q.Verify(); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(kinds(p), kinds(q)); d != "" {
				t.Errorf("patterns (-before +after):\n%s", d)
			}
			results := func(p *hlo.Program) []*tensor.Array {
				out, err := eval.Func(t.Context(), p.Main, args)
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			start := time.Now()
			want := results(p)
			if testing.Short() && time.Since(start) > time.Second {
				t.Skip("short")
			}
			if _, off := Compare(results(q), want, 1e-4, 1e-4); off != nil {
				t.Error(off)
			}
		})
	}
}
