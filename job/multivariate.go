package job

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/kmeans"
	"github.com/tacet-mpc/tacet/pca"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Clustering holds the settings of a task of kind KMeans. Zero fields stand for the defaults of package kmeans.
type Clustering struct {
	Clusters int
	Assign   bool // reveal the cluster of each row
}

// featured is a task on features without a target, as all parties know it.
type featured interface {
	Work
	Args(rank int, features []table.Feature) ([]*tensor.Array, error)
}

// featureShape returns what all parties know of a task of kind KMeans or PCA. features are numbers of features by rank, and apart the
// numbers of rows of stacked tables.
func (t *Task) featureShape(parties []string, features []int, rows int, apart stacked.Rows) (featured, error) {
	if t.kind() == PCA {
		s, err := pca.Shape{
			Parties: parties, Features: features, Rows: rows, Components: t.Components,
			Hidden: t.Hidden, Stacked: apart,
		}.Resolve()
		if err != nil {
			return nil, err
		}
		return s, nil
	}
	s, err := kmeans.Shape{
		Parties: parties, Features: features, Rows: rows, Clusters: t.Clustering.Clusters, Iterations: t.Iterations,
		MinGroup: t.MinGroup, Seed: uint64(t.Growth.Seed), Assign: t.Clustering.Assign,
		Hidden: t.Hidden, Stacked: apart,
	}.Resolve()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// declaredFeatures is Declared for kinds KMeans and PCA.
func (t *Task) declaredFeatures(parties []string) (Work, error) {
	features, _, _, err := t.count(parties)
	if err != nil {
		return nil, err
	}
	return t.featureShape(parties, features, t.Rows, nil)
}

// multivariate is Work for kinds KMeans and PCA; PlanWork too with plan.
func (j *Job) multivariate(ctx context.Context, plan bool) (Work, *Joined, error) {
	columns, err := j.taskColumns()
	if err != nil {
		return nil, nil, err
	}
	joined, err := j.joinOrPlan(ctx, columns, plan)
	if err != nil {
		return nil, nil, err
	}
	var data [][]table.Feature
	var counts []int
	rows := 0
	for _, name := range j.Parties {
		var features []table.Feature
		if in := j.tableOf(name); in != nil && len(columns[name]) > 0 {
			if features, _, _, err = in.features(joined.Tables[name], columns[name], j.Task.Levels); err != nil {
				return nil, nil, err
			}
			rows = max(rows, joined.Tables[name].Rows)
		}
		data, counts = append(data, features), append(counts, len(features))
	}
	if joined.Report != nil || j.hidden != nil {
		rows = joined.Rows
	}
	if rows == 0 {
		return nil, nil, errors.New("no rows match")
	}
	shape, err := j.Task.featureShape(j.Parties, counts, rows, nil)
	if err != nil || plan {
		return shape, joined, err
	}
	w, err := training(shape, data)
	return w, joined, err
}

// training returns a task of kind KMeans or PCA with the parties' data, by rank.
func training(shape featured, data [][]table.Feature) (Work, error) {
	switch s := shape.(type) {
	case *kmeans.Shape:
		return &kmeans.Training{Shape: s, Data: data}, nil
	case *pca.Shape:
		return &pca.Training{Shape: s, Data: data}, nil
	}
	return nil, fmt.Errorf("job: there is no task %T", shape)
}

// planMultivariate is PlanWork for kinds KMeans and PCA.
func (j *Job) planMultivariate() (Work, *profile.Report, error) {
	w, joined, err := j.multivariate(context.Background(), true)
	if err != nil {
		return nil, nil, err
	}
	return w, joined.Report, nil
}
