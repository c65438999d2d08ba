package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
)

// flags are the command line.
type flags struct {
	Jobs     []string      `arg:"" optional:"" name:"JOB" help:"What to run: names from below, or job files (.yaml); default all below."`
	Systems  []string      `default:"tacet,spu,crypten" placeholder:"LIST" help:"Systems beside one another (default ${default})."`
	Runs     int           `default:"5" placeholder:"N" help:"Timed runs of each, after one that is not (default ${default})."`
	Elements int           `placeholder:"N" help:"Of how many elements operations are; default as of tacet bench."`
	Out      []string      `placeholder:"FILE" help:"Write the table as well to a .csv or .md file; may be repeated."`
	Fixtures string        `env:"TACET_FIXTURES" placeholder:"DIR" help:"Folder of the jobs that are models (default: shared/fixtures beside the checkout)."`
	Python   string        `placeholder:"FILE" help:"CPython 3.10 or 3.11 for the others' environments; default what is found."`
	Cache    string        `placeholder:"DIR" help:"Where their environments are kept (default: the user's cache)."`
	Timeout  time.Duration `default:"10m" placeholder:"TIME" help:"Give up a run after this time (default ${default})."`
}

// Help is what --help adds.
func (flags) Help() string {
	var names []string
	for _, j := range jobs {
		names = append(names, j.name)
	}
	return `Needs this repository's checkout as working directory or above it, Go, CPython 3.10 or 3.11 with venv, and on first use a package index (about 0.6 GB on disk for SPU, 5 GB for CrypTen with torch). Linux on x86-64 is what SPU's wheels are for.

Jobs: ` + strings.Join(names, ", ") + `.

Examples, from bench/peers:

    go run . mul relu --systems tacet,spu
    go run . resnet18 gpr --runs 7 --out results.md --out results.csv
    go run . ../../examples/digits/job.yaml`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the process at once
	err := execute(ctx, os.Stdout, os.Stderr, os.Args[1:])
	if err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "peers: error:", err)
	if errors.As(err, new(badUsage)) {
		os.Exit(2)
	}
	os.Exit(1)
}

// badUsage is an error of the one who called.
type badUsage struct{ error }

func execute(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	var f flags
	parser, err := kong.New(&f, kong.Name("peers"),
		kong.Description("Runs the same jobs with Tacet, SPU and CrypTen in turns, and prints times, ratios, traffic and memory."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Writers(stdout, stderr))
	if err != nil {
		panic(err) // a mistake in the struct tags above
	}
	if _, err := parser.Parse(args); err != nil {
		return badUsage{fmt.Errorf("%w (see --help)", err)}
	}
	if err := f.check(); err != nil {
		return badUsage{err}
	}
	todo, err := f.choose()
	if err != nil {
		return badUsage{err}
	}
	return f.run(ctx, stdout, stderr, todo)
}

// check finds mistakes before there is work that they would waste.
func (f flags) check() error {
	switch {
	case f.Runs < 1:
		return fmt.Errorf("--runs: want 1 or more, got %d", f.Runs)
	case f.Elements < 0:
		return fmt.Errorf("--elements: want 1 or more, got %d", f.Elements)
	case f.Timeout <= 0:
		return fmt.Errorf("--timeout: want a time above 0, got %v", f.Timeout)
	}
	for i, s := range f.Systems {
		if !slices.Contains(systems, s) {
			return fmt.Errorf("--systems: no system %q (there are %s)", s, strings.Join(systems, ", "))
		}
		if slices.Contains(f.Systems[:i], s) {
			return fmt.Errorf("--systems: %s stands there twice", s)
		}
	}
	for _, name := range f.Out {
		if formatOf(name) == nil {
			return fmt.Errorf("--out: want a file that ends in .csv or .md, got %s", name)
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return fmt.Errorf("--out: %s is in no folder that is there", name)
		}
	}
	return nil
}

// choose gives the jobs that are asked for.
func (f flags) choose() ([]job, error) {
	if len(f.Jobs) == 0 {
		return jobs, nil
	}
	var out []job
	for _, name := range f.Jobs {
		if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
			out = append(out, job{name: name, args: []string{name}})
			continue
		}
		i := slices.IndexFunc(jobs, func(j job) bool { return j.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no job %q (--help lists them; a job file ends in .yaml)", name)
		}
		out = append(out, jobs[i])
	}
	return out, nil
}

// run measures, and prints rows as they come.
func (f flags) run(ctx context.Context, stdout, stderr io.Writer, todo []job) error {
	w, err := f.workshop(ctx, stderr)
	if err != nil {
		return err
	}
	defer w.close()
	var t table
	err = t.heading(stdout)
	for i := 0; i < len(todo) && err == nil; i++ {
		var rows []row
		rows, err = w.measure(ctx, todo[i])
		for _, r := range rows {
			t = append(t, r)
			err = errors.Join(err, r.print(stdout))
		}
	}
	for _, name := range f.Out { // what there is, of an interrupted run too
		err = errors.Join(err, t.save(name))
	}
	return err
}
