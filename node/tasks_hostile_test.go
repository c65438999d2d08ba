package node

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/tasks"
)

// hostileTask is a task of a kind that a node with two columns of each party would run.
func hostileTask(kind job.Kind) api.Task {
	task := api.Task{
		Fit: string(kind), Family: "gaussian", Link: "identity", Target: "bob.target", Features: []string{"alice.AIRFLOW", "bob.WATERTEMP"},
		Rows: 21, Iterations: 3, Condition: 1e6, MinGroup: 10,
	}
	switch kind {
	case job.GBT:
		task.Growth = &api.Growth{Trees: 1, Depth: 1, Bins: 4, Rate: 0.1, Lambda: 1, MinWeight: 1, Subsample: 1}
	case job.Stats:
		task.Columns, task.Features, task.Target, task.Quantiles = []string{"alice.AIRFLOW"}, nil, "", []float64{0.5}
	case job.Predict:
		task.Model = &api.Model{Link: "identity", Coefficients: []api.Coefficient{{Name: "const"}, {Name: "alice.AIRFLOW", Value: 1}}}
		task.Features, task.Target = nil, ""
	case job.Eval:
		task.Score, task.Metrics, task.Features = "alice.AIRFLOW", []string{"auc", "lift", "calibration"}, nil
		task.Thresholds, task.Fractions, task.Bins = []float64{0.5}, []float64{0.5}, 2
	case job.Bin:
		task.Bins = 4
	case job.Group:
		task.By, task.Values, task.Features = []string{"bob.kind"}, []string{"alice.AIRFLOW"}, nil
		task.Levels = map[string][]string{"bob.kind": {"a", "b"}}
	case job.KMeans:
		task.Clusters = 2
	case job.PCA:
		task.Components = 1
	}
	return task
}

// TestHostileTasks gives every number of a task values that are out of range, for tasks of every kind: a node whose policy allows
// the task says that the program is not the task's, without much memory.
func TestHostileTasks(t *testing.T) {
	numbers := []int{math.MinInt, -1, 0, 1 << 16, 1 << 22, 1 << 31, 1 << 40, math.MaxInt}
	for _, kind := range tasks.Kinds {
		try := func(name string, task api.Task) {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: %s: %v", kind, name, r)
				}
			}()
			s := &api.Submission{
				Task: &task, Parties: []string{"alice", "bob"}, Program: api.Program{Name: "task.mlir", Text: make([]byte, 4096)}, Ring: 64, Fraction: 20,
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			w := &resolvedJob{sub: s}
			err := w.checkTask()
			if err == nil {
				err = w.buildTask()
			}
			if err == nil {
				t.Errorf("%s: %s: it is accepted", kind, name)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
				t.Errorf("%s: %s: %d MiB (%.100v)", kind, name, used>>20, err)
			}
		}
		var each func(prefix string, v func(*api.Task) reflect.Value)
		each = func(prefix string, v func(*api.Task) reflect.Value) {
			task := hostileTask(kind)
			for i := range v(&task).NumField() {
				name := prefix + v(&task).Type().Field(i).Name
				for _, n := range numbers {
					task := hostileTask(kind)
					f := v(&task).Field(i)
					switch f.Kind() {
					case reflect.Int:
						f.SetInt(int64(n))
					case reflect.Float64:
						f.SetFloat(float64(n))
					case reflect.Map:
						if f.Type().Elem().Kind() != reflect.Int {
							continue
						}
						f.Set(reflect.ValueOf(map[string]int{"alice.AIRFLOW": n, "bob.kind": n}))
					case reflect.Slice:
						if f.Type().Elem().Kind() != reflect.Float64 {
							continue
						}
						f.Set(reflect.ValueOf([]float64{float64(n), math.NaN()}))
					default:
						continue
					}
					try(fmt.Sprintf("%s %d", name, n), task)
				}
			}
		}
		each("", func(task *api.Task) reflect.Value { return reflect.ValueOf(task).Elem() })
		if kind == job.GBT {
			each("growth: ", func(task *api.Task) reflect.Value { return reflect.ValueOf(task.Growth).Elem() })
		}
	}
}

// TestLongTasks gives each list of a task 10^5 entries: a node refuses it by their number before it looks at them.
func TestLongTasks(t *testing.T) {
	names, numbers := make([]string, 100_000), make([]float64, 100_000)
	levels, widths, coefficients := map[string][]string{}, map[string]int{}, make([]api.Coefficient, len(names))
	for i := range names {
		names[i] = fmt.Sprint("alice.c", i)
		levels[names[i]], widths[names[i]] = []string{"a"}, 1
		coefficients[i].Name = names[i]
	}
	for what, change := range map[string]func(*api.Task){
		"features": func(t *api.Task) { t.Features = names }, "columns": func(t *api.Task) { t.Columns = names }, "texts": func(t *api.Task) { t.Texts = names },
		"by": func(t *api.Task) { t.By = names }, "values": func(t *api.Task) { t.Values = names }, "metrics": func(t *api.Task) { t.Metrics = names },
		"quantiles": func(t *api.Task) { t.Quantiles = numbers }, "thresholds": func(t *api.Task) { t.Thresholds = numbers },
		"fractions": func(t *api.Task) { t.Fractions = numbers }, "widths": func(t *api.Task) { t.Widths = widths },
		"levels": func(t *api.Task) { t.Levels = levels }, "levels of one": func(t *api.Task) { t.Levels = map[string][]string{"alice.x": names} },
		"model": func(t *api.Task) { t.Model = &api.Model{Coefficients: coefficients} },
	} {
		for _, kind := range tasks.Kinds {
			task := hostileTask(kind)
			change(&task)
			w := &resolvedJob{sub: &api.Submission{
				Task: &task, Parties: []string{"alice", "bob"}, Program: api.Program{Name: "task.mlir", Text: make([]byte, 4096)}, Ring: 64, Fraction: 20,
			}}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := w.checkTask()
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), "nodes take at most 10000") {
				t.Errorf("%s of %s: %v", what, kind, err)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
				t.Errorf("%s of %s: %d KiB", what, kind, used>>10)
			}
		}
	}
}
