package node

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
	"github.com/tacet-mpc/tacet/regular"
)

// request is what the node holds of a request to a service beside its state (jobstate.Request).
type request struct {
	program  string   // name of the service's program that it asks for; "" for the first one
	job      *job.Job // the service's job with this party's inputs of this request only
	inputs   []input
	names    []string // names of inputs
	asked    []string // the same inputs as the submitter names them
	resident []string // names of this party's resident inputs
	provides [][]int  // arguments that the inputs of resident and then of names provide; nil where a file's content says
	moved    string   // how an input that the request names differs from the service's in its place, for messages; "" if none does
}

// Each request of a service has a folder within requestsFolder; requestFile in it records how the
// request ended.
const (
	requestsFolder = "requests"
	requestFile    = "request.json"
)

func (n *Node) requestFolder(job, id string) string {
	return filepath.Join(n.folder(job), requestsFolder, id)
}

// request accepts a request from the service's submitter, after the policy has judged it, and queues
// it.
func (n *Node) request(t *task, w *resolvedJob, ask *api.Request, by string) (api.RequestStatus, error) {
	if by != t.Submitter {
		return api.RequestStatus{}, refuse(http.StatusForbidden, "%s may not send requests to service %s: only its submitter, %s, may", by, t.ID, t.Submitter)
	}
	if id, err := hex.DecodeString(ask.ID); err != nil || len(id) != 16 || hex.EncodeToString(id) != ask.ID {
		return api.RequestStatus{}, refuse(http.StatusBadRequest, "request id %.40q is not 32 hexadecimal digits", ask.ID)
	}
	if w.programOf(ask.Program) == nil {
		return api.RequestStatus{}, refuse(http.StatusBadRequest, "service %s has no program %q (programs: %s)", t.ID, ask.Program, w.programNames())
	}
	r := &request{program: ask.Program}
	r.nameInputs(n.config, w, ask)
	e := jobstate.RequestSubmitted{Request: jobstate.Request{Digest: ask.Digest()}, Decision: n.judgeRequest(t, r)}
	if e.Decision.Verdict != policy.Denied { // otherwise the files are not looked at
		if err := r.resolveInputs(n.config, w, ask); err != nil {
			return api.RequestStatus{}, refuse(http.StatusBadRequest, "%w", err)
		}
	}
	e.Request.ID, e.Request.Program, e.Request.Inputs = ask.ID, ask.Program, r.names
	n.mu.Lock()
	defer n.mu.Unlock()
	if t.requests[ask.ID] == nil {
		t.requests[ask.ID] = r
	}
	if reply := n.step(t.ID, e); reply.refused != nil {
		if t.requests[ask.ID] == r {
			delete(t.requests, ask.ID)
		}
		return api.RequestStatus{}, reply.refused
	}
	return n.jobs.Job(t.ID).Request(ask.ID).RequestStatus, nil
}

// programNames lists the names of a service's programs for a message.
func (w *resolvedJob) programNames() string {
	names := []string{"the first one, which has no name"}
	for _, p := range w.further {
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}

// storeRequest makes the folder of a request. The error is os.ErrExist if the id is used already.
func (n *Node) storeRequest(t *task, id string) error {
	if err := os.MkdirAll(filepath.Join(n.folder(t.ID), requestsFolder), 0o700); err != nil {
		return err
	}
	return os.Mkdir(n.requestFolder(t.ID, id), 0o700)
}

// saveRequest writes how a request has ended.
func (n *Node) saveRequest(t *task, r api.RequestStatus) {
	text, err := json.MarshalIndent(r, "", " ")
	if err == nil {
		err = durable.WriteFile(filepath.Join(n.requestFolder(t.ID, r.ID), requestFile), append(text, '\n'), 0o600)
	}
	if err != nil {
		n.log.Error("cannot store a request's end", "job", t.ID, "request", r.ID, "error", err.Error())
	}
}

// logRequest logs and counts how a request has ended.
func (n *Node) logRequest(t *task, r api.RequestStatus) {
	delete(t.requests, r.ID)
	if n.counts != nil {
		n.counts.Served(string(r.State), r.Ended.Sub(r.Submitted))
	}
	n.log.Info("request "+string(r.State), "job", t.ID, "request", r.ID, "error", r.Error)
}

// nameInputs sets the names of this party's inputs of a request, by which the policy judges it: the service's
// resident ones, and the others, replaced in their order by the names that the request gives. Of files that
// do not exist these are the names that policies see.
func (r *request) nameInputs(c *Config, w *resolvedJob, ask *api.Request) {
	named := requested(c, ask)
	names, asked := c.inputNames(named)
	var provides [][]int
	for i, in := range w.job.Inputs { // all of them are this party's
		if !in.Resident {
			provides = append(provides, in.Args)
		}
		switch {
		case in.Resident:
			r.resident, r.provides = append(r.resident, w.inputs[i].name), append(r.provides, in.Args)
		case len(names) > 0:
			r.names, r.asked = append(r.names, names[0]), append(r.asked, asked[0])
			if r.moved == "" && names[0] != w.inputs[i].name {
				r.moved = fmt.Sprintf("%q is not %q, which the service has in its place", asked[0], w.asked[i])
			}
			names, asked = names[1:], asked[1:]
		default:
			r.names, r.asked = append(r.names, w.inputs[i].name), append(r.asked, w.asked[i])
		}
	}
	r.provides = append(r.provides, provides...)
	r.names, r.asked = append(r.names, names...), append(r.asked, asked...) // more than the service has: resolveInputs refuses them
}

// requested returns the inputs of this party that a request names.
func requested(c *Config, ask *api.Request) []api.Input {
	return slices.DeleteFunc(slices.Clone(ask.Inputs), func(in api.Input) bool { return in.Owner != c.Name })
}

// resolveInputs finds the files of this party's inputs of a request.
func (r *request) resolveInputs(c *Config, w *resolvedJob, ask *api.Request) error {
	named := requested(c, ask)
	r.names = nil
	mine := *w.job
	mine.Inputs = nil
	all := w.inputs
	for _, in := range w.job.Inputs { // all of them are this party's
		found := all[0]
		all = all[1:]
		if in.Resident {
			continue
		}
		if len(named) > 0 {
			var err error
			if found, err = c.findInput(named[0]); err != nil {
				return err
			}
			if in.Args == nil && !job.NamesArrays(found.path) {
				return fmt.Errorf("input %q holds one array, but the input that it replaces names its arrays", found.name)
			}
			in.File, in.Table, named = found.path, found.table, named[1:]
		}
		r.inputs = append(r.inputs, found)
		r.names = append(r.names, found.name)
		mine.Inputs = append(mine.Inputs, in)
	}
	if len(named) > 0 {
		return fmt.Errorf("the request names more inputs of %s than the service has non-resident ones: %q",
			c.Name, named[0].Name)
	}
	r.job = &mine
	return nil
}

// failOpenRequests fails the requests that were queued or running when the process ended.
func (n *Node) failOpenRequests(t *task) {
	j := n.job(t)
	dir := filepath.Join(n.folder(t.ID), requestsFolder)
	folders, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		n.setAside(dir, err)
		return
	}
	for _, f := range folders {
		folder := n.requestFolder(t.ID, f.Name())
		open, err := leftOpen(folder)
		if err != nil {
			n.setAside(folder, err)
		} else if open {
			n.apply(t, jobstate.RequestLost{Request: api.RequestStatus{ID: f.Name(), Service: t.ID, Node: n.config.Name, Submitted: j.Started}})
		}
	}
}

// pruneRequests removes the folders of a service's ended requests that earlier processes have left beyond
// Limits.RequestsKept, the oldest first.
func (n *Node) pruneRequests(t *task) {
	records, err := filepath.Glob(filepath.Join(n.folder(t.ID), requestsFolder, "*", requestFile))
	var left []fs.FileInfo
	folders := map[fs.FileInfo]string{}
	for _, path := range records {
		if info, err := os.Lstat(path); err == nil {
			left, folders[info] = append(left, info), filepath.Dir(path)
		}
	}
	slices.SortFunc(left, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range left[:max(0, len(left)-n.config.Limits.RequestsKept)] {
		err = errors.Join(err, os.RemoveAll(folders[info]))
	}
	if err != nil {
		n.log.Error("cannot remove requests", "job", t.ID, "error", err.Error())
	}
}

// leftOpen reports whether the request of a folder had not ended when the process did. It removes what
// the process left unfinished.
func leftOpen(folder string) (bool, error) {
	info, err := os.Lstat(folder)
	if err != nil {
		return false, err
	}
	if raw, err := hex.DecodeString(filepath.Base(folder)); err != nil || len(raw) != 16 || !info.IsDir() {
		return false, errors.New("it is not a request's folder")
	}
	if err := durable.RemoveUnfinished(folder); err != nil {
		return false, err
	}
	if _, err := os.Lstat(filepath.Join(folder, requestFile)); !errors.Is(err, os.ErrNotExist) {
		return false, err
	}
	return true, os.RemoveAll(filepath.Join(folder, resultsFolder)) // placeholders of reserveDiskSpace
}

// requestStatus returns the status of a request.
func (n *Node) requestStatus(j *jobstate.Job, id string) (api.RequestStatus, error) {
	if r := j.Request(id); r != nil {
		return r.RequestStatus, nil
	}
	var s api.RequestStatus
	none := refuse(http.StatusNotFound, "service %s has no request %.40q at %s", j.ID, id, n.config.Name)
	if raw, err := hex.DecodeString(id); err != nil || len(raw) != 16 {
		return s, none
	}
	folder := n.requestFolder(j.ID, id)
	text, err := regular.ReadFile(filepath.Join(folder, requestFile))
	if errors.Is(err, os.ErrNotExist) {
		info, err := os.Stat(folder)
		if err != nil {
			return s, none
		}
		return api.RequestStatus{
			ID: id, Service: j.ID, Node: n.config.Name, State: api.Failed, Submitted: info.ModTime(),
			Error: fmt.Sprintf("%s has no record of how it ended (the node was stopped, or could not write)", n.config.Name),
		}, nil
	}
	if err == nil {
		err = jsonlimit.Unmarshal(text, jsonlimit.Of(recordStructure), &s)
	}
	return s, err
}
