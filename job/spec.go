package job

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/party"
)

// maxParties bounds --parties: all of them run in one process.
const maxParties = 64

// built are the protocols there are, later those that are to come.
var (
	built = []string{"plain", "semi2k", "aby3"}
	later = []string{"cheetah"}
)

// RunSpec matches the job with a program and reads all inputs.
func (j *Job) RunSpec(p *hlo.Program) (party.Spec, error) { return j.spec(p, true) }

// PlanSpec matches the job with a program and reads public inputs only. An
// owner's file is not opened where args or arg says what it holds, and of any
// other only the array headers are read.
func (j *Job) PlanSpec(p *hlo.Program) (party.Spec, error) { return j.spec(p, false) }

// Settings are the job's parties and settings, defaults filled in: a spec
// without a program.
func (j *Job) Settings() (party.Spec, error) {
	s := party.Spec{Network: j.Network, Reveals: j.Reveals, Set: maps.Clone(j.Set)}
	if err := j.settle(&s); err != nil {
		return party.Spec{}, err
	}
	return s, nil
}

func (j *Job) spec(p *hlo.Program, data bool) (party.Spec, error) {
	s, err := j.bare(p)
	if err != nil {
		return party.Spec{}, err
	}
	if s.Args, err = j.bind(p, s.Ring, s.Fraction, data); err != nil {
		return party.Spec{}, err
	}
	return s, nil
}

// bare is a spec without arguments.
func (j *Job) bare(p *hlo.Program) (party.Spec, error) {
	s, err := j.Settings()
	if err != nil {
		return party.Spec{}, err
	}
	s.Program = p
	if n := exec.CountReveals(p); n > j.Reveals {
		return party.Spec{}, wrong(j.place("reveals"), "program %s reveals %d tensors or more on its way (@tacet.reveal), and the job allows %d (reveals: %d, if that is meant)", p.File, n, j.Reveals, n)
	}
	return s, nil
}

// settle fills in parties and settings, with defaults where nothing was given.
func (j *Job) settle(s *party.Spec) error {
	if err := j.settleParties(s); err != nil {
		return err
	}
	if s.Protocol = j.Protocol; s.Protocol == "" {
		s.Protocol = "semi2k"
		if len(s.Parties) == 1 { // nobody to keep anything from
			s.Protocol = "plain"
		}
	}
	switch {
	case slices.Contains(later, s.Protocol):
		return wrong(j.place("protocol"), "protocol %s is not built yet (there are %s)", s.Protocol, list(built))
	case !slices.Contains(built, s.Protocol):
		return wrong(j.place("protocol"), "no protocol %q (there are %s)", s.Protocol, list(built))
	case s.Protocol == "semi2k" && s.Computing < 2:
		return wrong(j.place("protocol"), "semi2k computes among 2 parties or more, not %d (protocol plain does alone)", s.Computing)
	case s.Protocol == "aby3" && s.Computing != aby3.Parties:
		return wrong(j.place("computing"), "aby3 computes among %d parties, the first ones, not %d (leave the number away; any others share inputs and learn outputs)", aby3.Parties, s.Computing)
	}
	if s.Ring = j.Ring; !j.given("ring") && s.Ring == 0 {
		s.Ring = 64
	}
	if s.Ring == AutoRing {
		return wrong(j.place("ring"), "the ring is chosen by the inputs' values, in tacet run and tacet plan alone (name 32, 64 or 128)")
	}
	usual, ok := fxp.UsualFraction(s.Ring)
	if !ok {
		return wrong(j.place("ring"), "want a ring of 32, 64 or 128 bits, or auto, got %d", s.Ring)
	}
	if s.Fraction = j.Fraction; !j.given("fraction") && s.Fraction == 0 {
		s.Fraction = usual
	}
	if most := s.Ring/2 - 3; s.Fraction < 1 || s.Fraction > most {
		return wrong(j.place("fraction"), "want 1 to %d fraction bits in a ring of %d, got %d (the default is %d)", most, s.Ring, s.Fraction, usual)
	}
	if err := checkNetwork(s.Network); err != nil {
		return &Error{Place: j.place("network"), Err: err}
	}
	if _, err := fxp.ParseOptions(s.Set); err != nil {
		return &Error{Place: j.place("set"), Err: err}
	}
	return nil
}

// settleParties names everyone and says who computes and who learns.
func (j *Job) settleParties(s *party.Spec) error {
	s.Parties = slices.Clone(j.Parties)
	s.Computing = len(j.Parties)
	if j.Protocol == "aby3" {
		s.Computing = aby3.Parties
	}
	if j.given("computing") || j.Computing != 0 {
		s.Computing = j.Computing
	}
	if s.Computing < 1 || s.Computing > maxParties {
		return wrong(j.place("computing"), "want 1 to %d computing parties, got %d", maxParties, s.Computing)
	}
	for rank := len(s.Parties); rank < s.Computing; rank++ {
		name := fmt.Sprintf("party%d", rank+1)
		for slices.Contains(s.Parties, name) {
			name += "x"
		}
		s.Parties = append(s.Parties, name)
	}
	for rank, name := range j.Parties {
		if j.Reveal == nil || slices.Contains(j.Reveal, name) {
			s.Reveal = append(s.Reveal, rank)
		}
	}
	return nil
}
