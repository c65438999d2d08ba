package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/profile"
)

type glmCmd struct {
	tableFlags
	Target     string   `required:"" placeholder:"COLUMN" help:"The column to explain: alice.COLUMN, bob.COLUMN, or COLUMN if one table alone has it."`
	Features   []string `required:"" placeholder:"COLUMN,…" help:"The columns that explain it. Those of strings get a feature for each level but the first."`
	Offset     string   `placeholder:"COLUMN" help:"A column that is added to the linear predictor, such as the logarithm of an exposure (links log and logit)."`
	Family     string   `required:"" enum:"gaussian,binomial,poisson,gamma,tweedie,negative_binomial" placeholder:"NAME" help:"Distribution of the target: ${enum}."`
	Link       string   `enum:",identity,logit,log,inverse" default:"" placeholder:"NAME" help:"Link. gaussian: identity (default), log, inverse; binomial: logit; poisson: log (default), identity; gamma: inverse (default), log, identity; tweedie and negative_binomial: log."`
	Weights    string   `placeholder:"COLUMN" help:"A column of prior weights of the rows, as statsmodels' var_weights. For family binomial and a target of proportions: numbers of trials."`
	Power      float64  `placeholder:"P" help:"Of family tweedie: the variance is the mean to this power, 1.01 to 1.99. Default: 1.5."`
	Alpha      float64  `placeholder:"ALPHA" help:"Of family negative_binomial: the variance is the mean plus ALPHA times its square. Default: 1."`
	L1         float64  `name:"l1" placeholder:"LAMBDA" help:"Penalty of the magnitudes of coefficients of standardised features, which makes some of them 0; without standard errors then. Default: none."`
	L2         float64  `name:"l2" placeholder:"LAMBDA" help:"Penalty of the squared coefficients of standardised features. Default: none."`
	Iterations int      `placeholder:"N" help:"Number of iterations, which is public and does not depend on data. Default: 8, or 12 for some families and with hessians."`
	Hessians   int      `placeholder:"N" help:"Number of iterations that compute the Hessian: the first ones and the last. Default: all; 3 makes long tables cheaper."`
	Condition  float64  `placeholder:"BOUND" help:"Bound of the condition number of the scaled Hessian. Default: 1e6."`
	solverFlags
	Protocol string `placeholder:"NAME" help:"Protocol: ${protocols}."`
	Out      string `placeholder:"FILE.json" help:"Write the fit to this file."`
	JSON     bool   `name:"json" help:"Print the fit as JSON instead of a table."`
}

// solverFlags are the flags of the solver.
type solverFlags struct {
	Solver string  `enum:",${solvers}" default:"" placeholder:"NAME" help:"fisher: scoring with the Hessian (default), with standard errors; cg: the same coefficients by conjugate gradients, for a hundred columns and more, without; sgd: minibatch stochastic gradient descent, for thousands, without (families binomial and gaussian); auto: fisher or cg, whichever takes less time by plan."`
	Steps  int     `placeholder:"N" help:"Of cg: steps of conjugate gradients in each iteration. Default: 16."`
	Epochs int     `placeholder:"N" help:"Of sgd: passes over all rows. Default: 10."`
	Batch  int     `placeholder:"ROWS" help:"Of sgd: rows of a step. Default: 1024."`
	Rate   float64 `placeholder:"R" help:"Of sgd: learning rate. Default: 0.1."`
	Bits   int     `placeholder:"B" help:"Of sgd: bits of a feature, 16 (default; 4 bytes are sent for each) or 12 (3 bytes)."`
}

// settings returns the settings of SGD and of CG, nil for other solvers, and whether the solver is auto.
func (f solverFlags) settings() (*glm.SGD, *glm.CG, bool, error) {
	return job.Solver(f.Solver, glm.SGD{Epochs: f.Epochs, Batch: f.Batch, Rate: f.Rate, Bits: f.Bits}, glm.CG{Steps: f.Steps})
}

// Help returns the text that --help appends.
func (*glmCmd) Help() string {
	return `The columns stay shared between the parties; revealed are coefficients, standard errors, deviance, the dispersion where there is one, whether the iterations converged, whether the inverse is accurate, and of the target alone the deviance of the model without features and its part of the log-likelihood. Each owner reads and standardises its columns alone. With --on, rows with equal keys belong together: both parties also learn which of their own rows match (tacet psi --help); with --join hidden nobody does, and the target alone has no statistics. A job file with a task (docs/settings.md) does the same with more settings.

Examples:

    tacet glm --alice patients.csv --bob claims.csv --target bob.claims --features age,bmi,region --family poisson
    tacet glm --alice patients.csv --bob claims.csv --on id --target bob.claims --features age,bmi --family poisson
    tacet glm --alice patients.csv --bob claims.csv --on id --join hidden --target bob.claims --features age,bmi --family poisson
    tacet glm --alice a.parquet --bob b.csv --target bob.cost --features alice.age,bob.visits --family gamma --link log --json
    tacet glm --alice a.csv --bob b.csv --target bob.cost --features age,visits --family tweedie --power 1.6 --weights bob.exposure --l2 0.01
    tacet glm --alice wide.parquet --bob b.csv --target bob.claims --features alice.visits,bob.codes --family poisson --solver cg --steps 24`
}

// Run fits the model.
func (c *glmCmd) Run(a app) error { return c.fit(a, false) }

// fit fits the model. With odds, it prints odds ratios and the log-loss too.
func (c *glmCmd) fit(a app, odds bool) error {
	t := job.Task{
		Family: glm.Family(c.Family), Link: glm.Link(c.Link), Target: c.Target, Features: c.Features, Offset: c.Offset,
		Weights: c.Weights, Power: c.Power, Alpha: c.Alpha, L2: c.L2, L1: c.L1,
		Iterations: c.Iterations, Hessians: c.Hessians, Condition: c.Condition, Odds: odds,
	}
	var err error
	if t.SGD, t.CG, t.Auto, err = c.settings(); err != nil {
		return badUsage{err}
	}
	j, err := c.job(nil)
	if err != nil {
		return err
	}
	j.SetTask(t)
	j.Apply(job.Override{Protocol: c.Protocol})
	if err := checkFolders(c.Out); err != nil {
		return err
	}
	done, err := runTask(a, j)
	if err != nil {
		return err
	}
	if c.Out != "" {
		if err := saveAnswer(c.Out, done.answer); err != nil {
			return err
		}
	}
	if c.Report != "" {
		if err := profile.Write(c.Report, done.report); err != nil {
			return err
		}
	}
	if c.JSON {
		return encode(a.stdout, done.answer)
	}
	return printAnswer(a, j, done.work, done.answer, done.report)
}

// task runs a job's task.
func (c *runCmd) task(a app, j *job.Job) error {
	if c.Check || c.Ranges || c.Store != "" || c.PairState != "" || c.Seed != "" || c.Resume != "" || c.Expect != "" || c.Trace != "" {
		return badUsage{errors.New("a job with a task takes none of --check, --ranges, --store, --pair-state, --seed, --resume, --expect, --trace")}
	}
	done, err := runTask(a, j)
	if err != nil {
		return err
	}
	return c.deliverAnswer(a, j, done.joined, done.work, done.answer, done.report)
}

// deliverAnswer writes and prints the answer of a task. joined may be nil, for rows without keys.
func (c *runCmd) deliverAnswer(a app, j *job.Job, joined *job.Joined, work job.Work, answer job.Answer, report *profile.Report) error {
	if j.Dir != "" {
		if p, ok := answer.(*job.Predictions); ok {
			if err := writePredictions(a, j, j.Dir, joined, p); err != nil {
				return err
			}
		} else {
			if err := os.MkdirAll(j.Dir, 0o777); err != nil {
				return err
			}
			if err := saveAnswer(filepath.Join(j.Dir, j.Task.FileName()), answer); err != nil {
				return err
			}
		}
	}
	if err := c.save(report, nil); err != nil {
		return err
	}
	if c.JSON {
		return printJSON(a.stdout, report)
	}
	return printAnswer(a, j, work, answer, report)
}

// saveAnswer writes the answer of a task to a file.
func saveAnswer(path string, answer job.Answer) error {
	var b strings.Builder
	if err := encode(&b, answer); err != nil {
		return err
	}
	return profile.Save(path, []byte(b.String()))
}

// printAnswer prints the answer of a task, what was revealed to whom, and the costs.
func printAnswer(a app, j *job.Job, work job.Work, answer job.Answer, report *profile.Report) error {
	if fit, ok := answer.(*glm.Result); ok && j.Task.Odds && fit.Few == 0 {
		fmt.Fprintln(a.stdout, "odds ratios")
		for _, x := range fit.Coefficients[1:] {
			if x.Error == 0 {
				fmt.Fprintf(a.stdout, "%16s  %.6g\n", x.Name, math.Exp(x.Value))
				continue
			}
			fmt.Fprintf(a.stdout, "%16s  %.6g  [%.6g, %.6g]\n", x.Name, math.Exp(x.Value), math.Exp(x.Low), math.Exp(x.High))
		}
		if fit.Solver == glm.Solver {
			fmt.Fprintln(a.stdout)
		} else if fit.Hidden { // it is a mean over rows whose number is secret
			fmt.Fprintf(a.stdout, "log-loss times the number of rows that match %.6g\n\n", fit.Deviance/2)
		} else {
			fmt.Fprintf(a.stdout, "log-loss %.6g\n\n", fit.Deviance/2/float64(fit.Rows))
		}
	}
	if err := answer.Print(a.stdout); err != nil {
		return err
	}
	return printCosts(a, j, work, report)
}

// printCosts prints what a task revealed to whom, and its costs.
func printCosts(a app, j *job.Job, work job.Work, report *profile.Report) error {
	learners := j.Reveal
	if learners == nil {
		learners = j.Parties
	}
	if j.Chosen != "" {
		fmt.Fprintf(a.stdout, "\nchosen: %s\n", j.Chosen)
	}
	fmt.Fprintf(a.stdout, "\nrevealed to %s: %s\n", strings.Join(learners, ", "), strings.Join(work.Outputs(), ", "))
	for _, e := range job.Early(work) {
		fmt.Fprintf(a.stdout, "revealed to %s before the end: %s\n", e.Party, e.What)
	}
	if bits, hidden := j.JoinFailure(); hidden {
		fmt.Fprintln(a.stdout, "revealed to nobody: which rows match")
		fmt.Fprintf(a.stdout, "probability of a failure or a wrong row of the join: 2^-%.0f\n", math.Floor(bits))
	} else if report.Join != nil {
		fmt.Fprintf(a.stdout, "revealed to %s: which of their own rows match\n", strings.Join(j.Parties, ", "))
		for _, name := range j.Join.Beside {
			fmt.Fprintf(a.stdout, "revealed to %s: whose rows they match\n", name)
		}
	}
	fmt.Fprintln(a.stdout)
	return profile.Summary(a.stdout, report)
}
