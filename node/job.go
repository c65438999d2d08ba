package node

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// task is what the node holds of a job beside its state (jobstate.Job): what never changes, and what
// belongs to its files, its timer and its session.
type task struct {
	ID, Submitter   string
	Program, Digest string // file name and SHA-256 of the program
	Resumes         string // id of the job that this one resumes
	Parties         []string
	rank            int
	digest          string // SHA-256 of the submission, hexadecimal
	submitted       time.Time

	// Node.mu guards the fields below.
	facts       policy.Submission
	denied      *policy.Decision // of a submission that was denied before this party's files were looked at
	resolved    *resolvedJob     // nil once the job has ended
	inputValues *inputValues     // input values read for the session; nil before and after
	misfit      bool             // its inputs were not as it declares, and that was counted as a run
	timer       *time.Timer      // gives the state machine a Tick; nil if none is due
	session     string           // id of the session, once it runs
	stop        context.CancelCauseFunc
	stopPlan    context.CancelCauseFunc // ends the plan; nil unless the job is being planned
	conns       *sessionConns           // while the session runs: accepts its data connections
	requests    map[string]*request     // of a service: queued and running requests by id
	serving     *party.Service          // of a service, while its session runs
	changed     chan struct{}           // closed and replaced at each change of the job that others wait for
}

// newTask returns the task of a job.
func newTask(j *jobstate.Job) *task {
	return &task{
		ID: j.ID, Submitter: j.Submitter, Program: j.Program, Digest: j.Digest, Resumes: j.Resumes, Parties: j.Parties,
		rank: j.Rank, digest: j.Sent, submitted: j.Submitted, requests: map[string]*request{}, changed: make(chan struct{}),
	}
}

// job returns the present state of a job.
func (n *Node) job(t *task) *jobstate.Job {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.jobs.Job(t.ID)
}

// resolvedJob is a submission with its settings, program and this party's inputs resolved: everything
// that a session needs except the owners of the arguments.
type resolvedJob struct {
	sub          *api.Submission
	job          *job.Job
	program      *hlo.Program
	further      []party.NamedProgram // a service's further programs
	own          []int                // arguments that this party's inputs provide
	residentArgs []int                // those of own that are resident in a service
	public       []*tensor.Array
	ranges       map[int]job.Range // declared ranges by argument, of all owners
	inputs       []input
	asked        []string          // the names of inputs as the submission gives them
	kept         map[int]api.Input // by argument, inputs that are results kept by earlier jobs
	online       []string          // names of the computing parties
	task         *job.Task         // nil without a task
	fit          *job.Fit          // of a task's program; nil without a task, and unless the policy allows the job
	settings     party.Spec        // protocol, ring, fraction and number of computing parties
}

// read resolves a submission from the submitter by into a job without a state and its task. The
// submission is untrusted: each error says what is invalid in it, or which limit of plans it exceeds. The
// policy judges it first, by what the submission says: unless it was admitted before, a denied one gets no
// answer that depends on this party's files or kept results. Reading ends with ctx.
func (n *Node) read(ctx context.Context, sub *api.Submission, by string, now time.Time, admitted bool) (*jobstate.Job, *task, error) {
	c := n.config
	if id, err := hex.DecodeString(sub.ID); err != nil || len(id) != 16 || hex.EncodeToString(id) != sub.ID {
		return nil, nil, fmt.Errorf("job id %.40q is not 32 hexadecimal digits", sub.ID)
	}
	if err := sub.CheckTexts(); err != nil {
		return nil, nil, err
	}
	rank := slices.Index(sub.Parties, c.Name)
	if rank < 0 {
		return nil, nil, fmt.Errorf("%s is not among the parties of the job (%s)", c.Name, strings.Join(sub.Parties, ", "))
	}
	for i, p := range sub.Parties {
		if slices.Contains(sub.Parties[:i], p) {
			return nil, nil, fmt.Errorf("parties: %s is named twice, as ranks %d and %d", p, slices.Index(sub.Parties, p), i)
		}
		if _, ok := c.Peers[p]; !ok && p != c.Name {
			return nil, nil, fmt.Errorf("%s has no peer %s (add it to peers in its node.yaml)", c.Name, p)
		}
	}
	w := &resolvedJob{sub: sub}
	name := filepath.Base(sub.Program.Name)
	var err error
	if sub.Task != nil {
		if err := w.checkTask(); err != nil {
			return nil, nil, err
		}
	}
	if w.program, err = hlo.ParseContext(ctx, name, sub.Program.Text); err != nil {
		return nil, nil, err
	}
	if k := len(w.program.Main.Body.Params); k > api.MaxArguments {
		return nil, nil, fmt.Errorf("the program has %d arguments; at most %d are allowed (stack arrays of one shape)", k, api.MaxArguments)
	}
	for _, name := range slices.Sorted(maps.Keys(sub.Programs)) {
		p := sub.Programs[name]
		q := party.NamedProgram{Name: name}
		if q.Program, err = hlo.ParseContext(ctx, filepath.Base(p.Name), p.Text); err != nil {
			return nil, nil, err
		}
		w.further = append(w.further, q)
	}
	if err := w.resolve(); err != nil {
		return nil, nil, err
	}
	facts := w.facts(c, by, now)
	var denied *policy.Decision
	shown := facts.Inputs
	if d := n.policy.Judge(facts); d.Verdict == policy.Denied && !admitted {
		denied = &d
		shown = facts.Asked // the names of facts.Inputs tell which files exist
	} else {
		if w.task != nil {
			if err := w.buildTask(); err != nil {
				return nil, nil, err
			}
		}
		if err := w.resolveOwn(c); err != nil {
			return nil, nil, err
		}
		if sub.Keep != "" {
			if err := c.mayKeep(sub.Keep, by); err != nil {
				return nil, nil, err
			}
		}
		facts.Owners = w.knownOwners(c.Name)
		facts.Ranges = facts.Ranges || slices.ContainsFunc(w.own, func(arg int) bool { _, ok := w.ranges[arg]; return ok })
	}
	j := &jobstate.Job{Sent: sub.Digest(), Rank: rank, MaxBatch: sub.Batch, Args: w.own, Stay: w.residentArgs, Held: held(sub)}
	j.Deals = n.dealer != nil && w.settings.Descriptor().Supply == protocol.OutsideDealer
	j.Job = api.Job{
		ID: sub.ID, Node: c.Name, Program: name, Digest: facts.Program, Submitter: by, Parties: sub.Parties, Inputs: shown, Submitted: now,
		Serve: sub.Serve, Restart: sub.Restart, Replaced: sub.State, Programs: sub.ProgramDigests(),
		Keep: sub.Keep, Kept: facts.Kept, Resumes: sub.Resume, Offline: sub.Offline,
		Protocol: w.settings.Protocol, Ring: w.settings.Ring, Fraction: w.settings.Fraction, Computing: w.settings.Computing,
	}
	for _, args := range facts.Provides {
		j.Provides = append(j.Provides, policy.ArgumentList(args))
	}
	for i, v := range w.program.Main.Body.Params {
		j.Arguments = append(j.Arguments, api.Argument{Type: v.Type.String(), Owner: facts.Owners[i]})
	}
	t := newTask(j)
	t.resolved, t.facts, t.denied = w, facts, denied
	if w.task != nil {
		j.Task = sub.Task.String()
	}
	for _, p := range w.programs() {
		for i, r := range w.revealed(p.Program) {
			if len(facts.Learn) == 0 {
				break
			}
			learned := api.Learned{What: fmt.Sprintf("%sresult %d: %v", api.ResultOf(p.Name), i, r), By: facts.Learn}
			if w.fit != nil {
				learned.Name = w.fit.Work.Results()[i]
			}
			j.Reveals = append(j.Reveals, learned)
		}
	}
	if w.task != nil && sub.Task.Join != nil {
		j.Reveals = append(j.Reveals, joinReveals(sub.Task.Join, sub.Parties)...)
	}
	if denied == nil {
		reveals, err := n.inspect(ctx, t)
		if err != nil {
			return nil, nil, n.refusedPlan(err)
		}
		j.Reveals = append(j.Reveals, reveals...)
	}
	if admitted {
		return j, t, nil
	}
	return j, t, j.CheckSize()
}

// joinReveals returns what parties learn from a task's join.
func joinReveals(c *api.Join, parties []string) []api.Learned {
	const own = "which of their own rows match"
	switch {
	case c.Method == job.PSI:
		return []api.Learned{{What: "join: the rows of both tables that match", By: parties, Name: own}}
	case c.Method != job.Stacked || len(c.On) == 0:
		return nil
	}
	var out []api.Learned
	for _, name := range parties {
		for _, beside := range c.Beside {
			if name != beside {
				out = append(out, api.Learned{
					What: fmt.Sprintf("join: the rows of %s and %s that match", name, beside), By: []string{name, beside}, Name: own,
				})
			}
		}
	}
	return out
}

// methodsOf returns the methods of joins that a policy must allow for a task's join. Keys of stacked tables are matched as by method psi.
func methodsOf(c *api.Join) []string {
	if c.Method == job.Stacked && len(c.On) > 0 {
		return []string{job.Stacked, job.PSI}
	}
	return []string{c.Method}
}

// facts returns what the policy judges of a submission, as far as it is known without the content of files.
func (w *resolvedJob) facts(c *Config, by string, now time.Time) policy.Submission {
	sub := w.sub
	f := policy.Submission{
		By: by, Program: sub.Program.Digest(), Protocol: w.settings.Protocol, Parties: sub.Parties, Computing: w.settings.Computing,
		Ring: w.settings.Ring, Fraction: w.settings.Fraction, Set: sub.Set,
		Owners: w.knownOwners(c.Name), State: sub.State, Offline: sub.Offline, Reveals: sub.Reveals, Kept: w.keptNames(), Now: now,
	}
	f.Inputs, f.Asked = c.inputNames(sub.Inputs)
	for _, in := range sub.Inputs {
		if in.Owner == c.Name && in.Kept == "" {
			f.Provides = append(f.Provides, in.Args)
		}
	}
	if w.task != nil {
		f.Task, f.Exactly, f.Columns, f.Keys = sub.Task.Fit, sub.Task.Digest(), w.columns(c), w.keys(c)
		if sub.Task.Join != nil {
			f.Joins = methodsOf(sub.Task.Join)
		}
	}
	f.Ranges = slices.ContainsFunc(sub.Inputs, func(in api.Input) bool { return in.Owner == c.Name && len(in.Ranges) > 0 })
	if sub.Keep != "" {
		f.Keep = []string{sub.Keep}
	}
	for _, rank := range sub.Reveal {
		f.Learn = append(f.Learn, sub.Parties[rank])
	}
	for _, rank := range exec.Told(w.program) { // other programs reveal nothing while they run
		if rank < len(sub.Parties) {
			f.Told = append(f.Told, sub.Parties[rank])
		}
	}
	for _, p := range w.programs() {
		if p.Name != "" {
			f.Programs = append(f.Programs, sub.Programs[p.Name].Digest())
		}
		for _, r := range w.revealed(p.Program) {
			if len(f.Learn) > 0 {
				f.Outputs = append(f.Outputs, r.String())
			}
		}
	}
	return f
}

// programs returns all programs, the first one without a name.
func (w *resolvedJob) programs() []party.NamedProgram {
	return append([]party.NamedProgram{{Program: w.program}}, w.further...)
}

// programOf returns the program of a service of that name, "" for the first one; nil if there is none.
func (w *resolvedJob) programOf(name string) *hlo.Program {
	for _, p := range w.programs() {
		if p.Name == name {
			return p.Program
		}
	}
	return nil
}

// revealed returns the types of a program's results that are revealed: all but the last ones, which are a service's state.
func (w *resolvedJob) revealed(p *hlo.Program) []tensor.Type {
	all := p.Main.Results
	return all[:max(0, len(all)-len(w.sub.State))]
}

// resolve checks the submission and fills in w as far as the submission itself says: job settings, ranges, the
// arguments of kept results, and public arrays.
func (w *resolvedJob) resolve() error {
	s := w.sub
	w.job = &job.Job{
		File: "job", Parties: s.Parties, Computing: s.Computing, Protocol: s.Protocol, Ring: s.Ring, Fraction: s.Fraction,
		Network: s.Network, Set: s.Set, Reveals: s.Reveals, Reveal: []string{}, State: s.State,
	}
	learns := map[int]bool{}
	for _, rank := range s.Reveal {
		if rank < 0 || rank >= len(s.Parties) || learns[rank] {
			return fmt.Errorf("reveal: rank %d is out of range or listed twice", rank)
		}
		learns[rank] = true
		w.job.Reveal = append(w.job.Reveal, s.Parties[rank])
	}
	if err := w.nameKept(); err != nil {
		return err
	}
	if err := checkCheckpoints(s); err != nil {
		return err
	}
	w.ranges = map[int]job.Range{}
	for _, in := range s.Inputs {
		for i, arg := range in.Args {
			if arg < 0 || arg >= len(w.program.Main.Body.Params) || slices.Contains(in.Args[:i], arg) {
				return fmt.Errorf("an input of %.40q names argument %d, which is out of range or named twice", in.Owner, arg)
			}
		}
		if err := w.declare(in.Ranges, in.Args); err != nil {
			return err
		}
		if in.Kept != "" {
			continue
		}
		if !slices.Contains(s.Parties, in.Owner) {
			return fmt.Errorf("input %q: owner %q is not a party of the job", in.Name, in.Owner)
		}
	}
	if s.Batch < 0 || s.Batch > 0 && !s.Serve {
		return fmt.Errorf("batch: %d requests, service: %v; batch needs a service and a number above 0", s.Batch, s.Serve)
	}
	if len(s.State) > 0 && !s.Serve {
		return fmt.Errorf("state: results replace arguments between the requests of a service (use tacet serve, or tacet run for one request)")
	}
	if len(s.Programs) > 0 && !s.Serve {
		return fmt.Errorf("programs: each request of a service names its program (use tacet serve; a job has program alone)")
	}
	for _, p := range w.further {
		if exec.CountReveals(p.Program) > 0 {
			return fmt.Errorf("program %s reveals intermediate tensors (@tacet.reveal, @tacet.reveal_to), which only a service's first program may", p.Name)
		}
	}
	if s.Restart != "" && (s.Restart != api.RestartAlways || !s.Serve) {
		return fmt.Errorf("restart: %.40q, service: %v; restart needs a service and the word %s", s.Restart, s.Serve, api.RestartAlways)
	}
	settings, err := w.job.Settings()
	if err != nil {
		return err
	}
	if settings.Descriptor().Clear || len(settings.Parties) != len(s.Parties) {
		return fmt.Errorf(
			"nodes need two or more named parties and a protocol with secrecy; the job asks for %s with %d parties",
			settings.Protocol,
			settings.Computing,
		)
	}
	if b := settings.Descriptor().Between; s.Offline && b != nil && b.Keep == nil {
		return fmt.Errorf("protocol %s takes nothing from a store, so no session can be made ahead of time (submit the job itself)", settings.Protocol)
	}
	if k := exec.CountReveals(w.program); k > s.Reveals {
		return fmt.Errorf("the program reveals at least %d intermediate tensors, and the job allows %d (reveals)", k, s.Reveals)
	}
	w.online, w.settings = settings.Online(), settings
	params := w.program.Main.Body.Params
	w.public = make([]*tensor.Array, len(params))
	for _, p := range s.Public {
		if p.Arg < 0 || p.Arg >= len(params) || w.public[p.Arg] != nil {
			return fmt.Errorf("public argument %d is out of range or given twice", p.Arg)
		}
		r, err := npy.NewReader(bytes.NewReader(p.Array), int64(len(p.Array)))
		if err != nil {
			return fmt.Errorf("public argument %d: %w", p.Arg, err)
		}
		if !r.Type().Equal(params[p.Arg].Type) {
			return fmt.Errorf("public argument %d has type %v, but the program expects %v", p.Arg, r.Type(), params[p.Arg].Type)
		}
		if w.public[p.Arg], err = r.Array(); err != nil {
			return fmt.Errorf("public argument %d: %w", p.Arg, err)
		}
		if p.Range == nil {
			continue
		}
		if err := w.declare(map[int][2]float64{p.Arg: *p.Range}, []int{p.Arg}); err != nil {
			return err
		}
		if err := job.CheckRange(p.Arg, w.public[p.Arg], w.ranges[p.Arg]); err != nil {
			return fmt.Errorf("public argument %d, %w", p.Arg, err)
		}
	}
	return nil
}

// resolveOwn completes w by this party's files and kept results.
func (w *resolvedJob) resolveOwn(c *Config) error {
	if err := w.checkKept(c); err != nil {
		return err
	}
	for _, in := range w.sub.Inputs {
		if in.Owner != c.Name || in.Kept != "" {
			continue
		}
		found, err := c.findInput(in)
		if err != nil {
			return err
		}
		if w.fit != nil && found.table == nil {
			return fmt.Errorf("input %q of %s is not a table of its catalogue, as tasks need", in.Name, c.Name)
		}
		if w.fit == nil && !job.NamesArrays(found.path) && len(in.Args) != 1 {
			return fmt.Errorf("input %q holds one array: name its argument (arg: N)", found.name)
		}
		w.inputs, w.asked = append(w.inputs, found), append(w.asked, in.Name)
		w.job.Inputs = append(
			w.job.Inputs,
			job.Input{
				Owner: in.Owner, File: found.path, Table: found.table, Fit: w.fit, Args: in.Args, Ranges: w.declared(in.Args), Resident: in.Resident,
			},
		)
	}
	var err error
	if w.own, err = w.job.Own(w.program, c.Name); err != nil {
		return err
	}
	if w.sub.Serve {
		w.residentArgs, err = w.resident().Own(w.program, c.Name)
	}
	return err
}

// declare adds the ranges that one input of the submission declares to w.ranges. args are the
// arguments that the input provides.
func (w *resolvedJob) declare(ranges map[int][2]float64, args []int) error {
	params := w.program.Main.Body.Params
	for _, arg := range slices.Sorted(maps.Keys(ranges)) { // sorted, so that the same one of several errors is reported each time
		ends := ranges[arg]
		if _, twice := w.ranges[arg]; twice || !slices.Contains(args, arg) || arg < 0 || arg >= len(params) {
			return fmt.Errorf("range of argument %d: the input does not provide this argument, or its range is declared twice", arg)
		}
		r := job.Range{Lo: ends[0], Hi: ends[1]}
		if err := job.RangeFits(arg, r, params[arg].Type); err != nil {
			return err
		}
		w.ranges[arg] = r
	}
	return nil
}

// declared returns the declared ranges of some arguments.
func (w *resolvedJob) declared(args []int) map[int]job.Range {
	out := map[int]job.Range{}
	for _, arg := range args {
		if r, ok := w.ranges[arg]; ok {
			out[arg] = r
		}
	}
	return out
}

// resident returns a copy of the job with only this party's resident inputs.
func (w *resolvedJob) resident() *job.Job {
	out := *w.job
	out.Inputs = slices.DeleteFunc(slices.Clone(w.job.Inputs), func(in job.Input) bool { return !in.Resident })
	return &out
}

// owners returns the owner of each argument: a rank, party.Public or party.Kept. given lists, by rank,
// the arguments that each party's inputs provide. An argument without an owner or with two is an
// error.
func (w *resolvedJob) owners(given [][]int) ([]int, error) {
	owners := make([]int, len(w.program.Main.Body.Params))
	const unowned = party.Kept - 1
	for i := range owners {
		owners[i] = unowned
		if w.public[i] != nil {
			owners[i] = party.Public
		}
		if _, ok := w.kept[i]; ok {
			if owners[i] != unowned {
				return nil, fmt.Errorf("argument %d is given twice: by %s and by a kept result", i, w.giver(owners[i]))
			}
			owners[i] = party.Kept
		}
		if w.joined(i) {
			owners[i] = party.Kept
		}
	}
	for rank, args := range given {
		for _, a := range args {
			if a < 0 || a >= len(owners) {
				return nil, fmt.Errorf("%s provides argument %d, but the program has %d arguments", w.sub.Parties[rank], a, len(owners))
			}
			if owners[a] != unowned {
				return nil, fmt.Errorf("argument %d is given twice: by %s and by %s", a, w.giver(owners[a]), w.sub.Parties[rank])
			}
			owners[a] = rank
		}
	}
	for a, by := range owners {
		if by == unowned {
			return nil, fmt.Errorf("argument %d is in no input (add it to an input's file or args)", a)
		}
	}
	return owners, nil
}

// knownOwners returns, by argument, the owner that the submission and this party's own inputs (its name
// is here) assign: a party's name, policy.Public, policy.Kept, or "" if only the content of another
// party's files does.
func (w *resolvedJob) knownOwners(here string) []string {
	owners := make([]string, len(w.program.Main.Body.Params))
	for _, in := range w.sub.Inputs {
		for _, arg := range in.Args {
			if in.Kept == "" && arg >= 0 && arg < len(owners) {
				owners[arg] = in.Owner
			}
		}
	}
	for _, arg := range w.own {
		owners[arg] = here
	}
	for arg := range owners {
		if w.public[arg] != nil {
			owners[arg] = policy.Public
		}
		if _, ok := w.kept[arg]; ok {
			owners[arg] = policy.Kept
		}
		if w.joined(arg) {
			owners[arg] = policy.Joined
		}
	}
	return owners
}

// joined reports whether the job's hidden join makes an argument.
func (w *resolvedJob) joined(arg int) bool { return w.fit != nil && w.fit.Joined(arg) }

// ownerName returns the name of an argument's owner as policies have it.
func (w *resolvedJob) ownerName(arg, owner int) string {
	switch {
	case owner == party.Public:
		return policy.Public
	case owner == party.Kept && w.joined(arg):
		return policy.Joined
	case owner == party.Kept:
		return policy.Kept
	}
	return w.sub.Parties[owner]
}

func (w *resolvedJob) giver(owner int) string {
	switch owner {
	case party.Public:
		return "the submitter, as a public input"
	case party.Kept:
		return "a kept result"
	}
	return w.sub.Parties[owner]
}
