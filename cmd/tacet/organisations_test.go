//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
)

// organisations gives the cluster of a rig, while it runs, two organisations with a CA each: the
// hospital owns alice, the dealer, admin and alice-admin, the clinic bob, carol and dave. Every key
// stays where its owner made it; the CAs sign requests.
type organisations struct {
	*rig
	names map[string]string // by organisation, as tls: ca lists them
	files map[string]string // the same, of the files of CAs
}

func newOrganisations(r *rig) *organisations {
	o := &organisations{
		r, map[string]string{"hospital": `alice, "alice-*", admin, dealer`, "clinic": "bob, carol, dave"},
		map[string]string{"hospital": "hospital/ca.crt", "clinic": "clinic/ca.crt"},
	}
	o.run("cert", "init", "--dir", "hospital", "--organisation", "hospital", "--names", "alice,alice-*,admin,dealer")
	o.run("cert", "init", "--dir", "clinic", "--organisation", "clinic", "--names", "bob,carol,dave")
	for name, of := range map[string]string{"alice": "hospital", "alice-admin": "hospital", "admin": "hospital",
		"dealer": "hospital", "bob": "clinic", "carol": "clinic", "dave": "clinic"} {
		o.run("cert", "request", name, "--dir", "own")
		o.run("cert", "sign", "own/"+name+".csr", "--ca", of)
	}
	o.write("", "dave.yaml", strings.ReplaceAll(o.clusterFile(), "own/admin.", "own/dave."))
	o.write("", "alice-admin.yaml", strings.ReplaceAll(o.clusterFile(), "own/admin.", "own/alice-admin."))
	return o
}

// run runs a command that must succeed.
func (o *organisations) run(args ...string) string {
	o.t.Helper()
	stdout, stderr, err := o.tacet(args...)
	if err != nil {
		o.t.Fatalf("tacet %q: %v: %s", args, err, stderr)
	}
	return stdout
}

// refused runs a command that must fail with a message.
func (o *organisations) refused(what, want string, args ...string) {
	o.t.Helper()
	if stdout, stderr, err := o.tacet(args...); err == nil || !regexp.MustCompile(want).MatchString(stderr) {
		o.t.Errorf("%s: tacet %q: %v, %q, %q, want %s", what, args, err, stdout, stderr, want)
	}
}

var tlsLine = regexp.MustCompile(`(?m)^tls: .*$`)

// tls replaces the tls line of a configuration.
func (o *organisations) tls(text, up, name string) string {
	line := `tls: {cert: "` + up + "own/" + name + `.crt", key: "` + up + "own/" + name + `.key", ca: {`
	for _, of := range []string{"hospital", "clinic"} {
		line += of + ": {file: " + up + o.files[of] + ", names: [" + o.names[of] + "]}, "
	}
	return tlsLine.ReplaceAllLiteralString(text, strings.TrimSuffix(line, ", ")+"}}")
}

func (o *organisations) clusterFile() string { return o.tls(o.read("", "cluster.yaml"), "", "admin") }

// apply writes all configurations, lets the daemons read them again, and waits until they have.
func (o *organisations) apply() {
	o.t.Helper()
	o.write("", "cluster.yaml", o.clusterFile())
	for _, name := range append([]string{"dealer"}, o.parties...) {
		file, log := "node.yaml", "node.log"
		if name == "dealer" {
			file, log = "dealer.yaml", "dealer.log"
		}
		o.write(name, file, o.tls(o.read(name, file), "../", name))
		o.reload(name, log, "certificates reloaded")
	}
	var err error
	o.config, err = cluster.Read(filepath.Join(o.dir, "cluster.yaml"))
	o.check(err)
	o.clients, err = o.config.Clients()
	o.check(err)
}

// reload sends a signal to a daemon and waits for a further line in its log.
func (o *organisations) reload(name, log, line string) {
	o.t.Helper()
	before := strings.Count(o.read(name, log), line)
	o.signal(name, syscall.SIGHUP)
	o.await(name, log, line, before)
}

// await waits until a log has more lines of a text than before.
func (o *organisations) await(name, log, line string, before int) {
	o.t.Helper()
	for deadline := time.Now().Add(rigWait); strings.Count(o.read(name, log), line) <= before; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			o.t.Fatalf("%s: no further %q in its log", name, line)
		}
	}
}

// health returns the answer of a node's /health, and its metrics.
func (o *organisations) health(name string) (h api.Health, metrics string) {
	o.t.Helper()
	get := func(path string) []byte {
		q, err := http.NewRequestWithContext(o.t.Context(), http.MethodGet, "http://"+o.rig.metrics[name]+path, nil)
		o.check(err)
		q.Close = true
		a, err := http.DefaultClient.Do(q)
		o.check(err)
		defer a.Body.Close()
		text, err := io.ReadAll(a.Body)
		o.check(err)
		return text
	}
	o.check(json.Unmarshal(get("/health"), &h))
	return h, string(get("/metrics"))
}

// daves returns dave's files.
func (o *organisations) daves() pki.Files {
	c, err := cluster.Read(filepath.Join(o.dir, "dave.yaml"))
	o.check(err)
	return c.TLS
}

// ask asks a node for its health on an open connection, which stays open.
func ask(t *testing.T, c net.Conn) (status int, text string) {
	t.Helper()
	c.SetDeadline(time.Now().Add(rigWait))
	if _, err := io.WriteString(c, "GET /v1/health HTTP/1.1\r\nHost: alice\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	a, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	body, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, string(body)
}

// TestOrganisations puts organisations into force in a running cluster, attacks it with the CA of one
// of them, renews certificates and a CA while a service runs, and revokes a name.
func TestOrganisations(t *testing.T) {
	t.Parallel()
	r := newRig(t, 64)
	o := newOrganisations(r)
	for _, p := range r.parties {
		r.write(p, "policy.yaml", strings.ReplaceAll(r.read(p, "policy.yaml"), "[admin]", "[admin@hospital, dave@clinic]"))
	}
	r.write("alice", "policy.yaml", "admins: [alice-admin@hospital, admin@hospital]\nrules:\n"+
		"  - {name: asked, submitters: [dave@clinic], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, approve: true}\n  - {name: everything, submitters: [admin@hospital, carol], programs: any, protocols: any, arguments: any, inputs: any, reveal: any}\n")
	o.apply()
	for _, p := range r.parties {
		o.await(p, "node.log", "policy applies", 1) // after the certificates
	}
	r.works("with organisations")
	o.await("alice", "node.log", "no certificate has this identity; the one of this name is carol@clinic", 0)

	// dave's job waits for alice's admin. The clinic's CA issues one, from a configuration without names.
	r.write("", "asked.yaml", r.read("", "job.yaml"))
	id := strings.TrimSpace(o.run("submit", "asked.yaml", "--cluster", "dave.yaml", "--detach"))
	alien := filepath.Join(r.dir, "alien")
	r.check(os.Mkdir(alien, 0o700))
	for _, file := range []string{"ca.crt", "ca.key"} {
		r.check(os.WriteFile(filepath.Join(alien, file), []byte(r.read("clinic", file)), 0o600))
	}
	r.check(os.WriteFile(filepath.Join(alien, "ca.yaml"), []byte("clinic: {file: ca.crt, names: [\"*\"]}\n"), 0o600))
	for _, name := range []string{"alice-admin", "alice", "eve"} {
		_, err := pki.Issue(alien, name, pki.Options{})
		r.check(err)
		// the attacker trusts its own CA for every name
		line := `tls: {cert: alien/` + name + `.crt, key: alien/` + name + `.key, ca: {clinic: {file: clinic/ca.crt, names: [alice-admin, eve]}, any: {file: hospital/ca.crt, names: [alice, dealer]}}}`
		if name == "alice" {
			line = `tls: {cert: alien/alice.crt, key: alien/alice.key, ca: {clinic: {file: clinic/ca.crt, names: [alice, bob, carol]}}}`
		}
		text := tlsLine.ReplaceAllLiteralString(r.read("", "cluster.yaml"), line)
		if name != "alice" {
			text = regexp.MustCompile(`(?m)^nodes: .*$`).ReplaceAllLiteralString(text, `nodes: {alice: "`+r.config.Nodes["alice"]+`"}`)
		}
		r.write("", "alien-"+name+".yaml", text)
	}
	refused := "does not (trust the CA of|accept) this side's certificate"
	o.refused("an alien CA's admin", refused, "approve", id, "--node", "alice", "--cluster", "alien-alice-admin.yaml")
	o.await("alice", "node.log", `the certificate of \"alice-admin\" is signed by \"tacet CA `, 0)
	o.await("alice", "node.log", `of clinic, which may issue bob, carol, dave; only hospital (`, 0)
	o.refused("an alien CA's party", refused, "jobs", "--nodes", "bob", "--cluster", "alien-alice.yaml")
	o.await("bob", "node.log", `the certificate of \"alice\" is signed by \"tacet CA `, 0)
	o.refused("a name that nobody may issue", refused, "jobs", "--nodes", "alice", "--cluster", "alien-eve.yaml")
	o.await("alice", "node.log", `no organisation here may issue the name eve; its certificate is signed by \"tacet CA `, 0)
	if j, err := r.clients["alice"].Job(t.Context(), id); err != nil || j.State != api.Pending || j.Submitter != "dave@clinic" {
		t.Errorf("dave's job: %+v, %v", j, err)
	}
	o.refused("the submitter is no admin", "dave@clinic is not an admin of alice", "approve", id, "--node", "alice", "--cluster",
		"dave.yaml")
	o.run("approve", id, "--node", "alice", "--cluster", "alice-admin.yaml")
	if log := o.run("audit", filepath.Join("alice", "state", "audit.log")); !strings.Contains(log, "dave@clinic") ||
		!strings.Contains(log, "alice-admin@hospital") {
		t.Errorf("the audit log names no organisations:\n%s", log)
	}

	// Certificates are renewed, and the clinic changes its CA, while a service runs. bob's certificate
	// expires soon before that.
	o.run("cert", "sign", "own/bob.csr", "--ca", "clinic", "--days", "20", "--force")
	o.apply()
	o.await("bob", "node.log", `"msg":"a certificate expires","of":"bob@clinic"`, 0)
	if h, metrics := o.health("bob"); len(h.Certificates) != 3 || h.Certificates[0].Of != "bob@clinic" ||
		!strings.HasPrefix(h.Certificates[0].Warning, "expires in 19 days") ||
		!regexp.MustCompile(`tacet_ca_expiry_seconds\{organisation="clinic"\} \d`).MatchString(metrics) {
		t.Errorf("%+v\n%s", h, metrics)
	}
	s := r.submission()
	s.Serve, s.Batch = true, 4
	s.Inputs[1].Resident, s.Inputs[2].Resident = true, true
	r.hand(s)
	r.check(cluster.WaitOpen(t.Context(), r.clients, s.Parties, s.ID, func([]api.Job) {}))
	o.run("cert", "init", "--dir", "clinic2", "--organisation", "clinic", "--names", "bob,carol,dave")
	r.write("clinic", "both.crt", r.read("clinic", "ca.crt")+r.read("clinic2", "ca.crt"))
	o.files["clinic"] = "clinic/both.crt"
	o.apply() // all trust the new CA before it issues
	for _, name := range []string{"bob", "carol", "dave"} {
		o.run("cert", "request", name, "--dir", "own", "--renew")
		o.run("cert", "sign", "own/"+name+".csr", "--ca", "clinic2", "--force")
	}
	o.run("cert", "sign", "own/alice.csr", "--ca", "hospital", "--force")
	o.apply()
	o.files["clinic"] = "clinic2/ca.crt"
	o.apply()
	if h, _ := o.health("bob"); len(h.Certificates) != 3 || h.Certificates[0].Warning != "" {
		t.Errorf("not renewed: %+v", h)
	}
	q := cluster.NewRequest("", nil)
	for _, p := range r.parties {
		_, err := r.clients[p].Request(t.Context(), s.ID, q)
		r.check(err)
	}
	for _, p := range r.parties {
		var v api.RequestStatus
		for deadline := time.Now().Add(rigWait); !v.State.Final() && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			var err error
			v, err = r.clients[p].RequestStatus(t.Context(), s.ID, q.ID)
			r.check(err)
		}
		if v.State != api.Done {
			t.Errorf("%s: the service that ran while certificates were renewed: %s: %s", p, v.State, v.Error)
		}
	}
	r.works("with renewed certificates")
	_, err := r.clients["alice"].Cancel(t.Context(), s.ID)
	r.check(err)
	r.end(s, "bob")

	// A name is revoked by removing it.
	r.write("", "dave.yaml", strings.ReplaceAll(o.clusterFile(), "own/admin.", "own/dave."))
	o.run("jobs", "--nodes", "alice", "--cluster", "dave.yaml")
	dave, err := pki.Load(o.daves())
	r.check(err)
	open, err := pki.Dial(t.Context(), dave, "alice", r.config.Nodes["alice"], api.Proto)
	r.check(err)
	defer open.Close()
	if status, text := ask(t, open); status != http.StatusOK {
		t.Errorf("dave asks: %d %s", status, text)
	}
	o.names["clinic"] = "bob, carol"
	o.apply()
	if status, text := ask(t, open); status != http.StatusForbidden || !strings.Contains(text,
		"alice does not accept the certificate of dave@clinic any more") {
		t.Errorf("a revoked name asks on an open connection: %d %s", status, text)
	}
	o.await("alice", "node.log",
		`"caller refused on an open connection","name":"dave@clinic","error":"pki: no organisation here may issue the name dave`, 0)
	o.refused("a revoked name", refused, "jobs", "--nodes", "alice", "--cluster", "dave.yaml")

	// What is wrong changes nothing.
	good := r.read("bob", "node.yaml")
	r.write("bob", "node.yaml", strings.Replace(good, "own/bob.key", "own/carol.key", 1))
	o.reload("bob", "node.log", "certificates not reloaded; the previous ones stay in use")
	r.write("bob", "node.yaml", good)
	r.works("after all")
}
