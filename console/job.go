package console

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/profile"
)

// maxArguments bounds the arguments of a job that a page lists.
const maxArguments = 200

// jobPage is the body of job.html.
type jobPage struct {
	ID, Program, Digest, Submitter, Protocol, Task string
	Parties, Keep, Uses, Resumes, Restart          string
	Programs                                       []string // a service's further programs
	Replaced                                       []string // which arguments of a service are replaced
	Offline, Serve                                 bool
	Arguments                                      []argumentRow
	MoreArguments                                  int
	Reveals                                        []revealRow
	At                                             []nodeRow
	Differ                                         bool // the nodes describe the job differently
	Warnings                                       []string
	Open                                           bool   // it has not ended at some node
	MayResume                                      bool   // the console can submit it again
	ResumeBy                                       string // command that resumes it; "" if it cannot be resumed
	Live                                           bool
}

type argumentRow struct {
	Number                  int
	Type, Owner, Input, Own string
	Public, Ours            bool
}

type revealRow struct{ What, Name, By string }

// nodeRow is what one node says of a job.
type nodeRow struct {
	jobRow
	Rule, Inputs, Session, Started, Ended, Checkpoint, Loss string
	Results                                                 int
	Pending                                                 bool
	Report, Log                                             bool
	Plan                                                    *costRow
	PlanError                                               string
	Planning                                                bool
}

// costRow is what a job costs by its plan.
type costRow struct {
	Online, Offline, Rounds, Memory string
	Times                           []profile.Network
	Input, OnlineTime, Output       string
	OfflineTime                     string
}

// validID reports whether a text may be a job's id.
var validID = regexp.MustCompile(`^[0-9a-f]{1,32}$`)

// find returns a job's status at all nodes that show it, and warnings of the others. At least one shows it.
func (s *Server) find(ctx context.Context, id string) (jobs []api.Job, warnings []string, err error) {
	if !validID.MatchString(id) {
		return nil, nil, fail(http.StatusNotFound, "%.40q is no id of a job", id)
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.answerTime)
	defer cancel()
	answers, errs := eachNode(s, s.names, func(c *api.Client) (api.Job, error) { return c.Job(ctx, id) })
	for i := range answers {
		var refused *api.Refused
		switch {
		case errs[i] == nil && answers[i].ID != id:
			warnings = append(warnings, fmt.Sprintf("%s sent the status of another job", s.names[i]))
		case errs[i] == nil:
			jobs = append(jobs, answers[i])
		case errors.As(errs[i], &refused) && refused.Status == http.StatusNotFound:
		default:
			warnings = append(warnings, oneLine(errs[i]))
		}
	}
	if len(jobs) == 0 && len(warnings) > 0 {
		return nil, nil, fail(http.StatusBadGateway, "no node shows job %s: %s", id, strings.Join(warnings, "; "))
	}
	if len(jobs) == 0 {
		return nil, nil, fail(http.StatusNotFound, "no node shows a job %s to %s", id, s.config.Self)
	}
	return jobs, warnings, nil
}

// programs names a service's further programs with their digests.
func programs(j api.Job) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(j.Programs)) {
		out = append(out, fmt.Sprintf("%q, %s", name, j.Programs[name]))
	}
	return out
}

// replaced says which arguments of a service are replaced by results.
func replaced(j api.Job) []string {
	var out []string
	for _, arg := range slices.Sorted(maps.Keys(j.Replaced)) {
		out = append(out, fmt.Sprintf("result %d of each request is argument %d of the next one", j.Replaced[arg], arg))
	}
	return out
}

// job shows one job.
func (s *Server) job(r *http.Request) (string, any, error) {
	jobs, warnings, err := s.find(r.Context(), r.PathValue("id"))
	if err != nil {
		return "", nil, err
	}
	j := jobs[0]
	p := &jobPage{
		ID: j.ID, Program: j.Program, Digest: j.Digest, Submitter: j.Submitter, Task: j.Task, Parties: strings.Join(j.Parties, ", "),
		Keep: j.Keep, Uses: strings.Join(j.Kept, ", "), Resumes: j.Resumes, Restart: j.Restart, Offline: j.Offline, Serve: j.Serve,
		Programs: programs(j), Replaced: replaced(j), Warnings: warnings,
		Protocol: fmt.Sprintf("%s among %s, ring %d, fraction %d", j.Protocol, strings.Join(j.Parties[:max(0, min(j.Computing,
			len(j.Parties)))], ", "), j.Ring, j.Fraction),
	}
	p.Arguments, p.MoreArguments = argumentRows(jobs)
	for _, l := range j.Reveals {
		p.Reveals = append(p.Reveals, revealRow{l.What, l.Name, strings.Join(l.By, ", ")})
	}
	resumable := false
	for _, at := range jobs {
		x := nodeRow{
			jobRow: s.row(at), Rule: at.Rule, Inputs: strings.Join(at.Inputs, ", "), Session: at.Session, Results: at.Results,
			Started: when(at.Started), Ended: when(at.Ended), Checkpoint: at.NewestCheckpoint, Loss: at.Loss,
			Pending: at.State == api.Pending,
			Report:  at.State == api.Done && !at.Serve,
		}
		if at.CheckpointError != "" {
			x.Checkpoint = strings.TrimPrefix(x.Checkpoint+"; failed: "+at.CheckpointError, "; ")
		}
		if !at.State.Final() {
			p.Open = true
			s.planRow(r.Context(), at, &x, 300*time.Millisecond)
			x.jobRow = s.row(at) // with what the plan says
		}
		resumable = resumable || at.State == api.Failed || at.State == api.Cancelled
		p.Differ = p.Differ || differs(at, j)
		p.At = append(p.At, x)
	}
	if resumable && !p.Open && !j.Serve {
		p.MayResume = s.config.Resume != nil
		p.ResumeBy = "tacet submit JOB.yaml --resume " + j.ID
	}
	p.Live = p.Open
	return fmt.Sprintf("Job %.8s", j.ID), p, nil
}

// differs reports whether two nodes describe a job differently.
func differs(a, b api.Job) bool {
	return a.Digest != b.Digest || !maps.Equal(a.Programs, b.Programs) ||
		a.Submitter != b.Submitter || !slices.Equal(a.Parties, b.Parties) || a.Protocol != b.Protocol ||
		a.Ring != b.Ring ||
		a.Fraction != b.Fraction || !slices.EqualFunc(a.Reveals, b.Reveals, func(x, y api.Learned) bool {
		return x.What == y.What &&
			slices.Equal(x.By, y.By)
	})
}

// argumentRows describes a job's arguments. Each node knows what its own party's files hold.
func argumentRows(jobs []api.Job) (rows []argumentRow, more int) {
	all := jobs[0].Arguments
	for i, a := range all[:min(len(all), maxArguments)] {
		owner := a.Owner
		for _, other := range jobs {
			if owner == "" && i < len(other.Arguments) {
				owner = other.Arguments[i].Owner
			}
		}
		rows = append(rows, argumentRow{Number: i, Type: a.Type, Owner: ownership(owner), Public: owner == policy.Public})
	}
	return rows, max(0, len(all)-maxArguments)
}

// ownership says whose an argument is.
func ownership(owner string) string {
	switch owner {
	case "":
		return "not assigned yet: the content of another party's file says whose it is"
	case policy.Public:
		return "public: its value is the submitter's choice"
	case policy.Kept:
		return "a kept result"
	case policy.Joined:
		return "made by the hidden join, as shares"
	}
	return owner
}

// planRow plans a job that has not ended, if the identity may fetch its submission.
func (s *Server) planRow(ctx context.Context, j api.Job, to *nodeRow, wait time.Duration) {
	if j.Offline {
		return
	}
	if r := s.planned(j.Node, j.ID); r != nil {
		to.Plan = cost(r)
		return
	}
	sub, err := s.submission(ctx, j)
	if err != nil {
		if !errors.As(err, new(*api.Refused)) {
			to.PlanError = oneLine(err)
		}
		return
	}
	r, ready, err := s.plans.get(planKey(j.Node, j.ID), wait, func(ctx context.Context) (*profile.Report, error) {
		return planOf(ctx,
			j, sub)
	})
	switch {
	case !ready:
		to.Planning = true
	case err != nil:
		to.PlanError = oneLine(err)
	default:
		to.Plan = cost(r)
	}
}

// submission fetches the submission of a job that has not ended, and compares it with the job's status.
func (s *Server) submission(ctx context.Context, j api.Job) (*api.Submission, error) {
	c, err := s.node(j.Node)
	if err != nil {
		return nil, err
	}
	sub, err := c.Submission(ctx, j.ID)
	if err != nil {
		return nil, err
	}
	if sub.ID != j.ID || sub.Program.Digest() != j.Digest {
		return nil, fail(http.StatusBadGateway,
			"%s sent a submission that is not the job's (digest %s, status %s): do not approve the job",
			j.Node, sub.Program.Digest(), j.Digest)
	}
	if !maps.Equal(sub.ProgramDigests(), j.Programs) {
		return nil, fail(http.StatusBadGateway, "%s sent a submission with other further programs than the job's status lists: do not approve the job", j.Node)
	}
	return sub, nil
}

// cost returns what a job costs by its plan.
func cost(r *profile.Report) *costRow {
	var online int64
	for _, n := range r.Online.BytesSent {
		online += n
	}
	out := &costRow{
		Online: size(online), Offline: size(r.Offline.BytesSent), Rounds: plural(r.Online.Rounds, "round"), Memory: size(r.PeakMemoryBytes),
		Input: seconds(r.Input.Seconds), OnlineTime: seconds(r.Online.Seconds), Output: seconds(r.Output.Seconds),
		OfflineTime: seconds(r.Offline.Seconds),
	}
	return out
}

// logPage is the body of log.html.
type logPage struct {
	ID, Node string
	Lines    []logLine
}

type logLine struct{ Time, Level, Text string }

// log shows a node's log lines about a job.
func (s *Server) log(r *http.Request) (string, any, error) {
	id := r.PathValue("id")
	c, err := s.node(r.URL.Query().Get("node"))
	if err != nil {
		return "", nil, err
	}
	if !validID.MatchString(id) {
		return "", nil, fail(http.StatusNotFound, "%.40q is no id of a job", id)
	}
	lines, err := c.Log(r.Context(), id)
	if err != nil {
		return "", nil, err
	}
	p := &logPage{ID: id, Node: c.Name()}
	for _, l := range lines[max(0, len(lines)-1000):] {
		p.Lines = append(p.Lines, logLine{when(l.Time), l.Level, l.Text})
	}
	return fmt.Sprintf("Log of job %.8s at %s", id, c.Name()), p, nil
}

// cancel cancels a job at all nodes at which it has not ended.
func (s *Server) cancel(r *http.Request) (string, error) {
	jobs, _, err := s.find(r.Context(), r.PathValue("id"))
	if err != nil {
		return "", err
	}
	clients, names := map[string]*api.Client{}, []string{}
	for _, j := range jobs {
		if !j.State.Final() {
			clients[j.Node], names = s.config.Nodes[j.Node], append(names, j.Node)
		}
	}
	if len(names) == 0 {
		return "", fail(http.StatusConflict, "job %s has ended already: it is %s", jobs[0].ID, jobs[0].State)
	}
	if err := cluster.Cancel(r.Context(), clients, names, jobs[0].ID); err != nil {
		return "", err
	}
	s.say("Job %.8s is cancelled at %s.", jobs[0].ID, strings.Join(names, ", "))
	return "/jobs/" + jobs[0].ID, nil
}

// resume submits the console's job as one that resumes a failed job.
func (s *Server) resume(r *http.Request) (string, error) {
	id := r.PathValue("id")
	if s.config.Resume == nil || !validID.MatchString(id) {
		return "", fail(http.StatusConflict, "start the console with the job's file to resume it: tacet console JOB.yaml")
	}
	next, err := s.config.Resume(r.Context(), id)
	if err != nil {
		return "", err
	}
	s.say("Job %.8s resumes job %.8s.", next, id)
	return "/jobs/" + next, nil
}

// report fetches a job's or request's report from the node that a request names.
func (s *Server) report(ctx context.Context, node, id string) (*profile.Report, error) {
	c, err := s.node(node)
	if err != nil {
		return nil, err
	}
	if !validID.MatchString(id) {
		return nil, fail(http.StatusNotFound, "%.40q is no id of a job", id)
	}
	return cluster.FetchReport(ctx, c, id)
}

// reportPage shows the report of a finished job, as tacet report --html writes it.
func (s *Server) reportPage(w http.ResponseWriter, r *http.Request) {
	rep, err := s.report(r.Context(), r.URL.Query().Get("node"), r.PathValue("id"))
	s.profilePage(w, r, rep, err)
}

// planPage shows the plan of a job that has not ended.
func (s *Server) planPage(w http.ResponseWriter, r *http.Request) {
	rep := s.planned(r.URL.Query().Get("node"), r.PathValue("id"))
	var err error
	if rep == nil {
		err = fail(http.StatusNotFound, "there is no plan of this job yet: open the job's page first")
	}
	s.profilePage(w, r, rep, err)
}

// profilePage shows a report or a plan. Its style is in the page itself: the security policy names its hash.
func (s *Server) profilePage(w http.ResponseWriter, r *http.Request, rep *profile.Report, err error) {
	var text []byte
	if err == nil {
		text, err = profile.HTML(rep)
	}
	if err != nil {
		s.page("error.html", func(*http.Request) (string, any, error) { return "", nil, err })(w, r)
		return
	}
	w.Header().Set("Content-Security-Policy",
		"default-src 'none'; style-src '"+styleHash(text)+"'; base-uri 'none'; frame-ancestors 'none'")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write(text) // an error means that the caller has disconnected
}

// styleHash returns the hash of a page's style, as security policies name it.
func styleHash(page []byte) string {
	_, rest, _ := strings.Cut(string(page), "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
