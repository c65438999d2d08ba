package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// systems are the supported systems.
var systems = []string{"tacet", "spu", "crypten"}

// runner is the environment in which jobs are measured.
type runner struct {
	dir         string // temporary folder with the scripts of drivers
	tacet       string // path of the built command
	fixtures    string
	interpreter map[string]string // path of the Python interpreter by system
	missing     map[string]error  // reason why a system is unavailable, by system
	systems     []string
	runs        int
	elements    int
	limit       time.Duration // time limit of one run
	progress    func(string)
}

// newRunner builds Tacet and installs the other systems. A system that cannot be installed is
// recorded in missing and is no error.
func (f flags) newRunner(ctx context.Context, stderr io.Writer) (*runner, error) {
	w := &runner{
		interpreter: map[string]string{}, missing: map[string]error{},
		fixtures: f.Fixtures, systems: f.Systems, runs: f.Runs, elements: f.Elements, limit: f.Timeout,
		progress: func(text string) { fmt.Fprintln(stderr, "peers:", text) },
	}
	root, err := checkout()
	if err != nil {
		return nil, badUsage{err}
	}
	if w.fixtures == "" {
		w.fixtures = filepath.Join(root, "..", "shared", "fixtures")
	}
	if w.dir, err = os.MkdirTemp("", "tacet-peers-"); err != nil {
		return nil, err
	}
	scripts, err := fs.Sub(drivers, "drivers")
	if err == nil {
		err = os.CopyFS(w.dir, scripts)
	}
	if err == nil {
		err = w.build(ctx, root)
	}
	if err != nil {
		w.close()
		return nil, err
	}
	for _, s := range w.systems {
		if s == "tacet" {
			continue
		}
		if w.interpreter[s], err = f.environment(ctx, s, w.progress); err != nil {
			w.missing[s] = err
			w.progress(fmt.Sprintf("%s is unavailable: %v", s, err))
		}
		if ctx.Err() != nil {
			w.close()
			return nil, errors.New("interrupted")
		}
	}
	return w, nil
}

func (w *runner) close() { os.RemoveAll(w.dir) }

// checkout returns the root of this repository: the working directory or a folder above it.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		text, _ := os.ReadFile(filepath.Join(at, "go.mod")) // a file that cannot be read does not match
		if strings.HasPrefix(string(text), "module github.com/tacet-mpc/tacet\n") {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is not in a checkout of Tacet (run this in one: cd bench/peers; go run .)", dir)
		}
	}
}

func (w *runner) build(ctx context.Context, root string) error {
	w.progress("building tacet")
	w.tacet = filepath.Join(w.dir, "tacet")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", w.tacet, "./cmd/tacet")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build tacet: %w: %s", err, explanation(string(out)))
	}
	return nil
}

// task writes a job for other systems to a folder and returns the folder.
func (w *runner) task(ctx context.Context, j job, args []string) (string, error) {
	into, err := os.MkdirTemp(w.dir, "task-")
	if err != nil {
		return "", err
	}
	args = append(append([]string{"bench"}, args...), "--export", into)
	cmd := exec.CommandContext(ctx, w.tacet, args...)
	said := new(tail)
	cmd.Stderr = said
	out, err := cmd.Output()
	if err != nil {
		return "", errors.New(explanation(said.String()))
	}
	dir := strings.TrimSpace(string(out))
	text, err := os.ReadFile(filepath.Join(dir, "program.mlir"))
	if err != nil {
		return "", err
	}
	program, err := j.portable(string(text))
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "program.mlir"), []byte(program), 0o666)
}

// start starts a system's driver for a job. args are the job's arguments for tacet bench, folder is
// its task for the other systems.
func (w *runner) start(ctx context.Context, system string, j job, args []string, folder string) (*driver, error) {
	if err := w.missing[system]; err != nil {
		return nil, err
	}
	if system == "tacet" {
		return start(ctx, slices.Concat([]string{w.tacet, "bench", "--step"}, args), ofTacet)
	}
	command := []string{w.interpreter[system], filepath.Join(w.dir, "run_"+system+".py"), folder}
	if system == "spu" {
		command = append(command, j.spu...)
	}
	return start(ctx, command, ofScript)
}
