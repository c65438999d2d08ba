package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/profile"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func noExpiry() []pki.Expiry { return make([]pki.Expiry, 1) }

func get(t *testing.T, s *Server, path string) (status int, body string) {
	t.Helper()
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := c.Get("http://" + s.Address() + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

func TestServer(t *testing.T) {
	works := true
	many := map[string]time.Duration{}
	for i := range 30 {
		many[fmt.Sprintf("submitter%02d", i)] = time.Duration(100-i) * time.Second
	}
	r := Registry("alice", "0.1.0", func() []pki.Expiry {
		return []pki.Expiry{
			{Expires: time.Unix(2e9, 0)},
			{Organisation: "clinic", Expires: time.Unix(4e9, 0)},
			{Organisation: "clinic", Expires: time.Unix(3e9, 0)},
		}
	})
	n := NewNodeMetrics(r, map[string]string{"state": t.TempDir()}, func() Load {
		return Load{Jobs: map[string]int{"running": 2, "done": 5}, Memory: 1 << 20, Limit: 8 << 30, Stored: 3, Broken: 2,
			Waits: many, Dealer: map[string]float64{"dealer": 0}}
	})
	log, err := Logger(io.Discard, "info")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Listen(
		Config{Address: "127.0.0.1:0", Metrics: r, Log: log, Health: func() (any, bool) { return map[string]string{"name": "alice"}, works }},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())

	n.Refused("certificate")
	n.Denied("inputs")
	n.Planned(2 * time.Second)
	n.PlanRefused("memory")
	n.Started(20 * time.Millisecond)
	n.Ended("denied", 0)
	n.Ended("done", 2*time.Second)
	n.Served("done", 2*time.Second)
	n.Cost(&profile.Report{
		Input:  profile.Phase{BytesSent: []int64{1, 2, 3}, Rounds: 1},
		Online: profile.Online{BytesSent: []int64{10, 20, 30}, Messages: []int64{4, 5, 6}, Rounds: 7},
		Ops:    []profile.Op{{Op: "stablehlo.add", Calls: 2, Seconds: 0.5}, {Op: "stablehlo.add", Calls: 1, Seconds: 0.25}},
	}, 1)
	status, text := get(t, s, "/metrics")
	if status != http.StatusOK {
		t.Fatal(status, text)
	}
	for _, line := range []string{
		`tacet_info{name="alice",version="0.1.0"} 1`,
		`tacet_certificate_expiry_seconds 2e+09`,
		`tacet_ca_expiry_seconds{organisation="clinic"} 3e+09`,
		`tacet_jobs{state="running"} 2`,
		`tacet_jobs{state="done"} 5`,
		`tacet_memory_bytes{what="planned"} 1.048576e+06`,
		`tacet_store_sessions{state="ready"} 3`,
		`tacet_callers_refused_total{cause="certificate"} 1`,
		`tacet_jobs_denied_total{cause="inputs"} 1`,
		`tacet_plan_seconds_bucket{le="3"} 1`,
		`tacet_plans_refused_total{limit="memory"} 1`,
		`tacet_disk_bytes{folder="state",what="free"} `,
		`tacet_disk_bytes{folder="state",what="used"} `,
		`tacet_queue_age_seconds{submitter="submitter00"} 100`,
		`tacet_queue_age_seconds{submitter="submitter19"} 81`,
		`tacet_queue_age_seconds{submitter="others"} 80`,
		`tacet_dealer_reachable{dealer="dealer"} 0`,
		`tacet_state_broken 2`,
		`tacet_jobs_ended_total{state="denied"} 1`,
		`tacet_jobs_ended_total{state="done"} 1`,
		`tacet_job_seconds_bucket{state="done",le="1"} 0`,
		`tacet_job_seconds_bucket{state="done",le="3"} 1`,
		`tacet_job_wait_seconds_count 1`,
		`tacet_request_seconds_bucket{state="done",le="3"} 1`,
		`tacet_sent_bytes_total{phase="online"} 20`,
		`tacet_sent_bytes_total{phase="setup"} 0`,
		`tacet_sent_messages_total 5`,
		`tacet_rounds_total{phase="online"} 7`,
		`tacet_op_seconds_total{op="stablehlo.add"} 0.75`,
		`tacet_op_calls_total{op="stablehlo.add"} 3`,
		`go_goroutines `,
	} {
		if !strings.Contains("\n"+text, "\n"+line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}

	if status, text := get(t, s, "/health"); status != http.StatusOK || text != "{\"name\":\"alice\"}\n" {
		t.Error(status, text)
	}
	works = false
	if status, _ := get(t, s, "/health"); status != http.StatusServiceUnavailable {
		t.Error(status)
	}
	if status, _ := get(t, s, "/debug/pprof/cmdline"); status != http.StatusNotFound {
		t.Error("profiles are served that were not asked for:", status)
	}
	if _, err := Listen(Config{Address: s.Address(), Metrics: r, Log: log}); err == nil || !strings.Contains(err.Error(), "remove metrics") {
		t.Error(err)
	}
}

func TestProfiles(t *testing.T) {
	s, err := Listen(
		Config{Address: "127.0.0.1:0", PProf: true, Metrics: Registry("alice", "0", noExpiry), Log: slog.New(slog.DiscardHandler)},
	)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	if status, text := get(t, s, "/debug/pprof/goroutine?debug=1"); status != http.StatusOK || !strings.Contains(text, "goroutine profile") {
		t.Error(status, text)
	}
}

func TestDealerMetrics(t *testing.T) {
	r := Registry("dealer", "0.1.0", noExpiry)
	m := NewDealerMetrics(r, func() map[string]float64 { return map[string]float64{"waiting": 1, "dealing": 2} })
	m.Refused("certificate")
	m.Sent(100)
	m.Sent(11)
	m.Ended("served", time.Second)
	s, err := Listen(Config{Address: "127.0.0.1:0", Metrics: r, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(context.Background())
	_, text := get(t, s, "/metrics")
	for _, line := range []string{
		`tacet_dealer_sessions{state="waiting"} 1`, `tacet_dealer_sessions{state="dealing"} 2`, `tacet_dealer_sessions_total{end="served"} 1`,
		`tacet_dealer_sent_bytes_total 111`, `tacet_dealer_session_seconds_count 1`, `tacet_callers_refused_total{cause="certificate"} 1`,
	} {
		if !strings.Contains("\n"+text, "\n"+line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func TestLogger(t *testing.T) {
	var b bytes.Buffer
	log, err := Logger(&b, "warn")
	if err != nil {
		t.Fatal(err)
	}
	log.Info("not this")
	log.Warn("caller refused", "from", "127.0.0.1")
	var line map[string]any
	if err := json.Unmarshal(b.Bytes(), &line); err != nil || line["msg"] != "caller refused" || line["level"] != "WARN" ||
		line["from"] != "127.0.0.1" {
		t.Errorf("%s: %v", b.String(), err)
	}
	if _, err := Logger(&b, "loud"); err == nil || err.Error() != `no log level "loud" (there are debug, info, warn, error)` {
		t.Error(err)
	}
}
