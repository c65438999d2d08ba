package node

import (
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Config holds the values of a node's configuration file (node.yaml).
type Config struct {
	// Daemon has the settings that all daemons share; its Name is the party's name.
	ops.Daemon
	Peers     map[string]string // host:port of the other parties' nodes, by party name
	Dealer    Remote            // the dealer; the zero value means that the node has none
	Data      []string          // folders; jobs may name files in them as inputs
	Catalogue map[string]string // paths of input files, by the name that jobs use
	// Tables has an entry for each name in Catalogue whose file is a table: how the argument is made from the
	// table.
	Tables map[string]*job.Table
	State  string // folder of jobs, results, audit log and policy counts
	Store  string // folder of correlated randomness that was made ahead of time, outside State
	// PairState is the age up to which keys and oblivious transfers of a session with another party, without a dealer, are
	// used for later ones; 0: nothing is kept. They lie beside Store (pairFolder).
	PairState time.Duration
	Policy    string // path of the policy file
	Limits    Limits
	Retention Retention
	Audit     Audit
}

// Audit says when the audit log starts a new file, and when earlier files are removed. The fields are those of
// audit.Rotation.
type Audit struct {
	Size int64 // bytes of a file after which the next event starts a new one; 0: no bound
	// Age is the age of a file's first event after which the next event starts a new file; 0: no bound. Keep is
	// the age of its last event after which an earlier file is removed; 0: never.
	Age, Keep time.Duration
}

// DefaultAudit has the rotation of the audit log that applies where the configuration sets nothing.
var DefaultAudit = Audit{Size: 64 << 20}

// Retention says after which time a node removes what it stores. 0 means that time removes nothing; Limits.Keep
// applies as well.
type Retention struct {
	Results     time.Duration // time from a job's end until the job, its results and its report are removed
	Checkpoints time.Duration // time from a job's end until its checkpoints are removed
	Kept        time.Duration // time from when kept results were written until they are removed
}

// Remote is a daemon: its name in certificates, and the host:port at which it can be reached.
type Remote struct{ Name, Address string }

// Limits bounds what a node does at once and how long it waits. docs/nodes.md describes the settings.
type Limits struct {
	Jobs         int   // maximum number of running jobs
	JobsEach     int   // maximum number of running jobs of one submitter; 0: of several submitters, each leaves one of Jobs to the others
	Queue        int   // maximum number of pending, queued and running jobs of one submitter
	Batch        int   // maximum number of requests that a service evaluates as one batch
	Keep         int   // maximum number of ended jobs of one submitter whose records and results are kept
	RequestsKept int   // maximum number of ended requests of a service whose records and results are kept
	Kept         int   // maximum number of names under which results of one submitter are kept as shares
	Descriptions int   // maximum number of descriptions of inputs (describe) that one caller asks for in a minute
	Bodies       int64 // maximum bytes of all messages that are being read
	Submissions  int64 // maximum bytes of the submissions of all jobs that have not ended
	Submitter    int64 // maximum bytes of one submitter's submissions of such jobs; 0: half of Submissions
	// Memory is the maximum memory in bytes of all running jobs, as their plans predict it. Planning of jobs may
	// take as much in addition.
	Memory            int64
	MemoryEach        int64         // maximum memory in bytes of all running jobs of one submitter; 0: Memory
	PlanMemory        int64         // maximum bytes that planning one job may take; 0: half of Memory, but at least 256 MiB
	PlanOperations    int           // maximum number of scalar operations on public values while one job is planned
	PlanTime          time.Duration // maximum duration of planning one job
	Wait              time.Duration // maximum time from a job's submission until all nodes have reserved slots for it
	Time              time.Duration // maximum duration of a job's session
	HeartbeatInterval time.Duration // time between heartbeats to the peers of a running job
	HeartbeatTimeout  time.Duration // a peer that has sent nothing for this long is lost
	Drain             time.Duration // maximum wait for running jobs when the node stops
}

// DefaultLimits has the limits that apply where the configuration sets none.
var DefaultLimits = Limits{
	Jobs: 2 * runtime.NumCPU(), Queue: 100, Batch: 16, Keep: 1000, RequestsKept: 100, Kept: 1000, Descriptions: 300,
	Bodies: 1 << 30, Memory: 8 << 30, Submissions: 4 << 30,
	PlanOperations: 200_000_000_000, PlanTime: 5 * time.Minute,
	Wait: 10 * time.Minute, Time: 24 * time.Hour,
	HeartbeatInterval: time.Second, HeartbeatTimeout: 5 * time.Second, Drain: 30 * time.Second,
}

// maxBatch bounds limits.batch so that a message naming all requests of a batch fits into
// api.MaxMessage.
const maxBatch = 256

// ReadConfig reads and checks a node's configuration file. Relative paths in it are relative to the file's
// folder. Errors name the file and line.
func ReadConfig(path string) (*Config, error) {
	v, err := yamlfile.Read(path, "a node's file")
	if err != nil {
		return nil, err
	}
	c := &Config{Limits: DefaultLimits, Audit: DefaultAudit}
	l := &c.Limits
	err = v.Mapping("a node", c.Fields(yamlfile.Fields{
		"peers": named(&c.Peers, yamlfile.Address),
		"dealer": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{"name": yamlfile.Name(&c.Dealer.Name), "address": yamlfile.Address(&c.Dealer.Address)})
		},
		"data":       yamlfile.Paths(&c.Data),
		"catalogue":  c.readCatalogue,
		"state":      yamlfile.Path(&c.State),
		"store":      yamlfile.Path(&c.Store),
		"pair_state": yamlfile.Age(&c.PairState),
		"policy":     yamlfile.Path(&c.Policy),
		"limits": func(key string, v yamlfile.Value) error {
			return v.Mapping(key, yamlfile.Fields{
				"jobs": yamlfile.Positive(&l.Jobs), "jobs_per_submitter": yamlfile.Positive(&l.JobsEach), "queue": yamlfile.Positive(&l.Queue), "batch": yamlfile.Positive(&l.Batch),
				"keep": yamlfile.Positive(&l.Keep), "requests_kept": yamlfile.Positive(&l.RequestsKept), "kept": yamlfile.Positive(&l.Kept),
				"memory": yamlfile.Size(&l.Memory), "memory_per_submitter": yamlfile.Size(&l.MemoryEach),
				"bodies": yamlfile.Size(&l.Bodies), "descriptions": yamlfile.Positive(&l.Descriptions),
				"submissions": yamlfile.Size(&l.Submissions), "submissions_per_submitter": yamlfile.Size(&l.Submitter),
				"plan_memory": yamlfile.Size(&l.PlanMemory), "plan_operations": yamlfile.Positive(&l.PlanOperations),
				"plan_time": yamlfile.Duration(&l.PlanTime),
				"wait":      yamlfile.Duration(&l.Wait), "time": yamlfile.Duration(&l.Time), "drain": yamlfile.Duration(&l.Drain),
				"heartbeat": yamlfile.Duration(&l.HeartbeatInterval), "heartbeat_timeout": yamlfile.Duration(&l.HeartbeatTimeout),
			}, renamedLimits)
		},
		"audit": func(key string, v yamlfile.Value) error {
			a := &c.Audit
			return v.Mapping(key, yamlfile.Fields{"size": yamlfile.Size(&a.Size), "age": yamlfile.Age(&a.Age), "keep": yamlfile.Age(&a.Keep)})
		},
		"retention": func(key string, v yamlfile.Value) error {
			r := &c.Retention
			return v.Mapping(key, yamlfile.Fields{
				"results": yamlfile.Age(&r.Results), "checkpoints": yamlfile.Age(&r.Checkpoints), "kept": yamlfile.Age(&r.Kept),
			})
		},
	}))
	if err != nil {
		return nil, err
	}
	if c.Store == "" && c.State != "" {
		c.Store = filepath.Clean(c.State) + ".store"
	}
	c.File = path
	return c, c.check(path)
}

// renamedLimits are the keys of limits that had other names before version 0.2.
var renamedLimits = yamlfile.Renamed{"beat": "heartbeat", "silence": "heartbeat_timeout"}

// check returns an error that names the first missing or inconsistent key.
func (c *Config) check(path string) error {
	err := c.Check(path, ops.Required{Key: "state", Value: c.State, What: "the folder of jobs and results"},
		ops.Required{Key: "policy", Value: c.Policy, What: "the file that says what is allowed"})
	if err != nil {
		return err
	}
	if err := c.CheckOwned(path, "peers", slices.Sorted(maps.Keys(c.Peers))...); err != nil {
		return err
	}
	if c.Dealer.Name != "" {
		if err := c.CheckOwned(path, "dealer", c.Dealer.Name); err != nil {
			return err
		}
	}
	switch l := c.Limits; {
	case c.Peers[c.Name] != "":
		return yamlfile.Wrong(path, "peers: %s is this node's own name; list only the other parties", c.Name)
	case (c.Dealer.Name == "") != (c.Dealer.Address == ""):
		return yamlfile.Wrong(path, "dealer: set both name and address, or leave the key out")
	case c.Dealer.Name == c.Name || c.Peers[c.Dealer.Name] != "":
		return yamlfile.Wrong(path, "dealer: %s is also a party; the dealer must be none of the parties", c.Dealer.Name)
	case l.HeartbeatTimeout < 2*l.HeartbeatInterval:
		return yamlfile.Wrong(
			path,
			"limits: heartbeat_timeout is %v; it must be at least twice heartbeat (%v)",
			l.HeartbeatTimeout,
			l.HeartbeatInterval,
		)
	case isBelow(c.Store, c.State):
		return yamlfile.Wrong(
			path,
			"store: %s is in the state folder, which is backed up; a store must not be (each session is used once): put it elsewhere",
			c.Store,
		)
	case c.Store != "" && isBelow(c.pairFolder(), c.State):
		return yamlfile.Wrong(path, "store: %s, in which pair states are kept, is in the state folder, which is backed up: choose another store", c.pairFolder())
	case l.PlanMemory > l.Memory:
		return yamlfile.Wrong(path, "limits: plan_memory is %s; it must be at most memory (%s)",
			yamlfile.FormatSize(l.PlanMemory), yamlfile.FormatSize(l.Memory))
	case l.RequestsKept < l.Batch:
		return yamlfile.Wrong(path, "limits: requests_kept is %d; it must be at least batch (%d), so that the results of a batch can be fetched",
			l.RequestsKept, l.Batch)
	case l.Batch > maxBatch:
		return yamlfile.Wrong(path, "limits: batch is %d; the maximum is %d", l.Batch, maxBatch)
	}
	return nil
}

// pairFolder is the folder of what pairs of parties keep from one session to the next; "" without a store.
func (c *Config) pairFolder() string {
	if c.Store == "" {
		return ""
	}
	return filepath.Clean(c.Store) + ".pair"
}

// isBelow reports whether a path is a folder or in it. Links are not followed.
func isBelow(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// named reads a mapping from names to texts into to; each reads one text.
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

// readCatalogue reads the entries of the catalogue.
func (c *Config) readCatalogue(key string, v yamlfile.Value) error {
	c.Catalogue = map[string]string{}
	err := v.Each(key, func(name string, v yamlfile.Value) error {
		if err := yamlfile.CheckName(v.Key, key+":", name); err != nil {
			return err
		}
		path := ""
		err := c.readEntry(name, &path)(fmt.Sprintf("%s: %s", key, name), v)
		c.Catalogue[name] = path
		return err
	})
	if err != nil {
		return err
	}
	return c.checkTables(v)
}

// checkTables refuses two tables of which one's name is the other's up to a dot: with tables a and a.b, a rule's a.b.c
// could be column b.c of the first and column c of the second.
func (c *Config) checkTables(v yamlfile.Value) error {
	for _, name := range slices.Sorted(maps.Keys(c.Tables)) {
		for i := range len(name) {
			if _, ok := c.Tables[name[:i]]; ok && name[i] == '.' {
				return v.Wrong("catalogue: with tables %s and %s, rules for columns are ambiguous (%s.COLUMN could be of either): rename one", name[:i], name, name)
			}
		}
	}
	return nil
}

// readEntry reads an entry of the catalogue: a path, or a table, such as
// {table: patients.csv, columns: [age], prepare: {age: {standardise: true}}}.
func (c *Config) readEntry(name string, to *string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if !v.IsMapping() {
			return yamlfile.Path(to)(key, v)
		}
		t := &job.Table{}
		fields := job.TableFields(t)
		fields["table"] = yamlfile.Path(to)
		if err := v.Mapping(key, fields); err != nil {
			return err
		}
		if err := t.Check(*to); err != nil {
			return v.Wrong("%s: %w", key, err)
		}
		if c.Tables == nil {
			c.Tables = map[string]*job.Table{}
		}
		c.Tables[name] = t
		return nil
	}
}
