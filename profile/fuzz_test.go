package profile

import (
	"io"
	"strings"
	"testing"
)

// FuzzParse parses arbitrary reports, which come from nodes of other organisations, and makes of each that is
// accepted everything that the commands make of reports.
func FuzzParse(f *testing.F) {
	good, err := sample().JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(good))
	f.Add(`{"protocol":"semi2k","parties":["a"]}`)
	f.Add(`{"protocol":"p","parties":["a"],"ops":null,"frames":[],"plan":{},"from":"x"}`)
	f.Add(`{"protocol":"p","parties":["a"],"ops":[{"id":1},{"id":1}],"Ops":[{"whole":"w"}]}`)
	f.Add(`{"protocol":"p","parties":["a"],"frames":[{"outer":1,"op":0},{"outer":0,"op":0},{"outer":-7,"op":9}],"ops":[` +
		`{"id":0,"op":"stablehlo.dot_general","name":"jit(f)/(((/","inputs":[0,5,-1],"path_rounds":3,"sites":[{"frame":1,"bytes_sent":[1],"path_rounds":3,"depth":[9,2]},` +
		`{"frame":99,"bytes_sent":[9223372036854775807,1],"offline_bytes":-5,"depth":[1,2,3]},{"frame":-1,"rounds":-9}]}]}`)
	f.Add(`{"protocol":"p","parties":["a"],"online":{"seconds":1e308,"bytes_sent":[9223372036854775807,1],"rounds":-1},"expect":{"max_abs_error":[]},"plan":` +
		`{"networks":[{}],"memory_bytes":[],"resident_bytes":[1]},"ops":[{"id":-1,"op":"","loc":"::: (","rounds":1,"predicted":{"bytes_sent":[]}}]}`)
	for _, c := range [][2]string{{`"outer": -1`, `"outer": 0`}, {`"frame": 0`, `"frame": 7`}, {`"id": 2`, `"id": 0`}, {`"rounds": 5`, `"rounds": -5`}} {
		f.Add(strings.Replace(string(good), c[0], c[1], 1))
	}
	other := sample()
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse([]byte(text))
		if err != nil {
			return
		}
		again, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Parse(again); err != nil {
			t.Errorf("%.200q is read, and not again: %v", text, err)
		}
		for _, do := range []func() error{
			func() error { return Summary(io.Discard, r) },
			func() error { return Highlights(io.Discard, r) },
			func() error {
				if r.Plan == nil { // tacet plan makes its plans itself
					return nil
				}
				return PrintPrediction(io.Discard, r)
			},
			func() error { return PrintGroups(io.Discard, r.Groups(ByLine), ByBytes, 5) },
			func() error { return PrintGroups(io.Discard, r.Groups(ByLayer), ProgramOrder, 5) },
			func() error { _, err := HTML(r); return err },
			func() error { _, err := Compare(other, r, ByRounds).JSON(); return err },
			func() error { return Compare(r, other, BySeconds).Print(io.Discard, 5) },
			func() error { return Compare(r, r, ByOffline).Print(io.Discard, 5) },
		} {
			if err := do(); err != nil && !strings.Contains(err.Error(), "unsupported value") { // a quotient is infinite
				t.Errorf("%.200q: %v", text, err)
			}
		}
		for _, by := range []Order{ByBytes, ByRounds, ByOffline, BySeconds, ProgramOrder} {
			if err := Ops(io.Discard, r, by, 5); err != nil {
				t.Errorf("%.200q: %v", text, err)
			}
		}
		Pprof(r) // invalid samples are an error
	})
}
