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

// Cluster is a submitter's view of the parties' nodes: their addresses, and the certificate for
// connections to them.
type Cluster struct{ config *cluster.Config }

// JobStatus is the state of a job at one node.
type JobStatus = api.Job

// silence is how long nodes may fail to answer while Wait follows a job.
const silence = 30 * time.Second

// Connect reads a cluster file. Without a path it looks for cluster.yaml in the current folder,
// then in the folder cluster, where `tacet up` writes it. It makes no connection yet. Errors are of
// kind usage.
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

// Clients returns clients of the nodes of some parties, by name; of all nodes if no party is named.
func (c *Cluster) Clients(parties ...string) (map[string]*api.Client, error) {
	clients, err := c.config.Clients(parties...)
	return clients, kinded(err)
}

// SubmitOptions are options of Submit. The zero value is the usual case.
type SubmitOptions struct {
	// Program is the job's program if it was read before; nil has Submit read the file that the job
	// names.
	Program *Program
	// Resume is the id of a failed or cancelled job, from whose newest checkpoint the new job
	// resumes; "" for none.
	Resume string
	// Offline has the nodes store one session of correlations for a later run of the same job,
	// instead of running it.
	Offline bool
	// Status, if not nil, is called from time to time with the job's state at each node.
	Status func([]JobStatus)
}

// Submitted is a job that was submitted to nodes.
type Submitted struct {
	ID      string
	Parties []string // in rank order
	Learn   []string // the parties that learn the results
	Keep    string   // name under which the nodes keep the results as shares; "" for none
	nodes   map[string]*api.Client
	Jobs    []JobStatus // state at each node after submission
}

// Submit runs a job on the nodes of its parties and fetches the results from a party that learns
// them and permits this certificate to fetch them. If there is none, Results and Report of the
// Outcome are nil. The nodes get the program, the settings and public inputs, never an owner's
// data. If ctx ends first, the job continues on the nodes.
//
// Errors are of kind denied if a node's rules or owner refuse the job, of kind peer-lost if a node
// cannot be reached, and *EndedError if nodes ended the job.
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

// Submit submits a job to the nodes of its parties and returns as soon as all have accepted it.
func (c *Cluster) Submit(ctx context.Context, j *Job, o SubmitOptions) (*Submitted, error) {
	return c.submit(ctx, j, o.Program, func(s *api.Submission) { s.Resume, s.Offline = o.Resume, o.Offline })
}

// ServeOptions are options of Serve. The zero value is the usual case.
type ServeOptions struct {
	// Program is the job's program if it was read before; nil has Serve read the file that the job
	// names.
	Program *Program
	// Batch is how many requests at most are evaluated side by side; 0 for DefaultBatch. Nodes whose
	// memory or limits require it evaluate fewer.
	Batch int
}

// DefaultBatch is how many requests of a service nodes evaluate side by side if nothing else is said.
const DefaultBatch = 4

// Serve submits a job as a service to the nodes of its parties: resident inputs are shared once,
// and requests bring the others. With j.Restart, the nodes open it again whenever its session is lost.
// WaitOpen waits until the service accepts requests.
func (c *Cluster) Serve(ctx context.Context, j *Job, o ServeOptions) (*Submitted, error) {
	return c.submit(ctx, j, o.Program, func(s *api.Submission) {
		s.Serve, s.Batch, s.Restart = true, cmp.Or(o.Batch, DefaultBatch), j.Restart
	})
}

func (c *Cluster) submit(ctx context.Context, j *Job, p *Program, set func(*api.Submission)) (*Submitted, error) {
	if p == nil {
		var err error
		if p, err = ReadProgram(j.Program); err != nil {
			return nil, err
		}
	}
	s, err := cluster.NewSubmission(j, p)
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

// Wait waits until the job has ended at all its nodes. status, if not nil, is called from time to
// time.
func (s *Submitted) Wait(ctx context.Context, status func([]JobStatus)) ([]JobStatus, error) {
	jobs, err := cluster.Follow(ctx, s.nodes, s.Parties, s.ID, silence, told(status))
	return jobs, kinded(err)
}

// WaitOpen waits until a service accepts requests. status, if not nil, is called from time to time.
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

// Fetch fetches results and report from the first party that learns them and permits this
// certificate to fetch them; both are nil if there is none.
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

// Find lists the jobs of the named nodes, or of all nodes if none is named, newest first, as summaries: without
// arguments, inputs and reveals. With a prefix it returns all that each node says of the one job whose id begins with
// it, and it is an error if there is no such job or several. unreachable contains the errors of
// nodes that did not answer, or that left out jobs or details; err is not nil if no node answered.
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

// Submission returns what the submitter of a job sent to a node whose policy names this certificate as an
// admin: the program's text, settings, names of inputs and public inputs. The job must not have ended.
func (c *Cluster) Submission(ctx context.Context, id, node string) (*api.Submission, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return nil, err
	}
	s, err := clients[node].Submission(ctx, id)
	return s, kinded(err)
}

// Approve approves a job at a node whose policy requires approval.
func (c *Cluster) Approve(ctx context.Context, id, node string) (JobStatus, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return JobStatus{}, err
	}
	status, err := clients[node].Approve(ctx, id)
	return status, kinded(err)
}

// Cancel cancels a job at the named nodes.
func (c *Cluster) Cancel(ctx context.Context, id string, nodes ...string) error {
	clients, err := c.Clients(nodes...)
	if err != nil {
		return err
	}
	return kinded(cluster.Cancel(ctx, clients, nodes, id))
}

// Fetch fetches a finished job's results and report from a node whose party learned them.
func (c *Cluster) Fetch(ctx context.Context, id, node string) ([]*tensor.Array, *profile.Report, error) {
	clients, err := c.Clients(node)
	if err != nil {
		return nil, nil, err
	}
	results, report, err := cluster.Fetch(ctx, clients[node], id)
	return results, report, kinded(err)
}

// RequestInput names an owner's file or catalogue entry that replaces a non-resident input of a
// service's job in one request.
type RequestInput = api.Input

// Request sends one request to a service and fetches the results from a party that learns them and
// permits this certificate to fetch them; results and report are nil if there is none. id is the
// request's id.
func (c *Cluster) Request(
	ctx context.Context,
	service JobStatus,
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
	all, err := cluster.SendRequest(ctx, clients, service.Parties, service.ID, cluster.NewRequest(inputs))
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
