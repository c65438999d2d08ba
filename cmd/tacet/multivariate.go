package main

import "github.com/tacet-mpc/tacet/job"

type kmeansCmd struct {
	tableFlags
	Features   []string `required:"" placeholder:"COLUMN,…" help:"The columns: alice.COLUMN, bob.COLUMN, or COLUMN if one table alone has it. Those of strings get a feature for each level but the first."`
	Clusters   int      `placeholder:"K" help:"Number of clusters. Default: 8."`
	Iterations int      `placeholder:"N" help:"Number of iterations, which is public and does not depend on data. Default: 10."`
	Seed       int      `placeholder:"N" help:"Seed of the rows at which centres begin. Try several, and take the smallest sum of squared distances."`
	MinGroup   int      `placeholder:"N" help:"Withhold clusters of fewer rows. Default: 5."`
	Assign     bool     `help:"Reveal the cluster of each row too."`
	Out        string   `placeholder:"FILE.json" help:"Write the clusters to this file."`
	JSON       bool     `name:"json" help:"Print the clusters as JSON."`
}

// Help returns the text that --help appends.
func (*kmeansCmd) Help() string {
	return `Clusters of rows by k-means (Lloyd's algorithm) on both parties' columns, which each owner standardises alone. Distances, nearest centres and means are computed on shares. Revealed to both parties are rows and centre of each cluster of at least --min-group rows, which clusters are empty or withheld, the sum of squared distances, mean and standard deviation of each column, and with --assign the cluster of each row.

Examples:

    tacet kmeans --alice patients.csv --bob claims.csv --on id --features age,bmi,visits --clusters 4
    tacet kmeans --alice a.csv --bob b.csv --features alice.x,bob.y --clusters 3 --seed 7 --assign --out clusters.json`
}

// Run finds the clusters.
func (c *kmeansCmd) Run(a app) error {
	task := job.Task{
		Kind: job.KMeans, Features: c.Features, Iterations: c.Iterations, MinGroup: c.MinGroup,
		Clustering: job.Clustering{Clusters: c.Clusters, Assign: c.Assign}, Growth: job.Growth{Seed: c.Seed},
	}
	return c.show(a, task, c.Out, c.JSON)
}

type pcaCmd struct {
	tableFlags
	Features   []string `required:"" placeholder:"COLUMN,…" help:"The columns: alice.COLUMN, bob.COLUMN, or COLUMN if one table alone has it. Those of strings get a feature for each level but the first."`
	Components int      `placeholder:"N" help:"Number of components. Default: 3."`
	Out        string   `placeholder:"FILE.json" help:"Write the components to this file."`
	JSON       bool     `name:"json" help:"Print the components as JSON."`
}

// Help returns the text that --help appends.
func (*pcaCmd) Help() string {
	return `Principal components of both parties' columns, which each owner standardises alone: the eigenvectors of their correlations with the largest eigenvalues. The correlations stay shared. Revealed to both parties are the components, their variances, and mean and standard deviation of each column.

Examples:

    tacet pca --alice patients.csv --bob claims.csv --on id --features age,bmi,visits,cost --components 2
    tacet pca --alice north.csv --bob south.csv --carol insurer.csv --join stacked --features age,carol.premium,carol.claims
    tacet pca --alice a.csv --bob b.csv --features alice.x,alice.y,bob.z --out components.json`
}

// Run finds the components.
func (c *pcaCmd) Run(a app) error {
	return c.show(a, job.Task{Kind: job.PCA, Features: c.Features, Components: c.Components}, c.Out, c.JSON)
}
