package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/table"
)

// inputsCmd shows the types of an input's arrays, or a table's columns, at a node or of a file.
type inputsCmd struct {
	clusterFlag
	Name    string   `arg:"" name:"INPUT" help:"With --node an entry of the node's catalogue, or a file of its data folders; else a file: CSV, Parquet or arrays."`
	Node    string   `placeholder:"NAME" help:"The node of the party that owns the input. Default: none, a file of this machine."`
	Columns []string `placeholder:"COLUMN,…" help:"Of a table's file: the columns that are read. Default: all."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

// Help returns the text that --help appends.
func (*inputsCmd) Help() string {
	return `Programs are made for element types and shapes, and tasks for columns and numbers of rows: a submitter who does not know those of a party's input asks its node. The node answers its admins, and submitters of a rule of its policy that lists the input and has describe: true. Of a table it tells the number of rows, names and kinds of columns, and levels and features that its catalogue declares. Data does not leave the node. Without --node the file is one of this machine.

Examples:

    tacet inputs patients.npy --node alice
    tacet inputs customers --node alice --json
    tacet inputs customers.csv`
}

// Run asks the node, or reads the file.
func (c *inputsCmd) Run(a app) error {
	types, err := c.types(a)
	if err != nil {
		return err
	}
	if c.JSON {
		return encode(a.stdout, types)
	}
	if t := types.Table; t != nil {
		fmt.Fprintf(a.stdout, "%s: table of %d rows and %d columns\n", types.Name, t.Rows, len(t.Columns))
		for _, col := range t.Columns {
			line := fmt.Sprintf("  %s: %s", col.Name, col.Kind)
			if col.Levels != nil {
				line += " of " + strings.Join(col.Levels, ", ")
			}
			if col.Features != nil {
				line += ", prepared as " + strings.Join(col.Features, ", ")
			}
			fmt.Fprintln(a.stdout, line)
		}
		return nil
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

// types returns the types of the input.
func (c *inputsCmd) types(a app) (api.InputTypes, error) {
	none := api.InputTypes{}
	if c.Node != "" {
		if c.Columns != nil {
			return none, badUsage{errors.New("--columns is for files: a node tells the columns that its catalogue lists")}
		}
		nodes, err := c.connect()
		if err != nil {
			return none, err
		}
		return nodes.InputTypes(a.ctx, c.Node, c.Name)
	}
	out := api.InputTypes{Name: filepath.Base(c.Name)}
	if slices.Contains(table.Extensions, filepath.Ext(c.Name)) {
		var err error
		if out.Table, err = node.TableType(c.Name, job.Table{Options: table.Options{Columns: c.Columns}}); err != nil {
			return none, badUsage{err}
		}
		return out, nil
	}
	if c.Columns != nil {
		return none, badUsage{fmt.Errorf("%s is no table, so that it has no --columns (a table's file name ends with %s)", c.Name, strings.Join(table.Extensions, ", "))}
	}
	arrays, err := job.FileTypes(c.Name)
	if err != nil {
		return none, badUsage{fmt.Errorf("%s: %w", out.Name, err)}
	}
	for _, t := range arrays {
		out.Arrays = append(out.Arrays, api.ArrayType{Name: t.Name, Type: t.Type.String(), Shape: t.Type.Shape, DType: t.Type.DType.String()})
	}
	return out, nil
}
