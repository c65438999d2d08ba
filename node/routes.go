package node

import (
	"archive/zip"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/version"
)

// routes returns the handler of the control API.
func (n *Node) routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("POST /v1/jobs", func(w http.ResponseWriter, r *http.Request) {
		if err := n.checkSubmitter(caller(r)); err != nil {
			n.answer(w, func() (any, error) { return nil, err })
			return
		}
		n.withBody(w, r, maxBodyTime, func(body io.Reader) (any, error) {
			m := api.SubmissionMessage{Submission: &api.Submission{}}
			most := n.config.Limits.maxSubmission()
			if err := readMessage(body, most, &m); err != nil {
				if most < api.MaxSubmission && errors.As(err, new(*api.TooLong)) {
					err = refuse(http.StatusBadRequest, "%w: a longer submission takes more memory at %s than those of one submitter may take "+
						"(limits: submissions_per_submitter)", err, n.config.Name)
				}
				return nil, err
			}
			return n.submit(r.Context(), m.Submission, caller(r))
		})
	})
	m.HandleFunc("GET /v1/jobs", func(w http.ResponseWriter, r *http.Request) {
		q, err := api.ParseJobsQuery(r.URL.Query())
		if err != nil {
			n.answer(w, func() (any, error) { return nil, refuse(http.StatusBadRequest, "%w", err) })
			return
		}
		jobs, total := n.list(caller(r), q)
		api.AnswerJobs(w, jobs, min(q.Skip, total), total) // an error means that the caller has disconnected
	})
	m.HandleFunc("GET /v1/jobs/{id}", n.withJob(func(j *jobstate.Job, _ *http.Request) (any, error) { return j.Job, nil }))
	m.HandleFunc("GET /v1/jobs/{id}/submission", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) { return n.submissionOf(r) })
	})
	n.adminRoutes(m)
	m.HandleFunc("POST /v1/jobs/{id}/cancel", n.withJob(func(j *jobstate.Job, r *http.Request) (any, error) {
		by := caller(r)
		if by != j.Submitter && !n.policy.Policy().IsAdmin(by) {
			return nil, refuse(http.StatusForbidden, "%s may not cancel job %s: only its submitter, %s, and admins of %s may",
				by, j.ID, j.Submitter, n.config.Name)
		}
		return n.change(j.ID, jobstate.Cancelled{By: by})
	}))
	m.HandleFunc("GET /v1/jobs/{id}/report", n.file(func(w http.ResponseWriter, r *http.Request, j *jobstate.Job) error {
		return n.sendReport(w, r, filepath.Join(n.folder(j.ID), reportFile))
	}))
	m.HandleFunc("GET /v1/jobs/{id}/results", n.file(n.results))
	m.HandleFunc("POST /v1/jobs/{id}/requests", func(w http.ResponseWriter, r *http.Request) {
		t, err := n.findTask(r)
		if err != nil {
			n.answer(w, func() (any, error) { return nil, err })
			return
		}
		n.withBody(w, r, bodyTime, func(body io.Reader) (any, error) {
			ask := &api.Request{}
			if err := readMessage(body, api.MaxMessage, ask); err != nil {
				return nil, err
			}
			if err := ask.CheckTexts(); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			work, err := n.resolvedOf(t)
			if err != nil {
				return nil, err
			}
			return n.request(t, work, ask, caller(r))
		})
	})
	m.HandleFunc("GET /v1/jobs/{id}/requests/{request}", n.withJob(func(j *jobstate.Job, r *http.Request) (any, error) {
		return n.requestStatus(j, r.PathValue("request"))
	}))
	m.HandleFunc(
		"GET /v1/jobs/{id}/requests/{request}/report",
		n.finishedRequestFile(func(w http.ResponseWriter, r *http.Request, folder string, _ int) error {
			return n.sendReport(w, r, filepath.Join(folder, reportFile))
		}),
	)
	m.HandleFunc(
		"GET /v1/jobs/{id}/requests/{request}/results",
		n.finishedRequestFile(func(w http.ResponseWriter, _ *http.Request, folder string, results int) error {
			return n.zipped(w, folder, results)
		}),
	)
	m.HandleFunc("GET /v1/audit/head", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) { return n.auditHead(callerParty(r), caller(r)) })
	})
	m.HandleFunc("GET /v1/inputs", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) { return n.describe(r) })
	})
	m.HandleFunc("GET /v1/health", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) { return n.healthFor(caller(r)), nil })
	})
	for what, do := range map[string]func(t *task, r *http.Request, body io.Reader) (any, error){
		"reserve": func(t *task, r *http.Request, body io.Reader) (any, error) {
			var m api.Reserve
			if err := readMessage(body, api.MaxMessage, &m); err != nil {
				return nil, err
			}
			if err := n.checkSameSubmission(t, callerParty(r), m); err != nil {
				return nil, err
			}
			return n.reserve(t, m)
		},
		"start": func(t *task, r *http.Request, body io.Reader) (any, error) {
			var m api.Start
			if err := readMessage(body, api.MaxMessage, &m); err != nil {
				return nil, err
			}
			return struct{}{}, n.start(t, m)
		},
		"requests": func(t *task, r *http.Request, body io.Reader) (any, error) {
			var m api.RequestBatch
			if err := readMessage(body, api.MaxMessage, &m); err != nil {
				return nil, err
			}
			return struct{}{}, n.apply(t, jobstate.Announced{Requests: m.Requests}).refused
		},
		"release": func(t *task, r *http.Request, body io.Reader) (any, error) {
			var m api.Release
			if err := readMessage(body, api.MaxMessage, &m); err != nil {
				return nil, err
			}
			n.apply(t, jobstate.Released{By: callerParty(r), Try: m.Try, Reason: m.Reason, Session: m.Session})
			return struct{}{}, nil
		},
	} {
		m.HandleFunc("POST /v1/sessions/{id}/"+what, n.fromParty(what != "release", do))
	}
	return m
}

// caller returns the verified identity of the request's sender, as policies and the audit log spell it.
func caller(r *http.Request) string {
	c, _ := r.Context().Value(callerKey{}).(pki.Caller)
	return c.Identity()
}

// callerParty returns the verified certificate name of the request's sender, which is its name as a
// party: a party's name belongs to one organisation.
func callerParty(r *http.Request) string {
	c, _ := r.Context().Value(callerKey{}).(pki.Caller)
	return c.Name
}

// trusted refuses requests on connections that the listener denied, and on those whose certificates are
// not accepted any more. The log says why; the answer does not, since it would list what is trusted.
func (n *Node) trusted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(callerKey{}).(pki.Caller); ok {
			if c.Denied != nil {
				w.Header().Set("Connection", "close")
				api.Refuse(w, http.StatusServiceUnavailable, n.config.Name+": "+c.Denied.Error())
				return
			}
			if err := c.Check(); err != nil {
				n.log.Warn("caller refused on an open connection", "name", c.Identity(), "error", err.Error())
				w.Header().Set("Connection", "close")
				api.Refuse(
					w,
					http.StatusForbidden,
					fmt.Sprintf("%s does not accept the certificate of %s any more (its log says why)", n.config.Name, c.Identity()),
				)
				return
			}
		}
		h.ServeHTTP(w, r)
	})
}

// sameProtocol refuses requests of callers that run another protocol number, before their bodies are read.
func (n *Node) sameProtocol(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		api.Identify(w.Header())
		if err := api.CheckProtocol(r, callerParty(r), n.config.Name); err != nil {
			n.log.Warn("caller refused", "name", caller(r), "error", err.Error())
			api.Refuse(w, http.StatusConflict, err.Error())
			return
		}
		h.ServeHTTP(w, r)
	})
}

// answer writes f's result as JSON, or its error as a refusal.
func (n *Node) answer(w http.ResponseWriter, f func() (any, error)) {
	v, err := f()
	if err == nil {
		api.Answer(w, v) // an error means that the caller has disconnected
		return
	}
	var r refusal
	if !errors.As(err, &r) {
		r = refusal{http.StatusInternalServerError, err}
	}
	api.Refuse(w, r.status, n.redact(err))
}

// findJob returns the job that an HTTP request names, if the sender may know of it: the submitter,
// admins, and names that may fetch its results.
func (n *Node) findJob(r *http.Request) (*jobstate.Job, error) {
	j := n.state().Job(r.PathValue("id"))
	if j == nil || !n.mayKnow(j, caller(r)) {
		return nil, noJob(r, n.config.Name)
	}
	return j, nil
}

// noJob refuses an HTTP request about a job that its sender may not know of, or that does not exist.
func noJob(r *http.Request, node string) error {
	return refuse(http.StatusNotFound, "there is no job %.40q for %s at %s", r.PathValue("id"), caller(r), node)
}

func (n *Node) mayKnow(j *jobstate.Job, name string) bool {
	return j.Submitter == name || n.mayFetch(j, name)
}

func (n *Node) mayFetch(j *jobstate.Job, name string) bool {
	return n.policy.Policy().IsAdmin(name) || slices.Contains(j.Fetch, name)
}

// checkMayFetch refuses a name that may not fetch the job's results.
func (n *Node) checkMayFetch(j *jobstate.Job, name string) error {
	if n.mayFetch(j, name) {
		return nil
	}
	return refuse(
		http.StatusForbidden,
		"%s may not fetch the results that %s learns from job %s (the policy lists under fetch who may)",
		name,
		n.config.Name,
		j.ID,
	)
}

// change takes a job through an event of the control API and returns the job's status after it.
func (n *Node) change(id string, e jobstate.Event) (any, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r := n.step(id, e); r.refused != nil {
		return nil, r.refused
	}
	return n.jobs.Job(id).Job, nil
}

// withJob answers an HTTP request about a job.
func (n *Node) withJob(do func(j *jobstate.Job, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			j, err := n.findJob(r)
			if err != nil {
				return nil, err
			}
			return do(j, r)
		})
	}
}

// fromParty answers an HTTP request of a party of a job; if lead is set, of its leader (rank 0) only.
// It sends heartbeats until the answer is ready.
func (n *Node) fromParty(lead bool, do func(t *task, r *http.Request, body io.Reader) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		t := n.tasks[r.PathValue("id")]
		n.mu.Unlock()
		if t == nil || !slices.Contains(t.Parties, callerParty(r)) || lead && t.Parties[0] != callerParty(r) {
			n.answer(w, func() (any, error) {
				return nil, refuse(http.StatusNotFound, "job %.40q is not at this node, or %s may not send this message about it",
					r.PathValue("id"), callerParty(r))
			})
			return
		}
		n.withBody(w, r, bodyTime, func(body io.Reader) (any, error) {
			defer api.Heartbeat(w, n.config.Limits.HeartbeatInterval)()
			return do(t, r, body)
		})
	}
}

// readMessage is api.ReadMessage with a refusal as its error.
func readMessage(body io.Reader, max int64, into any) error {
	err := api.ReadMessage(body, max, into)
	if err == nil || errors.As(err, new(refusal)) || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return refuse(http.StatusBadRequest, "%w", err)
}

// findTask returns what belongs to the job that an HTTP request names beside its state, if the sender may
// know of it.
func (n *Node) findTask(r *http.Request) (*task, error) {
	j, err := n.findJob(r)
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if t := n.tasks[j.ID]; t != nil {
		return t, nil
	}
	return nil, noJob(r, n.config.Name) // it was removed meanwhile
}

// submissionOf returns the submission of a job that has not ended, to admins.
func (n *Node) submissionOf(r *http.Request) (*api.Submission, error) {
	t, err := n.findTask(r)
	if err != nil {
		return nil, err
	}
	if !n.policy.Policy().IsAdmin(caller(r)) {
		return nil, refuse(
			http.StatusForbidden,
			"%s is not an admin of %s; only admins see programs and public inputs of jobs",
			caller(r),
			n.config.Name,
		)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if t.resolved == nil {
		return nil, refuse(http.StatusConflict, "job %s has ended: its program is not kept", t.ID)
	}
	return t.resolved.sub, nil
}

// file answers with a file of a finished job.
func (n *Node) file(do func(w http.ResponseWriter, r *http.Request, j *jobstate.Job) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		j, err := n.findJob(r)
		if err == nil {
			err = n.checkMayFetch(j, caller(r))
		}
		if err == nil && j.State != api.Done {
			err = refuse(http.StatusConflict, "job %s is %s", j.ID, j.State)
		}
		if err == nil {
			err = do(w, r, j)
		}
		if err != nil {
			n.answer(w, func() (any, error) { return nil, err })
		}
	}
}

// sendReport sends a report. Admins get it as it is; others get it without times and memory, which can
// depend on this party's inputs.
func (n *Node) sendReport(w io.Writer, r *http.Request, path string) error {
	if n.policy.Policy().IsAdmin(caller(r)) {
		return send(w, path)
	}
	report, err := profile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errFileGone
	}
	if err != nil {
		return err
	}
	text, err := report.Untimed().JSON()
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

var errFileGone = refuse(http.StatusNotFound, "the file no longer exists")

func send(w io.Writer, path string) error {
	f, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errFileGone
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// finishedRequestFile answers with a file from the folder of a finished request.
func (n *Node) finishedRequestFile(do func(w http.ResponseWriter, r *http.Request, folder string, results int) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var s api.RequestStatus
		j, err := n.findJob(r)
		if err == nil {
			err = n.checkMayFetch(j, caller(r))
		}
		if err == nil {
			s, err = n.requestStatus(j, r.PathValue("request"))
		}
		if err == nil && s.State != api.Done {
			err = refuse(http.StatusConflict, "request %s is %s", s.ID, s.State)
		}
		if err == nil {
			err = do(w, r, n.requestFolder(j.ID, s.ID), s.Results)
		}
		if err != nil {
			n.answer(w, func() (any, error) { return nil, err })
		}
	}
}

// results sends the results of a job that this party learns.
func (n *Node) results(w http.ResponseWriter, _ *http.Request, j *jobstate.Job) error {
	return n.zipped(w, n.folder(j.ID), j.Results)
}

// zipped sends the files of a results folder as a zip archive. results is their number.
func (n *Node) zipped(w http.ResponseWriter, folder string, results int) error {
	if results == 0 {
		return refuse(http.StatusNotFound, "%s learns no results of this job", n.config.Name)
	}
	z := zip.NewWriter(w)
	dir := filepath.Join(folder, resultsFolder)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return refuse(http.StatusNotFound, "the results no longer exist")
	}
	if err != nil {
		return err
	}
	for _, f := range files {
		to, err := z.Create(f.Name())
		if err != nil {
			return err
		}
		if err := send(to, filepath.Join(dir, f.Name())); err != nil {
			return err
		}
	}
	return z.Close()
}

// list returns the jobs that a name may know of and that q asks for, the newest first, and the number of those that q
// describes without Skip and Limit.
func (n *Node) list(name string, q api.JobsQuery) (list []api.Job, total int) {
	most := api.MaxJobs
	if q.Limit > 0 {
		most = min(most, q.Limit)
	}
	newest := newestJobs{most: q.Skip + most}
	admin := n.policy.Policy().IsAdmin(name)
	for j := range n.state().All() {
		if !strings.HasPrefix(j.ID, q.Prefix) || q.State != "" && j.State != q.State || q.Serve && !j.Serve {
			continue
		}
		if admin || j.Submitter == name || slices.Contains(j.Fetch, name) {
			newest.add(j)
			total++
		}
	}
	jobs := newest.sorted()
	for _, j := range jobs[min(q.Skip, len(jobs)):] {
		list = append(list, j.Job)
	}
	return list, total
}

// newestJobs collects the newest of very many jobs. It holds at most twice as many as are asked for, and some.
type newestJobs struct {
	most int             // number of jobs that are asked for
	jobs []*jobstate.Job // pointers, since there may be very many
	last *jobstate.Job   // the oldest of the newest jobs so far; nil while there are fewer than most
}

// compareAge orders jobs from the newest to the oldest.
func compareAge(a, b *jobstate.Job) int {
	return cmp.Or(b.Submitted.Compare(a.Submitted), cmp.Compare(a.ID, b.ID))
}

func (c *newestJobs) add(j *jobstate.Job) {
	if c.last != nil && compareAge(j, c.last) > 0 {
		return
	}
	if c.jobs = append(c.jobs, j); len(c.jobs) >= 2*c.most+1000 {
		c.sorted()
		c.last = c.jobs[len(c.jobs)-1]
	}
}

// sorted returns the newest jobs, the newest first.
func (c *newestJobs) sorted() []*jobstate.Job {
	slices.SortFunc(c.jobs, compareAge)
	c.jobs = c.jobs[:min(c.most, len(c.jobs))]
	return c.jobs
}

func (n *Node) health() api.Health {
	s := n.state()
	h := api.Health{Name: n.config.Name, Info: version.Get(), Draining: s.Closed, Running: s.Running()}
	for j := range s.Open() {
		if j.State != api.Running {
			h.Queued++
		}
	}
	return h
}

// level returns the node's present load, for the metrics.
func (n *Node) level() ops.Load {
	s := n.state()
	// All three states are set, so that monitoring sees zeros for empty queues too.
	open := map[string]int{string(api.Pending): 0, string(api.Queued): 0, string(api.Running): 0}
	l := ops.Load{
		Jobs:   open,
		Stored: n.stored(),
		Broken: n.broken,
		Waits:  map[string]time.Duration{},
		Memory: s.Limits.Memory - s.FreeMemory(),
		Limit:  s.Limits.Memory,
	}
	for state, jobs := range s.Ended() {
		l.Jobs[string(state)] = jobs
	}
	now := time.Now()
	for j := range s.Open() {
		l.Jobs[string(j.State)]++
		if j.State == api.Pending || j.State == api.Queued {
			since := j.Submitted
			if j.Reopening() {
				since = j.LostAt
			}
			l.Waits[j.Submitter] = max(l.Waits[j.Submitter], now.Sub(since))
		}
	}
	if name := n.config.Dealer.Name; name != "" {
		l.Dealer = map[string]float64{name: 0}
		if n.dealerUp.Load() {
			l.Dealer[name] = 1
		}
	}
	return l
}

// state returns the present states of all jobs.
func (n *Node) state() jobstate.State {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.jobs
}

// stored returns the number of unused sessions in the party's store; 0 without a store.
func (n *Node) stored() int {
	f, err := store.Open(n.config.Store, n.config.Name)
	if err != nil {
		return 0
	}
	ready, err := f.Ready()
	if err != nil {
		n.log.Warn("cannot read the store", "error", err.Error())
	}
	return ready
}
