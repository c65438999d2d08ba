package resume

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
)

// text has two loops, the second in a function, with %x between them.
const text = `func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = func.call @loop(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %1 = stablehlo.multiply %0, %x : tensor<3xf32>
  %2 = func.call @loop(%1) : (tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
func.func private @loop(%x: tensor<3xf32>) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<3xf32>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %v, %v : tensor<3xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<3xf32>
  }
  return %0#1 : tensor<3xf32>
}`

func newPlan(t *testing.T, hash string) *Plan {
	t.Helper()
	p, err := hlo.Parse("loops.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return NewPlan(p, []string{"a", "b"}, map[string]string{"ring": "64"}, map[int]map[int]string{0: {0: hash}})
}

// TestBeginAt checks which loops are left at a place, how many of their iterations are done, and
// how many values the rest of the program takes.
func TestBeginAt(t *testing.T) {
	whole := newPlan(t, "1")
	for _, c := range []struct {
		at     exec.ProgramPoint
		loops  int
		done   int // iterations of the loop at the place
		takes  int // arguments
		resume bool
		place  string
	}{
		{exec.ProgramPoint{}, 2, 0, 1, false, "the beginning"},
		{exec.ProgramPoint{Loop: 0, Iteration: 3}, 2, 3, 3, true, "loop 1, iteration 3"}, // the counter and the value
		{exec.ProgramPoint{Loop: 1}, 1, 0, 2, true, "the end of loop 1"},
		{exec.ProgramPoint{Loop: 1, Iteration: 4}, 1, 4, 3, true, "loop 2, iteration 4"},
	} {
		p := whole.BeginAt(c.at)
		if len(p.Loops) != c.loops || p.Resumes() != c.resume || p.Place() != c.place || len(p.Program.Main.Body.Params) != c.takes {
			t.Errorf("%+v: %d loops, %d arguments, %s", c.at, len(p.Loops), len(p.Program.Main.Body.Params), p.Place())
		}
		for _, l := range p.Loops {
			if l.Number == c.at.Loop && l.Done != c.done {
				t.Errorf("%+v: %d iterations of loop %d are done", c.at, l.Done, l.Number)
			}
		}
	}
}

// TestOffers checks that a party offers what is in its folder, and refuses checkpoints that do not
// fit: with both values of a public term, without those of an owner's argument.
func TestOffers(t *testing.T) {
	c := &Checkpoints{Every: 1, Folder: t.TempDir()}
	p, err := newPlan(t, "1").Open(c, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	for _, header := range []checkpoint.Header{{ID: "s-0-2", Iteration: 2}, {ID: "s-1-0", Loop: 1}} {
		header.Requirements = p.requirements(0)
		if _, err := p.folders[0].Save(&checkpoint.Checkpoint{Header: header}); err != nil {
			t.Fatal(err)
		}
	}
	offers, damaged, err := p.Offers(0)
	if err != nil || damaged != nil || len(offers) != 2 || offers[1].Checkpoint().Place() != "the end of loop 1" {
		t.Errorf("%+v, %v, %v", offers, damaged, err)
	}
	if none, _, err := p.Offers(1); err != nil || none == nil || len(none) > 0 {
		t.Errorf("a party without shares offers %v, %v", none, err)
	}
	for want, other := range map[string]*Plan{
		"differs in values of argument 0 (":                            newPlan(t, "2"),
		`differs in ring: "64" in the checkpoint, "128" in this run (`: newPlan(t, "1"),
	} {
		if strings.Contains(want, "ring") {
			other.terms["ring"] = "128"
		}
		if other, err = other.Open(c, []int{0}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := other.Offers(0); err == nil || !strings.Contains(err.Error(), "of a do not fit") || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := p.Rewind(0, offers[0].Checkpoint()); err != nil {
		t.Fatal(err)
	}
	if left, _, err := p.Offers(0); err != nil || len(left) != 1 || left[0].ID != "s-0-2" {
		t.Errorf("after rewinding: %v, %v", left, err)
	}
	if err := c.Remove("a", "b"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(c.Folder, "a")); !os.IsNotExist(err) {
		t.Errorf("after removing: %v", err)
	}
}

// TestNewest checks the choice among the offers of three parties.
func TestNewest(t *testing.T) {
	at := func(id string, loop, iteration, scale int) Offer {
		return Offer{id, loop, iteration, []checkpoint.Value{{Elements: 3, Ring: 64, Scale: scale}}}
	}
	early, late, end := at("s-0-2", 0, 2, 18), at("s-0-4", 0, 4, 18), at("s-1-0", 1, 0, 18)
	for name, c := range map[string]struct {
		offers [][]Offer
		want   string // "" for the beginning
	}{
		"all have all":       {[][]Offer{{early, late, end}, {end, late, early}, {late, end, early}}, "s-1-0"},
		"one lacks the last": {[][]Offer{{early, late, end}, {early, late}, {early, late, end}}, "s-0-4"},
		"first has less":     {[][]Offer{{early}, {early, late}, {early, late, end}}, "s-0-2"},
		"another form":       {[][]Offer{{early, late}, {early, at("s-0-4", 0, 4, 20)}, {early, late}}, "s-0-2"},
		"another session":    {[][]Offer{{early}, {at("t-0-2", 0, 2, 18)}, {early}}, ""},
		"one has none":       {[][]Offer{{early}, {}, {early}}, ""},
	} {
		if got := Newest(c.offers).Checkpoint().ID; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if d := cmp.Diff(Checkpoint{ID: "s-0-4", Iteration: 4}, late.Checkpoint()); d != "" {
		t.Error(d)
	}
}
