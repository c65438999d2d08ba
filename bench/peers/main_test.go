package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--runs 0", "--runs: want 1 or more, got 0"},
		{"--elements=-1", "--elements: want 1 or more, got -1"},
		{"--timeout 0s", "--timeout: want a time above 0, got 0s"},
		{"--systems tacet,spy", `--systems: no system "spy" (there are tacet, spu, crypten)`},
		{"--systems spu,spu", "--systems: spu is listed twice"},
		{"--out a.txt", "--out: want a file that ends in .csv or .md, got a.txt"},
		{"--out none/a.md", "--out: the folder of none/a.md does not exist"},
		{"mull", `no job "mull" (--help lists them; a job file ends in .yaml)`},
		{"--fast", "unknown flag --fast (see --help)"},
	} {
		var out strings.Builder
		err := execute(context.Background(), &out, &out, strings.Fields(c.args))
		if _, is := err.(badUsage); !is || err.Error() != c.want {
			t.Errorf("%s: %v", c.args, err)
		}
	}
}

func TestChoose(t *testing.T) {
	got, err := flags{Jobs: []string{"gpr", "a/job.yaml", "mul"}}.choose()
	if err != nil || len(got) != 3 || got[0].name != "gpr" || got[1].args[0] != "a/job.yaml" || got[2].args[0] != "mul" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := (flags{}).choose(); err != nil || len(got) != len(jobs) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestArguments(t *testing.T) {
	fixtures := t.TempDir()
	file := filepath.Join(fixtures, "gpr", "job.yaml")
	if err := os.Mkdir(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got, err := (job{name: "gpr"}).arguments(fixtures, 0); err != nil || !slices.Equal(got, []string{file}) {
		t.Error(got, err)
	}
	if got, err := (job{name: "x", args: []string{"mul"}}).arguments(fixtures, 20); err != nil || !slices.Equal(got, []string{"mul", "--elements", "20"}) {
		t.Error(got, err)
	}
}

// TestForOthers: programs for other systems contain none of the operations that they lack, and
// vectors of Tacet's length.
func TestForOthers(t *testing.T) {
	got, err := job{}.portable("  %1 = chlo.square %0#1 : tensor<2xf32> -> tensor<2xf32>\n  %2 = chlo.erf %1 : tensor<2xf32> -> tensor<2xf32>")
	if want := "  %1 = stablehlo.multiply %0#1, %0#1 : tensor<2xf32>\n  %2 = chlo.erf %1 : tensor<2xf32> -> tensor<2xf32>"; err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
	for _, j := range jobs {
		if j.approximate == "" {
			continue
		}
		got, err := j.portable("func.func public @main(%x0: tensor<77xf64>)")
		if err != nil || !strings.Contains(got, "@main(%x: tensor<77xf64>) -> tensor<77xf64>") || strings.Contains(got, "ELEMENTS") {
			t.Errorf("%s: %s, %v", j.name, got, err)
		}
		if _, err := j.portable("func.func public @main()"); err == nil {
			t.Errorf("%s: of no vector", j.name)
		}
	}
}

// TestEnvironment: an environment is created once, and an error says why it could not be created.
func TestEnvironment(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh to imitate Python with")
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	python := func(name, version, pip string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		script := "#!/bin/sh\n" +
			"if [ \"$1\" = -c ]; then echo '" + version + "'; exit; fi\n" +
			"if [ \"$2\" = venv ]; then mkdir -p \"$3/bin\" && cp \"$0\" \"$3/bin/python\"; exit; fi\n" +
			"echo \"$@\" >> " + log + "\n" + pip + "\n"
		if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var said []string
	progress := func(text string) { said = append(said, text) }
	ctx := context.Background()

	f := flags{Python: python("old", "CPython 3.8", ""), Cache: filepath.Join(dir, "cache")}
	if _, err := f.environment(ctx, "spu", progress); err == nil || !strings.Contains(err.Error(), "want CPython 3.10 or 3.11") || !strings.Contains(err.Error(), "old is CPython 3.8") {
		t.Errorf("%v", err)
	}
	f.Python = filepath.Join(dir, "none")
	if _, err := f.environment(ctx, "spu", progress); err == nil || !strings.Contains(err.Error(), "none runs") {
		t.Errorf("%v", err)
	}
	f.Python = python("offline", "CPython 3.11", "echo 'WARNING: retrying\nERROR: No matching distribution found for spu\n' >&2; exit 1")
	if _, err := f.environment(ctx, "spu", progress); err == nil || !strings.HasPrefix(err.Error(), "not installed: ERROR: No matching distribution found for spu (python -m pip") {
		t.Errorf("%v", err)
	}
	if len(said) != 1 {
		t.Errorf("%q", said)
	}

	f.Python = python("good", "CPython 3.10", "")
	for range 2 {
		got, err := f.environment(ctx, "crypten", progress)
		if err != nil || !strings.HasPrefix(got, filepath.Join(f.Cache, "crypten-3.10-")) {
			t.Fatalf("%s, %v", got, err)
		}
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "--no-deps crypten=="); len(said) != 2 || n != 1 {
		t.Errorf("%q, %s", said, text)
	}
}

func TestCheckout(t *testing.T) {
	root, err := checkout()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "cmd", "tacet")); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	if _, err := checkout(); err == nil || !strings.Contains(err.Error(), "is not in a checkout of Tacet") {
		t.Errorf("%v", err)
	}
}

// TestScripts: the drivers are valid Python.
func TestScripts(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 to read the drivers with")
	}
	files, err := filepath.Glob("drivers/*.py")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if out, err := exec.Command(python, "-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", f).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", f, err, out)
		}
	}
}
