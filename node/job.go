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
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// task is a job at this node. What changes is the node's to lock.
type task struct {
	api.Job
	work   *work  // nil once the job has ended; the node's to lock
	digest string // of the submission
	rank   int
	facts  policy.Submission
	fetch  []string // who, beside admins, may have results

	approved bool
	slot     *time.Timer // gives the reserved slot back; nil without one
	try      int         // of its lead, that it was reserved for
	needs    demand      // what memory the session takes by plan, once that is known
	memory   int64       // bytes that are reserved for it
	given    *given      // what has been read for the session
	stop     context.CancelCauseFunc
	seats    *seats        // of a running job: where data connections go
	service  *service      // of a running service, that has been opened
	changed  chan struct{} // closed at the next change
}

// work is what is needed of a submission to run it.
type work struct {
	sub     *api.Submission
	job     *job.Job
	program *hlo.Program
	own     []int // the arguments that this party's inputs give
	stay    []int // of these, what is resident
	public  []*tensor.Array
	ranges  map[int]job.Range // by argument, what inputs declare, whoever's they are
	inputs  []input
	kept    map[int]api.Input // by argument, what is used that earlier jobs have kept
	online  []string          // the parties that compute online
}

// read makes a task of a submission, or says what is wrong with it. Nothing of
// it is trusted.
func (n *Node) read(sub *api.Submission, by string, now time.Time) (*task, error) {
	c := n.config
	if id, err := hex.DecodeString(sub.ID); err != nil || len(id) != 16 || hex.EncodeToString(id) != sub.ID {
		return nil, fmt.Errorf("job id %.40q is not 32 hexadecimal digits", sub.ID)
	}
	t := &task{work: &work{sub: sub}, digest: sub.Digest(), rank: slices.Index(sub.Parties, c.Name), changed: make(chan struct{})}
	if t.rank < 0 {
		return nil, fmt.Errorf("%s is not among the parties of the job (%s)", c.Name, strings.Join(sub.Parties, ", "))
	}
	for _, p := range sub.Parties {
		if _, ok := c.Peers[p]; !ok && p != c.Name {
			return nil, fmt.Errorf("%s does not know party %s (its configuration has no such peer)", c.Name, p)
		}
	}
	if !n.policy.Policy().Names(by) { // who is denied anyhow is not told by other errors what lies here
		bare := *sub
		bare.Inputs = nil
		t.work.sub = &bare
	}
	name := filepath.Base(sub.Program.Name)
	var err error
	if t.work.program, err = hlo.Parse(name, sub.Program.Text); err != nil {
		return nil, err
	}
	if err := t.work.settle(c); err != nil {
		return nil, err
	}
	t.facts = policy.Submission{By: by, Program: sub.Program.Digest(), Reveals: sub.Reveals, Now: now}
	t.facts.Kept = t.work.keptNames()
	t.facts.Ranges = slices.ContainsFunc(t.work.own, func(arg int) bool { _, ok := t.work.ranges[arg]; return ok })
	if sub.Keep != "" {
		t.facts.Keep = []string{sub.Keep}
	}
	for _, rank := range sub.Reveal {
		t.facts.Learn = append(t.facts.Learn, sub.Parties[rank])
	}
	for _, in := range t.work.inputs {
		t.facts.Inputs = append(t.facts.Inputs, in.name)
	}
	t.Job = api.Job{
		ID: sub.ID, Node: c.Name, Program: name, Digest: t.facts.Program, Submitter: by, Parties: sub.Parties, Inputs: t.facts.Inputs, Submitted: now,
		Serve: sub.Serve, Keep: sub.Keep, Kept: t.facts.Kept, Resumes: sub.Resume,
	}
	for i, r := range t.work.program.Main.Results {
		if len(t.facts.Learn) == 0 {
			break
		}
		t.Reveals = append(t.Reveals, api.Learned{What: fmt.Sprintf("result %d: %v", i, r), By: t.facts.Learn})
	}
	if err := n.survey(t); err != nil {
		return nil, err
	}
	return t, nil
}

// settle matches settings, program and this party's inputs.
func (w *work) settle(c *Config) error {
	s := w.sub
	w.job = &job.Job{
		File: "job", Parties: s.Parties, Computing: s.Computing, Protocol: s.Protocol, Ring: s.Ring, Fraction: s.Fraction,
		Network: s.Network, Set: s.Set, Reveals: s.Reveals, Reveal: []string{},
	}
	learns := map[int]bool{}
	for _, rank := range s.Reveal {
		if rank < 0 || rank >= len(s.Parties) || learns[rank] {
			return fmt.Errorf("reveal: rank %d is no party's, or stands twice", rank)
		}
		learns[rank] = true
		w.job.Reveal = append(w.job.Reveal, s.Parties[rank])
	}
	if err := w.settleKept(c); err != nil {
		return err
	}
	if err := settleCheckpoints(s); err != nil {
		return err
	}
	w.ranges = map[int]job.Range{}
	for _, in := range s.Inputs {
		if err := w.declare(in.Ranges, in.Args); err != nil {
			return err
		}
		if in.Kept != "" {
			continue
		}
		if !slices.Contains(s.Parties, in.Owner) {
			return fmt.Errorf("input %q is owned by %q, who is no party of the job", in.Name, in.Owner)
		}
		if in.Owner != c.Name {
			continue
		}
		found, err := c.find(in)
		if err != nil {
			return err
		}
		if ext := filepath.Ext(found.path); ext != ".npz" && len(in.Args) != 1 {
			return fmt.Errorf("input %q holds one array: say which argument it is (arg)", found.name)
		}
		w.inputs = append(w.inputs, found)
		w.job.Inputs = append(w.job.Inputs, job.Input{Owner: in.Owner, File: found.path, Args: in.Args, Ranges: w.declared(in.Args), Resident: in.Resident})
	}
	if s.Batch < 0 || s.Batch > 0 && !s.Serve {
		return fmt.Errorf("batch: %d requests at once, of what is a service: %v", s.Batch, s.Serve)
	}
	settings, err := w.job.Settings()
	if err != nil {
		return err
	}
	if settings.Protocol == "plain" || len(settings.Parties) != len(s.Parties) {
		return fmt.Errorf("nodes compute with two or more parties, each named, in a protocol that keeps secrets; not %s among %d", settings.Protocol, settings.Computing)
	}
	if k := exec.CountReveals(w.program); k > s.Reveals {
		return fmt.Errorf("the program reveals %d tensors or more on its way, and the job allows %d (reveals)", k, s.Reveals)
	}
	w.online = settings.Online()
	if w.own, err = w.job.Own(w.program, c.Name); err != nil {
		return err
	}
	if s.Serve {
		if w.stay, err = w.resident().Own(w.program, c.Name); err != nil {
			return err
		}
	}
	params := w.program.Main.Body.Params
	w.public = make([]*tensor.Array, len(params))
	for _, p := range s.Public {
		if p.Arg < 0 || p.Arg >= len(params) || w.public[p.Arg] != nil {
			return fmt.Errorf("public argument %d is none of the program's, or stands twice", p.Arg)
		}
		r, err := npy.NewReader(bytes.NewReader(p.Array), int64(len(p.Array)))
		if err != nil {
			return fmt.Errorf("public argument %d: %w", p.Arg, err)
		}
		if !r.Type().Equal(params[p.Arg].Type) {
			return fmt.Errorf("public argument %d is %v, the program wants %v", p.Arg, r.Type(), params[p.Arg].Type)
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

// declare notes the ranges that an input of the submission declares, of some of its
// arguments.
func (w *work) declare(ranges map[int][2]float64, args []int) error {
	params := w.program.Main.Body.Params
	for _, arg := range slices.Sorted(maps.Keys(ranges)) { // so that of several errors it is always the same one
		ends := ranges[arg]
		if _, twice := w.ranges[arg]; twice || !slices.Contains(args, arg) || arg < 0 || arg >= len(params) {
			return fmt.Errorf("range of argument %d: the input does not name it, or it stands twice", arg)
		}
		r := job.Range{Lo: ends[0], Hi: ends[1]}
		if err := job.RangeFits(arg, r, params[arg].Type); err != nil {
			return err
		}
		w.ranges[arg] = r
	}
	return nil
}

// declared are those of some arguments.
func (w *work) declared(args []int) map[int]job.Range {
	out := map[int]job.Range{}
	for _, arg := range args {
		if r, ok := w.ranges[arg]; ok {
			out[arg] = r
		}
	}
	return out
}

// resident is the job with those of this party's inputs that stay.
func (w *work) resident() *job.Job {
	out := *w.job
	out.Inputs = slices.DeleteFunc(slices.Clone(w.job.Inputs), func(in job.Input) bool { return !in.Resident })
	return &out
}

// owners are the ranks that own the arguments, once all parties have said
// which their inputs give.
func (w *work) owners(given [][]int) ([]int, error) {
	owners := make([]int, len(w.program.Main.Body.Params))
	const nobody = party.Kept - 1
	for i := range owners {
		owners[i] = nobody
		if w.public[i] != nil {
			owners[i] = party.Public
		}
		if _, ok := w.kept[i]; ok {
			if owners[i] != nobody {
				return nil, fmt.Errorf("argument %d is given twice: by %s and by what is kept", i, w.giver(owners[i]))
			}
			owners[i] = party.Kept
		}
	}
	for rank, args := range given {
		for _, a := range args {
			if a < 0 || a >= len(owners) {
				return nil, fmt.Errorf("%s has an argument %d, and the program takes %d", w.sub.Parties[rank], a, len(owners))
			}
			if owners[a] != nobody {
				return nil, fmt.Errorf("argument %d is given twice: by %s and by %s", a, w.giver(owners[a]), w.sub.Parties[rank])
			}
			owners[a] = rank
		}
	}
	for a, by := range owners {
		if by == nobody {
			return nil, fmt.Errorf("argument %d is in nobody's inputs (add it to an input's file or args)", a)
		}
	}
	return owners, nil
}

func (w *work) giver(owner int) string {
	switch owner {
	case party.Public:
		return "the submitter, for all to know"
	case party.Kept:
		return "what is kept"
	}
	return w.sub.Parties[owner]
}

// leads reports whether this node says when the job starts.
func (t *task) leads() bool { return t.rank == 0 }
