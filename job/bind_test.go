package job

import (
	"archive/zip"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// program returns an empty program with arguments and results of these types.
func program(params, results []tensor.Type) *hlo.Program {
	main := &hlo.Func{Name: "main", Body: &hlo.Block{}, Results: results}
	for _, t := range params {
		main.Body.Params = append(main.Body.Params, &hlo.Value{Type: t})
	}
	return &hlo.Program{Main: main, Funcs: []*hlo.Func{main}}
}

// f32 returns the type of an f32 tensor.
func f32(shape ...int) tensor.Type { return tensor.Type{DType: tensor.F32, Shape: shape} }

// filled returns an array of f32 with these elements.
func filled(shape tensor.Shape, v ...float64) *tensor.Array {
	return tensor.FromFloats(tensor.F32, shape, v)
}

// writeNPZ writes an archive.
func writeNPZ(t *testing.T, path string, arrays map[string]*tensor.Array) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, a := range arrays {
		w, err := z.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		if err := npy.Write(w, a); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
}

// jobIn loads a job with these inputs.
func jobIn(t *testing.T, inputs string) *Job {
	t.Helper()
	j, err := Load(folder(t, inputs))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// folder writes a folder with a job file, whose path it returns, and the usual inputs: alice.npz has
// argument 0, bob.npz 1 and 2, public.npz 3.
func folder(t *testing.T, inputs string) string {
	t.Helper()
	dir := t.TempDir()
	writeNPZ(t, filepath.Join(dir, "alice.npz"), map[string]*tensor.Array{"arg0": filled(tensor.Shape{2}, 1, 2)})
	writeNPZ(t, filepath.Join(dir, "bob.npz"), map[string]*tensor.Array{
		"arg1": filled(tensor.Shape{2}, 3, 4), "arg2": filled(tensor.Shape{}, 5)})
	writeNPZ(t, filepath.Join(dir, "public.npz"), map[string]*tensor.Array{"arg3": filled(tensor.Shape{1}, math.Inf(-1))})
	path := filepath.Join(dir, "job.yaml")
	if err := os.WriteFile(path, []byte("program: p.mlir\nparties: [alice, bob]\ninputs:\n"+inputs), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

var four = program([]tensor.Type{f32(2), f32(2), f32(), f32(1)}, nil)

const usual = "- {owner: alice, file: alice.npz}\n- {owner: bob, file: bob.npz}\n- {public: true, file: public.npz}\n"

func TestRunSpec(t *testing.T) {
	s, err := jobIn(t, usual).RunSpec(four)
	if err != nil {
		t.Fatal(err)
	}
	want := []party.Arg{
		{Owner: 0, Data: filled(tensor.Shape{2}, 1, 2)},
		{Owner: 1, Data: filled(tensor.Shape{2}, 3, 4)},
		{Owner: 1, Data: filled(tensor.Shape{}, 5)},
		{Owner: party.Public, Data: filled(tensor.Shape{1}, math.Inf(-1))},
	}
	for i := range want {
		want[i].Checked = true // RunSpec reads, and checks, all data
	}
	if d := cmp.Diff(want, s.Args); d != "" {
		t.Error(d)
	}
	if s.Protocol != "semi2k" || s.Ring != 64 || s.Fraction != 18 || s.Computing != 2 || s.Network != "none" {
		t.Errorf("defaults are %+v", s)
	}
	if d := cmp.Diff([]int{0, 1}, s.Reveal); d != "" {
		t.Error(d)
	}
}

func TestPlanSpecReadsPublicDataOnly(t *testing.T) {
	s, err := jobIn(t, usual).PlanSpec(four)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range s.Args {
		if (a.Data != nil) != (a.Owner == party.Public) {
			t.Errorf("argument %d: owner %d, data %v", i, a.Owner, a.Data)
		}
	}
}

func TestPlanSpecNeedsNoFilesWhereArgsSayWhatTheyHold(t *testing.T) {
	text := "- {owner: alice, file: gone.npy, arg: 0}\n- {owner: bob, file: gone.npz, args: [1, 2]}\n- {public: true, file: public.npz}\n"
	if _, err := jobIn(t, text).PlanSpec(four); err != nil {
		t.Error(err)
	}
	_, err := jobIn(t, text).RunSpec(four)
	if err == nil || !strings.Contains(err.Error(), "job.yaml:4: open") {
		t.Errorf("a run without a file: %v", err)
	}
}

func TestArgsChooseAmongArrays(t *testing.T) {
	s, err := jobIn(t, usual).RunSpec(four)
	if err != nil {
		t.Fatal(err)
	}
	j := jobIn(t, "- {owner: alice, file: alice.npz}\n- {owner: bob, file: bob.npz, args: [1]}\n- {owner: alice, file: bob.npz, args: [2]}\n- {public: true, file: public.npz}\n")
	chosen, err := j.RunSpec(four)
	if err != nil {
		t.Fatal(err)
	}
	s.Args[2].Owner = 0
	if d := cmp.Diff(s.Args, chosen.Args); d != "" {
		t.Error(d)
	}
}

func TestBindRefuses(t *testing.T) {
	const alice, bob, public = "- {owner: alice, file: alice.npz}\n", "- {owner: bob, file: bob.npz}\n", "- {public: true, file: public.npz}\n"
	i32 := tensor.Type{DType: tensor.I32, Shape: tensor.Shape{2}}
	for name, c := range map[string]struct {
		inputs string
		params []tensor.Type
		want   string
	}{
		"nobody gives 0":   {bob + public, nil, "job.yaml:3: argument 0 is not named by any input (add it to an input's file or args)"},
		"nobody gives 2":   {alice + "- {owner: bob, file: bob.npz, args: [1]}\n" + public, nil, "argument 2 is not named"},
		"twice":            {alice + bob + public + bob, nil, "job.yaml:7: argument 1 is named twice"},
		"twice in args":    {alice + "- {owner: bob, file: bob.npz, args: [1, 1]}\n", nil, "job.yaml:5: argument 1 is named twice"},
		"shape":            {usual, []tensor.Type{f32(3), f32(2), f32(), f32(1)}, "alice.npz: argument 0 has type tensor<2xf32>, but the program expects tensor<3xf32> (if it is another argument's array: jax.jit leaves out"},
		"type":             {usual, []tensor.Type{i32, f32(2), f32(), f32(1)}, "alice.npz: argument 0 has element type f32, but the program expects i32 (convert"},
		"extra array":      {usual, []tensor.Type{f32(2), f32(2), f32()}, "public.npz: array arg3: the program has no such argument: the program takes arguments 0 to 2 (jax.jit leaves out"},
		"extra in args":    {alice + bob + "- {public: true, file: public.npz, args: [7]}\n", nil, "public.npz: argument 7 is not in the file"},
		"not in file":      {"- {owner: alice, file: alice.npz, args: [0, 3]}\n" + bob, nil, "alice.npz: argument 3 is not in the file, though args names it (name the array arg3)"},
		"not an npz":       {"- {owner: alice, file: job.yaml, arg: 0}\n", nil, "inputs are .npz"},
		"no file":          {"- {owner: alice, file: nope.npz}\n", nil, "nope.npz: no such file or directory"},
		"no arguments":     {alice, []tensor.Type{}, "the program takes no arguments"},
		"one argument":     {bob, []tensor.Type{f32(2)}, "the program takes one argument, 0"},
		"a table of three": {alice + "- {owner: bob, file: x.csv, arg: 1}\n", []tensor.Type{f32(2), f32(1, 1, 1)}, "use an .npy file"},
	} {
		t.Run(name, func(t *testing.T) {
			p := four
			if c.params != nil {
				p = program(c.params, nil)
			}
			path := folder(t, c.inputs)
			if err := os.WriteFile(filepath.Join(filepath.Dir(path), "x.csv"), []byte("1\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			j, err := Load(path)
			if err == nil {
				_, err = j.RunSpec(p)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
