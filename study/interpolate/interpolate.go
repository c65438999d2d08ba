package interpolate

import (
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/tacet-mpc/tacet/study"
)

// size says how much a study does.
type size struct {
	set     Set
	epochs  int   // of the table that is compared with the published one
	end     int   // epochs until convergence
	slow    int   // most epochs of models with a number of epochs of their own
	parties []int // numbers of parties of runs and plans
	most    int   // a number of parties beyond them, if the readings have as many owners
	points  int   // training sites of the process whose likelihood steps are timed
	steps   int   // how many of them
}

var (
	full  = size{set: Sets[0], epochs: 100, end: 1000, slow: 100, parties: []int{2, 3, 4, 5}, most: 16, points: 500, steps: 5}
	quick = size{set: Set{"quick", 40, 2, Sets[0].Every}, epochs: 5, end: 10, slow: 1, parties: []int{2, 3}, most: 4, points: 24, steps: 2}
)

// findings are the results of the study.
type findings struct {
	lab     *study.Lab
	size    size
	problem *problem
	data    *Readings // as generated or read
	own     bool      // the readings are the user's
	order   []string  // the models
	clears  map[job]outcome
	runs    map[job]measured
	plans   map[job]planned
	step    float64 // seconds of a likelihood step with size.points training sites
}

// Run performs the study in the lab l with the given readings, or with those of the kept generator if they are nil, writes its
// page, and returns the bounds with the values that it found. The caller checks them (Bound.Met). A study that was ended
// before continues with what it had not finished.
func Run(ctx context.Context, l *study.Lab, data *Readings) ([]study.Bound, error) {
	s := &findings{lab: l, size: full, data: data, own: data != nil}
	s.clears, s.runs, s.plans = map[job]outcome{}, map[job]measured{}, map[job]planned{}
	if l.Quick {
		s.size = quick
	}
	if !s.own {
		s.data = Generate(s.size.set, 1)
	}
	hourly, err := s.data.Hourly()
	if err != nil {
		return nil, err
	}
	s.problem = newProblem(hourly, 1)
	for _, name := range order {
		if !slices.Contains([]string{nameGPR, nameVGPR}, name) || s.problem.times == 1 {
			s.order = append(s.order, name)
		}
	}
	list := s.jobs()
	steps := 0
	for _, t := range list {
		steps += t.steps()
	}
	if s.order[0] == nameGPR {
		steps += 2
	}
	l.Steps(steps)
	for _, t := range list {
		if err := s.do(ctx, t); err != nil {
			return nil, err
		}
	}
	if s.order[0] == nameGPR {
		if err := s.timeStep(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.page(); err != nil {
		return nil, err
	}
	return s.bounds(), os.RemoveAll(s.state())
}

// timeStep measures a likelihood step of exact Gaussian process regression with generated readings: the seconds of more steps
// than one, less those of one.
func (s *findings) timeStep(ctx context.Context) error {
	set := s.size.set
	set.Sites = s.size.points * 5 / 4
	hourly, err := Generate(set, 1).Hourly()
	if err != nil {
		return err
	}
	larger := *s
	larger.problem = newProblem(hourly, 1)
	one, err := larger.run(ctx, job{model: nameGPR, epochs: 1, parties: 2})
	if err != nil {
		return err
	}
	more, err := larger.run(ctx, job{model: nameGPR, epochs: s.size.steps, parties: 2})
	s.step = (more.Seconds - one.Seconds) / float64(s.size.steps-1)
	return err
}

// todo is a job and what is done with it.
type todo struct {
	job
	clear, plan, run bool
}

func (t todo) steps() (n int) {
	for _, do := range []bool{t.clear, t.plan, t.run} {
		if do {
			n++
		}
	}
	return n
}

// jobs lists what the study does.
func (s *findings) jobs() (list []todo) {
	numbers := s.parties()
	for _, name := range s.order {
		var last job
		for _, n := range numbers {
			j := s.at(name, s.size.epochs, n)
			if models[name].epochs > 0 && n > numbers[0] {
				continue
			}
			plan := models[name].epochs == 0
			list = append(list, todo{job: j, clear: j.epochs != last.epochs, plan: plan, run: n != s.size.most || name == nameGCN})
			last = j
		}
		if end := s.at(name, s.size.end, numbers[0]); end.epochs == s.size.end {
			list = append(list, todo{job: end, clear: true, run: true})
		}
	}
	for _, n := range numbers {
		j := s.at(nameGCN, s.size.epochs, n)
		j.secret = true
		list = append(list, todo{job: j, plan: true, run: n == numbers[0]})
	}
	return list
}

// parties are the numbers of parties into which the owners can be split.
func (s *findings) parties() (out []int) {
	for _, n := range append(append([]int{}, s.size.parties...), s.size.most) {
		if n <= s.problem.owners {
			out = append(out, n)
		}
	}
	return out
}

func (s *findings) do(ctx context.Context, t todo) error {
	if t.clear {
		o, err := s.clear(ctx, t.job)
		if err != nil {
			return err
		}
		s.clears[clearJob(t.job)] = o
	}
	if t.plan {
		p, err := s.plan(ctx, t.job)
		if err != nil {
			return err
		}
		s.plans[t.job] = p
	}
	if t.run {
		m, err := s.run(ctx, t.job)
		if err != nil {
			return err
		}
		s.runs[t.job] = m
	}
	return nil
}

// clearJob is the job whose outcome in the clear is that of j: it does not depend on parties.
func clearJob(j job) job {
	j.parties, j.secret = 0, false
	return j
}

// apart returns the larger relative difference of the private RMSE, of training and of test sites, to the clear ones.
func apart(private, clear outcome) float64 {
	return max(math.Abs(private.Train-clear.Train)/clear.Train, math.Abs(private.Test-clear.Test)/clear.Test)
}

// inversions returns how many pairs of models have another order by their test RMSE privately than in the clear, where these are
// more than 1 % apart.
func (s *findings) inversions(epochs int) (n float64) {
	parties := s.parties()[0]
	for i, a := range s.order {
		for _, b := range s.order[:i] {
			ja, jb := s.at(a, epochs, parties), s.at(b, epochs, parties)
			x, y := s.clears[clearJob(ja)].Test, s.clears[clearJob(jb)].Test
			if private := s.runs[ja].Test < s.runs[jb].Test; private != (x < y) && math.Abs(x-y) > 0.01*min(x, y) {
				n++
			}
		}
	}
	return n
}

// at returns the job of a model. A model that is not trained has one for any number of epochs, and so has one with a number of
// epochs of its own. Among the most parties models are trained for a tenth of the epochs.
func (s *findings) at(name string, epochs, parties int) job {
	if !models[name].trained {
		epochs = s.size.epochs
	} else if own := models[name].epochs; own > 0 {
		epochs = min(own, s.size.slow)
	} else if parties == s.size.most {
		epochs = max(2, epochs/10)
	}
	return job{model: name, epochs: epochs, parties: parties}
}

// bounds compares the results with the limits.
func (s *findings) bounds() []study.Bound {
	var bars []study.Bound
	add := func(name string, limit, value float64) {
		bars = append(bars, study.Bound{Name: name, Limit: limit, Value: value})
	}
	numbers := s.parties()
	for _, name := range s.order {
		worst := 0.0
		for j, m := range s.runs {
			if j.model == name {
				worst = max(worst, apart(m.outcome, s.clears[clearJob(j)]))
			}
		}
		add(name+": largest difference of a private RMSE to the clear one, relative to it", 0.01, worst)
	}
	add(fmt.Sprintf("pairs of models, more than 1 %% apart, whose order by test RMSE differs privately, after %d epochs", s.size.epochs), 0, s.inversions(s.size.epochs))
	add(fmt.Sprintf("pairs of models, more than 1 %% apart, whose order by test RMSE differs privately, after %d epochs", s.size.end), 0, s.inversions(s.size.end))
	for _, limit := range []struct {
		parties int
		ms      float64
	}{{2, 1.5}, {5, 4}} {
		j := s.at(nameGCN, s.size.epochs, limit.parties)
		m, run := s.runs[j]
		if !run || s.problem.sites > 200 || s.problem.times > 1 {
			continue
		}
		add(fmt.Sprintf("GCN, %d parties: measured milliseconds of an epoch without a network", j.parties), limit.ms, 1e3*m.Seconds/float64(j.epochs))
		add(fmt.Sprintf("GCN, %d parties: MB of an epoch and party", j.parties), 0.1, s.plans[j].EpochBytes/1e6)
	}
	if s.order[0] == nameGPR {
		add(fmt.Sprintf("GPR, %d training sites: measured milliseconds of a step without a network", s.size.points), 1000, 1e3*s.step)
		j := s.at(nameVGPR, s.size.epochs, numbers[0])
		add("VGPR: measured milliseconds of an epoch without a network", 500, 1e3*s.runs[j].Seconds/float64(j.epochs))
	}
	if last := numbers[len(numbers)-1]; last >= 4 {
		j := s.at(nameGCN, s.size.epochs, last)
		three := s.plans[s.at(nameGCN, s.size.epochs, 3)]
		add(fmt.Sprintf("GCN: bytes of a party among %d parties, relative to 3 parties", last), 2, s.plans[j].EpochBytes/three.EpochBytes)
	}
	return bars
}
