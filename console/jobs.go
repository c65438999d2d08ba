package console

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
)

// Numbers of jobs on a page: of each node on the first page, and of one node on its own pages.
const (
	jobsOfNode = 20
	jobsOnPage = 50
)

// answerTime is Config.answerTime by default.
const answerTime = 10 * time.Second

// jobRoutes adds the pages of jobs.
func (s *Server) jobRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /jobs", s.page("jobs.html", s.jobsOf))
	m.HandleFunc("GET /jobs/{id}", s.page("job.html", s.job))
	m.HandleFunc("GET /jobs/{id}/log", s.page("log.html", s.log))
	m.HandleFunc("GET /jobs/{id}/report", s.reportPage)
	m.HandleFunc("GET /jobs/{id}/plan", s.planPage)
	m.HandleFunc("GET /jobs/{id}/results", s.page("results.html", s.results))
	m.HandleFunc("GET /jobs/{id}/results/{file}", s.resultFile)
	m.HandleFunc("POST /jobs/{id}/cancel", s.action(s.cancel))
	m.HandleFunc("POST /jobs/{id}/resume", s.action(s.resume))
	m.HandleFunc("GET /compare", s.page("compare.html", s.compare))
}

// jobsPage is the body of jobs.html.
type jobsPage struct {
	Lists  []jobList
	States []string // for the filter
	State  string
	Find   string
	Node   string // "" on the first page
}

// jobList has some jobs of one node.
type jobList struct {
	Node        string
	Error       string // why the node does not answer
	Rows        []jobRow
	Total       int
	First, Last int    // numbers of the jobs that are shown, from 1
	Newer       string // address of the page before; "" on the first one
	Older       string // address of the next page
	All         string // address of all jobs of the node
	State       string
}

// jobRow is a job at a node.
type jobRow struct {
	ID, Node, State, Submitter, Program string
	Submitted                           string
	Age                                 string
	What                                string
	Done, All                           int // progress; All is 0 if there is none
	Left                                string
	Sent                                string
	Serve                               bool
}

// overview shows the newest jobs of all nodes. With ?id= it leads to the job.
func (s *Server) overview(r *http.Request) (string, any, error) {
	return s.lists(r, s.names, jobsOfNode)
}

// jobsOf shows the jobs of one node, page by page.
func (s *Server) jobsOf(r *http.Request) (string, any, error) {
	names := s.names
	if name := r.URL.Query().Get("node"); name != "" {
		if _, err := s.node(name); err != nil {
			return "", nil, err
		}
		names = []string{name}
	}
	return s.lists(r, names, jobsOnPage)
}

func (s *Server) lists(r *http.Request, names []string, each int) (string, any, error) {
	v := r.URL.Query()
	p := &jobsPage{State: v.Get("state"), Find: v.Get("find"), Node: v.Get("node")}
	for _, x := range []api.State{api.Pending, api.Queued, api.Running, api.Done, api.Failed, api.Denied, api.Cancelled} {
		p.States = append(p.States, string(x))
	}
	if p.State != "" && !api.State(p.State).Valid() {
		return "", nil, fail(http.StatusBadRequest, "%.40q is no state of a job", p.State)
	}
	if len(p.Find) > 64 {
		return "", nil, fail(http.StatusBadRequest, "an id has at most 32 characters")
	}
	number, err := pageNumber(v)
	if err != nil {
		return "", nil, err
	}
	q := api.JobsQuery{Prefix: strings.TrimSpace(p.Find), State: api.State(p.State), Skip: (number - 1) * each, Limit: each}
	ctx, cancel := context.WithTimeout(r.Context(), s.config.answerTime)
	defer cancel()
	type answer struct {
		jobs  []api.Job
		total int
	}
	answers, errs := eachNode(s, names, func(c *api.Client) (answer, error) {
		jobs, total, err := c.List(ctx, q)
		return answer{jobs, total}, err
	})
	for i, name := range names {
		l := jobList{Node: name, Total: answers[i].total, State: p.State, All: jobsURL(name, p.State, p.Find, 1)}
		if errs[i] != nil {
			l.Error = oneLine(errs[i])
		}
		for _, j := range answers[i].jobs {
			l.Rows = append(l.Rows, s.row(j))
		}
		if n := len(l.Rows); n > 0 {
			l.First, l.Last = q.Skip+1, q.Skip+n
		}
		if number > 1 {
			l.Newer = jobsURL(name, p.State, p.Find, number-1)
		}
		if l.Last < l.Total && l.Last > 0 {
			l.Older = jobsURL(name, p.State, p.Find, number+1)
			if each != jobsOnPage {
				l.Older = l.All
			}
		}
		p.Lists = append(p.Lists, l)
	}
	return "Jobs", p, nil
}

// pageNumber returns the number of a page, from 1.
func pageNumber(v url.Values) (int, error) {
	text := v.Get("page")
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1_000_000 {
		return 0, fail(http.StatusBadRequest, "page: want a number from 1 to 1000000")
	}
	return n, nil
}

// jobsURL returns the address, below the base, of a page of a node's jobs.
func jobsURL(node, state, find string, page int) string {
	v := url.Values{"node": {node}}
	if state != "" {
		v.Set("state", state)
	}
	if find != "" {
		v.Set("find", find)
	}
	if page > 1 {
		v.Set("page", strconv.Itoa(page))
	}
	return "/jobs?" + v.Encode()
}

// row returns a job's row.
func (s *Server) row(j api.Job) jobRow {
	out := jobRow{
		ID: j.ID, Node: j.Node, State: string(j.State), Submitter: j.Submitter, Program: j.Program, Submitted: when(j.Submitted),
		Age:  ago(j.Submitted),
		What: what(j), Serve: j.Serve,
	}
	if j.State == api.Running {
		if out.Done, out.All = j.Round, j.Rounds; out.All == 0 {
			out.Done, out.All = j.Step, j.Steps
		}
		if r := s.planned(j.Node, j.ID); r != nil {
			out.Left, out.Sent = left(j, r), sent(j, r)
		}
	}
	return out
}

// what describes what a job does or why it has ended.
func what(j api.Job) string {
	switch {
	case j.Error != "":
		return j.Error
	case j.Phase == api.PhaseServing:
		return fmt.Sprintf("serves: %d answered, %d running, batches of at most %d", j.Step, j.Answering, j.Batch)
	}
	out := j.Phase
	if j.Rounds > 0 {
		out += fmt.Sprintf(", round %d of %d", j.Round, j.Rounds)
	}
	if j.Iteration > 0 {
		out += fmt.Sprintf(", iteration %d", j.Iteration)
	}
	return out
}

// phases are the phases of a session whose durations a plan predicts, in order.
var phases = []string{"offline", "input", "online", "output"}

// left returns the time that a running job still takes by its plan on the declared network.
func left(j api.Job, r *profile.Report) string {
	times := map[string]float64{"offline": r.Offline.Seconds - r.Offline.BesideOnline - r.Offline.BesideInput, "input": r.Input.Seconds,
		"online": r.Online.Seconds, "output": r.Output.Seconds}
	rest, seen := 0.0, false
	for _, phase := range phases {
		switch {
		case phase == j.Phase:
			seen = true
			rest += times[phase] * (1 - progress(j))
		case seen:
			rest += times[phase]
		}
	}
	if !seen {
		rest = times["offline"] + times["input"] + times["online"] + times["output"]
	}
	return seconds(rest)
}

// sent returns how many of the online bytes a running job has sent, by its plan.
func sent(j api.Job, r *profile.Report) string {
	var all int64
	for _, n := range r.Online.BytesSent {
		all += n
	}
	done := 0.0
	switch j.Phase {
	case "online":
		done = progress(j)
	case "output":
		done = 1
	}
	return fmt.Sprintf("about %s of %s", size(int64(done*float64(all))), size(all))
}

// progress returns the part of its phase that a running job has done, from 0 to 1.
func progress(j api.Job) float64 {
	switch {
	case j.Rounds > 0:
		return min(1, float64(j.Round)/float64(j.Rounds))
	case j.Steps > 0:
		return min(1, float64(j.Step)/float64(j.Steps))
	}
	return 0
}
