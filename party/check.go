package party

import (
	"context"
	"maps"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc/protocols"
	"github.com/tacet-mpc/tacet/party/check"
	"github.com/tacet-mpc/tacet/tensor"
)

// Check runs a job in cleartext, with all parties' inputs in this process: once in the program's own types and
// once in fixed point (the protocol in cleartext, without rewrite passes). It compares the two runs operation by
// operation and returns the deviations that exceed bound, and the ranges of secrets. If the job has rewrite passes, a
// third run has them too: its results are compared, and its warnings are added.
func Check(ctx context.Context, s Spec, bound check.Bound) (*check.Result, error) {
	s, err := s.checkProgram(needsAll)
	if err != nil {
		return nil, err
	}
	c := check.New(bound, s.Ring)
	args := make([]*tensor.Array, len(s.Args))
	for i, a := range s.Args {
		args[i] = a.Data
	}
	if err := c.Reference(ctx, s.Program, args); err != nil {
		return nil, err
	}
	options, _ := fxp.ParseOptions(s.Set)
	s.Protocol, s.Set = protocols.Reference.Name, maps.Clone(s.Set)
	s.Seed, s.Machine, s.Progress = nil, nil, nil
	rewritten := s
	if s.Set == nil {
		s.Set = map[string]string{}
	}
	s.Set["passes"] = "none" // so that operations are those of the program's text
	rewritten.Set = maps.Clone(rewritten.Set)
	delete(rewritten.Set, "passes")
	s.watch, s.Note = c.Watch, c.Note
	if _, err := Run(ctx, s); err != nil {
		return nil, err
	}
	if options.Passes == "all" {
		rewritten.Note = c.NoteRewritten
		out, err := Run(ctx, rewritten)
		if err != nil {
			return nil, err
		}
		c.Rewritten(s.Program, out.Results)
	}
	return c.Result(s.Program, s.Fraction), nil
}
