// Package fitted makes ONNX models of models that were fitted to tables and revealed, for programs that predict in cleartext. It sees
// what was revealed, and no shares.
//
// An input of the ONNX model is a column of numbers, of shape rows × 1 and type double, with the name of a coefficient or feature:
// PARTY.COLUMN, or PARTY.COLUMN=LEVEL for a column that is 1 in rows of this level and 0 in others. Rows are a dimension without size.
// Columns that a declared preparation made (prepared in the metadata) are those that it made. The only output, prediction, is of shape
// rows × 1.
package fitted

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

// Names of the graph's values: features are the columns side by side, and score is what the last function is applied to.
const (
	features   = "features"
	score      = "score"
	prediction = "prediction"
	ml         = "ai.onnx.ml" // the domain of trees
)

// inverses are the operators that compute the mean from the linear predictor, by link.
var inverses = map[glm.Link]string{glm.Identity: "Identity", glm.Log: "Exp", glm.Logit: "Sigmoid", glm.Inverse: "Reciprocal"}

// GLM returns the ONNX model of a fit: the mean of the target of each row. Its offset is an input too. Numbers are of type double. It
// returns an error if the fit has no features.
func GLM(r *glm.Result) (*model.Model, error) {
	inverse, ok := inverses[r.Link]
	if !ok {
		return nil, fmt.Errorf("the model has link %q, which is none", r.Link)
	}
	var names []string
	var weights []float64
	constant := 0.0
	for i, c := range r.Coefficients {
		if i == 0 && c.Name == "const" {
			constant = c.Value
			continue
		}
		names, weights = append(names, c.Name), append(weights, c.Value)
	}
	if len(names) == 0 {
		return nil, errors.New("the model has no features: its prediction is the same for all rows")
	}
	w := &writer{}
	w.columns(names)
	w.constant("weights", []int64{int64(len(weights)), 1}, weights)
	w.constant("const", []int64{1}, []float64{constant})
	w.node("MatMul", "", []string{features, "weights"}, "products")
	last, linear := "products", []string{"const"}
	if r.Offset != "" {
		linear = append(linear, w.input(r.Offset))
	}
	for i, term := range linear {
		out := fmt.Sprintf("sum%d", i)
		if i == len(linear)-1 {
			out = score
		}
		w.node("Add", "", []string{last, term}, out)
		last = out
	}
	w.node(inverse, "", []string{score}, prediction)
	return w.model("glm", tensor.F64, r.Prepared, map[string]string{"family": string(r.Family), "link": string(r.Link)})
}

// Trees returns the ONNX model of trees: the probability of each row, of type float, since the operator has results of that type. Features
// and thresholds are compared as doubles. It returns an error if no tree has a split, or if no training makes the model (gbt.Model.Check).
func Trees(m *gbt.Model) (*model.Model, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	names, _ := m.Used()
	if len(names) == 0 {
		return nil, errors.New("no tree has a split: the prediction is the same for all rows")
	}
	place := map[string]int64{}
	for i, name := range names {
		place[name] = int64(i)
	}
	var f forest
	f.unmatchedLeft = m.Join != ""
	for i := range m.Trees {
		f.tree(int64(i), &m.Trees[i], place)
	}
	w := &writer{}
	w.columns(names)
	w.node("TreeEnsembleRegressor", ml, []string{features}, score, f.attributes()...)
	w.node("Sigmoid", "", []string{score}, prediction)
	return w.model(gbt.KindName, tensor.F32, m.Prepared, nil)
}

// forest has the lists that TreeEnsembleRegressor reads: of nodes, and of leaves.
type forest struct {
	trees, nodes, features, yes, no []int64
	modes                           []string
	thresholds                      []float64
	leafTrees, leafNodes            []int64
	leaves                          []float64
	unmatchedLeft                   bool // rows of a left join without a match, whose columns are missing, go left
}

// tree adds a tree. Positions at which all rows go left are left out.
func (f *forest) tree(number int64, t *gbt.Tree, place map[string]int64) {
	count := int64(0)
	var add func(at int) int64
	add = func(at int) int64 {
		for at < len(t.Nodes) && t.Nodes[at].Feature == "" {
			at = 2*at + 1
		}
		i, id := len(f.nodes), count
		count++
		f.trees, f.nodes, f.features = append(f.trees, number), append(f.nodes, id), append(f.features, 0)
		f.yes, f.no, f.modes, f.thresholds = append(f.yes, 0), append(f.no, 0), append(f.modes, "LEAF"), append(f.thresholds, 0)
		if at >= len(t.Nodes) {
			f.leafTrees, f.leafNodes, f.leaves = append(f.leafTrees, number), append(f.leafNodes, id), append(f.leaves, t.Leaves[at-len(t.Nodes)])
			return id
		}
		n := t.Nodes[at]
		f.modes[i], f.features[i], f.thresholds[i] = "BRANCH_LEQ", place[n.Feature], n.Threshold
		f.yes[i] = add(2*at + 1)
		f.no[i] = add(2*at + 2)
		return id
	}
	add(0)
}

// attributes returns the operator's attributes.
func (f *forest) attributes() []*model.Attr {
	ints := func(name string, list []int64) *model.Attr {
		return &model.Attr{Name: name, Type: model.AttrInts, Ints: list}
	}
	numbers := func(name string, list []float64) *model.Attr {
		return &model.Attr{Name: name, Type: model.AttrTensor, Tensor: model.Doubles(name, []int64{int64(len(list))}, list)}
	}
	out := []*model.Attr{
		{Name: "n_targets", Type: model.AttrInt, Int: 1},
		{Name: "aggregate_function", Type: model.AttrString, String: "SUM"},
		ints("nodes_treeids", f.trees), ints("nodes_nodeids", f.nodes), ints("nodes_featureids", f.features),
		{Name: "nodes_modes", Type: model.AttrStrings, Strings: f.modes},
		numbers("nodes_values_as_tensor", f.thresholds),
		ints("nodes_truenodeids", f.yes), ints("nodes_falsenodeids", f.no),
		ints("target_treeids", f.leafTrees), ints("target_nodeids", f.leafNodes), ints("target_ids", make([]int64, len(f.leaves))),
		numbers("target_weights_as_tensor", f.leaves),
	}
	if f.unmatchedLeft {
		left := make([]int64, len(f.nodes))
		for i := range left {
			left[i] = 1
		}
		out = append(out, ints("nodes_missing_value_tracks_true", left))
	}
	return out
}

// writer makes a graph.
type writer struct {
	g     model.Graph
	wrong error // a number that is not finite
}

// column is the type of an input or output: rows × 1.
func column(d tensor.DType) model.Type {
	return model.Type{Kind: model.TensorKind, Elem: model.Elem(d), Ranked: true, Dims: []model.Dim{{Size: -1, Param: "rows"}, {Size: 1}}}
}

// input adds an input and returns its name.
func (w *writer) input(name string) string {
	w.g.Inputs = append(w.g.Inputs, &model.Value{Name: name, Type: column(tensor.F64)})
	return name
}

// columns adds an input for each name, and puts them side by side.
func (w *writer) columns(names []string) {
	for _, name := range names {
		w.input(name)
	}
	w.node("Concat", "", names, features, &model.Attr{Name: "axis", Type: model.AttrInt, Int: 1})
}

func (w *writer) constant(name string, dims []int64, numbers []float64) {
	for _, x := range numbers {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			w.wrong = fmt.Errorf("the model has a coefficient of %v", x)
		}
	}
	w.g.Initializers = append(w.g.Initializers, model.Doubles(name, dims, numbers))
}

func (w *writer) node(op, domain string, in []string, out string, attrs ...*model.Attr) {
	w.g.Nodes = append(w.g.Nodes, &model.Node{Name: out, Op: op, Domain: domain, Inputs: in, Outputs: []string{out}, Attrs: attrs})
}

// model returns the model of the graph, whose output is of type d. An input must not have the name of another value.
func (w *writer) model(kind string, d tensor.DType, prepared []string, metadata map[string]string) (*model.Model, error) {
	made := map[string]bool{}
	for _, n := range w.g.Nodes {
		made[n.Outputs[0]] = true
	}
	for _, t := range w.g.Initializers {
		made[t.Name] = true
	}
	for _, v := range w.g.Inputs {
		if made[v.Name] {
			return nil, fmt.Errorf("a column is called %q, as another value of the ONNX model or another column is", v.Name)
		}
		made[v.Name] = true
	}
	w.g.Name = kind
	w.g.Outputs = []*model.Value{{Name: prediction, Type: column(d)}}
	// Operator sets and format that onnxruntime has read since 2021: double thresholds are of set 3 of ai.onnx.ml.
	m := &model.Model{IR: 8, Producer: "tacet", Opsets: map[string]int64{"": 15, ml: 3}, Graph: &w.g, Metadata: map[string]string{"model": kind}}
	for key, value := range metadata {
		m.Metadata[key] = value
	}
	if len(prepared) > 0 {
		list, err := json.Marshal(prepared)
		if err != nil {
			return nil, err
		}
		m.Metadata["prepared"] = string(list)
	}
	return m, w.wrong
}
