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

// systems are all there are.
var systems = []string{"tacet", "spu", "crypten"}

// workshop is what jobs are measured with.
type workshop struct {
	dir         string // for this run, with the scripts of drivers in it
	tacet       string // the command
	fixtures    string
	interpreter map[string]string // by system
	missing     map[string]error  // why a system is not there
	systems     []string
	runs        int
	elements    int
	limit       time.Duration // of one turn
	progress    func(string)
}

// workshop builds Tacet and installs the others. One that is not to be had is
// missing, and no error.
func (f flags) workshop(ctx context.Context, stderr io.Writer) (*workshop, error) {
	w := &workshop{
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
			w.progress(fmt.Sprintf("without %s: %v", s, err))
		}
		if ctx.Err() != nil {
			w.close()
			return nil, errors.New("interrupted")
		}
	}
	return w, nil
}

func (w *workshop) close() { os.RemoveAll(w.dir) }

// checkout is this repository's root: the working directory or one above.
func checkout() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for at := dir; ; at = filepath.Dir(at) {
		text, _ := os.ReadFile(filepath.Join(at, "go.mod")) // none is like another's
		if strings.HasPrefix(string(text), "module github.com/tacet-mpc/tacet\n") {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("%s is in no checkout of Tacet (run this from one: cd bench/peers; go run .)", dir)
		}
	}
}

func (w *workshop) build(ctx context.Context, root string) error {
	w.progress("building tacet")
	w.tacet = filepath.Join(w.dir, "tacet")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", w.tacet, "./cmd/tacet")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build tacet: %w: %s", err, telling(string(out)))
	}
	return nil
}

// task writes a job to a folder that other systems can run, and gives the
// folder.
func (w *workshop) task(ctx context.Context, j job, args []string) (string, error) {
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
		return "", errors.New(telling(said.String()))
	}
	dir := strings.TrimSpace(string(out))
	text, err := os.ReadFile(filepath.Join(dir, "program.mlir"))
	if err != nil {
		return "", err
	}
	program, err := j.forOthers(string(text))
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "program.mlir"), []byte(program), 0o666)
}

// start starts a system's driver of a job: args name it to tacet, folder to
// the others.
func (w *workshop) start(ctx context.Context, system string, j job, args []string, folder string) (*driver, error) {
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
