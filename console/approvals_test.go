package console

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// pendingJob is a job that waits at alice, with its submission.
func pendingJob(text string) (api.Job, *api.Submission) {
	sub := &api.Submission{
		ID: testID, File: "job.yaml", Program: api.Program{Name: "p.mlir", Text: []byte(text)}, Parties: []string{"alice", "bob"},
		Computing: 2,
		Protocol:  "semi2k", Ring: 64, Fraction: 18, Network: "none", Set: map[string]string{"exp.mode": "taylor"}, Reveal: []int{1},
		Reveals: 1,
	}
	j := api.Job{
		ID: testID, Node: "alice", Program: "p.mlir", Digest: sub.Program.Digest(), Submitter: "carol", Protocol: "semi2k", Ring: 64,
		Fraction:  18,
		Computing: 2, Parties: sub.Parties, State: api.Pending, Rule: "asked", Submitted: time.Now(),
		Arguments: []api.Argument{{Type: "tensor<8x4xf32>", Owner: "alice"}, {Type: "tensor<4xf32>", Owner: "bob"}},
		Reveals:   []api.Learned{{What: "result 0: tensor<4xf32>", By: []string{"bob"}}},
	}
	return j, sub
}

// withConsent makes a fake node answer what an approval's page asks.
func withConsent(t testing.TB, f *fake, j api.Job, sub *api.Submission, log func(*audit.Log)) {
	t.Helper()
	f.says("GET /v1/jobs/"+j.ID, j)
	f.says("GET /v1/jobs", []api.Job{j.Summarize()})
	f.says("GET /v1/jobs/"+j.ID+"/submission", sub)
	f.says("GET /v1/jobs/"+j.ID+"/inputs", []api.OwnInput{{
		Name: "patients", Args: []int{0}, Bytes: 4096, SHA256: strings.Repeat("ab", 32), Table: true, Columns: []string{"age", "bmi"},
		Prepared: []string{"age"},
	}})
	f.says("GET /v1/jobs/"+j.ID+"/approved", api.Approval{
		Known: true, Job: strings.Repeat("c", 32), Program: "old.mlir", Digest: "sha256:" + strings.Repeat("0", 64), By: "chief",
		Text: bytes.Replace(sub.Program.Text, []byte("[2:3,"), []byte("[1:2,"), 1),
	})
	f.says("GET /v1/jobs/"+j.ID+"/always", api.Always{
		Rule: "x for carol", SHA256: strings.Repeat("d", 64), Before: []byte("rules:\n  - a\n"),
		After: []byte("rules:\n  - new\n  - a\n"), Public: []int{1},
	})
	path := filepath.Join(t.TempDir(), "audit.log")
	l, err := audit.Open(path, nil, audit.Rotation{})
	if err != nil {
		t.Fatal(err)
	}
	log(l)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	f.HandleFunc("GET /v1/audit/head", func(w http.ResponseWriter, _ *http.Request) { api.Refuse(w, http.StatusNotFound, "no heads") })
	f.HandleFunc("GET /v1/audit", func(w http.ResponseWriter, r *http.Request) {
		var from int64
		json.Unmarshal([]byte(r.URL.Query().Get("from")), &from)
		audit.CopyLines(w, path, from)
	})
}

func used(l *audit.Log) {
	for _, e := range []audit.Event{
		{Kind: audit.Submitted, Actor: "dan", Job: strings.Repeat("e", 32)},
		{Kind: audit.Started, Job: strings.Repeat("e", 32), Rule: "asked", Inputs: []audit.Input{{Name: "patients",
			SHA256: strings.Repeat("01", 32)}}},
		{Kind: audit.Revealed, Job: strings.Repeat("e", 32), Learned: []audit.Learned{{Result: 0, Type: "tensor<f32>",
			By: []string{"bob"}}}},
		{Kind: audit.Finished, Job: strings.Repeat("e", 32)},
		{Kind: audit.Denied, Actor: "=1+1", Reason: "no <b>rule</b>"},
	} {
		if err := l.Append(e); err != nil {
			panic(err)
		}
	}
}

// settled returns a page once nothing on it is being made in the background.
func (b *browser) settled(path string) string {
	b.t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if page := b.get(path); !strings.Contains(page, "…") || time.Now().After(deadline) {
			return page
		}
	}
}

// TestApproval checks what an approval's page shows, and that decisions are about what was shown.
func TestApproval(t *testing.T) {
	f, other := newFake(), newFake()
	j, sub := pendingJob(copying)
	withConsent(t, f, j, sub, used)
	j2 := j
	j2.Digest = "sha256:" + strings.Repeat("9", 64)
	other.says("GET /v1/jobs/"+testID, j2)
	var approved, denied, rules []string
	note := func(to *[]string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var body bytes.Buffer
			body.ReadFrom(r.Body)
			*to = append(*to, body.String())
			api.Answer(w, j)
		}
	}
	f.HandleFunc("POST /v1/jobs/"+testID+"/approve", note(&approved))
	f.HandleFunc("POST /v1/jobs/"+testID+"/deny", note(&denied))
	f.HandleFunc("POST /v1/jobs/"+testID+"/always", note(&rules))
	_, b := start(t, map[string]http.Handler{"alice": f, "bob": other})
	has(t, b.get("/approvals"), "review 01234567", "carol")
	path := "/approvals/alice/" + testID
	page := b.settled(path)
	has(t, page, "carol", "asked", "patients", "age, bmi", "prepared: age", strings.Repeat("ab", 32), "by dan (job eeeeeeee)",
		"never with this content",
		"(this node)", "result 0: tensor&lt;4xf32&gt;", "may hold elements of argument 0 of ours unchanged", "one row",
		"exp.mode: taylor", "<li>slice</li>",
		"-  %0 = stablehlo.slice %m [1:2,", "&#43;  %0 = stablehlo.slice %m [2:3,", "sent online in", "&#43;  - new",
		"Arguments 1 are public",
		"The nodes describe this job differently", "Approve at alice", "stablehlo.custom_call")
	has(t, b.get("/programs/alice/"+testID), `id="L9"`, "tacet.reveal")
	if status, text, h := b.do("GET", "/programs/alice/"+testID+"/text", nil, nil); status != 200 || text != copying ||
		!strings.HasPrefix(h.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %v %s", status, h, text)
	}
	decide := func(form url.Values) int {
		t.Helper()
		status, _ := b.post(path, form)
		return status
	}
	if s := decide(url.Values{"decision": {"approve"}, "digest": {"sha256:other"}}); s != http.StatusConflict || len(approved) > 0 {
		t.Errorf("another program is approved: %d %v", s, approved)
	}
	if s := decide(url.Values{"decision": {"maybe"}}); s != http.StatusBadRequest {
		t.Errorf("an odd decision: %d", s)
	}
	if s := decide(url.Values{"decision": {"deny"}, "reason": {strings.Repeat("x", 5000)}}); s != http.StatusBadRequest ||
		len(denied) > 0 {
		t.Errorf("a long reason: %d", s)
	}
	if s := decide(url.Values{"decision": {"approve"}, "digest": {j.Digest}, "reason": {"agreed\nby all"}}); s != 303 || len(rules) > 0 ||
		len(approved) != 1 || approved[0] != `{"reason":"agreed by all"}` {
		t.Errorf("approved: %d %v %v", s, approved, rules)
	}
	has(t, b.get("/approvals"), "Job 01234567 is approved at alice")
	always := url.Values{"decision": {"approve"}, "digest": {j.Digest}, "always": {"yes"}, "rule": {"x for carol"},
		"policy": {strings.Repeat("d", 64)}}
	if s := decide(always); s != 303 || len(rules) != 1 || !strings.Contains(rules[0], strings.Repeat("d", 64)) || len(approved) != 2 {
		t.Errorf("always: %d %v", s, rules)
	}
	if s := decide(url.Values{"decision": {"deny"}, "reason": {"no"}}); s != 303 || len(denied) != 1 {
		t.Errorf("denied: %d %v", s, denied)
	}
}

// TestWrongSubmission checks that a program which is not the one of the status is not shown for approval.
func TestWrongSubmission(t *testing.T) {
	f := newFake()
	j, sub := pendingJob(copying)
	j.Digest = "sha256:" + strings.Repeat("9", 64)
	withConsent(t, f, j, sub, used)
	_, b := start(t, map[string]http.Handler{"alice": f})
	status, text, _ := b.do("GET", "/approvals/alice/"+testID, nil, nil)
	if status != http.StatusBadGateway || !strings.Contains(text, "do not approve") || strings.Contains(text, "Approve at") {
		t.Errorf("%d %s", status, text)
	}
}

// TestApprovalPrograms checks that the page of a service with several programs compares all of them with those that were approved,
// links to their texts, and shows none that the status does not list.
func TestApprovalPrograms(t *testing.T) {
	j, sub := pendingJob(copying)
	other := api.Program{Name: "q.mlir", Text: []byte("<q>")}
	sub.Serve, sub.Programs = true, map[string]api.Program{"next&": other}
	j.Programs = sub.ProgramDigests()
	f := newFake()
	f.says("GET /v1/jobs/"+testID+"/approved", api.Approval{
		Known: true, Digest: j.Digest, Programs: map[string]string{"next&": "sha256:" + strings.Repeat("0", 64), "old": other.Digest()},
	})
	f.says("GET /v1/jobs/"+testID, j)
	f.says("GET /v1/jobs/"+testID+"/submission", sub)
	_, b := start(t, map[string]http.Handler{"alice": f})
	has(t, b.get("/approvals/alice/"+testID), "It is the same program, byte for byte",
		"further program &#34;next&amp;&#34; is another one", "further program &#34;old&#34; is gone", "?program=next%26")
	has(t, b.get("/programs/alice/"+testID+"?program=next%26"), "&lt;q&gt;", other.Digest())
	if status, text, _ := b.do("GET", "/programs/alice/"+testID+"/text?program=next%26", nil, nil); status != 200 || text != "<q>" {
		t.Errorf("%d %s", status, text)
	}
	if status, _, _ := b.do("GET", "/programs/alice/"+testID+"?program=none", nil, nil); status != http.StatusNotFound {
		t.Errorf("an unknown program: %d", status)
	}
	g := newFake()
	j.Programs = nil
	g.says("GET /v1/jobs/"+testID, j)
	g.says("GET /v1/jobs/"+testID+"/submission", sub)
	_, b = start(t, map[string]http.Handler{"alice": g})
	if status, text, _ := b.do("GET", "/approvals/alice/"+testID, nil, nil); status != http.StatusBadGateway || !strings.Contains(text, "do not approve") {
		t.Errorf("a program that the status does not list: %d %s", status, text)
	}
}

// TestAudit checks search, filters, the chain, the uses of inputs, and the export.
func TestAudit(t *testing.T) {
	f := newFake()
	j, sub := pendingJob(copying)
	withConsent(t, f, j, sub, used)
	_, b := start(t, map[string]http.Handler{"alice": f})
	has(t, b.get("/audit"), "5 events, the chain is intact", "no &lt;b&gt;rule&lt;/b&gt;", "5 events found")
	has(t, b.get("/audit?q=PATIENTS"), "1 event found")
	has(t, b.get("/audit?kind=learned&q=bob"), "1 event found", "result 0, tensor&lt;f32&gt;, by bob")
	has(t, b.get("/audit?from=2100-01-01"), "0 events found")
	has(t, b.get("/audit/inputs?node=alice"), "patients", "dan", "result 0, tensor&lt;f32&gt;, by bob", "finished")
	csv := b.get("/audit.csv?node=alice")
	has(t, csv, "node,time,event,who", "'=1+1", "patients sha256:0101")
	for path, want := range map[string]int{"/audit?kind=odd": 400, "/audit?from=x": 400, "/audit?node=eve": 404, "/audit?page=-1": 400} {
		if status, _, _ := b.do("GET", path, nil, nil); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
}

// TestBrokenAudit checks that a changed log is shown as broken, and not exported.
func TestBrokenAudit(t *testing.T) {
	f := newFake()
	f.HandleFunc("GET /v1/audit/head", func(w http.ResponseWriter, _ *http.Request) { api.Refuse(w, http.StatusNotFound, "no heads") })
	f.HandleFunc("GET /v1/audit", func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(`{"time":"2026-01-02T00:00:00Z","event":"submitted","prev":"` + strings.Repeat("1", 64) + "\"}\n"))
	})
	_, b := start(t, map[string]http.Handler{"alice": f})
	has(t, b.get("/audit"), "The log is broken", "hash does not match")
	if status, _, _ := b.do("GET", "/audit.csv", nil, nil); status != http.StatusConflict {
		t.Errorf("a broken log is exported: %d", status)
	}
}
