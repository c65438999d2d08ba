// Package tasks names the tasks, that is computations on tables for which Tacet generates the program, for job files, nodes and policies
// alike.
package tasks

// Kind is the kind of a task: what it computes.
type Kind string

// The kinds of tasks.
const (
	GLM     Kind = "glm"     // fit a generalised linear model
	GBT     Kind = "gbt"     // train gradient-boosted trees
	Stats   Kind = "stats"   // describe columns
	Predict Kind = "predict" // predict with a revealed model
	Eval    Kind = "eval"    // compare predictions with a target
	Bin     Kind = "bin"     // compare bins of features with a target
	Group   Kind = "group"   // sum columns over groups of rows
	KMeans  Kind = "kmeans"  // find clusters of rows
	PCA     Kind = "pca"     // find principal components
)

// Kinds lists all kinds of tasks.
var Kinds = []Kind{GLM, GBT, Stats, Predict, Eval, Bin, Group, KMeans, PCA}

// Names returns the names of Kinds.
func Names() []string {
	out := make([]string, len(Kinds))
	for i, k := range Kinds {
		out[i] = string(k)
	}
	return out
}
