package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"

	"github.com/tacet-mpc/tacet/jsonlimit"
)

// InputTypes describes an input of a node's party without its values.
type InputTypes struct {
	Name   string      `json:"name"` // name by which policies know the input
	Arrays []ArrayType `json:"arrays,omitempty"`
	Table  *TableType  `json:"table,omitempty"` // of an input that is a table, which has no Arrays
}

// TableType describes a table without its values.
type TableType struct {
	Rows    int          `json:"rows"` // number of rows
	Columns []ColumnType `json:"columns"`
}

// ColumnType describes a column of a table, without its values.
type ColumnType struct {
	Name string `json:"name"`
	Kind string `json:"kind"` // integer, float, boolean, category, date or string
	// Levels are the values of a category that its owner has declared; nil for other columns.
	Levels []string `json:"levels,omitempty"`
	// Features are the names of the features that the owner's preparation makes of the column, if they follow from the
	// declaration alone; nil for columns without a preparation.
	Features []string `json:"features,omitempty"`
}

// ArrayType is the element type and the shape of one array of an input.
type ArrayType struct {
	Name  string `json:"name,omitempty"` // arg0, arg1, …; "" in a file of one array
	Type  string `json:"type"`           // as programs write it: tensor<4x3xf32>
	Shape []int  `json:"shape"`
	DType string `json:"dtype"` // such as f32
}

// CheckSize returns an error if clients would refuse the description as too long: of a table with very many columns, levels or
// features, or of a file with very many arrays.
func (t *InputTypes) CheckSize() error {
	text, err := json.Marshal(t)
	if err == nil && len(text) > maxStatus {
		err = fmt.Errorf("%d bytes, and at most %d are told", len(text), maxStatus)
	}
	if err == nil {
		err = jsonlimit.Check(text, jsonlimit.Of(maxStatusStructure))
	}
	if err == nil {
		return nil
	}
	columns := 0
	if t.Table != nil {
		columns = len(t.Table.Columns)
	}
	return fmt.Errorf("its description is too long (%w): it has %d columns and %d arrays", err, columns, len(t.Arrays))
}

// InputTypes returns the types of the arrays, or the schema of the table, in the named input of the node's party: an
// entry of its catalogue or a file of its data folders. The node's policy decides who may call it.
func (c *Client) InputTypes(ctx context.Context, name string) (InputTypes, error) {
	return ask[InputTypes](ctx, c, http.MethodGet, "/v1/inputs?"+url.Values{"name": {name}}.Encode(), nil)
}
