package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/tensor"
)

// names lists the files in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestWriteResults(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	want := []*tensor.Array{filled(tensor.Shape{2}, 1, 2), tensor.FromWords(tensor.Bool, tensor.Shape{}, []uint64{1})}
	for range 2 { // the second time over the files of the first
		if err := WriteResults(dir, want); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"out0.npy", "out1.npy"}, names(t, dir)); d != "" {
		t.Error(d)
	}
	for i, a := range want {
		b, err := os.ReadFile(filepath.Join(dir, outFile(i)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := npy.NewReader(strings.NewReader(string(b)), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		got, err := r.Array()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(a, got); d != "" {
			t.Error(d)
		}
	}
}

func TestWriteResultsWritesAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	bad := tensor.NewArray(f32(1))
	bad.DType = tensor.Invalid
	if err := WriteResults(dir, []*tensor.Array{filled(tensor.Shape{1}, 1), bad}); err == nil {
		t.Fatal("wrote an array of no type")
	}
	if left := names(t, dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func TestExpected(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "expected.npz")
	two := program(nil, []tensor.Type{f32(2), {DType: tensor.I32, Shape: tensor.Shape{}}})
	out0, out1 := filled(tensor.Shape{2}, 1, 2), filled(tensor.Shape{}, 3)
	for name, c := range map[string]struct {
		arrays map[string]*tensor.Array
		want   string
	}{
		"other type": {map[string]*tensor.Array{"out0": out0, "out1": out1}, ""},
		"missing":    {map[string]*tensor.Array{"out0": out0}, "expected.npz: result 1 is missing (name the array out1)"},
		"shape":      {map[string]*tensor.Array{"out0": out0, "out1": out0}, "expected.npz: out1 has type tensor<2xf32>, but the program's result has type tensor<i32>"},
		"extra":      {map[string]*tensor.Array{"out0": out0, "out1": out1, "out2": out1}, "contains 3 arrays, but the program has 2 results"},
	} {
		writeNPZ(t, path, c.arrays)
		j := &Job{Expect: &Expect{File: path}}
		got, err := j.Expected(two)
		if c.want == "" && (err != nil || len(got) != 2) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
	if got, err := (&Job{}).Expected(two); got != nil || err != nil {
		t.Error("a job that expects nothing:", got, err)
	}
	j := &Job{}
	j.Apply(Override{Expect: "gone.npz"})
	if _, err := j.Expected(two); err == nil || err.Error() != "--expect: open gone.npz: no such file or directory" {
		t.Error(err)
	}
}
