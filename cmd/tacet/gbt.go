package main

import (
	"github.com/tacet-mpc/tacet/job"
)

type gbtCmd struct {
	tableFlags
	Target    string   `required:"" placeholder:"COLUMN" help:"The column of 0 and 1 to predict: alice.COLUMN, bob.COLUMN, or COLUMN if one table alone has it."`
	Features  []string `required:"" placeholder:"COLUMN,…" help:"The columns to predict from. Those of strings get a feature for each level but the first."`
	Trees     int      `placeholder:"N" help:"Number of trees. Default: 10."`
	Depth     int      `placeholder:"N" help:"Levels of splits of each tree. Default: 5."`
	Bins      int      `placeholder:"N" help:"Bins of each feature, at its quantiles. Default: 32."`
	Edges     []string `sep:"none" placeholder:"COLUMN=E,E,…" help:"With --join stacked: the bounds of a column's bins, but for the last one's; once for each column of numbers."`
	Ranges    []string `name:"ranges" sep:"none" placeholder:"COLUMN=LEAST,LARGEST" help:"With --join stacked, in place of edges of a column: its range, for bins at quantiles of all rows up to 1/4096 of it."`
	Rate      float64  `placeholder:"ETA" help:"Learning rate, by which leaves are multiplied. Default: 0.3."`
	Lambda    float64  `placeholder:"LAMBDA" help:"L2 regularisation of leaves. Default: 1."`
	MinWeight float64  `placeholder:"H" help:"Least sum of Hessians on each side of a split. Default: 1. With --join stacked that of each party's rows."`
	Subsample float64  `placeholder:"FRACTION" help:"Fraction of rows that a tree is trained on; all parties know which. Default: 1."`
	Seed      int      `placeholder:"N" help:"Seed of --subsample."`
	Holdout   int      `placeholder:"K" help:"Hold out every K-th row: the model ends with the tree after which the logistic loss of these rows is least. Default: none."`
	Splits    string   `placeholder:"hidden|owner" help:"Who learns the splits while trees are trained. With owner, each owner of features learns feature and bin of the splits on them, which is faster. Default: hidden."`
	Out       string   `placeholder:"FILE.json" help:"Write the model to this file, which predict reads."`
	JSON      bool     `name:"json" help:"Print the model as JSON."`
}

// Help returns the text that --help appends.
func (*gbtCmd) Help() string {
	return `Gradient-boosted trees for a column of 0 and 1, with XGBoost's gains and leaves. Each owner puts its columns into bins alone; gradients, histograms, gains and the rows of nodes stay shared. Revealed to both parties is the model: feature, bin and threshold of each node, and the leaves. A threshold is a value of some row, about a quantile of its column. With --holdout (early stopping), how many trees are kept and the loss of the rows that are held out are revealed too, and later trees are not. With --splits owner, each owner of features learns feature and bin of the splits on them while trees grow, of all trees, and so which rows are in a node whose splits above are all its own. With --ranges both parties learn the bounds of the bins, which are at quantiles of all rows.

Examples:

    tacet gbt --alice patients.csv --bob claims.csv --on id --target bob.fraud --features age,visits --out trees.json
    tacet gbt --alice a.parquet --bob b.csv --target bob.default --features alice.income,bob.debt --trees 20 --depth 4 --rate 0.1 --holdout 5
    tacet gbt --alice a.parquet --bob b.csv --target bob.default --features income,debt --splits owner
    tacet gbt --alice north.csv --bob south.csv --join stacked --target fraud --features age,visits --edges age=30,45,60 --edges visits=0,1,5
    tacet gbt --alice north.csv --bob south.csv --join stacked --target fraud --features age,visits --ranges age=0,120 --ranges visits=0,50 --bins 16
    tacet predict --model trees.json --alice new.csv --bob other.csv --on id --out scores`
}

// Run trains the trees.
func (c *gbtCmd) Run(a app) error {
	task := job.Task{
		Kind: job.GBT, Target: c.Target, Features: c.Features,
		Growth: job.Growth{
			Trees: c.Trees, Depth: c.Depth, Bins: c.Bins,
			Rate: c.Rate, Lambda: c.Lambda, MinWeight: c.MinWeight, Subsample: c.Subsample, Seed: c.Seed, Holdout: c.Holdout, Splits: c.Splits,
		},
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
