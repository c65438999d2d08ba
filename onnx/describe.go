package onnx

import "github.com/tacet-mpc/tacet/onnx/model"

// Declared describes an input of the graph by what the file says about it.
type Declared struct {
	Name string `json:"name"`
	Type string `json:"type"` // element type as ONNX names it; "" if the input is no tensor
	// Shape has a size, the name of a size, or nil for each dimension. It is nil if the file does not say it.
	Shape []any `json:"shape"`
}

// Declared describes the graph's inputs, in the graph's order, without those for which the file has an initialiser.
func (f *File) Declared() []Declared {
	held := map[string]bool{}
	for _, t := range f.Model.Graph.Initializers {
		held[t.Name] = true
	}
	out := []Declared{}
	for _, in := range f.Model.Graph.Inputs {
		if held[in.Name] {
			continue
		}
		d := Declared{Name: in.Name}
		if in.Type.Kind == model.TensorKind {
			d.Type = model.ElemName(in.Type.Elem)
		}
		if in.Type.Ranked {
			d.Shape = []any{}
		}
		for _, size := range in.Type.Dims {
			switch {
			case size.Param != "":
				d.Shape = append(d.Shape, size.Param)
			case size.Size >= 0:
				d.Shape = append(d.Shape, size.Size)
			default:
				d.Shape = append(d.Shape, nil)
			}
		}
		out = append(out, d)
	}
	return out
}
