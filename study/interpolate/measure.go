package interpolate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/tensor"
)

// outcome is what a training gives.
type outcome struct {
	Predictions []float64 // sites × times
	Train, Test float64   // RMSE
	Losses      []float64 // by epoch; nil if the model is not trained
	Variance    []float64 // of predictions; nil if the model has none
}

func newOutcome(results []*tensor.Array) outcome {
	o := outcome{Predictions: results[0].Floats(), Train: results[1].Floats()[0], Test: results[2].Floats()[0]}
	if len(results) > 3 {
		o.Losses = results[3].Floats()
	}
	if len(results) > 4 {
		o.Variance = results[4].Floats()
	}
	return o
}

// phase is the cost of a phase of a run, of all parties.
type phase struct {
	Name    string
	Seconds float64
	Bytes   int64
	Rounds  int
}

// measured is a job's private training.
type measured struct {
	outcome
	Seconds  float64 // online
	Bytes    int64   // online, of the party that sends most
	All      int64   // online, of all parties
	Messages int64   // online, of all parties
	Rounds   int     // online
	Dealt    int64   // corrections
	Phases   []phase
}

// planned is a job's plan.
type planned struct {
	Bytes, Dealt int64              // as in measured
	Rounds       int                // online
	EpochBytes   float64            // Bytes of an epoch: those of the job less those of one epoch, divided by the epochs between
	EpochRounds  float64            // rounds of an epoch
	EpochDealt   float64            // dealt bytes of an epoch
	Memory       int64              // peak of the vectors of the party with the most
	Seconds      map[string]float64 // online, by network
}

// clear evaluates a job in the clear.
func (s *findings) clear(ctx context.Context, j job) (o outcome, err error) {
	j.parties, j.secret = 2, false // owners do not matter
	t, err := s.problem.build(j)
	if err != nil {
		return o, err
	}
	s.lab.Step("%s in the clear", j)
	err = s.once("clear", &t, &o, func() error {
		out, err := t.EvalClear(ctx)
		if err == nil {
			o = newOutcome(out)
		}
		return err
	})
	return o, err
}

// run trains privately, all parties in this process without a network.
func (s *findings) run(ctx context.Context, j job) (m measured, err error) {
	t, err := s.problem.build(j)
	if err != nil {
		return m, err
	}
	s.lab.Step("%s", j)
	err = s.once("run", &t, &m, func() error {
		out, err := s.lab.Run(ctx, t, "none", 1)
		if err != nil {
			return err
		}
		r := out.Report
		m = measured{outcome: newOutcome(out.Results), Seconds: r.Online.Seconds, Bytes: slices.Max(r.Online.BytesSent),
			All: study.Sum(r.Online.BytesSent), Messages: study.Sum(r.Online.Messages), Rounds: r.Online.Rounds, Dealt: r.Offline.BytesSent}
		m.Phases = []phase{
			{"setup", r.Setup.Seconds, study.Sum(r.Setup.BytesSent), r.Setup.Rounds}, {"input", r.Input.Seconds, study.Sum(r.Input.BytesSent), r.Input.Rounds},
			{"offline", r.Offline.Seconds, r.Offline.BytesSent, r.Offline.Rounds}, {"online", r.Online.Seconds, m.All, m.Rounds},
			{"output", r.Output.Seconds, study.Sum(r.Output.BytesSent), r.Output.Rounds},
		}
		for _, x := range append([]float64{m.Train, m.Test}, m.Losses...) {
			if math.IsNaN(x) || math.IsInf(x, 0) || math.Abs(x) > 1e6 {
				return fmt.Errorf("%s: a loss or an RMSE is %g: the training diverged", j, x)
			}
		}
		return nil
	})
	return m, err
}

// plan plans a job.
func (s *findings) plan(ctx context.Context, j job) (p planned, err error) {
	t, err := s.problem.build(j)
	if err != nil {
		return p, err
	}
	s.lab.Step("plan of %s", j)
	err = s.once("plan "+s.lab.Machine.Name, &t, &p, func() error {
		r, err := s.lab.Plan(ctx, t)
		if err != nil {
			return err
		}
		p = planned{Bytes: slices.Max(r.Online.BytesSent), Dealt: r.Offline.BytesSent, Rounds: r.Online.Rounds,
			Memory: slices.Max(r.Plan.MemoryBytes), Seconds: map[string]float64{}}
		for _, n := range r.Plan.Networks {
			p.Seconds[n.Name] = n.Online
		}
		if j.epochs < 2 || !models[j.model].trained {
			return nil
		}
		one := j
		one.epochs = 1
		if t, err = s.problem.build(one); err != nil {
			return err
		}
		first, err := s.lab.Plan(ctx, t)
		if err != nil {
			return err
		}
		more := float64(j.epochs - 1)
		p.EpochBytes = float64(p.Bytes-slices.Max(first.Online.BytesSent)) / more
		p.EpochRounds = float64(p.Rounds-first.Online.Rounds) / more
		p.EpochDealt = float64(p.Dealt-first.Offline.BytesSent) / more
		return nil
	})
	return p, err
}

// state is the folder, in the lab's, of results that once has kept.
func (s *findings) state() string { return filepath.Join(s.lab.Dir, "interpolate-state") }

// once sets out to the result of measure, which is kept in a file, so that a study that was ended continues behind it: a
// later study with the same program and arguments reads the file instead. The study removes the files when its page is written.
func (s *findings) once(what string, t *study.Trial, out any, measure func() error) error {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%d parties, ring %d, fraction %d, owners %v\n%s", what, t.Parties, t.Ring, t.Fraction, t.Owners, t.Text)
	for _, a := range t.Data {
		binary.Write(h, binary.LittleEndian, a.Floats()) // writes to a hash cannot fail
	}
	file := filepath.Join(s.state(), hex.EncodeToString(h.Sum(nil)[:16])+".json")
	if b, err := os.ReadFile(file); err == nil && json.Unmarshal(b, out) == nil {
		return nil
	}
	if err := measure(); err != nil {
		return err
	}
	b, err := json.Marshal(out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(s.state(), 0o700); err != nil {
		return err
	}
	return durable.WriteFile(file, b, 0o600)
}
