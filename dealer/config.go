package dealer

import (
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Config holds the values of a dealer's configuration file (dealer.yaml).
type Config struct {
	// Daemon has the settings that all daemons share: name, addresses, certificate files, log.
	ops.Daemon
	Parties []string // names of the parties that may join sessions
	Limits  Limits   // the limits; those of DefaultLimits where the file sets none
}

// Limits bounds what a dealer does at once and how long it waits.
type Limits struct {
	Sessions int // maximum number of open sessions
	// SessionsPerParty is the maximum number of open sessions that count for one party. Each session counts for
	// one of the parties that have connected to it: the one with the fewest sessions. 0 stands for the party's
	// equal part of Sessions, but at least 8 or half of them, if that is fewer.
	SessionsPerParty  int
	Memory            int64         // bytes for correlation manifests and for dealing, over all sessions
	Manifest          int64         // maximum size of an encoded correlation manifest, bytes
	Wait              time.Duration // maximum time from the first party's connection until all parties of the session are connected
	HeartbeatInterval time.Duration // time between heartbeats
	HeartbeatTimeout  time.Duration // a party that has sent nothing for this long is lost
	Drain             time.Duration // maximum wait for open sessions when the dealer stops
}

// DefaultLimits holds the limits that apply where the file sets none.
var DefaultLimits = Limits{
	Sessions: 64, Memory: 8 << 30, Manifest: 32 << 20, Wait: 30 * time.Second,
	HeartbeatInterval: time.Second, HeartbeatTimeout: 5 * time.Second, Drain: 30 * time.Second,
}

func (l *Limits) heartbeat() link.Heartbeat {
	return link.Heartbeat{Interval: l.HeartbeatInterval, Timeout: l.HeartbeatTimeout}
}

// ReadConfig reads and checks a dealer's configuration file. Relative paths in it are relative to the file's
// folder. Errors name the file and line.
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
				"sessions": yamlfile.Positive(
					&l.Sessions,
				), "sessions_per_party": yamlfile.Positive(&l.SessionsPerParty), "memory": yamlfile.Size(&l.Memory), "manifest": yamlfile.Size(&l.Manifest),
				"wait": yamlfile.Duration(&l.Wait), "drain": yamlfile.Duration(&l.Drain),
				"heartbeat": yamlfile.Duration(&l.HeartbeatInterval), "heartbeat_timeout": yamlfile.Duration(&l.HeartbeatTimeout),
			}, renamedLimits)
		},
	}))
	if err != nil {
		return nil, err
	}
	c.File = path
	return c, c.check(path)
}

// renamedLimits are the keys of limits that had other names before version 0.2.
var renamedLimits = yamlfile.Renamed{"beat": "heartbeat", "silence": "heartbeat_timeout", "form": "manifest"}

// check returns an error that names the first missing or inconsistent key.
func (c *Config) check(path string) error {
	if err := c.Check(path); err != nil {
		return err
	}
	if err := c.CheckOwned(path, "parties", c.Parties...); err != nil {
		return err
	}
	switch l := c.Limits; {
	case len(c.Parties) < 2:
		return yamlfile.Wrong(path, "parties: list the names of two or more parties")
	case l.HeartbeatTimeout < 2*l.HeartbeatInterval:
		return yamlfile.Wrong(
			path,
			"limits: heartbeat_timeout is %v; it must be at least twice heartbeat (%v)",
			l.HeartbeatTimeout,
			l.HeartbeatInterval,
		)
	}
	for _, p := range c.Parties {
		if p == c.Name {
			return yamlfile.Wrong(path, "parties: %s is the dealer; the dealer must be none of the parties", p)
		}
	}
	return nil
}
