package ops

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tacet-mpc/tacet/pki"
)

// issued creates a CA and alice's certificate, valid for these days, and returns her files.
func issued(t *testing.T, days int) pki.Files {
	t.Helper()
	dir := t.TempDir()
	if err := pki.Init(dir, pki.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := pki.Issue(dir, "alice", pki.Options{Valid: time.Duration(days) * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// lockedLog holds what was logged since it was taken last.
type lockedLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lockedLog) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// TestWatch checks that a certificate that expires soon is warned of at once, and once a day.
func TestWatch(t *testing.T) {
	for days, want := range map[int][]string{
		20:  {"expires in 19 days", "expires in 18 days", "expires in 17 days"},
		32:  {"", "", "expires in 29 days"},
		365: {"", "", ""},
	} {
		synctest.Test(t, func(t *testing.T) { // certificates are issued at its time
			var log lockedLog
			d := Daemon{Name: "alice", TLS: issued(t, days)}
			c, err := LoadCertificates(d, "node", slog.New(slog.NewJSONHandler(&log, nil)), nil)
			if err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			go c.Watch(ctx)
			for day, w := range want {
				if day > 0 {
					time.Sleep(24 * time.Hour)
				}
				synctest.Wait()
				text := log.take()
				if n := strings.Count(text, "\n"); n > 1 || (n == 1) != (w != "") || !strings.Contains(text, w) {
					t.Errorf("%d days, day %d: %q, want %q", days, day, text, w)
				}
			}
			stop()
			synctest.Wait()
		})
	}
}

// TestReloadCertificates checks that what cannot be read leaves the certificates as they are, and that
// the log says so.
func TestReloadCertificates(t *testing.T) {
	var log bytes.Buffer
	d := Daemon{File: "alice.yaml", Name: "alice", TLS: issued(t, 20)}
	next, fails := d.TLS, error(nil)
	c, err := LoadCertificates(d, "node", slog.New(slog.NewJSONHandler(&log, nil)), func(path string) (pki.Files, error) {
		if path != "alice.yaml" {
			t.Errorf("reads %s", path)
		}
		return next, fails
	})
	if err != nil {
		t.Fatal(err)
	}
	before := c.Expiries()[0]
	fails = errors.New("alice.yaml:3: not YAML")
	if err := c.Reload(); err == nil || !strings.Contains(log.String(),
		`"certificates not reloaded; the previous ones stay in use","error":"alice.yaml:3: not YAML"`) {
		t.Errorf("%v, %s", err, &log)
	}
	fails = nil
	next.Key = filepath.Join(t.TempDir(), "none.key")
	if err := c.Reload(); !errors.Is(err, os.ErrNotExist) || c.Expiries()[0] != before {
		t.Error(err)
	}
	log.Reset()
	next = issued(t, 365)
	if err := c.Reload(); err != nil || c.Expiries()[0] == before || !strings.Contains(log.String(),
		`"certificates reloaded","identity":"alice"`) || strings.Contains(log.String(), "expires in") {
		t.Errorf("%v, %s", err, &log)
	}
	log.Reset()
	c.CheckIdentities("policy.yaml", []string{"carol", "dave@clinic"})
	if !strings.Contains(log.String(), "dave@clinic") || strings.Contains(log.String(), `"carol`) {
		t.Error(log.String())
	}
	if _, err := LoadCertificates(Daemon{Name: "bob", TLS: next}, "node", slog.New(slog.DiscardHandler), nil); err == nil ||
		!strings.Contains(err.Error(), "is the certificate of alice, but the node's name is bob") {
		t.Error(err)
	}
}
