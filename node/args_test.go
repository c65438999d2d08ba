package node

import (
	"errors"
	"math"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestArgumentsOutOfRange submits inputs of arguments that the program does not have: the node refuses them.
func TestArgumentsOutOfRange(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	for _, args := range [][]int{{-1}, {3}, {math.MinInt}, {math.MaxInt}, {0, 0}, {0, -7}, {}} {
		for _, change := range []func(*api.Submission){
			func(s *api.Submission) { s.Inputs[0].Args = args },
			func(s *api.Submission) { s.Inputs[1].Args = args },
			func(s *api.Submission) { s.Inputs[0].Args, s.Inputs[0].Resident, s.Serve = args, true, true },
			func(s *api.Submission) { s.Inputs[0].Args, s.Inputs[0].Ranges = args, map[int][2]float64{-1: {0, 1}} },
		} {
			s := c.submission("alice", "bob")
			change(s)
			for _, p := range s.Parties {
				var refused *api.Refused
				_, err := c.as("carol", p).Submit(t.Context(), s)
				if err != nil && (!errors.As(err, &refused) || !strings.Contains(err.Error(), "argument")) {
					t.Errorf("%s, %v: %v", p, args, err)
				}
			}
			if t.Failed() {
				return
			}
			c.as("carol", "alice").Cancel(t.Context(), s.ID)
			c.as("carol", "bob").Cancel(t.Context(), s.ID)
		}
	}
}
