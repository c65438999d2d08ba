package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// job is a job for all systems.
type job struct {
	name string
	// args are the arguments of tacet bench. They are nil for a fixture, whose folder is named like
	// the job.
	args []string
	spu  []string // settings for SPU's driver
	// approximate is the file of a program for systems that lack an operation of the job's program,
	// "" if none is needed.
	approximate string
}

var jobs = []job{
	{name: "mul", args: []string{"mul"}},
	{name: "less", args: []string{"less"}},
	{name: "relu", args: []string{"relu"}},
	{name: "exp", args: []string{"exp"}, spu: []string{"fxp_exp_mode=EXP_PADE"}}, // SPU's default has an error of 0.008
	{name: "reciprocal", args: []string{"reciprocal"}},
	{name: "rsqrt", args: []string{"rsqrt"}},
	{name: "log", args: []string{"log"}},
	{name: "sigmoid", args: []string{"sigmoid"}},
	{name: "gelu", args: []string{"gelu"}, approximate: "gelu.mlir"}, // with erfc SPU takes four times as long
	{name: "sort", args: []string{"sort"}},
	{name: "matmul-1024", args: []string{"matmul-1024"}},
	{name: "matmul-1024-ring-128", args: []string{"matmul-1024", "--ring", "128"}},
	{name: "resnet18"},
	{name: "transformer-block"},
	{name: "bert-tiny-like"},
	{name: "kmeans"},
	{name: "gpr"},
	{name: "logreg-train"},
	{name: "glm-poisson"},
	{name: "gcn-train"},
}

// arguments returns the arguments of tacet bench for the job.
func (j job) arguments(fixtures string, elements int) ([]string, error) {
	args := j.args
	if args == nil {
		file := filepath.Join(fixtures, j.name, "job.yaml")
		if _, err := os.Stat(file); err != nil {
			return nil, fmt.Errorf("there is no %s (say where with --fixtures)", file)
		}
		args = []string{file}
	}
	if elements > 0 {
		args = append(args[:len(args):len(args)], "--elements", fmt.Sprint(elements))
	}
	return args, nil
}

//go:embed programs
var programs embed.FS

// square matches an operation that only newer versions of JAX print.
var square = regexp.MustCompile(`chlo\.square (%[\w#]+) : (\S+) -> \S+`)

// elements matches the type of a vector and captures its length.
var elements = regexp.MustCompile(`tensor<(\d+)xf64>`)

// portable converts Tacet's program text of the job for other systems.
func (j job) portable(text string) (string, error) {
	if j.approximate == "" {
		return square.ReplaceAllString(text, "stablehlo.multiply $1, $1 : $2"), nil
	}
	n := elements.FindStringSubmatch(text)
	if n == nil {
		return "", fmt.Errorf("program of %s has no vector argument", j.name)
	}
	instead, err := programs.ReadFile("programs/" + j.approximate)
	return strings.ReplaceAll(string(instead), "ELEMENTS", n[1]), err
}
