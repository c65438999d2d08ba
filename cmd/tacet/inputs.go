package main

import "fmt"

// inputsCmd shows the types of an input's arrays at a node.
type inputsCmd struct {
	clusterFlag
	Name string `arg:"" name:"INPUT" help:"An entry of the node's catalogue, or a file of its data folders."`
	Node string `required:"" placeholder:"NAME" help:"The node of the party that owns the input."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Help returns the text that --help appends.
func (*inputsCmd) Help() string {
	return `Programs are made for element types and shapes: a submitter who does not know those of a party's input asks its node. The node answers its admins, and submitters of a rule of its policy that lists the input and has describe: true. Data does not leave the node.

Examples:

    tacet inputs patients.npy --node alice
    tacet inputs patients.npy --node alice --json`
}

// Run asks the node.
func (c *inputsCmd) Run(a app) error {
	nodes, err := c.connect()
	if err != nil {
		return err
	}
	types, err := nodes.InputTypes(a.ctx, c.Node, c.Name)
	if err != nil {
		return err
	}
	if c.JSON {
		return encode(a.stdout, types)
	}
	for _, t := range types.Arrays {
		name := types.Name
		if t.Name != "" {
			name += ", " + t.Name
		}
		if _, err := fmt.Fprintf(a.stdout, "%s: %s\n", name, t.Type); err != nil {
			return err
		}
	}
	return nil
}
