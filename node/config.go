package node

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Config is what a node's file says.
type Config struct {
	ops.Daemon                   // by its party's name
	Peers      map[string]string // addresses of the other parties' nodes by name
	Dealer     Remote            // without a name: none
	Data       []string          // folders in which inputs are looked for
	Catalogue  map[string]string // files of inputs by name
	State      string            // folder of jobs, results, audit log, counts
	Store      string            // folder of correlated randomness made ahead of time
	Policy     string            // file
	Limits     Limits
}

// Remote is a name and where it is reached.
type Remote struct{ Name, Address string }

// Limits bound what a node does at once, and how long it waits.
type Limits struct {
	Jobs    int           // that run at once
	Queue   int           // that are pending, queued or running
	Batch   int           // requests to a service that are answered at once
	Keep    int           // that have ended and are still known, with their results
	Memory  int64         // bytes that all running jobs may take by plan
	Wait    time.Duration // for all nodes to be ready for a job, from its submission
	Time    time.Duration // that a job may run
	Beat    time.Duration // how often a sign of life is sent to peers of a running job
	Silence time.Duration // without one, after which a peer is given up
	Drain   time.Duration // for running jobs to end when the node is stopped
}

// DefaultLimits are those of a file that says nothing.
var DefaultLimits = Limits{
	Jobs: 2 * runtime.NumCPU(), Queue: 100, Batch: 16, Keep: 1000, Memory: 8 << 30, Wait: 10 * time.Minute, Time: 24 * time.Hour,
	Beat: time.Second, Silence: 5 * time.Second, Drain: 30 * time.Second,
}

// maxBatch keeps what names a batch's requests within a message's bound.
const maxBatch = 256

// ReadConfig reads a node's file. Paths in it are relative to it.
func ReadConfig(path string) (*Config, error) {
	v, err := yamlfile.Read(path, "a node's file")
	if err != nil {
		return nil, err
	}
	c := &Config{Limits: DefaultLimits}
	l := &c.Limits
	err = v.Mapping("a node", c.Fields(yamlfile.Fields{
		"peers": named(&c.Peers, yamlfile.Address),
		"dealer": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{"name": yamlfile.Name(&c.Dealer.Name), "address": yamlfile.Address(&c.Dealer.Address)})
		},
		"data":      yamlfile.Paths(&c.Data),
		"catalogue": named(&c.Catalogue, yamlfile.Path),
		"state":     yamlfile.Path(&c.State),
		"store":     yamlfile.Path(&c.Store),
		"policy":    yamlfile.Path(&c.Policy),
		"limits": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{
				"jobs": yamlfile.Positive(&l.Jobs), "queue": yamlfile.Positive(&l.Queue), "batch": yamlfile.Positive(&l.Batch), "keep": yamlfile.Positive(&l.Keep), "memory": yamlfile.Size(&l.Memory),
				"wait": yamlfile.Duration(&l.Wait), "time": yamlfile.Duration(&l.Time), "drain": yamlfile.Duration(&l.Drain),
				"beat": yamlfile.Duration(&l.Beat), "silence": yamlfile.Duration(&l.Silence),
			})
		},
	}))
	if err != nil {
		return nil, err
	}
	if c.Store == "" && c.State != "" {
		c.Store = filepath.Join(c.State, "store")
	}
	return c, c.check(path)
}

// check says what is missing or contradicts itself.
func (c *Config) check(path string) error {
	err := c.Check(path, ops.Required{Key: "state", Value: c.State, What: "the folder of jobs and results"},
		ops.Required{Key: "policy", Value: c.Policy, What: "the file that says what is allowed"})
	if err != nil {
		return err
	}
	switch l := c.Limits; {
	case c.Peers[c.Name] != "":
		return yamlfile.Wrong(path, "peers: %s is this node itself", c.Name)
	case (c.Dealer.Name == "") != (c.Dealer.Address == ""):
		return yamlfile.Wrong(path, "dealer has a name and an address, or stands not at all")
	case c.Dealer.Name == c.Name || c.Peers[c.Dealer.Name] != "":
		return yamlfile.Wrong(path, "dealer: %s is a party, which a dealer must not be", c.Dealer.Name)
	case l.Silence < 2*l.Beat:
		return yamlfile.Wrong(path, "limits: silence is %v, and must be twice beat (%v) at least", l.Silence, l.Beat)
	case l.Batch > maxBatch:
		return yamlfile.Wrong(path, "limits: batch is %d, and can be %d at most", l.Batch, maxBatch)
	}
	return nil
}

// bare is a text as others may read it: not where on this machine the state folder
// lies.
func (c *Config) bare(text string) string {
	return strings.ReplaceAll(text, c.State+string(filepath.Separator), "")
}

// named reads texts by name.
func named(to *map[string]string, each func(*string) yamlfile.Field) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = map[string]string{}
		return v.Each(key, func(name string, v yamlfile.Value) error {
			if err := yamlfile.CheckName(v.Key, key+":", name); err != nil {
				return err
			}
			var s string
			err := each(&s)(fmt.Sprintf("%s: %s", key, name), v)
			(*to)[name] = s
			return err
		})
	}
}
