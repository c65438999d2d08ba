package console

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/node/api"
)

// route finds the patterns of the server's routes in its source, so that this test knows each new one.
var route = regexp.MustCompile(`m\.HandleFunc\("(GET|POST) (/[^"]*)"`)

// TestEndpoints sends to each page and action what a page of another site, a stranger's program and a mistake would send: nothing
// reaches a node's actions without the console's own form, and nothing is answered that is large or a failure of the server.
func TestEndpoints(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var routes [][2]string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range route.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasSuffix(name, "_test.go") {
				routes = append(routes, [2]string{m[1], m[2]})
			}
		}
	}
	if len(routes) < 20 {
		t.Fatalf("routes %q", routes)
	}
	f, asked := newFake(), 0
	f.HandleFunc("POST /", func(w http.ResponseWriter, _ *http.Request) {
		asked++
		api.Refuse(w, http.StatusNotFound, "there is no such job")
	})
	f.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		api.Refuse(w, http.StatusNotFound, "there is no such job")
	})
	j := oneJob()
	j.State = api.Running
	f.says("GET /v1/jobs/"+testID, j)
	s, b := start(t, map[string]http.Handler{"alice": f})
	header := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	key := func() url.Values { return url.Values{"key": {s.guard.key()}} }
	long := url.QueryEscape(strings.Repeat("<x>\x1b", 1<<13))
	for _, r := range routes {
		for _, id := range []string{testID, "0", "..%2f..%2fstate", "%00", strings.Repeat("a", 5000)} {
			path := strings.NewReplacer("{node}", "alice", "{id}", id, "{file}", "out0.npy").Replace(r[1])
			for _, k := range []struct {
				what, method, query string
				form                url.Values
				change              func(*http.Request)
				want                string // first digits of the statuses that are right
			}{
				{"as it is", r[0], "", key(), nil, "2 3 4 502"},
				{"an unknown node", r[0], "?node=mallory", key(), nil, "2 3 4 502"},
				{"a huge query", r[0], "?node=alice&q=" + long + "&find=" + long + "&skip=" + strings.Repeat("9", 30), key(), nil, "2 3 4 502"},
				{"many values", r[0], "?" + strings.Repeat("id="+testID+"&", 1000), key(), nil, "2 3 4 502"},
				{"no cookie", r[0], "", key(), header("Cookie", ""), "403"},
				{"another site", r[0], "", key(), header("Sec-Fetch-Site", "cross-site"), "403"},
				{"another host", r[0], "", key(), func(r *http.Request) { r.Host = "evil.example" }, "421"},
				{"PUT", "PUT", "", key(), nil, "405"},
				{"DELETE", "DELETE", "", key(), nil, "405"},
				{"POST without a key", "POST", "", url.Values{}, nil, "403"},
				{"POST of another origin", "POST", "", key(), header("Origin", "https://evil.example"), "403"},
				{"POST of JSON", "POST", "", key(), header("Content-Type", "application/json"), "403"},
				{"the other method", map[string]string{"GET": "POST", "POST": "GET"}[r[0]], "", key(), nil, "2 3 4 502"},
			} {
				form := k.form
				if k.method == http.MethodGet {
					form = nil
				}
				before := asked
				status, page, h := b.do(k.method, path+k.query, form, k.change)
				right := false
				for _, want := range strings.Fields(k.want) {
					right = right || strings.HasPrefix(strconv.Itoa(status), want)
				}
				if !right {
					t.Errorf("%s %s, %s: %d, want %s: %.200s", r[0], r[1], k.what, status, k.want, page)
				}
				if asked != before && (r[0] != "POST" || k.method != "POST" || k.change != nil || k.form.Get("key") == "") {
					t.Errorf("%s %s, %s: a node is asked to do something", r[0], r[1], k.what)
				}
				if strings.HasPrefix(h.Get("Content-Type"), "text/html") {
					check(t, r[1]+", "+k.what, page, 1<<20)
				}
			}
		}
	}
	if asked == 0 {
		t.Error("no action has reached the node")
	}
}
