package interpolate

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/timing"
)

// TestQuick: the quick study is ended in its middle, continues where it was, meets the bounds that do not depend on times or
// on the size, and writes all its files.
func TestQuick(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("long")
	}
	ctx, end := context.WithCancel(context.Background())
	defer end()
	steps, last := 0, 0
	l := &study.Lab{Dir: t.TempDir(), Quick: true, Machine: timing.Default}
	l.Progress = func(what string, done, all int) {
		if steps, last = steps+1, all; done == all/2 {
			end()
		}
	}
	if _, err := Run(ctx, l, nil); err == nil {
		t.Fatal("the study did not end with its context")
	}
	state := filepath.Join(l.Dir, "interpolate-state")
	kept, err := os.ReadDir(state)
	if err != nil || len(kept) < 3 {
		t.Fatalf("%d files of finished steps, %v", len(kept), err)
	}
	before, err := os.Stat(filepath.Join(state, kept[0].Name()))
	if err != nil {
		t.Fatal(err)
	}
	l.Progress = func(what string, done, all int) {
		steps, last = done+1, all
		if info, err := os.Stat(filepath.Join(state, kept[0].Name())); err != nil || !info.ModTime().Equal(before.ModTime()) {
			t.Errorf("%s: a finished step was done again: %v", what, err)
		}
	}
	bars, err := Run(context.Background(), l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if steps != last {
		t.Errorf("%d steps of %d", steps, last)
	}
	for _, b := range bars {
		if !b.Met() && !strings.Contains(b.Name, "milliseconds") {
			t.Errorf("%s: %v, at most %v", b.Name, b.Value, b.Limit)
		}
	}
	for _, file := range []string{"interpolate.md", "interpolate-bounds.csv", "interpolate-errors.csv", "interpolate-gcn.csv", "interpolate-costs.csv",
		"interpolate-phases.csv", "interpolate-adjacency.csv", "interpolate-variances.csv", "interpolate-readings.csv", "interpolate-losses.svg", "interpolate-map.png", "interpolate-parties.svg"} {
		info, err := os.Stat(filepath.Join(l.Dir, file))
		if err != nil || info.Size() < 100 || info.Size() > 400<<10 {
			t.Errorf("%s: %v, %+v", file, err, info)
		}
	}
	if _, err := os.Stat(state); !os.IsNotExist(err) {
		t.Errorf("the finished steps are still there: %v", err)
	}
}

// TestGenerate: the readings are reproducible, of the size that the sets promise, and go through a CSV file and back.
func TestGenerate(t *testing.T) {
	d := Generate(Sets[0], 1)
	text := d.CSV()
	if n := len(text); n < 130_000 || n > 150_000 {
		t.Errorf("the one-hour set has %d bytes, want 0.14 MB", n)
	}
	if !bytes.Equal(text, Generate(Sets[0], 1).CSV()) || bytes.Equal(text, Generate(Sets[0], 2).CSV()) {
		t.Error("readings do not follow from the seed")
	}
	h, err := d.Hourly()
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Sites) != 200 || len(h.Times) != 1 || len(h.owners()) != owners || len(h.Features) != len(featureNames) {
		t.Fatalf("%d sites, %d times, %d owners, features %v", len(h.Sites), len(h.Times), len(h.owners()), h.Features)
	}
	want := 0.0
	for _, y := range d.Sites[7].Y {
		want += y / float64(len(d.Times))
	}
	if got := h.Sites[7].Y[0]; math.Abs(got-want) > 1e-9 {
		t.Errorf("site 7 has the mean %v, want %v", got, want)
	}
	if n := len(Generate(Sets[1], 1).Times); n != 24 {
		t.Errorf("the one-day set has %d hours", n)
	}
	if s := Sets[2]; s.Readings != 168 {
		t.Errorf("the one-week set has %d readings", s.Readings)
	}
}

var regexpOwner = regexp.MustCompile(`,o\d\d,`)

// TestRead: mistakes in a file are refused with the line and what to do.
func TestRead(t *testing.T) {
	good := string(Generate(Set{"small", 20, 1, Sets[0].Every}, 1).CSV())
	lines := strings.SplitAfter(good, "\n")
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"no column", "site,lat,lon,time\n", `there is no column "value"`},
		{"twice", "site,lat,lon,time,value,a,a\n", `two columns are called "a"`},
		{"few", strings.Join(lines[:11], ""), "10 sites, at least 20 are needed"},
		{"time", strings.Replace(good, "2026-01-12 08:00", "yesterday", 1), `line 2: time "yesterday" is not of the form`},
		{"number", lines[0] + "a,b,48,11,2026-01-12 08:00,x,1,1,1,1,1,1\n", `line 2: column 6 has "x"`},
		{"place", lines[0] + "a,b,148,11,2026-01-12 08:00,1,1,1,1,1,1,1\n", "latitude 148"},
		{"moved", good + strings.Replace(lines[1], ",o00,", ",o01,", 1), `line 22: site "s000" has another owner or place`},
		{"missing", good + strings.Replace(lines[1], "08:00", "10:00", 1), `site "s001" has no reading in the hour from 2026-01-12 10:00`},
		{"more", good + strings.Replace(lines[2], "08:00", "10:00", 1), `site "s001" has readings in 2 hours`},
		{"one owner", regexpOwner.ReplaceAllString(good, ",o00,"), "all sites have one owner"},
		{"short", lines[0] + "a,b\n", "wrong number of fields"},
	} {
		file := filepath.Join(t.TempDir(), "readings.csv")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "none.csv")); !os.IsNotExist(err) {
		t.Errorf("a file that does not exist: %v", err)
	}
}

// TestGraphs: rows of means are means of training sites without the site itself; the adjacency is symmetric.
func TestGraphs(t *testing.T) {
	d, err := Generate(Set{"small", 40, 1, Sets[0].Every}, 1).Hourly()
	if err != nil {
		t.Fatal(err)
	}
	p := newProblem(d, 1)
	if len(p.test) != 8 || len(p.train) != 32 {
		t.Fatalf("%d test and %d training sites", len(p.test), len(p.train))
	}
	m := p.nearestMeans(nearby).Floats()
	for i := range p.sites {
		total, used := 0.0, 0
		for k, j := range p.train {
			v := m[i*len(p.train)+k]
			if total += v; v > 0 {
				used++
			}
			if v > 0 && i == j {
				t.Errorf("site %d is its own neighbour", i)
			}
		}
		if math.Abs(total-1) > 1e-6 || used != nearby {
			t.Errorf("site %d: %d neighbours with the sum %v", i, used, total)
		}
	}
	a := p.adjacency().Floats()
	for i := range p.sites {
		for j := range p.sites {
			if a[i*p.sites+j] != a[j*p.sites+i] {
				t.Fatalf("sites %d and %d: %v and %v", i, j, a[i*p.sites+j], a[j*p.sites+i])
			}
		}
	}
	for _, parties := range []int{2, 3, 16} {
		at := 0
		for rank := range parties {
			first, last := p.rows(rank, parties)
			if first != at || last <= first {
				t.Errorf("party %d of %d has sites %d to %d, want them from %d on", rank, parties, first, last, at)
			}
			at = last
		}
		if at != p.sites {
			t.Errorf("%d of %d sites belong to %d parties", at, p.sites, parties)
		}
	}
}
