package party

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/tensor"
)

// tap is a connection that notes what is written to it.
type tap struct {
	io.ReadWriteCloser
	mu   sync.Mutex
	sent bytes.Buffer
}

func (c *tap) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.sent.Write(b)
	c.mu.Unlock()
	return c.ReadWriteCloser.Write(b)
}

func (c *tap) CloseWrite() error {
	return c.ReadWriteCloser.(interface{ CloseWrite() error }).CloseWrite()
}

// tapped2 connects two parties; what rank 0 sends is noted.
func tapped2() (ends []*link.Endpoint, sent *tap) {
	a, b := link.Pipe(link.Shape{})
	sent = &tap{ReadWriteCloser: a}
	return []*link.Endpoint{
		link.NewEndpoint(0, []io.ReadWriteCloser{nil, sent}),
		link.NewEndpoint(1, []io.ReadWriteCloser{b, nil}),
	}, sent
}

// sentFrame is what a message on the wire shows of itself: the phase, operation
// and step that it belongs to, and its payload.
type sentFrame struct {
	phase    link.Phase
	op, step uint32
	data     []byte
}

// frames are the messages that were sent, by their keys.
func (c *tap) frames(t *testing.T) []sentFrame {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	const header = 17
	var out []sentFrame
	for b := c.sent.Bytes(); len(b) > 0; {
		if len(b) < header {
			t.Fatalf("%d bytes are left of what was sent", len(b))
		}
		n := int(binary.LittleEndian.Uint32(b[13:]))
		if link.Phase(b[0]) < link.Phases { // else the link's own
			out = append(
				out,
				sentFrame{link.Phase(b[0]), binary.LittleEndian.Uint32(b[1:]), binary.LittleEndian.Uint32(b[5:]), b[header : header+n]},
			)
		}
		b = b[header+n:]
	}
	slices.SortFunc(out, func(x, y sentFrame) int {
		return strings.Compare(fmt.Sprintf("%d %10d %10d", x.phase, x.op, x.step), fmt.Sprintf("%d %10d %10d", y.phase, y.op, y.step))
	})
	return out
}

// ownLoop has the first party compute in a loop of %n iterations before anything
// is shared.
const ownLoop = `func.func @main(%n: tensor<i32>, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.sine %x : tensor<8xf32>
    stablehlo.return %k, %y : tensor<i32>, tensor<8xf32>
  }
  %c = stablehlo.multiply %r#1, %b : tensor<8xf32>
  return %c : tensor<8xf32>
}`

// apart2 runs a program between two parties whose connection is tapped. The first
// owns all arguments but the last.
func apart2(t *testing.T, text string, args ...*tensor.Array) ([]*Outcome, []error, *tap) {
	t.Helper()
	parsed := func() *hlo.Program {
		p, err := hlo.Parse("apart.mlir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	s := Spec{
		Program: parsed(), Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2, Network: "none", Parties: []string{"alice", "bob"}, Reveal: []int{1},
		Set: map[string]string{"passes": "none"}, // as it is written
	}
	for i, a := range args {
		s.Args = append(s.Args, Arg{Owner: i / (len(args) - 1), Data: a})
	}
	ends, sent := tapped2()
	outs, errs := jointly(t, s, ends, newTable(2, 2), func(_ int, s *Spec) { s.Program = parsed() })
	return outs, errs, sent
}

func floats(x ...float64) *tensor.Array {
	return tensor.FromFloats(tensor.F32, tensor.Shape{len(x)}, x)
}

func count(n uint64) *tensor.Array { return tensor.FromWords(tensor.I32, nil, []uint64{n}) }

// TestOwnTimesStay runs a loop of one party's own as often as its data say: the
// messages that it sends are as many, as long and of the same keys whatever these
// are, what it says that the run cost is the same to the byte, and what the peer
// reports has no time and no memory of it.
func TestOwnTimesStay(t *testing.T) {
	defer goleak.VerifyNone(t)
	x := floats(1, 2, 3, 4, 5, 6, 7, 8)
	type seen struct {
		keys  []string
		tally string
	}
	run := func(n uint64) (s seen) {
		outs, errs, sent := apart2(t, ownLoop, count(n), x, x)
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, f := range sent.frames(t) {
			s.keys = append(s.keys, fmt.Sprintf("%v op %d step %d: %d bytes", f.phase, f.op, f.step, len(f.data)))
			if f.phase == link.Setup && f.step == stepTallies {
				s.tally = string(f.data)
			}
		}
		own, peers := outs[0].Report, outs[1].Report
		if own.PeakMemoryBytes == 0 || own.Online.Seconds == 0 {
			t.Errorf("the report of alice has no times of her own: %+v", own)
		}
		for i, o := range own.Ops {
			if o.Op == "stablehlo.while" && n > 1000 && (o.Seconds == 0 || peers.Ops[i].Seconds != 0) {
				t.Errorf("her loop of %d iterations took %v s by her own report, %v s by that of bob", n, o.Seconds, peers.Ops[i].Seconds)
			}
		}
		return s
	}
	few, many := run(1), run(20000)
	if few.tally == "" {
		t.Fatal("alice has not said what the run cost")
	}
	if d := cmp.Diff(few, many, cmp.AllowUnexported(seen{})); d != "" {
		t.Errorf("what alice sends depends on her data:\n%s", d)
	}
}

// TestSortTalliesStay sorts by revealed comparisons, whose number varies with a
// random order: reports between nodes have what was expected.
func TestSortTalliesStay(t *testing.T) {
	defer goleak.VerifyNone(t)
	const text = `func.func @main(%a: tensor<300xf32>, %b: tensor<300xf32>) -> tensor<300xf32> {
  %s = stablehlo.add %a, %b : tensor<300xf32>
  %0 = "stablehlo.sort"(%s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<300xf32>) -> tensor<300xf32>
  return %0 : tensor<300xf32>
}`
	x := make([]float64, 300)
	for i := range x {
		x[i] = float64(i*7%300) / 8
	}
	outs, errs, sent := apart2(t, text, floats(x...), floats(x...))
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	var took int64 // bytes online, on the wire
	for _, f := range sent.frames(t) {
		if f.phase == link.Online {
			took += int64(len(f.data))
		}
	}
	for rank, out := range outs {
		r := out.Report
		if !r.Expected() {
			t.Fatal("nothing was sorted by revealed comparisons")
		}
		if r.Online.BytesSent[0] != r.Predicted.Online.BytesSent[0] || r.Online.Rounds != r.Predicted.Online.Rounds {
			t.Errorf("party %d reports %+v, and %+v was expected", rank, r.Online, r.Predicted.Online)
		}
		if r.Online.BytesSent[0] == took {
			t.Errorf("party %d reports the %d bytes that the sort took", rank, took)
		}
		for _, o := range r.Ops {
			if o.Expected && o.BytesSent[0] != o.Predicted.BytesSent[0] {
				t.Errorf("party %d reports %d bytes of %s, and %d were expected", rank, o.BytesSent[0], o.Loc, o.Predicted.BytesSent[0])
			}
		}
	}
}
