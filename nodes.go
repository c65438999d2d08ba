package tacet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Cluster is a submitter's view of the parties' nodes: their addresses, and the certificate with which the
// submitter connects to them. Connect makes a Cluster. Its methods may be called from several goroutines.
type Cluster struct{ config *cluster.Config }

// JobStatus is the state of a submitted job at one node, as that node reports it.
type JobStatus = api.Job

// silence is how long nodes may fail to answer while Wait follows a job.
const silence = 30 * time.Second

// Connect reads a cluster file, which names the nodes' addresses and the submitter's certificate. If path is "",
// Connect looks for cluster.yaml in the current folder, then in the folder cluster, where `tacet up` writes it.
// Connect does not connect to a node: methods of the Cluster do. Errors are of kind usage.
func Connect(path string) (*Cluster, error) {
	if path == "" {
		for _, p := range []string{"cluster.yaml", filepath.Join("cluster", "cluster.yaml")} {
			if _, err := os.Stat(p); err == nil {
				path = p
				break
			}
		}
	}
	if path == "" {
		return nil, problem.New(problem.Usage, "", "no cluster.yaml is here, nor cluster/cluster.yaml").
			With("name one with --cluster, or make a test cluster with tacet up")
	}
	c, err := cluster.Read(path)
	if err != nil {
		return nil, kinded(err)
	}
	return &Cluster{c}, nil
}

// Clients returns one client of the API for each named party's node, by party name. Without names it returns
// clients of all nodes. Nothing is sent. Errors are of kind usage: a party without a node, or a certificate that
// cannot be read.
func (c *Cluster) Clients(parties ...string) (map[string]*api.Client, error) {
	clients, err := c.config.Clients(parties...)
	return clients, kinded(err)
}

// Self returns the identity in the submitter's certificate, as policies spell it. Errors are of kind usage: files that
// cannot be read.
func (c *Cluster) Self() (string, error) {
	self, err := c.config.Self()
	return self, kinded(err)
}

// SubmitOptions are options of Submit. With the zero value the job's program is read from its file, and the job
// runs from the program's beginning.
type SubmitOptions struct {
	// Program is the job's program, if the caller has read it. If it is nil, Submit reads the file that the job
	// names.
	Program *Program
	// Resume is the id of a failed or cancelled job. The new job resumes from that job's newest checkpoint. ""
	// starts at the program's beginning.
	Resume string
	// Offline says that the nodes do not run the job: they store one session of correlations for a later run of
	// it.
	Offline bool
	// Status, if not nil, is called about ten times a second with the job's state at each node, until the job
	// ends. Only the function Submit calls it; the method Cluster.Submit ignores it, since it does not wait.
	Status func([]JobStatus)
}

// Submitted is a job that was submitted to nodes and accepted by all of them.
type Submitted struct {
	ID      string   // the job's id, the same at all nodes
	Parties []string // names in rank order
	Learn   []string // names of the parties that learn the results
	Keep    string   // name under which the nodes keep the results as shares; "" if they do not
	nodes   map[string]*api.Client
	Jobs    []JobStatus // state at each node, in the order of Parties, when the nodes accepted the job
}

// Submit runs a job on the nodes of its parties. It waits until the job has ended at all of them and fetches the
// results from a party that learns them and permits this certificate to fetch them. If there is no such party,
// Results and Report of the Outcome are nil. The nodes get the program, the settings and public inputs, never an
// owner's data. If ctx ends after the nodes accepted the job, the job continues on the nodes.
//
// Errors are of kind denied if a node's rules or owner refuse the job, of kind peer-lost if a node cannot be
// reached, and *EndedError if nodes ended the job.
func Submit(ctx context.Context, c *Cluster, j *Job, o SubmitOptions) (*Outcome, error) {
	s, err := c.Submit(ctx, j, o)
	if err != nil {
		return nil, err
	}
	if _, err := s.Wait(ctx, o.Status); err != nil {
		return nil, err
	}
	results, report, err := s.Fetch(ctx)
	if err != nil {
		return nil, err
	}
	return &Outcome{Results: results, Report: report}, nil
}

// Submit submits a job to the nodes of its parties and returns as soon as all of them have accepted it; it does
// not wait for the result. ctx bounds the submission only: the job continues when ctx ends. If a node refuses or
// cannot be reached, Submit cancels the job at the other nodes and returns the errors of all nodes that did not
// accept it: *RefusedError for a refusal, an error of kind peer-lost for an unreachable node. If a node's policy
// denies the job at once, the error is an *EndedError.
func (c *Cluster) Submit(ctx context.Context, j *Job, o SubmitOptions) (*Submitted, error) {
	return c.submit(ctx, j, o.Program, func(s *api.Submission) { s.Resume, s.Offline = o.Resume, o.Offline })
}

// ServeOptions are options of Serve. With the zero value the program is read from the job's file, and Batch is
// DefaultBatch.
type ServeOptions struct {
	// Program is the job's program, if the caller has read it. If it is nil, Serve reads the file that the job
	// names.
	Program *Program
	// Batch is the largest number of requests that are evaluated side by side; 0 means DefaultBatch. Nodes whose
	// memory or limits require it evaluate fewer.
	Batch int
}

// DefaultBatch is the number of requests that the nodes of a service evaluate side by side at most, if
// ServeOptions.Batch is 0.
const DefaultBatch = 4

// Serve submits a job as a service to the nodes of its parties and returns as soon as all of them have accepted
// it. The nodes share resident inputs once, and each request brings the others. If j.Restart is set, the nodes
// open the service again whenever its session is lost. Submitted.WaitOpen waits until the service accepts
// requests. Errors are those of Submit.
func (c *Cluster) Serve(ctx context.Context, j *Job, o ServeOptions) (*Submitted, error) {
	return c.submit(ctx, j, o.Program, func(s *api.Submission) {
		s.Serve, s.Batch, s.Restart = true, cmp.Or(o.Batch, DefaultBatch), j.Restart
	})
}

func (c *Cluster) submit(ctx context.Context, j *Job, p *Program, set func(*api.Submission)) (*Submitted, error) {
	if p == nil && j.Task == nil {
		var err error
		if p, err = j.ReadProgram(ctx); err != nil {
			return nil, err
		}
	}
	s, err := cluster.NewSubmission(ctx, j, p)
	if err != nil {
		return nil, kinded(err)
	}
	set(s)
	clients, err := c.Clients(s.Parties...)
	if err != nil {
		return nil, err
	}
	jobs, err := cluster.Submit(ctx, clients, s)
	if err != nil {
		return nil, kinded(err)
	}
	out := &Submitted{ID: s.ID, Parties: s.Parties, Keep: s.Keep, nodes: clients, Jobs: jobs}
	for _, rank := range s.Reveal {
		out.Learn = append(out.Learn, s.Parties[rank])
	}
	return out, nil
}

// Wait waits until the job has ended at all its nodes, and returns its state at each. status, if not nil, is
// called with the states after each poll, about ten times a second. Errors are *EndedError if the job ended in a
// state other than done, an error of kind peer-lost if a node does not answer for 30 seconds, and of kind
// interrupted if ctx ends; the job then continues.
func (s *Submitted) Wait(ctx context.Context, status func([]JobStatus)) ([]JobStatus, error) {
	jobs, err := cluster.Follow(ctx, s.nodes, s.Parties, s.ID, silence, told(status))
	return jobs, kinded(err)
}

// WaitOpen waits until a service accepts requests at all its nodes. status, if not nil, is called with the
// states after each poll, about ten times a second. Errors are *EndedError if the service has ended, the error
// of a node that does not answer, and one of kind interrupted if ctx ends.
func (s *Submitted) WaitOpen(ctx context.Context, status func([]JobStatus)) error {
	return kinded(cluster.WaitOpen(ctx, s.nodes, s.Parties, s.ID, told(status)))
}

// told returns status, or a function that does nothing if it is nil.
func told(status func([]JobStatus)) func([]JobStatus) {
	if status == nil {
		return func([]JobStatus) {}
	}
	return status
}

// Fetch fetches the results and the report of a job that is done. It asks the parties that learn the results in
// turn until one permits this certificate to fetch them. If none does, results and report are nil, without an
// error.
func (s *Submitted) Fetch(ctx context.Context) ([]*tensor.Array, *profile.Report, error) {
	for _, name := range s.Learn {
		results, report, err := cluster.Fetch(ctx, s.nodes[name], s.ID)
		if errors.Is(err, ErrDenied) {
			continue
		}
		return results, report, kinded(err)
	}
	return nil, nil, nil
}

// Find lists the jobs of the named nodes, or of all nodes if none is named, newest first: one JobStatus for each
// node that has the job. If prefix is "", the list has summaries, without arguments, inputs and reveals.
// Otherwise it has the complete status of the one job whose id begins with prefix; no such job, or several, is
// an error of kind usage.
//
// unreachable has an error for each node that did not answer or that left out jobs or details. err is not nil if
// no node answered.
func (c *Cluster) Find(ctx context.Context, prefix string, nodes ...string) (jobs []JobStatus, unreachable []error, err error) {
	clients, err := c.Clients(nodes...)
	if err != nil {
		return nil, nil, err
	}
	jobs = []JobStatus{}
	answered := 0
	for _, name := range slices.Sorted(maps.Keys(clients)) {
		at, omitted, err := clients[name].Jobs(ctx, prefix)
		if err != nil {
			unreachable = append(unreachable, err)
			continue
		}
		answered++
		if omitted > 0 {
			unreachable = append(unreachable, fmt.Errorf("%s has %d older jobs that are not listed (name one by the beginning of its id)", name, omitted))
		}
		for _, j := range at {
			if strings.HasPrefix(j.ID, prefix) {
				jobs = append(jobs, j)
			}
		}
	}
	if answered == 0 {
		return nil, nil, kinded(errors.Join(unreachable...))
	}
	slices.SortStableFunc(jobs, func(a, b JobStatus) int {
		newer := b.Submitted.Truncate(time.Second).Compare(a.Submitted.Truncate(time.Second))
		return cmp.Or(newer, cmp.Compare(a.ID, b.ID), cmp.Compare(a.Node, b.Node))
	})
	if prefix == "" {
		return jobs, unreachable, nil
	}
	if err := single(jobs, prefix); err != nil {
		return jobs, unreachable, err
	}
	for i, j := range jobs {
		all, err := clients[j.Node].Job(ctx, j.ID)
		if err == nil && all.ID != j.ID {
			err = fmt.Errorf("%s sent the status of job %q, not of %s", j.Node, all.ID, j.ID)
		}
		if err != nil { // the summary stays: it suffices for approvals and cancellations
			unreachable = append(unreachable, err)
			continue
		}
		all.Node = j.Node // a node speaks for itself only
		jobs[i] = all
	}
	return jobs, unreachable, nil
}

// single returns an error, of kind usage, unless the jobs have exactly one id.
func single(jobs []JobStatus, prefix string) error {
	if len(jobs) == 0 {
		return problem.New(problem.Usage, "", "no queried node has a job %s", prefix)
	}
	for _, j := range jobs {
		if j.ID != jobs[0].ID {
			return problem.New(problem.Usage, "", "%s is the beginning of several jobs' ids: %s, %s", prefix, jobs[0].ID, j.ID)
		}
	}
	return nil
}

// Submission returns a job's submission as the node received it: the program's text, settings, names of inputs
// and public inputs. The node's policy must name this certificate as an admin, and the job must not have ended;
// otherwise the node refuses with a *RefusedError.
func (c *Cluster) Submission(ctx context.Context, id, node string) (*api.Submission, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return nil, err
	}
	s, err := clients[node].Submission(ctx, id)
	return s, kinded(err)
}

// InputTypes returns the element types and shapes of the arrays in an input of the named node's party. A node whose policy
// does not let this certificate learn them refuses with a *RefusedError.
func (c *Cluster) InputTypes(ctx context.Context, node, input string) (api.InputTypes, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return api.InputTypes{}, err
	}
	types, err := clients[node].InputTypes(ctx, input)
	return types, kinded(err)
}

// Approve approves a job at the named node, whose policy requires approval, and returns the job's state there. A
// node that does not permit this certificate to approve, or at which the job does not wait for approval, refuses
// with a *RefusedError.
func (c *Cluster) Approve(ctx context.Context, id, node string) (JobStatus, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return JobStatus{}, err
	}
	status, err := clients[node].Approve(ctx, id)
	return status, kinded(err)
}

// ApproveFor does what Approve does, and the node writes the reason into its audit log. "" stands for no reason.
func (c *Cluster) ApproveFor(ctx context.Context, id, node, reason string) (JobStatus, error) {
	if reason == "" {
		return c.Approve(ctx, id, node)
	}
	clients, err := c.Clients(node)
	if err != nil {
		return JobStatus{}, err
	}
	status, err := clients[node].ApproveFor(ctx, id, reason)
	return status, kinded(err)
}

// Deny denies a job that waits for approval at the named node, and returns the job's state there. The submitter sees
// the reason, and the node writes it into its audit log. Errors are those of Approve.
func (c *Cluster) Deny(ctx context.Context, id, node, reason string) (JobStatus, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return JobStatus{}, err
	}
	status, err := clients[node].Deny(ctx, id, reason)
	return status, kinded(err)
}

// Cancel cancels a job at the named nodes. At nodes where the job has ended it has no effect. The error combines
// the errors of all nodes that did not cancel the job.
func (c *Cluster) Cancel(ctx context.Context, id string, nodes ...string) error {
	clients, err := c.Clients(nodes...)
	if err != nil {
		return err
	}
	return kinded(cluster.Cancel(ctx, clients, nodes, id))
}

// Fetch fetches a finished job's results and report from the named node. Results are nil if that node's party
// learned none. A node whose policy does not permit this certificate to fetch refuses with an error of kind
// denied.
func (c *Cluster) Fetch(ctx context.Context, id, node string) ([]*tensor.Array, *profile.Report, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return nil, nil, err
	}
	results, report, err := cluster.Fetch(ctx, clients[node], id)
	return results, report, kinded(err)
}

// RequestInput names a file or catalogue entry of an owner. In one request, it replaces an input of the
// service's job that is not resident.
type RequestInput = api.Input

// Request sends one request for a service's first program, as RequestProgram does.
func (c *Cluster) Request(
	ctx context.Context,
	service JobStatus,
	inputs ...RequestInput,
) (id string, results []*tensor.Array, report *profile.Report, err error) {
	return c.RequestProgram(ctx, service, "", inputs...)
}

// RequestProgram sends one request to a service, for its program of that name or "" for the first one, and waits until
// all nodes have evaluated it. service is the service's state at any node, as Find returns it; inputs replace inputs of
// the job that are not resident. RequestProgram returns the request's id, and results and report of the first party that
// learned results and permits this certificate to fetch them. Without such a party both are nil. Errors are of kind usage
// for an unknown input owner or a job that is no service, those of nodes that refuse the request or cannot be reached,
// and those of nodes at which it failed.
func (c *Cluster) RequestProgram(
	ctx context.Context,
	service JobStatus,
	program string,
	inputs ...RequestInput,
) (id string, results []*tensor.Array, report *profile.Report, err error) {
	if !service.Serve {
		return "", nil, nil, problem.New(problem.Usage, "", "job %s is not a service", service.ID)
	}
	for _, in := range inputs {
		if !slices.Contains(service.Parties, in.Owner) {
			return "", nil, nil, problem.New(problem.Usage, "", "input owner %q is not a party of service %s (parties: %s)",
				in.Owner, service.ID, strings.Join(service.Parties, ", "))
		}
	}
	clients, err := c.Clients(service.Parties...)
	if err != nil {
		return "", nil, nil, err
	}
	all, err := cluster.SendRequest(ctx, clients, service.Parties, service.ID, cluster.NewRequest(program, inputs))
	if err != nil {
		return "", nil, nil, kinded(err)
	}
	for i, s := range all {
		if s.Results == 0 {
			continue
		}
		results, report, err := cluster.FetchRequest(ctx, clients[service.Parties[i]], s)
		if errors.Is(err, ErrDenied) {
			continue
		}
		return s.ID, results, report, kinded(err)
	}
	return all[0].ID, nil, nil, nil
}
