package protocol

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/tacet-mpc/tacet/problem"
)

// registry holds the descriptors in the order in which they were registered.
var registry struct {
	sync.Mutex
	built   []*Descriptor
	planned []string
}

// Register makes the protocols that ds describe known to Find. It panics, as for a programmer's error, if a name is
// taken or a descriptor lacks a field that its Supply needs.
func Register(ds ...*Descriptor) {
	registry.Lock()
	defer registry.Unlock()
	for _, d := range ds {
		if err := d.valid(); err != nil {
			panic(err)
		}
		if slices.Contains(registry.planned, d.Name) ||
			slices.ContainsFunc(registry.built, func(e *Descriptor) bool { return e.Name == d.Name }) {
			panic(fmt.Sprintf("protocol: %q is registered twice", d.Name))
		}
		registry.built = append(registry.built, d)
	}
}

// Announce registers names of protocols that are planned and not built yet, so that the error of Find says so. It
// panics if a name is taken.
func Announce(names ...string) {
	registry.Lock()
	defer registry.Unlock()
	for _, n := range names {
		if slices.Contains(registry.planned, n) || slices.ContainsFunc(registry.built, func(e *Descriptor) bool { return e.Name == n }) {
			panic(fmt.Sprintf("protocol: %q is registered twice", n))
		}
		registry.planned = append(registry.planned, n)
	}
}

// valid returns an error that says what a descriptor lacks.
func (d *Descriptor) valid() error {
	switch {
	case d.Name == "" || d.Summary == "" || d.New == nil || len(d.Roles) == 0 || len(d.Rings) == 0:
		return fmt.Errorf("protocol: descriptor %q lacks a name, a summary, roles, rings or a constructor", d.Name)
	case d.Least < 1 || d.Most < d.Least || d.Most > MaxParties || d.Online > d.Least:
		return fmt.Errorf("protocol: descriptor %s has %d to %d computing parties, %d online", d.Name, d.Least, d.Most, d.Online)
	case (d.Supply == PartyDealer) != (d.Dealing != nil) || (d.Supply == BetweenParties) != (d.Between != nil):
		return fmt.Errorf("protocol: descriptor %s does not have what its supplier needs, or has more", d.Name)
	case d.Clear != (d.NewInputs == nil):
		return fmt.Errorf("protocol: descriptor %s shares inputs in cleartext, or none in shares", d.Name)
	}
	return nil
}

// Find returns the descriptor of the protocol with the given name, or an *UnknownError, whose text lists the names
// that there are.
func Find(name string) (*Descriptor, error) {
	registry.Lock()
	defer registry.Unlock()
	for _, d := range registry.built {
		if d.Name == name {
			return d, nil
		}
	}
	return nil, &UnknownError{name, slices.Contains(registry.planned, name), names()}
}

// Names returns the names of the protocols that are built, in the order of registration.
func Names() []string {
	registry.Lock()
	defer registry.Unlock()
	return names()
}

func names() []string {
	var out []string
	for _, d := range registry.built {
		out = append(out, d.Name)
	}
	return out
}

// aloneHint returns the part of a message that names a protocol for one party.
func aloneHint() string {
	registry.Lock()
	defer registry.Unlock()
	for _, d := range registry.built {
		if d.Clear {
			return fmt.Sprintf(" (protocol %s works with one)", d.Name)
		}
	}
	return ""
}

// UnknownError is the error of a protocol name for which no protocol is built.
type UnknownError struct {
	Name    string   // the name that was asked for
	Planned bool     // whether the protocol is announced and not built yet
	Built   []string // the names of the protocols that are built
}

func (e *UnknownError) kind() problem.Kind {
	if e.Planned {
		return problem.Unsupported
	}
	return problem.Usage
}

// Is reports whether target is the error's kind: problem.Unsupported if the protocol is announced, else
// problem.Usage.
func (e *UnknownError) Is(target error) bool { return target == e.kind() }

// Describe implements problem's interface for errors: it fills in p for the command's output.
func (e *UnknownError) Describe(p *problem.Problem) { p.SetKind(e.kind()) }

// Error returns the name and the names of the protocols that are built.
func (e *UnknownError) Error() string {
	if e.Planned {
		return fmt.Sprintf("protocol %s is not built yet (there are %s)", e.Name, strings.Join(e.Built, ", "))
	}
	return fmt.Sprintf("no protocol %q (there are %s)", e.Name, strings.Join(e.Built, ", "))
}
