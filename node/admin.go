package node

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/regular"
)

// adminRoutes adds the part of the control API that is for admins: approvals, and what an admin looks at before and
// after them.
func (n *Node) adminRoutes(m *http.ServeMux) {
	m.HandleFunc("POST /v1/jobs/{id}/approve", n.decision("approve", func(j *jobstate.Job, r *http.Request, reason string) (any, error) {
		done, err := n.change(j.ID, jobstate.Approved{By: caller(r), Reason: reason})
		if err == nil {
			n.rememberApproval(j, caller(r), reason)
		}
		return done, err
	}))
	m.HandleFunc("POST /v1/jobs/{id}/deny", n.decision("deny", func(j *jobstate.Job, r *http.Request, reason string) (any, error) {
		return n.change(j.ID, jobstate.Declined{By: caller(r), Reason: reason})
	}))
	m.HandleFunc("GET /v1/jobs/{id}/inputs", n.ofOpenJob("see hashes of inputs", func(t *task, w *resolvedJob, r *http.Request) (any,
		error) {
		return n.ownInputs(w), nil
	}))
	m.HandleFunc("GET /v1/jobs/{id}/approved", n.ofOpenJob("see earlier approvals", func(t *task, _ *resolvedJob,
		r *http.Request) (any, error) {
		return n.lastApproval(t)
	}))
	m.HandleFunc("GET /v1/jobs/{id}/always", n.ofOpenJob("see the policy", func(t *task, _ *resolvedJob, r *http.Request) (any, error) {
		a, _, err := n.always(t, caller(r))
		return a, err
	}))
	m.HandleFunc("POST /v1/jobs/{id}/always", func(w http.ResponseWriter, r *http.Request) {
		n.withBody(w, r, bodyTime, func(body io.Reader) (any, error) { return struct{}{}, n.addRule(r, body) })
	})
	m.HandleFunc("GET /v1/jobs/{id}/log", n.withJob(func(j *jobstate.Job, r *http.Request) (any, error) {
		if err := n.checkAdmin(r, "see the node's log"); err != nil {
			return nil, err
		}
		return n.lines.of(j.ID), nil
	}))
	m.HandleFunc("GET /v1/jobs/{id}/requests", n.withJob(func(j *jobstate.Job, _ *http.Request) (any,
		error) {
		return n.listRequests(j)
	}))
	m.HandleFunc("GET /v1/jobs/{id}/lead", n.withJob(func(j *jobstate.Job, _ *http.Request) (any, error) { return n.dealerLead(j) }))
	m.HandleFunc("GET /v1/metrics", func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			if err := n.checkAdmin(r, "see its metrics"); err != nil {
				return nil, err
			}
			if n.gather == nil {
				return nil, refuse(http.StatusNotFound, "%s has no metrics", n.config.Name)
			}
			return n.gather()
		})
	})
	m.HandleFunc("GET /v1/audit", func(w http.ResponseWriter, r *http.Request) {
		if err := n.sendAudit(w, r); err != nil {
			n.answer(w, func() (any, error) { return nil, err })
		}
	})
}

// checkAdmin refuses callers that are no admins. what says what only admins may do.
func (n *Node) checkAdmin(r *http.Request, what string) error {
	if n.policy.Policy().IsAdmin(caller(r)) {
		return nil
	}
	return refuse(http.StatusForbidden, "%s is not an admin of %s; only admins %s", caller(r), n.config.Name, what)
}

// decision answers an admin's decision about a job. what is the verb. The body is empty or an api.Reason.
func (n *Node) decision(what string, do func(j *jobstate.Job, r *http.Request, reason string) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		j, err := n.findJob(r)
		if err == nil {
			err = n.checkAdmin(r, what+" jobs")
		}
		if err != nil {
			n.answer(w, func() (any, error) { return nil, err })
			return
		}
		n.withBody(w, r, bodyTime, func(body io.Reader) (any, error) {
			var why api.Reason
			if r.ContentLength != 0 {
				if err := readMessage(body, api.MaxMessage, &why); err != nil {
					return nil, err
				}
			}
			if err := why.Check(); err != nil {
				return nil, refuse(http.StatusBadRequest, "%w", err)
			}
			return do(j, r, why.Reason)
		})
	}
}

// ofOpenJob answers an admin's question about a job that has not ended. what says what only admins may do.
func (n *Node) ofOpenJob(what string, do func(t *task, w *resolvedJob, r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		n.answer(w, func() (any, error) {
			t, err := n.findTask(r)
			if err == nil {
				err = n.checkAdmin(r, what)
			}
			if err != nil {
				return nil, err
			}
			n.mu.Lock()
			work := t.resolved
			n.mu.Unlock()
			if work == nil {
				return nil, refuse(http.StatusConflict, "job %s has ended: its program is not kept", t.ID)
			}
			return do(t, work, r)
		})
	}
}

// ownInputs describes the inputs of this party that a job uses.
func (n *Node) ownInputs(w *resolvedJob) []api.OwnInput {
	out := []api.OwnInput{}
	for i, in := range w.inputs {
		from := w.job.Inputs[i]
		x := api.OwnInput{Name: in.name, Asked: w.asked[i], Args: from.Args, Resident: from.Resident}
		if from.Args == nil { // the names of the file's arrays say so
			alone := *w.job
			alone.Inputs = []job.Input{from}
			x.Args, _ = alone.Own(w.program, n.config.Name) // an error is shown when the job runs
		}
		if t := in.table; t != nil {
			x.Table, x.Columns = true, t.Options.Columns
			if w.task != nil {
				x.Columns, _ = w.task.Used(n.config.Name) // without an error, as for columns
				if c := w.sub.Task.Join; c != nil {
					x.Columns = append(x.Columns, c.On[n.config.Name]...)
					slices.Sort(x.Columns)
					x.Columns = slices.Compact(x.Columns)
				}
			}
			for _, s := range t.Steps {
				if x.Columns == nil || slices.Contains(x.Columns, s.Column) {
					x.Prepared = append(x.Prepared, s.Column)
				}
			}
		}
		info, err := os.Stat(in.path)
		if err == nil {
			x.Bytes, x.Modified = info.Size(), info.ModTime()
			x.SHA256, err = hashFile(in.path)
		}
		if err != nil {
			x.Error = n.redact(fmt.Errorf("input %s cannot be read: %w", in.name, err))
		}
		out = append(out, x)
	}
	return out
}

// hashFile returns the SHA-256 of a file's content, hexadecimal.
func hashFile(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

const (
	approvedFolder = "approved"
	// maxKeptProgram bounds a program's text that is remembered with its approval, in bytes; maxApprovals bounds the
	// number of approvals.
	maxKeptProgram = 4 << 20
	maxApprovals   = 1000
)

// approvalFile is the file of the last approval of a rule and a submitter.
func (n *Node) approvalFile(rule, submitter string) string {
	sum := sha256.Sum256([]byte(rule + "\x00" + submitter))
	return filepath.Join(n.config.State, approvedFolder, hex.EncodeToString(sum[:16])+".json")
}

// rememberApproval stores an approval with the program's text, which the next approval is compared with. An error is
// logged: the approval is valid all the same.
func (n *Node) rememberApproval(j *jobstate.Job, by, reason string) {
	n.mu.Lock()
	t := n.tasks[j.ID]
	var text []byte
	if t != nil && t.resolved != nil {
		text = t.resolved.sub.Program.Text
	}
	n.mu.Unlock()
	a := api.Approval{Job: j.ID, Program: j.Program, Digest: j.Digest, Submitter: j.Submitter, Rule: j.Rule, By: by, Time: time.Now(),
		Programs: j.Programs, Known: true}
	if len(text) <= maxKeptProgram {
		a.Text = text
	}
	dir := filepath.Join(n.config.State, approvedFolder)
	content, err := json.Marshal(a)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err == nil {
		err = durable.WriteFile(n.approvalFile(j.Rule, j.Submitter), content, 0o600)
	}
	if err == nil {
		err = removeOldest(dir, maxApprovals)
	}
	if err != nil {
		n.log.Error("cannot remember an approval", "job", j.ID, "error", err.Error())
	}
	n.log.Info("job approved", "job", j.ID, "by", by, "reason", reason)
}

// removeOldest removes the files of a folder that were changed first, until at most most are left.
func removeOldest(dir string, most int) error {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= most {
		return err
	}
	at := map[string]time.Time{}
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			at[e.Name()] = info.ModTime()
		}
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return at[a.Name()].Compare(at[b.Name()]) })
	for _, e := range entries[:len(entries)-most] {
		err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
	}
	return err
}

// lastApproval returns the last approval by the rule that asks for approval of t, of the same submitter.
func (n *Node) lastApproval(t *task) (api.Approval, error) {
	var a api.Approval
	j := n.job(t)
	if j == nil {
		return a, refuse(http.StatusConflict, "job %s has ended", t.ID)
	}
	text, err := regular.ReadFile(n.approvalFile(j.Rule, t.Submitter))
	if errors.Is(err, os.ErrNotExist) {
		return a, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err != nil {
		return api.Approval{}, fmt.Errorf("the last approval cannot be read: %w", err)
	}
	return a, nil
}

// always returns the rule that allows a pending job again, the policy with it, and the extended policy's text, nil if
// there is none. by is the admin who asks.
func (n *Node) always(t *task, by string) (a api.Always, after []byte, err error) {
	n.mu.Lock()
	j, facts := n.jobs.Job(t.ID), t.facts
	n.mu.Unlock()
	if j == nil || j.State != api.Pending {
		return a, nil, refuse(http.StatusConflict, "job %s does not wait for an approval", t.ID)
	}
	text, err := regular.ReadFile(n.config.Policy)
	if err != nil {
		return a, nil, err
	}
	sum := sha256.Sum256(text)
	a = api.Always{Before: text, SHA256: hex.EncodeToString(sum[:])}
	p := n.policy.Policy()
	at := slices.IndexFunc(p.Rules, func(r policy.Rule) bool { return r.Name == j.Rule })
	if at < 0 {
		return a, nil, refuse(http.StatusConflict, "the policy in force has no rule %q any more", j.Rule)
	}
	facts.Owners = slices.Clone(facts.Owners)
	for arg := range min(len(facts.Owners), len(j.Arguments)) { // owners that the nodes have found out since
		if facts.Owners[arg] == "" {
			facts.Owners[arg] = j.Arguments[arg].Owner
		}
		if facts.Owners[arg] == policy.Public {
			a.Public = append(a.Public, arg)
		}
	}
	rule := p.Rules[at].Narrow(p.NewName(facts), facts)
	a.Rule, a.Text = rule.Name, []byte(rule.YAML())
	if a.SHA256 != p.SHA256 {
		a.Why = "the policy file has changed since it was put into force: let the node read it again (SIGHUP) first"
		return a, nil, nil
	}
	comment := fmt.Sprintf("added by %s on %s, for jobs like %s", by, time.Now().UTC().Format("2006-01-02"), j.ID)
	after, err = policy.Insert(n.config.Name, text, rule, comment)
	if err != nil {
		a.Why = err.Error()
		return a, nil, nil
	}
	a.After = after
	if !p.AdminsMayAddRules {
		a.Why = "the policy does not let admins add rules: its owner adds the rule, or the key admins_may_add_rules: true"
	}
	return a, after, nil
}

// addRule writes the rule of a pending job into the policy file, and puts it into force.
func (n *Node) addRule(r *http.Request, body io.Reader) error {
	t, err := n.findTask(r)
	if err == nil {
		err = n.checkAdmin(r, "change the policy")
	}
	if err != nil {
		return err
	}
	var m api.AddRule
	if err := readMessage(body, api.MaxMessage, &m); err != nil {
		return err
	}
	n.extending.Lock()
	defer n.extending.Unlock()
	a, after, err := n.always(t, caller(r))
	if err != nil {
		return err
	}
	if a.SHA256 != m.SHA256 || a.Rule != m.Rule {
		return refuse(http.StatusConflict, "the policy or the rule is not the one that was shown: look at it again")
	}
	if a.Why != "" {
		return refuse(http.StatusForbidden, "%s", a.Why)
	}
	p, err := policy.Parse(n.config.Policy, n.config.Name, after)
	if err != nil {
		return err
	}
	path, err := filepath.EvalSymlinks(n.config.Policy)
	mode := os.FileMode(0o600)
	if info, bad := os.Stat(path); err == nil && bad == nil {
		mode = info.Mode().Perm()
	}
	if err == nil {
		err = durable.WriteFile(path, after, mode)
	}
	if err != nil {
		return fmt.Errorf("the policy file cannot be written (add the rule by hand): %w", err)
	}
	if err := n.applyPolicy(p, caller(r), fmt.Sprintf("added rule %q", a.Rule)); err != nil {
		return fmt.Errorf("the rule is in the policy file, but not in force: %w", err)
	}
	return nil
}

// sendAudit sends the lines of the audit log, to admins.
func (n *Node) sendAudit(w http.ResponseWriter, r *http.Request) error {
	if err := n.checkAdmin(r, "read its audit log"); err != nil {
		return err
	}
	from, err := strconv.ParseInt(cmp.Or(r.URL.Query().Get("from"), "0"), 10, 64)
	if err != nil || from < 0 {
		return refuse(http.StatusBadRequest, "from: want a number of lines")
	}
	w.Header().Set("Content-Type", "application/jsonl")
	if err := audit.CopyLines(w, filepath.Join(n.config.State, auditFile), from); err != nil {
		n.log.Error("cannot send the audit log", "error", err.Error()) // the caller sees that the chain breaks off
		panic(http.ErrAbortHandler)
	}
	return nil
}

// healthFor returns the node's health; admins see until when its certificates are valid.
func (n *Node) healthFor(name string) api.Health {
	h := n.health()
	if n.expiries != nil && n.policy.Policy().IsAdmin(name) {
		h.Certificates = n.expiries()
	}
	return h
}

// dealerLead returns how far the dealer is ahead of a service's requests.
func (n *Node) dealerLead(j *jobstate.Job) (api.Lead, error) {
	n.mu.Lock()
	var open *party.Service
	if t := n.tasks[j.ID]; t != nil {
		open = t.serving
	}
	n.mu.Unlock()
	if open == nil {
		return api.Lead{}, refuse(http.StatusConflict, "job %s is not an open service", j.ID)
	}
	return api.Lead(open.Lead()), nil
}

// maxListedRequests bounds the requests of a service that a list has.
const maxListedRequests = 200

// listRequests returns the requests of a service that are kept, the newest first.
func (n *Node) listRequests(j *jobstate.Job) ([]api.RequestStatus, error) {
	if !j.Serve {
		return nil, refuse(http.StatusConflict, "job %s is not a service", j.ID)
	}
	list := []api.RequestStatus{}
	seen := map[string]bool{}
	for _, s := range j.OpenRequests() {
		list, seen[s.ID] = append(list, s), true
	}
	folders, err := os.ReadDir(filepath.Join(n.folder(j.ID), requestsFolder))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	type ended struct {
		id string
		at time.Time
	}
	var before []ended
	for _, f := range folders {
		info, err := os.Stat(filepath.Join(n.folder(j.ID), requestsFolder, f.Name(), requestFile))
		if err == nil && !seen[f.Name()] {
			before = append(before, ended{f.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(before, func(a, b ended) int { return b.at.Compare(a.at) })
	for _, e := range before[:min(len(before), maxListedRequests)] {
		s, err := n.requestStatus(j, e.id)
		if err != nil {
			continue // it was removed meanwhile
		}
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b api.RequestStatus) int {
		if c := b.Submitted.Compare(a.Submitted); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	list = list[:min(len(list), maxListedRequests)]
	for i := range list {
		list[i].Inputs = nil
	}
	return list, nil
}
