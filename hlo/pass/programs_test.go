package pass_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// found returns the outermost patterns in a program.
func found(p *hlo.Program) []string {
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

// Passes do not destroy patterns.
func TestPatternsStay(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "pattern", "testdata", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			p, err := hlo.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			q := pass.Rewrite(p, pass.Options{Fold: true, Guard: 4, Guarded: math.Inf(1), Squares: 28})
			if err := q.Verify(); err != nil {
				t.Error(err)
			}
			if d := cmp.Diff(found(p), found(q)); d != "" {
				t.Errorf("-before +after:\n%s", d)
			}
		})
	}
}

// Every program can be rewritten, also a second time.
func TestAnyProgram(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/*.mlir", "*/testdata/*.mlir"} {
		more, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	read := 0
	for _, file := range files {
		p, err := hlo.ReadFile(file)
		if err != nil {
			continue // refused on purpose
		}
		read++
		for _, args := range [][]hlo.Visibility{nil, {hlo.OwnerLocal(0), hlo.OwnerLocal(1)}, {hlo.Public, hlo.OwnerLocal(0), hlo.OwnerLocal(0)}} {
			o := pass.Options{Args: args, Fold: true, Guard: 4, Guarded: math.Inf(1), Squares: 28}
			q := pass.Rewrite(p, o)
			if err := q.Verify(); err != nil {
				t.Errorf("%s: %v", file, err)
			}
			if err := pass.Rewrite(q, o).Verify(); err != nil {
				t.Errorf("%s, twice: %v", file, err)
			}
		}
	}
	if read < 30 {
		t.Errorf("only %d programs in %v", read, files)
	}
}
