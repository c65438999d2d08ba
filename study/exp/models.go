package exp

import (
	"context"
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/study"
)

// model is the cost and error of a generalised linear model fitted with a mode, two parties.
type model struct {
	family, mode        string
	ring                int
	bytes, expBytes     int64 // of both parties
	rounds, expRounds   int
	seconds, expSeconds float64 // predicted at 100 Mbit/s and 10 ms
	maxError            float64 // largest absolute error of a weight or the deviance, against the fit in the clear
}

// findModels fits all models with all modes.
func (s *findings) findModels(ctx context.Context, _ []int) error {
	of := s.scale()
	for _, f := range families {
		for _, ring := range of.rings {
			for _, m := range of.modes {
				s.lab.Step("%s regression by %s, ring %d", f.name, m.name, ring)
				found, err := s.model(ctx, f.trial(m, ring, of.rows, of.steps))
				if err != nil {
					return err
				}
				found.family, found.mode, found.ring = f.name, m.name, ring
				s.models = append(s.models, found)
			}
		}
	}
	return nil
}

func (s *findings) model(ctx context.Context, t study.Trial) (model, error) {
	r, err := s.lab.Plan(ctx, t)
	if err != nil {
		return model{}, err
	}
	out, err := s.lab.Run(ctx, t, "none", 1)
	if err != nil {
		return model{}, err
	}
	want, err := t.EvalClear(ctx)
	if err != nil {
		return model{}, err
	}
	found := planCosts(r)
	for i, w := range want {
		got := out.Results[i].Floats()
		for j, x := range w.Floats() {
			found.maxError = max(found.maxError, math.Abs(got[j]-x))
		}
	}
	return found, nil
}

// planCosts returns the costs of a plan and of its exponentials.
func planCosts(r *profile.Report) model {
	out := model{bytes: study.Sum(r.Online.BytesSent), rounds: r.Online.Rounds, seconds: study.Online(r, "wan")}
	var each int64
	for _, o := range r.Ops {
		if o.Op == hlo.OpExponential {
			out.expBytes += study.Sum(o.BytesSent)
			each += o.BytesSent[0]
			out.expRounds += o.PathRounds
		}
	}
	out.expSeconds = link.Shapes["wan"].Seconds(out.expRounds, each)
	return out
}

// modelTable lists the models.
func (s *findings) modelTable() *study.Table {
	t := &study.Table{Columns: []string{"model", "ring", "mode", "bytes", "of exp, %", "rounds", "of exp, %", "seconds", "of exp, %", "error"}}
	for _, m := range s.models {
		t.Add(m.family, m.ring, m.mode, m.bytes, 100*float64(m.expBytes)/float64(m.bytes), m.rounds, 100*float64(m.expRounds)/float64(m.rounds),
			m.seconds, 100*m.expSeconds/m.seconds, m.maxError)
	}
	return t
}
