package console

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
)

// fake is a node whose answers are given by path, with its query or without, or made by the mux.
type fake struct {
	*http.ServeMux
	asked []string
}

func newFake() *fake { return &fake{ServeMux: http.NewServeMux()} }

// says answers a path with a value as JSON.
func (f *fake) says(path string, value any) {
	f.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { api.Answer(w, value) })
}

// start starts a console over fake nodes and returns it with a browser that has its cookie.
func start(t testing.TB, nodes map[string]http.Handler) (*Server, *browser) {
	t.Helper()
	clients := map[string]*api.Client{}
	for name, h := range nodes {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			api.Identify(w.Header())
			h.ServeHTTP(w, r)
		}))
		t.Cleanup(server.Close)
		clients[name] = api.Over(name, name, func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		})
	}
	return startWith(t, Config{Nodes: clients, Self: "chief", answerTime: 5 * time.Minute})
}

func startWith(t testing.TB, c Config) (*Server, *browser) {
	t.Helper()
	c.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	s, err := Listen(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s, &browser{t: t, s: s, cookie: cookieName + "=" + s.guard.token}
}

// browser sends requests as a page of the console would.
type browser struct {
	t      testing.TB
	s      *Server
	cookie string
}

// do sends a request whose headers change may change.
func (b *browser) do(method, path string, form url.Values, change func(*http.Request)) (int, string, http.Header) {
	b.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r, err := http.NewRequest(method, "http://"+b.s.l.Addr().String()+b.s.guard.base+path, body)
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Cookie", b.cookie)
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "http://"+r.Host)
	}
	if change != nil {
		change(r)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer.StatusCode, string(text), answer.Header
}

// get returns a page, which must be there.
func (b *browser) get(path string) string {
	b.t.Helper()
	status, text, _ := b.do(http.MethodGet, path, nil, nil)
	if status != http.StatusOK {
		b.t.Fatalf("GET %s: %d %.2000s", path, status, text)
	}
	return text
}

// post sends a form with the key and returns the page that follows.
func (b *browser) post(path string, form url.Values) (int, string) {
	b.t.Helper()
	form.Set("key", b.s.guard.key())
	status, text, header := b.do(http.MethodPost, path, form, nil)
	if status == http.StatusSeeOther {
		return status, strings.TrimPrefix(header.Get("Location"), b.s.guard.base)
	}
	return status, text
}

// has checks that a page has texts.
func has(t *testing.T, page string, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %s", want, page)
		}
	}
}

const testID = "0123456789abcdef0123456789abcdef"

// oneJob is a job that is done.
func oneJob() api.Job {
	return api.Job{
		ID: testID, Program: "town.mlir", Digest: "sha256:" + strings.Repeat("0a", 32), Submitter: "carol", Protocol: "semi2k",
		Ring: 64, Fraction: 18,
		Computing: 2, Parties: []string{"alice", "bob"}, State: api.Done, Results: 1, Submitted: time.Now(),
		Arguments: []api.Argument{{Type: "tensor<4xf32>", Owner: "alice"}, {Type: "tensor<f32>", Owner: "public"}},
		Reveals:   []api.Learned{{What: "result 0: tensor<4xf32>", By: []string{"bob"}}},
	}
}

// TestGuard checks that only requests with the token, to this host, and actions of its own pages pass.
func TestGuard(t *testing.T) {
	f := newFake()
	cancelled := 0
	j := oneJob()
	j.State = api.Running
	f.says("GET /v1/jobs", []api.Job{j})
	f.says("GET /v1/jobs/"+testID, j)
	f.HandleFunc("POST /v1/jobs/"+testID+"/cancel", func(w http.ResponseWriter, _ *http.Request) { cancelled++; api.Answer(w, j) })
	s, b := start(t, map[string]http.Handler{"bob": f})

	if !strings.HasPrefix(s.URL(), "http://127.0.0.1:") {
		t.Errorf("the address is %s", s.URL())
	}
	port := s.l.Addr().(*net.TCPAddr).Port
	cancel := "/jobs/" + testID + "/cancel"
	form := url.Values{"key": {s.guard.key()}}
	header := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	for _, k := range []struct {
		what, method, path string
		form               url.Values
		change             func(*http.Request)
		want               int
	}{
		{"a page", "GET", "/", nil, nil, 200},
		{"a page, by localhost", "GET", "/", nil, func(r *http.Request) { r.Host = fmt.Sprint("localhost:", port) }, 200},
		{"no cookie", "GET", "/", nil, header("Cookie", ""), 403},
		{"a wrong cookie", "GET", "/", nil, header("Cookie", cookieName+"="+strings.Repeat("0", 64)), 403},
		{"the token's beginning", "GET", "/", nil, header("Cookie", cookieName+"="+s.guard.token[:63]), 403},
		{"a wrong token", "GET", "/?token=" + strings.Repeat("0", 64), nil, header("Cookie", ""), 403},
		{"the token", "GET", "/?token=" + s.guard.token, nil, header("Cookie", ""), 303},
		{"the token at another page", "GET", cancel + "?token=" + s.guard.token, nil, header("Cookie", ""), 403},
		{"a style without a cookie", "GET", "/assets/style.css", nil, header("Cookie", ""), 403},
		{"another host", "GET", "/", nil, func(r *http.Request) { r.Host = fmt.Sprint("evil.example:", port) }, 421},
		{"another port", "GET", "/", nil, func(r *http.Request) { r.Host = "127.0.0.1:1" }, 421},
		{"no port", "GET", "/", nil, func(r *http.Request) { r.Host = "127.0.0.1" }, 421},
		{"asked by another site", "GET", "/", nil, header("Sec-Fetch-Site", "cross-site"), 403},
		{"asked by another port", "GET", "/", nil, header("Sec-Fetch-Site", "same-site"), 403},
		{"typed", "GET", "/", nil, header("Sec-Fetch-Site", "none"), 200},
		{"an action by GET", "GET", cancel, nil, nil, 404},
		{"an action without Origin", "POST", cancel, form, func(r *http.Request) { r.Header.Del("Origin") }, 403},
		{"an action of another site", "POST", cancel, form, header("Origin", "https://evil.example"), 403},
		{"an action of an opaque site", "POST", cancel, form, header("Origin", "null"), 403},
		{"an action of another port", "POST", cancel, form, header("Origin", "http://127.0.0.1:1"), 403},
		{"an action of another site, by fetch", "POST", cancel, form, header("Sec-Fetch-Site", "cross-site"), 403},
		{"an action without a cookie", "POST", cancel, form, header("Cookie", ""), 403},
		{"an action without a key", "POST", cancel, url.Values{}, nil, 403},
		{"an action with a wrong key", "POST", cancel, url.Values{"key": {strings.Repeat("0", 64)}}, nil, 403},
		{"an action with too long a form", "POST", cancel, url.Values{"key": {s.guard.key()}, "x": {strings.Repeat("x", maxForm)}},
			nil, 403},
		{"another method", "PUT", "/", nil, nil, 405},
		{"an action", "POST", cancel, form, nil, 303},
	} {
		before := cancelled
		status, text, h := b.do(k.method, k.path, k.form, k.change)
		if status != k.want {
			t.Errorf("%s: %d, want %d: %.200s", k.what, status, k.want, text)
		}
		if (cancelled > before) != (k.what == "an action") {
			t.Errorf("%s: cancelled %d times", k.what, cancelled-before)
		}
		csp := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") ||
			h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: headers %v", k.what, h)
		}
		if k.want == 403 && strings.Contains(text, s.guard.token) {
			t.Errorf("%s: the token is in the refusal", k.what)
		}
	}
	_, _, h := b.do("GET", "/?token="+s.guard.token, nil, nil)
	if c := h.Get("Set-Cookie"); !strings.Contains(c, "HttpOnly") || !strings.Contains(c, "SameSite=Strict") || !strings.Contains(c,
		"Path="+s.guard.base+"/") ||
		strings.Contains(h.Get("Location"), s.guard.token) {
		t.Errorf("%v", h)
	}
	for _, path := range []string{"/", "/..", s.guard.base + "x/", "/assets/style.css", s.guard.base[:5] +
		"/"} { // outside of the base path
		r, err := http.NewRequest("GET", "http://"+s.l.Addr().String()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Cookie", b.cookie)
		answer, err := new(http.Transport).RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, answer.Status)
		}
	}
	if other, _ := start(t, nil); other.guard.token == s.guard.token || other.guard.base == s.guard.base {
		t.Error("two consoles have one token")
	}
}

// TestJobs checks the lists, a job's page, its log, and what refusals of nodes look like.
func TestJobs(t *testing.T) {
	f, down := newFake(), newFake()
	j := oneJob()
	var many []api.Job
	for i := range 120 {
		x := j
		x.ID, x.State = fmt.Sprintf("%032x", i), api.Running
		x.Phase, x.Round, x.Rounds, x.Iteration = "online", 3, 12, 2
		many = append(many, x.Summarize())
	}
	f.HandleFunc("GET /v1/jobs", func(w http.ResponseWriter, r *http.Request) {
		q, err := api.ParseJobsQuery(r.URL.Query())
		if err != nil {
			t.Error(err)
		}
		f.asked = append(f.asked, r.URL.RawQuery)
		jobs := many[min(q.Skip, len(many)):]
		api.AnswerJobs(w, jobs[:min(q.Limit, len(jobs))], q.Skip, len(many))
	})
	f.says("GET /v1/jobs/"+testID, j)
	f.says("GET /v1/jobs/"+testID+"/log", []api.LogLine{{Time: time.Now(), Level: "warn", Text: "lost <bob>"}})
	down.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { api.Refuse(w, http.StatusNotFound, "no such job") })
	s, b := start(t, map[string]http.Handler{"alice": f, "bob": down})

	page := b.get("/")
	has(t, page, "alice", "1–20 of 120 jobs", "online, round 3 of 12, iteration 2", `<progress value="3" max="12"`, "chief",
		"no such job", `rel="next"`)
	has(t, b.get("/jobs?node=alice&page=3"), "101–120 of 120 jobs", `rel="prev"`)
	if last := f.asked[len(f.asked)-1]; last != "limit=50&skip=100" {
		t.Errorf("the last page asks for %s", last)
	}
	has(t, b.get("/jobs?node=alice&state=running&find=00"), "Jobs")
	for path, want := range map[string]int{"/jobs?page=0": 400, "/jobs?page=x": 400, "/jobs?state=odd": 400, "/jobs?node=eve": 404,
		"/jobs/x..": 404, "/nothing": 404} {
		if status, text, _ := b.do("GET", path, nil, nil); status != want {
			t.Errorf("%s: %d, want %d: %.300s", path, status, want, text)
		}
	}
	page = b.get("/jobs/" + testID)
	has(t, page, "town.mlir", "tensor&lt;4xf32&gt;", "its value is the submitter", "result 0", ">bob<",
		"semi2k among alice, bob, ring 64", "results?node=alice", "report?node=alice")
	if strings.Contains(page, "Cancel the job") {
		t.Error("a job that has ended can be cancelled")
	}
	has(t, b.get("/jobs/"+testID+"/log?node=alice"), "lost &lt;bob&gt;")
	if status, _ := b.post("/jobs/"+testID+"/cancel", url.Values{}); status != http.StatusConflict {
		t.Errorf("an ended job is cancelled: %d", status)
	}
	if status, _, _ := b.do("GET", "/jobs/"+strings.Repeat("f", 32), nil, nil); status != http.StatusNotFound {
		t.Errorf("an unknown job: %d", status)
	}
	if n := len(b.get("/")) + len(b.get("/assets/style.css")) + len(b.get("/assets/app.js")); n > 100_000 {
		t.Errorf("the first page takes %d bytes", n)
	}
	_ = s
}

// TestResume checks that a failed job is resumed by the console's job, and that its id is checked.
func TestResume(t *testing.T) {
	f := newFake()
	j := oneJob()
	j.State, j.Error = api.Failed, "lost bob"
	f.says("GET /v1/jobs/"+testID, j)
	_, b := start(t, map[string]http.Handler{"alice": f})
	has(t, b.get("/jobs/"+testID), "tacet submit JOB.yaml --resume "+testID)
	if status, _ := b.post("/jobs/"+testID+"/resume", url.Values{}); status != http.StatusConflict {
		t.Errorf("resumed without a job: %d", status)
	}
	resumed := ""
	b.s.config.Resume = func(_ context.Context, id string) (string, error) { resumed = id; return strings.Repeat("b", 32), nil }
	has(t, b.get("/jobs/"+testID), "Resume from its newest checkpoint")
	if status, next := b.post("/jobs/"+testID+"/resume", url.Values{}); status != 303 || resumed != testID ||
		next != "/jobs/"+strings.Repeat("b", 32) {
		t.Errorf("%d %s, resumed %q", status, next, resumed)
	}
}

// mustJSON returns a value as JSON.
func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
