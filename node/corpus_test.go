package node

import (
	"errors"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/hostile"
)

// TestHostileCorpus submits each hostile case to two nodes, and a part of the programs whose plans fit into no machine. The nodes
// refuse it with a reason, or its job ends, with a reason if it is not done.
func TestHostileCorpus(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	for _, name := range names {
		c.stops[name]()
		c.start(name, names, func(k *Config) {
			k.Limits.PlanMemory, k.Limits.PlanOperations, k.Limits.PlanTime = 16<<20, 1<<18, 10*time.Minute
		})
	}
	c.four("") // writes four.npy
	cases := hostile.Corpus(hostile.Arguments{List: "%x: tensor<4xf32>, %w: tensor<4xf32>, %b: tensor<f32>", First: "%x", Size: 4})
	for i, x := range hostile.Programs(5, api.Input{Owner: "alice", Name: "four.npy", Args: []int{0}}) {
		if i%5 == 0 {
			cases = append(cases, x)
		}
	}
	outcomes := map[string]int{}
	runs := testcases.OneOf(t, 4)
	for _, x := range cases {
		if !runs() {
			continue
		}
		s := c.submission("alice", "bob")
		x.Apply(s)
		var at []string
		for _, p := range []string{"alice", "bob"} {
			var refused *api.Refused
			_, err := c.as("carol", p).Submit(t.Context(), s)
			switch {
			case err == nil:
				at = append(at, p)
			case errors.As(err, &refused) && refused.Error() != "" && !strings.ContainsAny(refused.Error(), "\x1b\n\x00\u202e"):
				outcomes["refused"]++
			default:
				t.Errorf("%s at %s: %.300q", x.Name, p, err)
			}
		}
		for _, p := range at {
			c.as("carol", p).Cancel(t.Context(), s.ID) // unless it has ended
		}
		for _, p := range at {
			j := c.wait(s.ID, p)
			outcomes[string(j.State)]++
			if j.State != api.Done && j.Error == "" {
				t.Errorf("%s at %s: %s, and nobody says why", x.Name, p, j.State)
			}
		}
	}
	t.Log(outcomes)
	least := 75
	if testcases.All() {
		least = 300
	}
	if outcomes["refused"] < least {
		t.Errorf("only %d refusals: %v", outcomes["refused"], outcomes)
	}
	s := c.submission("alice", "bob")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Done {
			t.Errorf("the next job is %s at %s: %s", j.State, p, j.Error)
		}
	}
}
