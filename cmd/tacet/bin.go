package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/job"
)

type binCmd struct {
	tableFlags
	Target   string   `placeholder:"COLUMN" help:"The column of 0 and 1: alice.COLUMN, bob.COLUMN, or COLUMN if one table alone has it."`
	Sample   string   `placeholder:"COLUMN" help:"Instead of a target: a column that is 1 for rows of a second sample. The information value is then the population stability index."`
	Features []string `required:"" placeholder:"COLUMN,…" help:"The columns that are put into bins: numbers at quantiles, texts by their values."`
	Bins     int      `placeholder:"N" help:"Number of bins of a column of numbers. Default: 10."`
	Edges    []string `sep:"none" placeholder:"COLUMN=E,E,…" help:"With --join stacked: the bounds of a column's bins, but for the last one's; once for each column of numbers."`
	Ranges   []string `name:"ranges" sep:"none" placeholder:"COLUMN=LEAST,LARGEST" help:"With --join stacked, in place of edges of a column: its range, for bins at quantiles of all rows up to 1/4096 of it."`
	MinGroup int      `placeholder:"N" help:"Withhold bins of fewer rows. Default: 5."`
	Out      string   `placeholder:"FILE.json" help:"Write the bins to this file."`
	JSON     bool     `name:"json" help:"Print the bins as JSON."`
}

// Help returns the text that --help appends.
func (*binCmd) Help() string {
	return `Weight of evidence and information value of columns: each owner puts its columns into bins alone, and the positives of each bin are counted on shares. Missing values have a bin of their own. A bin of fewer than --min-group rows, or of one class only, is withheld, and then further ones, so that totals do not give it away. Revealed to both parties are the rows and positives of the other bins, which bins are withheld or empty, the number of positives, and the bounds of bins of numbers, which are values of some row, about quantiles.

Examples:

    tacet bin --alice patients.csv --bob claims.csv --on id --target bob.fraud --features age,visits,region
    tacet bin --alice a.csv --bob b.csv --target bob.default --features alice.income --bins 20 --min-group 50 --out bins.json
    tacet bin --alice a.csv --bob b.csv --sample bob.this_year --features alice.income,alice.score
    tacet bin --alice north.csv --bob south.csv --join stacked --target fraud --features age,region --edges age=30,45,60
    tacet bin --alice north.csv --bob south.csv --join stacked --target fraud --features age --ranges age=0,120 --bins 5`
}

// Run counts the bins.
func (c *binCmd) Run(a app) error {
	if (c.Target == "") == (c.Sample == "") {
		return badUsage{errors.New("name a target with --target or a sample with --sample, one of them")}
	}
	task := job.Task{
		Kind: job.Bin, Target: c.Target + c.Sample, Sample: c.Sample != "", Features: c.Features, MinGroup: c.MinGroup,
		Growth: job.Growth{Bins: c.Bins},
	}
	var err error
	if task.Edges, err = numbersOf("--edges", c.Edges); err != nil {
		return badUsage{err}
	}
	if task.Ranges, err = numbersOf("--ranges", c.Ranges); err != nil {
		return badUsage{err}
	}
	return c.show(a, task, c.Out, c.JSON)
}

// numbersOf reads COLUMN=E,E,…, the values of a flag.
func numbersOf(flag string, flags []string) (map[string][]float64, error) {
	var out map[string][]float64
	for _, text := range flags {
		name, list, ok := strings.Cut(text, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%s %q: want COLUMN=E,E,…, such as age=30,45,60", flag, text)
		}
		if out[name] != nil {
			return nil, fmt.Errorf("%s names %s twice", flag, name)
		}
		var edges []float64
		for _, x := range strings.Split(list, ",") {
			e, err := strconv.ParseFloat(strings.TrimSpace(x), 64)
			if err != nil {
				return nil, fmt.Errorf("%s %q: %q is no number", flag, text, x)
			}
			edges = append(edges, e)
		}
		if out == nil {
			out = map[string][]float64{}
		}
		out[name] = edges
	}
	return out, nil
}

type groupCmd struct {
	tableFlags
	By       []string `required:"" placeholder:"COLUMN,…" help:"The columns of one party that make the groups: rows with equal values are a group."`
	Values   []string `placeholder:"COLUMN,…" help:"The columns of numbers that are summed. Default: none; groups are only counted."`
	MinGroup int      `placeholder:"N" help:"Withhold groups of fewer rows. Default: 5."`
	Out      string   `placeholder:"FILE.json" help:"Write the groups to this file."`
	JSON     bool     `name:"json" help:"Print the groups as JSON."`
}

// Help returns the text that --help appends.
func (*groupCmd) Help() string {
	return `Rows, sums and means of columns over groups of rows. One party owns the columns that make the groups; the summed columns are anybody's. A group of fewer than --min-group rows is withheld, and then further ones, the smallest first, so that totals do not give it away. Revealed to both parties are rows and sums of the other groups, and which groups are withheld or empty.

Examples:

    tacet group --alice patients.csv --bob claims.csv --on id --by region --values cost,visits
    tacet group --alice a.csv --bob b.csv --by alice.region,alice.sex --values bob.cost --min-group 20 --out groups.json`
}

// Run sums the groups.
func (c *groupCmd) Run(a app) error {
	return c.show(a, job.Task{Kind: job.Group, By: c.By, Values: c.Values, MinGroup: c.MinGroup}, c.Out, c.JSON)
}

// show runs a task whose answer all parties learn, and writes and prints it.
func (c *tableFlags) show(a app, task job.Task, out string, json bool) error {
	j, err := c.job(nil)
	if err != nil {
		return err
	}
	if err := checkFolders(out); err != nil {
		return err
	}
	return c.run(a, j, task, func(_ *job.Joined, r job.Answer) (bool, error) { return show(a, out, json, r) })
}
