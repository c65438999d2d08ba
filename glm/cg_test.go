package glm

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/table"
)

// TestCG compares fits by conjugate gradients with those of statsmodels, of all families and links, with offsets, weights and penalties.
// star98, whose scaled Hessian has condition number 10^6, needs more steps, and a fit with fewer has not converged.
func TestCG(t *testing.T) {
	shared, ran := map[Family]bool{}, map[string]bool{}
	for _, r := range references(t) {
		if r.L1 > 0 {
			continue
		}
		name := fmt.Sprint(r.Data, " ", r.Family, " ", r.Link, " ", r.Offset, " ", r.Weights, " ", r.Power, " ", r.Alpha, " ", r.L2)
		ran[r.Data] = true
		t.Run(name, func(t *testing.T) {
			m := r.model(t)
			m.Iterations = 10
			if n, ok := map[Family]int{Gamma: 40, Tweedie: 12, NegativeBinomial: 16, Gaussian: 12}[r.Family]; ok && r.Link == Log {
				m.Iterations = n // Fisher scoring converges linearly here, also in statsmodels
			}
			protocol := "plain" // the same fixed-point numbers, in less time
			m.CG = &CG{}
			if n, ok := map[Family]int{Gaussian: 4, Binomial: 7, Poisson: 7}[r.Family]; ok && !shared[r.Family] {
				protocol, shared[r.Family], m.Iterations = "semi2k", true, n // in which they converge
			}
			if r.Data == "star98" {
				fit, _ := run(t, m, protocol)
				if text := strings.Join(fit.Warnings(), ";"); fit.Converged || !strings.Contains(text, "more steps of each") {
					t.Errorf("%d steps: converged %v, %q", DefaultSteps, fit.Converged, text)
				}
				m.CG.Steps = 80
			}
			fit, _ := run(t, m, protocol)
			if !fit.Converged || !fit.Inverted || fit.Solver != SolverCG || len(fit.Warnings()) != 0 {
				t.Errorf("converged %v, inverted %v, solver %q, %q", fit.Converged, fit.Inverted, fit.Solver, fit.Warnings())
			}
			worst := 0.0
			near := func(what string, got, want, size float64) {
				off := math.Abs(got-want) / size
				worst = max(worst, off)
				if !(off <= 1e-4) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
			}
			for i, c := range fit.Coefficients {
				near(c.Name, c.Value, r.Coefficients[i], max(math.Abs(r.Coefficients[i]), r.Errors[i]))
				if c.Error != 0 || c.P != 0 {
					t.Errorf("%s has a standard error", c.Name)
				}
			}
			near("deviance", fit.Deviance, r.Deviance, math.Abs(r.Deviance))
			near("dispersion", fit.Dispersion, r.Dispersion, r.Dispersion)
			for _, x := range []struct {
				name      string
				got, want *float64
			}{{"null deviance", fit.NullDeviance, r.Null}, {"log-likelihood", fit.LogLikelihood, r.LLF}, {"AIC", fit.AIC, r.AIC}} {
				if r.L2 > 0 && x.name == "log-likelihood" { // that of penalised coefficients, which statsmodels does not tell
					continue
				}
				if (x.got == nil) != (x.want == nil) {
					t.Errorf("%s: got %v, want %v", x.name, x.got, x.want)
				} else if x.got != nil {
					near(x.name, *x.got, *x.want, math.Abs(*x.want))
				}
			}
			text, err := json.Marshal(fit)
			if err != nil || !strings.Contains(string(text), `"solver":"cg"`) || !strings.Contains(string(text), `"deviance"`) ||
				strings.Contains(string(text), "inverted") || strings.Contains(string(text), "standard_error") {
				t.Errorf("the fit is %s (%v)", text, err)
			}
			t.Logf("largest deviation %.1e", worst)
		})
	}
	if len(ran) < 6 || len(shared) != 3 {
		t.Errorf("data %v, families on shares %v", ran, shared)
	}
}

// TestCGHard compares fits by conjugate gradients with those by the Hessian of tables that are hard for fixed point: features nearly
// collinear, rows with large weights, levels that are rare and have large means, and a penalty with collinear features.
func TestCGHard(t *testing.T) {
	for name, c := range map[string]struct {
		steps  int
		change func(m *Model, r *rand.Rand)
	}{
		"collinear": {48, func(m *Model, r *rand.Rand) { // condition 10^6
			of := m.Parties[0].Features
			for i := range of[1].Values {
				of[1].Values[i] = of[0].Values[i] + 1e-3*r.NormFloat64()
			}
		}},
		"equal columns and a penalty": {32, func(m *Model, _ *rand.Rand) {
			m.Parties[1].Features[0].Values, m.L2 = slices.Clone(m.Parties[0].Features[0].Values), 0.01
		}},
		"large weights": {32, func(m *Model, _ *rand.Rand) {
			m.Weights = &table.Feature{Name: "w", Values: make([]float64, 300)}
			for i := range m.Weights.Values {
				if m.Weights.Values[i] = 1; i%20 == 0 {
					m.Weights.Values[i] = 4000
				}
			}
		}},
		"rare levels with large means": {32, func(m *Model, _ *rand.Rand) {
			for i := range m.Target.Values {
				level := 0.0
				if i%60 == 0 {
					level, m.Target.Values[i] = 1, 2000+float64(i)
				}
				m.Parties[0].Features[0].Values[i] = level
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			m := random(11, 300, 6)
			c.change(m, rand.New(rand.NewPCG(12, 1)))
			m.Iterations = 12
			want, _ := run(t, m, "plain")
			m.CG = &CG{Steps: c.steps}
			got, _ := run(t, m, "plain")
			if !want.Converged || !want.Inverted || !got.Converged {
				t.Errorf("converged %v, inverted %v; by conjugate gradients converged %v", want.Converged, want.Inverted, got.Converged)
			}
			worst := math.Abs(got.Deviance/want.Deviance - 1)
			for i, w := range want.Coefficients {
				worst = max(worst, math.Abs(got.Coefficients[i].Value-w.Value)/w.Error)
			}
			if t.Logf("largest deviation %.1e", worst); !(worst <= 1e-3) {
				t.Errorf("largest deviation %.1e", worst)
			}
			m.CG.Steps = 2
			if few, _ := run(t, m, "plain"); few.Converged {
				t.Error("two steps converged")
			}
		})
	}
}

// TestCGWide fits more features than solver fisher takes.
func TestCGWide(t *testing.T) {
	const rows, features = 1100, maxFeatures / 2
	m := random(13, rows, 1)
	r := rand.New(rand.NewPCG(14, 1))
	for k := range m.Parties {
		for j := 1; j < features; j++ {
			f := table.Feature{Name: fmt.Sprint("x", j), Values: make([]float64, rows)}
			for i := range f.Values {
				f.Values[i] = r.NormFloat64()
			}
			m.Parties[k].Features = append(m.Parties[k].Features, f)
		}
	}
	m.Family, m.Iterations, m.L2, m.CG = Gaussian, 3, 0.1, &CG{Steps: 24}
	got, _ := run(t, m, "plain")
	if !got.Converged || len(got.Coefficients) != 2*features+1 {
		t.Errorf("converged %v, %d coefficients", got.Converged, len(got.Coefficients))
	}
	// The gradient of the penalised loss is 0: Xᵀ(y − η)/n = L2·β in standardised features.
	eta := slices.Repeat([]float64{got.Coefficients[0].Value}, rows)
	for k, p := range m.Parties {
		for j, f := range p.Features {
			for i, x := range f.Values {
				eta[i] += x * got.Coefficients[1+features*k+j].Value
			}
		}
	}
	for k, p := range m.Parties {
		for j, f := range p.Features {
			mean, sd, err := scales(f)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i, x := range f.Values {
				sum += (x - mean) / sd * (m.Target.Values[i] - eta[i]) / rows
			}
			if b := got.Coefficients[1+features*k+j].Value * sd; math.Abs(sum-m.L2*b) > 1e-4 {
				t.Errorf("%s.%s: the gradient is %v, want %v", p.Name, f.Name, sum, m.L2*b)
			}
		}
	}
}

// TestCGCosts: a step takes 18 rounds or fewer, and its messages grow with rows and with features, not with their product.
func TestCGCosts(t *testing.T) {
	plan := func(rows, features, steps int) *profile.Report {
		t.Helper()
		s, err := Shape{
			Family: Poisson, Parties: []string{"a", "b"}, Features: []int{features, features}, Rows: rows, OffsetOwner: -1, WeightsOwner: -1,
			Iterations: 2, CG: &CG{Steps: steps},
		}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		spec, err := s.Spec()
		if err != nil {
			t.Fatal(err)
		}
		r, err := party.Plan(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	few, many := plan(1000, 20, 4), plan(1000, 20, 8)
	if got := many.Online.Rounds - few.Online.Rounds; got > 2*4*18 {
		t.Errorf("eight steps take %d rounds", got)
	}
	step := func(rows, features int) int64 { // of one party
		return (plan(rows, features, 8).Online.BytesSent[0] - plan(rows, features, 4).Online.BytesSent[0]) / 8
	}
	one, wide, long := step(1000, 20), step(1000, 40), step(2000, 20)
	if perRow := (long - one) / 1000; perRow > 28 {
		t.Errorf("a step sends %d bytes a row", perRow)
	}
	if perFeature := (wide - one) / 40; perFeature > 150 {
		t.Errorf("a step sends %d bytes a feature", perFeature)
	}
}

// TestCGRefuses lists settings that do not belong together.
func TestCGRefuses(t *testing.T) {
	for want, change := range map[string]func(m *Model){
		"solver cg takes no l1":                               func(m *Model) { m.L1 = 0.1 },
		"solver cg computes no Hessian (leave hessians out)":  func(m *Model) { m.Hessians = 3 },
		"steps: want 1 to 1000, got -1":                       func(m *Model) { m.CG.Steps = -1 },
		"steps: want 1 to 1000, got 1001":                     func(m *Model) { m.CG.Steps = 1001 },
		"a model has one solver, sgd or cg":                   func(m *Model) { m.Family, m.SGD = Binomial, &SGD{} },
		"(solver cg takes up to 9999, without standard error": func(m *Model) { m.CG = nil },
	} {
		m := random(5, 1100, 1)
		m.CG = &CG{}
		change(m)
		if m.CG == nil {
			m.Parties[0].Features = slices.Repeat(m.Parties[0].Features, 1000)
		}
		if _, err := m.Spec(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
