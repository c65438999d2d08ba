package node

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
)

// simRows is the number of rows of a party's table, of which those of parties next to each other have all ids but one in common.
const simRows = 9

// simTableFile is the name of its file.
const simTableFile = "table.csv"

// simRow returns the id and the values of a row of a party's table.
func simRow(rank, i int) (id int, v, w float64) {
	id = rank + (i*5)%simRows // in another order than by id
	return id, float64((id * id) % 11), float64((3*id + rank) % 7)
}

// simTable returns a party's table.
func simTable(rank int) string {
	text := "id,v,w\n"
	for i := range simRows {
		id, v, w := simRow(rank, i)
		text += fmt.Sprintf("%d,%v,%v\n", id, v, w)
	}
	return text
}

// simIntercept returns the intercept of least squares of the second party's w on the first one's v, of rows with equal ids.
func simIntercept(first, second string) float64 {
	var n, x, y, xx, xy float64
	for i := range simRows {
		id, v, _ := simRow(slices.Index(simNames, first), i)
		for k := range simRows {
			if other, _, w := simRow(slices.Index(simNames, second), k); other == id {
				n, x, y, xx, xy = n+1, x+v, y+w, xx+v*v, xy+v*w
			}
		}
	}
	slope := (n*xy - x*y) / (n*xx - x*x)
	return (y - slope*x) / n
}

// matching returns the number of ids that two parties have in common.
func matching(first, second string) int {
	a, b := slices.Index(simNames, first), slices.Index(simNames, second)
	return simRows - max(a-b, b-a)
}

// joining returns a fit on rows that two parties match by a join.
func (w *world) joining(order []string, method string) *api.Submission {
	first, second := order[0], order[1]
	rows := ""
	if method == job.PSI {
		rows = fmt.Sprintf(", rows: %d", matching(first, second))
	}
	text := fmt.Sprintf(`task: {fit: glm, family: gaussian, target: %[2]s.w, features: [%[1]s.v], iterations: 2%[3]s}
join: {method: %[4]s, on: id, rows: {%[1]s: %[5]d, %[2]s: %[5]d}}
parties: [%[1]s, %[2]s]
inputs:
  - {owner: %[1]s, name: table}
  - {owner: %[2]s, name: table}
`, first, second, rows, method, simRows)
	dir, err := os.MkdirTemp(w.dir, "join")
	path := filepath.Join(dir, "job.yaml")
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	var s *api.Submission
	if err == nil {
		var j *job.Job
		if j, err = job.Load(path); err == nil {
			s, err = cluster.NewSubmission(w.t.Context(), j, nil)
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// runJoin runs a task on rows that nodes match.
func (w *world) runJoin(order []string) {
	s := w.joining(order, []string{job.PSI, job.Hidden}[w.choose(2)])
	w.submitted(s)
	w.ended(s, simIntercept(order[0], order[1]))
}
