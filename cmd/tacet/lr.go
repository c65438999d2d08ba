package main

import "github.com/tacet-mpc/tacet/glm"

type lrCmd struct {
	tableFlags
	Target     string   `required:"" placeholder:"COLUMN" help:"The column of 0 and 1 to explain: alice.COLUMN, bob.COLUMN, or COLUMN if one table alone has it."`
	Features   []string `required:"" placeholder:"COLUMN,…" help:"The columns that explain it. Those of strings get a feature for each level but the first."`
	L1         float64  `name:"l1" placeholder:"LAMBDA" help:"Penalty of the magnitudes of coefficients of standardised features, which makes some of them 0; without standard errors then. Default: none."`
	L2         float64  `name:"l2" placeholder:"LAMBDA" help:"Penalty of the squared coefficients of standardised features. Default: none."`
	Iterations int      `placeholder:"N" help:"Number of iterations, which is public and does not depend on data. Default: 8."`
	solverFlags
	Protocol string `placeholder:"NAME" help:"Protocol: ${protocols}."`
	Out      string `placeholder:"FILE.json" help:"Write the model to this file, which predict and eval read."`
	JSON     bool   `name:"json" help:"Print the model as JSON instead of a table."`
}

// Help returns the text that --help appends.
func (*lrCmd) Help() string {
	return `Logistic regression: tacet glm with family binomial, which also prints odds ratios with their 95 % intervals and the log-loss. The columns stay shared between the parties; revealed are coefficients, standard errors, deviance, and two bits (tacet glm --help).

Examples:

    tacet lr --alice patients.csv --bob claims.csv --on id --target bob.fraud --features age,visits --out model.json
    tacet predict --model model.json --alice new.csv --bob other.csv --on id --out scores`
}

// Run fits the model.
func (c *lrCmd) Run(a app) error {
	g := glmCmd{
		tableFlags: c.tableFlags, Target: c.Target, Features: c.Features, Family: string(glm.Binomial), L2: c.L2, L1: c.L1,
		solverFlags: c.solverFlags,
		Iterations:  c.Iterations, Protocol: c.Protocol, Out: c.Out, JSON: c.JSON,
	}
	return g.fit(a, true)
}
