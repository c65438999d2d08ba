package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/tacet-mpc/tacet/node/api"
)

// Bounds of an approval's page: lines of the program and of a comparison, arguments, and waits for what takes long.
const (
	textLines  = 400
	diffLines  = 400
	maxDiff    = 4 << 20 // bytes of each program that is compared
	shortWait  = 250 * time.Millisecond
	approvals  = 100
	linesShown = 1000 // lines of a page of the program
)

// approvalRoutes adds the pages of approvals.
func (s *Server) approvalRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /approvals", s.page("approvals.html", s.approvalList))
	m.HandleFunc("GET /approvals/{node}/{id}", s.page("approval.html", s.approval))
	m.HandleFunc("POST /approvals/{node}/{id}", s.action(s.decide))
	m.HandleFunc("GET /programs/{node}/{id}", s.page("program.html", s.program))
	m.HandleFunc("GET /programs/{node}/{id}/text", s.programText)
}

// approvalList shows the jobs that wait for an approval.
func (s *Server) approvalList(r *http.Request) (string, any, error) {
	ctx, cancel := context.WithTimeout(r.Context(), s.config.answerTime)
	defer cancel()
	answers, errs := eachNode(s, s.names, func(c *api.Client) ([]api.Job, error) {
		jobs, _, err := c.List(ctx, api.JobsQuery{State: api.Pending, Limit: approvals})
		return jobs, err
	})
	p := &jobsPage{}
	for i, name := range s.names {
		l := jobList{Node: name, Total: len(answers[i])}
		if errs[i] != nil {
			l.Error = oneLine(errs[i])
		}
		for _, j := range answers[i] {
			l.Rows = append(l.Rows, s.row(j))
		}
		p.Lists = append(p.Lists, l)
	}
	return "Approvals", p, nil
}

// approvalPage is the body of approval.html.
type approvalPage struct {
	jobPage
	Node, State, File, Rule string
	Pending                 bool
	Settings                []string
	Inputs                  []inputRow
	Outline                 *outline
	OutlineError            string
	Thinking                bool // the outline is being made
	LogReading              string
	Text                    []string
	MoreText                int
	Last                    *api.Approval
	LastTime                string
	Same                    bool
	Changed                 []string // further programs of the service that are not those of the last approval
	Further                 []string // names of the service's further programs
	Diff                    []diffLine
	NoDiff                  string
	Cost                    nodeRow
	Always                  *alwaysView
	Errors                  []string
	RevealsCount            int
}

// inputRow is an input of the node's party.
type inputRow struct {
	Name, Asked, Args, Types, Columns, SHA256, Changed, Size, Error string
	Last                                                            string // when and by whom it was used last
	Uses                                                            int
	Known                                                           bool // it was used with this hash
	Resident                                                        bool
}

type diffLine struct{ Kind, Text string }

// alwaysView is the rule that would allow the job again.
type alwaysView struct {
	Rule, SHA256, Why string
	Diff              []diffLine
	Public            string
	May               bool
}

// approval shows all that an admin needs to approve or deny a job.
func (s *Server) approval(r *http.Request) (string, any, error) {
	node, id := r.PathValue("node"), r.PathValue("id")
	c, err := s.node(node)
	if err != nil {
		return "", nil, err
	}
	jobs, warnings, err := s.find(r.Context(), id)
	if err != nil {
		return "", nil, err
	}
	at := slices.IndexFunc(jobs, func(j api.Job) bool { return j.Node == node })
	if at < 0 {
		return "", nil, fail(http.StatusNotFound, "%s does not show job %.8s: %s", node, id, strings.Join(warnings, "; "))
	}
	j := jobs[at]
	jobs[0], jobs[at] = jobs[at], jobs[0] // what this node says counts
	p := &approvalPage{Node: node, State: string(j.State), Rule: j.Rule, Pending: j.State == api.Pending}
	p.jobPage = jobPage{
		ID: j.ID, Program: j.Program, Digest: j.Digest, Submitter: j.Submitter, Task: j.Task, Parties: strings.Join(j.Parties, ", "),
		Keep: j.Keep,
		Uses: strings.Join(j.Kept, ", "), Resumes: j.Resumes, Restart: j.Restart, Offline: j.Offline, Serve: j.Serve, Warnings: warnings,
		Programs: programs(j), Replaced: replaced(j),
		Protocol: fmt.Sprintf("%s among %s, ring %d, fraction %d", j.Protocol,
			strings.Join(j.Parties[:max(0, min(j.Computing, len(j.Parties)))], ", "), j.Ring, j.Fraction),
	}
	for _, other := range jobs {
		p.Differ = p.Differ || differs(other, j)
	}
	p.Arguments, p.MoreArguments = argumentRows(jobs)
	for i := range p.Arguments {
		p.Arguments[i].Ours = j.Arguments[i].Owner == node
	}
	for _, l := range j.Reveals {
		p.Reveals = append(p.Reveals, revealRow{l.What, l.Name, strings.Join(l.By, ", ")})
	}
	if j.State.Final() {
		return fmt.Sprintf("Job %.8s at %s", id, node), p, nil
	}
	sub, err := s.submission(r.Context(), j)
	if err != nil {
		return "", nil, err
	}
	p.File = sub.File
	p.Further = slices.Sorted(maps.Keys(sub.Programs))
	for key, value := range sub.Set {
		p.Settings = append(p.Settings, key+": "+value)
	}
	slices.Sort(p.Settings)
	p.RevealsCount = sub.Reveals
	var work sync.WaitGroup
	var mu sync.Mutex
	wrong := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		p.Errors = append(p.Errors, oneLine(err))
	}
	work.Go(func() { s.approvalInputs(r.Context(), c, j, p, wrong) })
	work.Go(func() { s.approvalProgram(r.Context(), c, j, sub, p, wrong) })
	work.Go(func() { s.planRow(r.Context(), j, &p.Cost, shortWait) })
	if p.Pending {
		work.Go(func() { s.approvalAlways(r.Context(), c, j, p, wrong) })
	}
	work.Wait()
	slices.Sort(p.Errors)
	p.Live = p.Thinking || p.Cost.Planning || p.LogReading != ""
	return fmt.Sprintf("Job %.8s at %s", id, node), p, nil
}

// approvalInputs describes the inputs of the node's party, with their last use.
func (s *Server) approvalInputs(ctx context.Context, c *api.Client, j api.Job, p *approvalPage, wrong func(error)) {
	inputs, err := c.OwnInputs(ctx, j.ID)
	if err != nil {
		wrong(err)
		return
	}
	log, err := s.audits.read(ctx, c, shortWait)
	if text := log.readingText(); text != "" {
		p.LogReading = "The last uses of inputs are not complete: " + strings.ToLower(text[:1]) + text[1:]
	}
	if err != nil {
		wrong(fmt.Errorf("the last uses of inputs are not known: %w", err))
	}
	if log.broken != "" {
		wrong(fmt.Errorf("the audit log is broken, so that the last uses of inputs may be missing: %s", log.broken))
	}
	before := map[string][]*use{}
	if err == nil {
		before = usesIn(log)
	}
	for _, in := range inputs {
		row := inputRow{
			Name: in.Name, SHA256: in.SHA256, Size: size(in.Bytes), Changed: when(in.Modified), Error: in.Error, Resident: in.Resident,
			Last: "never",
		}
		if in.Asked != in.Name {
			row.Asked = in.Asked
		}
		var args, types []string
		for _, a := range in.Args[:min(len(in.Args), 20)] {
			args = append(args, fmt.Sprint(a))
			if a >= 0 && a < len(j.Arguments) {
				types = append(types, j.Arguments[a].Type)
			}
		}
		row.Args, row.Types = strings.Join(args, ", "), strings.Join(types, ", ")
		switch {
		case in.Table && in.Columns == nil:
			row.Columns = "all columns"
		case in.Table:
			row.Columns = strings.Join(in.Columns, ", ")
		}
		if len(in.Prepared) > 0 {
			row.Columns += "; prepared: " + strings.Join(in.Prepared, ", ")
		}
		all := before[in.Name]
		row.Uses = len(all)
		if len(all) > 0 {
			row.Last = fmt.Sprintf("%s by %s (job %.8s)", when(all[0].time), all[0].by, all[0].job)
		}
		row.Known = slices.ContainsFunc(all, func(u *use) bool { return u.sha256 == in.SHA256 })
		p.Inputs = append(p.Inputs, row)
	}
}

// ourArguments returns the numbers of the arguments that the node's party owns.
func ourArguments(j api.Job) (out []int) {
	for i, a := range j.Arguments {
		if a.Owner == j.Node {
			out = append(out, i)
		}
	}
	return out
}

// approvalProgram describes the program, and compares it with the last approved one.
func (s *Server) approvalProgram(ctx context.Context, c *api.Client, j api.Job, sub *api.Submission, p *approvalPage, wrong func(error)) {
	o, ready, err := s.outline(j, sub)
	switch {
	case !ready:
		p.Thinking = true
	case err != nil:
		p.OutlineError = oneLine(err)
		p.Text, p.MoreText = firstLines(strings.Split(string(sub.Program.Text), "\n"), textLines)
	default:
		copied := *o // texts on a page are changed to printable ones
		copied.Operations, copied.Layers, copied.Warnings = slices.Clone(o.Operations), slices.Clone(o.Layers), slices.Clone(o.Warnings)
		copied.Paths = slices.Clone(o.Paths)
		for i := range copied.Paths {
			copied.Paths[i].Steps = slices.Clone(copied.Paths[i].Steps)
		}
		copied.Lines = nil
		p.Outline = &copied
		p.Text, p.MoreText = firstLines(o.Lines, textLines)
	}
	last, err := c.LastApproval(ctx, j.ID)
	if err != nil {
		wrong(err)
		return
	}
	if !last.Known {
		return
	}
	p.Last, p.LastTime, p.Same = &last, when(last.Time), last.Digest == j.Digest
	for _, name := range slices.Sorted(maps.Keys(j.Programs)) {
		switch before, known := last.Programs[name]; {
		case !known:
			p.Changed = append(p.Changed, fmt.Sprintf("further program %q is new", name))
		case before != j.Programs[name]:
			p.Changed = append(p.Changed, fmt.Sprintf("further program %q is another one", name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(last.Programs)) {
		if _, still := j.Programs[name]; !still {
			p.Changed = append(p.Changed, fmt.Sprintf("further program %q is gone", name))
		}
	}
	switch {
	case p.Same:
	case last.Text == nil || len(last.Text) > maxDiff || len(sub.Program.Text) > maxDiff:
		p.NoDiff = "The programs are too long to be compared here."
	case bytes.HasPrefix(last.Text, []byte("ML\xefR")) || bytes.HasPrefix(sub.Program.Text, []byte("ML\xefR")):
		p.NoDiff = "One of the programs is a serialised artifact, which is not compared as text."
	default:
		p.Diff = changes(last.Text, sub.Program.Text)
	}
	last.Text = nil
}

// outline returns a program's outline, which is made in the background.
func (s *Server) outline(j api.Job, sub *api.Submission) (*outline, bool, error) {
	return s.outlines.get(j.Node+"/"+j.ID+fmt.Sprint(ourArguments(j)), shortWait, func(ctx context.Context) (*outline, error) {
		return outlineOf(ctx, j.Program, sub.Program.Text, ourArguments(j), len(sub.Reveal) > 0)
	})
}

// firstLines returns copies of the first lines, and the number of the others.
func firstLines(lines []string, most int) (out []string, more int) {
	n := min(len(lines), most)
	return slices.Clone(lines[:n]), len(lines) - n
}

// changes returns the lines that differ between two texts, with some around them.
func changes(old, new []byte) (out []diffLine) {
	text := diff.Diff("before", old, "after", new)
	for l := range strings.Lines(string(text)) {
		l = strings.TrimRight(l, "\n")
		if len(out) == diffLines {
			return append(out, diffLine{"at", "… more differs"})
		}
		switch {
		case strings.HasPrefix(l, "diff "), strings.HasPrefix(l, "--- "), strings.HasPrefix(l, "+++ "):
		case strings.HasPrefix(l, "@@"):
			out = append(out, diffLine{"at", l})
		case strings.HasPrefix(l, "+"):
			out = append(out, diffLine{"added", l})
		case strings.HasPrefix(l, "-"):
			out = append(out, diffLine{"gone", l})
		default:
			out = append(out, diffLine{"", l})
		}
	}
	return out
}

// approvalAlways shows the rule that would allow the job again.
func (s *Server) approvalAlways(ctx context.Context, c *api.Client, j api.Job, p *approvalPage, wrong func(error)) {
	a, err := c.Always(ctx, j.ID)
	if err != nil {
		wrong(err)
		return
	}
	v := &alwaysView{Rule: a.Rule, SHA256: a.SHA256, Why: a.Why, May: a.Why == ""}
	if a.After != nil {
		v.Diff = changes(a.Before, a.After)
	} else {
		for l := range strings.Lines(string(a.Text)) {
			v.Diff = append(v.Diff, diffLine{"added", "+" + strings.TrimRight(l, "\n")})
		}
	}
	var public []string
	for _, arg := range a.Public {
		public = append(public, fmt.Sprint(arg))
	}
	v.Public = strings.Join(public, ", ")
	p.Always = v
}

// decide carries out an approval or a denial.
func (s *Server) decide(r *http.Request) (string, error) {
	node, id := r.PathValue("node"), r.PathValue("id")
	c, err := s.node(node)
	if err != nil {
		return "", err
	}
	if !validID.MatchString(id) {
		return "", fail(http.StatusNotFound, "%.40q is no id of a job", id)
	}
	reason := strings.TrimSpace(r.PostForm.Get("reason"))
	reason = strings.Join(strings.Fields(reason), " ") // one line
	if err := (api.Reason{Reason: reason}).Check(); err != nil {
		return "", fail(http.StatusBadRequest, "%w", err)
	}
	switch decision := r.PostForm.Get("decision"); decision {
	case "approve":
		j, err := c.Job(r.Context(), id)
		if err != nil {
			return "", err
		}
		if seen := r.PostForm.Get("digest"); seen != j.Digest { // the page that was read was about this program
			return "", fail(http.StatusConflict,
				"the program is not the one that was shown (%s, shown was %.80s): open the page again", j.Digest, seen)
		}
		added := ""
		if r.PostForm.Get("always") == "yes" {
			a := api.Always{Rule: r.PostForm.Get("rule"), SHA256: r.PostForm.Get("policy")}
			if err := c.AddRule(r.Context(), id, a); err != nil {
				return "", fmt.Errorf("nothing was approved, and the policy is as it was: %w", err)
			}
			added = fmt.Sprintf(" The policy of %s has the new rule %q.", node, a.Rule)
		}
		if j, err = c.ApproveFor(r.Context(), id, reason); err != nil {
			return "", errors.Join(err)
		}
		s.say("Job %.8s is approved at %s: it is %s.%s", id, node, j.State, added)
	case "deny":
		if _, err := c.Deny(r.Context(), id, reason); err != nil {
			return "", err
		}
		s.say("Job %.8s is denied at %s.", id, node)
	default:
		return "", fail(http.StatusBadRequest, "decision: want approve or deny")
	}
	return "/jobs/" + id, nil
}

// programPage is the body of program.html.
type programPage struct {
	ID, Node, Digest string
	Name             string // of a service's further program; "" for the first one
	Lines            []sourceLine
	All              int
	Newer, Older     string
}

type sourceLine struct {
	Number int
	Text   string
	Hot    bool
}

// program shows the exact text of a job's program, page by page.
func (s *Server) program(r *http.Request) (string, any, error) {
	j, sub, err := s.openJob(r)
	if err != nil {
		return "", nil, err
	}
	number, err := pageNumber(r.URL.Query())
	if err != nil {
		return "", nil, err
	}
	text, name, err := programOf(r, sub)
	if err != nil {
		return "", nil, err
	}
	lines := strings.Split(string(text.Text), "\n")
	if name == "" {
		if o, ready, err := s.outline(j, sub); ready && err == nil {
			lines = o.Lines
		}
	}
	p := &programPage{ID: j.ID, Node: j.Node, Digest: text.Digest(), Name: name, All: len(lines)}
	from := min((number-1)*linesShown, len(lines))
	for i, l := range lines[from:min(from+linesShown, len(lines))] {
		p.Lines = append(p.Lines, sourceLine{from + i + 1, l, false})
	}
	at := fmt.Sprintf("/programs/%s/%s?program=%s&page=", j.Node, j.ID, url.QueryEscape(name))
	if number > 1 {
		p.Newer = at + fmt.Sprint(number-1)
	}
	if from+linesShown < len(lines) {
		p.Older = at + fmt.Sprint(number+1)
	}
	return fmt.Sprintf("Program of job %.8s", j.ID), p, nil
}

// programOf returns the program of a submission that a query names, and its name: a service's further one, or the first one
// without a name.
func programOf(r *http.Request, sub *api.Submission) (api.Program, string, error) {
	name := r.URL.Query().Get("program")
	if name == "" {
		return sub.Program, "", nil
	}
	p, ok := sub.Programs[name]
	if !ok {
		return p, "", fail(http.StatusNotFound, "the job has no further program %.40q", name)
	}
	return p, name, nil
}

// openJob returns the status and submission of the job that a path names by node and id.
func (s *Server) openJob(r *http.Request) (api.Job, *api.Submission, error) {
	c, err := s.node(r.PathValue("node"))
	if err != nil {
		return api.Job{}, nil, err
	}
	if id := r.PathValue("id"); !validID.MatchString(id) {
		return api.Job{}, nil, fail(http.StatusNotFound, "%.40q is no id of a job", id)
	}
	j, err := c.Job(r.Context(), r.PathValue("id"))
	if err != nil {
		return j, nil, err
	}
	sub, err := s.submission(r.Context(), j)
	return j, sub, err
}

// programText sends a job's program byte for byte.
func (s *Server) programText(w http.ResponseWriter, r *http.Request) {
	_, sub, err := s.openJob(r)
	var text api.Program
	if err == nil {
		text, _, err = programOf(r, sub)
	}
	if err != nil {
		s.page("error.html", func(*http.Request) (string, any, error) { return "", nil, err })(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="program.mlir"`)
	w.Write(text.Text) // an error means that the caller has disconnected
}
