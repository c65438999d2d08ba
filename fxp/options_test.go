package fxp_test

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
)

func TestParseOptions(t *testing.T) {
	o, err := fxp.ParseOptions(
		map[string]string{"optimize": "total", "exp.mode": "pade", "exp.clamp": "lower", "exp.iterations": "4", "table.tolerance": "0.01",
			"passes": "none", "while.bound": "9", "offline.budget": "1000", "sort": "network", "sigmoid.table": "thrifty", "tanh.table": "full"},
	)
	if err != nil {
		t.Fatal(err)
	}
	if o.ExpMode != "pade" || o.ExpClamp != "lower" || o.ExpIterations != 4 || o.Tolerance != 0.01 || o.Passes != "none" ||
		o.WhileBound != 9 ||
		o.Budget != 1000 ||
		o.Sort != "network" ||
		!o.Thrifty["sigmoid"] ||
		o.Thrifty["tanh"] ||
		o.Objective() != flow.ForTotal {
		t.Errorf("%+v", o)
	}
	if d, err := fxp.ParseOptions(nil); err != nil || d.ExpMode != "prime" || d.ExpIterations != 8 || d.ExpClamp != "both" ||
		d.Passes != "all" ||
		d.Sort != "auto" ||
		d.WhileBound != 0 ||
		d.Objective() != flow.ForOnline {
		t.Errorf("defaults %+v, %v", d, err)
	}
	for _, c := range [][3]string{
		{"optimize", "money", `setting optimize is "money"; it must be one of online, total, rounds, auto`},
		{"exp.mode", "", "it must be one of prime, pade, taylor"}, {"exp.clamp", "upper", "one of none, lower, both"},
		{"exp.iterations", "0", "an integer from 1 to 16"}, {"exp.iterations", "17", "an integer from 1 to 16"}, {"exp.iterations", "x", "an integer from 1 to 16"},
		{"table.tolerance", "0", "a number above 0 and at most 0.125"}, {"table.tolerance", "0.2", "at most 0.125"}, {"table.tolerance", "NaN", "at most 0.125"},
		{"passes", "some", "one of all, none"}, {"while.bound", "0", "a number of iterations, 1 or more"}, {"offline.budget", "-1", "a number of bytes, 1 or more"},
		{"sort", "bubble", "one of auto, shuffle, network"}, {"sigmoid.table", "large", "one of full, thrifty"}, {"nothing.table", "full", `function "nothing" has no table`},
		{"colour", "red", `setting "colour" does not exist; the settings are optimize,`},
	} {
		if _, err := fxp.ParseOptions(map[string]string{c[0]: c[1]}); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s=%s: %v, want %q", c[0], c[1], err, c[2])
		}
	}
}
