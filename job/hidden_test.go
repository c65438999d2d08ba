package job

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/kmeans"
	"github.com/tacet-mpc/tacet/metrics"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// splitRows writes a table, whose columns are divided between alice and bob, as two files with overlapping ids, in random orders:
// rows that only one of them has are copies of others. It returns the files by party.
func splitRows(t *testing.T, data *table.Table, alice, bob []string) map[string]string {
	t.Helper()
	files := map[string]string{}
	r := rand.New(rand.NewPCG(1, uint64(data.Rows)))
	for i, columns := range [][]string{alice, bob} {
		var lines []string
		for row := range data.Rows + data.Rows/2 {
			id := row
			if row >= data.Rows { // a row of this party alone
				id = row + i*data.Rows
			}
			line := fmt.Sprint(id)
			for _, name := range columns {
				c := data.Column(name)
				switch row := row % data.Rows; c.Kind {
				case table.Float:
					line += fmt.Sprintf(",%.17g", c.Floats[row])
				default:
					line += fmt.Sprintf(",%d", c.Ints[row])
				}
			}
			lines = append(lines, line)
		}
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		name := []string{"alice", "bob"}[i]
		files[name] = filepath.Join(t.TempDir(), name+".csv")
		text := "id," + strings.Join(columns, ",") + "\n" + strings.Join(lines, "\n") + "\n"
		if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// runTask runs a task on files of alice and bob with a join, by column id if it has keys.
func runTask(t *testing.T, files map[string]string, task Task, join Join) (Answer, *party.Outcome, *Joined) {
	t.Helper()
	if join.Method == PSI || join.Method == Hidden {
		join.On = map[string][]string{"alice": {"id"}, "bob": {"id"}}
	}
	j, err := NewFit([]string{"alice", "bob"}, files, task, join)
	if err != nil {
		t.Fatal(err)
	}
	w, joined, err := j.Work(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := j.TaskSpec(w)
	if err != nil {
		t.Fatal(err)
	}
	s.Network = "none"
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(w.Results()); n != len(out.Results) {
		t.Errorf("%d results are listed, and %d revealed", n, len(out.Results))
	}
	answer, err := j.Answer(w, out.Results)
	if err != nil {
		t.Fatal(err)
	}
	return answer, out, joined
}

// fit is a model that statsmodels has fitted.
type fit struct {
	Data, Offset, Weights string
	Family                glm.Family
	Link                  glm.Link
	Features              []string
	Power, Alpha, L1, L2  float64
	Coefficients, Errors  []float64
	Deviance, Dispersion  float64
	LogLikelihood         *float64 `json:"log_likelihood"`
}

// readFits reads the models of ../glm/testdata.
func readFits(t *testing.T) []fit {
	t.Helper()
	text, err := os.ReadFile("../glm/testdata/fits.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Fits []fit }
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all.Fits
}

// TestHiddenFit fits models on hidden joins of tables with further rows and compares with statsmodels on the rows that match.
func TestHiddenFit(t *testing.T) {
	all := readFits(t)
	seen, runs := map[string]bool{}, testcases.OneOf(t, 3)
	for _, f := range all {
		what := fmt.Sprint(f.Family, f.Link)
		if f.Offset != "" || f.Weights != "" { // of any family
			what = fmt.Sprint(f.Offset != "", f.Weights != "")
		}
		data, err := table.Read(filepath.Join("../glm/testdata", f.Data+".csv"), table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if seen[what] || f.L1+f.L2 > 0 || data.Rows > 60 {
			continue // a penalty is one of features that are standardised by all rows of their owner
		}
		seen[what] = true
		if !runs() {
			continue
		}
		t.Run(f.Data+" "+what, func(t *testing.T) {
			half := len(f.Features) / 2
			alice, bob := f.Features[:half], append(slices.Clone(f.Features[half:]), "target")
			task := Task{Family: f.Family, Link: f.Link, Target: "bob.target", Power: f.Power, Alpha: f.Alpha}
			if f.Family == glm.Gamma && f.Link == glm.Log {
				task.Iterations = 40 // Fisher scoring converges linearly here
			}
			for _, name := range f.Features[:half] {
				task.Features = append(task.Features, "alice."+name)
			}
			for _, name := range f.Features[half:] {
				task.Features = append(task.Features, "bob."+name)
			}
			alice = slices.Clone(alice)
			if f.Offset != "" {
				alice, task.Offset = append(alice, f.Offset), "alice."+f.Offset
			}
			if f.Weights != "" {
				alice, task.Weights = append(alice, f.Weights), "alice."+f.Weights
			}
			files := splitRows(t, data, alice, bob)
			keeper := []string{"alice", "bob"}[len(seen)%2]
			answer, _, joined := runTask(t, files, task, Join{Method: Hidden, Keeper: keeper})
			r := answer.(*glm.Result)
			if joined.Rows != data.Rows+data.Rows/2 || !r.Hidden || r.Rows != joined.Rows {
				t.Errorf("%d rows, want all of the keeper's, %d", joined.Rows, data.Rows+data.Rows/2)
			}
			if !r.Converged || !r.Inverted {
				t.Errorf("converged %v, inverted %v", r.Converged, r.Inverted)
			}
			if r.NullDeviance != nil || r.LogLikelihood != nil || r.AIC != nil {
				t.Error("statistics of the target alone are those of all rows")
			}
			for i, c := range r.Coefficients {
				if math.Abs(c.Value-f.Coefficients[i]) > 1e-3*max(math.Abs(f.Coefficients[i]), f.Errors[i]) {
					t.Errorf("%s is %v, want %v", c.Name, c.Value, f.Coefficients[i])
				}
				if math.Abs(c.Error/f.Errors[i]-1) > 1e-3 {
					t.Errorf("%s: standard error %v, want %v", c.Name, c.Error, f.Errors[i])
				}
			}
			if math.Abs(r.Deviance/f.Deviance-1) > 1e-3 {
				t.Errorf("deviance %v, want %v", r.Deviance, f.Deviance)
			}
			if f.Dispersion > 0 && math.Abs(r.Dispersion/f.Dispersion-1) > 1e-3 {
				t.Errorf("dispersion %v, want %v", r.Dispersion, f.Dispersion)
			}
		})
	}
	if len(seen) < 8 { // families, links, offset and weights
		t.Errorf("only %v", seen)
	}
}

// hiddenFiles writes two small tables with missing values, texts, truth values and a constant, of which common ids match.
func hiddenFiles(t *testing.T, n, common int) map[string]string {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 6))
	files := map[string]string{}
	for i, name := range []string{"alice", "bob"} {
		lines := []string{}
		for row := range n {
			id := row
			if row >= common {
				id = row + (i+1)*n
			}
			missing := []string{fmt.Sprint(r.Float64()), ""}[row%5/4]
			key := fmt.Sprint(id)
			if row == n-1 {
				key = "" // matches nothing
			}
			lines = append(lines, fmt.Sprintf("%s,%v,%s,%s,%v,7", key, 1e4+100*r.NormFloat64()+float64(row), missing, []string{"u", "v", "w"}[row%3], r.IntN(2) == 0))
		}
		r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		files[name] = filepath.Join(t.TempDir(), name+".csv")
		text := "id,big" + fmt.Sprint(i) + ",some" + fmt.Sprint(i) + ",text" + fmt.Sprint(i) + ",truth" + fmt.Sprint(i) + ",same" + fmt.Sprint(i) + "\n"
		if err := os.WriteFile(files[name], []byte(text+strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestHiddenStatistics compares with the statistics of an intersection in clear.
func TestHiddenStatistics(t *testing.T) {
	files := hiddenFiles(t, 300, 200)
	listed := []string{"alice.big0", "alice.text0", "alice.some0", "alice.same0", "bob.truth1", "bob.big1", "bob.some1", "bob.text1", "bob.same1"}
	task := Task{Kind: Stats, Listed: listed, Quantiles: []float64{}, Correlation: true, Fill: "mean"}
	for _, keeper := range []string{"alice", "bob"} {
		clear, _, _ := runTask(t, files, task, Join{Method: PSI})
		hidden, out, _ := runTask(t, files, task, Join{Method: Hidden, Keeper: keeper})
		want, got := clear.(*statistics.Result), hidden.(*statistics.Result)
		if got.Rows != want.Rows || len(got.Columns) != len(want.Columns) {
			t.Fatalf("%d rows, want %d", got.Rows, want.Rows)
		}
		near := func(what string, a, b *float64, tolerance float64) {
			t.Helper()
			if (a == nil) != (b == nil) || a != nil && math.Abs(*a-*b) > tolerance*max(1, math.Abs(*b)) {
				t.Errorf("%s: %v, want %v", what, number(a), number(b))
			}
		}
		for i, c := range got.Columns {
			w := want.Columns[i]
			if c.Name != w.Name || c.Count != w.Count || c.Missing != w.Missing {
				t.Errorf("%+v, want %+v", c, w)
			}
			near(c.Name+" mean", c.Mean, w.Mean, 1e-6)
			near(c.Name+" variance", c.Variance, w.Variance, 1e-6)
			near(c.Name+" skewness", c.Skewness, w.Skewness, 1e-6)
			near(c.Name+" kurtosis", c.Kurtosis, w.Kurtosis, 1e-6)
		}
		for i := range want.Correlation {
			for k := range want.Correlation {
				tolerance := 1e-6
				if strings.Contains(want.Names[i]+want.Names[k], "some") {
					tolerance = 0.02 // missing values are replaced by the mean of all rows of the owner
				}
				near(fmt.Sprint(want.Names[i], want.Names[k]), got.Correlation[i][k], want.Correlation[i][k], tolerance)
			}
		}
		if !slices.Equal(out.Report.Online.BytesSent, out.Report.Predicted.Online.BytesSent) {
			t.Error("costs are not those of the plan")
		}
	}
}

const inner, left, outer = "inner", "left", "outer"

// TestHiddenFew: of hidden joins of which few rows match, the numbers that are revealed, not only those that an answer shows, depend on
// no column: a party that chooses its keys would choose the rows that they show.
func TestHiddenFew(t *testing.T) {
	task := Task{Kind: Stats, Listed: []string{"alice.a", "bob.b"}, Quantiles: []float64{}, Correlation: true}
	for _, x := range []struct {
		match int
		kind  string
		shown []bool // columns of alice, who keeps her rows, of bob, and correlations
	}{
		{0, inner, []bool{false, false, false}}, {4, inner, []bool{false, false, false}}, {5, inner, []bool{true, true, true}},
		{4, left, []bool{true, false, true}},
	} {
		files := map[string]string{"alice": "id,a\n", "bob": "id,b\n"}
		for i := range 8 {
			files["alice"] += fmt.Sprintf("%d,%d\n", i, 10+i*i)
			files["bob"] += fmt.Sprintf("%d,%d\n", 8+i-x.match, 20+3*i)
		}
		for name, text := range files {
			files[name] = filepath.Join(t.TempDir(), name+".csv")
			if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		answer, out, _ := runTask(t, files, task, Join{Method: Hidden, Keeper: "alice", Kind: x.kind})
		var moments []*tensor.Array // results after the counts of each party, and of correlations those off the diagonal
		for _, at := range []int{2, 4} {
			moments = append(moments, out.Results[at])
		}
		moments = append(moments, tensor.FromFloats(tensor.F64, tensor.Shape{1}, out.Results[5].Floats()[1:2]))
		for i, shown := range x.shown {
			for _, v := range moments[i].Floats() {
				if !shown && v != 0 {
					t.Errorf("%d rows match, kind %s: %v are revealed as result %d", x.match, x.kind, moments[i].Floats(), i)
					break
				}
			}
		}
		columns := answer.(*statistics.Result).Columns
		if (columns[0].Mean != nil) != x.shown[0] || (columns[1].Mean != nil) != x.shown[1] || columns[1].Count != x.match {
			t.Errorf("%d rows match, kind %s: the answer is %+v", x.match, x.kind, columns)
		}
		if m := columns[0].Mean; x.match == 5 && (math.Abs(*m-37) > 1e-6 || math.Abs(*columns[1].Mean-26) > 1e-6) { // 10 + (9 + 16 + … + 49)/5
			t.Errorf("the means are %v and %v", *m, *columns[1].Mean)
		}
	}
}

// TestHiddenFewFitted: of a model of a hidden join of which no more rows match than there are coefficients, or fewer than five, nothing
// is revealed, with a penalty too, which makes any number of rows enough for a fit.
func TestHiddenFewFitted(t *testing.T) {
	for _, x := range []struct {
		match    int
		features []string
		kind     string
		revealed bool
	}{
		{0, []string{"bob.b"}, inner, false}, {4, []string{"bob.b"}, inner, false}, {5, []string{"bob.b"}, inner, true}, {4, []string{"bob.b"}, left, false},
		{5, []string{"alice.a", "bob.b", "bob.c", "bob.d"}, inner, false}, {6, []string{"alice.a", "bob.b", "bob.c", "bob.d"}, inner, true},
	} {
		files := map[string]string{"alice": "id,y,a\n", "bob": "id,b,c,d\n"}
		for i := range 8 {
			files["alice"] += fmt.Sprintf("%d,%d,%d\n", i, 10+i*i, (7*i)%5)
			files["bob"] += fmt.Sprintf("%d,%d,%d,%d\n", 8+i-x.match, 20+3*i, (3*i)%7, (5*i*i)%11)
		}
		for name, text := range files {
			files[name] = filepath.Join(t.TempDir(), name+".csv")
			if err := os.WriteFile(files[name], []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		task := Task{Kind: GLM, Family: glm.Gaussian, Target: "alice.y", Features: x.features, Iterations: 2, L2: 0.01}
		answer, out, _ := runTask(t, files, task, Join{Method: Hidden, Keeper: "alice", Kind: x.kind})
		shown := 0
		for _, r := range out.Results[:5] { // but what is revealed of all rows of a left join's target
			for _, v := range r.Floats() {
				if v != 0 {
					shown++
				}
			}
		}
		if few := answer.(*glm.Result).Few; (shown > 0) != x.revealed || (few == 0) != x.revealed {
			t.Errorf("%d rows match, %d features, kind %s: %d numbers are revealed, few is %d", x.match, len(x.features), x.kind, shown, few)
		}
	}
}

func number(x *float64) any {
	if x == nil {
		return nil
	}
	return *x
}

// TestHiddenSizes: messages of a task have the same sizes whether all rows match or none.
func TestHiddenSizes(t *testing.T) {
	var sent [][]int64
	for _, common := range []int{0, 60} {
		files := hiddenFiles(t, 61, common)
		task := Task{Kind: Stats, Listed: []string{"alice.big0", "bob.big1", "bob.text1"}, Quantiles: []float64{}, Correlation: true}
		answer, out, joined := runTask(t, files, task, Join{Method: Hidden})
		if r := answer.(*statistics.Result); r.Rows != common || common == 0 && (r.Columns[0].Mean != nil || r.Columns[1].Skewness != nil) {
			t.Errorf("%d rows match: %+v", common, r)
		}
		s := slices.Concat(out.Report.Online.BytesSent, out.Report.Input.BytesSent, out.Report.Output.BytesSent)
		for _, o := range joined.Report.Ops {
			s = append(s, o.BytesSent...)
		}
		for keeper, name := range []string{"alice", "bob"} {
			fit := Task{Family: glm.Gamma, Link: glm.Log, Target: "bob.big1", Features: []string{"alice.big0", "bob.truth1"}}
			answer, out, joined := runTask(t, files, fit, Join{Method: Hidden, Keeper: name, Kind: []string{inner, left}[keeper]})
			r, want := answer.(*glm.Result), 0
			if common == 0 {
				want = 5 // more than all coefficients, or those of alice's rows, and at least five
			}
			warned := strings.Contains(strings.Join(r.Warnings(), " "), "no model was fitted")
			if none := common == 0; r.Few != want || warned != none || (len(r.Coefficients) == 0) != none {
				t.Errorf("%d rows match: few %d, want %d; %v", common, r.Few, want, r)
			}
			s = slices.Concat(s, out.Report.Online.BytesSent, out.Report.Input.BytesSent, joined.Report.Online.BytesSent)
		}
		sent = append(sent, s)
	}
	if !slices.Equal(sent[0], sent[1]) {
		t.Errorf("without matches %v bytes, with all %v", sent[0], sent[1])
	}
}

// TestHiddenPlan: a plan by numbers of rows alone is that of the tables, and has the costs of the run.
func TestHiddenPlan(t *testing.T) {
	files := hiddenFiles(t, 80, 50)
	fit := Task{Family: glm.Gaussian, Target: "bob.big1", Features: []string{"alice.big0", "alice.truth0", "bob.truth1"}}
	stats := Task{Kind: Stats, Listed: []string{"alice.big0", "bob.big1", "bob.text1"}, Texts: []string{"bob.text1"}, Quantiles: []float64{}, Correlation: true}
	for _, task := range []Task{fit, stats} {
		var bytes [][]int64
		for _, rows := range []map[string]int{nil, {"alice": 80, "bob": 80}} {
			j, err := NewFit([]string{"alice", "bob"}, files, task, Join{Method: Hidden, On: map[string][]string{"alice": {"id"}, "bob": {"id"}}, Rows: rows})
			if err != nil {
				t.Fatal(err)
			}
			if rows != nil {
				j.Inputs[0].File, j.Inputs[1].File = "no file", "no file"
			}
			w, joined, err := j.PlanWork(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			s, err := j.TaskSpec(w)
			if err != nil {
				t.Fatal(err)
			}
			r, err := party.Plan(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			bytes = append(bytes, append(slices.Clone(r.Predicted.Online.BytesSent), joined.Online.BytesSent...))
		}
		_, out, joined := runTask(t, files, task, Join{Method: Hidden})
		bytes = append(bytes, append(slices.Clone(out.Report.Online.BytesSent), joined.Report.Online.BytesSent...))
		if !slices.Equal(bytes[0], bytes[1]) || !slices.Equal(bytes[0], bytes[2]) {
			t.Errorf("%s: plans %v and %v bytes, run %v", task.kind(), bytes[0], bytes[1], bytes[2])
		}
	}
}

func TestHiddenRefused(t *testing.T) {
	files := hiddenFiles(t, 20, 10)
	on := map[string][]string{"alice": {"id"}, "bob": {"id"}}
	fit := Task{Family: glm.Gaussian, Target: "bob.big1", Features: []string{"alice.big0"}}
	for want, c := range map[string]struct {
		task     Task
		join     Join
		protocol string
	}{
		"predictions of single rows show which rows match": {Task{Kind: Predict, Model: "none.json"}, Join{Method: Hidden, On: on}, ""},
		"rows of a hidden join have no quantiles":          {Task{Kind: Stats, Listed: []string{"alice.big0", "bob.big1"}, Quantiles: []float64{0.1}}, Join{Method: Hidden, On: on}, ""},
		"needs a protocol of the two parties":              {fit, Join{Method: Hidden, On: on}, "cheetah"},
		"has protocol aby3":                                {fit, Join{Method: Hidden, On: on}, "aby3"},
		"has protocol plain":                               {fit, Join{Method: Hidden, On: on}, "plain"},
		"keeper names \"carol\"":                           {fit, Join{Method: Hidden, On: on, Keeper: "carol"}, ""},
		"rows: want the numbers of rows":                   {fit, Join{Method: Hidden, On: on, Rows: map[string]int{"alice": 1}}, ""},
		"keeper belongs to method: hidden":                 {fit, Join{Method: PSI, On: on, Keeper: "bob"}, ""},
		"--kind: outer is not for models":                  {fit, Join{Method: Hidden, On: on, Kind: outer}, ""},
		"--kind: outer is for method: hidden":              {fit, Join{Method: PSI, On: on, Kind: outer}, ""},
		"kind: left, keeper: alice": {
			Task{Kind: GBT, Target: "alice.truth0", Features: []string{"bob.big1"}}, Join{Method: Hidden, On: on, Kind: left, Keeper: "bob"}, "",
		},
		"--kind: right is left with": {fit, Join{Method: Hidden, On: on, Kind: "right"}, ""},
		"on is missing":              {fit, Join{Method: Hidden}, ""},
	} {
		j, err := NewFit([]string{"alice", "bob"}, files, c.task, c.join)
		if err == nil {
			j.Apply(Override{Protocol: c.protocol})
			_, _, err = j.Work(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// TestHiddenLeft: a left join's fit is that of tables with zeros and a column that says which rows match, joined in clear.
func TestHiddenLeft(t *testing.T) {
	const n, common = 120, 70
	r := rand.New(rand.NewPCG(8, 9))
	alice, joined, bob := "id,a,y,g\n", "b,c,joined\n", "id,b,c\n"
	for row := range n {
		a, b, c := r.NormFloat64(), 5+r.NormFloat64(), -3+2*r.NormFloat64()
		is := 0.0
		if row < common {
			is = 1
			bob += fmt.Sprintf("%d,%v,%v\n", row, b, c)
		}
		eta := 0.3 + 0.2*a + is*(0.5-0.1*b+0.1*c)
		alice += fmt.Sprintf("%d,%v,%d,%v\n", row, a, int(math.Exp(eta)*2*r.Float64()+0.5), eta+0.2*r.NormFloat64())
		joined += fmt.Sprintf("%v,%v,%v\n", is*b, is*c, is)
	}
	for row := range 30 {
		bob += fmt.Sprintf("%d,%v,%v\n", n+row, 5+r.NormFloat64(), r.NormFloat64())
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name+".csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a := file("a", alice)
	hidden, clear := map[string]string{"alice": a, "bob": file("b", bob)}, map[string]string{"alice": a, "bob": file("c", joined)}
	for family, target := range map[glm.Family]string{glm.Poisson: "alice.y", glm.Gaussian: "alice.g"} {
		task := Task{Family: family, Target: target, Features: []string{"alice.a", "bob.b", "bob.c"}}
		answer, _, _ := runTask(t, hidden, task, Join{Method: Hidden, Kind: left})
		got := answer.(*glm.Result)
		task.Features = append(slices.Clone(task.Features), "bob.joined")
		j, err := NewFit([]string{"alice", "bob"}, clear, task, Join{Method: Aligned})
		if err != nil {
			t.Fatal(err)
		}
		w, _, err := j.Work(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := j.TaskSpec(w)
		if err != nil {
			t.Fatal(err)
		}
		s.Network = "none"
		out, err := party.Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		answer, err = j.Answer(w, out.Results)
		if err != nil {
			t.Fatal(err)
		}
		want := answer.(*glm.Result)
		if !got.Converged || !got.Inverted || got.Hidden || got.Rows != n || len(got.Coefficients) != len(want.Coefficients) {
			t.Fatalf("%+v", got)
		}
		for i, c := range got.Coefficients {
			w := want.Coefficients[i]
			if c.Name != strings.Replace(w.Name, ".joined", glm.JoinedName, 1) ||
				math.Abs(c.Value-w.Value) > 1e-4*w.Error || math.Abs(c.Error/w.Error-1) > 1e-4 {
				t.Errorf("%s: %+v, want %+v", family, c, w)
			}
		}
		for what, x := range map[string][2]float64{
			"deviance": {got.Deviance, want.Deviance}, "AIC": {*got.AIC, *want.AIC}, "null deviance": {*got.NullDeviance, *want.NullDeviance},
		} {
			if math.Abs(x[0]/x[1]-1) > 1e-5 {
				t.Errorf("%s: %s %v, want %v", family, what, x[0], x[1])
			}
		}
	}
	task := Task{Kind: Stats, Listed: []string{"alice.a", "bob.b"}, Quantiles: []float64{}}
	answer, _, _ := runTask(t, hidden, task, Join{Method: Hidden, Kind: left})
	if r := answer.(*statistics.Result); r.Rows != n || r.Columns[0].Count != n || r.Columns[1].Count != common ||
		r.Columns[1].Missing != n-common {
		t.Errorf("%+v", r)
	}
}

// unionFiles writes tables of alice and bob with common ids, and the rows of a left or outer join of them in clear: as they are, with
// empty fields, and with those filled by the mean of all rows of the column's owner.
func unionFiles(t *testing.T, n, common int, both bool) (tables, clear, filled map[string]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(13, 14))
	var a, b [][]float64
	var means [4]float64
	for range n {
		x, z := r.NormFloat64(), r.NormFloat64()
		a, b = append(a, []float64{x, x + z}), append(b, []float64{3 + 2*x + r.NormFloat64(), z})
		for i, v := range []float64{a[len(a)-1][0], a[len(a)-1][1], b[len(b)-1][0], b[len(b)-1][1]} {
			means[i] += v / float64(n)
		}
	}
	texts := map[string]string{}
	add := func(file string, id int, values []float64, lacks []any) {
		if lacks != nil {
			texts[file] += fmt.Sprintf("%d,%v,%v\n", id, lacks[0], lacks[1])
			return
		}
		texts[file] += fmt.Sprintf("%d,%v,%v\n", id, values[0], values[1])
	}
	for i := range n {
		id, other := i, i // alice's row i, and bob's
		if i >= common {
			other += n
		}
		add("alice", id, a[i], nil)
		add("bob", other, b[i], nil)
		for _, kind := range []string{"clear", "filled"} {
			of := func(first int) []any {
				if kind == "clear" {
					return []any{"", ""}
				}
				return []any{means[first], means[first+1]}
			}
			add("alice"+kind, id, a[i], nil)
			if i < common {
				add("bob"+kind, id, b[i], nil)
				continue
			}
			add("bob"+kind, id, nil, of(2))
			if both {
				add("alice"+kind, other, nil, of(0))
				add("bob"+kind, other, b[i], nil)
			}
		}
	}
	dir := t.TempDir()
	files := func(kind string) map[string]string {
		out := map[string]string{}
		for name, head := range map[string]string{"alice": "id,x,y\n", "bob": "id,u,v\n"} {
			out[name] = filepath.Join(dir, name+kind+".csv")
			lines := strings.SplitAfter(strings.TrimSuffix(texts[name+kind], "\n")+"\n", "\n")
			if lines = lines[:len(lines)-1]; kind == "" {
				r.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
			}
			if err := os.WriteFile(out[name], []byte(head+strings.Join(lines, "")), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return out
	}
	return files(""), files("clear"), files("filled")
}

// TestHiddenOuter: statistics and components of left and outer joins are those of the joined rows in clear, with either keeper; the
// costs are those of the plan.
func TestHiddenOuter(t *testing.T) {
	const n, common = 60, 25
	columns := []string{"alice.x", "alice.y", "bob.u", "bob.v"}
	stats := Task{Kind: Stats, Listed: columns, Quantiles: []float64{}, Correlation: true, Fill: "mean"}
	components := Task{Kind: PCA, Features: columns, Components: 2}
	for i, kind := range []string{left, outer, outer} {
		tables, clear, filled := unionFiles(t, n, common, kind == outer)
		join := Join{Method: Hidden, Kind: kind, Keeper: []string{"alice", "alice", "bob"}[i]}
		for _, x := range []struct {
			task  Task
			files map[string]string
		}{{stats, clear}, {components, filled}} {
			if kind == left && x.task.Kind == Stats {
				continue // its missing values are those of matching rows: TestHiddenLeft
			}
			want, _, _ := runTask(t, x.files, x.task, Join{Method: Aligned})
			got, out, joined := runTask(t, tables, x.task, join)
			if err := sameAnswer(got, want); err != nil {
				t.Errorf("%s, %s join, %s keeps: %v", x.task.Kind, kind, join.Keeper, err)
			}
			if rows := map[string]int{left: n, outer: 2 * n}[kind]; joined.Rows != rows {
				t.Errorf("%s join: %d rows, want %d", kind, joined.Rows, rows)
			}
			if r, ok := got.(*statistics.Result); ok && r.Rows != 2*n-common {
				t.Errorf("%s join: %d rows count, want %d", kind, r.Rows, 2*n-common)
			}
			for _, r := range []*profile.Report{out.Report, joined.Report} {
				if !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
					t.Errorf("%s, %s join: costs are not those of the plan", x.task.Kind, kind)
				}
			}
		}
	}
}

// TestFewMatches: of a left or outer join with few rows that match, correlations of columns of both parties, which would show single
// values, and components are not revealed.
func TestFewMatches(t *testing.T) {
	columns := []string{"alice.x", "alice.y", "bob.u", "bob.v"}
	for _, kind := range []string{left, outer} {
		tables, _, _ := unionFiles(t, 20, 4, kind == outer)
		join := Join{Method: Hidden, Kind: kind, Keeper: "alice"}
		answer, out, _ := runTask(t, tables, Task{Kind: Stats, Listed: columns, Quantiles: []float64{}, Correlation: true}, join)
		r, revealed := answer.(*statistics.Result), out.Results[len(out.Results)-1].Floats()
		for i := range columns {
			for j := range columns {
				free := i/2 == j/2 && (i < 2 || kind == outer) // of one party, all of whose rows count
				if got := r.Correlation[i][j]; (got != nil) != free || !free && math.Abs(revealed[4*i+j]) > 1e-6 || free && revealed[4*i+j] == 0 {
					t.Errorf("%s join: the correlation of %s and %s is %v, and %v is revealed", kind, columns[i], columns[j], number(got), revealed[4*i+j])
				}
			}
		}
		answer, out, _ = runTask(t, tables, Task{Kind: PCA, Features: columns, Components: 2}, join)
		var text strings.Builder
		if err := answer.Print(&text); err != nil || !strings.Contains(text.String(), "fewer than 5 match") || slices.Max(out.Results[0].Floats()) != 0 {
			t.Errorf("%s join: %v, %s, %v", kind, err, text.String(), out.Results[0])
		}
	}
}

// scored writes tables with labels, numbers and scores, of which some are tied, for evaluations.
func scored(t *testing.T, n, common int) map[string]string {
	t.Helper()
	r := rand.New(rand.NewPCG(11, 12))
	files := map[string]string{}
	lines := map[string][]string{}
	for row := range 2*n - common {
		x, z := math.Round(2*r.NormFloat64()), r.NormFloat64()
		y := 0
		if x+z+r.NormFloat64() > 0 {
			y = 1
		}
		if row < n {
			lines["alice"] = append(lines["alice"], fmt.Sprintf("%d,%v,%v,%v", row, x, math.Round(2*x)/2, x > 0))
		}
		if row < common || row >= n {
			lines["bob"] = append(lines["bob"], fmt.Sprintf("%d,%v,%d,%v,k%d", row, z, y, 50+10*(x+z+r.NormFloat64()), row%4/2))
		}
	}
	for name, head := range map[string]string{"alice": "id,x,score,positive\n", "bob": "id,z,y,cost,kind\n"} {
		r.Shuffle(len(lines[name]), func(i, k int) { lines[name][i], lines[name][k] = lines[name][k], lines[name][i] })
		files[name] = filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(files[name], []byte(head+strings.Join(lines[name], "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestHiddenEvaluation compares metrics of a hidden join with those of an intersection in clear.
func TestHiddenEvaluation(t *testing.T) {
	files := scored(t, 90, 60)
	model := func(link glm.Link, scale float64) *glm.Result {
		return &glm.Result{Link: link, Coefficients: []glm.Coefficient{
			{Name: "const", Value: scale / 4}, {Name: "alice.x", Value: scale}, {Name: "bob.z", Value: scale / 2},
		}}
	}
	cost := model(glm.Identity, 10)
	cost.Coefficients[0].Value = 50
	for i, task := range []Task{
		{Kind: Eval, Revealed: model(glm.Logit, 1), Target: "bob.y", Thresholds: []float64{0.3, 0.5}},
		{Kind: Eval, Score: "alice.score", Target: "bob.y", Thresholds: []float64{0.5}},
		{Kind: Eval, Revealed: cost, Target: "bob.cost"},
		{Kind: Eval, Score: "alice.score", Target: "bob.y", Metrics: []metrics.Metric{metrics.AUC, metrics.R2}},
	} {
		clear, _, _ := runTask(t, files, task, Join{Method: PSI})
		want := clear.(*metrics.Result)
		for _, keeper := range []string{"alice", "bob"} {
			hidden, out, _ := runTask(t, files, task, Join{Method: Hidden, Keeper: keeper})
			got := hidden.(*metrics.Result)
			near := func(what string, a, b *float64) {
				t.Helper()
				if (a == nil) != (b == nil) || a != nil && math.Abs(*a-*b) > 1e-6*max(1, math.Abs(*b)) {
					t.Errorf("%d, %s keeps: %s: %v, want %v", i, keeper, what, number(a), number(b))
				}
			}
			near("AUC", got.AUC, want.AUC)
			near("KS", got.KS, want.KS)
			near("RMSE", got.RMSE, want.RMSE)
			near("R²", got.R2, want.R2)
			if !slices.Equal(got.Confusion, want.Confusion) || !got.Hidden || (got.Matching != nil) != (got.Confusion != nil) ||
				got.Matching != nil && (*got.Matching != 60 || *got.Positives != *want.Positives) {
				t.Errorf("%d, %s keeps: %+v, want %+v", i, keeper, got, want)
			}
			if r := out.Report; !r.Expected() && !slices.Equal(out.Report.Online.BytesSent, out.Report.Predicted.Online.BytesSent) {
				t.Errorf("costs %v are not those of the plan %v", out.Report.Online.BytesSent, out.Report.Predicted.Online.BytesSent)
			}
		}
	}
	all := []metrics.Metric{metrics.AUC, metrics.KS, metrics.RMSE, metrics.R2}
	task := Task{Kind: Eval, Revealed: model(glm.Logit, 1), Target: "bob.y", Metrics: all}
	empty, _, _ := runTask(t, scored(t, 40, 0), task, Join{Method: Hidden})
	var text strings.Builder
	if r := empty.(*metrics.Result); r.Print(&text) != nil || !slices.Equal(r.Absent, all) || r.AUC != nil || r.KS != nil || r.RMSE != nil ||
		r.R2 != nil || r.Matching != nil {
		t.Errorf("without matches: %+v", r)
	}
	if !strings.Contains(text.String(), "no rmse: fewer than 5 rows match") {
		t.Errorf("without matches: %s", text.String())
	}
	// Of few rows that match nothing is revealed but how many, if there are thresholds, five rows for each of them.
	for match, shown := range map[int][]bool{4: {false, false}, 9: {true, false}, 10: {true, true}} {
		for i, task := range []Task{
			{Kind: Eval, Score: "alice.score", Target: "bob.y", Metrics: all},
			{Kind: Eval, Score: "alice.score", Target: "bob.y", Metrics: []metrics.Metric{metrics.RMSE, metrics.Confusion}, Thresholds: []float64{0.3, 0.6}},
		} {
			_, out, _ := runTask(t, scored(t, 12, match), task, Join{Method: Hidden})
			var values, none []float64
			for _, r := range out.Results {
				values = append(values, r.Floats()[0])
			}
			if none = []float64{-1, -1, -1, 2}; i == 1 {
				none = []float64{float64(match), 0, 0, 0, 0, 0, -1}
			}
			if slices.Equal(values, none) == shown[i] {
				t.Errorf("%d rows match, task %d: %v are revealed", match, i, values)
			}
		}
	}
}

// TestHiddenTasks compares bins, groups, components and clusters of hidden joins with those of an intersection in clear.
func TestHiddenTasks(t *testing.T) {
	files, apart := scored(t, 90, 60), scored(t, 40, 0)
	levels := map[string][]string{"alice.x": {}, "bob.kind": {"k0", "k1"}}
	for i := -9; i < 10; i++ {
		levels["alice.x"] = append(levels["alice.x"], fmt.Sprint(i))
	}
	bin := Task{Kind: Bin, Target: "bob.y", Features: []string{"alice.x", "bob.kind"}, Levels: levels}
	const none = "fewer than 5 match, perhaps none: no groups"
	cells := map[string][]string{"alice.x": levels["alice.x"]}
	for i, x := range []struct {
		task Task
		few  string // what is printed of tables without matches
	}{
		{bin, "fewer than 5 rows match, perhaps none: no bins"},
		{Task{Kind: Group, By: []string{"alice.x"}, Values: []string{"bob.cost", "alice.score"}, Levels: cells}, none},
		{Task{Kind: Group, By: []string{"bob.kind"}, Values: []string{"bob.cost", "alice.score"}}, none},
		{Task{Kind: GBT, Target: "bob.y", Features: []string{"alice.positive", "bob.kind"}, Growth: Growth{Trees: 2, Depth: 2, Bins: 4}},
			"fewer than 8 match, perhaps none: no trees"},
		{Task{Kind: PCA, Features: []string{"alice.x", "bob.z", "bob.cost"}, Components: 2}, "fewer than 5 match, perhaps none: no components"},
		{Task{Kind: KMeans, Features: []string{"alice.x", "bob.cost"}, Clustering: Clustering{Clusters: 2}, Iterations: 12},
			"fewer than 5 match, perhaps none: no clusters"},
	} {
		clear, _, _ := runTask(t, files, x.task, Join{Method: PSI})
		for _, keeper := range []string{"alice", "bob"} {
			if (keeper == "alice") == (i%2 == 1) && !testcases.All() {
				continue // each keeper for every other task
			}
			hidden, out, _ := runTask(t, files, x.task, Join{Method: Hidden, Keeper: keeper})
			if err := sameAnswer(hidden, clear); err != nil {
				t.Errorf("%s, %s keeps: %v", x.task.Kind, keeper, err)
			}
			empty, none, _ := runTask(t, apart, x.task, Join{Method: Hidden, Keeper: keeper})
			var text strings.Builder
			if err := empty.Print(&text); err != nil || !strings.Contains(text.String(), x.few) {
				t.Errorf("%s, %s keeps, without matches: %v, %s", x.task.Kind, keeper, err, text.String())
			}
			for _, r := range []*party.Outcome{out, none} {
				if !slices.Equal(r.Report.Online.BytesSent, r.Report.Predicted.Online.BytesSent) {
					t.Errorf("%s: costs are not those of the plan", x.task.Kind)
				}
			}
		}
	}
}

// leftTables writes tables of alice and bob with 90 rows each, and alice's columns in bob's rows, with others in rows without a
// match, which cells has by column. match says which of bob's ids 0 to 89 alice has.
func leftTables(t *testing.T, cells map[string]string, match func(id int) bool) (tables, clear map[string]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(21, 22))
	own, joined := "id,level,number,sign,far\n", "level,number,sign,far\n"
	keeps, rest := "id,y,cost,kind,far\n", "y,cost,kind,far\n"
	for row := range 90 {
		id := row * 7 % 90
		level, number, y, cost := r.IntN(3), r.NormFloat64(), r.IntN(2), 50+r.NormFloat64()
		columns := fmt.Sprintf("l%d,%v,%d,%d", level, number, level/2, 100-200*(id%2))
		has := match(id)
		if has && level == 2 {
			y = 1
		}
		if has {
			own += fmt.Sprintf("%d,%s\n", id, columns)
		} else {
			own += fmt.Sprintf("%d,%s\n", 1000+id, columns)
			y = row / 7 % 2 / (1 + row%2)
			columns = strings.Join([]string{cells["level"], cells["number"], cells["sign"], cells["far"]}, ",")
		}
		joined += columns + "\n"
		more := fmt.Sprintf("%d,%v,k%d,%d\n", y, cost, id%2, 1000*(id%2))
		keeps += fmt.Sprintf("%d,", id) + more
		rest += more
	}
	tables, clear = map[string]string{}, map[string]string{}
	dir := t.TempDir()
	for _, x := range []struct {
		to         map[string]string
		name, text string
	}{{tables, "alice", own}, {tables, "bob", keeps}, {clear, "alice", joined}, {clear, "bob", rest}} {
		file := filepath.Join(dir, fmt.Sprintf("%s%d.csv", x.name, len(x.text)))
		if err := os.WriteFile(file, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		x.to[x.name] = file
	}
	return tables, clear
}

// TestLeftTasks compares bins, groups, trees and clusters of left joins with those of the rows as they are joined in clear, in which rows
// without a match have missing values, a group of their own, values below all others, or means.
func TestLeftTasks(t *testing.T) {
	common := func(id int) bool { return id < 60 }
	join := Join{Method: Hidden, Kind: left, Keeper: "bob"}
	levels := []string{"l0", "l1", "l2"}
	both := func(task, clearTask Task, cells map[string]string) (got, want Answer) {
		t.Helper()
		tables, clear := leftTables(t, cells, common)
		want, _, _ = runTask(t, clear, clearTask, Join{Method: Aligned})
		got, out, _ := runTask(t, tables, task, join)
		if r := out.Report; !slices.Equal(r.Online.BytesSent, r.Predicted.Online.BytesSent) {
			t.Errorf("%s: costs are not those of the plan", task.Kind)
		}
		return got, want
	}
	bin := Task{Kind: Bin, Target: "bob.y", Features: []string{"alice.level", "bob.kind"}, Levels: map[string][]string{"alice.level": levels}}
	if err := sameAnswer(both(bin, bin, nil)); err != nil {
		t.Errorf("bin: %v", err)
	}
	group := Task{Kind: Group, By: []string{"bob.kind"}, Values: []string{"alice.number", "bob.cost"}}
	got, want := both(group, group, map[string]string{"number": "0"})
	matching := 0
	for i, g := range got.(*bins.Summary).Groups {
		w := want.(*bins.Summary).Groups[i]
		matching += *g.Matching
		if g.Rows != w.Rows || math.Abs(g.Sums[0]-w.Sums[0]) > 1e-6 || math.Abs(g.Sums[1]-w.Sums[1]) > 1e-6 ||
			math.Abs(*g.Means[0]-w.Sums[0]/float64(*g.Matching)) > 1e-6 || math.Abs(*g.Means[1]-*w.Means[1]) > 1e-6 {
			t.Errorf("group: %+v, want %+v", g, w)
		}
	}
	if len(got.(*bins.Summary).Groups) != 2 || matching != 60 {
		t.Errorf("group: %d rows match in %+v", matching, got)
	}
	group = Task{Kind: Group, By: []string{"alice.level"}, Values: []string{"alice.number", "bob.cost"}, Levels: map[string][]string{"alice.level": levels}}
	wide := group
	wide.Levels = map[string][]string{"alice.level": append(slices.Clone(levels), "none")}
	got, want = both(group, wide, map[string]string{"level": "none", "number": "0"})
	for i, g := range got.(*bins.Summary).Groups {
		w := want.(*bins.Summary).Groups[i]
		last := i == len(levels)
		if g.Unmatched != last || (g.Means[0] == nil) != last || g.Rows != w.Rows || math.Abs(g.Sums[0]-w.Sums[0]) > 1e-6 ||
			math.Abs(*g.Means[1]-*w.Means[1]) > 1e-6 {
			t.Errorf("group: %+v, want %+v", g, w)
		}
	}
	var text strings.Builder
	if err := got.Print(&text); err != nil || !strings.Contains(text.String(), "no match") || !strings.Contains(text.String(), "all of which count") {
		t.Errorf("group: %v, %s", err, text.String())
	}
	trees := Task{Kind: GBT, Target: "bob.y", Features: []string{"alice.sign", "bob.cost"}, Growth: Growth{Trees: 2, Depth: 3, Bins: 8, Holdout: 9}}
	got, want = both(trees, trees, map[string]string{"sign": "-1"})
	model, apart := got.(*gbt.Model), 0
	for i, tree := range want.(*gbt.Model).Trees {
		for k, n := range tree.Nodes {
			g := model.Trees[i].Nodes[k]
			if n.Feature == "alice.sign" && n.Threshold == -1 {
				apart++
				n.Threshold = -math.MaxFloat64
			}
			if g.Feature != n.Feature || g.Threshold != n.Threshold {
				t.Errorf("gbt: %+v, want %+v", g, n)
			}
		}
		for k, x := range tree.Leaves {
			if math.Abs(model.Trees[i].Leaves[k]-x) > 1e-4 {
				t.Errorf("gbt: leaf %v, want %v", model.Trees[i].Leaves[k], x)
			}
		}
	}
	if w := want.(*gbt.Model); apart == 0 || len(model.Trees) != len(w.Trees) || math.Abs(model.Loss-w.Loss) > 1e-4 {
		t.Errorf("gbt: %d splits at rows without a match; %d trees with loss %v, want %d with %v", apart, len(model.Trees), model.Loss, len(w.Trees), w.Loss)
	}
	clusters := Task{Kind: KMeans, Features: []string{"alice.far", "bob.far"}, Clustering: Clustering{Clusters: 2}, Iterations: 6}
	got, want = both(clusters, clusters, map[string]string{"far": "0"})
	got.(*kmeans.Result).Join = ""
	if err := sameAnswer(got, want); err != nil {
		t.Errorf("kmeans: %v", err)
	}
}

// TestLeftFew: of left joins with few rows that match nothing is revealed, nor clusters and groups of which few rows match, nor those
// that would tell their sums.
func TestLeftFew(t *testing.T) {
	levels := map[string][]string{"alice.level": {"l0", "l1", "l2"}}
	bin := Task{Kind: Bin, Target: "bob.y", Features: []string{"alice.level", "bob.kind"}, Levels: levels}
	group := Task{Kind: Group, By: []string{"bob.kind"}, Values: []string{"alice.number", "bob.cost"}}
	clusters := Task{Kind: KMeans, Features: []string{"alice.far", "bob.far"}, Clustering: Clustering{Clusters: 2}, Iterations: 6}
	for _, x := range []struct {
		task  Task
		match func(id int) bool
		few   string
	}{
		{bin, func(id int) bool { return id < 4 }, "fewer than 5 rows match"},
		{group, func(id int) bool { return id < 4 }, "fewer than 5 match"},
		{clusters, func(id int) bool { return id < 4 }, "fewer than 5 match"},
		{Task{Kind: GBT, Target: "bob.y", Features: []string{"alice.sign"}, Growth: Growth{Trees: 1, Depth: 1, Bins: 2}},
			func(id int) bool { return id < 7 }, "fewer than 8 match"},
		{group, func(id int) bool { return id%2 == 0 || id < 8 }, ""}, // four odd ones
		{clusters, func(id int) bool { return id%2 == 0 || id < 8 }, ""},
	} {
		tables, _ := leftTables(t, nil, x.match)
		answer, out, _ := runTask(t, tables, x.task, Join{Method: Hidden, Kind: left, Keeper: "bob"})
		var text strings.Builder
		if err := answer.Print(&text); err != nil || !strings.Contains(text.String(), x.few) {
			t.Errorf("%s: %v, %s", x.task.Kind, err, text.String())
		}
		for i, r := range out.Results {
			if x.few == "" && (i == 0 || x.task.Kind == KMeans && i == 3 || r.DType == tensor.Bool) { // the pattern, inertia, and that enough match
				continue
			}
			if r.DType == tensor.U64 { // bounds
				continue
			}
			if slices.ContainsFunc(r.Floats(), func(v float64) bool { return math.Abs(v) > 1e-9 }) {
				t.Errorf("%s: %v is revealed as result %d", x.task.Kind, r, i)
			}
		}
	}
}

// sameAnswer compares all numbers of two answers, and clusters in any order.
func sameAnswer(got, want Answer) error {
	if a, ok := got.(*kmeans.Result); ok {
		b := want.(*kmeans.Result)
		for _, r := range []*kmeans.Result{a, b} {
			slices.SortFunc(r.Clusters, func(x, y kmeans.Cluster) int { return x.Rows - y.Rows })
			for i := range r.Clusters {
				r.Clusters[i].Number = 0
			}
		}
		got, want = &kmeans.Result{Clusters: a.Clusters}, &kmeans.Result{Clusters: b.Clusters}
	}
	var flat [2]map[string]any
	for i, x := range []Answer{got, want} {
		text, err := json.Marshal(x)
		if err != nil {
			return err
		}
		var all any
		if err := json.Unmarshal(text, &all); err != nil {
			return err
		}
		flat[i] = map[string]any{}
		flatten(flat[i], "", all)
		delete(flat[i], ".hidden")
		delete(flat[i], ".rows")
		delete(flat[i], ".join")
	}
	for at, x := range flat[1] {
		y, ok := flat[0][at]
		a, number := x.(float64)
		if b, _ := y.(float64); !ok || number && math.Abs(a-b) > 2e-3*max(1, math.Abs(a)) || !number && x != y {
			return fmt.Errorf("%s is %v, want %v", at, y, x)
		}
	}
	if len(flat[0]) != len(flat[1]) {
		return fmt.Errorf("%v, want %v", flat[0], flat[1])
	}
	return nil
}

// flatten adds the leaves of a JSON value to a map, by their paths.
func flatten(to map[string]any, at string, x any) {
	switch x := x.(type) {
	case map[string]any:
		for k, v := range x {
			flatten(to, at+"."+k, v)
		}
	case []any:
		for i, v := range x {
			flatten(to, fmt.Sprintf("%s.%d", at, i), v)
		}
	default:
		to[at] = x
	}
}
