package node

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// revealingProgram reveals two tensors in each of three iterations, and one after the loop.
const revealingProgram = `func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %s = stablehlo.add %x, %w : tensor<4xf32>
  %r:2 = stablehlo.while(%i = %zero, %y = %s) : tensor<i32>, tensor<4xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %k = stablehlo.add %i, %one : tensor<i32>
    %h = stablehlo.slice %y [0:2] : (tensor<4xf32>) -> tensor<2xf32> loc("train/head")
    %two:2 = stablehlo.custom_call @tacet.reveal(%h, %y) : (tensor<2xf32>, tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>)
    %z = stablehlo.multiply %two#1, %w : tensor<4xf32>
    stablehlo.return %k, %z : tensor<i32>, tensor<4xf32>
  }
  %last = stablehlo.custom_call @tacet.reveal_to(%r#1) {mhlo.attributes = {to = 1 : i64}} : (tensor<4xf32>) -> tensor<4xf32> loc("loss")
  %out = stablehlo.add %last, %s : tensor<4xf32>
  return %out : tensor<4xf32>
}`

// TestRevealsAreListed checks that a job's status lists the name and shape of each intermediate tensor
// that is revealed, how often, and to which parties, and that a job that allows one tensor less is
// refused.
func TestRevealsAreListed(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.submission("alice", "bob")
	s.Program.Text = []byte(revealingProgram)
	s.Set = map[string]string{"passes": "none"}
	s.Reveals = 6
	if err := c.submit(s, "carol"); err == nil || !strings.Contains(err.Error(), "reveals 7 intermediate tensors, and the job allows 6 ") {
		t.Errorf("with 6 of 7 reveals allowed: %v", err)
	}
	s.ID, s.Reveals = newID(), 7
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		j := c.wait(s.ID, p)
		if j.State != api.Done {
			t.Fatalf("%s: job is %s: %s", p, j.State, j.Error)
		}
		want := []string{
			"result 0: tensor<4xf32>",
			"intermediate train/head (%h): tensor<2xf32>, at town.mlir:13:14, 3 times",
			"intermediate %y: tensor<4xf32>, at town.mlir:13:14, 3 times",
			"intermediate loss (%r#1): tensor<4xf32>, at town.mlir:17:11",
		}
		if len(j.Reveals) != len(want) {
			t.Fatalf("%s lists %+v", p, j.Reveals)
		}
		for i, r := range j.Reveals {
			by := "alice bob"
			if i == len(want)-1 {
				by = "bob"
			}
			if r.What != want[i] || strings.Join(r.By, " ") != by {
				t.Errorf("%s lists %+v, want %s", p, r, want[i])
			}
		}
	}
}

// loopOf returns a program with a loop whose condition depends on one party's inputs alone.
func loopOf(arg string) string {
	return `func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %r = stablehlo.while(%y = ` + arg + `) : tensor<4xf32>
  cond {
    %h = stablehlo.slice %y [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %s = stablehlo.reshape %h : (tensor<1xf32>) -> tensor<f32>
    %p = stablehlo.compare LT, %s, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %z = stablehlo.add %y, %y : tensor<4xf32>
    stablehlo.return %z : tensor<4xf32>
  }
  %m = stablehlo.multiply %r, %x : tensor<4xf32>
  %out = stablehlo.multiply %m, %w : tensor<4xf32>
  return %out : tensor<4xf32>
}`
}

// TestOwnControlRefused checks that bob's policy refuses loops and branches whose conditions depend on
// his inputs alone, and no others.
func TestOwnControlRefused(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", strings.Replace(anything, "inputs: any", "owner_local_control: refuse, inputs: any", 1))
	c.start("bob", []string{"alice", "bob"}, nil)
	for text, denied := range map[string]string{
		loopOf("%x"): "",
		loopOf("%w"): "owner_local_control: the condition of stablehlo.while at town.mlir:2:8 depends on this party's inputs alone,",
		strings.NewReplacer("stablehlo.while(%y = %x)", "stablehlo.while(%y = %s0)", "  %r = ", "  %s0 = stablehlo.add %x, %w : tensor<4xf32>\n  %r = ").Replace(loopOf("%x")): "",
		// a function with such a loop that is called with arguments of other parties too
		`func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %r = func.call @own(%w, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %other = func.call @own(%x, %b) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %out = stablehlo.multiply %r, %other : tensor<4xf32>
  return %out : tensor<4xf32>
}
func.func private @own(%v: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %h = stablehlo.slice %v [0:1] : (tensor<4xf32>) -> tensor<1xf32>
  %s = stablehlo.reshape %h : (tensor<1xf32>) -> tensor<f32>
  %p = stablehlo.compare LT, %s, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r = "stablehlo.if"(%p) ({
    %d = stablehlo.add %v, %v : tensor<4xf32>
    stablehlo.return %d : tensor<4xf32>
  }, {
    stablehlo.return %v : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}`: "owner_local_control: the condition of stablehlo.if at town.mlir:11:8 depends on this party's inputs alone,",
	} {
		s := c.submission("alice", "bob")
		s.Program.Text = []byte(text)
		s.Set = map[string]string{"while.bound": "4", "passes": "none"}
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		j := c.wait(s.ID, "bob")
		if denied == "" && j.State != api.Done || denied != "" && (j.State != api.Denied || !strings.Contains(j.Error, denied)) {
			t.Errorf("bob has the job %s (%s), want %q of\n%s", j.State, j.Error, denied, text)
		}
	}
}

// ownApprox fails depending on the values of alice's input: its index operand must be 0, 1, 2, ….
const ownApprox = `func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %i = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %worst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %worst, %zero) {mhlo.backend_config = {reduction_dim = 0 : i64}}
    : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
  %out = stablehlo.multiply %r#0, %w : tensor<4xf32>
  return %out : tensor<4xf32>
}`

// TestOwnFailureNotRevealed checks that all nodes report a failed local computation with the same text, and
// that only the owner's log holds the reason.
func TestOwnFailureNotRevealed(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.submission("alice", "bob")
	s.Program.Text = []byte(ownApprox)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	const fixed = "party alice failed while it computed on its own inputs; the reason is in its log"
	for p, want := range map[string]string{"alice": fixed, "bob": "alice gave up: " + fixed} {
		if j := c.wait(s.ID, p); j.State != api.Failed || j.Error != want {
			t.Errorf("at %s the job is %s: %s", p, j.State, j.Error)
		}
	}
	if !strings.Contains(c.log.String(), "has indices that do not count along the dimension") {
		t.Error("the log does not say why")
	}
	s = c.submission("alice", "bob")
	s.Program.Text = []byte(strings.Replace(ownApprox, "@ApproxTopK", "@Elsewhere", 1))
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Failed || !strings.Contains(j.Error, "town.mlir:5:10: stablehlo.custom_call: unknown target @Elsewhere") || !j.Started.IsZero() {
			t.Errorf("at %s the job is %s, started %v: %s", p, j.State, j.Started, j.Error)
		}
	}
}
