package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain runs the tests. If the environment variable FAKE is set, it instead imitates tacet bench
// or the interpreter of a script.
func TestMain(m *testing.M) {
	switch os.Getenv("FAKE") {
	case "":
		os.Exit(m.Run())
	case "silent":
		time.Sleep(time.Minute)
	}
	fake(os.Args[1:])
}

func fake(args []string) {
	if i := slices.Index(args, "--export"); i >= 0 {
		dir := filepath.Join(args[i+1], "task")
		if args[1] == "broken" {
			fmt.Fprintln(os.Stderr, "tacet: error: no operation")
			os.Exit(2)
		}
		if err := os.MkdirAll(dir, 0o777); err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "program.mlir"), []byte("chlo.square %0 : t -> t"), 0o666); err != nil {
			panic(err)
		}
		fmt.Println(dir)
		return
	}
	run := 0
	for s := bufio.NewScanner(os.Stdin); s.Scan(); run++ {
		switch name := filepath.Base(args[0]); {
		case name == "bench":
			fmt.Printf(`{"online_seconds":{"min":%d},"offline_seconds":{"min":1},"bytes_sent":10,"rounds":4,"peak_memory_bytes":2048}`+"\n", 1+run)
		case name == "run_spu.py":
			if program, _ := os.ReadFile(filepath.Join(args[1], "program.mlir")); string(program) != "stablehlo.multiply %0, %0 : t" {
				panic(string(program))
			}
			fmt.Printf(`{"seconds":%d,"bytes":20,"messages":9,"peak_memory_bytes":4096,"max_abs_error":0.5}`+"\n", 12*(1+run))
		case run == 2: // the second timed run
			fmt.Fprintln(os.Stderr, "line 1\nfatal error: out of paper\nline 3")
			os.Exit(7)
		default:
			fmt.Println(`{"seconds":1}`)
		}
	}
}

// imitatedRunner returns a runner of imitated systems.
func imitatedRunner(t *testing.T) *runner {
	t.Setenv("FAKE", "1")
	return &runner{
		dir: t.TempDir(), tacet: os.Args[0], systems: systems, runs: 2, limit: time.Minute,
		interpreter: map[string]string{"spu": os.Args[0], "crypten": os.Args[0]},
		missing:     map[string]error{}, progress: func(string) {},
	}
}

func TestMeasure(t *testing.T) {
	w := imitatedRunner(t)
	rows, err := w.measure(context.Background(), job{name: "mul", args: []string{"mul"}})
	if err != nil {
		t.Fatal(err)
	}
	tacet, spu, crypten := rows[0], rows[1], rows[2]
	if got := tacet.seconds(); got != (spread{2, 2.5, 3}) || tacet.offline().max != 1 || tacet.bytes() != 10 || tacet.rounds() != 4 ||
		tacet.memory() != 2048 ||
		tacet.maxError() != nil ||
		tacet.online != nil {
		t.Errorf("tacet: %v, %+v", got, tacet)
	}
	if !slices.Equal(spu.online, []float64{12, 12}) || !slices.Equal(spu.total, []float64{8, 9}) || spu.messages() != 9 ||
		*spu.maxError() != 0.5 {
		t.Errorf("spu: %+v", spu)
	}
	if crypten.failed != "ended: exit status 7: fatal error: out of paper" || crypten.samples != nil {
		t.Errorf("crypten: %+v", crypten)
	}
}

// TestNotRun: every system that cannot run a job has the reason in its row.
func TestNotRun(t *testing.T) {
	w := imitatedRunner(t)
	w.missing["spu"] = fmt.Errorf("not installed")
	for _, c := range []struct {
		j    job
		want []string
	}{
		{job{name: "mul", args: []string{"mul"}}, []string{"", "not installed", "ended: exit status 7: fatal error: out of paper"}},
		{job{name: "broken", args: []string{"broken"}}, []string{"tacet: error: no operation", "tacet: error: no operation", "tacet: error: no operation"}},
		{job{name: "resnet"}, slices.Repeat([]string{"there is no resnet/job.yaml (say where with --fixtures)"}, 3)},
	} {
		rows, err := w.measure(context.Background(), c.j)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rows {
			if r.failed != c.want[i] {
				t.Errorf("%s with %s: %q", c.j.name, r.system, r.failed)
			}
		}
	}
}

func TestSilentDriver(t *testing.T) {
	t.Setenv("FAKE", "silent")
	d, err := start(context.Background(), []string{os.Args[0]}, ofScript)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.runOnce(context.Background(), time.Millisecond); err == nil || err.Error() != "no answer within 1ms" {
		t.Errorf("%v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	if d, err = start(ctx, []string{os.Args[0]}, ofScript); err != nil {
		t.Fatal(err)
	}
	stop()
	if _, err := d.runOnce(ctx, time.Minute); err == nil {
		t.Error("a run that was interrupted succeeded")
	}
	d.close()
	if _, err := start(context.Background(), []string{filepath.Join(t.TempDir(), "none")}, ofScript); err == nil {
		t.Error("a program that is not there was started")
	}
}

func TestSamples(t *testing.T) {
	for _, c := range []struct {
		decode func([]byte) (sample, error)
		line   string
		err    string
	}{
		{ofTacet, `{"online_seconds":{"min":1,"max":2}}`, ""},
		{ofTacet, `tacet`, "row cannot be read"},
		{ofScript, `{"seconds":1.5}`, ""},
		{ofScript, `{"error":"no such operation"}`, "no such operation"},
		{ofScript, `{}`, "answer without seconds: {}"},
		{ofScript, `[`, "answer cannot be read"},
	} {
		s, err := c.decode([]byte(c.line))
		if c.err == "" && (err != nil || s.seconds == 0) || c.err != "" && (err == nil || !strings.HasPrefix(err.Error(), c.err)) {
			t.Errorf("%s: %+v, %v", c.line, s, err)
		}
	}
}

func TestTail(t *testing.T) {
	for said, want := range map[string]string{
		"":                                "",
		"one\ntwo\n":                      "two",
		"E\nValueError: x\n  at y\nend\n": "ValueError: x",
		strings.Repeat("é", 200):          strings.Repeat("é", 150) + "…",
	} {
		if got := explanation(said); got != want {
			t.Errorf("%q of %q", got, said)
		}
	}
	var b tail
	for range 3 {
		if n, err := b.Write(make([]byte, tailBytes-1)); n != tailBytes-1 || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(b.String()) != tailBytes {
		t.Errorf("%d bytes are kept", len(b.String()))
	}
}
