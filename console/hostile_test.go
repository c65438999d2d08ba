package console

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// evil are texts that must not run, nor change how a page is read.
var evil = []string{
	`<script>document.title="run"</script>`, `"><img src=x onerror=alert(1)>`, `' autofocus onfocus='alert(1)`, "javascript:alert(1)",
	"</title></textarea><script>1</script>", "{{.Key}}", "\x1b[2J\x00\x07\u202egnp.exe", "<!--", "]]>", strings.Repeat("A", 1<<20),
}

// check fails if a page holds an element or an attribute of a text, or a character that is not printable.
func check(t *testing.T, what, page string, most int) {
	t.Helper()
	for _, bad := range []string{"<script>", "<img src=x", "onerror=alert(1)>", "onfocus='", "\x1b", "\x00", "\x07", "\u202e", "<!--",
		`href="javascript:`} {
		if i := strings.Index(page, bad); i >= 0 {
			t.Errorf("%s: the page holds %q: %.300q", what, bad, page[max(0, i-100):])
		}
	}
	if len(page) > most {
		t.Errorf("%s: the page has %d bytes", what, len(page))
	}
}

// TestHostile shows jobs, programs, logs, inputs and audit logs with texts that attack the page. Nothing of them may be
// more than text, and each page comes within half a second.
func TestHostile(t *testing.T) {
	for i, text := range evil {
		j, sub := pendingJob("// " + text + "\n" + copying)
		long := text
		if len(long) > 1000 { // a status of a node has at most 4 MiB
			long = long[:1000]
		}
		j.Program, j.Submitter, j.Rule, j.Task, j.Error, j.Phase = long, long, long, long, text, long
		j.Keep, j.Kept, j.Restart, j.Parties = long, []string{long}, long, []string{long, "alice"}
		j.Arguments[1].Owner, j.Arguments[1].Type = long, long
		j.Reveals = []api.Learned{{What: text, Name: long, By: []string{long}}}
		sub.File, sub.Set = long, map[string]string{long: long}
		f := newFake()
		withConsent(t, f, j, sub, func(l *audit.Log) {
			e := audit.Event{Kind: audit.Started, Actor: long, Job: long, Rule: long, Reason: long, Program: long,
				Inputs:  []audit.Input{{Name: long, SHA256: long}},
				Learned: []audit.Learned{{Type: long, By: []string{long}}}}
			for range 3 {
				if err := l.Append(e); err != nil {
					t.Fatal(err)
				}
			}
		})
		f.says("GET /v1/jobs/"+testID+"/log", []api.LogLine{{Level: text, Text: text}})
		f.says("GET /v1/health", api.Health{Name: text})
		f.says("GET /v1/metrics", []api.Sample{
			{Name: "tacet_disk_bytes", Labels: map[string]string{"folder": text, "what": "free"}, Value: 1}, {Name: text, Value: 2},
		})
		f.says("GET /v1/jobs/"+testID+"/requests", []api.RequestStatus{{ID: text, State: api.State(text), Error: text}})
		_, b := start(t, map[string]http.Handler{"alice": f})
		for _, path := range []string{
			"/", "/jobs?node=alice", "/jobs/" + testID, "/jobs/" + testID + "/log?node=alice", "/approvals", "/approvals/alice/" + testID,
			"/programs/alice/" + testID, "/audit", "/audit/inputs", "/audit?q=%3Cscript%3E", "/health", "/services",
			"/services/alice/" + testID, "/compare",
			"/jobs?find=%3Cscript%3E",
		} {
			began := time.Now() // a time is for the reader: on a busy machine a page takes what it takes
			status, page, _ := b.do("GET", path, nil, nil)
			took := time.Since(began)
			t.Logf("text %d, %s: %v, %d bytes", i, path, took, len(page))
			if status != http.StatusOK {
				t.Errorf("text %d, %s: %d %.500s", i, path, status, page)
			}
			check(t, fmt.Sprintf("text %d, %s", i, path), page, 2<<20)
		}
	}
}

// TestHostileResults checks results whose names attack the page: a node announces types, which are compared with what it
// sends.
func TestHostileResults(t *testing.T) {
	f := newFake()
	j := oneJob()
	j.Reveals[0].What = "result 0: <script>"
	f.says("GET /v1/jobs/"+testID, j)
	f.HandleFunc("GET /v1/jobs/"+testID+"/report", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("{}")) })
	f.HandleFunc("GET /v1/jobs/"+testID+"/results", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("PK<script>")) })
	_, b := start(t, map[string]http.Handler{"alice": f})
	status, page, _ := b.do("GET", "/jobs/"+testID+"/results?node=alice", nil, nil)
	if status == http.StatusOK {
		t.Errorf("%s", page)
	}
	check(t, "results", page, 1<<20)
}
