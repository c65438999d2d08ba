package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/onnx"
)

type importCmd struct {
	Model   string            `arg:"" name:"MODEL.onnx" help:"The model. Tensors with external data are read from its folder."`
	Shape   map[string]string `placeholder:"INPUT=1x3x8x8" help:"Shape of an input; repeatable. Inputs whose shape the file fixes need none."`
	Dim     map[string]string `placeholder:"NAME=8" help:"Size of a dimension that the file names, such as batch; repeatable."`
	Value   map[string]string `placeholder:"INPUT=16000" help:"Make an input a constant of the program, which all parties see: its elements in row-major order, separated by commas, or one for all; repeatable."`
	Output  []string          `placeholder:"NAME" help:"Return this value of the graph instead of the graph's outputs, such as the features before the last layer; repeatable."`
	Owner   string            `placeholder:"NAME" help:"Party that holds the model's weights."`
	Parties []string          `placeholder:"NAMES" default:"alice,bob" help:"All parties in rank order (default ${default}). The first one that is not the owner holds the inputs."`
	Out     string            `placeholder:"DIR" help:"Folder for program.mlir, weights.npz and job.yaml (default: the model's name)."`
	Inputs  bool              `help:"Only print the model's inputs, with the sizes that the file leaves open, as JSON."`
	JSON    bool              `name:"json" help:"Print what was written as JSON."`
}

// Help returns the text that --help appends.
func (*importCmd) Help() string {
	return `Written are program.mlir (StableHLO), weights.npz (the owner's arguments) and job.yaml. The other party's inputs are arg0, arg1, … of inputs.npz, in the order of the model's inputs; tacet run then runs the job.

A job file also takes the model itself: program: model.onnx, shapes: {x: 1x3x8x8}, values: {sr: 16000}, and {owner: bob, file: model.onnx} as the input with the weights.

Examples:

    tacet import model.onnx --shape x=1x3x224x224 --owner bob
    tacet import model.onnx --dim batch=4 --owner bob --out model
    tacet import speech.onnx --shape input=1x576 --value sr=16000 --owner bob
    tacet plan model/job.yaml`
}

// parseShapes reads the values of --shape.
func parseShapes(flags map[string]string) (map[string][]int, error) {
	if len(flags) == 0 {
		return nil, nil
	}
	out := map[string][]int{}
	for name, text := range flags {
		shape, err := onnx.ParseShape(text)
		if err != nil {
			return nil, badUsage{fmt.Errorf("--shape %s: %w", name, err)}
		}
		out[name] = shape
	}
	return out, nil
}

// Run imports the model.
func (c *importCmd) Run(a app) error {
	if c.Inputs {
		return c.printInputs(a)
	}
	o := onnx.Options{Dims: map[string]int{}, Outputs: c.Output, Numbers: c.Value}
	var err error
	if o.Shapes, err = parseShapes(c.Shape); err != nil {
		return err
	}
	for name, text := range c.Dim {
		n, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return badUsage{fmt.Errorf("--dim %s: want a size, got %q", name, text)}
		}
		o.Dims[name] = int(n)
	}
	other, err := c.other()
	if err != nil {
		return badUsage{err}
	}
	f, err := onnx.Open(c.Model)
	if err != nil {
		return badUsage{err}
	}
	defer f.Close()
	m, err := f.Import(o)
	if err != nil {
		return badUsage{err}
	}
	dir := c.Out
	if dir == "" {
		dir = strings.TrimSuffix(filepath.Base(c.Model), filepath.Ext(c.Model))
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "program.mlir"), m.Program.Text, 0o644); err != nil {
		return err
	}
	if len(m.Weights) > 0 {
		if err := m.WriteWeights(filepath.Join(dir, "weights.npz")); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "job.yaml"), []byte(c.job(m, other)), 0o644); err != nil {
		return err
	}
	return c.print(a, m, dir, other)
}

// writeJSON prints a value as JSON.
func writeJSON(w io.Writer, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", text)
	return err
}

// printInputs prints the model's inputs.
func (c *importCmd) printInputs(a app) error {
	f, err := onnx.Open(c.Model)
	if err != nil {
		return badUsage{err}
	}
	defer f.Close()
	return writeJSON(a.stdout, f.Declared())
}

// named is an argument or a result for --json.
type named struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
}

// imported is what --json prints. Arguments are the inputs and then the weights.
type imported struct {
	Inputs  []named  `json:"inputs"`
	Weights []named  `json:"weights"`
	Results []named  `json:"results"`
	Notes   []string `json:"notes"`
}

func described(m *onnx.Imported) imported {
	out := imported{Inputs: []named{}, Weights: []named{}, Results: []named{}, Notes: append([]string{}, m.Notes...)}
	for _, in := range m.Inputs {
		out.Inputs = append(out.Inputs, named{in.Name, in.Type.DType.String(), in.Type.Shape})
	}
	for _, w := range m.Weights {
		out.Weights = append(out.Weights, named{w.Name, w.Type.DType.String(), w.Type.Shape})
	}
	for _, r := range m.Outputs {
		out.Results = append(out.Results, named{r.Name, r.Type.DType.String(), r.Type.Shape})
	}
	return out
}

// other is the party that holds the inputs.
func (c *importCmd) other() (string, error) {
	if c.Owner == "" {
		return "", errors.New("--owner is missing: the party that holds the model's weights, such as --owner bob")
	}
	if !slices.Contains(c.Parties, c.Owner) {
		return "", fmt.Errorf("--owner %s: no such party (--parties %s)", c.Owner, strings.Join(c.Parties, ","))
	}
	for _, p := range c.Parties {
		if p != c.Owner {
			return p, nil
		}
	}
	return "", errors.New("--parties: name another party, which holds the inputs")
}

// job is the text of the job file.
func (c *importCmd) job(m *onnx.Imported, other string) string {
	list := func(from, n int) string {
		args := make([]string, n)
		for i := range args {
			args[i] = strconv.Itoa(from + i)
		}
		return "[" + strings.Join(args, ", ") + "]"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "program: program.mlir\nparties: [%s]\ninputs:\n", strings.Join(c.Parties, ", "))
	if n := len(m.Inputs); n > 0 {
		fmt.Fprintf(&b, "  - {owner: %s, file: inputs.npz, args: %s}\n", other, list(0, n))
	}
	if n := len(m.Weights); n > 0 {
		fmt.Fprintf(&b, "  - {owner: %s, file: weights.npz, args: %s}\n", c.Owner, list(len(m.Inputs), n))
	}
	fmt.Fprintf(&b, "outputs: {reveal: [%s], dir: out}\n", other)
	return b.String()
}

// print says what was written and what is missing.
func (c *importCmd) print(a app, m *onnx.Imported, dir, other string) error {
	if c.JSON {
		return writeJSON(a.stdout, described(m))
	}
	var b strings.Builder
	elements := 0
	for _, w := range m.Weights {
		elements += w.Type.Shape.Size()
	}
	fmt.Fprintf(&b, "%s: program.mlir, job.yaml", dir)
	if len(m.Weights) > 0 {
		fmt.Fprintf(&b, ", weights.npz (%d arrays, %d numbers of %s)", len(m.Weights), elements, c.Owner)
	}
	b.WriteString("\n")
	for i, in := range m.Inputs {
		fmt.Fprintf(&b, "input  arg%d %s %s: %s puts it into %s\n", i, in.Name, in.Type, other, filepath.Join(dir, "inputs.npz"))
	}
	for i, out := range m.Outputs {
		fmt.Fprintf(&b, "result out%d %s %s\n", i, out.Name, out.Type)
	}
	for _, note := range m.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	_, err := fmt.Fprint(a.stdout, b.String())
	return err
}
