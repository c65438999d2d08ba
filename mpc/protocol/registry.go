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

// Register adds descriptors. A name that is taken, or a descriptor that lacks what its
// supplier needs, is a programmer's error and panics.
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

// Announce adds the names of protocols that are not built yet: Find says so.
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

// Find returns the descriptor of a name. The error says which names there are.
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

// UnknownError is the error of a name that no built protocol has.
type UnknownError struct {
	Name    string
	Planned bool     // the protocol is announced and not built yet
	Built   []string // the names of the protocols that are built
}

func (e *UnknownError) kind() problem.Kind {
	if e.Planned {
		return problem.Unsupported
	}
	return problem.Usage
}

// Is reports whether target is the error's kind: unsupported if the protocol is announced, else usage.
func (e *UnknownError) Is(target error) bool { return target == e.kind() }

// Describe fills in a problem.
func (e *UnknownError) Describe(p *problem.Problem) { p.SetKind(e.kind()) }

func (e *UnknownError) Error() string {
	if e.Planned {
		return fmt.Sprintf("protocol %s is not built yet (there are %s)", e.Name, strings.Join(e.Built, ", "))
	}
	return fmt.Sprintf("no protocol %q (there are %s)", e.Name, strings.Join(e.Built, ", "))
}
