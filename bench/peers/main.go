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
	Jobs     []string      `arg:"" optional:"" name:"JOB" help:"Jobs to run: names from the list below, or job files (.yaml). Default: all of the list."`
	Systems  []string      `default:"tacet,spu,crypten" placeholder:"LIST" help:"Systems to compare (default ${default})."`
	Runs     int           `default:"5" placeholder:"N" help:"Timed runs of each system, after one untimed run (default ${default})."`
	Elements int           `placeholder:"N" help:"Number of elements of operations (default as in tacet bench)."`
	Out      []string      `placeholder:"FILE" help:"Also write the table to a .csv or .md file; may be repeated."`
	Fixtures string        `env:"TACET_FIXTURES" placeholder:"DIR" help:"Folder of the jobs that are models (default: ../shared/fixtures relative to the checkout)."`
	Python   string        `placeholder:"FILE" help:"CPython 3.10 or 3.11 for the environments of SPU and CrypTen (default: searched in PATH)."`
	Cache    string        `placeholder:"DIR" help:"Folder of these environments (default: in the user's cache)."`
	Timeout  time.Duration `default:"10m" placeholder:"TIME" help:"Abort a run after this time (default ${default})."`
}

// Help returns the text that --help adds.
func (flags) Help() string {
	var names []string
	for _, j := range jobs {
		names = append(names, j.name)
	}
	return `Run it from inside a checkout of this repository. It needs Go, CPython 3.10 or 3.11 with venv, and on first use a package index (about 0.6 GB on disk for SPU, 5 GB for CrypTen with torch). SPU's wheels are for Linux on x86-64.

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

// badUsage is an error in the command line.
type badUsage struct{ error }

func execute(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	var f flags
	parser, err := kong.New(&f, kong.Name("peers"),
		kong.Description("Runs the same jobs with Tacet, SPU and CrypTen in alternation, and prints times, ratios, traffic and memory."),
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

// check validates the flags before any work starts.
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
			return fmt.Errorf("--systems: %s is listed twice", s)
		}
	}
	for _, name := range f.Out {
		if formatOf(name) == nil {
			return fmt.Errorf("--out: want a file that ends in .csv or .md, got %s", name)
		}
		if info, err := os.Stat(filepath.Dir(name)); err != nil || !info.IsDir() {
			return fmt.Errorf("--out: the folder of %s does not exist", name)
		}
	}
	return nil
}

// choose returns the jobs named on the command line, or all.
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

// run measures the jobs and prints each row as soon as it is measured.
func (f flags) run(ctx context.Context, stdout, stderr io.Writer, todo []job) error {
	w, err := f.newRunner(ctx, stderr)
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
	for _, name := range f.Out { // also the partial table of an interrupted run
		err = errors.Join(err, t.save(name))
	}
	return err
}
