package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tacet-mpc/tacet/cluster/local"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"tacet": main})
}

// TestScripts runs the command as users do. Besides testscript's own commands the scripts have:
//
//	exits CODE COMMAND ARGS...      run, and compare the exit code
//	npy FILE ARRAY                  write an .npy file
//	npz FILE NAME=ARRAY...          write an .npz file
//	holds FILE ARRAY [TOLERANCE]    compare an .npy file
//	damage DIR                      change the last byte of the longest file
//	costs FILE TYPE                 print a profile's functions: own and cumulative values of a type
//
// ARRAY is TYPE:SHAPE:VALUES, such as f32:2x2:1,2,3,4 or i1::1. The folder of the examples is
// $EXAMPLES, that of serialised JAX programs is $ARTIFACTS, that of ONNX models $MODELS.
func TestScripts(t *testing.T) {
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	artifacts, err := filepath.Abs("../../hlo/testdata/artifact")
	if err != nil {
		t.Fatal(err)
	}
	models, err := filepath.Abs("../../onnx/testdata/models")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("ARTIFACTS", artifacts)
			env.Setenv("MODELS", models)
			env.Defer(func() { // a script that fails may leave a cluster running
				if _, err := local.Down(filepath.Join(env.WorkDir, "cluster"), time.Second); err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Error(err)
				}
			})
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"npy":    makeNPY,
			"npz":    makeNPZ,
			"holds":  holds,
			"damage": damage,
			"costs":  costs,
		},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d\nstderr: %s", got, want, ts.ReadFile("stderr"))
	}
}

// costs prints what go tool pprof -top would print.
func costs(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: costs FILE TYPE")
	}
	f, err := os.Open(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	p, err := profile.Parse(f)
	ts.Check(err)
	ts.Check(p.CheckValid())
	at := slices.IndexFunc(p.SampleType, func(t *profile.ValueType) bool { return t.Type == args[1] })
	if at < 0 {
		ts.Fatalf("no sample type %s", args[1])
	}
	own, all := map[*profile.Function]int64{}, map[*profile.Function]int64{}
	for _, s := range p.Sample {
		seen := map[*profile.Function]bool{}
		for i, l := range s.Location {
			f := l.Line[0].Function
			if i == 0 {
				own[f] += s.Value[at]
			}
			if !seen[f] {
				all[f] += s.Value[at]
			}
			seen[f] = true
		}
	}
	for _, f := range p.Function {
		fmt.Fprintln(ts.Stdout(), own[f], all[f], f.Name, f.Filename)
	}
}

func makeNPY(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: npy FILE ARRAY")
	}
	var b bytes.Buffer
	ts.Check(npy.Write(&b, parseArray(ts, args[1])))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}

func makeNPZ(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: npz FILE NAME=ARRAY...")
	}
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, arg := range args[1:] {
		name, array, _ := strings.Cut(arg, "=")
		w, err := z.Create(name + ".npy")
		ts.Check(err)
		ts.Check(npy.Write(w, parseArray(ts, array)))
	}
	ts.Check(z.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}

func holds(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: holds FILE ARRAY [TOLERANCE]")
	}
	tolerance := 0.0
	if len(args) == 3 {
		var err error
		tolerance, err = strconv.ParseFloat(args[2], 64)
		ts.Check(err)
	}
	text := ts.ReadFile(args[0])
	r, err := npy.NewReader(strings.NewReader(text), int64(len(text)))
	ts.Check(err)
	got, err := r.Array()
	ts.Check(err)
	want := parseArray(ts, args[1])
	if !got.Type.Equal(want.Type) {
		ts.Fatalf("%s is %v, want %v", args[0], got.Type, want.Type)
	}
	if _, off := job.Compare([]*tensor.Array{got}, []*tensor.Array{want}, tolerance, 0); off != nil {
		ts.Fatalf("%s: %v", args[0], off)
	}
}

func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: damage DIR")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var longest []byte
	path := ""
	for _, e := range entries {
		b, err := os.ReadFile(filepath.Join(ts.MkAbs(args[0]), e.Name()))
		ts.Check(err)
		if len(b) > len(longest) {
			longest, path = b, filepath.Join(ts.MkAbs(args[0]), e.Name())
		}
	}
	longest[len(longest)-1] ^= 1
	ts.Check(os.WriteFile(path, longest, 0o600))
}

// parseArray reads TYPE:SHAPE:VALUES.
func parseArray(ts *testscript.TestScript, text string) *tensor.Array {
	parts := strings.SplitN(text, ":", 3)
	if len(parts) != 3 {
		ts.Fatalf("%q is not TYPE:SHAPE:VALUES", text)
	}
	d, err := tensor.ParseDType(parts[0])
	ts.Check(err)
	shape := tensor.Shape{}
	for _, n := range split(parts[1], "x") {
		size, err := strconv.Atoi(n)
		ts.Check(err)
		shape = append(shape, size)
	}
	var floats []float64
	var words []uint64
	for _, s := range split(parts[2], ",") {
		v, err := strconv.ParseFloat(s, 64)
		ts.Check(err)
		floats, words = append(floats, v), append(words, uint64(int64(v)))
	}
	if len(floats) != shape.Size() {
		ts.Fatalf("%q has %d values", text, len(floats))
	}
	if d.IsFloat() {
		return tensor.FromFloats(d, shape, floats)
	}
	return tensor.FromWords(d, shape, words)
}

func split(s, sep string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, sep)
}
