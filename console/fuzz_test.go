package console

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/node/audit"
)

// FuzzRequests asks the console for any path with any form: every answer is a page that says what is wrong, without a
// failure of the console's own, and holds nothing of the request but as text. Without the form's key nothing reaches a node.
func FuzzRequests(f *testing.F) {
	j, sub := pendingJob("// text\n" + copying)
	node := newFake()
	withConsent(f, node, j, sub, func(l *audit.Log) {})
	asked := 0
	node.HandleFunc("POST /", func(http.ResponseWriter, *http.Request) { asked++ })
	s, _ := start(f, map[string]http.Handler{"alice": node})
	for _, path := range []string{
		"/", "/jobs?node=alice&find=x&page=-1", "/jobs/" + testID, "/jobs/" + testID + "/log?node=alice", "/approvals/alice/" + testID,
		"/programs/alice/" + testID, "/audit?q=%3Cscript%3E", "/services/alice/" + testID, "/compare?a=1&b=" + testID, "/assets/../server.go", "//",
		"/jobs/%2e%2e/" + testID, "/results/alice/" + testID + "?index=9999999999999999999", "/jobs?page=9223372036854775807",
	} {
		f.Add("GET", path, "", false)
		f.Add("POST", path, "key=x&digest="+sub.Program.Digest(), false)
		f.Add("POST", path, "digest="+sub.Program.Digest()+"&requests=-1&index=1e9", true)
	}
	f.Fuzz(func(t *testing.T, method, path, form string, keyed bool) {
		if keyed {
			form += "&key=" + s.guard.key()
		}
		u, err := url.ParseRequestURI("http://" + s.l.Addr().String() + s.guard.base + path)
		if err != nil {
			return
		}
		r := httptest.NewRequest(http.MethodGet, "/", strings.NewReader(form))
		r.Method, r.URL, r.Host, r.RequestURI = method, u, s.l.Addr().String(), u.RequestURI()
		r.Header.Set("Cookie", cookieName+"="+s.guard.token)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", "http://"+r.Host)
		w := httptest.NewRecorder()
		before := asked
		s.Handler().ServeHTTP(w, r)
		if w.Code >= 500 && w.Code != http.StatusBadGateway {
			t.Errorf("%s %q: %d %.300s", method, path, w.Code, w.Body)
		}
		if asked != before && !keyed {
			t.Errorf("%s %q: a node is asked to do something", method, path)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
			check(t, method+" "+path, w.Body.String(), 2<<20)
		}
	})
}
