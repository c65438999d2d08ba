package gbt

import (
	"errors"
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Prediction predicts with a revealed model for rows whose columns several parties have. Each party computes in
// cleartext, for each row, the leaves that its own columns do not exclude, as a vector of 0 and 1; the product of the
// parties' vectors is secret.
type Prediction struct {
	Parties []string // in rank order
	Model   *Model
	// Columns are the parties' columns by rank, and by names of the model's features.
	Columns []map[string][]float64
	Rows    int
}

// Spec returns the spec of a run whose one result is the vector of predictions: all parties compute, and all learn it.
// The caller may set protocol and network. It returns an error if columns and model do not fit.
func (p *Prediction) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: 64, Fraction: 18, Parties: p.Parties, Computing: len(p.Parties), Network: party.DefaultNetwork}
	if p.Rows < 1 || p.Rows > maxRows {
		return spec, fmt.Errorf("the tables have %d rows; predictions are for 1 to %d", p.Rows, maxRows)
	}
	if err := p.Model.Check(); err != nil {
		return spec, err
	}
	used, _ := p.Model.Used()
	for _, name := range used {
		owners := 0
		for _, c := range p.Columns {
			if values, ok := c[name]; ok {
				if owners++; len(values) != p.Rows {
					return spec, fmt.Errorf("%s has %d rows, and other columns have %d", name, len(values), p.Rows)
				}
			}
		}
		if owners != 1 {
			return spec, fmt.Errorf("the model has the feature %s, which %d parties have", name, owners)
		}
	}
	b := build.New("predict")
	leaves := len(p.Model.Trees) << p.Model.Depth
	var possible build.Value
	for rank, columns := range p.Columns {
		spec.Reveal = append(spec.Reveal, rank)
		if len(columns) == 0 && (rank < len(p.Columns)-1 || len(spec.Args) > 0) {
			continue
		}
		first := len(spec.Args) == 0
		data := tensor.NewArray(tensor.Type{DType: tensor.I32, Shape: tensor.Shape{leaves, p.Rows}})
		p.possible(data.Data.([]int32), columns, first)
		spec.Args = append(spec.Args, party.Arg{Owner: rank, Data: data})
		v := b.Arg(fmt.Sprintf("leaves%d", rank), tensor.I32, leaves, p.Rows)
		if !first {
			v = b.Mul(possible, v)
		}
		possible = v
	}
	score := b.Mul(b.Convert(b.Sum(possible, 0), tensor.F64), math.Ldexp(1, -leafFraction))
	b.Return(b.Sigmoid(score))
	var err error
	spec.Program, err = b.Program()
	return spec, err
}

// possible writes 1, or the leaf's value, for each leaf of each tree and row that no split on the columns excludes.
func (p *Prediction) possible(to []int32, columns map[string][]float64, value bool) {
	per := 1 << p.Model.Depth
	reach := make([]bool, 2*per-1)
	for t, tree := range p.Model.Trees {
		for row := range p.Rows {
			reach[0] = true
			for i, n := range tree.Nodes {
				left, right := reach[i], reach[i]
				if n.Feature == "" {
					right = false
				} else if values, own := columns[n.Feature]; own {
					above := values[row] > n.Threshold
					left, right = left && !above, right && above
				}
				reach[2*i+1], reach[2*i+2] = left, right
			}
			for leaf := range per {
				if !reach[per-1+leaf] {
					continue
				}
				x := int32(1)
				if value {
					x = int32(math.Round(math.Ldexp(tree.Leaves[leaf], leafFraction)))
				}
				to[(t*per+leaf)*p.Rows+row] = x
			}
		}
	}
}

// Check returns an error for a model that no training makes, such as one of a file that was changed.
func (m *Model) Check() error {
	if m.Kind != KindName || m.Depth < 1 || m.Depth > maxDepth || len(m.Trees) == 0 || len(m.Trees) > maxTrees {
		return errors.New("it is no model of trees that tacet gbt wrote")
	}
	largest := 0.0
	for i, t := range m.Trees {
		if len(t.Leaves) != 1<<m.Depth || len(t.Nodes) != len(t.Leaves)-1 {
			return fmt.Errorf("tree %d is not complete with depth %d", i, m.Depth)
		}
		most := 0.0
		for _, x := range t.Leaves {
			most = max(most, math.Abs(x))
		}
		largest += most
	}
	if !(largest < 1<<(30-leafFraction)) {
		return fmt.Errorf("the leaves' values are too large: scores are below %d", 1<<(30-leafFraction))
	}
	return nil
}

// Outputs returns one text for each thing that a run reveals: the predictions.
func (p *Prediction) Outputs() []string { return []string{"prediction of each row"} }

// Results returns one text for each result of the program, in order, that says what the result is.
func (p *Prediction) Results() []string { return p.Outputs() }
