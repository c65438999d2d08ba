package party

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
)

// course is a program whose loops are set aside, and where in it a run begins.
type course struct {
	whole *hlo.Program
	// fits are the terms that a run must have in common with one that it goes on
	// from, and owned the hashes of owners' arguments that are here.
	fits  map[string]string
	owned map[int]string
	loops map[*hlo.Op]*exec.Loop // of the program that is run
	at    exec.Mark              // where it begins
	// folders are those of the parties in this process that set shares aside.
	folders map[int]*checkpoint.Folder
}

// set has the spec run its program in a way that can be set aside.
func (s *Spec) set() {
	c := &course{whole: pass.Outer(s.Program), fits: s.terms(), owned: map[int]string{}}
	for i, a := range s.Args {
		if a.Owner >= 0 && a.Data != nil {
			c.owned[i] = fmt.Sprintf("%x", digest(a.Data))
		}
	}
	s.course = c
	s.begin(exec.Mark{})
}

// begin has a course begin at a place; the program takes what is carried there.
func (s *Spec) begin(at exec.Mark) {
	c := *s.course
	c.at = at
	r := pass.Resume(c.whole, pass.Place{Loop: at.Loop, Within: at.Turn > 0})
	c.loops = map[*hlo.Op]*exec.Loop{}
	for n, o := range r.Loops {
		if o == nil {
			continue
		}
		l := &exec.Loop{Number: n, Within: c.taken(r, n, pass.Place{Loop: n, Within: true}), After: c.taken(r, n, pass.Place{Loop: n + 1})}
		if n == at.Loop {
			l.Done = at.Turn
		}
		c.loops[o] = l
	}
	s.course = &c
	s.Program, s.Facts = r.Program, exec.Study(r.Program, s.ranges(r.Program)...)
}

// taken is what the n-th loop of a resumed program sets aside to be taken up at a
// place: what it carries itself, and what loops before it have given, in the
// program or, since what is needed later is needed now, by its arguments.
func (c *course) taken(r *pass.Resumed, n int, place pass.Place) []exec.Taken {
	args := r.Program.Main.Body.Params[len(c.whole.Main.Body.Params):]
	var out []exec.Taken
	for _, x := range pass.Resume(c.whole, place).Carried {
		t := exec.Taken{Index: x.Index}
		switch {
		case x.Loop == n:
		case r.Loops[x.Loop] != nil:
			t.Of = r.Loops[x.Loop].Results[x.Index]
		default:
			t.Of = args[slices.Index(r.Carried, x)]
		}
		out = append(out, t)
	}
	return out
}

// later reports whether the run does not begin at the beginning.
func (c *course) later() bool { return c.at != exec.Mark{} }

// ownValues begins the term of what a party's own argument is.
const ownValues = "values of argument "

// fitsOf are the terms of the checkpoints of a party.
func (c *course) fitsOf(rank int, s *Spec) map[string]string {
	fits := maps.Clone(c.fits)
	fits["party"] = s.Parties[rank]
	for i, hash := range c.owned {
		if s.Args[i].Owner == rank {
			fits[ownValues+fmt.Sprint(i)] = hash
		}
	}
	return fits
}
