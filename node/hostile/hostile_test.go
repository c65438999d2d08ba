package hostile

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/node/api"
)

// TestCorpus checks that the corpus is large, is always the same, and that a case changes nothing that it shares
// with other submissions.
func TestCorpus(t *testing.T) {
	a := Arguments{List: "%a: tensor<4xf32>", First: "%a", Size: 4}
	all, again := Corpus(a), Corpus(a)
	base := func() *api.Submission {
		return &api.Submission{
			ID: "1", Ring: 64, Program: api.Program{Name: "p", Text: []byte("t")}, Parties: []string{"alice", "bob"}, Set: map[string]string{"k": "v"},
			Inputs: []api.Input{{Owner: "alice", Name: "x", Args: []int{0}}, {Owner: "bob", Name: "y", Args: []int{1}}},
			Public: []api.Public{{Arg: 2}}, Reveal: []int{0},
		}
	}
	names, plans := map[string]bool{}, 0
	for i, c := range all {
		if names[c.Name] {
			t.Errorf("%s is there twice", c.Name)
		}
		names[c.Name] = true
		if c.Plans {
			plans++
		}
		shared, other := base(), base()
		s, r := *shared, *other
		c.Apply(&s)
		again[i].Apply(&r)
		if !reflect.DeepEqual(shared, base()) {
			t.Errorf("%s changes what it shares", c.Name)
		}
		if c.Name != again[i].Name || !reflect.DeepEqual(s, r) {
			t.Errorf("%s is not always the same", c.Name)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Errorf("%s cannot be sent: %v", c.Name, err)
		}
		if reflect.DeepEqual(s, *shared) {
			t.Errorf("%s changes nothing", c.Name)
		}
	}
	if len(all) < 200 || plans < 50 {
		t.Errorf("%d cases, %d of them plans", len(all), plans)
	}
	t.Logf("%d cases, %d of them plans", len(all), plans)
}

// TestPlansParse checks that the programs that are too large are valid, by the small ones among them: otherwise a
// node would refuse them for another reason.
func TestPlansParse(t *testing.T) {
	parsed := 0
	for _, c := range plans(Arguments{List: "%a: tensor<4xf32>", First: "%a", Size: 4}) {
		if c.Plans {
			continue
		}
		var s api.Submission
		c.Apply(&s)
		if _, err := hlo.Parse("hostile.mlir", s.Program.Text); err != nil {
			t.Errorf("%s: %v\n%.1000s", c.Name, err, s.Program.Text)
		}
		parsed++
	}
	if parsed < 9 {
		t.Errorf("%d programs", parsed)
	}
}
