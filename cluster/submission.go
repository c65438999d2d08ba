package cluster

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/kmeans"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pca"
	"github.com/tacet-mpc/tacet/statistics"
)

// NewSubmission returns the submission of job j with program p, with a random id. It contains the program, the
// settings, the public inputs with their data, and the names of the owners' files, which it does not open.
// Errors are those of the job's settings and of its public inputs; tables are refused, because at nodes their
// owner declares them in its catalogue.
func NewSubmission(ctx context.Context, j *job.Job, p *hlo.Program) (*api.Submission, error) {
	if j.Task != nil {
		return newTaskSubmission(ctx, j)
	}
	s, err := j.Settings()
	if err != nil {
		return nil, err
	}
	for _, name := range s.Parties {
		if !slices.Contains(j.Parties, name) {
			return nil, fmt.Errorf("%d parties compute, but the job names %d: on nodes, name every party", s.Computing, len(j.Parties))
		}
	}
	public, ranges, err := j.Public(p)
	if err != nil {
		return nil, err
	}
	out := newSubmission(j, p, s)
	out.Keep, out.Checkpoint, out.State = j.Keep, j.Checkpoint, j.State
	for _, f := range j.Further() {
		if out.Programs == nil {
			out.Programs = map[string]api.Program{}
		}
		out.Programs[f.Name] = api.Program{Name: f.Program.File, Text: f.Program.Text}
	}
	for _, in := range j.Inputs {
		if in.Public {
			continue
		}
		if in.Kept != "" {
			out.Inputs = append(out.Inputs, api.Input{Kept: in.Kept, Result: in.Result, Args: in.Args})
			continue
		}
		if in.Table != nil {
			err := fmt.Errorf("table %s of %s: at nodes, an owner declares columns and preparation in its node's catalogue "+
				"(catalogue: {NAME: {table: FILE, columns: …, prepare: …}} there, and {owner: %s, name: NAME, arg: N} in the job)", in.Name, in.Owner, in.Owner)
			return nil, &job.Error{Place: j.File, Err: err}
		}
		if job.IsONNX(in.File) {
			err := fmt.Errorf("%s of %s: nodes take a model's weights as .npz (tacet import %s writes them)", in.Name, in.Owner, in.Name)
			return nil, &job.Error{Place: j.File, Err: err}
		}
		i := api.Input{Owner: in.Owner, Name: in.Name, Args: in.Args, Resident: in.Resident}
		if i.Ranges, err = in.Declared(); err != nil {
			return nil, err
		}
		if in.Folder != "" {
			if i.Folder, err = filepath.Abs(in.Folder); err != nil {
				return nil, err
			}
		}
		out.Inputs = append(out.Inputs, i)
	}
	for arg, a := range public {
		if a == nil {
			continue
		}
		var b bytes.Buffer
		if err := npy.Write(&b, a); err != nil {
			return nil, err
		}
		given := api.Public{Arg: arg, Array: b.Bytes()}
		if r := ranges[arg]; r != nil {
			given.Range = &[2]float64{r.Lo, r.Hi}
		}
		out.Public = append(out.Public, given)
	}
	return out, nil
}

// newSubmission returns a submission without inputs, with a new id.
func newSubmission(j *job.Job, p *hlo.Program, s party.Spec) *api.Submission {
	var id [16]byte
	rand.Read(id[:])
	return &api.Submission{
		ID: hex.EncodeToString(id[:]), File: filepath.Base(j.File), Program: api.Program{Name: p.File, Text: p.Text},
		Parties: s.Parties, Computing: s.Computing, Protocol: s.Protocol, Ring: s.Ring, Fraction: s.Fraction, Network: s.Network, Set: s.Set,
		Reveal: s.Reveal, Reveals: s.Reveals,
	}
}

// newTaskSubmission is NewSubmission for a job with a task, whose program follows from what the task declares. Every
// node builds it too.
func newTaskSubmission(ctx context.Context, j *job.Job) (*api.Submission, error) {
	fit, s, err := j.NodeTask(ctx)
	if err != nil {
		return nil, err
	}
	out := newSubmission(j, s.Program, s)
	out.Task = newTask(fit)
	for _, in := range j.Inputs {
		out.Inputs = append(out.Inputs, api.Input{Owner: in.Owner, Name: in.Name, Args: fit.Args(in.Owner)})
	}
	out.Keep = j.Keep
	kept := fit.KeptResults()
	for i, result := range kept {
		out.Inputs = append(out.Inputs, api.Input{Kept: j.Task.Kept, Result: result, Args: []int{len(fit.Owners) - len(kept) + i}})
	}
	return out, nil
}

// newTask returns a task as nodes read it.
func newTask(f *job.Fit) *api.Task {
	t := f.Task
	out := &api.Task{Fit: string(t.Kind), Target: t.Target, Rows: t.Rows, Levels: t.Levels, Edges: t.Edges, Ranges: t.Ranges}
	if c := f.Join; c != nil {
		out.Join = &api.Join{
			Method: c.Method, Kind: c.Kind, On: c.On, Trim: c.Normal.Trim, Case: c.Normal.Case, NFC: c.Normal.NFC,
			Aggregate: c.Aggregate, Keeper: c.Keeper, Rows: c.Rows, Beside: c.Beside, Matches: c.Matches,
		}
	} else if t.Stacked != nil {
		out.Join = &api.Join{Method: job.Stacked, Rows: map[string]int{}, Beside: t.Beside}
		for rank, name := range f.Parties {
			if out.Join.Rows[name] = t.Stacked[rank]; slices.Contains(t.Beside, name) {
				out.Join.Rows[name] = t.Rows
			}
		}
	}
	switch w := f.Work.(type) {
	case *glm.Shape:
		out.Family, out.Link, out.Iterations, out.Condition = string(w.Family), string(w.Link), w.Iterations, w.Condition
		out.Hessians = w.Hessians
		out.Features, out.Offset, out.Weights, out.Widths = t.Features, t.Offset, t.Weights, t.Widths
		out.Power, out.Alpha, out.L2, out.L1 = w.Power, w.Alpha, w.L2, w.L1
		if g := w.SGD; g != nil {
			out.SGD = &api.SGD{Epochs: g.Epochs, Batch: g.Batch, Rate: g.Rate, Bits: g.Bits}
		}
		if c := w.CG; c != nil {
			out.CG = &api.CG{Steps: c.Steps}
		}
	case *glm.KeptPrediction:
		out.Kept, out.Link, out.Features, out.Offset, out.Widths = t.Kept, string(w.Link), t.Features, t.Offset, t.Widths
	case *gbt.KeptPrediction:
		out.Kept, out.Features, out.Widths, out.Growth = t.Kept, t.Features, t.Widths, &api.Growth{Trees: w.Trees, Depth: w.Depth}
	case *gbt.Shape:
		out.Features, out.Widths = t.Features, t.Widths
		out.Growth = &api.Growth{
			Trees: w.Trees, Depth: w.Depth, Bins: w.Bins,
			Rate: w.Rate, Lambda: w.Lambda, MinWeight: w.MinWeight, Subsample: w.Subsample, Seed: int(w.Seed), Holdout: w.Holdout,
		}
		if w.Splits != gbt.HiddenSplits {
			out.Growth.Splits = w.Splits
		}
	case *statistics.Stacked:
		out.Columns, out.Texts, out.Correlation, out.Fill = t.Listed, t.Texts, t.Correlation, t.Fill
	case *statistics.Statistics:
		out.Columns, out.Texts, out.Quantiles, out.Correlation, out.Fill = t.Listed, t.Texts, t.Quantiles, t.Correlation, t.Fill
	case *kmeans.Shape:
		out.Features, out.Widths, out.MinGroup = t.Features, t.Widths, w.MinGroup
		out.Clusters, out.Iterations, out.Seed, out.Assign = w.Clusters, w.Iterations, int(w.Seed), w.Assign
	case *pca.Shape:
		out.Features, out.Widths, out.Components = t.Features, t.Widths, w.Components
	case *bins.Binning:
		out.Features, out.Bins, out.MinGroup, out.Sample = t.Features, t.Growth.Bins, w.MinGroup, t.Sample
	case *bins.Groups:
		out.By, out.Values, out.MinGroup = t.By, t.Values, w.MinGroup
	case *metrics.Evaluation:
		out.Score, out.Thresholds, out.Fractions, out.Bins = t.Score, w.Thresholds, w.Fractions, w.Bins
		for _, m := range w.Metrics {
			out.Metrics = append(out.Metrics, string(m))
		}
	}
	if m := t.Revealed; m != nil {
		out.Model = &api.Model{Link: string(m.Link), Offset: m.Offset, Base: m.Base, Widths: m.Widths}
		for _, c := range m.Coefficients {
			out.Model.Coefficients = append(out.Model.Coefficients, api.Coefficient{Name: c.Name, Value: c.Value})
		}
	}
	return out
}
