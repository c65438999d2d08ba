package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/cluster/kit/kittest"
	"github.com/tacet-mpc/tacet/node"
)

func TestMain(m *testing.M) {
	kittest.Main()
	goleak.VerifyTestMain(m)
}

// localSSH replaces ssh: it runs the command on this machine, in a home folder per host; the end of
// the connection is the end of its input.
const localSSH = `#!/bin/sh
while [ "$1" != -- ]; do shift; done
[ "$2" = slow ] && exec sleep 60
[ "$2" = nowhere ] && { echo "ssh: Could not resolve hostname nowhere" >&2; exit 255; }
mkdir -p "$HOSTS/$2" && cd "$HOSTS/$2" && exec sh -c "$3"
`

// useLocalSSH puts it first in PATH and sets the folder of the homes.
func useLocalSSH(t *testing.T) (homes string) {
	t.Helper()
	bin, homes := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "ssh"), []byte(localSSH), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("HOSTS", homes)
	return homes
}

// hosts writes and reads a hosts file of a dealer, alice and bob at ports of the loopback interface.
// login is the ssh destination of each, more the first lines of the file.
func hosts(t *testing.T, login func(name string) string, more string) *Config {
	t.Helper()
	text := more
	for _, name := range []string{kit.Dealer, "alice", "bob"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		daemon := fmt.Sprintf("{ssh: %q, address: %q}", login(name), l.Addr())
		switch name {
		case kit.Dealer:
			text += "dealer: " + daemon + "\nnodes:\n"
		default:
			text += "  " + name + ": " + daemon + "\n"
		}
	}
	path := filepath.Join(t.TempDir(), "hosts.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// running is a launch in progress.
type running struct {
	out   *lockedWriter
	text  bytes.Buffer
	ready chan struct{}
	ended chan error
}

func start(t *testing.T, ctx context.Context, c *Config) *running {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// a small program is copied; it starts the test's program, which is large
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, fmt.Appendf(nil, "#!/bin/sh\nexec %s \"$@\"\n", quote(self)), 0o700); err != nil {
		t.Fatal(err)
	}
	r := &running{ready: make(chan struct{}), ended: make(chan error, 1)}
	r.out = &lockedWriter{to: &r.text}
	o := Options{
		Program: program,
		Wait:    2 * time.Minute,
		Stop:    time.Minute,
		Out:     r.out,
		Copied:  func() {},
		Ready:   sync.OnceFunc(func() { close(r.ready) }),
	}
	go func() { r.ended <- c.Run(ctx, o) }()
	return r
}

// said returns the output of the daemons so far.
func (r *running) said() string {
	r.out.mu.Lock()
	defer r.out.mu.Unlock()
	return r.text.String()
}

// comesAndGoes launches, waits until all daemons answer, interrupts, and checks that no process is
// left.
func comesAndGoes(t *testing.T, c *Config) {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	r := start(t, ctx, c)
	select {
	case <-r.ready:
	case err := <-r.ended:
		t.Fatal(err, r.said())
	}
	listed, err := cluster.Read(filepath.Join(c.Dir, kit.ClusterFile))
	if err != nil {
		t.Fatal(err)
	}
	clients, err := listed.Clients()
	if err != nil {
		t.Fatal(err)
	}
	for name, client := range clients {
		if h, err := client.Health(t.Context()); err != nil || h.Name != name {
			t.Error(h, err)
		}
	}
	interrupt()
	if err := <-r.ended; err != nil {
		t.Error(err, r.said())
	}
	for _, h := range c.hosts {
		l, err := net.Listen("tcp", h.Address)
		if err != nil {
			t.Fatalf("%s still runs: %v", h.Name, err)
		}
		l.Close()
	}
}

func TestLaunch(t *testing.T) {
	homes := useLocalSSH(t)
	c := hosts(t, func(name string) string { return "host of " + name }, "remote: it's here\n")
	comesAndGoes(t, c)
	key, err := os.ReadFile(filepath.Join(c.Dir, "alice.key"))
	if err != nil {
		t.Fatal(err)
	}
	comesAndGoes(t, c) // a second time, with the same certificates
	alice := filepath.Join(homes, "host of alice", "it's here", "alice")
	got, err := os.ReadFile(filepath.Join(alice, "alice.key"))
	if err != nil || !bytes.Equal(got, key) {
		t.Errorf("the key there is another: %v", err)
	}
	for _, other := range []string{"bob.key", "admin.key", "ca.key", "dealer.key"} {
		if _, err := os.Stat(filepath.Join(alice, other)); err == nil {
			t.Errorf("alice was given %s", other)
		}
	}
	if n, err := node.ReadConfig(filepath.Join(alice, "alice", "node.yaml")); err != nil || !strings.HasPrefix(n.Listen, ":") ||
		n.Peers["bob"] == "" {
		t.Errorf("%+v, %v", n, err)
	}
}

// TestOneEnds checks that the end of one daemon stops all, and that the error has its output.
func TestOneEnds(t *testing.T) {
	homes := useLocalSSH(t)
	c := hosts(t, func(name string) string { return name }, "")
	dir := filepath.Join(homes, "bob", "tacet", "bob", "bob")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, kittest.BehaviourFile), []byte("dies"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := start(t, t.Context(), c)
	err := <-r.ended
	if err == nil || err.Error() != "bob has ended: exit status 1" || !strings.Contains(r.said(), "bob | tacet: error: no such policy\n") {
		t.Errorf("%v\n%s", err, r.said())
	}
}

// TestNotCopied checks that the error about an unreachable host contains the output of ssh.
func TestNotCopied(t *testing.T) {
	useLocalSSH(t)
	c := hosts(t, func(name string) string {
		if name == "bob" {
			return "nowhere"
		}
		return name
	}, "")
	err := <-start(t, t.Context(), c).ended
	if err == nil || err.Error() != "bob: cannot copy files to nowhere: ssh: Could not resolve hostname nowhere" {
		t.Error(err)
	}
}

func TestReadRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hosts.yaml")
	const dealer = "dealer: {ssh: h, address: 'h:1'}\n"
	const nodes = "nodes: {alice: {ssh: h, address: 'h:2'}, bob: {ssh: h, address: 'h:3'}}\n"
	for text, want := range map[string]string{
		dealer + nodes:                           "",
		dealer + nodes + "dir: .":                "dir: " + filepath.Dir(path) + ": exists, and tacet launch did not create it",
		nodes:                                    "hosts.yaml: dealer is missing",
		dealer:                                   "hosts.yaml: nodes: a cluster needs two or more parties",
		dealer + nodes + "host: x":               `hosts.yaml:3: a hosts file has no key "host"`,
		dealer + "nodes: {alice: {ssh: h}}":      "hosts.yaml:2: nodes: alice: address is missing",
		dealer + "nodes: {alice: {address: :1}}": "hosts.yaml:2: nodes: alice: ssh is missing",
		dealer + "nodes: {alice: {ssh: -o, address: 'h:1'}}":                                              "is an option, not a host",
		dealer + "nodes: {alice: {ssh: h, address: 'h:1', policy: no.yaml}}":                              "nodes: alice: policy: open ",
		dealer + "nodes: {admin: {ssh: h, address: 'h:1'}, bob: {ssh: h, address: 'h:1'}}":                "no party can be named admin",
		"dealer: {ssh: h, address: 'h:1', data: [x]}":                                                     `dealer has no key "data"`,
		dealer + "nodes: {alice: {ssh: h, address: 'h:1', data: x}}":                                      "data: want a list of folders on the host",
		dealer + "nodes: {alice: {ssh: h, address: 'h:1', listen: '9'}, bob: {ssh: h, address: 'h:1'}}\n": "listen: want an address",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// TestInterrupted checks that an early interrupt is not reported as an error.
func TestInterrupted(t *testing.T) {
	useLocalSSH(t)
	program := filepath.Join(t.TempDir(), "program") // ignores SIGTERM
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho begun\nexec sleep 60\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for login, want := range map[string]error{"slow": ErrNotStarted, "here": nil} {
		ctx, interrupt := context.WithCancel(t.Context())
		begun := make(chan struct{})
		o := Options{Program: program, Wait: time.Minute, Stop: 30 * time.Second, Out: first(begun), Copied: func() {}, Ready: func() {}}
		c := hosts(t, func(name string) string {
			if name == "bob" {
				return login
			}
			return name
		}, "")
		if login == "slow" {
			time.AfterFunc(100*time.Millisecond, interrupt)
		} else {
			go func() {
				<-begun
				interrupt()
			}()
		}
		if err := c.Run(ctx, o); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", login, err, want)
		}
		interrupt()
	}
}

// first closes a channel at the first write.
func first(begun chan struct{}) io.Writer {
	once := sync.OnceFunc(func() { close(begun) })
	return writerFunc(func(b []byte) (int, error) { once(); return len(b), nil })
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestPrefixed checks that lines are written completely, however their bytes arrive.
func TestPrefixed(t *testing.T) {
	var b bytes.Buffer
	p := &prefixWriter{prefix: "a | ", to: &b}
	for _, s := range []string{"one\ntw", "o", "\n\nthree\nfo", strings.Repeat("x", maxLine), "ur"} {
		if n, err := p.Write([]byte(s)); n != len(s) || err != nil {
			t.Error(n, err)
		}
	}
	p.flush()
	want := "a | one\na | two\na | \na | three\na | fo" + strings.Repeat("x", maxLine) + "\na | ur\n"
	if b.String() != want {
		t.Errorf("%.100q", b.String())
	}
}

// TestRealSSH launches through an sshd on the loopback interface: the system's, or the program that
// TACET_SSHD names.
func TestRealSSH(t *testing.T) {
	sshd := os.Getenv("TACET_SSHD")
	if sshd == "" {
		sshd = "/usr/sbin/sshd"
	}
	for _, program := range []string{sshd, "ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s here", program)
		}
	}
	dir := t.TempDir()
	for _, key := range []string{"host", "me"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	config := fmt.Sprintf(
		"Port %s\nListenAddress 127.0.0.1\nHostKey %[2]s/host\nAuthorizedKeysFile %[2]s/me.pub\nPidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n",
		port,
		dir,
	)
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	server := exec.CommandContext(ctx, sshd, "-D", "-e", "-f", filepath.Join(dir, "config"))
	var log bytes.Buffer
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Skipf("sshd does not start: %v", err)
	}
	defer func() {
		stop()
		server.Wait()
	}()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
			c.Close()
			break
		}
		if time.Now().After(deadline) {
			stop()
			server.Wait()
			t.Skipf("sshd does not listen: %s", log.String())
		}
	}
	options := []string{
		"-p",
		port,
		"-i",
		filepath.Join(dir, "me"),
		"-F",
		"none",
		"-o",
		"IdentitiesOnly=yes",
		"-o",
		"StrictHostKeyChecking=no",
		"-o",
		"LogLevel=ERROR",
		"-o",
		"UserKnownHostsFile=" + filepath.Join(dir, "known"),
	}
	more := "remote: " + filepath.Join(dir, "remote") + "\nssh: ["
	for _, o := range options {
		more += fmt.Sprintf("%q, ", o)
	}
	comesAndGoes(t, hosts(t, func(string) string { return "127.0.0.1" }, more+"]\n"))
}
