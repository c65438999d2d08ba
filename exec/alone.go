package exec

import (
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
)

// A program runs on one replica: a collective operation within that replica returns its operands, any other is
// refused.
func init() {
	for _, name := range hlo.With(hlo.Collective) {
		table.Add(name, func(c *opRun, in []*value) ([]*value, error) {
			if !eval.SingleReplica(c.o) {
				return nil, refuse(c.o, "exchanges values with other replicas, of which there are none", "lower the program for one replica")
			}
			return in, nil
		})
	}
}
