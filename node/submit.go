package node

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
)

// refusal is an error that is answered with an HTTP status.
type refusal struct {
	status int
	error
}

func (r refusal) Unwrap() error { return r.error }

func refuse(status int, format string, args ...any) error {
	return refusal{status, fmt.Errorf(format, args...)}
}

// submit applies the policy to a submission and stores it as a job. An invalid submission is refused.
// Submitting the same submission again, by the same submitter, returns the stored job.
func (n *Node) submit(ctx context.Context, sub *api.Submission, by string) (api.Job, error) {
	n.mu.Lock()
	old := n.jobs.Job(sub.ID)
	n.mu.Unlock()
	if old != nil {
		if old.Submitter == by && old.Sent == sub.Digest() {
			return old.Job, nil
		}
		return api.Job{}, refuse(http.StatusConflict, "job id %s is already used by a different submission at this node", sub.ID)
	}
	j, t, err := n.read(ctx, sub, by, time.Now(), false)
	if err != nil {
		return api.Job{}, refuse(http.StatusBadRequest, "%w", err)
	}
	e := jobstate.Submitted{Job: *j, Decision: n.policy.Judge(t.facts), Admin: n.policy.Policy().IsAdmin(by)}
	if t.denied != nil { // whatever a policy that was reloaded meanwhile says: this party's files were not looked at
		e.Decision = *t.denied
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tasks[t.ID] == nil {
		n.tasks[t.ID] = t
	}
	if r := n.step(t.ID, e); r.refused != nil {
		if n.tasks[t.ID] == t {
			delete(n.tasks, t.ID)
		}
		return api.Job{}, r.refused
	}
	return n.jobs.Job(t.ID).Job, nil
}

// Bytes of memory that a byte of a submission takes until its job has ended: of a program's text its own and up to 8 of what it is
// parsed to (measured on the fixtures), of a public input its own and the array's.
// Of a task's text in JSON, in which an entry of a list has two characters at least, the entry and its description (TestHeldOfTasks).
const perProgramByte, perPublicByte, perTaskByte = 9, 2, 16

// maxSubmission returns the maximum length of a submission's message: of the largest whose memory (held) those of one submitter may
// take. Programs and public inputs have four characters for three bytes in it; what else a submission has is at most a message.
func (l Limits) maxSubmission() int64 {
	most := min(l.submitter(), l.Submissions)
	return min(api.MaxSubmission, most/perPublicByte/3*4+api.MaxMessage)
}

// each returns the number of slots that the jobs of one submitter may hold, where the policy names so many submitters. Jobs may run for
// days, and services stay: one submitter would otherwise keep all others out.
func (l Limits) each(submitters int) int {
	if l.JobsEach == 0 && submitters > 1 {
		return max(1, l.Jobs-1)
	}
	return cmp.Or(l.JobsEach, l.Jobs)
}

// submitter returns the bytes that the submissions of one submitter may take.
func (l Limits) submitter() int64 { return cmp.Or(l.Submitter, l.Submissions/2) }

// held returns the bytes of memory that a submission takes until its job has ended: the texts, the program as
// it is parsed, and public inputs as they were sent and as arrays.
func held(sub *api.Submission) int64 {
	const perEntry = 256
	n := perProgramByte*int64(len(sub.Program.Text)) + perEntry*int64(1+len(sub.Parties)+len(sub.Set)+len(sub.Inputs)+len(sub.Public))
	for name, p := range sub.Programs {
		n += perProgramByte*int64(len(p.Text)) + int64(len(name)+len(p.Name)) + perEntry
	}
	for _, p := range sub.Public {
		n += perPublicByte * int64(len(p.Array))
	}
	if sub.Task != nil {
		n += perTaskByte * sub.Task.Size()
	}
	for _, in := range sub.Inputs {
		n += int64(len(in.Owner)+2*len(in.Name)+len(in.Folder)+len(in.Kept)+16*len(in.Args)) + perEntry*int64(len(in.Ranges))
	}
	return n
}

// checkSameSubmission refuses a peer's message whose submission digest differs from t's, and names the
// terms that differ. After the job's end it returns nil: the caller then answers with the job's final
// state.
func (n *Node) checkSameSubmission(t *task, by string, m api.Reserve) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if m.Digest == t.digest || t.resolved == nil {
		return nil
	}
	return refuse(http.StatusConflict, "the submissions differ in %s", differences(n.config.Name, t.resolved.sub.Terms(), by, m.Terms))
}

// differences lists the terms in which two submissions differ, with both values.
func differences(here string, own map[string]string, there string, theirs map[string]string) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(own)) {
		if own[name] != theirs[name] {
			out = append(out, fmt.Sprintf("%s: %s at %s, %s at %s", name, brief(own[name]), here, brief(theirs[name]), there))
		}
	}
	if out == nil {
		return "a term that only one of the two releases knows (run the same release everywhere)"
	}
	return strings.Join(out, "; ")
}

// brief shortens a term for messages.
func brief(term string) string {
	if strings.HasPrefix(term, "sha256:") {
		return fmt.Sprintf("%.15s", term)
	}
	return fmt.Sprintf("%.80s", term)
}
