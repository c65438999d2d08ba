package glm

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

	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
)

// reference is a fit of statsmodels.
type reference struct {
	Data                       string
	Family                     Family
	Link                       Link
	Features                   []string
	Offset, Weights            string // columns of alice; "" for none
	Power, Alpha, L2, L1       float64
	Coefficients, Errors, Z, P []float64
	Deviance, Dispersion       float64
	Null, LLF, AIC             *float64
}

func references(t *testing.T) []reference {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "fits.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Fits []reference }
	if err := json.Unmarshal(text, &all); err != nil || len(all.Fits) == 0 {
		t.Fatal(err)
	}
	return all.Fits
}

// model returns the model of a reference: alice owns the first features, bob the others and the target.
func (r *reference) model(t *testing.T) *Model {
	t.Helper()
	read := func(columns ...string) []table.Feature {
		d, err := table.Read(filepath.Join("testdata", r.Data+".csv"), table.Options{Columns: columns})
		if err != nil {
			t.Fatal(err)
		}
		f, err := d.Prepare(nil, false)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	half := len(r.Features) / 2
	m := &Model{Family: r.Family, Link: r.Link, Parties: []Party{{"alice", read(r.Features[:half]...)}, {"bob", read(r.Features[half:]...)}},
		Owner: 1, Target: read("target")[0]}
	if r.Offset != "" {
		m.Offset = &read(r.Offset)[0]
	}
	if r.Weights != "" {
		m.Weights = &read(r.Weights)[0]
	}
	m.Power, m.Alpha, m.L2, m.L1 = r.Power, r.Alpha, r.L2, r.L1
	return m
}

// run fits a model with a protocol.
func run(t *testing.T, m *Model, protocol string) (*Result, *party.Outcome) {
	t.Helper()
	spec, err := m.Spec()
	if err != nil {
		t.Fatal(err)
	}
	spec.Protocol = protocol
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	fit, err := m.Fit(out.Results)
	if err != nil {
		t.Fatal(err)
	}
	return fit, out
}

// TestReferences compares fits on shares with those of statsmodels.
func TestReferences(t *testing.T) {
	for _, r := range references(t) {
		name := fmt.Sprint(r.Data, " ", r.Family, " ", r.Link, " ", r.Offset, " ", r.Weights, " ", r.Power, " ", r.Alpha, " ", r.L2, " ", r.L1)
		t.Run(name, func(t *testing.T) {
			m := r.model(t)
			m.Iterations = 10
			if n, ok := map[Family]int{Gamma: 40, Tweedie: 12, NegativeBinomial: 16, Gaussian: 12}[r.Family]; ok && r.Link == Log {
				m.Iterations = n // Fisher scoring converges linearly here, also in statsmodels
			}
			protocol := "semi2k"
			first := map[Family][]Link{Gaussian: {Identity}, Binomial: {Logit}, Poisson: {Log}, Gamma: {Inverse, Log}, NegativeBinomial: {Log}}
			if r.Data != "star98" && (r.Weights != "" || r.L1+r.L2 > 0 || r.Alpha == 1 || !slices.Contains(first[r.Family], r.Link)) {
				protocol = "plain" // the same fixed-point numbers, in less time
			}
			fit, _ := run(t, m, protocol)
			if !fit.Converged || !fit.Inverted {
				t.Errorf("converged %v, inverted %v", fit.Converged, fit.Inverted)
			}
			worst := 0.0
			near := func(what string, got, want, size float64) {
				off := math.Abs(got-want) / size
				worst = max(worst, off)
				if !(off <= 1e-3) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
			for i, c := range fit.Coefficients {
				if r.L1 > 0 { // the scale is that of a standardised feature's coefficient
					if b := r.Coefficients[i]; !(math.Abs(c.Value-b) <= 1e-3*math.Abs(b)+1e-7) || b == 0 && c.Value != 0 || c.Error != 0 {
						t.Errorf("%s: got %+v, want %v", c.Name, c, b)
					}
					continue
				}
				if i > 0 && c.Name != owned(r.Features)[i-1] {
					t.Errorf("coefficient %d is %s", i, c.Name)
				}
				b, se := r.Coefficients[i], r.Errors[i]
				near(c.Name, c.Value, b, max(math.Abs(b), se))
				near(c.Name+" error", c.Error, se, se)
				near(c.Name+" p", c.P, r.P[i], 1)
			}
			near("deviance", fit.Deviance, r.Deviance, math.Abs(r.Deviance))
			near("dispersion", fit.Dispersion, r.Dispersion, r.Dispersion)
			for _, x := range []struct {
				name      string
				got, want *float64
			}{{"null deviance", fit.NullDeviance, r.Null}, {"log-likelihood", fit.LogLikelihood, r.LLF}, {"AIC", fit.AIC, r.AIC}} {
				if r.L2+r.L1 > 0 && x.name == "log-likelihood" { // that of penalised coefficients, which statsmodels does not tell
					continue
				}
				if (x.got == nil) != (x.want == nil) {
					t.Errorf("%s: got %v, want %v", x.name, x.got, x.want)
				} else if x.got != nil {
					near(x.name, *x.got, *x.want, math.Abs(*x.want))
				}
			}
			t.Logf("largest deviation %.1e", worst)
		})
	}
}

// longHessians is the number of Hessians that the documentation advises for long tables.
const longHessians = 3

// TestLong compares fits whose Hessians are computed in three iterations, and from integers, with those of statsmodels.
func TestLong(t *testing.T) {
	n, seen := 0, map[string]bool{}
	for i, r := range references(t) {
		if r.L1 > 0 || seen[r.Data+string(r.Family)] ||
			!slices.Contains([]Family{Binomial, Poisson, NegativeBinomial}, r.Family) || r.Link == Identity {
			continue
		}
		m := r.model(t)
		m.Iterations, m.Hessians, seen[r.Data+string(r.Family)] = 14, longHessians, true
		protocol := "plain"
		if i%4 == 0 {
			protocol = "semi2k"
		}
		fit, _ := run(t, m, protocol)
		worst := math.Abs(fit.Deviance-r.Deviance) / r.Deviance
		for i, c := range fit.Coefficients {
			b, se := r.Coefficients[i], r.Errors[i]
			worst = max(worst, math.Abs(c.Value-b)/max(math.Abs(b), se), math.Abs(c.Error-se)/se)
		}
		t.Logf("%s %s: largest deviation %.1e", r.Data, r.Family, worst)
		if !(worst <= 1e-3) || !fit.Converged || !fit.Inverted {
			t.Errorf("%s %s: largest deviation %.1e, converged %v, inverted %v", r.Data, r.Family, worst, fit.Converged, fit.Inverted)
		}
		n++
	}
	if n < 5 {
		t.Errorf("%d fits", n)
	}
}

// TestHessians: every iteration has a Hessian unless fewer are asked for, and then there are more iterations by default.
func TestHessians(t *testing.T) {
	for _, c := range []struct {
		hessians         int
		want, iterations int
	}{{0, DefaultIterations, DefaultIterations}, {3, 3, MoreIterations}, {MoreIterations, MoreIterations, MoreIterations}} {
		s, err := Shape{
			Family: Poisson, Parties: []string{"a", "b"}, Features: []int{38, 38}, Rows: 508000, OffsetOwner: -1, WeightsOwner: -1,
			Hessians: c.hessians,
		}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if s.Hessians != c.want || s.Iterations != c.iterations {
			t.Errorf("%+v: %d Hessians, %d iterations", c, s.Hessians, s.Iterations)
		}
	}
}

// TestSampledHessians: early Hessians of some rows, and features that are shared once as integers, do not change what a fit converges to.
func TestSampledHessians(t *testing.T) {
	m := random(6, 33_000, 1)
	for i := range m.Parties[0].Features[0].Values { // a column with the period by which rows are sampled
		m.Parties[0].Features[0].Values[i] = float64(i % 2)
	}
	m.Iterations = 8
	offset := table.Feature{Name: "offset", Values: make([]float64, len(m.Target.Values))}
	odds := *m // whether the target is above 0, with an offset
	odds.Family, odds.Offset, odds.OffsetOwner = Binomial, &offset, 0
	odds.Target = table.Feature{Name: "any", Values: make([]float64, len(offset.Values))}
	for i, y := range m.Target.Values {
		offset.Values[i], odds.Target.Values[i] = float64(i%5)/4, min(y, 1)
	}
	oddsWant, _ := run(t, &odds, "plain")
	want, _ := run(t, m, "plain")
	m.Hessians, odds.Hessians = longHessians, longHessians
	s, err := m.Shape()
	if err != nil {
		t.Fatal(err)
	}
	if k := s.stride(); k != 2 {
		t.Fatalf("one of %d rows is sampled", k)
	}
	if !s.once() {
		t.Fatal("features are shared as floats")
	}
	next := testcases.OneOf(t, 2)
	for _, x := range []struct {
		protocol string
		m        *Model
		want     *Result
	}{{"semi2k", m, want}, {"plain", m, want}, {"semi2k", &odds, oddsWant}} {
		if !next() {
			continue
		}
		protocol, want := string(x.m.Family)+" "+x.protocol, x.want
		got, _ := run(t, x.m, x.protocol)
		for i, c := range got.Coefficients {
			w := want.Coefficients[i]
			if !(math.Abs(c.Value-w.Value) <= 1e-3*w.Error) || !(math.Abs(c.Error-w.Error) <= 1e-3*w.Error) {
				t.Errorf("%s: %s is %v ± %v, want %v ± %v", protocol, c.Name, c.Value, c.Error, w.Value, w.Error)
			}
		}
		if !got.Converged || !got.Inverted || math.Abs(got.Deviance-want.Deviance) > 1e-5*want.Deviance {
			t.Errorf("%s: converged %v, inverted %v, deviance %v, want %v", protocol, got.Converged, got.Inverted, got.Deviance, want.Deviance)
		}
	}
	for hessians, want := range map[int]int{2: 1, 3: 8, DefaultIterations: 1} { // 508,000 rows of 77 coefficients
		s, err := Shape{
			Family: Poisson, Parties: []string{"a", "b"}, Features: []int{38, 38}, Rows: 508000, OffsetOwner: -1, WeightsOwner: -1,
			Hessians: hessians, Iterations: DefaultIterations,
		}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		if k := s.stride(); k != want {
			t.Errorf("%d Hessians: one of %d rows is sampled, want %d", hessians, k, want)
		}
	}
}

// rare returns a model whose first feature is 1 in one of every rows, and whose target is large there.
func rare(n, every int) *Model {
	m := random(5, n, 1)
	f := &m.Parties[0].Features[0]
	for i := range n {
		f.Values[i] = 0
		if i%every == 0 {
			f.Values[i] = 1
			m.Target.Values[i] = 300 + float64(i%7)
		}
	}
	return m
}

// TestRareLevel: a feature that is far from its mean in few rows, in which most of the weights are, has the coefficients and standard
// errors of a fit with all Hessians; one that is farther is refused. Sums of integers do not wrap.
func TestRareLevel(t *testing.T) {
	m := rare(4000, 500) // 22 standard deviations
	m.Iterations = MoreIterations
	want, _ := run(t, m, "plain")
	m.Hessians = longHessians
	got, _ := run(t, m, "plain")
	for i, c := range got.Coefficients {
		w := want.Coefficients[i]
		if !(math.Abs(c.Value-w.Value) <= 1e-3*max(math.Abs(w.Value), w.Error)) || !(math.Abs(c.Error-w.Error) <= 1e-3*w.Error) {
			t.Errorf("%s is %v ± %v, want %v ± %v", c.Name, c.Value, c.Error, w.Value, w.Error)
		}
	}
	m = rare(4000, 2000)
	m.Hessians = longHessians
	if _, err := m.Spec(); err == nil || !strings.Contains(err.Error(), "x0 has a value more than 32 standard deviations from its mean") {
		t.Errorf("a feature that is too far from its mean: %v", err)
	}
}

// owned names the features of a reference.
func owned(features []string) []string {
	out := make([]string, len(features))
	for i, f := range features {
		out[i] = "bob." + f
		if i < len(features)/2 {
			out[i] = "alice." + f
		}
	}
	return out
}

// random returns a model of family Poisson with n rows, and k features at each of two parties.
func random(seed uint64, n, k int) *Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &Model{Family: Poisson, Parties: []Party{{Name: "alice"}, {Name: "bob"}}, Target: table.Feature{Name: "y", Values: make([]float64, n)}}
	eta := make([]float64, n)
	for p := range m.Parties {
		for j := range k {
			f := table.Feature{Name: fmt.Sprint("x", j), Values: make([]float64, n)}
			for i := range n {
				f.Values[i] = r.NormFloat64()
				eta[i] += 0.3 * f.Values[i]
			}
			m.Parties[p].Features = append(m.Parties[p].Features, f)
		}
	}
	for i := range n { // a Poisson number by counting exponential times
		for at := r.ExpFloat64(); at < math.Exp(eta[i]); at += r.ExpFloat64() {
			m.Target.Values[i]++
		}
	}
	return m
}

// TestNothingElseRevealed checks that a run's results are the listed outputs, that the program reveals nothing on its
// way, and that messages depend on public counts only: they are those of the plan, for all data.
func TestNothingElseRevealed(t *testing.T) {
	first, second := random(1, 60, 2), random(2, 60, 2)
	for i := range second.Target.Values { // extreme in every way that a fit shows
		second.Target.Values[i] = float64(i % 2 * 1000)
		second.Parties[0].Features[1].Values[i] = second.Parties[0].Features[0].Values[i]
	}
	var bytes []string
	for _, m := range []*Model{first, second} {
		spec, err := m.Spec()
		if err != nil {
			t.Fatal(err)
		}
		if n := len(spec.Program.Main.Results); n != len(m.Results()) || n+1 != len(m.Outputs()) || spec.Reveals != 0 {
			t.Errorf("%d results, %d outputs %q", n, len(m.Outputs()), m.Outputs())
		}
		fit, out := run(t, m, "semi2k")
		r := out.Report
		bytes = append(bytes, fmt.Sprint(r.Input.BytesSent, r.Online.BytesSent, r.Online.Rounds, r.Output.BytesSent, r.Offline.BytesSent))
		if want := r.Predicted.Online; !slices.Equal(want.BytesSent, r.Online.BytesSent) || want.Rounds != r.Online.Rounds {
			t.Errorf("predicted %v, got %v", want, r.Online)
		}
		if fit.Inverted != (m == first) {
			t.Errorf("inverted: %v", fit.Inverted)
		}
	}
	if bytes[0] != bytes[1] {
		t.Errorf("messages depend on data: %s, %s", bytes[0], bytes[1])
	}
}

// TestSeparated fits classes that a feature separates: there is no finite fit, and the result says so.
func TestSeparated(t *testing.T) {
	m := random(3, 40, 1)
	m.Family = Binomial
	for i, x := range m.Parties[0].Features[0].Values {
		m.Target.Values[i] = 0
		if x > 0 {
			m.Target.Values[i] = 1
		}
	}
	fit, _ := run(t, m, "plain")
	if fit.Converged || !strings.Contains(strings.Join(fit.Warnings(), ";"), "not converged") {
		t.Errorf("got %+v", fit)
	}
}

// TestThreeParties fits among three parties, one of which has no features.
func TestThreeParties(t *testing.T) {
	m := random(4, 50, 2)
	two, _ := run(t, m, "semi2k")
	m.Parties = append(m.Parties, Party{Name: "carol"})
	m.Owner = 2
	three, _ := run(t, m, "semi2k")
	for i, c := range two.Coefficients {
		if d := three.Coefficients[i]; d.Name != c.Name || math.Abs(d.Value-c.Value) > 1e-7 || math.Abs(d.Error-c.Error) > 1e-7 {
			t.Errorf("got %+v, want %+v", d, c)
		}
	}
}

// TestSchedule checks that the iterations invert every eigenvalue within the bound, in few steps.
func TestSchedule(t *testing.T) {
	for _, condition := range []float64{10, 1e4, 1e6, MaxCondition} {
		for _, p := range []int{2, 76, maxFeatures} {
			c := first(p)
			factors := schedule(c / condition)
			if condition == 1e6 && p == 76 && len(factors) > 17 {
				t.Errorf("%d steps", len(factors))
			}
			least := 1 / condition
			for i := range 1000 {
				x := math.Pow(least, float64(i)/999) * float64(p) // an eigenvalue of S
				x *= c                                            // and one of V·S
				for _, g := range factors {
					x = g * x * (2 - x)
				}
				x *= 2 - x
				if math.Abs(1-x) > 1e-5 {
					t.Fatalf("κ = %g, p = %d: eigenvalue %g becomes %g", condition, p, math.Pow(least, float64(i)/999)*float64(p), x)
				}
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	for want, change := range map[string]func(m *Model){
		`family "probit" is unknown`:                                         func(m *Model) { m.Family = "probit" },
		`link "logit" is not among those of family poisson ([log identity])`: func(m *Model) { m.Link = Logit },
		"iterations: want 2 to 100, got 1":                                   func(m *Model) { m.Iterations = 1 },
		"hessians: want 1 to the number of iterations, 3, got 4":             func(m *Model) { m.Iterations, m.Hessians = 3, 4 },
		"a model with l1, and one of a hidden join":                          func(m *Model) { m.Iterations, m.Hessians, m.L1 = 3, 2, 0.1 },
		"condition: want a bound from 10 to 1e+08, got 1":                    func(m *Model) { m.Condition = 1 },
		"the target has no owner":                                            func(m *Model) { m.Owner = 2 },
		"bob.x0 has 9 rows, but the target has 30":                           func(m *Model) { m.Parties[1].Features[0].Values = m.Parties[1].Features[0].Values[:9] },
		"the model has no features":                                          func(m *Model) { m.Parties = []Party{{Name: "alice"}} },
		"too few for 3 coefficients": func(m *Model) {
			m.Target.Values = m.Target.Values[:3]
			for _, p := range m.Parties {
				p.Features[0].Values = p.Features[0].Values[:3]
			}
		},
		"row 3 of target y: values of family poisson are from 0 to 2^20": func(m *Model) { m.Target.Values[2] = -1 },
		"row 1 of target y: values of family binomial are 0 or 1": func(m *Model) {
			m.Family, m.Target.Values[0] = Binomial, 2
		},
		"row 2 of target y: values of family gamma are above 0": func(m *Model) {
			m.Family, m.Target.Values[0], m.Target.Values[1] = Gamma, 1, 0
		},
		"all values of target y are equal":  func(m *Model) { m.Target.Values = make([]float64, 30) },
		"alice: all values of x0 are equal": func(m *Model) { m.Parties[0].Features[0].Values = make([]float64, 30) },
		"an offset is for links log and logit, not identity": func(m *Model) {
			m.Family, m.Offset = Gaussian, &m.Target
		},
		"power is for family tweedie, not poisson": func(m *Model) { m.Power = 1.5 },
		"power: want 1.01 to 1.99, got 2.5":        func(m *Model) { m.Family, m.Power = Tweedie, 2.5 },
		"alpha: want 2^-10 to 2^10, got -1":        func(m *Model) { m.Family, m.Alpha = NegativeBinomial, -1 },
		"l2: want 1e-6 to 1000, or 0, got -1":      func(m *Model) { m.L2 = -1 },
		"not for gamma with link inverse":          func(m *Model) { m.Family, m.L2 = Gamma, 1 },
		"row 4 of target y: values of family gaussian are above 0 with link log": func(m *Model) {
			m.Family, m.Link, m.Target.Values = Gaussian, Log, slices.Concat([]float64{1, 2, 3, -1}, m.Target.Values[:26])
		},
		"weights w have 3 rows, but the target has 30": func(m *Model) { m.Weights = &table.Feature{Name: "w", Values: make([]float64, 3)} },
		"the weights have no owner":                    func(m *Model) { m.Weights, m.WeightsOwner = &table.Feature{Name: "w"}, 2 },
		"row 1 of weights w: want at most 4096 times the mean weight, and a mean above 0": func(m *Model) {
			m.Weights = &table.Feature{Name: "w", Values: make([]float64, 30)}
		},
		"row 2 of weights w: weights are 0 or above": func(m *Model) {
			m.Weights = &table.Feature{Name: "w", Values: make([]float64, 30)}
			m.Weights.Values[1] = -1
		},
		"offset x has 3 rows, but the target has 30": func(m *Model) { m.Offset = &table.Feature{Name: "x", Values: make([]float64, 3)} },
		"the offset has no owner":                    func(m *Model) { m.Offset, m.OffsetOwner = &table.Feature{Name: "x"}, 2 },
		"row 1 of offset x: the magnitude is above 14": func(m *Model) {
			m.Offset = &table.Feature{Name: "x", Values: slices.Repeat([]float64{math.NaN()}, 30)}
		},
		"row 2 of offset x: the magnitude is above 14": func(m *Model) {
			m.Offset = &table.Feature{Name: "x", Values: make([]float64, 30)}
			m.Offset.Values[1] = 1000
		},
		"alice: x0 has values too large": func(m *Model) {
			for i := range m.Target.Values {
				m.Parties[0].Features[0].Values[i] *= 1e9
			}
		},
	} {
		m := random(5, 30, 1)
		change(m)
		if _, err := m.Spec(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
