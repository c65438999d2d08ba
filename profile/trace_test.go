package profile

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// chrome is a decoded trace file.
type chrome struct {
	TraceEvents []map[string]any
	OtherData   map[string]string
}

// read decodes a trace and checks the format's invariants: every event has its fields, slices of a
// thread do not overlap, flows come in pairs that begin and end in slices, forward in time.
func read(t rapid.TB, b []byte, err error) chrome {
	if err != nil {
		t.Fatal(err)
	}
	var c chrome
	if err := json.Unmarshal(b, &c); err != nil {
		t.Fatal(err)
	}
	type thread struct{ pid, tid float64 }
	slicesOf := map[thread][][2]float64{}
	flows := map[float64][]map[string]any{}
	for _, e := range c.TraceEvents {
		for _, key := range []string{"ts", "pid", "tid"} {
			if _, ok := e[key].(float64); !ok {
				t.Fatalf("no %s in %v", key, e)
			}
		}
		at := thread{e["pid"].(float64), e["tid"].(float64)}
		switch e["ph"] {
		case "X":
			dur, ok := e["dur"].(float64)
			if !ok || dur <= 0 || e["ts"].(float64) < 0 || e["name"] == "" {
				t.Fatalf("a slice %v", e)
			}
			slicesOf[at] = append(slicesOf[at], [2]float64{e["ts"].(float64), e["ts"].(float64) + dur})
		case "s", "f":
			flows[e["id"].(float64)] = append(flows[e["id"].(float64)], e)
		case "M", "i":
		default:
			t.Fatalf("an event %v", e)
		}
	}
	const hair = 1e-4 // µs; rounding of decimal sums
	for at, list := range slicesOf {
		for i := 1; i < len(list); i++ {
			if list[i][0] < list[i-1][1]-hair {
				t.Fatalf("slices %v and %v of thread %v overlap", list[i-1], list[i], at)
			}
		}
	}
	for id, ends := range flows {
		if len(ends) != 2 || ends[0]["ph"] != "s" || ends[1]["ph"] != "f" || ends[1]["bp"] != "e" || ends[0]["name"] != ends[1]["name"] ||
			ends[0]["ts"].(float64) > ends[1]["ts"].(float64) {
			t.Fatalf("flow %v is %v", id, ends)
		}
		for _, e := range ends {
			in := false
			for _, s := range slicesOf[thread{e["pid"].(float64), e["tid"].(float64)}] {
				in = in || s[0]-hair <= e["ts"].(float64) && e["ts"].(float64) <= s[1]
			}
			if !in {
				t.Fatalf("flow %v ends in no slice: %v", id, e)
			}
		}
	}
	return c
}

func count(c chrome, phase string) int {
	n := 0
	for _, e := range c.TraceEvents {
		if e["ph"] == phase {
			n++
		}
	}
	return n
}

// two returns a trace of one exchange between two parties.
func two(limit int) *Trace {
	tr := NewTrace()
	tr.limit = limit
	at := tr.begun.Add(time.Millisecond)
	tr.Phase("online", at)
	for rank := range 2 {
		tr.Work(rank, "online", 7, "p.mlir:3:5: stablehlo.multiply", at, time.Millisecond)
		tr.Work(rank, "online", 8, "p.mlir:4:5: stablehlo.multiply", at, time.Millisecond) // at the same time
	}
	for rank := range 2 {
		tr.Sent(rank, 1-rank, "online", 7, 0, 40, at.Add(2*time.Millisecond))
	}
	time.Sleep(4 * time.Millisecond) // Received records the current time
	for rank := range 2 {
		tr.Received(rank, 1-rank, "online", 7, 0, 40)
	}
	return tr
}

func TestTrace(t *testing.T) {
	b, err := two(maxSpans).Events(sample())
	c := read(t, b, err)
	if x, s, f := count(c, "X"), count(c, "s"), count(c, "f"); x != 2+4+4 || s != 2 || f != 2 {
		t.Errorf("%d slices, %d and %d ends of flows: %s", x, s, f, b)
	}
	for _, want := range []string{
		`"args":{"name":"alice"}`, `"args":{"name":"stablehlo.multiply"}`, `"args":{"name":"stablehlo.multiply (2)"}`,
		`"name":"to bob"`, `"name":"from alice"`, `"loc":"p.mlir:3:5"`, `"bytes":40`,
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("no %s in %s", want, b)
		}
	}
	if d := cmp.Diff(map[string]string{"run": sample().title()}, c.OtherData); d != "" {
		t.Error(d)
	}
}

// TestTraceIsBounded: spans beyond the limit are counted and reported, and flows that lack an end
// are omitted.
func TestTraceIsBounded(t *testing.T) {
	b, err := two(5).Events(sample())
	c := read(t, b, err)
	if count(c, "X") != 2+5 || count(c, "s") != 0 || count(c, "i") != 1 ||
		!strings.Contains(c.OtherData["note"], "the last 3 events of the run are missing") {
		t.Errorf("%s", b)
	}
	var none *Trace
	none.Phase("input", time.Now())
}

// TestTracesAreWellFormed checks the invariants of read for random traces.
func TestTracesAreWellFormed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tr := NewTrace()
		tr.limit = rapid.IntRange(1, 40).Draw(rt, "limit")
		for range rapid.IntRange(0, 40).Draw(rt, "events") {
			at := tr.begun.Add(time.Duration(rapid.IntRange(0, 1000).Draw(rt, "at")) * time.Nanosecond)
			rank, op := rapid.IntRange(0, 1).Draw(rt, "rank"), uint32(rapid.IntRange(0, 3).Draw(rt, "op"))
			switch rapid.IntRange(0, 2).Draw(rt, "kind") {
			case 0:
				tr.Work(
					rank,
					rapid.SampledFrom([]string{"input", "online"}).Draw(rt, "phase"),
					op,
					"p:1:2: mul",
					at,
					time.Duration(rapid.IntRange(0, 500).Draw(rt, "took")),
				)
			case 1:
				tr.Sent(rank, 1-rank, "online", op, 0, 8, at)
			case 2:
				tr.Received(rank, 1-rank, "online", op, 0, 8)
			}
		}
		b, err := tr.Events(sample())
		read(rt, b, err)
	})
}

func TestRounds(t *testing.T) {
	b, err := Rounds(nested())
	c := read(t, b, err)
	if count(c, "X") != 3 {
		t.Errorf("%s", b)
	}
	for _, e := range c.TraceEvents {
		if e["ph"] == "X" && e["name"] == "stablehlo.dot_general" && (e["ts"] != 0.0 || e["dur"] != 1000.0) {
			t.Errorf("%v", e)
		}
	}
}
