package interpolate

import (
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// job is one training of a model.
type job struct {
	model   string
	epochs  int
	parties int
	secret  bool // the adjacency is a secret of the first party, not public (GCN only)
}

func (j job) String() string {
	text := fmt.Sprintf("%s, %d epochs, %d parties", j.model, j.epochs, j.parties)
	if j.secret {
		text += ", secret adjacency"
	}
	return text
}

// writer writes the program of a job.
type writer struct {
	*build.Builder
	p     *problem
	job   job
	m     *nn.Model
	trial *study.Trial

	x         build.Value // sites × times × inputs: standardised features and public places and times
	y         build.Value // sites × times: standardised values
	mean, dev build.Value // of the training sites' values
}

// inputs is the number of a model's inputs for a site and time.
func (p *problem) inputs() int { return p.features + 2 + len(p.clock)/p.times }

// arg declares an argument behind those declared before. Parameters of the model come behind all of them.
func (w *writer) arg(name string, owner int, a *tensor.Array) build.Value {
	w.trial.Owners, w.trial.Data = append(w.trial.Owners, owner), append(w.trial.Data, a)
	return w.Arg(name, a.Type.DType, a.Type.Shape...)
}

// build returns the program of a job as a trial. Its results are predictions (sites × times), the RMSE of training and of
// test sites, the loss of each epoch and, of models that have it, the variance of predictions.
func (p *problem) build(j job) (study.Trial, error) {
	w := &writer{Builder: build.New(strings.ToLower(j.model)), p: p, job: j}
	w.trial = &study.Trial{Name: j.String(), Ring: 64, Fraction: models[j.model].fraction, Parties: j.parties, Networks: []string{roundTrips}}
	w.m = nn.New(w.Builder)
	w.Scope("inputs", w.readings)
	results, err := models[j.model].write(w)
	if err != nil {
		return study.Trial{}, err
	}
	w.Scope("results", func() { results = w.results(results) })
	w.Return(results...)
	program, err := w.Program()
	if err != nil {
		return study.Trial{}, err
	}
	first := w.m.Init(1)
	for _, param := range w.m.Params() {
		w.trial.Owners, w.trial.Data = append(w.trial.Owners, party.Public), append(w.trial.Data, first.Array(param.Name()))
	}
	var text strings.Builder
	if err := program.Print(&text); err != nil {
		return study.Trial{}, err
	}
	w.trial.Text = text.String()
	return *w.trial, nil
}

// readings declares the parties' readings and standardises them: features over all sites, values over training sites.
func (w *writer) readings() {
	p := w.p
	var xs, ys []build.Value
	for rank := range w.job.parties {
		first, last := p.rows(rank, w.job.parties)
		n := last - first
		if p.features > 0 {
			size := p.times * p.features
			xs = append(xs, w.arg(fmt.Sprintf("features%d", rank), rank,
				tensor.FromFloats(tensor.F32, tensor.Shape{n, p.times, p.features}, p.x[first*size:last*size])))
		}
		ys = append(ys, w.arg(fmt.Sprintf("values%d", rank), rank,
			tensor.FromFloats(tensor.F32, tensor.Shape{n, p.times}, p.y[first*p.times:last*p.times])))
	}
	w.x = w.arg("places", party.Public, p.publicInputs())
	if p.features > 0 {
		x := w.Concat(0, xs...)
		x = w.Sub(x, w.Mean(x, 0, 1))
		x = w.Mul(x, w.Rsqrt(w.Add(w.Mean(w.Mul(x, x), 0, 1), variance)))
		w.x = w.Concat(2, x, w.x)
	}
	y := w.Concat(0, ys...)
	w.mean = w.Mean(w.trained(y))
	y = w.Sub(y, w.mean)
	t := w.trained(y)
	square := w.Add(w.Mean(w.Mul(t, t)), variance)
	inverse := w.Rsqrt(square)
	w.y, w.dev = w.Mul(y, inverse), w.Mul(square, inverse)
}

// publicInputs are the places and times that models see.
func (p *problem) publicInputs() *tensor.Array {
	var out []float64
	for i := range p.sites {
		for k := range p.times {
			out = append(out, p.places[2*i]/p.scale, p.places[2*i+1]/p.scale)
			if p.clock != nil {
				out = append(out, p.clock[2*k], p.clock[2*k+1])
			}
		}
	}
	return tensor.FromFloats(tensor.F32, tensor.Shape{p.sites, p.times, p.inputs() - p.features}, out)
}

// rows returns the rows of v with the given numbers.
func (w *writer) rows(v build.Value, list []int) build.Value {
	at := make([]uint64, len(list))
	for i, row := range list {
		at[i] = uint64(row)
	}
	return w.Take(v, w.Array(tensor.FromWords(tensor.I32, tensor.Shape{len(list)}, at)), 0)
}

// trained returns the rows of the training sites.
func (w *writer) trained(v build.Value) build.Value { return w.rows(v, w.p.train) }

// results converts a model's results, which begin with standardised predictions, to the program's.
func (w *writer) results(of []build.Value) []build.Value {
	e := w.Sub(of[0], w.y)
	e = w.Mul(e, e)
	rmse := func(sites []int) build.Value { return w.Mul(w.dev, w.Sqrt(w.Mean(w.rows(e, sites)))) }
	out := []build.Value{w.Add(w.Mul(of[0], w.dev), w.mean), rmse(w.p.train), rmse(w.p.test)}
	out = append(out, of[1:]...)
	if len(of) > 2 { // the variance
		out[4] = w.Mul(out[4], w.Mul(w.dev, w.dev))
	}
	return out
}
