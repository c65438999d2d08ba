package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed drivers
var drivers embed.FS

// withoutDependencies lists packages to install without their dependencies: CrypTen depends on packages that only
// its examples use, one of which can no longer be installed.
var withoutDependencies = map[string]string{"crypten": "crypten==0.4.1"}

// python returns a Python interpreter for which SPU has wheels, and its version.
func (f flags) python(ctx context.Context) (path, version string, err error) {
	candidates := []string{"python3.11", "python3.10", "python3", "python"}
	if f.Python != "" {
		candidates = []string{f.Python}
	}
	var found []string
	for _, name := range candidates {
		out, err := exec.CommandContext(ctx, name, "-c", "import platform, sys, venv, ensurepip; print(platform.python_implementation(), '%d.%d' % sys.version_info[:2])").Output()
		if err != nil {
			continue
		}
		switch text := strings.TrimSpace(string(out)); text {
		case "CPython 3.10", "CPython 3.11":
			return name, strings.TrimPrefix(text, "CPython "), nil
		default:
			found = append(found, name+" is "+text)
		}
	}
	if found == nil {
		found = []string{"none of " + strings.Join(candidates, ", ") + " runs with modules venv and ensurepip"}
	}
	return "", "", fmt.Errorf("want CPython 3.10 or 3.11, the versions of SPU's wheels: %s (install one and name it with --python)", strings.Join(found, ", "))
}

// environment returns the interpreter of a system's Python environment. It creates the environment
// if there is none for the current requirements.
func (f flags) environment(ctx context.Context, system string, progress func(string)) (string, error) {
	requirements, err := drivers.ReadFile("drivers/" + system + ".txt")
	if err != nil {
		return "", err
	}
	python, version, err := f.python(ctx)
	if err != nil {
		return "", err
	}
	cache := f.Cache
	if cache == "" {
		if cache, err = os.UserCacheDir(); err != nil {
			return "", fmt.Errorf("%w (name a folder with --cache)", err)
		}
		cache = filepath.Join(cache, "tacet", "peers")
	}
	if cache, err = filepath.Abs(cache); err != nil {
		return "", err
	}
	sum := sha256.Sum256(append(requirements, version+withoutDependencies[system]...))
	dir := filepath.Join(cache, fmt.Sprintf("%s-%s-%x", system, version, sum[:4]))
	interpreter := filepath.Join(dir, "bin", "python")
	complete := filepath.Join(dir, "complete")
	if _, err := os.Stat(complete); err == nil {
		return interpreter, nil
	}
	progress(fmt.Sprintf("installing %s into %s (once)", system, dir))
	if err := os.RemoveAll(dir); err != nil { // remains of an interrupted installation
		return "", err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	list := filepath.Join(dir, "requirements.txt")
	if err := os.WriteFile(list, requirements, 0o666); err != nil {
		return "", err
	}
	pip := []string{interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:"}
	steps := [][]string{{python, "-m", "venv", dir}, append(pip[:len(pip):len(pip)], "--requirement", list)}
	if p := withoutDependencies[system]; p != "" {
		steps = append(steps, append(pip[:len(pip):len(pip)], "--no-deps", p))
	}
	for _, s := range steps {
		if err := installation(ctx, s); err != nil {
			return "", err
		}
	}
	return interpreter, os.WriteFile(complete, nil, 0o666)
}

// installation runs one step of an installation. Its error contains the step's output.
func installation(ctx context.Context, args []string) error {
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &said, &said
	err := cmd.Run()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return errors.New("interrupted")
	}
	return fmt.Errorf("not installed: %s (%s %s: %w; check that a package index can be reached; pip's settings such as PIP_INDEX_URL apply)", explanation(said.String()), filepath.Base(args[0]), strings.Join(args[1:3], " "), err)
}
