package api

import (
	"context"
	"net/http"
	"net/url"
)

// InputTypes has the types of the arrays in an input of a node's party.
type InputTypes struct {
	Name   string      `json:"name"` // name by which policies know the input
	Arrays []ArrayType `json:"arrays"`
}

// ArrayType is the type of one array of an input.
type ArrayType struct {
	Name  string `json:"name,omitempty"` // arg0, arg1, …; "" in a file of one array
	Type  string `json:"type"`           // as programs write it: tensor<4x3xf32>
	Shape []int  `json:"shape"`
	DType string `json:"dtype"` // such as f32
}

// InputTypes returns the types of the arrays in an input of the node's party: an entry of its catalogue or a file of its
// data folders. The node's policy says who may ask.
func (c *Client) InputTypes(ctx context.Context, name string) (InputTypes, error) {
	return ask[InputTypes](ctx, c, http.MethodGet, "/v1/inputs?"+url.Values{"name": {name}}.Encode(), nil)
}
