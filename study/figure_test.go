package study

import (
	"bytes"
	"image/png"
	"strings"
	"testing"
)

// TestFigure: a figure is drawn in both formats with its titles, names and labels.
func TestFigure(t *testing.T) {
	panel := Panel{Title: "speeds", X: "size", Y: "time", LogX: true, LogY: true, Legend: Corner{Top: true}, Series: []Series{
		{Name: "slow", X: []float64{1, 10, 100}, Y: []float64{2, 0, 300}, Line: true, Points: true}, // 0 cannot be shown on a logarithmic axis
		{Name: "fast", X: []float64{1, 100}, Y: []float64{0.5, 3}, Points: true, Labels: []string{"first", "last"}},
	}}
	f := &Figure{Panels: []Panel{panel, panel, panel}, Columns: 2}
	svg, err := f.Draw("svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"speeds", "size", "time", "slow", "fast", "first", "last", "100"} {
		if n := strings.Count(string(svg), ">"+text+"<"); n < 3 {
			t.Errorf("%q stands there %d times, want 3 panels", text, n)
		}
	}
	b, err := f.Draw("png")
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if w, h := img.Bounds().Dx(), img.Bounds().Dy(); w < 1000 || h < 600 {
		t.Errorf("%d×%d pixels", w, h)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		log       bool
		whole     bool
		want      string
	}{
		{-30, 74, false, false, "-20 0 20 40 60"},
		{0, 1, false, false, "0 0.2 0.4 0.6 0.8 1"},
		{2, 6, true, false, "100 1,000 10,000 100,000 1e6"},
		{-10, 2, true, false, "1e-10 1e-8 1e-6 1e-4 0.01 1 100"},
		{0.5, 1.5, true, false, "10"},
		{1, 4, false, true, "1 2 3 4"},
	} {
		var got []string
		for _, tick := range (ticks{log: c.log, whole: c.whole}).Ticks(c.low, c.high) {
			if tick.Value < c.low-1e-6 || tick.Value > c.high+1e-6 {
				t.Errorf("%v … %v: a mark at %v", c.low, c.high, tick.Value)
			}
			if tick.Label != "" {
				got = append(got, tick.Label)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v … %v: %q, want %q", c.low, c.high, s, c.want)
		}
	}
}
