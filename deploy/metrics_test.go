package deploy

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
)

// exported returns the names of the metrics of nodes and dealers.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	expiries := func() []pki.Expiry { return make([]pki.Expiry, 1) }
	node, dealer := ops.Registry("alice", "0", expiries), ops.Registry("dealer", "0", expiries)
	ops.NewNodeMetrics(node, nil, func() ops.Load { return ops.Load{} })
	ops.NewDealerMetrics(dealer, func() map[string]float64 { return nil })
	names := map[string]bool{}
	for _, r := range []*prometheus.Registry{node, dealer} {
		all := make(chan *prometheus.Desc)
		go func() {
			r.Describe(all)
			close(all)
		}()
		for d := range all {
			if m := regexp.MustCompile(`fqName: "([^"]+)"`).FindStringSubmatch(d.String()); m != nil {
				names[m[1]] = true
			}
		}
	}
	return names
}

// metric finds names of metrics in expressions.
var metric = regexp.MustCompile(`\b(tacet|process|go)_[a-z_]+`)

// checkExpression checks that an expression names metrics, and only those that daemons export.
func checkExpression(t *testing.T, names map[string]bool, where, expr string) {
	t.Helper()
	for _, name := range metric.FindAllString(expr, -1) {
		base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
		if !names[name] && !names[base] {
			t.Errorf("%s: no daemon exports %s", where, name)
		}
	}
	if !metric.MatchString(expr) && !strings.HasPrefix(expr, "up{") {
		t.Errorf("%s: %q names no metric", where, expr)
	}
	for _, pair := range []string{"()", "{}", "[]"} {
		if strings.Count(expr, pair[:1]) != strings.Count(expr, pair[1:]) {
			t.Errorf("%s: %q: unbalanced %s", where, expr, pair)
		}
	}
}

// TestAlerts checks the Prometheus rules.
func TestAlerts(t *testing.T) {
	names := exported(t)
	rules, _ := at(documents(t, "alerts.yaml")[0], "groups", 0, "rules").([]any)
	if len(rules) == 0 {
		t.Fatal("no rules")
	}
	seen := map[string]bool{}
	for _, r := range rules {
		name, _ := at(r, "alert").(string)
		expr, _ := at(r, "expr").(string)
		checkExpression(t, names, "alerts.yaml: "+name, expr)
		summary, _ := at(r, "annotations", "summary").(string)
		severity, _ := at(r, "labels", "severity").(string)
		if name == "" || seen[name] || summary == "" || severity != "warning" && severity != "critical" {
			t.Errorf("rule %q: summary %q, severity %q", name, summary, severity)
		}
		seen[name] = true
	}
}

// TestDashboard checks the Grafana dashboard.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	names := exported(t)
	if len(d.Panels) == 0 {
		t.Error("no panels")
	}
	for _, p := range d.Panels {
		if len(p.Targets) == 0 {
			t.Errorf("panel %q has no expression", p.Title)
		}
		for _, target := range p.Targets {
			checkExpression(t, names, "grafana.json: "+p.Title, target.Expr)
		}
	}
}

// TestMetricsInDocs checks that docs/nodes.md lists all metrics of daemons and no others.
func TestMetricsInDocs(t *testing.T) {
	text, err := os.ReadFile("../docs/nodes.md")
	if err != nil {
		t.Fatal(err)
	}
	names := exported(t)
	for _, name := range regexp.MustCompile("`(tacet_[a-z_]+)`").FindAllStringSubmatch(string(text), -1) {
		if !names[name[1]] {
			t.Errorf("docs/nodes.md: no daemon exports %s", name[1])
		}
	}
	for name := range names {
		if strings.HasPrefix(name, "tacet_") && !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/nodes.md does not list %s", name)
		}
	}
}
