package job

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// patients writes a table and returns a job with these inputs beside it.
func patients(t *testing.T, inputs string) *Job {
	t.Helper()
	path := folder(t, inputs)
	const text = "id,age,bmi,sex,admitted\na,20,,f,2024-01-31\nb,30,25,m,2024-02-29\nc,40,35,f,2023-12-31\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "patients.csv"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	j, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestTableInputs(t *testing.T) {
	j := patients(t, `
- {owner: alice, table: patients.csv, columns: [age, bmi, sex], arg: 0, prepare: {age: {standardise: {mean: 30, sd: 10}}, bmi: {missing: mean, indicator: true}, sex: {one_hot: [f, m], drop: f}}}
- {owner: bob, table: patients.csv, columns: [age], arg: 1, range: [0, 100]}
- {owner: bob, table: patients.csv, columns: [admitted], prepare: {admitted: {parts: [month, day]}}, arg: 2}
- {public: true, table: patients.csv, columns: [sex], types: {sex: [m, f]}, prepare: {sex: {one_hot: true}}, arg: 3}
`)
	i32, bools := tensor.Type{DType: tensor.I32, Shape: tensor.Shape{3, 2}}, tensor.Type{DType: tensor.Bool, Shape: tensor.Shape{3, 2}}
	p := program([]tensor.Type{f32(3, 4), f32(3), i32, bools}, nil)
	s, err := j.RunSpec(p)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Args[0].Data.Floats(), []float64{-1, 30, 1, 0, 0, 25, 0, 1, 1, 35, 0, 0}; !slices.Equal(got, want) {
		t.Errorf("argument 0: got %v, want %v", got, want)
	}
	if got, want := s.Args[1].Data.Floats(), []float64{20, 30, 40}; !slices.Equal(got, want) || s.Args[1].Range.Hi != 100 {
		t.Errorf("argument 1: got %v, want %v", got, want)
	}
	if got, want := s.Args[2].Data.Words(), []uint64{1, 31, 2, 29, 12, 31}; !slices.Equal(got, want) {
		t.Errorf("argument 2: got %v, want %v", got, want)
	}
	if got, want := s.Args[3].Data.Words(), []uint64{0, 1, 1, 0, 0, 1}; !slices.Equal(got, want) {
		t.Errorf("argument 3: got %v, want %v", got, want)
	}

	if err := os.WriteFile(filepath.Join(filepath.Dir(j.File), "patients.csv"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	j.Inputs = j.Inputs[:3] // a plan opens public tables only
	if _, err := j.PlanSpec(program([]tensor.Type{f32(3, 4), f32(3), f32(3, 2)}, nil)); err != nil {
		t.Error(err)
	}
}

func TestTableInputsRefuse(t *testing.T) {
	i8 := tensor.Type{DType: tensor.I8, Shape: tensor.Shape{3}}
	for _, c := range []struct {
		input, want string
		param       tensor.Type
	}{
		{"columns: [age]", "patients.csv: argument 0: the table has 3 rows and 1 features (age), but the program expects tensor<4xf32>", f32(4)},
		{"columns: [age]", "but a table's columns are a matrix", f32(3, 1, 1)},
		{"columns: [age], prepare: {age: {standardise: true}}", `row 1, feature "age": -1.224744871391589 is no i8`, i8},
		{"columns: [age], range: [0, 30]", "40 is outside the declared range", f32(3)},
		{"columns: [bmi]", `patients.csv:2: column "bmi": the value is missing`, f32(3)},
		{"columns: [sex], types: {sex: integer}", `patients.csv:2:7: column "sex": "f" is not an integer`, f32(3)},
		{"columns: [weight]", `there is no column "weight" (the table has id, age, bmi, sex, admitted)`, f32(3)},
		{"prepare: {bob.age: {standardise: true}}", "a preparation reads columns of its owner's table only", f32(3)},
	} {
		j := patients(t, "- {owner: alice, table: patients.csv, arg: 0, "+c.input+"}\n")
		_, err := j.RunSpec(program([]tensor.Type{c.param}, nil))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %q", c.input, err, c.want)
		}
		if element := new(ElementError); !errors.As(err, &element) && !strings.Contains(c.want, "matrix") {
			t.Errorf("%s: other parties could read the error: %v", c.input, err)
		}
	}
	j := patients(t, "- {owner: alice, table: missing.csv, arg: 0}\n")
	if _, err := j.RunSpec(program([]tensor.Type{f32(3)}, nil)); err == nil || !strings.Contains(err.Error(), "job.yaml:4: open ") {
		t.Errorf("got %v", err)
	}
}

func TestLoadRefusesTables(t *testing.T) {
	for text, want := range map[string]string{
		"{owner: a, table: a.csv}":                                                         "job.yaml:4: table a.csv: a table provides one argument: name it with arg: N",
		"{owner: a, table: a.csv, args: [1]}":                                              "name it with arg: N",
		"{owner: a, table: a.txt, arg: 1}":                                                 "table a.txt: a table's file name ends with .csv, .tsv, .parquet",
		"{owner: a, table: a.csv, file: a.npz, arg: 1}":                                    "only one of them",
		"{owner: a, file: a.npz, table: a.csv, arg: 1}":                                    "only one of them",
		"{owner: a, table: a.csv, name: x, arg: 1}":                                        "only one of them",
		"{table: a.csv, kept: x, arg: 1}":                                                  "only one of them",
		"{owner: a, file: a.npz, columns: [x]}":                                            "belong to a table",
		"{owner: a, file: a.csv, arg: 1, prepare: {}}":                                     "belong to a table",
		"{table: a.csv, arg: 1}":                                                           "an input has an owner, or is public",
		"{owner: c, table: a.csv, arg: 1}":                                                 `owner "c" is not a party`,
		"{owner: a, table: a.csv, arg: 1, columns: []}":                                    "name at least one column",
		"{owner: a, table: a.csv, arg: 1, columns: [x, x]}":                                `column "x" is named twice`,
		"{owner: a, table: a.csv, arg: 1, columns: x}":                                     "columns: want a list of columns",
		"{owner: a, table: a.csv, arg: 1, columns: [x], prepare: {y: {bins: 2}}}":          `prepare names column "y", which columns does not list`,
		"{owner: a, table: a.csv, arg: 1, columns: [x], types: {y: float}}":                "which columns does not list",
		"{owner: a, table: a.csv, arg: 1, types: {y: number}}":                             `"number" is not a kind of column`,
		"{owner: a, table: a.csv, arg: 1, types: {y: [s, s]}}":                             `level "s" is declared twice`,
		"{owner: a, table: a.csv, arg: 1, format: {decimal: \",\", thousands: \",\"}}":     "the same mark",
		"{owner: a, table: a.csv, arg: 1, format: {separator: \"--\"}}":                    "separator: want one character",
		"{owner: a, table: a.csv, arg: 1, format: {encoding: x}}":                          "encoding \"x\" is unknown",
		"{owner: a, table: a.csv, arg: 1, format: {dates: YY}}":                            "is no pattern of dates",
		"{owner: a, table: a.csv, arg: 1, format: {header: 1}}":                            "header: want true or false",
		"{owner: a, table: a.csv, arg: 1, partition: diagonal}":                            "partition: want vertical (the table has all rows) or horizontal",
		"{owner: a, table: a.csv, arg: 1, partition: horizontal, prepare: {x: {bins: 2}}}": "needs the rows of the other parties",
	} {
		_, err := parse("job.yaml", []byte("program: p.mlir\nparties: [a, b]\ninputs:\n- "+text+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "job.yaml:4: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

func TestTaskRefuses(t *testing.T) {
	const (
		task  = "task: {fit: glm, family: poisson, target: b.y, features: [a.x]}\n"
		join  = "join: {method: aligned}\n"
		input = "inputs:\n- {owner: a, table: a.csv}\n"
	)
	for text, want := range map[string]string{
		task + input:                                                                                       "join is missing: join: {method: aligned}",
		task + "join: {method: hash}\n" + input:                                                            `stacked (the tables have the same columns, and other rows), got "hash"`,
		task + "join: {method: aligned, on: id}\n" + input:                                                 "belong to methods psi and hidden",
		task + "join: {on: id}\n" + input:                                                                  "two parties with a table each",
		task + "join: {on: {a: id}}\n" + input + "- {owner: b, table: b.csv}":                              "on is missing",
		task + "join: {on: {a: id, b: [x, y]}}\n" + input + "- {owner: b, table: b.csv}":                   "1 columns at a and 2 at b",
		task + "join: {on: {a: id, b: x, c: z}}\n" + input + "- {owner: b, table: b.csv}":                  `names "c", which is not a party`,
		task + "join: {on: id, normalise: [upper]}\n" + input:                                              `"upper" is no normalisation`,
		task + "join: {on: id, aggregate: {x: sum}}\n" + input + "- {owner: b, table: b.csv}":              "want PARTY.COLUMN",
		task + "join: {on: id, aggregate: {a.x: total}}\n" + input + "- {owner: b, table: b.csv}":          `"total" does not aggregate`,
		task + join + "program: p.mlir":                                                                    "job.yaml:4: a job with a task has no program",
		task + join + "ring: 64":                                                                           "job.yaml:4: a job with a task has no ring",
		"task: {compute: stats}\n" + join + "outputs: {keep: x}":                                           "a task of kind stats keeps nothing",
		"task: {compute: predict, model: m.json, link: log}":                                               "belong to a kept model",
		"task: {compute: predict, kept: x, features: [a.x]}":                                               "a kept model has features and a link, or trees and depth",
		"task: {compute: predict, kept: x, link: log}":                                                     "features is missing",
		task + join + "inputs:\n- {owner: a, table: a.csv, arg: 1}":                                        "job.yaml:5: the inputs of a task are tables with an owner",
		task + join + "inputs:\n- {owner: a, file: a.npz}":                                                 "job.yaml:5: the inputs of a task are tables with an owner",
		task + join + "inputs:\n- {public: true, table: a.csv}":                                            "job.yaml:5: the inputs of a task are tables with an owner",
		task + join + "inputs:\n- {owner: a, table: a.csv, partition: horizontal}":                         "not their rows",
		task + join + input + "- {owner: a, table: b.csv}":                                                 "job.yaml:6: party a has two tables",
		join + "program: p.mlir":                                                                           "job.yaml:2: join belongs to a task",
		"task: {fit: svm}":                                                                                 `task: want fit: one of [glm gbt kmeans pca] and lr`,
		"task: {fit: glm}":                                                                                 "task: family is missing [gaussian binomial poisson gamma tweedie negative_binomial]",
		"task: {compute: stats, fit: glm}":                                                                 `got fit: "glm", compute: "stats"`,
		"task: {fit: lr, family: poisson, target: b.y, features: [x]}":                                     "fit: lr has no family",
		"task: {compute: stats, target: b.y}":                                                              "a task of kind stats has no target",
		"task: {compute: stats, fill: zero}":                                                               "want mean or median",
		"task: {compute: bin, features: [x]}":                                                              "target is missing",
		"task: {compute: bin, features: [x], target: y, sample: y}":                                        "name a target or a sample",
		"task: {compute: group, values: [x]}":                                                              "by is missing",
		"task: {compute: predict}":                                                                         "model is missing",
		"task: {compute: eval, target: b.y, model: m.json, score: a.x}":                                    "name a model or a score",
		"task: {compute: eval, score: a.x}":                                                                "target is missing",
		"task: {compute: stats}\n" + join + "inputs:\n- {owner: a, table: a.csv, prepare: {x: {bins: 2}}}": "takes columns as they are",
		"task: {fit: glm, family: poisson}":                                                                "task: target is missing",
		"task: {fit: glm, family: poisson, target: b.y}":                                                   "task: features is missing",
		"task: {fit: glm, family: poisson, target: b.y, features: [], wights: b.w}":                        `a task has no key "wights"`,
		"task: {fit: lr, target: b.y, features: [x], solver: newton}":                                      `solver: want fisher, cg, sgd or auto, got "newton"`,
		"task: {fit: lr, target: b.y, features: [x], solver: sgd, steps: 4}":                               "steps belong to solver cg",
		"task: {fit: lr, target: b.y, features: [x], solver: cg, epochs: 4}":                               "epochs, batch, rate and bits belong to solver sgd",
		"task: {fit: lr, target: b.y, features: [x], solver: cg, steps: 0}":                                "steps: want 1 or more",
		"task: {fit: glm, family: poisson, target: b.y, features: [x], iterations: 0}":                     "iterations: want 1 or more",
	} {
		_, err := parse("job.yaml", []byte("parties: [a, b]\n"+text+"\n"))
		if err == nil || !strings.HasPrefix(err.Error(), "job.yaml") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// TestModel reads the tables of a task.
func TestModel(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.csv", "id,x,region,unused\n1,10,n,\n2,,s,x\n3,30,w,\n4,40,n,y\n5,50,s,\n6,20,w,\n7,5,s,z\n")
	write("b.tsv", "y\tz\n1\ttrue\n0\tfalse\n1\ttrue\n0\tfalse\n1\tfalse\n1\ttrue\n0\tfalse\n")
	load := func(task, prepare string) (*Job, error) {
		return Load(write("job.yaml", "parties: [c, a, b]\ntask: {fit: glm, family: binomial, "+task+"}\njoin: {method: aligned}\n"+
			"inputs:\n- {owner: a, table: a.csv, prepare: {"+prepare+"}}\n- {owner: b, table: b.tsv}\n"))
	}
	j, err := load("target: y, features: [b.z, region, x]", "x: {missing: mean, indicator: true}")
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := j.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, p := range m.Parties {
		for _, f := range p.Features {
			names = append(names, p.Name+"."+f.Name)
		}
	}
	if got := strings.Join(names, " "); got != "a.region=s a.region=w a.x a.x.missing b.z" || m.Owner != 2 || m.Target.Values[1] != 0 {
		t.Errorf("got %s, target of %d: %v", got, m.Owner, m.Target)
	}
	s, err := j.TaskSpec(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Args) != 8 || s.Args[7].Owner != 2 {
		t.Errorf("got %d arguments", len(s.Args))
	}
	if s.Args[0].Owner != 1 || s.Args[3].Owner != 2 || s.Args[6].Owner != 2 || s.Ring != 128 || s.Protocol != "semi2k" {
		t.Errorf("got %d arguments, %+v", len(s.Args), s)
	}
	if _, err := j.PlanSpec(four); err == nil || !strings.Contains(err.Error(), "task") {
		t.Errorf("got %v", err)
	}
	if j, err = load("target: y, features: [region], offset: x", "x: {missing: {value: 1}}"); err != nil {
		t.Fatal(err)
	}
	m, _, err = j.Model(t.Context())
	if err != nil || m.Offset == nil || m.Offset.Values[1] != 1 || m.OffsetOwner != 1 || len(m.Parties[1].Features) != 2 {
		t.Errorf("got %+v, %v", m, err)
	}
	for _, c := range []struct{ task, prepare, want string }{
		{"target: y, features: [z], offset: z", "", "column b.z is named twice"},
		{"target: y, features: [x]", "", `a.csv:3: column "x": the value is missing`},
		{"target: y, features: [w]", "", `task: features: column "w" is in 0 tables`},
		{"target: y, features: [c.x]", "", `the table of c has no column "x"`},
		{"target: y, features: [z, b.z]", "", "column b.z is named twice"},
		{"target: region, features: [z]", "", "the target, offset or weights a.region are not one numeric column"},
		{"target: y, features: [z]", "unused: {one_hot: true}", `prepare names column "unused", which the task does not use`},
	} {
		j, err := load(c.task, c.prepare)
		if err == nil {
			_, _, err = j.Model(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.task, err, c.want)
		}
	}
}
