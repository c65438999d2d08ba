package api

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/printable"
)

// Task is what a job computes on columns of tables, instead of a program that its submitter wrote. Every node builds
// the program of the task itself. Columns are PARTY.COLUMN.
type Task struct {
	Fit        string         `json:"fit"` // glm
	Family     string         `json:"family"`
	Link       string         `json:"link"`
	Target     string         `json:"target"`
	Features   []string       `json:"features"`
	Offset     string         `json:"offset,omitempty"`
	Rows       int            `json:"rows"`
	Widths     map[string]int `json:"widths,omitempty"` // features by column; 1 for all others
	Iterations int            `json:"iterations"`
	Condition  float64        `json:"condition"`
}

// FitGLM is the Fit of a generalised linear model.
const FitGLM = "glm"

// Columns returns the names of a party's columns that the task uses.
func (t *Task) Columns(party string) []string {
	var out []string
	for _, column := range append(append([]string{}, t.Features...), t.Target, t.Offset) {
		if owner, name, ok := strings.Cut(column, "."); ok && owner == party {
			out = append(out, name)
		}
	}
	return out
}

// String describes the task for people who approve jobs. Names of submitters are quoted.
func (t *Task) String() string {
	text := fmt.Sprintf("%s, family %s, link %s, target %q, features %q", t.Fit, t.Family, t.Link, t.Target, t.Features)
	if t.Offset != "" {
		text += fmt.Sprintf(", offset %q", t.Offset)
	}
	for _, column := range slices.Sorted(maps.Keys(t.Widths)) {
		text += fmt.Sprintf(", %q has %d features", column, t.Widths[column])
	}
	return text + fmt.Sprintf(", %d rows, %d iterations, condition %g", t.Rows, t.Iterations, t.Condition)
}

// checkTexts refuses names that are too long, or that cannot be printed.
func (t *Task) checkTexts() error {
	if len(t.Features) > maxEntries || len(t.Widths) > maxEntries {
		return fmt.Errorf("the task names more than %d features", maxEntries)
	}
	texts := append([]string{t.Fit, t.Family, t.Link, t.Target, t.Offset}, t.Features...)
	for column := range t.Widths {
		texts = append(texts, column)
	}
	for _, text := range texts {
		if err := printable.Check("a name of the task", text, maxPath); err != nil {
			return err
		}
	}
	return nil
}
