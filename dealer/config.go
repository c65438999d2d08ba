package dealer

import (
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Config is what a dealer's file says.
type Config struct {
	ops.Daemon
	Parties []string // whom it serves
	Limits  Limits
}

// Limits bound what a dealer does at once, and how long it waits.
type Limits struct {
	Sessions int           // at once
	Memory   int64         // bytes that order forms, and all that is being dealt, may take
	Form     int64         // bytes of an encoded order form
	Wait     time.Duration // for all parties of a session, from the first
	Beat     time.Duration // how often a sign of life is sent
	Silence  time.Duration // without one, after which a party is given up
	Drain    time.Duration // for sessions to end when the dealer is stopped
}

// DefaultLimits are those of a file that says nothing.
var DefaultLimits = Limits{
	Sessions: 64, Memory: 8 << 30, Form: 64 << 20, Wait: 30 * time.Second,
	Beat: time.Second, Silence: 5 * time.Second, Drain: 30 * time.Second,
}

func (l *Limits) watch() link.Watch { return link.Watch{Beat: l.Beat, Silence: l.Silence} }

// ReadConfig reads a dealer's file. Paths in it are relative to it.
func ReadConfig(path string) (*Config, error) {
	v, err := yamlfile.Read(path, "a dealer's file")
	if err != nil {
		return nil, err
	}
	c := &Config{Limits: DefaultLimits}
	l := &c.Limits
	err = v.Mapping("a dealer", c.Fields(yamlfile.Fields{
		"parties": yamlfile.Names(&c.Parties),
		"limits": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{
				"sessions": yamlfile.Positive(&l.Sessions), "memory": yamlfile.Size(&l.Memory), "form": yamlfile.Size(&l.Form),
				"wait": yamlfile.Duration(&l.Wait), "drain": yamlfile.Duration(&l.Drain),
				"beat": yamlfile.Duration(&l.Beat), "silence": yamlfile.Duration(&l.Silence),
			})
		},
	}))
	if err != nil {
		return nil, err
	}
	return c, c.check(path)
}

// check says what is missing or contradicts itself.
func (c *Config) check(path string) error {
	if err := c.Check(path); err != nil {
		return err
	}
	switch l := c.Limits; {
	case len(c.Parties) < 2:
		return yamlfile.Wrong(path, "parties: want two or more names, of those who are served")
	case l.Silence < 2*l.Beat:
		return yamlfile.Wrong(path, "limits: silence is %v, and must be twice beat (%v) at least", l.Silence, l.Beat)
	}
	for _, p := range c.Parties {
		if p == c.Name {
			return yamlfile.Wrong(path, "parties: %s is the dealer, which must be none of them", p)
		}
	}
	return nil
}
