//go:build linux

package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster/local"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
)

// authority creates a CA in a folder, and certificates for names.
func (r *rig) authority(dir string, t pki.Options, names ...string) {
	r.t.Helper()
	r.check(pki.Init(dir, pki.Options{From: time.Now().Add(-30 * pki.Year / 12)}))
	for _, name := range names {
		_, err := pki.Issue(dir, name, t)
		r.check(err)
	}
}

// caller connects to bob with a certificate that a client would not even load, or with none.
func (r *rig) caller(dir, name string) *api.Client {
	r.t.Helper()
	ca, err := os.ReadFile(filepath.Join(r.dir, "ca.crt"))
	r.check(err)
	config := &tls.Config{MinVersion: tls.VersionTLS13, ServerName: "bob", NextProtos: []string{api.Proto}, RootCAs: x509.NewCertPool()}
	config.RootCAs.AppendCertsFromPEM(ca)
	if name != "" {
		cert, err := tls.LoadX509KeyPair(filepath.Join(dir, name+".crt"), filepath.Join(dir, name+".key"))
		r.check(err)
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &cert, nil }
	}
	return api.Over("bob", "bob", func(ctx context.Context) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", r.config.Nodes["bob"])
		if err != nil {
			return nil, err
		}
		return tls.Client(c, config), nil
	})
}

// TestStrangers checks that a caller without a valid certificate learns why it is refused, that bob's
// log names it, and that bob refuses it and continues.
func TestStrangers(t *testing.T) {
	t.Parallel()
	r := newRig(t, 64)
	other, past, future := filepath.Join(r.dir, "other"), filepath.Join(r.dir, "past"), filepath.Join(r.dir, "future")
	r.authority(other, pki.Options{}, "alice")
	for dir, from := range map[string]time.Time{past: time.Now().Add(-48 * time.Hour), future: time.Now().Add(24 * time.Hour)} {
		r.check(os.Mkdir(dir, 0o700))
		for _, file := range []string{"ca.crt", "ca.key"} {
			text, err := os.ReadFile(filepath.Join(r.dir, file))
			r.check(err)
			r.check(os.WriteFile(filepath.Join(dir, file), text, 0o600))
		}
		_, err := pki.Issue(dir, "alice", pki.Options{From: from, Valid: 24 * time.Hour})
		r.check(err)
	}
	for _, x := range []struct{ name, dir, who, told, logged string }{
		{"another CA", other, "alice", `does not (trust the CA of|accept) this side's certificate`, `the certificate of \\"alice\\" is signed by \\"tacet CA \w+\\", a CA that is not trusted here`},
		{"expired", past, "alice", `has expired or is not valid yet \(.*compare the clocks\)`, `the certificate of \\"alice\\" expired at .*set the clock that is wrong`},
		{"not yet valid", future, "alice", `has expired or is not valid yet \(.*compare the clocks\)`, `the certificate of \\"alice\\" is not valid before .*set the clock that is wrong`},
		{"no certificate", "", "", `requires a certificate from this side`, `presented no certificate`},
	} {
		_, err := r.caller(x.dir, x.who).Health(t.Context())
		if err == nil || !regexp.MustCompile(x.told).MatchString(err.Error()) {
			t.Errorf("%s: told %v; want %s", x.name, err, x.told)
		} else {
			t.Logf("%s: %v", x.name, err)
		}
		for deadline := time.Now().Add(rigWait); !regexp.MustCompile(x.logged).MatchString(r.read("bob", "node.log")); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Errorf("%s: bob's log has no %s", x.name, x.logged)
				break
			}
		}
	}
	r.works("after strangers")
	r.clean("after strangers")

	// A node that presents such a certificate fails to start or is refused by others; its own
	// clock cannot make the certificate valid there.
	node := r.read("bob", "node.yaml")
	own := "cert: \"../bob.crt\", key: \"../bob.key\", ca: \"../ca.crt\""
	for _, x := range []struct{ name, tls, want string }{
		{"expired", `cert: "../past/alice.crt", key: "../past/alice.key", ca: "../ca.crt"`, `bob ended right after its start: .*expired at`},
		{"not yet valid", `cert: "../future/alice.crt", key: "../future/alice.key", ca: "../ca.crt"`, `bob ended right after its start: .*is not valid before .* \(wait, or set the clock that is wrong\)`},
		{"another's", `cert: "../alice.crt", key: "../alice.key", ca: "../ca.crt"`, `alice\.crt is the certificate of alice, but the node's name is bob`},
		{"another CA", `cert: "../other/bob.crt", key: "../other/bob.key", ca: "../other/ca.crt"`, `bob runs but does not answer: .*the certificate of "bob" is signed by "tacet CA \w+", a CA that is not trusted here`},
	} {
		if x.name == "another CA" {
			_, err := pki.Issue(other, "bob", pki.Options{})
			r.check(err)
		}
		r.killed("bob")
		if !strings.Contains(node, own) {
			t.Fatalf("bob's node.yaml has no %s:\n%s", own, node)
		}
		r.write("bob", "node.yaml", strings.Replace(node, own, x.tls, 1))
		wait := rigWait
		if x.name == "another CA" { // bob runs: Up waits as long as it may
			wait = 5 * time.Second
		}
		_, _, err := local.Up(t.Context(), local.Options{Dir: r.dir, Program: r.program("tacet"), Wait: wait})
		if err == nil || !regexp.MustCompile(x.want).MatchString(err.Error()) {
			t.Errorf("%s: bob starts: %v; want %s", x.name, err, x.want)
		} else {
			t.Logf("%s: %v", x.name, err)
		}
	}
	// A running node is refused as soon as its certificate has expired.
	brief := filepath.Join(r.dir, "past")
	r.killed("bob")
	r.write("bob", "node.yaml", strings.Replace(node, own, `cert: "../past/bob.crt", key: "../past/bob.key", ca: "../ca.crt"`, 1))
	var err error
	for left := 5 * time.Second; left < rigWait; left *= 2 { // a busy machine needs longer to start bob
		_, err = pki.Issue(brief, "bob", pki.Options{From: time.Now().Add(-time.Hour), Valid: time.Hour + left})
		r.check(err)
		var status []local.Status
		_, status, err = local.Up(t.Context(), local.Options{Dir: r.dir, Program: r.program("tacet"), Wait: rigWait})
		for _, s := range status {
			r.pids[s.Name] = s.PID
		}
		if err == nil {
			break
		}
	}
	r.check(err)
	for deadline := time.Now().Add(rigWait); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if _, err = r.clients["bob"].Health(t.Context()); err != nil {
			break
		}
	}
	if want := `the certificate of "bob" expired at `; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("a certificate that has run out: %v; want %s", err, want)
	}
	r.killed("bob")
	r.write("bob", "node.yaml", node)
	r.up()
	r.works("bob with his own certificate again")
}

// TestDisagreements checks that differences between the parties' terms are named before anything is
// shared, and that the next job, without differences, succeeds.
func TestDisagreements(t *testing.T) {
	t.Parallel()
	r := newRig(t, 64)
	for _, x := range []struct {
		name   string
		change func(s *api.Submission)
		want   string
	}{
		{"a byte of the program", func(s *api.Submission) {
			s.Program.Text = []byte(strings.Replace(string(s.Program.Text), "%a, %b", "%a, %a", 1))
		}, `differ in program`},
		{"fraction", func(s *api.Submission) { s.Fraction++ }, `differ in fraction: \d+ at bob, \d+ at alice`},
		{"set", func(s *api.Submission) { s.Set = map[string]string{"optimize": "rounds"} }, `differ in set`},
		{"reveal", func(s *api.Submission) { s.Reveal = []int{0, 1} }, `differ in reveal`},
		{"inputs and ring", func(s *api.Submission) { s.Ring, s.Inputs[0].Name = 128, "x9.npy" }, `differ in inputs: .* at alice; ring: 128 at bob, 64 at alice`},
	} {
		s := r.submission()
		s.Inputs[0].Name = "x0.npy"
		for _, p := range s.Parties {
			own := *s
			own.Inputs = append([]api.Input(nil), s.Inputs...)
			if p == "bob" {
				x.change(&own)
			}
			_, err := r.clients[p].Submit(t.Context(), &own)
			r.check(err)
		}
		for _, p := range s.Parties {
			j, known := r.end(s, p)
			t.Logf("%s, %s: %s: %s", x.name, p, j.State, j.Error)
			r.says(s, p, j, known, x.want)
			if !j.Started.IsZero() {
				t.Errorf("%s: the job has started at %s", x.name, p)
			}
		}
	}
	s := r.submission()
	s.Parties = append(s.Parties, "dave")
	if _, err := r.clients["bob"].Submit(t.Context(), s); err == nil ||
		!strings.Contains(err.Error(), "bob has no peer dave (add it to peers in its node.yaml)") {
		t.Errorf("an unknown party: %v", err)
	}
	r.works("after disagreements")
	r.clean("after disagreements")

	other := filepath.Join(t.TempDir(), "tacet")
	build := exec.CommandContext(
		t.Context(),
		"go",
		"build",
		"-o",
		other,
		"-ldflags",
		"-X github.com/tacet-mpc/tacet/version.Release=0.2.7",
		".",
	)
	if out, err := build.CombinedOutput(); err != nil {
		t.Skipf("another release is not built: %v: %s", err, out)
	}
	r.killed("bob")
	_, status, err := local.Up(t.Context(), local.Options{Dir: r.dir, Program: other, Wait: time.Minute})
	r.check(err)
	for _, d := range status {
		r.pids[d.Name] = d.PID
	}
	if h, err := r.clients["bob"].Health(t.Context()); err != nil || h.Version != "0.2.7" {
		t.Errorf("bob runs %+v, %v", h, err)
	}
	r.works("two releases of one protocol")
	r.killed("bob")
	r.up()
	r.works("all of one release")
}

// TestConsent checks that a job that a policy does not allow is denied before anything is shared, and
// that the audit log records it.
func TestConsent(t *testing.T) {
	t.Parallel()
	r := newRig(t, 64)
	r.check(func() error { _, err := pki.Issue(r.dir, "mallory", pki.Options{}); return err }())
	r.write("", "mallory.yaml", strings.ReplaceAll(r.read("", "cluster.yaml"), `"admin.`, `"mallory.`))
	r.killed("bob")
	r.write(
		"bob",
		"policy.yaml",
		"admins: [admin]\nrules:\n  - {name: narrow, submitters: [admin], programs: any, protocols: any, inputs: [x0.npy], reveal: [alice, bob]}\n",
	)
	r.up()
	for _, x := range []struct {
		name, cluster, job string
		want               string
	}{
		{"no rights", "mallory.yaml", "outputs: {reveal: [alice, bob]}\ninputs:\n  - {owner: bob, file: x0.npy, arg: 1}\n", "no rule names mallory among its submitters"},
		{"another input", "cluster.yaml", "outputs: {reveal: [alice, bob]}\ninputs:\n  - {owner: bob, file: x1.npy, arg: 1}\n", `inputs: "x1.npy" is not among them`},
		{"a result to carol", "cluster.yaml", "outputs: {reveal: [alice, bob, carol]}\ninputs:\n  - {owner: bob, file: x0.npy, arg: 1}\n", "carol may not learn results"},
	} {
		r.write(
			"",
			"denied.yaml",
			"program: program.mlir\nparties: [alice, bob, carol]\n"+x.job+"  - {owner: alice, file: x0.npy, arg: 0}\n  - {owner: carol, file: x0.npy, arg: 2}\n",
		)
		_, stderr, err := r.tacet("submit", "denied.yaml", "--cluster", x.cluster)
		if err == nil || !strings.Contains(stderr, "the policy of bob does not allow it: ") || !strings.Contains(stderr, x.want) {
			t.Errorf("%s: %v, %q; want %q", x.name, err, stderr, x.want)
		}
		t.Logf("%s: %s", x.name, stderr)
		stdout, stderr, err := r.tacet("audit", filepath.Join("bob", "state", "audit.log"))
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if err != nil || len(lines) < 3 || !strings.Contains(lines[len(lines)-2], " denied ") ||
			!strings.Contains(lines[len(lines)-2], strings.TrimPrefix(x.want, "no rule names ")) {
			t.Errorf("%s: the audit log ends in %q, %v, %s; want %q", x.name, lines[max(0, len(lines)-2):], err, stderr, x.want)
		}
	}
	for _, p := range r.parties {
		jobs, _, err := r.clients[p].Jobs(t.Context(), "")
		r.check(err)
		for _, j := range jobs {
			if j.State != api.Done && (j.Session != "" || !j.Started.IsZero()) {
				t.Errorf("%s: a job that bob denies has begun: %+v", p, j)
			}
		}
		for deadline := time.Now().Add(rigWait); ; time.Sleep(50 * time.Millisecond) {
			open := 0
			for _, j := range jobs {
				if !j.State.Final() {
					open++
				}
			}
			if open == 0 {
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("%s: %d jobs that bob denies have not ended", p, open)
				break
			}
			jobs, _, err = r.clients[p].Jobs(t.Context(), "")
			r.check(err)
		}
	}
	if _, stderr, err := r.tacet("submit", "job.yaml", "--cluster", "cluster.yaml"); err == nil {
		t.Error("carol learns, and bob does not allow it:", stderr)
	}
	r.write("", "allowed.yaml", strings.Replace(r.read("", "job.yaml"), "reveal: [alice, bob, carol]", "reveal: [alice, bob]", 1))
	if _, stderr, err := r.tacet("submit", "allowed.yaml", "--cluster", "cluster.yaml"); err != nil {
		t.Error(fmt.Errorf("the next job: %w: %s", err, stderr))
	}
}
