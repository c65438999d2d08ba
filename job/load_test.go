package job

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tacet-mpc/tacet/yamlfile"
)

func parse(path string, text []byte) (*Job, error) {
	v, err := yamlfile.Parse(path, "a job file", text)
	if err != nil {
		return nil, err
	}
	return load(path, v)
}

const fullJob = `
program: sub/program.mlir
parties: [alice, bob]
protocol: semi2k
ring: 32
fraction: 8
computing: 2
inputs:
  - {owner: alice, file: alice.npz}
  - {owner: bob, file: bob.npz, args: [1, 2]}
  - {owner: bob, file: /data/b.csv, arg: 3}
  - {public: true, file: ../public.npy, arg: 4}
outputs:
  reveal: [alice]
  dir: out
expect: {file: expected.npz, atol: 1e-4, rtol: 0}
set: {exp.mode: prime, terms: 8, fast: true}
checkpoint: {every: 50}
restart: always
state: {4: 1, 5: 2}
programs: {prompt: sub/prompt.mlir}
`

func TestLoadFullJob(t *testing.T) {
	got, err := parse("dir/job.yaml", []byte(fullJob))
	if err != nil {
		t.Fatal(err)
	}
	want := &Job{
		File: "dir/job.yaml", Program: "dir/sub/program.mlir", Parties: []string{"alice", "bob"},
		Protocol: "semi2k", Ring: 32, Fraction: 8, Computing: 2, Network: "none",
		Inputs: []Input{
			{Owner: "alice", File: "dir/alice.npz", Name: "alice.npz", Folder: "dir"},
			{Owner: "bob", File: "dir/bob.npz", Name: "bob.npz", Folder: "dir", Args: []int{1, 2}},
			{Owner: "bob", File: "/data/b.csv", Name: "/data/b.csv", Folder: "dir", Args: []int{3}},
			{Public: true, File: "public.npy", Name: "../public.npy", Folder: "dir", Args: []int{4}},
		},
		Reveal: []string{"alice"}, Dir: "dir/out",
		Expect: &Expect{File: "dir/expected.npz", Atol: 1e-4},
		Set:    map[string]string{"exp.mode": "prime", "terms": "8", "fast": "true"}, Checkpoint: 50, Restart: RestartAlways, State: map[int]int{4: 1, 5: 2},
		Programs: map[string]string{"prompt": "dir/sub/prompt.mlir"},
	}
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Job{}, Input{}, Expect{})); d != "" {
		t.Error(d)
	}
}

func TestLoadDefaults(t *testing.T) {
	j, err := parse("job.yaml", []byte("program: p.mlir\nparties: [a, b]\nexpect: {file: e.npz}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if j.Expect.Atol != DefaultAtol || j.Expect.Rtol != DefaultRtol || j.Reveal != nil || j.Network != "none" {
		t.Errorf("got %+v, expect %+v", j, j.Expect)
	}
}

func TestLoadRefuses(t *testing.T) {
	const head = "program: p.mlir\nparties: [a, b]\n"
	for text, want := range map[string]string{
		"":                                     "job.yaml: is empty",
		"# nothing\n":                          "job.yaml: is empty",
		"x":                                    `job.yaml:1: a job: want a mapping, got "x"`,
		"- a":                                  "job.yaml:1: a job: want a mapping, got a list",
		"a: [":                                 "job.yaml:1: not YAML: sequence end token",
		"parties: [a]":                         "job.yaml: program is missing",
		"program: p":                           "job.yaml: parties is missing",
		"program: p\nparties: []":              "job.yaml: parties is missing",
		head + "rign: 64":                      `job.yaml:3: a job has no key "rign" (it has checkpoint, computing, expect, fraction,`,
		head + "ring: 64\nring: 64":            `job.yaml:4: key "ring" is given twice`,
		head + "ring: sixty":                   `job.yaml:3: ring: want a whole number, got "sixty"`,
		head + "ring: -64":                     "job.yaml:3: ring: want a whole number, got -64",
		head + "ring: 64.0":                    "job.yaml:3: ring: want a whole number, got 64.0",
		head + "ring: 99999999999":             "job.yaml:3: ring: want a whole number",
		head + "ring:":                         "job.yaml:3: ring: want a whole number, got nothing",
		head + "protocol: [semi2k]":            "job.yaml:3: protocol: want a text, got a list",
		head + "protocol: *x":                  "job.yaml:3: protocol: want a text, got YAML's alias",
		head + "inputs: {owner: a}":            "job.yaml:3: inputs: want a list of files, got a mapping",
		head + "inputs:\n- {owner: a}":         "job.yaml:4: file is missing from an input",
		head + "inputs:\n- {file: a.npz}":      "job.yaml:4: an input has an owner, or is public",
		head + "inputs:\n- {file: a.npz, x: }": `job.yaml:4: an input has no key "x" (it has arg, args, columns, file, format, kept, name, owner, partition, prepare, public, range,`,
		head + "inputs:\n- {owner: a, file: a.npz, name: x}":                        "job.yaml:4: an input has a file or a name, not both",
		head + "inputs:\n- {public: true, name: x}":                                 "job.yaml:4: an input with a name is an entry in its owner's catalogue",
		head + "inputs:\n- {owner: a, name: ../x}":                                  "letters, digits",
		head + "inputs:\n- {owner: a, public: true, file: a.npz}":                   "not both",
		head + "inputs:\n- {owner: a, public: 1, file: a.npz}":                      "job.yaml:4: public: want true or false, got 1",
		head + "inputs:\n- {owner: c, file: a.npz}":                                 `job.yaml:4: owner "c" is not a party (parties: a, b)`,
		head + "inputs:\n- {owner: a, file: a.npz, arg: 1}":                         "arg is for .npy and .csv files",
		head + "inputs:\n- {owner: a, file: a.npy}":                                 "name its argument with arg: N",
		head + "inputs:\n- {owner: a, file: a.csv, args: [1]}":                      "name its argument with arg: N",
		head + "inputs:\n- {owner: a, file: people}":                                "the program's .onnx; an entry of a node's catalogue is named by name: people",
		head + "inputs:\n- {owner: a, file: a.txt, arg: 1}":                         "inputs are .npz, .safetensors, .npy or .csv",
		head + "inputs:\n- {owner: a, file: a.npz, args: 1}":                        "args: want a list of argument numbers, got 1",
		head + "inputs:\n- {owner: a, file: a.npz, args: [-1]}":                     "args: want a whole number, got -1",
		head + "inputs:\n- {owner: a, file: a.npz, range: 3}":                       "job.yaml:4: range: want a list of two numbers, got 3",
		head + "inputs:\n- {owner: a, file: a.npz, range: [1]}":                     "job.yaml:4: range: want [lo, hi]",
		head + "inputs:\n- {owner: a, file: a.npz, range: [1, 2, 3]}":               "job.yaml:4: range: want [lo, hi]",
		head + "inputs:\n- {owner: a, file: a.npz, range: [2, 1]}":                  "job.yaml:4: range: want [lo, hi]",
		head + "inputs:\n- {owner: a, file: a.npz, range: [0, .inf]}":               "job.yaml:4: range: want a finite number, got .inf",
		head + "inputs:\n- {owner: a, file: a.npz, range: [nan, 1]}":                "job.yaml:4: range: want a finite number, got \"nan\"",
		head + "inputs:\n- {owner: a, file: a.npz, range: {x: [0, 1]}}":             `job.yaml:4: range: "x" is not the number of an argument`,
		head + "inputs:\n- {owner: a, file: a.npz, range: {1: 0}}":                  "job.yaml:4: range: want a list of two numbers, got 0",
		head + "inputs:\n- {owner: a, file: a.npz, range: {1: [0, 1], 01: [0, 1]}}": "job.yaml:4: range: argument 1 is given twice",
		head + "inputs:\n- {kept: m, arg: 0, range: [0, 1]}":                        "a kept input is {kept: NAME, arg: N}",
		head + "outputs: {reveal: [c]}":                                             `job.yaml:3: "c" cannot learn results`,
		head + "outputs: {reveal: [a, a]}":                                          "job.yaml:3: party a is named twice",
		head + "inputs:\n- {kept: m, owner: a, arg: 0}":                             "job.yaml:4: a kept input is {kept: NAME, arg: N}",
		head + "inputs:\n- {kept: m}":                                               "job.yaml:4: a kept input is {kept: NAME, arg: N}",
		head + "inputs:\n- {result: 1, owner: a, file: a.npz}":                      "job.yaml:4: a kept input is {kept: NAME, arg: N}",
		head + "inputs:\n- {public: true, resident: true, file: a.npz}":             "job.yaml:4: remove resident: a public input is always resident",
		head + "outputs: {directory: x}":                                            `outputs has no key "directory" (it has dir, keep, reveal)`,
		head + "expect: expected.npz":                                               `job.yaml:3: expect: want a mapping, got "expected.npz"`,
		head + "expect: {atol: 1}":                                                  "job.yaml:3: file is missing from expect",
		head + "expect: {file: e.npz, atol: -1}":                                    "atol: want a number, 0 or more, got -1",
		head + "expect: {file: e.npz, rtol: .inf}":                                  "rtol: want a number, 0 or more, got .inf",
		head + "expect: {file: e.npz, rtol: .nan}":                                  "rtol: want a number, 0 or more, got .nan",
		head + "set: [a]":               "job.yaml:3: set: want a mapping, got a list",
		head + "set: {a: [1]}":          "job.yaml:3: set: a: want a text or number, got a list",
		head + "set: {a: 1, a: 2}":      `job.yaml:3: key "a" is given twice`,
		head + "checkpoint: {every: 0}": "job.yaml:3: every: want 1 or more, got 0",
		head + "checkpoint: {}":         "job.yaml:3: checkpoint needs every",
		head + "checkpoint: 5":          "job.yaml:3: checkpoint: want a mapping, got 5",
		head + "programs: {p: [q]}":     "job.yaml:3: programs: p: want a text, got a list",
		head + "state: {x: 1}":          `job.yaml:3: state: "x" is not the number of an argument`,
		head + "state: {1: x}":          "job.yaml:3: state: 1: want a whole number, got \"x\"",
		head + "restart: never":         `job.yaml:3: restart: want always`,
		head + "restart: [always]":      "job.yaml:3: restart: want a text, got a list",
		head + "---\n" + head:           "job.yaml:4: a second document",
		"program: p\nparties: [a, a]":   "job.yaml:2: party a is named twice",
		"program: p\nparties: ['a b']":  `job.yaml:2: party name "a b"`,
		"program: p\nparties: [a, 3]":   "job.yaml:2: parties: want a text, got 3",
		strings.Repeat("[", 100):        "job.yaml:1: nested too deeply",
		strings.Repeat("- ", 200):       "job.yaml:1: nested too deeply",
		"program: p\n" + strings.Repeat("# long\n", yamlfile.MaxSize/len("# l")): "job.yaml: a job file has at most",
	} {
		_, err := parse("job.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: got %v, want %q", text, err, want)
		}
	}
}

func TestLoadMissingFile(t *testing.T) {
	_, err := Load("no/job.yaml")
	if err == nil || err.Error() != "no/job.yaml: cannot be read: no such file or directory" {
		t.Error(err)
	}
}

// fixtures lists the fixtures' job files, in the folder TACET_FIXTURES or beside this repository; none
// if there are none.
func fixtures(tb testing.TB) []string {
	dir := os.Getenv("TACET_FIXTURES")
	if dir == "" {
		dir = "../../shared/fixtures"
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "job.yaml"))
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

func FuzzLoadJob(f *testing.F) {
	f.Add([]byte(fullJob))
	for _, path := range fixtures(f) {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	const tables = "parties: [a, b]\ninputs:\n- {owner: a, table: a.csv}\n- {owner: b, table: b.csv}\njoin: {method: psi, on: [id, {a: x, b: y}]}\n"
	for _, task := range []string{
		"{fit: glm, family: tweedie, power: 1.5, target: b.y, features: [a.x, b.z], offset: b.o, weights: a.w, l2: 0.1, rows: 9, widths: {a.x: 3}}",
		"{fit: gbt, target: b.y, features: [a.x], trees: 2, depth: 3, bins: 8, rate: 0.1, subsample: 0.5}", "{fit: kmeans, features: [a.x], clusters: 3}",
		"{compute: stats, columns: [a.x], quantiles: [0.5, 0.9], fill: mean}", "{compute: predict, kept: x, features: [a.x], link: log, rows: 3}",
		"{compute: eval, score: a.x, target: b.y, metrics: [auc], thresholds: [0.5]}", "{compute: group, by: [a.x], values: [b.y], levels: {a.x: [u, v]}}",
	} {
		f.Add([]byte("task: " + task + "\n" + tables))
	}
	for _, text := range []string{"", "a: [", "x: &a [*a]", "? a\n: b", "!!map {}", "---\n...\n---", "a: |\n b\n", "\"\\x", "'"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		j, err := parse("job.yaml", text)
		if err == nil && (j.Program == "" && j.Task == nil || len(j.Parties) == 0) {
			t.Fatalf("accepted %q as %+v", text, j)
		}
	})
}
