package hostile

import (
	"slices"

	"github.com/tacet-mpc/tacet/budget/hostile"
	"github.com/tacet-mpc/tacet/node/api"
)

// Programs returns cases whose programs ask for more than any machine has while they are planned, with sizes
// drawn from seed. Their only argument is the input x, which must have four elements.
func Programs(seed uint64, x api.Input) []Case {
	var out []Case
	for _, p := range hostile.Programs(seed) {
		c := program(p.Name, true, p.Text)
		text := c.change
		c.Plans, c.change = true, func(s *api.Submission) {
			text(s)
			s.Inputs, s.Public = []api.Input{{Owner: x.Owner, Name: x.Name, Args: slices.Clone(x.Args)}}, nil
		}
		out = append(out, c)
	}
	return out
}
