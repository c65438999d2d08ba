package job

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party"
)

// RunSpec returns the spec for a run of the job with program p, with all parties in this process. It reads all
// inputs. Errors are *Error.
func (j *Job) RunSpec(p *hlo.Program) (party.Spec, error) { return j.spec(p, true, false) }

// ServiceSpec is RunSpec for a service with all parties in this process: inputs that are resident stay for all requests.
func (j *Job) ServiceSpec(p *hlo.Program) (party.Spec, error) { return j.spec(p, true, true) }

// PlanSpec returns the spec for a plan of the job with program p. It reads public inputs only. It does not open
// an owner's file if args or arg lists the file's arguments; of the other files it reads the array headers.
// Errors are *Error.
func (j *Job) PlanSpec(p *hlo.Program) (party.Spec, error) { return j.spec(p, false, false) }

// Settings returns the job's parties and settings, with defaults, as a spec without program and arguments.
func (j *Job) Settings() (party.Spec, error) {
	s := party.Spec{Network: j.Network, Reveals: j.Reveals, Set: maps.Clone(j.Set)}
	for _, arg := range slices.Sorted(maps.Keys(j.State)) {
		s.State = append(s.State, party.State{Arg: arg, Result: j.State[arg]})
	}
	if err := j.resolve(&s); err != nil {
		return party.Spec{}, err
	}
	return s, nil
}

func (j *Job) spec(p *hlo.Program, data, service bool) (party.Spec, error) {
	s, err := j.bare(p)
	if err != nil {
		return party.Spec{}, err
	}
	if s.Args, err = j.bind(p, s.Ring, s.Fraction, data, service); err != nil {
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
	s.Programs = j.further
	for _, f := range append([]party.NamedProgram{{Program: p}}, j.further...) {
		p := f.Program
		n := exec.CountReveals(p)
		if n <= j.Reveals {
			continue
		}
		return party.Spec{}, wrong(j.place("reveals"), "program %s reveals at least %d intermediate tensors (@tacet.reveal, @tacet.reveal_to), and the job allows %d (to allow it, set reveals: %d)", p.File, n, j.Reveals, n)
	}
	return s, nil
}

// places are the job file's keys of a Spec's fields.
var places = map[string]string{
	"Parties": "parties", "Computing": "computing", "Protocol": "protocol", "Ring": "ring", "Fraction": "fraction",
	"Reveal": "outputs", "Reveals": "reveals", "Network": "network", "Set": "set", "State": "state", "Programs": "programs",
}

// resolve fills in parties and settings. The defaults are party.Spec's, but that a
// zero which the job file or a flag names is refused.
func (j *Job) resolve(s *party.Spec) error {
	if err := j.resolveParties(s); err != nil {
		return err
	}
	if j.Ring == AutoRing {
		return wrong(j.place("ring"), "the ring is chosen by the inputs' values, in tacet run and tacet plan alone (name 32, 64 or 128)")
	}
	s.Protocol, s.Ring, s.Fraction = j.Protocol, j.Ring, j.Fraction
	if j.given("ring") && j.Ring == 0 {
		return wrong(j.place("ring"), "want a ring of 32, 64 or 128 bits, or auto, got 0")
	}
	resolved, err := s.Resolve()
	if j.given("fraction") && j.Fraction == 0 && err == nil {
		return wrong(j.place("fraction"), "%w", party.CheckFraction(resolved.Ring, 0))
	}
	var field *party.FieldError
	if errors.As(err, &field) && field.Field == "Ring" {
		return wrong(j.place("ring"), "want a ring of 32, 64 or 128 bits, or auto, got %d", s.Ring)
	}
	if errors.As(err, &field) {
		return &Error{Place: j.place(places[field.Field]), Err: field.Err}
	}
	*s = resolved
	return err
}

// resolveParties names everyone and says who computes and who learns.
func (j *Job) resolveParties(s *party.Spec) error {
	s.Parties = slices.Clone(j.Parties)
	s.Computing = len(j.Parties)
	if d, err := protocol.Find(j.Protocol); err == nil && d.Fixed() > 0 {
		s.Computing = d.Fixed()
	}
	if j.given("computing") || j.Computing != 0 {
		s.Computing = j.Computing
	}
	if s.Computing < 1 || s.Computing > party.MaxParties {
		return wrong(j.place("computing"), "want 1 to %d computing parties, got %d", party.MaxParties, s.Computing)
	}
	for rank := len(s.Parties); rank < s.Computing; rank++ {
		name := fmt.Sprintf("party%d", rank+1)
		for slices.Contains(s.Parties, name) {
			name += "x"
		}
		s.Parties = append(s.Parties, name)
	}
	s.Reveal = []int{} // nil would be all
	for rank, name := range j.Parties {
		if j.Reveal == nil || slices.Contains(j.Reveal, name) {
			s.Reveal = append(s.Reveal, rank)
		}
	}
	return nil
}
