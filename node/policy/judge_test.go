package policy

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// credit matches the first rule of full.
func credit() Submission {
	return Submission{
		By: "carol", Program: digest, Protocol: "semi2k", Parties: []string{"alice", "bob"}, Computing: 2,
		Ring: 64, Fraction: 18, Owners: []string{"alice", "bob", ""},
		Inputs: []string{"customers"}, Learn: []string{"bob"}, Outputs: []string{"tensor<10xf32>"}, Reveals: 2, Now: noon,
	}
}

func keeper(t testing.TB, p *Policy, path string) *Enforcer {
	t.Helper()
	k, err := Open(p, path)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestJudge(t *testing.T) {
	p, err := parse(full)
	if err != nil {
		t.Fatal(err)
	}
	k := keeper(t, p, filepath.Join(t.TempDir(), "policy.json"))
	for _, c := range []struct {
		name   string
		change func(*Submission)
		want   string
	}{
		{"fits", func(*Submission) {}, "needs approval: credit model"},
		{"no inputs", func(s *Submission) { s.Inputs = nil }, "needs approval: credit model"},
		{"another protocol", func(s *Submission) { s.Protocol = "aby3" }, `denied: rule "credit model": protocols: the job runs aby3, and the rule allows semi2k`},
		{"another protocol where any may run", func(s *Submission) { s.By, s.Protocol = "root", "aby3" }, "allowed: everything"},
		{"other parties", func(s *Submission) { s.Parties = []string{"alice", "bob", "mallory"} },
			`denied: rule "credit model": parties: the job's are alice, bob, mallory, and the rule allows alice, bob, in this order`},
		{"another order", func(s *Submission) { s.Parties = []string{"bob", "alice"} }, `denied: rule "credit model": parties:`},
		{"fewer compute", func(s *Submission) { s.Computing = 1 }, `denied: rule "credit model": computing: the job has 1 computing parties, and the rule wants 2`},
		{"another ring", func(s *Submission) { s.Ring, s.Fraction = 32, 8 }, `denied: rule "credit model": ring: the job's has 32 bits, and the rule allows 64, the default`},
		{"fewer fraction bits", func(s *Submission) { s.Fraction = 4 }, `denied: rule "credit model": fraction: the job has 4 bits, and the rule allows 18, the default`},
		{"a setting", func(s *Submission) { s.Set = map[string]string{"exp.clamp": "none"} },
			`denied: rule "credit model": set: the job sets exp.clamp, which the rule does not allow (a rule that does has set: {exp.clamp: none})`},
		{"a setting of costs", func(s *Submission) { s.Set = map[string]string{"sort": "network", "optimize": "total"} }, "needs approval: credit model"},
		{"any arithmetic where any program may run", func(s *Submission) {
			s.By, s.Ring, s.Fraction, s.Set = "root", 32, 4, map[string]string{"exp.clamp": "none"}
		}, "allowed: everything"},
		{"a public argument", func(s *Submission) { s.Owners = []string{"alice", "bob", "public"} },
			`denied: rule "credit model": arguments: argument 2 is public, chosen by the submitter (a rule that allows it has arguments: {2: public})`},
		{"public in place of bob's", func(s *Submission) { s.Owners[1] = "public" }, `denied: rule "credit model": arguments: argument 1 is public`},
		{"alice in place of bob", func(s *Submission) { s.Owners[1] = "alice" }, `denied: rule "credit model": arguments: argument 1 is alice's, and the rule allows bob, carol`},
		{"carol in place of bob", func(s *Submission) { s.Owners[1] = "carol" }, "needs approval: credit model"},
		{"public where all may be", func(s *Submission) { s.By, s.Owners = "root", []string{"public", "public", "kept"} }, "allowed: everything"},
		{"public by default", func(s *Submission) { s.By, s.Owners, s.Inputs = "dave", []string{"public"}, nil }, `denied: rule "nothing": arguments: argument 0 is public`},
		{"another type", func(s *Submission) { s.Outputs = append(s.Outputs, "tensor<1000xf32>") },
			`denied: rule "credit model": outputs: a result or an intermediate value of type tensor<1000xf32> may not be revealed`},
		{"another program", func(s *Submission) { s.Program = "sha256:00" }, `denied: rule "credit model": programs: sha256:00 is not among them`},
		{"another input", func(s *Submission) { s.Inputs = append(s.Inputs, "salaries") }, `denied: rule "credit model": inputs: "salaries" is not among them`},
		{"another learner", func(s *Submission) { s.Learn = append(s.Learn, "mallory") }, `denied: rule "credit model": reveal: mallory may not learn results`},
		{"told by a program that the rule names", func(s *Submission) { s.Told = []string{"mallory"} }, "needs approval: credit model"},
		{"keeps", func(s *Submission) { s.Keep = []string{"model"} }, `denied: rule "credit model": keep: results may not be kept as "model"`},
		{"uses what is kept", func(s *Submission) { s.Kept = []string{"model"} }, `denied: rule "credit model": kept: "model" is not among them`},
		{"keeps by its rule", func(s *Submission) { s.By, s.Keep, s.Kept = "root", []string{"model"}, []string{"a", "b"} }, "allowed: everything"},
		{"keeps by another name", func(s *Submission) { s.By, s.Keep = "root", []string{"b"} }, `denied: rule "everything": keep:`},
		{"more reveals", func(s *Submission) { s.Reveals = 3 }, `denied: rule "credit model": reveals: the program may reveal 3 intermediate tensors, 2 are allowed`},
		{"a loop of this party's own", func(s *Submission) { s.OwnerLocalControl = "stablehlo.while at m.mlir:3:8" },
			`denied: rule "credit model": owner_local_control: the condition of stablehlo.while at m.mlir:3:8 depends on this party's inputs alone, so its running time reveals information about them (give the loop a public`},
		{"a loop of this party's own, where that is allowed", func(s *Submission) { s.By, s.OwnerLocalControl = "root", "stablehlo.while at m.mlir:3:8" }, "allowed: everything"},
		{"fewer than no reveals", func(s *Submission) { s.By, s.Reveals = "root", -1 }, `denied: rule "everything": reveals:`},
		{"declares ranges", func(s *Submission) { s.Ranges = true }, `denied: rule "credit model": ranges: jobs may not declare ranges of inputs`},
		{"declares ranges by its rule", func(s *Submission) { s.By, s.Ranges = "root", true }, "allowed: everything"},
		{"a stranger", func(s *Submission) { s.By = "mallory" }, "denied: no rule names mallory among its submitters"},
		{"nobody", func(s *Submission) { s.By = "" }, "denied: no rule names"},
		{"everything", func(s *Submission) {
			s.By, s.Program, s.Inputs, s.Learn, s.Reveals, s.Outputs = "root", "", []string{"x"}, []string{"y"}, 99, []string{"tensor<f64>"}
		}, "allowed: everything"},
		{"defaults", func(s *Submission) { s.By, s.Inputs, s.Learn, s.Reveals = "dave", nil, []string{"alice"}, 0 }, "allowed: nothing"},
		{"no input by default", func(s *Submission) { s.By = "dave" }, `denied: rule "nothing": inputs:`},
		{"this party alone by default", func(s *Submission) { s.By, s.Inputs = "dave", nil }, `denied: rule "nothing": reveal: bob`},
	} {
		s := credit()
		c.change(&s)
		d := k.Judge(s)
		if got := fmt.Sprintf("%v: %s%s", d.Verdict, d.Rule, d.Reason); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if (d.Rule == "credit model") != slices.Equal(d.Fetch, []string{"carol"}) {
			t.Errorf("%s: fetch %v", c.name, d.Fetch)
		}
	}
}

// TestProvides checks that a rule binds inputs to arguments: a submitter who exchanges two inputs may have revealed what should not be.
func TestProvides(t *testing.T) {
	p, err := parse("rules:\n- {name: r, submitters: [carol], programs: any, inputs: {w.npy: 1, x.npy: [0, 2], all.npz: any}}\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		inputs   []string
		provides [][]int
		want     string
	}{
		{[]string{"w.npy", "x.npy", "all.npz"}, [][]int{{1}, {0}, nil}, ""},
		{[]string{"all.npz", "x.npy", "x.npy"}, [][]int{{7}, {2}, {0}}, ""},
		{[]string{"w.npy"}, nil, ""}, // its content says
		{[]string{"x.npy", "w.npy"}, [][]int{{0}, {2}}, `rule "r": inputs: "w.npy" provides argument 2, and the rule allows it for 1`},
		{[]string{"x.npy"}, [][]int{{0, 1, 2}}, `rule "r": inputs: "x.npy" provides argument 1, and the rule allows it for 0, 2`},
		{[]string{"y.npy"}, [][]int{{0}}, `rule "r": inputs: "y.npy" is not among them`},
	} {
		d := p.Judge(Submission{By: "carol", Protocol: "semi2k", Ring: 64, Fraction: 18, Inputs: c.inputs, Provides: c.provides})
		if d.Reason != c.want || (d.Verdict == Allowed) != (c.want == "") {
			t.Errorf("%q as %v: %v, %q, want %q", c.inputs, c.provides, d.Verdict, d.Reason, c.want)
		}
	}
	if got := ArgumentList([]int{5, 0, 2, 3, 4, 8, 9}); got != "0, 2 to 5, 8, 9" {
		t.Errorf("got %q", got)
	}
}

// drawPolicy draws from few names, so that rules often match submissions.
func drawPolicy(t *rapid.T) *Policy {
	names := func(of, label string) []string {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(strings.Split(of, "")), 0, 2, rapid.ID).Draw(t, label)
	}
	anyOr := func(of, label string) Names {
		return Names{rapid.IntRange(0, 4).Draw(t, label+" any") == 0, names(of, label)}
	}
	p := &Policy{Party: "a"}
	for i := range rapid.IntRange(0, 4).Draw(t, "rules") {
		r := Rule{
			Name: fmt.Sprint(i), Submitters: names("xyz", "submitters"), Inputs: anyOr("fgh", "inputs"), Reveal: anyOr("abc", "reveal"),
			Reveals: rapid.IntRange(-1, 2).Draw(t, "reveals"), Runs: rapid.IntRange(0, 3).Draw(t, "runs"), Approve: rapid.Bool().Draw(t, "approve"),
			RefuseOwnerLocalControl: rapid.Bool().Draw(t, "own control"),
		}
		r.Programs = Names{Any: true}
		if rapid.Bool().Draw(t, "named programs") {
			r.Programs = Names{List: names("pq", "programs")}
		}
		r.Arithmetic.Fractions = Numbers{List: []int{12}}
		r.Arithmetic.Rings = Numbers{Any: rapid.Bool().Draw(t, "any ring"), List: rapid.SampledFrom([][]int{nil, {32}, {64, 32}}).Draw(t, "rings")}
		r.Protocols, r.Outputs = anyOr("st", "protocols"), anyOr("uv", "outputs")
		if rapid.IntRange(0, 4).Draw(t, "any arguments") == 0 {
			r.Arguments.Any = true
		} else if rapid.Bool().Draw(t, "arguments") {
			r.Arguments.Owners = map[int][]string{rapid.IntRange(0, 1).Draw(t, "argument"): append(names("ab", "owners"), Public)}
		}
		if rapid.Bool().Draw(t, "has a rate") {
			r.Rate = Rate{rapid.IntRange(1, 3).Draw(t, "rate"), time.Hour}
		}
		p.Rules = append(p.Rules, r)
	}
	return p
}

func drawSubmission(t *rapid.T, now time.Time) Submission {
	some := func(of, label string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(strings.Split(of, "")), 0, 2).Draw(t, label)
	}
	return Submission{
		By: rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "by"), Program: rapid.SampledFrom([]string{"p", "q"}).Draw(t, "program"),
		Programs: some("pppq", "further programs"),
		Ring:     rapid.SampledFrom([]int{64, 64, 32}).Draw(t, "ring"), Fraction: 12,
		Inputs: some("fgh", "inputs"), Learn: some("abc", "learn"), Reveals: rapid.IntRange(0, 2).Draw(t, "reveals"), Now: now,
		Protocol: rapid.SampledFrom([]string{"s", "t"}).Draw(t, "protocol"), Outputs: some("uv", "outputs"), Offline: rapid.Bool().Draw(t, "offline"),
		Owners:            rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "", Public, Kept}), 2, 2).Draw(t, "owners of arguments"),
		OwnerLocalControl: rapid.SampledFrom([]string{"", "stablehlo.if at m:1:1"}).Draw(t, "own control"),
	}
}

// allows is a second implementation of the rules in doc.go.
func allows(r Rule, s Submission, runs []time.Time) bool {
	inside := func(names []string, of Names) bool {
		return of.Any || !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(of.List, n) })
	}
	lately := 0
	for _, t := range runs {
		if t.After(s.Now.Add(-r.Rate.Per)) {
			lately++
		}
	}
	for i, owner := range s.Owners {
		list, listed := r.Arguments.Owners[i]
		if !r.Arguments.Any && owner != "" && (listed && !slices.Contains(list, owner) || !listed && owner == Public) {
			return false
		}
	}
	rings := r.Arithmetic.Rings.List
	if rings == nil {
		rings = []int{64}
	}
	if !r.Arithmetic.Rings.Any && !slices.Contains(rings, s.Ring) {
		return false
	}
	return slices.Contains(r.Submitters, s.By) &&
		inside([]string{s.Program}, r.Programs) && inside(s.Programs, r.Programs) &&
		inside([]string{s.Protocol}, r.Protocols) && inside(s.Outputs, r.Outputs) &&
		inside(s.Inputs, r.Inputs) && inside(s.Learn, r.Reveal) &&
		(r.Reveals < 0 || s.Reveals <= r.Reveals) && (!r.RefuseOwnerLocalControl || s.OwnerLocalControl == "") &&
		(r.Runs == 0 || len(runs) < r.Runs) && (r.Rate.Runs == 0 || lately < r.Rate.Runs)
}

// TestLaws submits random jobs in a row, with restarts between them: each is allowed if and only if a
// rule matches, by the first one that does; and a policy with one rule less allows no job that the
// whole policy denies.
func TestLaws(t *testing.T) {
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		p := drawPolicy(t)
		started := map[bool]map[string][]time.Time{false: {}, true: {}} // by Offline, by rule
		now := noon
		k, err := Open(p, path)
		for range rapid.IntRange(1, 8).Draw(t, "jobs") {
			if err == nil && rapid.Bool().Draw(t, "restart") {
				k, err = Open(p, path)
			}
			if err != nil {
				t.Fatal(err)
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 100).Draw(t, "minutes")) * time.Minute)
			s := drawSubmission(t, now)
			first := slices.IndexFunc(p.Rules, func(r Rule) bool { return allows(r, s, started[s.Offline][r.Name]) })
			d := k.Judge(s)
			switch {
			case first < 0 && (d.Verdict != Denied || d.Rule != "" || d.Reason == ""):
				t.Fatalf("no rule allows %+v: %+v", s, d)
			case first >= 0 && (d.Verdict == Denied || d.Rule != p.Rules[first].Name || (d.Verdict == NeedsApproval) != p.Rules[first].Approve):
				t.Fatalf("rule %d allows %+v: %+v", first, s, d)
			}
			for i := range p.Rules {
				less := &Policy{Party: p.Party, Rules: slices.Delete(slices.Clone(p.Rules), i, i+1)}
				if with := less.judge(s, &k.used); d.Verdict == Denied && with.Verdict != Denied {
					t.Fatalf("without rule %d, %+v is let in: %+v", i, s, with)
				}
			}
			approved := rapid.Bool().Draw(t, "approved")
			again, err := k.Start(s, approved)
			if err != nil || again.Verdict != d.Verdict || again.Rule != d.Rule {
				t.Fatalf("judged %+v, started %+v: %v", d, again, err)
			}
			if d.Verdict == Allowed || d.Verdict == NeedsApproval && approved {
				started[s.Offline][d.Rule] = append(started[s.Offline][d.Rule], now)
			}
		}
	})
}

// TestManyColumns judges a task with very many columns by a rule that lists as many: each is looked up once. With quadratic time this
// test takes minutes.
func TestManyColumns(t *testing.T) {
	const n = 100_000
	r := Rule{Tasks: Names{List: []string{"stats"}}}
	s := Submission{Task: "stats"}
	for i := range n {
		c := Column{Entry: "people", Name: fmt.Sprint("c", i)}
		r.Columns.List, s.Columns = append(r.Columns.List, c.String()), append(s.Columns, c)
	}
	slices.Reverse(s.Columns)
	if why := r.programMismatch(s); why != "" {
		t.Error(why)
	}
	s.Columns = append(s.Columns, Column{Entry: "people", Name: "other"})
	if why, want := r.programMismatch(s), `columns: "people.other" is not among them`; why != want {
		t.Errorf("%s, want %s", why, want)
	}
}
