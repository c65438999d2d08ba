package exec

import "github.com/tacet-mpc/tacet/eval"

// A program runs on one replica: a collective operation within that replica returns its operands, any other is
// refused.
func init() {
	for _, name := range []string{"all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "reduce_scatter"} {
		table["stablehlo."+name] = func(c *opRun, in []*value) ([]*value, error) {
			if !eval.SingleReplica(c.o) {
				return nil, refuse(c.o, "exchanges values with other replicas, of which there are none", "lower the program for one replica")
			}
			return in, nil
		}
	}
}
