package main

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
)

type inspectCmd struct {
	Program string            `arg:"" name:"PROGRAM.mlir" help:"The program: StableHLO text, a portable artifact of jax.export, or an ONNX model."`
	Shape   map[string]string `placeholder:"INPUT=1x3x8x8" help:"Shape of an ONNX model's input; repeatable."`
	Job     string            `placeholder:"JOB.yaml" help:"A job file, for the owners of arguments. Without one all arguments are secret."`
}

// Help returns the text that --help appends.
func (*inspectCmd) Help() string {
	return `A value is public, known to one party (named by rank), or secret. Computations on public values, or on one party's inputs alone, cost nothing.

Examples:

    tacet inspect program.mlir
    tacet inspect program.mlir --job job.yaml
    tacet inspect model.onnx --shape x=1x3x224x224`
}

// Run lists the program.
func (c *inspectCmd) Run(a app) error {
	shapes, err := parseShapes(c.Shape)
	if err != nil {
		return err
	}
	p, err := jobProgram(a.ctx, &job.Job{Program: c.Program, Shapes: shapes})
	if err != nil {
		return err
	}
	var args []hlo.Visibility
	if c.Job != "" {
		if args, err = visibilities(c.Job, p); err != nil {
			return badUsage{err}
		}
	}
	return p.Inspect(a.stdout, args)
}

// visibilities returns the visibility of each argument of the program in a job.
func visibilities(path string, p *hlo.Program) ([]hlo.Visibility, error) {
	j, err := job.Load(path)
	if err != nil {
		return nil, err
	}
	spec, err := j.PlanSpec(p)
	if err != nil {
		return nil, err
	}
	args := make([]hlo.Visibility, len(spec.Args))
	for i, arg := range spec.Args {
		args[i] = hlo.Public
		if arg.Owner != party.Public {
			args[i] = hlo.OwnerLocal(arg.Owner)
		}
	}
	return args, nil
}
