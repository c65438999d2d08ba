// Package jobstate is the state machine of a node's jobs. Step takes a state and an event, and returns the next
// state and the effects. An event says what has happened; an effect is an action (Action) that the caller of
// Step, package node, must carry out. The comment of an action says what the node does then. Step does no I/O,
// starts no goroutine, and reads neither a clock nor a source of randomness; the time is an argument. Package
// node's documentation lists the states and transitions.
//
// The node of rank 0 is the job's leader. In an attempt it reserves a slot, which is the permission to run one
// job, and memory at all nodes, and then starts the session at all of them.
package jobstate

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/policy"
)

// Limits are the settings of a node that decide transitions.
type Limits struct {
	Node string // name of the node's party, for messages
	Jobs int    // number of slots: maximum number of jobs that hold a reservation or run
	Each int    // maximum number of slots that the jobs of one submitter hold; 0: Jobs
	// maximum number of pending, queued and running jobs of one submitter, and of queued requests of a service
	Queue       int
	Batch       int           // maximum number of requests that a service evaluates as one batch
	Keep        int           // maximum number of ended jobs of one submitter whose records and results are kept
	Requests    int           // maximum number of ended requests of a service whose records and results are kept
	Memory      int64         // maximum bytes that all jobs with a slot may reserve
	MemoryEach  int64         // maximum bytes that the jobs of one submitter may reserve; 0: Memory
	Submissions int64         // maximum bytes of the submissions of all jobs that have not ended
	Submitter   int64         // maximum bytes of one submitter's submissions of such jobs
	Results     time.Duration // time after which ended jobs are removed; 0: they stay
	Checkpoints time.Duration // time after which the checkpoints of ended jobs are removed; 0: they stay
	Wait        time.Duration // maximum time from a job's submission until all nodes have reserved slots for it
	// time after which a reserved slot is freed if the session does not start and the leader does not renew it
	SlotTimeout time.Duration
	RequestWait time.Duration // time for which a batch waits for announced requests that have not arrived
}

// State is the state of all jobs of a node. It is immutable: Step returns a new one.
type State struct {
	Limits Limits // limits that decide transitions
	Closed bool   // the node accepts no more jobs

	open  map[string]*Job // jobs that are pending, queued or running, by id
	ended *archive        // jobs in a final state
}

// New returns the state of a node without jobs, with these limits.
func New(l Limits) State { return State{Limits: l} }

// WithEnded returns s with jobs in a final state that were read from disk when the process started. The caller must not change them
// afterwards. The event Restored, which is for the other jobs, takes time and memory for each that a node with many jobs has not.
func (s State) WithEnded(jobs []*Job) State {
	s.ended = s.ended.withAll(jobs)
	return s
}

// Job is the state of one job. Step never changes a Job that a State holds: it replaces the Job.
type Job struct {
	// Job is the status that clients see.
	api.Job
	Sent     string   // digest of the submission (api.Submission.Digest)
	Rank     int      // rank of this node's party; the node of rank 0 leads the job
	Approved bool     // an admin has approved the job
	Unstored bool     // the job was denied when it was submitted, and no folder was made for it
	Fetch    []string // names, besides admins, that may fetch results and reports
	MaxBatch int      // of a service: maximum number of requests per batch that the submission asks for
	Args     []int    // numbers of the arguments that this party's inputs provide
	Stay     []int    // those of Args that are resident
	Deals    bool     // the session may need the dealer
	Held     int64    // bytes of memory that the submission takes until the job has ended

	Try      int       // number of the leader's attempt for which the slot is reserved
	Slot     bool      // a slot is reserved, or the session runs
	SlotEnds time.Time // when a reserved slot is freed; zero without a slot and while the session runs
	// Planning says that the job is being planned. It is stored before planning begins: after a restart it says
	// that the process ended while it planned the job.
	Planning bool
	Demand   Demand // memory that the session will take, according to its plan; zero until planned
	Reserved int64  // bytes of memory that are reserved for the job

	// Backoff is, at the leader of a service that opens again, the time that it waits after the last loss before
	// it tries.
	Backoff time.Duration
	// Heard is, at the other nodes of a service that waits to open again, when the leader's last message came.
	Heard time.Time

	Stopped  Stopped  // why the session was told to stop
	starting *Start   // the start that waits for the policy's decision
	lead     lead     // at the leader: the attempt in progress
	service  *service // of a service whose session runs
	answered []string // of a service: ids of the ended requests that are kept, in the order in which they ended
}

// Stopped says why a session was told to stop. If there are several reasons, the first one that ends the job
// counts, or the first one if none does. The zero value means that the session was not told to stop.
type Stopped struct {
	Reason    string // the reason; "" if the session was not told to stop
	Cancelled bool   // the submitter or an admin cancelled the job; otherwise a peer stopped it
	Lost      bool   // only the session ends, and the service opens again
}

// Demand is the memory in bytes that a session takes: Base for one request or a job, and PerRequest for each
// further request of a batch.
type Demand struct {
	Base       int64 // of a job, or of a service that evaluates one request at a time
	PerRequest int64 // for each further request of a batch
}

// ForBatch returns the memory in bytes for a batch of this many requests, at least one.
func (d Demand) ForBatch(requests int) int64 { return d.Base + int64(requests-1)*d.PerRequest }

// Leads reports whether this node leads the job: the leader reserves slots at all nodes and starts the session.
func (j *Job) Leads() bool { return j.Rank == 0 }

// Job returns the job with this id, which must not be changed; nil if there is none.
func (s State) Job(id string) *Job {
	if j := s.open[id]; j != nil {
		return j
	}
	return s.ended.job(id)
}

// All returns an iterator over all jobs, in no particular order. The jobs must not be changed.
func (s State) All() iter.Seq[*Job] {
	return func(yield func(*Job) bool) {
		for _, j := range s.open {
			if !yield(j) {
				return
			}
		}
		for _, j := range s.ended.all() {
			if !yield(j) {
				return
			}
		}
	}
}

// Open returns an iterator over the jobs that have not ended, in no particular order. The jobs must not be changed.
func (s State) Open() iter.Seq[*Job] { return maps.Values(s.open) }

// Ended returns the number of jobs in each final state, which must not be changed.
func (s State) Ended() map[api.State]int {
	if s.ended == nil {
		return nil
	}
	return s.ended.count
}

// Of returns the number of jobs of a submitter that have not ended.
func (s State) Of(submitter string) int {
	n := 0
	for _, j := range s.open {
		if j.Submitter == submitter {
			n++
		}
	}
	return n
}

// Held returns the bytes that the submissions of jobs that have not ended take: those of this submitter, and
// those of all submitters.
func (s State) Held(submitter string) (own, all int64) {
	for _, j := range s.open {
		all += j.Held
		if j.Submitter == submitter {
			own += j.Held
		}
	}
	return own, all
}

// Len returns the number of jobs, ended ones included.
func (s State) Len() int { return len(s.open) + s.ended.len() }

// Running returns the number of jobs with a running session.
func (s State) Running() int {
	n := 0
	for _, j := range s.open {
		if j.State == api.Running {
			n++
		}
	}
	return n
}

// FreeSlots returns Limits.Jobs minus the slots that are reserved or in use.
func (s State) FreeSlots() int {
	free := s.Limits.Jobs
	for _, j := range s.open {
		if j.Slot {
			free--
		}
	}
	return free
}

// slotsOf returns the number of slots that a submitter's jobs hold.
func (s State) slotsOf(submitter string) int {
	n := 0
	for _, j := range s.open {
		if j.Slot && j.Submitter == submitter {
			n++
		}
	}
	return n
}

// FreeMemory returns Limits.Memory minus the bytes that are reserved.
func (s State) FreeMemory() int64 {
	free := s.Limits.Memory
	for _, j := range s.open {
		free -= j.Reserved
	}
	return free
}

// freeMemoryFor returns the bytes that a job may reserve, those that it has reserved among them: what is free, and of what its
// submitter's jobs may reserve the rest.
func (s State) freeMemoryFor(j *Job) (free, rest int64) {
	free, rest = s.FreeMemory()+j.Reserved, s.Limits.Memory
	if s.Limits.MemoryEach > 0 {
		rest = min(rest, s.Limits.MemoryEach)
	}
	for _, other := range s.open {
		if other.Submitter == j.Submitter && other.ID != j.ID {
			rest -= other.Reserved
		}
	}
	return free, rest
}

// deadline returns when the job needs a Tick event: when its slot is freed, when its leader has failed
// to start it, or when a request of a service has waited too long. It is zero if the job waits for no
// time. The leader's own deadline is part of its attempts.
func (s State) deadline(j *Job) time.Time {
	var at time.Time
	soonest := func(t time.Time) {
		if !t.IsZero() && (at.IsZero() || t.Before(at)) {
			at = t
		}
	}
	if j == nil || j.State.Final() {
		return at
	}
	soonest(j.SlotEnds)
	if j.State != api.Running && !j.Leads() {
		soonest(s.startDeadline(j))
	}
	if j.service != nil {
		soonest(j.service.until)
		for _, r := range j.service.requests {
			soonest(r.expires)
		}
	}
	return at
}

// startDeadline returns when a node that does not lead the job fails it unless the leader has started
// it.
func (s State) startDeadline(j *Job) time.Time {
	if j.reopens() {
		return j.Heard.Add(reopenSilence)
	}
	return j.Submitted.Add(s.Limits.Wait + s.Limits.SlotTimeout)
}

// transition is one step in progress.
type transition struct {
	State
	now     time.Time
	effects []Effect

	ownsOpen bool // the map of State was copied in this step
}

// put stores a job.
func (x *transition) put(j *Job) {
	if !x.ownsOpen {
		x.open, x.ownsOpen = clone(x.open), true
	}
	if j.State.Final() {
		delete(x.open, j.ID)
		x.ended = x.ended.with(j.ID, j)
	} else {
		x.open[j.ID] = j
	}
}

// remove removes a job.
func (x *transition) remove(id string) {
	if !x.ownsOpen {
		x.open, x.ownsOpen = clone(x.open), true
	}
	delete(x.open, id)
	x.ended = x.ended.with(id, nil)
}

func clone(m map[string]*Job) map[string]*Job {
	if m == nil {
		return map[string]*Job{}
	}
	return maps.Clone(m)
}

// do appends effects on a job.
func (x *transition) do(j *Job, actions ...Action) {
	for _, a := range actions {
		x.effects = append(x.effects, Effect{j.ID, a})
	}
}

// audit returns the action that writes an event of a job to the audit log.
func (x *transition) audit(j *Job, e audit.Event, must During) Action {
	e.Time, e.Job, e.Program, e.Session = x.now, j.ID, j.Digest, j.Session
	return Audit{e, must}
}

// termsOf returns what the audit log records of a job when it is approved and when it starts. A submission's digest is all that is known
// of a job that an earlier release has stored without the rest.
func termsOf(j *Job) *audit.Terms {
	t := &audit.Terms{
		Submission: j.Sent, Protocol: j.Protocol, Ring: j.Ring, Fraction: j.Fraction, Parties: j.Parties, Computing: j.Computing,
	}
	owned := map[string][]int{}
	for i, a := range j.Arguments {
		if a.Owner != "" {
			owned[a.Owner] = append(owned[a.Owner], i)
		}
	}
	for owner, args := range owned {
		if t.Arguments == nil {
			t.Arguments = map[string]string{}
		}
		t.Arguments[owner] = policy.ArgumentList(args)
	}
	return t
}

// openIDs returns the ids of the jobs that have not ended, in order.
func (s State) openIDs() []string { return slices.Sorted(maps.Keys(s.open)) }
