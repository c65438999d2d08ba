//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/cluster/local"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/tensor"
)

// formerCommit is the commit of release 0.1.0, which has no protocol number.
const formerCommit = "1306857"

// upgradeWait bounds the time in which two sides of different protocols must refuse each other. It is far
// above what they take, and far below the times after which jobs are given up.
const upgradeWait = 30 * time.Second

// upgrade is a cluster of two parties and a dealer whose daemons are of this build or of release 0.1.0.
type upgrade struct {
	t       *testing.T
	dir     string
	kit     *kit.Kit
	now     string // this build's program
	former  string // release 0.1.0's
	daemons map[string]*exec.Cmd
}

// TestUpgrade lets release 0.1.0 and this build meet: submitters and nodes, nodes and nodes, nodes and
// dealers, in both directions. Each meeting must end within upgradeWait with an error that names both
// versions. It also checks what this build makes of the state that release 0.1.0 leaves.
func TestUpgrade(t *testing.T) {
	if os.Getenv("TACET_TEST_UPGRADE") == "" {
		t.Skip("TACET_TEST_UPGRADE is not set: this test builds release 0.1.0")
	}
	u := newUpgrade(t)
	const (
		alice  = `alice runs protocol 1 \(tacet 0\.1\.0\), admin protocol 2 \(tacet 0\.2\.0-dev\): upgrade alice's node`
		admin  = `admin runs protocol 1 \(tacet 0\.1\.0\), alice protocol 2 \(tacet 0\.2\.0-dev\): upgrade admin's tacet`
		dealer = `the dealer runs protocol 1 \(tacet 0\.1\.0\), alice protocol 2 \(tacet 0\.2\.0-dev\): upgrade the dealer`
		node   = `alice runs protocol 1 \(tacet 0\.1\.0\), the dealer protocol 2 \(tacet 0\.2\.0-dev\): upgrade alice's node`
	)
	u.start(u.former, "dealer", "alice", "bob")
	u.works(u.former, "submit", "job.yaml")
	u.works(u.former, "submit", "keep.yaml")
	u.works(u.former, "offline", "job.yaml")
	u.refuses("a submitter and former nodes", alice, u.now, "submit", "job.yaml")
	u.refuses("a list and former nodes", alice, u.now, "jobs")
	u.dials("bob", "alice", `{"version":"0.2.0-dev","protocol":2,"job":"0","session":"0","from":1,"to":0}`,
		"this is version 0.1.0, and that of bob is 0.2.0-dev (run the same release everywhere)")

	u.stop("dealer")
	u.start(u.now, "dealer")
	u.refuses("former nodes and a dealer", node, u.former, "submit", "infer.yaml") // the store has no session of it

	u.stop("bob")
	u.asks("bob", true)
	u.start(u.former, "bob")
	// A job that waits for bob's approval when nodes are replaced, one of them first.
	for _, x := range []struct{ replaced, want string }{
		{"alice", `bob runs protocol 1 \(tacet 0\.1\.0\), alice protocol 2 \(tacet 0\.2\.0-dev\): upgrade bob's node`},
		{"bob", `alice runs protocol 1 \(tacet 0\.1\.0\), bob protocol 2 \(tacet 0\.2\.0-dev\): upgrade alice's tacet`},
	} {
		id := strings.TrimSpace(u.works(u.former, "submit", "job.yaml", "--detach"))
		u.kill(x.replaced) // a node of release 0.1.0 that is asked to stop may fail the job
		u.start(u.now, x.replaced)
		other := map[string]string{"alice": "bob", "bob": "alice"}[x.replaced]
		u.fails(u.now, x.replaced, id, x.want)
		u.fails(u.former, other, id, x.want)
		u.stop(x.replaced)
		u.start(u.former, x.replaced)
	}
	u.asks("bob", false)

	u.stop("alice", "bob", "dealer")
	u.start(u.former, "dealer")
	u.start(u.now, "alice", "bob")
	u.refuses("nodes and a former dealer", dealer, u.now, "submit", "job.yaml")
	u.refuses("a former submitter and nodes", admin, u.former, "submit", "job.yaml")
	u.refuses("a former list and nodes", admin, u.former, "jobs")
	u.dials("bob", "alice", `{"version":"0.1.0","job":"0","session":"0","from":1,"to":0}`,
		`bob runs protocol 1 (tacet 0.1.0), alice protocol 2 (tacet 0.2.0-dev): upgrade bob's node`)

	u.stop("dealer")
	u.start(u.now, "dealer")
	u.works(u.now, "submit", "job.yaml")
	u.works(u.now, "submit", "infer.yaml") // uses a result that release 0.1.0 has kept
	if out := u.works(u.now, "jobs"); strings.Count(out, " done ") != 2*5 {
		t.Errorf("jobs after the upgrade:\n%s", out)
	}
	report := u.works(u.now, "submit", "job.yaml", "--json")
	if !strings.Contains(report, `"tacet": "0.2.0-dev (protocol 2, `) || strings.Contains(report, `"session": "`) {
		t.Errorf("a session of release 0.1.0's store is used, or the report names no build:\n%s", report)
	}
}

func newUpgrade(t *testing.T) *upgrade {
	u := &upgrade{t: t, dir: t.TempDir(), daemons: map[string]*exec.Cmd{}}
	u.former = u.build()
	now, err := exec.LookPath("tacet")
	u.check(err)
	u.now = now
	u.kit = &kit.Kit{
		Dealer:  kit.Daemon{Name: kit.Dealer},
		Parties: []kit.Daemon{{Name: "alice", Data: []string{"data"}}, {Name: "bob", Data: []string{"data"}}},
	}
	ports, err := local.FreePorts(3)
	u.check(err)
	for i, d := range u.kit.Daemons() {
		d.Listen, d.Address = ports[i], ports[i]
	}
	u.check(u.kit.Write(u.dir))
	for _, p := range []string{"alice", "bob"} {
		u.check(os.Mkdir(filepath.Join(u.dir, p, "data"), 0o700))
		u.check(npy.WriteFile(filepath.Join(u.dir, p, "data", "x.npy"), tensor.FromFloats(tensor.F32, tensor.Shape{4}, []float64{1, 2, 3, 4})))
		u.asks(p, false)
		u.write(p+"/node.yaml", u.read(p+"/node.yaml")+"limits: {wait: 5m}\n")
	}
	u.write("program.mlir", "func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {\n"+
		"  %0 = stablehlo.multiply %a, %b : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")
	const head, bob = "program: program.mlir\nparties: [alice, bob]\noutputs: {%s}\ninputs:\n  - {%s, arg: 0}\n", "  - {owner: bob, file: x.npy, arg: 1}\n"
	u.write("job.yaml", fmt.Sprintf(head, "reveal: [alice, bob]", "owner: alice, file: x.npy")+bob)
	u.write("keep.yaml", fmt.Sprintf(head, "keep: product", "owner: alice, file: x.npy")+bob)
	u.write("infer.yaml", fmt.Sprintf(head, "reveal: [alice, bob]", "kept: product, result: 0")+bob)
	return u
}

// build builds release 0.1.0 and returns its program.
func (u *upgrade) build() string {
	u.t.Helper()
	root := filepath.Join("..", "..")
	if err := exec.Command("git", "-C", root, "cat-file", "-e", formerCommit+"^{commit}").Run(); err != nil {
		u.t.Skipf("commit %s (release 0.1.0) is not in this clone: %v", formerCommit, err)
	}
	source := u.t.TempDir()
	text, err := exec.Command("git", "-C", root, "archive", formerCommit).Output()
	u.check(err)
	unpack := exec.Command("tar", "-x", "-C", source)
	unpack.Stdin = bytes.NewReader(text)
	u.check(unpack.Run())
	program := filepath.Join(u.t.TempDir(), "tacet")
	build := exec.Command("go", "build", "-buildvcs=false", "-o", program, "./cmd/tacet")
	build.Dir = source
	if out, err := build.CombinedOutput(); err != nil {
		u.t.Fatalf("release 0.1.0: %v: %s", err, out)
	}
	return program
}

func (u *upgrade) check(err error) {
	u.t.Helper()
	if err != nil {
		u.t.Fatal(err)
	}
}

func (u *upgrade) read(file string) string {
	u.t.Helper()
	text, err := os.ReadFile(filepath.Join(u.dir, file))
	u.check(err)
	return string(text)
}

func (u *upgrade) write(file, text string) {
	u.t.Helper()
	u.check(os.WriteFile(filepath.Join(u.dir, file), []byte(text), 0o600))
}

// asks writes the policy of a party, in which an admin approves jobs or not. Policies of release 0.1.0 need
// no programs, and know no protocols.
func (u *upgrade) asks(party string, approve bool) {
	text := fmt.Sprintf(
		"admins: [admin]\nrules:\n  - {name: all, submitters: [admin], inputs: any, reveal: any, reveals: any, keep: any, kept: any, approve: %v",
		approve,
	)
	u.write(party+"/policy.former", text+"}\n")
	u.write(party+"/policy.now", text+", programs: any}\n")
}

// start starts daemons of a program.
func (u *upgrade) start(program string, names ...string) {
	u.t.Helper()
	for _, d := range u.kit.Daemons() {
		for _, name := range names {
			if d.Name != name {
				continue
			}
			if name != kit.Dealer {
				u.write(name+"/policy.yaml", u.read(name+"/policy."+map[string]string{u.now: "now", u.former: "former"}[program]))
			}
			log, err := os.OpenFile(filepath.Join(u.dir, name, "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			u.check(err)
			defer log.Close()
			c := exec.Command(program, d.Command(), "--config", filepath.Join(u.dir, d.Config()))
			c.Stdout, c.Stderr = log, log
			u.check(c.Start())
			u.daemons[name] = c
			u.t.Cleanup(func() { u.stop(name) })
			u.listens(d.Address)
		}
	}
}

// listens waits until something listens at an address.
func (u *upgrade) listens(address string) {
	u.t.Helper()
	for deadline := time.Now().Add(upgradeWait); ; time.Sleep(10 * time.Millisecond) {
		c, err := net.Dial("tcp", address)
		if err == nil {
			c.Close()
			return
		}
		if time.Now().After(deadline) {
			u.t.Fatal(err)
		}
	}
}

// stop stops daemons that run.
func (u *upgrade) stop(names ...string) {
	for _, name := range names {
		if c := u.daemons[name]; c != nil {
			c.Process.Signal(syscall.SIGTERM)
			if err := c.Wait(); err != nil {
				u.t.Errorf("%s: %v:\n%s", name, err, u.read(name+"/log"))
			}
			delete(u.daemons, name)
		}
	}
}

// kill kills a daemon.
func (u *upgrade) kill(name string) {
	c := u.daemons[name]
	c.Process.Kill()
	c.Wait()
	delete(u.daemons, name)
}

// tacet runs a program with the cluster's configuration.
func (u *upgrade) tacet(program string, args ...string) (stdout, stderr string, err error) {
	u.t.Helper()
	ctx, cancel := context.WithTimeout(u.t.Context(), upgradeWait)
	defer cancel()
	c := exec.CommandContext(ctx, program, append(args, "--cluster", kit.ClusterFile)...)
	c.Dir = u.dir
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err = c.Run()
	if ctx.Err() != nil {
		u.t.Fatalf("%s %v took more than %v: %s", filepath.Base(program), args, upgradeWait, errs.String())
	}
	return out.String(), errs.String(), err
}

// works runs a command that must succeed, and returns its output.
func (u *upgrade) works(program string, args ...string) string {
	u.t.Helper()
	stdout, stderr, err := u.tacet(program, args...)
	if err != nil {
		u.t.Fatalf("%v: %v: %s", args, err, stderr)
	}
	return stdout
}

// refuses runs a command whose error must match want.
func (u *upgrade) refuses(what, want, program string, args ...string) {
	u.t.Helper()
	begun := time.Now()
	_, stderr, err := u.tacet(program, args...)
	u.t.Logf("%s (%v): %s", what, time.Since(begun).Round(time.Millisecond), strings.TrimSpace(stderr))
	if err == nil || !regexp.MustCompile(want).MatchString(stderr) {
		u.t.Errorf("%s: %v, %q; want %s", what, err, stderr, want)
	}
}

// fails waits until a job has failed at a node with an error that matches want.
func (u *upgrade) fails(program, at, id, want string) {
	u.t.Helper()
	begun := time.Now()
	for {
		out := u.works(program, "jobs", id, "--nodes", at)
		if regexp.MustCompile(`failed[^\n]*` + want).MatchString(strings.ReplaceAll(out, "\n", " ")) {
			u.t.Logf("a waiting job at %s (%v): %s", at, time.Since(begun).Round(time.Millisecond), regexp.MustCompile(want).FindString(out))
			return
		}
		if time.Since(begun) > upgradeWait {
			u.t.Fatalf("job %s at %s is:\n%s\nwant %s", id, at, out, want)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// dials sends the first message of a data connection from one node to another, and compares the error of
// the reply.
func (u *upgrade) dials(from, to, message, want string) {
	u.t.Helper()
	id, err := pki.Load(
		pki.Files{Cert: filepath.Join(u.dir, from+".crt"), Key: filepath.Join(u.dir, from+".key"), CA: filepath.Join(u.dir, "ca.crt")},
	)
	u.check(err)
	for _, d := range u.kit.Daemons() {
		if d.Name != to {
			continue
		}
		c, err := pki.Dial(u.t.Context(), id, to, d.Address, node.SessionProto)
		u.check(err)
		defer c.Close()
		c.SetDeadline(time.Now().Add(upgradeWait))
		_, err = c.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(message))), message...))
		u.check(err)
		var head [4]byte
		_, err = io.ReadFull(c, head[:])
		u.check(err)
		text := make([]byte, binary.BigEndian.Uint32(head[:]))
		_, err = io.ReadFull(c, text)
		u.check(err)
		var reply struct{ Error string }
		u.check(json.Unmarshal(text, &reply))
		u.t.Logf("a data connection from %s to %s: %s", from, to, reply.Error)
		if reply.Error != want {
			u.t.Errorf("from %s to %s: %q, want %q", from, to, reply.Error, want)
		}
	}
}
