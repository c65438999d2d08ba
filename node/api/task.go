package api

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/joins"
	"github.com/tacet-mpc/tacet/printable"
)

// Task is what a job computes on columns of tables, instead of a program that its submitter wrote. Every node builds
// the program of the task itself. Columns are PARTY.COLUMN, or COLUMN for stacked tables.
type Task struct {
	Fit        string         `json:"fit"` // glm, gbt, stats, predict, eval, bin, group, kmeans or pca: the kind
	Family     string         `json:"family,omitempty"`
	Link       string         `json:"link,omitempty"`
	Target     string         `json:"target,omitempty"`
	Features   []string       `json:"features,omitempty"`
	Offset     string         `json:"offset,omitempty"`
	Rows       int            `json:"rows"`
	Widths     map[string]int `json:"widths,omitempty"` // features by column; 1 for all others
	Iterations int            `json:"iterations,omitempty"`
	Hessians   int            `json:"hessians,omitempty"` // iterations that compute the Hessian
	Condition  float64        `json:"condition,omitempty"`
	Weights    string         `json:"weights,omitempty"`
	Power      float64        `json:"power,omitempty"` // of family tweedie
	Alpha      float64        `json:"alpha,omitempty"` // of family negative_binomial
	L2         float64        `json:"l2,omitempty"`
	L1         float64        `json:"l1,omitempty"`
	SGD        *SGD           `json:"sgd,omitempty"` // nil: another solver
	CG         *CG            `json:"cg,omitempty"`  // nil: another solver
	// Of gbt.
	Growth *Growth `json:"growth,omitempty"`
	// Of stats.
	Columns     []string  `json:"columns,omitempty"`
	Texts       []string  `json:"texts,omitempty"` // those of Columns that hold texts
	Quantiles   []float64 `json:"quantiles,omitempty"`
	Correlation bool      `json:"correlation,omitempty"`
	Fill        string    `json:"fill,omitempty"`
	// Of predict and eval: a revealed model, or a column of predictions.
	Model      *Model    `json:"model,omitempty"`
	Kept       string    `json:"kept,omitempty"` // of predict: a model that the nodes keep as shares, with link, features and offset
	Score      string    `json:"score,omitempty"`
	Metrics    []string  `json:"metrics,omitempty"`
	Thresholds []float64 `json:"thresholds,omitempty"`
	Fractions  []float64 `json:"fractions,omitempty"` // with Bins
	// Of bin and group.
	Bins     int                 `json:"bins,omitempty"`
	MinGroup int                 `json:"min_group,omitempty"`
	Sample   bool                `json:"sample,omitempty"` // the target says to which of two samples a row belongs
	By       []string            `json:"by,omitempty"`
	Values   []string            `json:"values,omitempty"`
	Levels   map[string][]string `json:"levels,omitempty"` // values of columns
	// Of bin and gbt of stacked tables: the bounds of bins of columns, but for the last one's.
	// Ranges, in place of Edges of a column, are its least and its largest number.
	Edges  map[string][]float64 `json:"edges,omitempty"`
	Ranges map[string][]float64 `json:"ranges,omitempty"`
	// Of kmeans, with Iterations and MinGroup, and of pca.
	Clusters   int  `json:"clusters,omitempty"`
	Seed       int  `json:"seed,omitempty"`
	Assign     bool `json:"assign,omitempty"` // the cluster of each row is revealed
	Components int  `json:"components,omitempty"`
	// Join says how the rows of the tables are matched; nil: row i of all tables belongs together.
	Join *Join `json:"join,omitempty"`
}

// Join says how the rows of two parties' tables are matched, or that those of all parties' tables are the rows of one table. Its fields
// are those of job.Join.
type Join struct {
	Method    string              `json:"method"` // psi, hidden or stacked
	Kind      string              `json:"kind,omitempty"`
	On        map[string][]string `json:"on"` // key columns by party
	Trim      bool                `json:"trim,omitempty"`
	Case      bool                `json:"case,omitempty"`
	NFC       bool                `json:"nfc,omitempty"`
	Aggregate map[string]string   `json:"aggregate,omitempty"`
	Keeper    string              `json:"keeper,omitempty"`
	Rows      map[string]int      `json:"rows"` // by party
	Beside    []string            `json:"beside,omitempty"`
	Matches   map[string]int      `json:"matches,omitempty"` // rows of stacked tables that match those beside them, by party
}

// String describes the join for people who approve jobs. Names of submitters are quoted.
func (c *Join) String() string {
	var on, rows []string
	for _, name := range slices.Sorted(maps.Keys(c.On)) {
		on = append(on, fmt.Sprintf("%q of %s", c.On[name], name))
		rows = append(rows, fmt.Sprintf("%d of %s", c.Rows[name], name))
	}
	if c.Method == joins.Stacked {
		return c.stacked(on)
	}
	text := fmt.Sprintf("join %s on %s with %s rows", c.Method, strings.Join(on, " and "), strings.Join(rows, " and "))
	if c.Keeper != "" {
		text += fmt.Sprintf(", kind %s, %s keeps its rows and nobody learns which match", c.Kind, c.Keeper)
	}
	for _, column := range slices.Sorted(maps.Keys(c.Aggregate)) {
		text += fmt.Sprintf(", %q by %s", column, c.Aggregate[column])
	}
	return text
}

// stacked is String of stacked tables. on are the key columns.
func (c *Join) stacked(on []string) string {
	var rows []string
	beside, text := "", ""
	for _, name := range slices.Sorted(maps.Keys(c.Rows)) {
		switch {
		case slices.Contains(c.Beside, name):
			beside += fmt.Sprintf(", beside the columns of %q", name)
			if len(on) > 0 {
				beside += fmt.Sprintf(" with %d rows", c.Rows[name])
			}
		case len(on) > 0:
			rows = append(rows, fmt.Sprintf("%d of %d of %q", c.Matches[name], c.Rows[name], name))
		default:
			rows = append(rows, fmt.Sprintf("%d of %q", c.Rows[name], name))
		}
	}
	if len(on) > 0 {
		text = fmt.Sprintf(" that match by keys, %s", strings.Join(on, " and "))
	}
	return fmt.Sprintf("%s tables of the same columns with %s rows%s%s", c.Method, strings.Join(rows, " and "), beside, text)
}

// CG says how a task fits a model by conjugate gradients. Its field is that of glm.CG, with its default filled in.
type CG struct {
	Steps int `json:"steps"`
}

// SGD says how a task fits a model by stochastic gradient descent. Its fields are those of glm.SGD, with defaults filled in.
type SGD struct {
	Epochs int     `json:"epochs"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`
	Bits   int     `json:"bits"`
}

// Growth says how a task grows trees. Its fields are those of gbt.Shape, with defaults filled in.
type Growth struct {
	Trees     int     `json:"trees"`
	Depth     int     `json:"depth"`
	Bins      int     `json:"bins"`
	Rate      float64 `json:"rate"`
	Lambda    float64 `json:"lambda"`
	MinWeight float64 `json:"min_weight"`
	Subsample float64 `json:"subsample"`
	Seed      int     `json:"seed,omitempty"`
	Holdout   int     `json:"holdout,omitempty"` // 0 too: no rows are held out
	Splits    string  `json:"splits,omitempty"`  // "" too: no party learns them while trees are trained
}

// Model is a revealed generalised linear model, as tasks that predict with it send it to nodes.
type Model struct {
	Link         string            `json:"link"`
	Offset       string            `json:"offset,omitempty"`
	Base         map[string]string `json:"base,omitempty"`   // levels that have no coefficient, by column
	Widths       map[string]int    `json:"widths,omitempty"` // numbers of coefficients of columns whose coefficients are numbered
	Coefficients []Coefficient     `json:"coefficients"`     // the intercept first
}

// Coefficient is a coefficient of a Model.
type Coefficient struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// String describes the task for people who approve jobs. Names of submitters are quoted.
func (t *Task) String() string {
	text := t.Fit
	add := func(format string, args ...any) { text += ", " + fmt.Sprintf(format, args...) }
	if t.Family != "" {
		add("family %s, link %s", t.Family, t.Link)
	}
	for _, x := range []struct{ what, column string }{{"target", t.Target}, {"score", t.Score}} {
		if x.column != "" {
			add("%s %q", x.what, x.column)
		}
	}
	for _, x := range []struct {
		what  string
		names []string
	}{
		{"features", t.Features}, {"columns", t.Columns}, {"texts", t.Texts}, {"metrics", t.Metrics}, {"by", t.By}, {"values", t.Values},
	} {
		if len(x.names) > 0 {
			add("%s %q", x.what, x.names)
		}
	}
	if g := t.Growth; g != nil && t.Kept != "" {
		add("the kept model %q of %d trees of depth %d", t.Kept, g.Trees, g.Depth)
	} else if g != nil {
		add("%d trees of depth %d, %d bins, rate %g, lambda %g, min_weight %g, subsample %g, seed %d",
			g.Trees, g.Depth, g.Bins, g.Rate, g.Lambda, g.MinWeight, g.Subsample, g.Seed)
		if g.Holdout > 0 {
			add("one of %d rows held out", g.Holdout)
		}
		if g.Splits != "" {
			add("each owner of features learns the splits on them")
		}
	}
	if t.Bins > 0 {
		add("%d bins", t.Bins)
	}
	if t.MinGroup > 0 {
		add("groups of at least %d rows", t.MinGroup)
	}
	if t.Clusters > 0 {
		add("%d clusters, seed %d", t.Clusters, t.Seed)
	}
	if t.Iterations > 0 && t.Family == "" {
		add("%d iterations", t.Iterations)
	}
	if t.Assign {
		add("the cluster of each row is revealed")
	}
	if t.Components > 0 {
		add("%d components", t.Components)
	}
	if t.Sample {
		add("the target tells two samples apart")
	}
	for _, column := range slices.Sorted(maps.Keys(t.Levels)) {
		add("%q has the levels %q", column, t.Levels[column])
	}
	for _, column := range slices.Sorted(maps.Keys(t.Edges)) {
		add("bins of %q have the bounds %v", column, t.Edges[column])
	}
	for _, column := range slices.Sorted(maps.Keys(t.Ranges)) {
		add("bins of %q are at quantiles of all rows, in the range %v", column, t.Ranges[column])
	}
	if len(t.Quantiles) > 0 {
		add("quantiles %v", t.Quantiles)
	}
	if t.Correlation {
		add("correlations")
	}
	if t.Fill != "" {
		add("missing values replaced by the %s", t.Fill)
	}
	if len(t.Thresholds) > 0 {
		add("thresholds %v", t.Thresholds)
	}
	if len(t.Fractions) > 0 {
		add("fractions %v", t.Fractions)
	}
	if m := t.Model; m != nil {
		names := []string{}
		for _, c := range m.Coefficients {
			names = append(names, c.Name)
		}
		add("a model with link %s and coefficients of %q", m.Link, names)
		if m.Offset != "" {
			add("offset %q", m.Offset)
		}
	}
	if t.Kept != "" && t.Growth == nil {
		add("the kept model %q with link %s", t.Kept, t.Link)
	}
	if t.Offset != "" {
		add("offset %q", t.Offset)
	}
	if t.Weights != "" {
		add("weights %q", t.Weights)
	}
	for _, x := range []struct {
		what string
		is   float64
	}{{"power", t.Power}, {"alpha", t.Alpha}, {"l2", t.L2}, {"l1", t.L1}} {
		if x.is != 0 {
			add("%s %g", x.what, x.is)
		}
	}
	for _, column := range slices.Sorted(maps.Keys(t.Widths)) {
		add("%q has %d features", column, t.Widths[column])
	}
	add("%d rows", t.Rows)
	if t.Join != nil {
		add("%s", t.Join)
	}
	if g := t.SGD; g != nil {
		add("solver sgd, %d epochs, batches of %d rows, rate %g, features of %d bits", g.Epochs, g.Batch, g.Rate, g.Bits)
	}
	switch c := t.CG; {
	case c != nil:
		add("solver cg, %d iterations of %d steps, condition %g", t.Iterations, c.Steps, t.Condition)
	case t.Condition > 0:
		add("%d iterations, %d Hessians, condition %g", t.Iterations, t.Hessians, t.Condition)
	}
	return text
}

// maxJoined bounds the parties of a join that matches rows of two tables.
const maxJoined = 2

// Size returns the length of the task's text in JSON.
func (t *Task) Size() int64 {
	text, err := json.Marshal(t)
	if err != nil {
		panic(fmt.Sprintf("api: task: %v", err)) // plain data always has a text
	}
	return int64(len(text))
}

// Digest returns the SHA-256 hash of all that the task says, as policies have it: "sha256:" and hexadecimal digits.
func (t *Task) Digest() string {
	text, err := json.Marshal(t)
	if err != nil {
		panic(fmt.Sprintf("api: task: %v", err)) // plain data always has a text
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(text))
}

// checkTexts refuses names that are too long, or that cannot be printed.
func (t *Task) checkTexts() error {
	lists := [][]string{t.Features, t.Columns, t.Texts, t.Metrics, t.By, t.Values}
	texts := []string{t.Fit, t.Family, t.Link, t.Target, t.Offset, t.Weights, t.Fill, t.Score, t.Kept}
	if len(t.Widths) > maxEntries || len(t.Levels) > maxEntries || len(t.Quantiles) > maxEntries || len(t.Thresholds) > maxEntries ||
		len(t.Fractions) > maxEntries || len(t.Edges) > maxEntries || len(t.Ranges) > maxEntries {
		return fmt.Errorf("the task has a list of more than %d entries", maxEntries)
	}
	if c := t.Join; c != nil {
		most := maxJoined
		if c.Method == joins.Stacked {
			most = maxParties
		}
		if len(c.On) > most || max(len(c.Rows), len(c.Beside), len(c.Matches)) > maxParties || len(c.Aggregate) > maxEntries {
			return fmt.Errorf("the task's join names too many parties or columns")
		}
		texts = append(texts, c.Method, c.Kind, c.Keeper)
		texts = append(texts, c.Beside...)
		for name, columns := range c.On {
			lists, texts = append(lists, columns), append(texts, name)
		}
		for _, numbers := range []map[string]int{c.Rows, c.Matches} {
			for name := range numbers {
				texts = append(texts, name)
			}
		}
		for column, f := range c.Aggregate {
			texts = append(texts, column, f)
		}
	}
	for column := range t.Widths {
		texts = append(texts, column)
	}
	for column, levels := range t.Levels {
		lists, texts = append(lists, levels), append(texts, column)
	}
	for _, numbers := range []map[string][]float64{t.Edges, t.Ranges} {
		for column, of := range numbers {
			if texts = append(texts, column); len(of) > maxEntries {
				return fmt.Errorf("the task has a list of more than %d entries", maxEntries)
			}
		}
	}
	if m := t.Model; m != nil {
		if len(m.Coefficients) > maxEntries || len(m.Base) > maxEntries || len(m.Widths) > maxEntries {
			return fmt.Errorf("the task's model has more than %d coefficients", maxEntries)
		}
		texts = append(texts, m.Link, m.Offset)
		for _, c := range m.Coefficients {
			texts = append(texts, c.Name)
		}
		for column, level := range m.Base {
			texts = append(texts, column, level)
		}
		for column := range m.Widths {
			texts = append(texts, column)
		}
	}
	for _, list := range lists {
		if len(list) > maxEntries {
			return fmt.Errorf("the task names more than %d columns", maxEntries)
		}
		texts = append(texts, list...)
	}
	for _, text := range texts {
		if err := printable.Check("a name of the task", text, maxPath); err != nil {
			return err
		}
	}
	return nil
}
