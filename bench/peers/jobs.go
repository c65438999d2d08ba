package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// job is what all systems run.
type job struct {
	name string
	// args name it to tacet bench; of a fixture they are nil, and its folder's
	// name is the job's.
	args []string
	spu  []string // settings, as its driver takes them
	// approximate is a program to run in place of Tacet's, by systems that lack
	// one of its operations.
	approximate string
}

var jobs = []job{
	{name: "mul", args: []string{"mul"}},
	{name: "less", args: []string{"less"}},
	{name: "relu", args: []string{"relu"}},
	{name: "exp", args: []string{"exp"}, spu: []string{"fxp_exp_mode=EXP_PADE"}}, // its default is off by 0.008
	{name: "reciprocal", args: []string{"reciprocal"}},
	{name: "rsqrt", args: []string{"rsqrt"}},
	{name: "log", args: []string{"log"}},
	{name: "sigmoid", args: []string{"sigmoid"}},
	{name: "gelu", args: []string{"gelu"}, approximate: "gelu.mlir"}, // with erfc, SPU takes four times as long
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

// arguments are what tacet bench is called with.
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

// square is an operation that only JAX's newer versions print.
var square = regexp.MustCompile(`chlo\.square (%[\w#]+) : (\S+) -> \S+`)

// elements is how a program's vectors name their length.
var elements = regexp.MustCompile(`tensor<(\d+)xf64>`)

// forOthers is a job's program as other systems read it: text is Tacet's.
func (j job) forOthers(text string) (string, error) {
	if j.approximate == "" {
		return square.ReplaceAllString(text, "stablehlo.multiply $1, $1 : $2"), nil
	}
	n := elements.FindStringSubmatch(text)
	if n == nil {
		return "", fmt.Errorf("program of %s is not of one vector", j.name)
	}
	instead, err := programs.ReadFile("programs/" + j.approximate)
	return strings.ReplaceAll(string(instead), "ELEMENTS", n[1]), err
}
