package console

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// maxEvents bounds the events of a log that the console holds, the newest ones; eventsOnPage those of a page.
const (
	maxEvents    = 200_000
	eventsOnPage = 100
)

// audits holds what the console has read of the nodes' audit logs.
type audits struct {
	ctx  context.Context // ends readings when the server ends
	mu   sync.Mutex
	logs map[string]*auditLog
}

// auditLog is one node's audit log, as far as it was read. Each reading asks only for what is new.
type auditLog struct {
	mu      sync.Mutex
	after   audit.Position
	events  []audit.Event // the newest ones; their elements are not changed once they are here
	dropped int64         // events before these that were read and are not held
	missing int64         // lines before the first event, in files that the node has removed
	head    *audit.Head   // the newest signed head; nil if the node signs none
	broken  string        // what is wrong with the log; "" if its chain is intact
	at      time.Time     // when it was read
	err     error         // why it could not be read then
	reading chan struct{} // closed when the reading in progress ends; nil if there is none
	uses    map[string][]*use
	usesOf  int64 // lines of the log that uses describes, plus 1
}

// auditView is a copy of what is known of a log, whose events must not be changed.
type auditView struct {
	events           []audit.Event
	dropped, missing int64
	lines            int64
	hash             string
	head             *audit.Head
	broken           string
	unread           int64 // lines that the node has signed and that are still being read
	reading          bool  // the log has not been read to its end yet
	log              *auditLog
}

// auditAge is how old a reading may be before the log is read again.
const auditAge = time.Second

// read reads what is new in a node's log and returns all that is known of it. A log that takes longer than wait to read is
// read on in the background: what is known until then has no verified end (auditView.reading).
func (a *audits) read(ctx context.Context, c *api.Client, wait time.Duration) (auditView, error) {
	a.mu.Lock()
	if a.logs == nil {
		a.logs = map[string]*auditLog{}
	}
	l := a.logs[c.Name()]
	if l == nil {
		l = &auditLog{}
		a.logs[c.Name()] = l
	}
	a.mu.Unlock()
	l.mu.Lock()
	if l.reading == nil && time.Since(l.at) > auditAge {
		done := newSignal()
		l.reading = done
		go func() {
			ctx, cancel := context.WithTimeout(a.ctx, maxReading)
			defer cancel()
			err := l.refresh(ctx, c)
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.err = err; err == nil {
				l.at = time.Now()
			}
			l.reading = nil
			close(done)
		}()
	}
	reading := l.reading
	l.mu.Unlock()
	if reading != nil {
		select {
		case <-reading:
		case <-time.After(wait):
		case <-ctx.Done():
			return auditView{}, context.Cause(ctx)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.reading == nil && l.err != nil {
		return auditView{}, l.err
	}
	v := auditView{
		events: slices.Clip(l.events), dropped: l.dropped, missing: l.missing, lines: l.after.Lines, hash: l.after.Hash, head: l.head,
		broken: l.broken, reading: l.reading != nil && l.at.IsZero(), log: l,
	}
	if v.reading && l.head != nil {
		v.unread = max(0, l.head.Lines-l.dropped-int64(len(l.events)))
	}
	return v, nil
}

// maxReading bounds one reading of a log.
const maxReading = 10 * time.Minute

// refresh reads what is new, or all if the node's log has begun anew. Only one goroutine at a time calls it.
func (l *auditLog) refresh(ctx context.Context, c *api.Client) error {
	err := l.more(ctx, c)
	if b := (*audit.Break)(nil); errors.As(err, &b) && l.after.Lines > 0 {
		l.forget()
		err = l.more(ctx, c)
	}
	if b := (*audit.Break)(nil); errors.As(err, &b) {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.broken, err = oneLine(b), nil
	}
	return err
}

// forget makes the next reading begin at the log's first line.
func (l *auditLog) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.after, l.events, l.dropped, l.missing, l.broken, l.usesOf = audit.Position{}, nil, 0, 0, "", 0
}

// more reads what is new.
func (l *auditLog) more(ctx context.Context, c *api.Client) error {
	if l.broken != "" {
		l.forget()
	}
	from := l.after // only refresh changes it
	var kept []*audit.Head
	head, err := c.AuditHead(ctx) // before the log, which may grow
	var refused *api.Refused
	var signed *audit.Head
	switch {
	case errors.As(err, &refused) && refused.Status == http.StatusNotFound:
	case err != nil:
		return err
	default:
		if err := head.Verify(); err != nil {
			return err
		}
		if head.Lines < from.Lines || head.Party != c.Name() {
			return &audit.Break{Path: c.Name(), Line: head.Lines, Reason: "the signed head is of a shorter log, or of another party"}
		}
		signed, kept = &head, []*audit.Head{&head}
	}
	l.mu.Lock()
	l.head = signed
	l.mu.Unlock()
	r, w := io.Pipe()
	go func() { w.CloseWithError(c.Audit(ctx, from.Lines, w)) }()
	s, err := audit.ReadLines("the audit log of "+c.Name(), r, from, func(e audit.Event) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.events = append(l.events, e)
		if len(l.events) > maxEvents+maxEvents/4 {
			n := len(l.events) - maxEvents
			l.events, l.dropped = slices.Clone(l.events[n:]), l.dropped+int64(n)
		}
		return nil
	}, kept...)
	r.CloseWithError(errors.New("the log is read"))
	l.mu.Lock()
	defer l.mu.Unlock()
	if from.Lines == 0 {
		l.missing = s.Missing
	}
	l.after = audit.Position{Lines: s.Lines(), Hash: s.Head}
	return err
}

// auditRoutes adds the pages of audit logs.
func (s *Server) auditRoutes(m *http.ServeMux) {
	m.HandleFunc("GET /audit", s.page("audit.html", s.auditPage))
	m.HandleFunc("GET /audit.csv", s.auditCSV)
	m.HandleFunc("GET /audit/inputs", s.page("inputs.html", s.inputsPage))
}

// auditPage is the body of audit.html.
type auditPage struct {
	Node, Text, Kind, From, To string
	Kinds                      []string
	Rows                       []auditRow
	Found, All, Page           int
	Newer, Older, CSV          string
	Chain, Broken, Signed      string
	Dropped                    int64
	Error                      string
	Reading                    string // what is still being read; "" if the whole log was
}

// auditRow is an event.
type auditRow struct{ Time, Kind, Actor, Job, Details string }

// kinds are the kinds of events by which a page may be filtered.
var kinds = []audit.Kind{
	audit.Submitted, audit.Denied, audit.Approved, audit.Started, audit.Resumed, audit.Revealed, audit.Kept, audit.Exported,
	audit.Imported,
	audit.Lost, audit.Finished, audit.Failed, audit.Cancelled, audit.PolicyApplied, audit.Recovered, audit.Continued, audit.Broken,
}

// filter says which events are shown.
type filter struct {
	text     string
	kind     audit.Kind
	from, to time.Time
}

// filterOf reads a filter.
func filterOf(v url.Values) (f filter, err error) {
	f = filter{text: strings.ToLower(strings.TrimSpace(v.Get("q"))), kind: audit.Kind(v.Get("kind"))}
	if f.kind != "" && !slices.Contains(kinds, f.kind) {
		return f, fail(http.StatusBadRequest, "%.40q is no kind of event", string(f.kind))
	}
	for key, to := range map[string]*time.Time{"from": &f.from, "to": &f.to} {
		if text := v.Get(key); text != "" {
			if *to, err = time.ParseInLocation("2006-01-02", text, time.Local); err != nil {
				return f, fail(http.StatusBadRequest, "%s: want a day such as 2026-01-31", key)
			}
		}
	}
	if !f.to.IsZero() {
		f.to = f.to.AddDate(0, 0, 1)
	}
	return f, nil
}

// has reports whether an event passes the filter.
func (f *filter) has(e *audit.Event) bool {
	switch {
	case f.kind != "" && e.Kind != f.kind, !f.from.IsZero() && e.Time.Before(f.from), !f.to.IsZero() && !e.Time.Before(f.to):
		return false
	case f.text == "":
		return true
	}
	for _, text := range []string{string(e.Kind), e.Actor, e.Job, e.Program, e.Session, e.Rule, e.Policy, e.Reason, e.Resumes,
		e.Request} {
		if strings.Contains(strings.ToLower(text), f.text) {
			return true
		}
	}
	for _, in := range e.Inputs {
		if strings.Contains(strings.ToLower(in.Name), f.text) || strings.HasPrefix(in.SHA256, f.text) {
			return true
		}
	}
	return slices.ContainsFunc(e.Learned, func(l audit.Learned) bool {
		return slices.ContainsFunc(l.By, func(by string) bool { return strings.ToLower(by) == f.text })
	})
}

// details returns an event's details other than actor, job and time.
func details(e *audit.Event) string {
	var out []string
	add := func(what, value string) {
		if value != "" {
			out = append(out, what+value)
		}
	}
	add("", e.Reason)
	add("rule ", e.Rule)
	for _, in := range e.Inputs {
		add("uses ", fmt.Sprintf("%q (sha256 %.12s)", in.Name, in.SHA256))
	}
	for _, l := range e.Learned {
		add("", learned(l))
	}
	add("kept: ", strings.Join(e.Kept, ", "))
	if t := e.Terms; t != nil {
		add("", t.String())
		add("submission sha256 ", fmt.Sprintf("%.12s", t.Submission))
	}
	add("program ", fmt.Sprintf("%.19s", e.Program))
	add("session ", fmt.Sprintf("%.8s", e.Session))
	add("request ", fmt.Sprintf("%.8s", e.Request))
	add("resumes job ", fmt.Sprintf("%.8s", e.Resumes))
	add("from ", e.From)
	add("policy sha256 ", fmt.Sprintf("%.12s", e.Policy))
	if e.Lines > 0 {
		add("after lines: ", fmt.Sprint(e.Lines))
	}
	return strings.Join(out, "; ")
}

// learned says what is learned by which parties.
func learned(l audit.Learned) string {
	what := fmt.Sprintf("result %d, %s", l.Result, l.Type)
	if l.Result < 0 {
		what = "intermediate values"
	}
	return what + ", by " + strings.Join(l.By, ", ")
}

// auditOf returns the log of the node that a request names, or of the first one.
func (s *Server) auditOf(r *http.Request, wait time.Duration) (string, auditView, error) {
	name := r.URL.Query().Get("node")
	if name == "" && len(s.names) > 0 {
		name = s.names[0]
	}
	c, err := s.node(name)
	if err != nil {
		return name, auditView{}, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), time.Minute)
	defer cancel()
	v, err := s.audits.read(ctx, c, wait)
	return name, v, err
}

// auditPage shows a node's audit log, the newest events first, and whether its chain is intact.
func (s *Server) auditPage(r *http.Request) (string, any, error) {
	v := r.URL.Query()
	f, err := filterOf(v)
	if err != nil {
		return "", nil, err
	}
	number, err := pageNumber(v)
	if err != nil {
		return "", nil, err
	}
	p := &auditPage{Text: v.Get("q"), Kind: v.Get("kind"), From: v.Get("from"), To: v.Get("to"), Page: number}
	for _, k := range kinds {
		p.Kinds = append(p.Kinds, string(k))
	}
	name, log, err := s.auditOf(r, shortWait)
	p.Node = name
	var refused *api.Refused
	if errors.As(err, &refused) { // of one node; the others may be chosen
		p.Error = oneLine(err)
		return "Audit log", p, nil
	}
	if err != nil {
		return "", nil, err
	}
	skip := (number - 1) * eventsOnPage
	for i := len(log.events) - 1; i >= 0; i-- {
		e := &log.events[i]
		if !f.has(e) {
			continue
		}
		if p.Found++; p.Found > skip && len(p.Rows) < eventsOnPage {
			p.Rows = append(p.Rows, auditRow{when(e.Time), string(e.Kind), e.Actor, e.Job, details(e)})
		}
	}
	p.All, p.Dropped, p.Broken = len(log.events), log.dropped, log.broken
	p.Reading = log.readingText()
	p.Chain = fmt.Sprintf("%s, the chain is intact, head %.16s", plural(int(log.lines-log.missing), "event"), log.hash)
	if log.missing > 0 {
		p.Chain += fmt.Sprintf("; the first %s of the log are in files that the node has removed", plural(int(log.missing), "line"))
	}
	p.Signed = "The node signs no head: the last lines may be missing."
	if h := log.head; h != nil {
		p.Signed = fmt.Sprintf("Signed by %s at %s up to line %d.", h.Party, when(h.Time), h.Lines)
	}
	at := func(page int) string {
		q := r.URL.Query()
		q.Set("node", name)
		q.Set("page", fmt.Sprint(page))
		return "/audit?" + q.Encode()
	}
	if number > 1 {
		p.Newer = at(number - 1)
	}
	if skip+len(p.Rows) < p.Found {
		p.Older = at(number + 1)
	}
	q := r.URL.Query()
	q.Set("node", name)
	q.Del("page")
	p.CSV = "/audit.csv?" + q.Encode()
	return "Audit log", p, nil
}

// readingText says what of a log is still being read; "" if nothing is.
func (v *auditView) readingText() string {
	switch {
	case !v.reading:
		return ""
	case v.unread > 0:
		return fmt.Sprintf("The log is being read and verified: %d of %d lines so far.", v.head.Lines-v.unread, v.head.Lines)
	}
	return fmt.Sprintf("The log is being read and verified: %d lines so far.", v.dropped+int64(len(v.events)))
}

// auditCSV sends the events that a filter passes, the oldest first.
func (s *Server) auditCSV(w http.ResponseWriter, r *http.Request) {
	f, err := filterOf(r.URL.Query())
	var log auditView
	var name string
	if err == nil {
		name, log, err = s.auditOf(r, time.Minute)
	}
	if err == nil && log.reading {
		err = fail(http.StatusServiceUnavailable, "the log is still being read, %d lines are missing: export it again later", log.unread)
	}
	if err == nil && log.broken != "" {
		err = fail(http.StatusConflict, "the log is broken: %s", log.broken)
	}
	if err != nil {
		s.page("error.html", func(*http.Request) (string, any, error) { return "", nil, err })(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="audit.csv"`)
	out := csv.NewWriter(w)
	out.Write([]string{"node", "time", "event", "who", "job", "program", "rule", "inputs", "learned", "details"})
	for i := range log.events {
		e := &log.events[i]
		if !f.has(e) {
			continue
		}
		var inputs, what []string
		for _, in := range e.Inputs {
			inputs = append(inputs, in.Name+" sha256:"+in.SHA256)
		}
		for _, l := range e.Learned {
			what = append(what, learned(l))
		}
		row := []string{
			name, e.Time.UTC().Format(time.RFC3339Nano), string(e.Kind), e.Actor, e.Job, e.Program, e.Rule, strings.Join(inputs, "; "),
			strings.Join(what, "; "), details(e),
		}
		for k := range row {
			row[k] = plainCell(row[k])
		}
		if out.Write(row) != nil {
			return // the caller has disconnected
		}
	}
	out.Flush()
}

// plainCell returns a text that spreadsheets do not take for a formula.
func plainCell(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// use is one use of an input by a session.
type use struct {
	time              time.Time
	job, by, sha256   string
	learned           []string
	approved, outcome string
}

// usesIn returns, by the input's name, the sessions that used it, the newest first. They must not be changed.
func usesIn(log auditView) map[string][]*use {
	if log.reading {
		return uses(log)
	}
	l := log.log
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.usesOf != log.lines+1 {
		l.uses, l.usesOf = uses(log), log.lines+1
	}
	return l.uses
}

// uses returns what usesIn does.
func uses(log auditView) map[string][]*use {
	submitters, approvals, open := map[string]string{}, map[string]string{}, map[string][]*use{}
	out := map[string][]*use{}
	for i := range log.events {
		e := &log.events[i]
		switch e.Kind {
		case audit.Submitted:
			if e.Request == "" || submitters[e.Job] == "" {
				submitters[e.Job] = e.Actor
			}
		case audit.Approved:
			approvals[e.Job] = e.Actor
		case audit.Started:
			open[e.Job+e.Request] = nil
			for _, in := range e.Inputs {
				u := &use{time: e.Time, job: e.Job, by: submitters[e.Job], sha256: in.SHA256, approved: approvals[e.Job]}
				out[in.Name] = append(out[in.Name], u)
				open[e.Job+e.Request] = append(open[e.Job+e.Request], u)
			}
		case audit.Revealed:
			for _, u := range open[e.Job+e.Request] {
				for _, l := range e.Learned {
					u.learned = append(u.learned, learned(l))
				}
			}
		case audit.Finished, audit.Failed, audit.Cancelled:
			for _, u := range open[e.Job+e.Request] {
				u.outcome = string(e.Kind)
			}
		}
	}
	for _, all := range out {
		slices.Reverse(all)
	}
	return out
}

// inputsPage is the body of inputs.html.
type inputsPage struct {
	Node, Find, Error string
	Reading           string // what of the log is still being read
	Inputs            []inputView
	More              int
}

type inputView struct {
	Name string
	Uses []useRow
	More int
}

type useRow struct{ Time, Job, By, Approved, SHA256, Learned, Outcome string }

// maxInputs and maxUses bound the inputs of a page, and the uses of each.
const (
	maxInputs = 50
	maxUses   = 20
)

// inputsPage shows, for each input of a node's party, which sessions used it and what parties learned.
func (s *Server) inputsPage(r *http.Request) (string, any, error) {
	name, log, err := s.auditOf(r, shortWait)
	p := &inputsPage{Node: name, Find: r.URL.Query().Get("find")}
	if errors.As(err, new(*api.Refused)) {
		p.Error = oneLine(err)
		return "Inputs", p, nil
	}
	if err != nil {
		return "", nil, err
	}
	all := usesIn(log)
	p.Reading = log.readingText()
	var found []string
	for in := range all {
		if strings.Contains(in, p.Find) {
			found = append(found, in)
		}
	}
	slices.Sort(found)
	p.More = max(0, len(found)-maxInputs)
	for _, in := range found[:len(found)-p.More] {
		v := inputView{Name: in, More: max(0, len(all[in])-maxUses)}
		for _, u := range all[in][:len(all[in])-v.More] {
			what := strings.Join(u.learned, "; ")
			if what == "" {
				what = "nothing"
			}
			v.Uses = append(v.Uses, useRow{when(u.time), u.job, u.by, u.approved, fmt.Sprintf("%.12s", u.sha256), what, u.outcome})
		}
		p.Inputs = append(p.Inputs, v)
	}
	return "Inputs", p, nil
}
