package node

import (
	"archive/zip"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
)

// routes returns the handler of the control API.
func (n *Node) routes() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("POST /v1/jobs", func(w http.ResponseWriter, r *http.Request) {
		sub := &api.Submission{}
		n.answer(w, func() (any, error) {
			if err := api.ReadMessage(r.Body, api.MaxSubmission, sub); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			return n.submit(sub, caller(r))
		})
	})
	m.HandleFunc("GET /v1/jobs", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) { return n.list(caller(r)), nil })
	})
	m.HandleFunc("GET /v1/jobs/{id}", n.withJob(func(t *task, _ *http.Request) (any, error) { return t.Job, nil }))
	m.HandleFunc("POST /v1/jobs/{id}/approve", n.withJob(func(t *task, r *http.Request) (any, error) {
		if !n.policy.Policy().IsAdmin(caller(r)) {
			return nil, refuse(http.StatusForbidden, "%s is not an admin of %s; only admins approve jobs", caller(r), n.config.Name)
		}
		err := n.approve(t, caller(r))
		return t.Job, err
	}))
	m.HandleFunc("POST /v1/jobs/{id}/cancel", n.withJob(func(t *task, r *http.Request) (any, error) {
		err := n.cancel(t, caller(r))
		return t.Job, err
	}))
	m.HandleFunc("GET /v1/jobs/{id}/report", n.file(func(w http.ResponseWriter, r *http.Request, t *task) error {
		return n.sendReport(w, r, filepath.Join(n.folder(t), reportFile))
	}))
	m.HandleFunc("GET /v1/jobs/{id}/results", n.file(n.results))
	m.HandleFunc("POST /v1/jobs/{id}/requests", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			ask := &api.Request{}
			if err := api.ReadMessage(r.Body, api.MaxMessage, ask); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			n.mu.Lock()
			t, err := n.findJob(r)
			n.mu.Unlock()
			if err != nil {
				return nil, err
			}
			work, err := n.resolvedOf(t)
			if err != nil {
				return nil, err
			}
			return n.request(t, work, ask, caller(r))
		})
	})
	m.HandleFunc("GET /v1/jobs/{id}/requests/{request}", n.withJob(func(t *task, r *http.Request) (any, error) { return n.requestStatus(t, r.PathValue("request")) }))
	m.HandleFunc("GET /v1/jobs/{id}/requests/{request}/report", n.finishedRequestFile(func(w http.ResponseWriter, r *http.Request, folder string, _ int) error {
		return n.sendReport(w, r, filepath.Join(folder, reportFile))
	}))
	m.HandleFunc("GET /v1/jobs/{id}/requests/{request}/results", n.finishedRequestFile(func(w http.ResponseWriter, _ *http.Request, folder string, results int) error {
		return n.zipped(w, folder, results)
	}))
	m.HandleFunc("GET /v1/audit/head", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) { return n.auditHead(caller(r)) })
	})
	m.HandleFunc("GET /v1/health", func(w http.ResponseWriter, _ *http.Request) {
		n.answer(w, func() (any, error) { return n.health(), nil })
	})
	for what, do := range map[string]func(t *task, r *http.Request) (any, error){
		"reserve": func(t *task, r *http.Request) (any, error) {
			var m api.Reserve
			if err := api.ReadMessage(r.Body, api.MaxMessage, &m); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			if m.Version != party.Version {
				return nil, refuse(http.StatusConflict, "%w", otherVersion(caller(r), m.Version))
			}
			if err := n.checkSameSubmission(t, caller(r), m); err != nil {
				return nil, err
			}
			return n.reserve(t, m)
		},
		"start": func(t *task, r *http.Request) (any, error) {
			var m api.Start
			if err := api.ReadMessage(r.Body, api.MaxMessage, &m); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			return struct{}{}, n.start(t, m)
		},
		"requests": func(t *task, r *http.Request) (any, error) {
			var m api.RequestBatch
			if err := api.ReadMessage(r.Body, api.MaxMessage, &m); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			return struct{}{}, n.batch(t, m.Requests)
		},
		"release": func(t *task, r *http.Request) (any, error) {
			var m api.Release
			if err := api.ReadMessage(r.Body, api.MaxMessage, &m); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			n.mu.Lock()
			defer n.mu.Unlock()
			n.handleRelease(t, caller(r), m)
			return struct{}{}, nil
		},
	} {
		m.HandleFunc("POST /v1/sessions/{id}/"+what, n.fromParty(what != "release", do))
	}
	return m
}

// caller returns the verified certificate name of the request's sender.
func caller(r *http.Request) string {
	name, _ := r.Context().Value(callerKey{}).(string)
	return name
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
	api.Refuse(w, r.status, n.config.redactPaths(err.Error()))
}

// findJob returns the job that an HTTP request names, if the sender may know of it: the submitter,
// admins, and names that may fetch its results.
func (n *Node) findJob(r *http.Request) (*task, error) {
	t := n.tasks[r.PathValue("id")]
	if t == nil || !n.mayKnow(t, caller(r)) {
		return nil, refuse(http.StatusNotFound, "there is no job %.40q for %s at %s", r.PathValue("id"), caller(r), n.config.Name)
	}
	return t, nil
}

func (n *Node) mayKnow(t *task, name string) bool {
	return t.Submitter == name || n.mayFetch(t, name)
}

func (n *Node) mayFetch(t *task, name string) bool {
	return n.policy.Policy().IsAdmin(name) || slices.Contains(t.fetch, name)
}

// checkMayFetch refuses a name that may not fetch the job's results.
func (n *Node) checkMayFetch(t *task, name string) error {
	if n.mayFetch(t, name) {
		return nil
	}
	return refuse(http.StatusForbidden, "%s may not fetch the results that %s learns from job %s (the policy lists under fetch who may)", name, n.config.Name, t.ID)
}

// withJob answers an HTTP request about a job. do runs with Node.mu held.
func (n *Node) withJob(do func(t *task, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			n.mu.Lock()
			defer n.mu.Unlock()
			t, err := n.findJob(r)
			if err != nil {
				return nil, err
			}
			return do(t, r)
		})
	}
}

// fromParty answers an HTTP request of a party of a job; if lead is set, of its leader (rank 0) only.
// It sends heartbeats until the answer is ready.
func (n *Node) fromParty(lead bool, do func(t *task, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			defer api.Heartbeat(w, n.config.Limits.HeartbeatInterval)()
			n.mu.Lock()
			t := n.tasks[r.PathValue("id")]
			n.mu.Unlock()
			if t == nil || !slices.Contains(t.Parties, caller(r)) || lead && t.Parties[0] != caller(r) {
				return nil, refuse(http.StatusNotFound, "job %.40q is not at this node, or %s may not send this message about it",
					r.PathValue("id"), caller(r))
			}
			return do(t, r)
		})
	}
}

// file answers with a file of a finished job.
func (n *Node) file(do func(w http.ResponseWriter, r *http.Request, t *task) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		t, err := n.findJob(r)
		if err == nil {
			err = n.checkMayFetch(t, caller(r))
		}
		if err == nil && t.State != api.Done {
			err = refuse(http.StatusConflict, "job %s is %s", t.ID, t.State)
		}
		n.mu.Unlock()
		if err == nil {
			err = do(w, r, t)
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
	f, err := os.Open(path)
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
		n.mu.Lock()
		var s api.RequestStatus
		t, err := n.findJob(r)
		if err == nil {
			err = n.checkMayFetch(t, caller(r))
		}
		if err == nil {
			s, err = n.requestStatus(t, r.PathValue("request"))
		}
		if err == nil && s.State != api.Done {
			err = refuse(http.StatusConflict, "request %s is %s", s.ID, s.State)
		}
		n.mu.Unlock()
		if err == nil {
			err = do(w, r, n.requestFolder(t, s.ID), s.Results)
		}
		if err != nil {
			n.answer(w, func() (any, error) { return nil, err })
		}
	}
}

// results sends the results of a job that this party learns.
func (n *Node) results(w http.ResponseWriter, _ *http.Request, t *task) error {
	return n.zipped(w, n.folder(t), t.Results)
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

// list returns the jobs that a name may know of, the newest first.
func (n *Node) list(name string) []api.Job {
	n.mu.Lock()
	defer n.mu.Unlock()
	jobs := []api.Job{}
	for _, t := range n.tasks {
		if n.mayKnow(t, name) {
			jobs = append(jobs, t.Job)
		}
	}
	slices.SortFunc(jobs, func(a, b api.Job) int {
		return cmp.Or(b.Submitted.Compare(a.Submitted), cmp.Compare(a.ID, b.ID))
	})
	return jobs
}

func (n *Node) health() api.Health {
	n.mu.Lock()
	defer n.mu.Unlock()
	h := api.Health{Name: n.config.Name, Version: party.Version, Draining: n.closed}
	for _, t := range n.tasks {
		switch {
		case t.State == api.Running:
			h.Running++
		case !t.State.Final():
			h.Queued++
		}
	}
	return h
}

// level returns the node's present load, for the metrics.
func (n *Node) level() ops.Load {
	stored := n.stored()
	n.mu.Lock()
	defer n.mu.Unlock()
	// All three states are set, so that monitoring sees zeros for empty queues too.
	open := map[string]int{string(api.Pending): 0, string(api.Queued): 0, string(api.Running): 0}
	l := ops.Load{Jobs: open, Stored: stored, Memory: n.config.Limits.Memory - n.memory, Limit: n.config.Limits.Memory}
	for _, t := range n.tasks {
		l.Jobs[string(t.State)]++
	}
	return l
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
