package glm

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Prediction predicts with a revealed model for rows whose columns several parties have. Each party computes its part
// of the linear predictor in cleartext; the sum of the parts is secret.
type Prediction struct {
	Parties []string    // in rank order
	Parts   [][]float64 // by rank; nil: none
	Link    Link
	// Rows and Absent are for a process that does not have all parts: Rows is the number of rows, 0 for that of Parts, and
	// Absent lists the ranks of the parties whose parts another process has. Their arguments have no data.
	Rows   int
	Absent []int
}

// maxLogPart bounds parts of two parties for link log: the exponential of their sum fits the ring.
const maxLogPart = 28.0

// Mean adds to b the inverse of the link function: it returns the means μ for linear predictors eta.
func Mean(b *build.Builder, link Link, eta build.Value) build.Value {
	switch link {
	case Logit:
		return b.Sigmoid(eta)
	case Log:
		return b.Exp(eta)
	case Inverse:
		return b.Div(b.Const(tensor.F64, 1.0), eta)
	}
	return eta
}

// Spec returns the spec of a run whose one result is the vector of predictions: all parties compute, and all learn it.
// The caller may set protocol and network. It returns an error if parts and rows do not fit.
func (p *Prediction) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: ring, Fraction: fraction, Parties: p.Parties, Computing: len(p.Parties), Network: party.DefaultNetwork}
	b := build.New("predict")
	rows := p.Rows
	var eta build.Value
	for rank, part := range p.Parts {
		spec.Reveal = append(spec.Reveal, rank)
		a := party.Arg{Owner: rank}
		switch {
		case part != nil:
			if rows == 0 {
				rows = len(part)
			}
			if len(part) != rows {
				return spec, fmt.Errorf("the part of %s has %d rows, and that of another party %d", p.Parties[rank], len(part), rows)
			}
			for i, x := range part {
				if p.Link == Log && math.Abs(x) > maxLogPart {
					return spec, fmt.Errorf("row %d: the part of %s is above %v in magnitude, so that the exponential may be too large", i+1, p.Parties[rank], maxLogPart)
				}
			}
			a.Data = tensor.FromFloats(tensor.F64, tensor.Shape{len(part)}, part)
		case !slices.Contains(p.Absent, rank):
			continue
		}
		if rows < 1 || rows > maxRows {
			return spec, fmt.Errorf("the tables have %d rows; predictions are for 1 to %d", rows, maxRows)
		}
		spec.Args = append(spec.Args, a)
		v := b.Arg(fmt.Sprintf("part%d", rank), tensor.F64, rows)
		if len(spec.Args) > 1 {
			v = b.Add(eta, v)
		}
		eta = v
	}
	if len(spec.Args) == 0 {
		return spec, errors.New("no party has a column of the model")
	}
	b.Return(Mean(b, p.Link, eta))
	var err error
	spec.Program, err = b.Program()
	return spec, err
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (p *Prediction) Results() []string { return p.Outputs() }

// Outputs returns one text for each thing that a run reveals: the predictions.
func (p *Prediction) Outputs() []string { return []string{"prediction of each row"} }
