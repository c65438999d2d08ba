package party_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// called squares twice, by a function too large to be put where it is called,
// and takes the larger in a loop of two iterations.
const called = `
module @m {
  func.func public @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
    %x = func.call @f(%a) : (tensor<2xf32>) -> tensor<2xf32> loc("jit(m)/first/jit(f)")
    %y = func.call @f(%b) : (tensor<2xf32>) -> tensor<2xf32>
    %i = stablehlo.constant dense<0> : tensor<i32>
    %n = stablehlo.constant dense<2> : tensor<i32>
    %s = stablehlo.constant dense<1> : tensor<i32>
    %r:2 = stablehlo.while(%j = %i, %z = %x) : tensor<i32>, tensor<2xf32>
    cond {
      %p = stablehlo.compare LT, %j, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %k = stablehlo.add %j, %s : tensor<i32>
      %w = stablehlo.maximum %z, %y : tensor<2xf32>
      stablehlo.return %k, %w : tensor<i32>, tensor<2xf32>
    }
    return %r#1 : tensor<2xf32>
  }
  func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = stablehlo.multiply %x, %x : tensor<2xf32>
    %1 = stablehlo.exponential %0 : tensor<2xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<2xf32>
    %3 = stablehlo.add %2, %0 : tensor<2xf32>
    %4 = stablehlo.multiply %3, %3 : tensor<2xf32>
    %5 = stablehlo.add %4, %1 : tensor<2xf32>
    %6 = stablehlo.multiply %5, %x : tensor<2xf32>
    %7 = stablehlo.add %6, %6 : tensor<2xf32>
    return %7 : tensor<2xf32>
  }
}`

// runCalled runs it.
func runCalled(t *testing.T, trace *profile.Trace) *profile.Report {
	t.Helper()
	prog, err := hlo.Parse("test.mlir", []byte(called))
	if err != nil {
		t.Fatal(err)
	}
	arg := tensor.FromFloats(tensor.F32, tensor.Shape{2}, []float64{0.5, -0.25})
	out, err := party.Run(context.Background(), party.Spec{
		Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2, Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "none",
		Args: []party.Arg{{Owner: 0, Data: arg}, {Owner: 1, Data: arg}}, Trace: trace,
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Report
}

// A trace has every message that was counted, from where it was sent to where
// it was taken, and the work of every operation that did any.
func TestTraceOfRun(t *testing.T) {
	trace := profile.NewTrace()
	r := runCalled(t, trace)
	b, err := trace.Events(r)
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TraceEvents []struct {
			Name, Cat, Ph string
			Args          struct {
				Phase, Loc string
				Bytes      int64
			}
		}
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	var messages, bytes, starts, ends int64
	worked := map[string]bool{}
	for _, e := range file.TraceEvents {
		switch {
		case e.Ph == "s":
			starts++
		case e.Ph == "f":
			ends++
		case e.Cat == "message" && strings.HasPrefix(e.Name, "to ") && e.Args.Phase == "online":
			messages++
			bytes += e.Args.Bytes
		case e.Cat == "work" && e.Args.Phase == "online":
			worked[e.Args.Loc] = true
		}
	}
	o := r.Online
	if messages != o.Messages[0]+o.Messages[1] || bytes != o.BytesSent[0]+o.BytesSent[1] || starts != ends || starts < messages {
		t.Errorf("%d messages of %d bytes and %d flows in the trace, in the report %+v", messages, bytes, starts, o)
	}
	for _, op := range r.Ops {
		if op.Rounds > 0 && !worked[op.Loc] {
			t.Errorf("no work of %s at %s", op.Op, op.Loc)
		}
	}
}

// A report says where in the tree of calls an operation costs what, what it
// reads, and how deep its rounds lie.
func TestReportOfCalls(t *testing.T) {
	r := runCalled(t, nil)
	checkPrediction(t, r)
	frames := map[string]int{}
	for i, f := range r.Frames {
		if f.Outer >= i || (f.Outer < 0) != (i == 0) {
			t.Errorf("frame %d stands in frame %d", i, f.Outer)
		}
		frames[f.Func]++
	}
	if d := cmp.Diff(map[string]int{"main": 1, "f": 2, "": 1}, frames); d != "" {
		t.Error(d)
	}
	got := map[string]string{}
	for _, o := range r.Ops {
		got[o.Loc] = fmt.Sprint(o.Op, " ", len(o.Sites), " sites ", o.Calls, " calls")
		var sum profile.Op
		sum.BytesSent, sum.Messages = make([]int64, 2), make([]int64, 2)
		for _, s := range o.Sites {
			sum.Add(s)
			if s.Rounds > 0 != (len(s.Depth) == 2) || len(s.Depth) == 2 && (s.Depth[0] >= s.Depth[1] || s.Depth[1] > r.Online.Rounds) {
				t.Errorf("%s: %d rounds at depth %v", o.Loc, s.Rounds, s.Depth)
			}
		}
		if sum.BytesSent[0] != o.BytesSent[0] || sum.PathRounds != o.PathRounds || sum.Rounds != o.Rounds {
			t.Errorf("%s: places add up to %+v, all to %+v", o.Loc, sum, o)
		}
	}
	for loc, want := range map[string]string{
		"test.mlir:4:10":  "func.call 1 sites 1 calls",
		"test.mlir:15:12": "stablehlo.maximum 1 sites 2 calls",
		"test.mlir:21:10": "chlo.square 2 sites 2 calls",
	} {
		if got[loc] != want {
			t.Errorf("%s: %s, want %s", loc, got[loc], want)
		}
	}
	names := map[string]string{}
	for _, o := range r.Ops {
		if o.Name != "" {
			names[o.Op] = o.Name
		}
	}
	if names["func.call"] != "jit(m)/first/jit(f)" {
		t.Errorf("names %v", names)
	}
}
