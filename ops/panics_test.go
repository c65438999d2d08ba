package ops

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A panic in a handler is logged at level error with its route, without the request, and ends the connection.
func TestGuarded(t *testing.T) {
	m := http.NewServeMux()
	list := []int{1, 2}
	m.HandleFunc("GET /v1/jobs/{id}", func(_ http.ResponseWriter, r *http.Request) {
		if r.PathValue("id") == "fine" {
			return
		}
		_ = list[len(r.PathValue("id"))]
	})
	var out bytes.Buffer
	log, err := Logger(&out, "error")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	var quiet bytes.Buffer
	s := httptest.NewUnstartedServer(Guarded(m, log, func() { count++ }))
	s.Config.ErrorLog = slog.NewLogLogger(slog.NewTextHandler(&quiet, nil), slog.LevelError)
	s.Start()
	defer s.Close()
	if _, err := http.Get(s.URL + "/v1/jobs/fine"); err != nil || count != 0 || out.Len() > 0 {
		t.Fatalf("%v, %d, %s", err, count, out.String())
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // which sends a request once
	if _, err := client.Get(s.URL + "/v1/jobs/unspoken?x=unspoken"); err == nil {
		t.Error("the connection goes on")
	}
	s.Close()
	text := out.String()
	if count != 1 || strings.Count(text, "\n") != 1 || strings.Contains(text, "unspoken") || strings.Contains(text, "[8]") ||
		!strings.Contains(text, `"level":"ERROR"`) || !strings.Contains(text, `"route":"GET /v1/jobs/{id}"`) ||
		!strings.Contains(text, "index out of range") || !strings.Contains(text, "TestGuarded") {
		t.Errorf("%d panics are counted: %s", count, text)
	}
	if quiet.Len() > 0 {
		t.Errorf("package http logs %s", quiet.String())
	}
}
