package party

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party/report"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// frameHeader is the size of the header of a frame of package link: phase, op, step, clock, length.
const frameHeader = 17

// forge forwards frames from one connection to another until either ends, with what change makes of the payload
// of each message of the setup phase.
func forge(to io.Writer, from io.Reader, change func(step uint32, data []byte) []byte) {
	h := make([]byte, frameHeader)
	for {
		if _, err := io.ReadFull(from, h); err != nil {
			return
		}
		data := make([]byte, binary.LittleEndian.Uint32(h[13:]))
		if _, err := io.ReadFull(from, data); err != nil {
			return
		}
		if link.Phase(h[0]) == link.Setup {
			data = change(binary.LittleEndian.Uint32(h[5:]), data)
			binary.LittleEndian.PutUint32(h[13:], uint32(len(data)))
		}
		if _, err := to.Write(append(append([]byte(nil), h...), data...)); err != nil {
			return
		}
	}
}

// forged has two parties run a job, over a connection on which the messages of the second to the first party are
// changed. It returns what the first party got.
func forged(t testing.TB, s Spec, change func(step uint32, data []byte) []byte) (first *Outcome, errs [2]error) {
	a, x := link.Pipe(link.Shape{})
	y, b := link.Pipe(link.Shape{})
	var wires, runs sync.WaitGroup
	same := func(_ uint32, data []byte) []byte { return data }
	wires.Go(func() { forge(y, x, same); y.Close() })
	wires.Go(func() { forge(x, y, change); x.Close() })
	id, d := correlation.NewSessionID(), newTable(2, 2)
	beat := link.Heartbeat{Interval: 10 * time.Second, Timeout: time.Minute}
	for rank, c := range []io.ReadWriteCloser{a, b} {
		conns := make([]io.ReadWriteCloser, 2)
		conns[1-rank] = c
		own := s
		own.Args = append([]Arg(nil), s.Args...)
		for i, arg := range own.Args {
			if arg.Owner != rank {
				own.Args[i].Data = nil
			}
		}
		runs.Go(func() {
			end := link.NewEndpoint(rank, conns, beat)
			defer end.Close()
			out, err := Join(t.Context(), own, Seat{Rank: rank, Link: end, Session: id, Dealer: d})
			if errs[rank] = err; rank == 0 {
				first = out
			}
		})
	}
	runs.Wait()
	for _, c := range []io.Closer{a, b, x, y} {
		c.Close()
	}
	wires.Wait()
	return first, errs
}

// FuzzSetupMessages replaces one message of a party before or after a run: its hello, its choice or confirmation of
// a session, its list of checkpoints, its tally. The other party either ends with an error, or has the right result.
func FuzzSetupMessages(f *testing.F) {
	spec := Spec{
		Program: parsedLoop(f), Parties: []string{"alice", "bob"}, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2, Network: "none", Reveal: []int{0, 1},
		Args: []Arg{
			{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{2}, []float64{1, 2})},
			{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{2}, []float64{0.5, 0.25})},
		},
	}
	// The messages of a run are seeds, and variants of them.
	steps := 0
	run := spec
	run.Checkpoints = &resume.Checkpoints{Every: 1, Folder: f.TempDir(), Resume: true}
	if _, errs := forged(f, run, func(step uint32, data []byte) []byte {
		steps++
		f.Add(uint8(step), data)
		for _, c := range [][2]string{{":", ":-"}, {":", ":[],"}, {"{", "[{"}, {`"`, `"\u001b[2J`}, {"0", "9223372036854775807"}, {"[", "[null,"}, {"=", "A"}} {
			f.Add(uint8(step), []byte(strings.Replace(string(data), c[0], c[1], 1)))
			f.Add(uint8(step), []byte(strings.ReplaceAll(string(data), c[0], c[1])))
		}
		return data
	}); errs[0] != nil || errs[1] != nil {
		f.Fatal(errs)
	}
	if steps < 4 {
		f.Fatalf("only %d messages", steps)
	}
	for step := range uint8(stepCheckpoints + 1) {
		for _, text := range []string{"", "null", "[]", "{}", `""`, "1e999", `[{"ID":"x","Loop":-1,"Turn":9223372036854775807,"Values":[{"ring":-1}]}]`} {
			f.Add(step, []byte(text))
		}
	}
	tally := report.Tally{Dealt: report.Dealt{Bytes: math.MinInt64, ByEntry: make([]int64, 1000)}}
	text, err := json.Marshal(tally)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(stepTallies), text)
	h, err := json.Marshal(hello{Protocol: 2, Zero: make([]byte, len(ring.Seed{})), Sessions: []string{"", strings.Repeat("0", 32)}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint8(stepHello), h)
	f.Fuzz(func(t *testing.T, at uint8, text []byte) {
		s := spec
		s.Program = parsedLoop(t)
		s.Checkpoints = &resume.Checkpoints{Every: 1, Folder: t.TempDir(), Resume: true}
		replaced := false
		out, errs := forged(t, s, func(step uint32, data []byte) []byte {
			if !replaced && step == uint32(at)%(stepCheckpoints+1) {
				replaced = true
				return text
			}
			return data
		})
		if errs[0] != nil {
			if out != nil || strings.ContainsAny(errs[0].Error(), "\x1b\n\x00") {
				t.Errorf("step %d %.200q: %v, %q", at, text, out, errs[0])
			}
			return
		}
		for i, want := range []float64{0.5, 0.5} {
			if x := out.Results[0].Floats()[i]; math.Abs(x-want) > 1e-3 {
				t.Errorf("step %d %.200q: element %d is %v", at, text, i, x)
			}
		}
		if _, err := out.Report.JSON(); err != nil {
			t.Errorf("step %d %.200q: %v", at, text, err)
		}
	})
}

// parsedLoop returns a program with a loop, which writes checkpoints.
func parsedLoop(t testing.TB) *hlo.Program {
	t.Helper()
	p, err := hlo.Parse("loop.mlir", []byte(`func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32>
  cond {
    %n = stablehlo.constant dense<1> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %w = stablehlo.multiply %v, %y : tensor<2xf32>
    stablehlo.return %j, %w : tensor<i32>, tensor<2xf32>
  }
  return %0#1 : tensor<2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	return p
}
