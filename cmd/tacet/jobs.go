package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

type jobsCmd struct {
	clusterFlag
	Nodes []string `name:"nodes" placeholder:"NAME,…" help:"Ask only these nodes."`
	ID    string   `arg:"" optional:"" name:"ID" help:"Show all details of this job; the beginning of its id is enough."`
	JSON  bool     `name:"json" help:"Print the nodes' answers as JSON."`
}

// Help returns the text that --help appends.
func (*jobsCmd) Help() string {
	return `A node shows a job to its submitter, to the node's admins, and to those that may fetch its results. Without ID it lists at most its newest 1000 jobs, each as a summary (with --json too): arguments, inputs and what a job reveals are shown with ID.

Examples:

    tacet jobs
    tacet jobs --nodes alice
    tacet jobs 3f9a`
}

// Run lists jobs by node.
func (c *jobsCmd) Run(a app) error {
	jobs, err := c.find(a, c.ID, c.Nodes)
	if err != nil {
		return err
	}
	if c.JSON {
		return encode(a.stdout, jobs)
	}
	if c.ID != "" {
		return showJobs(a.stdout, jobs)
	}
	if len(jobs) == 0 {
		_, err := fmt.Fprintln(a.stdout, "no jobs")
		return err
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "job\tnode\tstate\tsubmitter\tprogram\tsubmitted\twhat")
	for _, j := range jobs {
		fmt.Fprintf(t, "%.8s\t%s\t%s\t%s\t%s\t%s\t%s\n", j.ID, j.Node, j.State, j.Submitter, j.Program, j.Submitted.Local().Format("2006-01-02 15:04:05"), dash(what(j)))
	}
	return t.Flush()
}

// phaseOf describes a job's progress.
func phaseOf(j api.Job) string {
	if j.Phase != api.PhaseServing {
		return j.Phase
	}
	return fmt.Sprintf("%s: %d answered, %d running, batches of at most %d", j.Phase, j.Step, j.Answering, j.Batch)
}

// what describes what a job does or why it has ended, and its newest checkpoint.
func what(j api.Job) string {
	out := cmp.Or(j.Error, phaseOf(j))
	if j.Loss != "" {
		out += fmt.Sprintf("; opened again %d times; last loss at %s: %s", j.Restarts, j.LostAt.Local().Format("2006-01-02 15:04:05"), j.Loss)
	}
	for _, more := range []struct{ what, place string }{{"checkpoint: ", j.NewestCheckpoint}, {"checkpoint failed: ", j.CheckpointError}} {
		if more.place != "" {
			out += "; " + more.what + more.place
		}
	}
	return strings.TrimPrefix(out, "; ")
}

// find lists the jobs whose ids begin with prefix, at some nodes or at all. A
// node that gives no answer is an error only if none does.
func (f clusterFlag) find(a app, prefix string, nodes []string) ([]api.Job, error) {
	c, err := f.connect()
	if err != nil {
		return nil, err
	}
	jobs, unreachable, err := c.Find(a.ctx, prefix, nodes...)
	for _, err := range unreachable {
		a.say("warning: " + oneLine(err))
	}
	return jobs, err
}

// showJobs prints the details of one job at all nodes: once if all nodes say the same, else what each says.
func showJobs(w io.Writer, jobs []api.Job) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	said := make([]string, len(jobs))
	for i, j := range jobs {
		j.Arguments = slices.Clone(j.Arguments)
		for k := range j.Arguments { // each node knows what its own party's files hold
			for _, other := range jobs {
				if j.Arguments[k].Owner == "" && k < len(other.Arguments) {
					j.Arguments[k].Owner = other.Arguments[k].Owner
				}
			}
		}
		said[i] = describe(j)
	}
	same := !slices.ContainsFunc(said, func(s string) bool { return s != said[0] })
	if same {
		fmt.Fprint(t, said[0])
	} else {
		fmt.Fprintf(t, "warning\tthe nodes describe the job differently: trust the one that is yours\n")
	}
	fmt.Fprintf(t, "session\t%s\n", dash(jobs[0].Session))
	if from := jobs[0].ResumedFrom; from != "" {
		fmt.Fprintf(t, "resumed\t%s\n", from)
	}
	for i, j := range jobs {
		inputs := make([]string, len(j.Inputs))
		for k, name := range j.Inputs {
			inputs[k] = strconv.Quote(name)
			if k < len(j.Provides) && j.Provides[k] != "" {
				inputs[k] += " as argument " + j.Provides[k]
			}
		}
		fmt.Fprintf(t, "%s\t%s, rule %s, inputs %s: %s\n", j.Node, j.State, dash(j.Rule), dash(strings.Join(inputs, ", ")), dash(what(j)))
		if !same {
			fmt.Fprint(t, said[i])
		}
	}
	return t.Flush()
}

// describe returns what a node says of a job apart from its state there: lines of a key, a tab and a text.
// What submitters name is quoted.
func describe(j api.Job) string {
	var b strings.Builder
	line := func(key, format string, args ...any) { fmt.Fprintf(&b, key+"\t"+format+"\n", args...) }
	line("job", "%s", j.ID)
	line("program", "%q", j.Program)
	line("digest", "%s", j.Digest)
	line("submitter", "%s", j.Submitter)
	line("parties", "%s", strings.Join(j.Parties, ", "))
	if j.Protocol != "" {
		online := strings.Join(j.Parties[:max(0, min(j.Computing, len(j.Parties)))], ", ")
		line("protocol", "%s among %s, ring %d, fraction %d", j.Protocol, online, j.Ring, j.Fraction)
	}
	if j.Task != "" {
		line("task", "%s (the node has built the program from it)", j.Task)
	}
	if j.Offline {
		line("offline", "makes correlated randomness for a later run and reads no input")
	}
	if j.Serve {
		line("service", "answers requests with inputs that are not resident; each reveals:")
	}
	if j.Restart != "" {
		line("restart", "%s: the nodes open it again whenever its session is lost; each opening counts as a run", j.Restart)
	}
	for _, name := range slices.Sorted(maps.Keys(j.Programs)) {
		line("further program", "%q, digest %s: a request may ask for it", name, j.Programs[name])
	}
	for _, arg := range slices.Sorted(maps.Keys(j.Replaced)) {
		line("state", "result %d of each request is argument %d of the next one, as shares that no party learns", j.Replaced[arg], arg)
	}
	if j.Keep != "" {
		line("keeps", "results, as shares, under the name %q", j.Keep)
	}
	if len(j.Kept) > 0 {
		line("uses", "kept results %q", j.Kept)
	}
	if j.Resumes != "" {
		line("resumes", "job %s, from the newest checkpoint of all nodes", j.Resumes)
	}
	for i := 0; i < len(j.Arguments); {
		n := 1
		if len(j.Arguments) > manyArguments {
			n = sameOwner(j.Arguments[i:])
		}
		if a := j.Arguments[i]; n == 1 {
			line("argument", "%d: %s, %s", i, a.Type, ownership(a.Owner))
		} else {
			line("arguments", "%d to %d: %s to %s, %s", i, i+n-1, a.Type, j.Arguments[i+n-1].Type, ownership(a.Owner))
		}
		i += n
	}
	for _, r := range j.Reveals {
		what := r.What
		if r.Name != "" {
			what = r.Name + ", " + what
		}
		line("reveals", "%s to %s", what, strings.Join(r.By, ", "))
	}
	return b.String()
}

// manyArguments is the number of arguments above which neighbours with one owner stand on one line.
const manyArguments = 16

// sameOwner returns how many arguments at the beginning of the list have one owner.
func sameOwner(list []api.Argument) int {
	n := slices.IndexFunc(list, func(a api.Argument) bool { return a.Owner != list[0].Owner })
	if n < 0 {
		return len(list)
	}
	return n
}

// ownership says whose an argument is.
func ownership(owner string) string {
	switch owner {
	case "":
		return "not assigned yet (the content of another party's file says whose it is)"
	case policy.Public:
		return "PUBLIC: its value is the submitter's choice"
	case policy.Kept:
		return "a kept result"
	case policy.Joined:
		return "made by the hidden join, as shares"
	}
	return owner + "'s"
}

type approveCmd struct {
	clusterFlag
	Node   string `required:"" placeholder:"NAME" help:"The node at which to approve; this certificate's name must be an admin in its policy."`
	Reason string `placeholder:"TEXT" help:"Why, for the node's audit log."`
	ID     string `arg:"" name:"ID" help:"The job's id, or the beginning of it."`
}

// Help returns the text that --help appends.
func (*approveCmd) Help() string {
	return `Approves a job at one node whose policy requires it. Before, tacet review ID writes the program, its public inputs and a job file that tacet plan reads, and shows what the job would reveal, and to which parties.

Examples:

    tacet review 3f9a --node bob --out review
    tacet approve 3f9a --node bob`
}

// Run approves.
func (c *approveCmd) Run(a app) error {
	jobs, err := c.find(a, c.ID, []string{c.Node})
	if err != nil {
		return err
	}
	nodes, err := c.connect()
	if err != nil {
		return err
	}
	j, err := nodes.ApproveFor(a.ctx, jobs[0].ID, c.Node, c.Reason)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "job %s is %s at %s\n", j.ID, j.State, j.Node)
	return err
}

type denyCmd struct {
	clusterFlag
	Node   string `required:"" placeholder:"NAME" help:"The node at which to deny; this certificate's name must be an admin in its policy."`
	Reason string `placeholder:"TEXT" help:"Why, for the node's audit log; the submitter and the other parties see it too."`
	ID     string `arg:"" name:"ID" help:"The job's id, or the beginning of it."`
}

// Help returns the text that --help appends.
func (*denyCmd) Help() string {
	return `Denies a job that waits for an approval. The job ends at all nodes, as when the policy denies it.

Examples:

    tacet deny 3f9a --node bob --reason "no consent for this study"`
}

// Run denies.
func (c *denyCmd) Run(a app) error {
	jobs, err := c.find(a, c.ID, []string{c.Node})
	if err != nil {
		return err
	}
	nodes, err := c.connect()
	if err != nil {
		return err
	}
	j, err := nodes.Deny(a.ctx, jobs[0].ID, c.Node, c.Reason)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "job %s is %s at %s\n", j.ID, j.State, j.Node)
	return err
}

type cancelCmd struct {
	clusterFlag
	ID string `arg:"" name:"ID" help:"The job's id, or the beginning of it."`
}

// Help returns the text that --help appends.
func (*cancelCmd) Help() string {
	return `Cancels a job at all nodes that show it. If its session has begun, the session's correlated randomness is used up.

Examples:

    tacet cancel 3f9a`
}

// Run cancels.
func (c *cancelCmd) Run(a app) error {
	jobs, err := c.find(a, c.ID, nil)
	if err != nil {
		return err
	}
	var nodes []string
	for _, j := range jobs {
		if !j.State.Final() {
			nodes = append(nodes, j.Node)
		}
	}
	if len(nodes) == 0 {
		return fmt.Errorf("job %s has already ended: it is %s", jobs[0].ID, jobs[0].State)
	}
	at, err := c.connect()
	if err != nil {
		return err
	}
	if err := at.Cancel(a.ctx, jobs[0].ID, nodes...); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "job %s is cancelled at %s\n", jobs[0].ID, strings.Join(nodes, ", "))
	return err
}

type fetchCmd struct {
	clusterFlag
	ID     string `arg:"" name:"ID" help:"The job's id, or the beginning of it."`
	Node   string `placeholder:"NAME" help:"The node to fetch from (default: the first that has results for this certificate)."`
	Out    string `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, … instead of printing their first values."`
	Report string `placeholder:"FILE.json" help:"Write the report to this file."`
	Job    string `name:"job" placeholder:"JOB.yaml" help:"The job file of a task that was submitted: print its answer, and write it to the job's outputs: {dir: DIR} or --out, as tacet submit does."`
}

// Help returns the text that --help appends.
func (*fetchCmd) Help() string {
	return `Results are fetched from a party that has learned them. Its policy lists the names that may fetch (admins, fetch).

Examples:

    tacet fetch 3f9a
    tacet fetch 3f9a --node alice --out results
    tacet fetch 3f9a --job fit.yaml --out results`
}

// Run fetches.
func (c *fetchCmd) Run(a app) error {
	if err := checkFolders(c.Report); err != nil {
		return err
	}
	var nodes []string
	if c.Node != "" {
		nodes = []string{c.Node}
	}
	jobs, err := c.find(a, c.ID, nodes)
	if err != nil {
		return err
	}
	at, err := c.connect()
	if err != nil {
		return err
	}
	var last error
	for _, j := range jobs {
		if c.Node == "" && (j.State == api.Done && j.Results == 0) {
			continue
		}
		results, report, err := at.Fetch(a.ctx, j.ID, j.Node)
		if err != nil {
			last = err
			continue
		}
		if c.Report != "" {
			if err := profile.Write(c.Report, report); err != nil {
				return err
			}
		}
		if c.Job != "" {
			return c.answer(a, j, results, report)
		}
		if c.Out != "" && len(results) > 0 {
			if err := job.WriteResults(c.Out, results); err != nil {
				return err
			}
		}
		return printResults(a.stdout, c.Out, results)
	}
	if last == nil {
		last = fmt.Errorf("no results of job %s at the nodes that were asked", c.ID)
	}
	return last
}

// answer delivers the answer of a job's task.
func (c *fetchCmd) answer(a app, j api.Job, results []*tensor.Array, report *profile.Report) error {
	submitted, err := job.Load(c.Job)
	if err != nil {
		return badUsage{err}
	}
	if submitted.Task == nil {
		return badUsage{fmt.Errorf("%s has no task: fetch results without --job", c.Job)}
	}
	if c.Out != "" {
		submitted.Dir = c.Out
	}
	digest := func(p *hlo.Program) string { return fmt.Sprintf("sha256:%x", p.Digest()) }
	submitted.RanAtNodes(a.ctx, func(p *hlo.Program) bool { return digest(p) == j.Digest })
	_, spec, err := submitted.NodeTask(a.ctx)
	if err != nil {
		return badUsage{err}
	}
	if digest(spec.Program) != j.Digest {
		return badUsage{fmt.Errorf("job %s ran another program than the task of %s has (name the job file that was submitted, with the release that submitted it)", j.ID, c.Job)}
	}
	submit := submitCmd{}
	return submit.deliverAnswer(a, submitted, results, report)
}

// encode prints a value as JSON.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
