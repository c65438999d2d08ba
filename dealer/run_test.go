package dealer

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ops"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/version"
)

// daemon runs a dealer with certificates for it and the parties.
type daemon struct {
	dir, address string
	config       *Config
	stop         context.CancelFunc
	done         chan error
	log          bytes.Buffer
	reload       chan os.Signal
}

func run(t *testing.T, limits Limits) *daemon {
	t.Helper()
	d := &daemon{dir: t.TempDir(), done: make(chan error, 1), reload: make(chan os.Signal)}
	if err := pki.Init(d.dir, pki.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range append([]string{"dealer", "mallory"}, names...) {
		if _, err := pki.Issue(d.dir, name, pki.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	d.config = &Config{
		Daemon:  ops.Daemon{Name: "dealer", Listen: "127.0.0.1:0", TLS: d.files("dealer"), Metrics: free.Addr().String(), Log: "info"},
		Parties: names, Limits: limits,
	}
	ctx, stop := context.WithCancel(context.Background())
	d.stop = stop
	ready := make(chan string, 1)
	go func() {
		d.done <- Run(ctx, d.config, "test", slog.New(slog.NewJSONHandler(&d.log, nil)), d.reload, func(address string) { ready <- address })
	}()
	select {
	case d.address = <-ready:
	case err := <-d.done:
		t.Fatal(err)
	}
	return d
}

func (d *daemon) files(name string) pki.Files {
	at := func(name string) string { return filepath.Join(d.dir, name) }
	return pki.Files{Cert: at(name + ".crt"), Key: at(name + ".key"), CA: at("ca.crt")}
}

func (d *daemon) dial(t *testing.T, name string) net.Conn {
	t.Helper()
	id, err := pki.Load(d.files(name))
	if err != nil {
		t.Fatal(err)
	}
	c, err := pki.Dial(t.Context(), id, "dealer", d.address, remote.Proto)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func get(t *testing.T, address string) string {
	t.Helper()
	r, err := http.Get("http://" + address)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A dealer serves over TLS, shows metrics and health, and stops on request.
func TestRun(t *testing.T) {
	d := run(t, shortLimits)
	f := order(5, 100)
	var all sync.WaitGroup
	var seeds [3]ring.Seed
	for rank, name := range names {
		all.Go(func() {
			seat := table(1)
			seat.Rank = rank
			s, err := remote.Open(t.Context(), d.dial(t, name), seat, f, shortLimits.heartbeat())
			if err == nil && rank == 1 {
				err = s.Receive(func(correlation.ID, []byte) {})
			}
			if err != nil {
				t.Error(err)
				return
			}
			awaitEnd(t, s, "")
			seeds[rank] = s.Seed()
			s.Close()
		})
	}
	all.Wait()
	if _, err := remote.Open(t.Context(), d.dial(t, "mallory"), table(2), f, shortLimits.heartbeat()); err == nil ||
		!strings.Contains(err.Error(), "certificate names mallory") {
		t.Error(err)
	}
	for text := get(t, d.config.Metrics+"/metrics"); ; text = get(t, d.config.Metrics+"/metrics") {
		if !strings.Contains(text, `tacet_dealer_sessions_total{end="served"} 1`) {
			continue // the parties have everything before the dealer has freed the session
		}
		if !strings.Contains(text, "tacet_dealer_sent_bytes_total 4000") {
			t.Error(text)
		}
		break
	}
	if health := get(t, d.config.Metrics+"/health"); !strings.HasPrefix(health, `{"version":"`+version.Release+`","protocol":2,`) ||
		!strings.Contains(health, `,"sessions":0,"limit":64,"draining":false,"certificates":[{"of":"dealer","fingerprint":"sha256:`) {
		t.Error(health)
	}
	d.stop()
	if err := <-d.done; err != nil {
		t.Error(err)
	}
	log := d.log.String()
	for line := range strings.Lines(log) {
		if !json.Valid([]byte(line)) {
			t.Errorf("no JSON: %s", line)
		}
	}
	if !strings.Contains(log, `"msg":"session served"`) || !strings.Contains(log, `"requests":5`) {
		t.Error(log)
	}
	for _, s := range seeds {
		for _, text := range []string{fmt.Sprintf("%x", s[:]), fmt.Sprint(s[:]), strings.Trim(fmt.Sprint(s[:]), "[]"),
			base64.StdEncoding.EncodeToString(s[:])} {
			if strings.Contains(strings.ToLower(log), strings.ToLower(text)) {
				t.Error("the log has a seed")
			}
		}
	}
}

// A dealer that stops waits for open sessions.
func TestRunIsStopped(t *testing.T) {
	l := shortLimits
	l.Drain = 1
	d := run(t, l)
	s, err := remote.Open(t.Context(), d.dial(t, "alice"), table(1), order(1, 1), l.heartbeat())
	if err != nil {
		t.Fatal(err)
	}
	d.stop()
	awaitEnd(t, s, errStopping.Error())
	s.Close()
	if err := <-d.done; err != nil {
		t.Error(err)
	}
}

// TestRenewed renews the dealer's certificate while a party is in the middle of its session: the session
// is served, and connections that follow see the new certificate.
func TestRenewed(t *testing.T) {
	d := run(t, shortLimits)
	serial := func(c net.Conn) string {
		return c.(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.String()
	}
	f := order(5, 100)
	open := func(rank int) *remote.Session {
		seat := table(1)
		seat.Rank = rank
		s, err := remote.Open(t.Context(), d.dial(t, names[rank]), seat, f, shortLimits.heartbeat())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	before := d.dial(t, names[0])
	first := open(0)
	if _, err := pki.Issue(d.dir, "dealer", pki.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	d.reload <- syscall.SIGHUP
	d.reload <- syscall.SIGHUP // taken when the first has been handled
	after := d.dial(t, names[0])
	if serial(before) == serial(after) {
		t.Error("the old certificate is presented")
	}
	before.Close()
	after.Close()
	all := []*remote.Session{first, open(1), open(2)}
	if err := all[1].Receive(func(correlation.ID, []byte) {}); err != nil {
		t.Error(err)
	}
	for _, s := range all {
		awaitEnd(t, s, "")
		s.Close()
	}
	d.stop()
	if err := <-d.done; err != nil {
		t.Error(err)
	}
}

// An invalid certificate or address is reported at once.
func TestRunRefuses(t *testing.T) {
	d := run(t, shortLimits)
	log := slog.New(slog.DiscardHandler)
	for want, change := range map[string]func(c *Config){
		"is the certificate of alice, but the dealer's name is dealer": func(c *Config) { c.TLS = d.files("alice") },
		"no such file":           func(c *Config) { c.TLS.Cert += "s" },
		"address already in use": func(c *Config) { c.Listen = d.address },
		"metrics: ":              func(c *Config) { c.Metrics = d.address },
	} {
		c := *d.config
		c.Metrics = ""
		change(&c)
		if err := Run(t.Context(), &c, "test", log, nil, func(string) { t.Error("it serves") }); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	d.stop()
	if err := <-d.done; err != nil {
		t.Error(err)
	}
}
