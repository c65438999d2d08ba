package dealer

import (
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Config is what a dealer's file says.
type Config struct {
	Name    string // its certificate's
	Listen  string
	TLS     pki.Files
	Parties []string // whom it serves
	Limits  Limits
	Metrics string // where to listen for plain HTTP of metrics and health; "" for nowhere
	PProf   bool   // there too
	Log     string // level
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
	c := &Config{Limits: DefaultLimits, Log: "info"}
	l := &c.Limits
	err = v.Mapping("a dealer", yamlfile.Fields{
		"name":    yamlfile.Name(&c.Name),
		"listen":  yamlfile.Address(&c.Listen),
		"tls":     pki.Paths(&c.TLS),
		"parties": yamlfile.Names(&c.Parties),
		"limits": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{
				"sessions": yamlfile.Positive(&l.Sessions), "memory": yamlfile.Size(&l.Memory), "form": yamlfile.Size(&l.Form),
				"wait": yamlfile.Duration(&l.Wait), "drain": yamlfile.Duration(&l.Drain),
				"beat": yamlfile.Duration(&l.Beat), "silence": yamlfile.Duration(&l.Silence),
			})
		},
		"metrics": yamlfile.Address(&c.Metrics),
		"pprof":   yamlfile.Bool(&c.PProf),
		"log": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{"level": yamlfile.Text(&c.Log)})
		},
	})
	if err != nil {
		return nil, err
	}
	return c, c.check(path)
}

// check says what is missing or contradicts itself.
func (c *Config) check(path string) error {
	for _, f := range []struct{ key, value, what string }{
		{"name", c.Name, "the dealer's, which is its certificate's"}, {"listen", c.Listen, "the address for parties"},
		{"tls: cert", c.TLS.Cert, "the dealer's certificate"}, {"tls: key", c.TLS.Key, "its private key"},
		{"tls: ca", c.TLS.CA, "the certificates of whom to trust"},
	} {
		if f.value == "" {
			return yamlfile.Wrong(path, "%s is missing: %s", f.key, f.what)
		}
	}
	if err := ops.CheckLevel(c.Log); err != nil {
		return yamlfile.Wrong(path, "log: %w", err)
	}
	switch l := c.Limits; {
	case len(c.Parties) < 2:
		return yamlfile.Wrong(path, "parties: want two or more names, of those who are served")
	case l.Silence < 2*l.Beat:
		return yamlfile.Wrong(path, "limits: silence is %v, and must be twice beat (%v) at least", l.Silence, l.Beat)
	case c.PProf && c.Metrics == "":
		return yamlfile.Wrong(path, "pprof is served where metrics are: give metrics an address")
	}
	for _, p := range c.Parties {
		if p == c.Name {
			return yamlfile.Wrong(path, "parties: %s is the dealer, which must be none of them", p)
		}
	}
	return nil
}
