package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/onnx/fitted"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/profile"
)

type exportCmd struct {
	Model string `arg:"" name:"MODEL.json" help:"The model: a file that tacet glm, lr or gbt wrote with --out."`
	Out   string `placeholder:"FILE.onnx" help:"Write the ONNX model to this file (default: the model's name with .onnx)."`
	JSON  bool   `name:"json" help:"Print the ONNX model's inputs and output as JSON."`
}

// Help returns the text that --help appends.
func (*exportCmd) Help() string {
	return `The ONNX model predicts in cleartext what tacet predict predicts on shares. Each column is an input of type double and shape rows × 1, with the name that it has in the model, such as alice.age, or bob.region=north for a column that is 1 in rows of this level and 0 in others. The output prediction is of shape rows × 1: the mean of a fit, the probability of trees. Columns that were prepared (standardise, one_hot, …) are inputs as they were prepared.

Examples:

    tacet glm --alice telematics.csv --bob policies.csv --on id --target claims --features age,km --family poisson --out model.json
    tacet export model.json
    tacet export trees.json --out trees.onnx`
}

// exported is what the command prints as JSON.
type exported struct {
	File   string   `json:"file"`
	Inputs []string `json:"inputs"`
	Output string   `json:"output"`
}

// Run writes the model.
func (c *exportCmd) Run(a app) error {
	if c.Out == "" {
		c.Out = strings.TrimSuffix(c.Model, filepath.Ext(c.Model)) + ".onnx"
	}
	m, err := c.model()
	if err != nil {
		return err
	}
	if err := profile.Save(c.Out, m.Encode()); err != nil {
		return err
	}
	x := exported{File: c.Out, Output: m.Graph.Outputs[0].Name}
	for _, v := range m.Graph.Inputs {
		x.Inputs = append(x.Inputs, v.Name)
	}
	if c.JSON {
		return encode(a.stdout, x)
	}
	fmt.Fprintf(a.stdout, "%s: inputs %s; output %s\n", x.File, strings.Join(x.Inputs, ", "), x.Output)
	return nil
}

// model reads the model, and makes it one of ONNX.
func (c *exportCmd) model() (*model.Model, error) {
	trees, err := job.ReadTrees(c.Model)
	if err != nil {
		return nil, err
	}
	var m *model.Model
	if trees != nil {
		m, err = fitted.Trees(trees)
	} else {
		fit, wrong := job.ReadFit(c.Model)
		if wrong != nil {
			return nil, fmt.Errorf("%w (models of glm, lr and gbt can be exported)", wrong)
		}
		m, err = fitted.GLM(fit)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Model, err)
	}
	return m, nil
}
