package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
)

type jobsCmd struct {
	clusterFlag
	Nodes []string `name:"nodes" placeholder:"NAME,…" help:"Ask these nodes alone."`
	ID    string   `arg:"" optional:"" name:"ID" help:"Of this job alone, or of those whose ids begin so, and all that is known of it."`
	JSON  bool     `name:"json" help:"Print what the nodes say as JSON."`
}

// Help is what --help adds.
func (*jobsCmd) Help() string {
	return `A node tells of jobs to who has submitted them, to its admins, and to who may fetch their results.

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

// phaseOf is how far a job is.
func phaseOf(j api.Job) string {
	if j.Phase != api.Serves {
		return j.Phase
	}
	return fmt.Sprintf("%s: %d answered, %d under way, %d at once at most", j.Phase, j.Step, j.Now, j.Batch)
}

// what is what a job does, or why it has ended, and what was set aside of it.
func what(j api.Job) string {
	out := cmp.Or(j.Error, phaseOf(j))
	for _, more := range []struct{ what, place string }{{"set aside: ", j.Aside}, {"not set aside: ", j.NotAside}} {
		if more.place != "" {
			out += "; " + more.what + more.place
		}
	}
	return strings.TrimPrefix(out, "; ")
}

// find are the jobs whose ids begin with prefix, at some nodes or at all. A
// node that gives no answer is an error only if none does.
func (f clusterFlag) find(a app, prefix string, nodes []string) ([]api.Job, error) {
	clients, err := f.clients(nodes...)
	if err != nil {
		return nil, err
	}
	jobs := []api.Job{}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(clients)) {
		at, err := clients[name].Jobs(a.ctx)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, j := range at {
			if strings.HasPrefix(j.ID, prefix) {
				jobs = append(jobs, j)
			}
		}
	}
	if len(errs) == len(clients) {
		return nil, errors.Join(errs...)
	}
	for _, err := range errs {
		fmt.Fprintf(a.stderr, "tacet: warning: %v\n", err)
	}
	slices.SortStableFunc(jobs, func(a, b api.Job) int {
		return cmp.Or(b.Submitted.Truncate(time.Second).Compare(a.Submitted.Truncate(time.Second)), cmp.Compare(a.ID, b.ID), cmp.Compare(a.Node, b.Node))
	})
	if prefix != "" {
		return jobs, one(jobs, prefix)
	}
	return jobs, nil
}

// one refuses ids that fit no job or several.
func one(jobs []api.Job, prefix string) error {
	if len(jobs) == 0 {
		return fmt.Errorf("no node that was asked tells of a job %s", prefix)
	}
	for _, j := range jobs {
		if j.ID != jobs[0].ID {
			return fmt.Errorf("%s is the beginning of several jobs' ids: %s, %s", prefix, jobs[0].ID, j.ID)
		}
	}
	return nil
}

// showJobs prints all that nodes say of one job.
func showJobs(w io.Writer, jobs []api.Job) error {
	j := jobs[0]
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range [][2]string{
		{"job", j.ID}, {"program", j.Program}, {"digest", j.Digest}, {"submitter", j.Submitter}, {"parties", strings.Join(j.Parties, ", ")}, {"session", dash(j.Session)},
	} {
		fmt.Fprintf(t, "%s\t%s\n", f[0], f[1])
	}
	if j.Serve {
		fmt.Fprintf(t, "service\tanswers requests with what is not resident, each revealing:\n")
	}
	if j.Keep != "" {
		fmt.Fprintf(t, "keeps\tresults, as shares, by the name %s\n", j.Keep)
	}
	if len(j.Kept) > 0 {
		fmt.Fprintf(t, "uses\twhat is kept as %s\n", strings.Join(j.Kept, ", "))
	}
	if j.Resumes != "" {
		fmt.Fprintf(t, "goes on\tfrom job %s, %s\n", j.Resumes, cmp.Or(j.From, "where the parties agree to"))
	}
	for _, r := range j.Reveals {
		fmt.Fprintf(t, "reveals\t%s to %s\n", r.What, strings.Join(r.By, ", "))
	}
	for _, j := range jobs {
		fmt.Fprintf(t, "%s\t%s, rule %s, inputs %s: %s\n", j.Node, j.State, dash(j.Rule), dash(strings.Join(j.Inputs, ", ")), dash(what(j)))
	}
	return t.Flush()
}

type approveCmd struct {
	clusterFlag
	Node string `required:"" placeholder:"NAME" help:"The node at which to approve: this certificate's name must be among its policy's admins."`
	ID   string `arg:"" name:"ID" help:"The job, or the beginning of its id."`
}

// Help is what --help adds.
func (*approveCmd) Help() string {
	return `Lets a job run at one node that its policy holds back. tacet jobs ID says first what the job would reveal, and to whom.

Examples:

    tacet jobs 3f9a
    tacet approve 3f9a --node bob`
}

// Run approves.
func (c *approveCmd) Run(a app) error {
	jobs, err := c.find(a, c.ID, []string{c.Node})
	if err != nil {
		return err
	}
	clients, err := c.clients(c.Node)
	if err != nil {
		return err
	}
	j, err := clients[c.Node].Approve(a.ctx, jobs[0].ID)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "job %s is %s at %s\n", j.ID, j.State, j.Node)
	return err
}

type cancelCmd struct {
	clusterFlag
	ID string `arg:"" name:"ID" help:"The job, or the beginning of its id."`
}

// Help is what --help adds.
func (*cancelCmd) Help() string {
	return `Ends a job at all nodes that tell of it. Its session of correlated randomness, if one has begun, is spent.

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
		return fmt.Errorf("job %s has ended already: it is %s", jobs[0].ID, jobs[0].State)
	}
	clients, err := c.clients(nodes...)
	if err != nil {
		return err
	}
	if err := cluster.Cancel(a.ctx, clients, nodes, jobs[0].ID); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "job %s is cancelled at %s\n", jobs[0].ID, strings.Join(nodes, ", "))
	return err
}

type fetchCmd struct {
	clusterFlag
	ID     string `arg:"" name:"ID" help:"The job, or the beginning of its id."`
	Node   string `placeholder:"NAME" help:"The node to fetch from (default: the first that has results for this certificate)."`
	Out    string `placeholder:"DIR" help:"Write results to DIR/out0.npy, DIR/out1.npy, … instead of printing their first values."`
	Report string `placeholder:"FILE.json" help:"Write the report to this file."`
}

// Help is what --help adds.
func (*fetchCmd) Help() string {
	return `Results are fetched from a party that has learned them, by whom its policy names (admins, fetch).

Examples:

    tacet fetch 3f9a
    tacet fetch 3f9a --node alice --out results`
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
	var last error
	for _, j := range jobs {
		if c.Node == "" && (j.State == api.Done && j.Results == 0) {
			continue
		}
		clients, err := c.clients(j.Node)
		if err != nil {
			return err
		}
		results, report, err := cluster.Fetch(a.ctx, clients[j.Node], j.ID)
		if err != nil {
			last = err
			continue
		}
		if c.Report != "" {
			if err := profile.Write(c.Report, report); err != nil {
				return err
			}
		}
		if c.Out != "" && len(results) > 0 {
			if err := job.WriteResults(c.Out, results); err != nil {
				return err
			}
		}
		return printResults(a.stdout, c.Out, results)
	}
	if last == nil {
		last = fmt.Errorf("no node that was asked has results of job %s", c.ID)
	}
	return last
}

// encode prints a value as JSON.
func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
