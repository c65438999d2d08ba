package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/table"
)

// tableFlags are the flags of commands on two parties' tables.
type tableFlags struct {
	Alice string `placeholder:"FILE" help:"Alice's table, CSV or Parquet."`
	Bob   string `placeholder:"FILE" help:"Bob's table, CSV or Parquet."`
	Join  string `enum:",${joins}" default:"" placeholder:"METHOD" help:"How rows are matched. aligned: row i of both tables belongs together (default without --on); psi: rows with equal keys do (default with --on); hidden: they do, and nobody learns which rows match, nor how many; stacked: the tables have the same columns, and other rows."`
	kindFlags
	keyFlags
	Carol   string `placeholder:"FILE" help:"With --join stacked: the table of a third party, with further columns, carol.COLUMN, of all rows: in order, those of alice first, or with --on those with equal keys (all commands but predict)."`
	Network string `placeholder:"LINK" help:"Link between the parties, to which messages are slowed down: none, lan, wan, slow or BITS_PER_S/RTT."`
	Report  string `placeholder:"FILE.json" help:"Write the report of costs to this file."`
}

// job returns the job of the tables, whose results some of the parties learn (nil: all).
func (c *tableFlags) job(reveal []string) (*job.Job, error) {
	parties := twoParties
	if c.Carol != "" {
		parties = append(slices.Clone(parties), "carol")
	}
	join, err := c.join(parties, c.Join, c.kindFlags)
	if err != nil {
		return nil, badUsage{err}
	}
	if c.Alice == "" && c.Bob == "" {
		return nil, badUsage{errors.New("name the tables: --alice FILE, --bob FILE")}
	}
	if err := checkFolders(c.Report); err != nil {
		return nil, err
	}
	if c.Carol != "" {
		join.Beside = []string{"carol"}
	}
	j, err := job.NewJoin(parties, map[string]string{"alice": c.Alice, "bob": c.Bob, "carol": c.Carol}, join)
	if err != nil {
		return nil, badUsage{err}
	}
	for _, name := range reveal {
		if !slices.Contains(parties, name) {
			return nil, badUsage{fmt.Errorf("--reveal: %q is not a party (%s)", name, strings.Join(parties, ", "))}
		}
	}
	j.Reveal = reveal
	j.Apply(job.Override{Network: c.Network})
	return j, nil
}

// run runs the task on the job's tables, delivers its answer, and prints what was revealed to whom and the costs, unless
// deliver says that there is nothing more to print.
func (c *tableFlags) run(a app, j *job.Job, task job.Task, deliver func(*job.Joined, job.Answer) (more bool, err error)) error {
	j.SetTask(task)
	done, err := runTask(a, j)
	if err != nil {
		return err
	}
	if c.Report != "" {
		if err := profile.Write(c.Report, done.report); err != nil {
			return err
		}
	}
	if more, err := deliver(done.joined, done.answer); err != nil || !more {
		return err
	}
	return printCosts(a, j, done.work, done.report)
}

// doneTask is a task that ran in this process.
type doneTask struct {
	work   job.Work
	joined *job.Joined
	answer job.Answer
	report *profile.Report
}

// runTask reads the tables of a job's task and runs it, with all parties in this process.
func runTask(a app, j *job.Job) (*doneTask, error) {
	if j.Reveal != nil && len(j.Reveal) == 0 && j.Keep == "" {
		return nil, badUsage{fmt.Errorf("%s: a task needs a party that learns the results (outputs: {reveal: [NAME]})", j.File)}
	}
	if j.Keep != "" {
		return nil, badUsage{fmt.Errorf("%s: results can be kept (keep: %s) only at nodes (tacet submit)", j.File, j.Keep)}
	}
	w, joined, err := j.Work(a.ctx)
	if err != nil {
		return nil, readFailure(a, err)
	}
	spec, err := j.TaskSpec(w)
	if err != nil {
		return nil, badUsage{err}
	}
	meter := a.meter()
	spec.Progress, spec.Notice = meter.show, notices(a, meter)
	out, err := tacet.Run(a.ctx, spec)
	meter.clear()
	if err != nil {
		return nil, failed(a.ctx, err)
	}
	out.Report.Join, out.Report.Solver = joined.Report, j.Chosen
	result, err := j.Answer(w, out.Results)
	if err != nil {
		return nil, err
	}
	warn(a, result)
	return &doneTask{w, joined, result, out.Report}, nil
}

// warn prints the warnings of a fit.
func warn(a app, answer job.Answer) {
	if fit, ok := answer.(*glm.Result); ok {
		for _, w := range fit.Warnings() {
			a.say("warning: " + w)
		}
	}
}

// readFailure returns the error of reading and matching tables.
func readFailure(a app, err error) error {
	if a.ctx.Err() != nil {
		return failed(a.ctx, err)
	}
	return badUsage{err}
}

type statsCmd struct {
	tableFlags
	Columns     []string  `placeholder:"COLUMN,…" help:"The columns: alice.COLUMN, bob.COLUMN, or COLUMN if one table alone has it. Default: all but the keys."`
	Quantiles   []float64 `default:"0.25,0.5,0.75" placeholder:"Q,…" help:"Quantiles from 0 to 1 (default ${default})."`
	Correlation bool      `default:"true" negatable:"" help:"Correlations of all columns of numbers (default)."`
	Fill        string    `enum:",mean,median" default:"" placeholder:"STATISTIC" help:"For correlations, replace missing values by the column's mean or median. Without it, they are an error."`
	JSON        bool      `name:"json" help:"Print the statistics as JSON instead of tables."`
	Out         string    `placeholder:"FILE.json" help:"Write the statistics to this file."`
}

// Help returns the text that --help appends.
func (*statsCmd) Help() string {
	return `Describes columns of two parties' tables: count, missing values, mean, variance, quantiles, and the correlations of all columns, across the parties too. Each owner computes what its own columns need alone; correlations across the parties are computed on shares. Revealed to both parties are the statistics that are printed, and nothing else. Columns of strings have a count only. With --join hidden nobody learns which rows match, and there are no quantiles.

Examples:

    tacet stats --alice patients.csv --bob claims.csv
    tacet stats --alice patients.csv --bob claims.parquet --on id --columns age,bmi,claims --quantiles 0.1,0.5,0.9
    tacet stats --alice a.csv --bob b.csv --on id --join hidden
    tacet stats --alice north.csv --bob south.csv --carol insurer.csv --join stacked --on id=id=patient
    tacet stats --alice a.csv --bob b.csv --no-correlation`
}

// Run computes the statistics.
func (c *statsCmd) Run(a app) error {
	task := job.Task{Kind: job.Stats, Listed: c.Columns, Fill: c.Fill, Quantiles: c.Quantiles, Correlation: c.Correlation}
	return c.show(a, task, c.Out, c.JSON)
}

// show writes a result to a file, if one is named, and prints it.
func show(a app, file string, json bool, r job.Answer) (more bool, err error) {
	if file != "" {
		if err := saveAnswer(file, r); err != nil {
			return false, err
		}
	}
	if json {
		return false, encode(a.stdout, r)
	}
	return true, r.Print(a.stdout)
}

type predictCmd struct {
	Model string `required:"" placeholder:"FILE.json" help:"The model: the file that tacet glm, tacet lr or tacet gbt has written (--out)."`
	tableFlags
	Reveal []string `placeholder:"PARTY,…" help:"The parties that learn the predictions. Default: both."`
	Out    string   `placeholder:"DIR" help:"Write the predictions to DIR/PARTY.csv for each party that learns them, with its key columns or the number of the row."`
}

// Help returns the text that --help appends.
func (*predictCmd) Help() string {
	return `Predicts the target of a revealed model for the rows of two parties' tables. Each party computes its part of the linear predictor from its own columns; the sum and the prediction are computed on shares, and only the predictions are revealed. A party that learns a prediction and has columns of the model can compute the other party's part of it. The model's columns are found by name; a level that the model does not have is an error.

Examples:

    tacet predict --model model.json --alice new.csv --bob other.csv --on id --reveal alice --out scores
    tacet predict --model fit.json --alice a.csv --bob b.csv`
}

// Run predicts.
func (c *predictCmd) Run(a app) error {
	j, err := c.job(c.Reveal)
	if err != nil {
		return err
	}
	return c.run(a, j, job.Task{Kind: job.Predict, Model: c.Model}, func(joined *job.Joined, r job.Answer) (bool, error) {
		if c.Out == "" {
			return true, r.Print(a.stdout)
		}
		return true, writePredictions(a, j, c.Out, joined, r.(*job.Predictions))
	})
}

// writePredictions writes a table of predictions for each party that learns them, with the party's key columns, or else the
// number of the row. joined may be nil, for rows without keys.
func writePredictions(a app, j *job.Job, dir string, joined *job.Joined, p *job.Predictions) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	prediction := &table.Column{Name: "prediction", Kind: table.Float, Floats: p.Values}
	for _, name := range j.Parties {
		if j.Reveal != nil && !slices.Contains(j.Reveal, name) {
			continue
		}
		t := &table.Table{Rows: len(p.Values)}
		for _, key := range j.Join.On[name] {
			t.Columns = append(t.Columns, joined.Tables[name].Column(key))
		}
		if t.Columns == nil {
			row := &table.Column{Name: "row", Kind: table.Integer}
			for i := range p.Values {
				row.Ints = append(row.Ints, int64(i)+1)
			}
			t.Columns = append(t.Columns, row)
		}
		t.Columns = append(t.Columns, prediction)
		path := filepath.Join(dir, name+".csv")
		if err := writeTable(path, t); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%d predictions are written to %s\n", len(p.Values), path)
	}
	return nil
}

type evalCmd struct {
	Model string `placeholder:"FILE.json" help:"The model whose predictions are evaluated: the file that tacet glm or tacet lr has written (--out)."`
	Score string `placeholder:"PARTY.COLUMN" help:"A column of predictions, instead of a model (COLUMN with --join stacked)."`
	tableFlags
	Target     string    `required:"" placeholder:"PARTY.COLUMN" help:"The column that is predicted."`
	Metrics    []string  `placeholder:"NAME,…" help:"auc, ks, confusion, lift, calibration, rmse, r2. Default: auc, ks and confusion, or rmse and r2 for models with another link than logit."`
	Thresholds []float64 `default:"0.5" placeholder:"T,…" help:"Thresholds of confusion matrices: predictions that reach one are positive (default ${default})."`
	Fractions  []float64 `placeholder:"F,…" help:"Fractions of the rows, those of the highest predictions, for lift. Default: 0.1, 0.2, … 1."`
	Bins       int       `placeholder:"N" help:"Number of bins of calibration, each of as many rows (default 10)."`
	JSON       bool      `name:"json" help:"Print the metrics as JSON."`
	Out        string    `placeholder:"FILE.json" help:"Write the metrics to this file."`
}

// Help returns the text that --help appends.
func (*evalCmd) Help() string {
	return `Compares predictions with a target, which stay secret both: AUC and KS with ties as usual, confusion matrices at thresholds, lift of the highest predictions, calibration in bins, RMSE, R². The predictions are those of a revealed model, of which each party computes its part, or a column of one party. Revealed to both parties are the metrics and, for targets of 0 and 1, the number of positives; no score and no order of rows. Fractions and bins of lift and calibration divide the rows into groups of at least five.

Examples:

    tacet eval --model model.json --alice test.csv --bob other.csv --on id --target bob.fraud --thresholds 0.5,0.9
    tacet eval --score alice.score --alice a.csv --bob b.csv --target bob.default --metrics auc,ks
    tacet eval --model model.json --alice a.csv --bob b.csv --target bob.claims --metrics lift,calibration --fractions 0.01,0.1,0.5 --bins 20
    tacet eval --model fit.json --alice a.csv --bob b.csv --target bob.cost --metrics rmse,r2`
}

// Run evaluates.
func (c *evalCmd) Run(a app) error {
	if (c.Model == "") == (c.Score == "") {
		return badUsage{errors.New("name a model with --model or a column of predictions with --score, one of them")}
	}
	task := job.Task{Kind: job.Eval, Model: c.Model, Score: c.Score, Target: c.Target, Thresholds: c.Thresholds, Fractions: c.Fractions}
	task.Growth.Bins = c.Bins
	for _, name := range c.Metrics {
		task.Metrics = append(task.Metrics, metrics.Metric(name))
	}
	return c.show(a, task, c.Out, c.JSON)
}
