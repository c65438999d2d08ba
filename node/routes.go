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

// routes are the control API.
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
		if !n.policy.Policy().Admin(caller(r)) {
			return nil, refuse(http.StatusForbidden, "%s is no admin of %s, who approve jobs", caller(r), n.config.Name)
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
			t, err := n.find(r)
			n.mu.Unlock()
			if err != nil {
				return nil, err
			}
			work, err := n.workOf(t)
			if err != nil {
				return nil, err
			}
			return n.request(t, work, ask, caller(r))
		})
	})
	m.HandleFunc("GET /v1/jobs/{id}/requests/{request}", n.withJob(func(t *task, r *http.Request) (any, error) { return n.servedOf(t, r.PathValue("request")) }))
	m.HandleFunc("GET /v1/jobs/{id}/requests/{request}/report", n.servedFile(func(w http.ResponseWriter, r *http.Request, folder string, _ int) error {
		return n.sendReport(w, r, filepath.Join(folder, reportFile))
	}))
	m.HandleFunc("GET /v1/jobs/{id}/requests/{request}/results", n.servedFile(func(w http.ResponseWriter, _ *http.Request, folder string, results int) error {
		return n.zipped(w, folder, results)
	}))
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
			if err := n.same(t, caller(r), m); err != nil {
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
		"turns": func(t *task, r *http.Request) (any, error) {
			var m api.Turns
			if err := api.ReadMessage(r.Body, api.MaxMessage, &m); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			return struct{}{}, n.batch(t, m.Turns)
		},
		"release": func(t *task, r *http.Request) (any, error) {
			var m api.Release
			if err := api.ReadMessage(r.Body, api.MaxMessage, &m); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			n.mu.Lock()
			defer n.mu.Unlock()
			n.ended(t, caller(r), m)
			return struct{}{}, nil
		},
	} {
		m.HandleFunc("POST /v1/sessions/{id}/"+what, n.fromParty(what != "release", do))
	}
	return m
}

// caller is the name in the certificate of who asks.
func caller(r *http.Request) string {
	name, _ := r.Context().Value(callerKey{}).(string)
	return name
}

// answer writes what f gives, or its error.
func (n *Node) answer(w http.ResponseWriter, f func() (any, error)) {
	v, err := f()
	if err == nil {
		api.Answer(w, v) // whose error is the caller's, who is gone
		return
	}
	var r refusal
	if !errors.As(err, &r) {
		r = refusal{http.StatusInternalServerError, err}
	}
	api.Refuse(w, r.status, n.config.bare(err.Error()))
}

// find is the job of a request, if who asks may know of it: the submitter,
// admins, and who may fetch its results.
func (n *Node) find(r *http.Request) (*task, error) {
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
	return n.policy.Policy().Admin(name) || slices.Contains(t.fetch, name)
}

// mayHave refuses files to who may not fetch them.
func (n *Node) mayHave(t *task, name string) error {
	if n.mayFetch(t, name) {
		return nil
	}
	return refuse(http.StatusForbidden, "%s may not fetch what %s learns from job %s (the policy names who may: fetch)", name, n.config.Name, t.ID)
}

// withJob answers a request about a job, with the node's lock held.
func (n *Node) withJob(do func(t *task, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			n.mu.Lock()
			defer n.mu.Unlock()
			t, err := n.find(r)
			if err != nil {
				return nil, err
			}
			return do(t, r)
		})
	}
}

// fromParty answers a party of a job, or the one of rank 0 alone, which leads
// it, and shows it meanwhile that this node lives.
func (n *Node) fromParty(lead bool, do func(t *task, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			defer api.Beat(w, n.config.Limits.Beat)()
			n.mu.Lock()
			t := n.tasks[r.PathValue("id")]
			n.mu.Unlock()
			if t == nil || !slices.Contains(t.Parties, caller(r)) || lead && t.Parties[0] != caller(r) {
				return nil, refuse(http.StatusNotFound, "job %.40q is not submitted here, or it is not for %s to say this of it", r.PathValue("id"), caller(r))
			}
			return do(t, r)
		})
	}
}

// file answers with a file of a finished job.
func (n *Node) file(do func(w http.ResponseWriter, r *http.Request, t *task) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		t, err := n.find(r)
		if err == nil {
			err = n.mayHave(t, caller(r))
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

// sendReport sends a report: to admins, who are this party's people, as it is, to
// others without times and memory, which can depend on this party's inputs.
func (n *Node) sendReport(w io.Writer, r *http.Request, path string) error {
	if n.policy.Policy().Admin(caller(r)) {
		return send(w, path)
	}
	report, err := profile.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errNotThere
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

var errNotThere = refuse(http.StatusNotFound, "it is not there any more")

func send(w io.Writer, path string) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errNotThere
	}
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(w, f)
	return err
}

// servedFile answers with a file of a finished request, from its folder.
func (n *Node) servedFile(do func(w http.ResponseWriter, r *http.Request, folder string, results int) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.mu.Lock()
		var s api.Served
		t, err := n.find(r)
		if err == nil {
			err = n.mayHave(t, caller(r))
		}
		if err == nil {
			s, err = n.servedOf(t, r.PathValue("request"))
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

// results sends what this party has learned of a job.
func (n *Node) results(w http.ResponseWriter, _ *http.Request, t *task) error {
	return n.zipped(w, n.folder(t), t.Results)
}

// zipped sends a zip of so many results.
func (n *Node) zipped(w http.ResponseWriter, folder string, results int) error {
	if results == 0 {
		return refuse(http.StatusNotFound, "%s learns no results of it", n.config.Name)
	}
	z := zip.NewWriter(w)
	dir := filepath.Join(folder, resultsFolder)
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return refuse(http.StatusNotFound, "the results are not there any more")
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

// list are the jobs that who asks may know of, the newest first.
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

// level is how full the node is.
func (n *Node) level() ops.Level {
	stored := n.stored()
	n.mu.Lock()
	defer n.mu.Unlock()
	// The queue is there when it is empty too, for who watches it.
	open := map[string]int{string(api.Pending): 0, string(api.Queued): 0, string(api.Running): 0}
	l := ops.Level{Jobs: open, Stored: stored, Memory: n.config.Limits.Memory - n.memory, Limit: n.config.Limits.Memory}
	for _, t := range n.tasks {
		l.Jobs[string(t.State)]++
	}
	return l
}

// stored counts the sessions that are ready in the party's store; there are
// none where there is no store.
func (n *Node) stored() int {
	f, err := store.Open(n.config.Store, n.config.Name)
	if err != nil {
		return 0
	}
	ready, err := f.Ready()
	if err != nil {
		n.log.Warn("the store cannot be looked at", "error", err.Error())
	}
	return ready
}
