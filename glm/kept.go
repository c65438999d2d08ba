package glm

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// KeptPrediction predicts with a model whose coefficients nodes keep as shares. No party knows them. The last argument
// of the program is the vector of coefficients, a result of the run that fitted the model (KeptResults).
type KeptPrediction struct {
	Parties  []string // in rank order
	Features []int    // number of features of each party, by rank
	Rows     int
	Link     Link
	// OffsetOwner is the rank of the party with the offset, -1 without one.
	OffsetOwner int
}

// KeptResults returns the positions, among the results of a fit's program, of the last arguments of this program: of
// the coefficients.
func (k *KeptPrediction) KeptResults() []int { return []int{0} }

// maxPredictor bounds the linear predictor of link log: its exponential fits the ring.
const maxPredictor = 2 * maxLogPart

// Check returns an error if a number is out of range or the link is unknown.
func (k *KeptPrediction) Check() error {
	p := 0
	for _, n := range k.Features {
		if n < 0 || n >= maxWide {
			return fmt.Errorf("a party has %d features; models have fewer than %d", n, maxWide)
		}
		p += n
	}
	switch {
	case p == 0 || p >= maxWide:
		return fmt.Errorf("the model has %d features, want 1 to %d", p, maxWide-1)
	case k.Rows < 1 || k.Rows > maxRows:
		return fmt.Errorf("the tables have %d rows; predictions are for 1 to %d", k.Rows, maxRows)
	case !slices.Contains([]Link{Identity, Logit, Log, Inverse}, k.Link):
		return fmt.Errorf("link %.40q is unknown (identity, logit, log, inverse)", string(k.Link))
	case k.OffsetOwner >= len(k.Parties):
		return fmt.Errorf("the offset has no owner among the %d parties", len(k.Parties))
	}
	return nil
}

// Spec returns the spec of a run, without data, whose one result is the vector of predictions: all parties compute, and
// all learn it. The caller may set protocol and network. It returns the error of Check.
func (k *KeptPrediction) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: ring, Fraction: fraction, Parties: k.Parties, Computing: len(k.Parties), Network: party.DefaultNetwork}
	if err := k.Check(); err != nil {
		return spec, err
	}
	b := build.New("predict")
	columns := []build.Value{b.Const(tensor.F64, 1.0, k.Rows, 1)}
	p := 1
	for rank, n := range k.Features {
		spec.Reveal = append(spec.Reveal, rank)
		if n > 0 {
			spec.Args = append(spec.Args, party.Arg{Owner: rank})
			columns = append(columns, b.Arg(fmt.Sprintf("x%d", rank), tensor.F64, k.Rows, n))
			p += n
		}
	}
	var offset build.Value
	if k.OffsetOwner >= 0 {
		spec.Args = append(spec.Args, party.Arg{Owner: k.OffsetOwner})
		offset = b.Arg("offset", tensor.F64, k.Rows)
	}
	spec.Args = append(spec.Args, party.Arg{Owner: party.Kept})
	eta := b.Dot(b.Concat(1, columns...), b.Arg("coefficients", tensor.F64, p))
	if k.OffsetOwner >= 0 {
		eta = b.Add(eta, offset)
	}
	if k.Link == Log {
		eta = b.Clamp(-maxPredictor, eta, maxPredictor)
	}
	b.Return(Mean(b, k.Link, eta))
	var err error
	spec.Program, err = b.Program()
	return spec, err
}

// Args returns a list with an entry for each argument of the program: the array of an argument that the party of the
// given rank provides, and nil for each other one. It returns an error, which contains no value, if features, offset or
// rows differ from k's fields.
func (k *KeptPrediction) Args(rank int, d Data) ([]*tensor.Array, error) {
	if n := k.Features[rank]; len(d.Features) != n {
		return nil, fmt.Errorf("%s has %d features, and the model says %d", k.Parties[rank], len(d.Features), n)
	}
	if (d.Offset != nil) != (rank == k.OffsetOwner) {
		return nil, fmt.Errorf("the offset is not that of the party that the model says")
	}
	var out []*tensor.Array
	for owner, n := range k.Features {
		if n == 0 {
			continue
		}
		if owner != rank {
			out = append(out, nil)
			continue
		}
		x := make([]float64, n*k.Rows)
		for j, f := range d.Features {
			if len(f.Values) != k.Rows {
				return nil, fmt.Errorf("%s has %d rows, and the task says %d", f.Name, len(f.Values), k.Rows)
			}
			for i, v := range f.Values {
				x[i*n+j] = v
			}
		}
		out = append(out, tensor.FromFloats(tensor.F64, tensor.Shape{k.Rows, n}, x))
	}
	if k.OffsetOwner >= 0 {
		var a *tensor.Array
		if rank == k.OffsetOwner {
			if len(d.Offset.Values) != k.Rows {
				return nil, fmt.Errorf("offset %s has %d rows, and the task says %d", d.Offset.Name, len(d.Offset.Values), k.Rows)
			}
			if err := d.checkOffset(); err != nil {
				return nil, err
			}
			a = tensor.FromFloats(tensor.F64, tensor.Shape{k.Rows}, d.Offset.Values)
		}
		out = append(out, a)
	}
	return append(out, nil), nil // the coefficients are nobody's
}

// Results returns one text for each result of the program, in order, that says what the result is.
func (k *KeptPrediction) Results() []string { return k.Outputs() }

// Outputs returns one text for each thing that a run reveals: the predictions.
func (k *KeptPrediction) Outputs() []string { return []string{"prediction of each row"} }
