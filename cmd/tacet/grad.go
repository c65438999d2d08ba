package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/grad"
	"github.com/tacet-mpc/tacet/yamlfile"
)

type gradCmd struct {
	Program   string `arg:"" name:"PROGRAM.mlir" help:"The program: StableHLO text, or a portable artifact of jax.export."`
	Wrt       []int  `required:"" placeholder:"N,N" help:"Differentiate with respect to these arguments, counted from 0."`
	Result    int    `default:"0" placeholder:"N" help:"Differentiate this result, a scalar such as a loss (default ${default})."`
	Cotangent bool   `help:"Take the result's cotangent, a tensor of its type, as a further argument; the result need not be a scalar then."`
	Forward   bool   `help:"Compute derivatives of all results along tangents, which are further arguments, one for each argument of --wrt."`
	Only      bool   `help:"Return the derivatives only, and not the program's results before them."`
	Memory    string `default:"1GiB" placeholder:"SIZE" help:"Compute a loop's iterations twice if keeping their values would take more memory than this (default ${default})."`
	Out       string `placeholder:"FILE.mlir" help:"Write the program to this file instead of standard output."`
}

// Help returns the text that --help appends.
func (*gradCmd) Help() string {
	return `The program that is written takes the same arguments, and returns the program's results followed by the derivatives. It can be run, planned and differentiated again.

Examples:

    tacet grad loss.mlir --wrt 1,2 --out step.mlir
    tacet grad step.mlir --wrt 1 --result 1 --cotangent
    tacet grad model.mlir --wrt 0 --forward --only`
}

// Run writes the derivative.
func (c *gradCmd) Run(a app) error {
	memory, ok := yamlfile.ParseSize(c.Memory)
	if !ok || memory < 1 {
		return badUsage{fmt.Errorf("--memory %s: not a size such as 512MiB or 2GiB", c.Memory)}
	}
	if c.Forward && (c.Cotangent || c.Result != 0) {
		return badUsage{errors.New("--forward differentiates all results: leave out --result and --cotangent")}
	}
	p, err := readProgram(a.ctx, c.Program)
	if err != nil {
		return err
	}
	differentiate := grad.Gradient
	if c.Forward {
		differentiate = grad.Tangents
	}
	d, err := differentiate(a.ctx, p, grad.Options{Wrt: c.Wrt, Result: c.Result, Cotangent: c.Cotangent, Only: c.Only, Memory: memory})
	var place *hlo.Error
	var use *grad.Error
	switch {
	case errors.As(err, &place):
		return badUsage{err}
	case errors.As(err, &use):
		return badUsage{fmt.Errorf("%s: %w", c.Program, err)}
	case err != nil:
		return err
	}
	if c.Out == "" {
		return d.Print(a.stdout)
	}
	var text bytes.Buffer
	if err := d.Print(&text); err != nil {
		return err
	}
	return durable.WriteFile(c.Out, text.Bytes(), 0o644)
}
