//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster/local"
	"github.com/tacet-mpc/tacet/job/npy"
)

// manualPage is the page whose commands are run.
const manualPage = "../../docs/two-organisations.md"

// manualStep is one step of the page: commands, a file to write, or a file to send.
type manualStep struct {
	line int
	on   []string // computers on which commands are run, or a file is written
	run  string   // the commands
	path string   // of a file to write
	text string
	send string // path of a file to send
	from string
	as   string // its name at the receivers: its last element, if empty
}

var (
	fence   = regexp.MustCompile("^```(.*)$")
	filed   = regexp.MustCompile("^`([a-z-]+)`, `([^`]+)`:$") // two lines before a file
	sending = regexp.MustCompile("^- \\*\\*Send\\*\\* `([^`]+)` from ([a-z-]+) to ([a-z, -]+?)(?: as `([^`]+)`)?$")
)

// readManual reads the steps of the page. Every block and every line that says what is sent must have a form
// that it knows; left is the number of blocks that the page excludes.
func readManual(t *testing.T, page string) (steps []manualStep, left int) {
	t.Helper()
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		if strings.Contains(lines[i], "**Send**") {
			m := sending.FindStringSubmatch(lines[i])
			if m == nil {
				if strings.HasPrefix(lines[i], "- ") {
					t.Fatalf("line %d: %s", i+1, lines[i])
				}
				continue
			}
			steps = append(steps, manualStep{line: i + 1, send: m[1], from: m[2], on: strings.Split(m[3], ", "), as: m[4]})
			continue
		}
		m := fence.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		s := manualStep{line: i + 1}
		file := filed.FindStringSubmatch(lines[i-2])
		var text []string
		for i++; lines[i] != "```"; i++ {
			text = append(text, lines[i])
		}
		switch {
		case m[1] == "sh not-run":
			left++
			continue
		case m[1] == "sh" && strings.HasPrefix(text[0], "# "):
			s.on, s.run = strings.Split(text[0][2:], ", "), strings.Join(text[1:], "\n")
		case file != nil && slices.Contains([]string{"yaml", "csv", "mlir"}, m[1]):
			s.on, s.path, s.text = []string{file[1]}, file[2], strings.Join(text, "\n")+"\n"
		default:
			t.Fatalf("line %d: the block does not say where it belongs", s.line)
		}
		steps = append(steps, s)
	}
	return steps, left
}

// systemctl stands for the service manager in these tests: it does what the installed unit says, with the
// computer's folder in place of /.
const systemctl = `#!/bin/sh
set -eu
unit=$ROOT/etc/systemd/system/${2:-}.service
log=$ROOT/${2:-}.log
field() { sed -n "s/^$1=//p" "$unit"; }
serving() { grep -c '"msg":"\(node\|dealer\) serves"' "$log" 2>/dev/null || true; }
case "$1" in
daemon-reload) ;;
enable) exec "$0" start "$3" ;;
start)
	for d in $(field StateDirectory); do mkdir -p -m 700 "$ROOT/var/lib/$d"; done
	for d in $(field CacheDirectory); do mkdir -p -m 700 "$ROOT/var/cache/$d"; done
	before=$(serving)
	nohup $(field ExecStart | sed "s# /etc/# $ROOT/etc/#; s#^/usr#$ROOT/usr#") </dev/null >>"$log" 2>&1 &
	echo $! >"$ROOT/$2.pid"
	tries=0
	while [ "$(serving)" = "$before" ]; do
		tries=$((tries + 1))
		if [ $tries -gt 600 ] || ! kill -0 "$(cat "$ROOT/$2.pid")"; then tail "$log" >&2; exit 1; fi
		sleep 0.05
	done ;;
reload)
	MAINPID=$(cat "$ROOT/$2.pid")
	eval "$(field ExecReload)" ;;
stop)
	kill "$(cat "$ROOT/$2.pid")"
	tries=0
	while readlink "/proc/$(cat "$ROOT/$2.pid")/exe" >/dev/null; do
		tries=$((tries + 1))
		if [ $tries -gt 1200 ]; then echo "$2 does not stop" >&2; exit 1; fi
		sleep 0.05
	done
	rm "$ROOT/$2.pid" ;;
*) echo "systemctl $1?" >&2; exit 1 ;;
esac
`

// shims are commands that stand for the system's, which need root or a service manager. Owners of files
// are left out.
var shims = map[string]string{
	"systemctl":  systemctl,
	"journalctl": "#!/bin/sh\n[ \"$1 $3 $4\" = '-u -o cat' ] && cat \"$ROOT/$2.log\"\n",
	"useradd":    "#!/bin/sh\n[ \"$1 $2\" = '--system --home-dir' ]\n",
	"chown":      "#!/bin/sh\n[ -e \"$2\" ]\n",
	"install": `#!/bin/sh
set -eu
[ "$*" != "-m 755 tacet $ROOT/usr/local/bin/tacet" ] || { mkdir -p "$ROOT/usr/local/bin" && exec ln tacet "$ROOT/usr/local/bin/tacet"; }
args=
while [ $# -gt 0 ]; do
	case "$1" in
	-o|-g) shift ;;
	*) args="$args $1" ;;
	esac
	shift
done
exec /usr/bin/install $args
`,
}

// manual runs the page on simulated computers.
type manual struct {
	t     *testing.T
	dir   string
	names []string                     // of computers
	word  map[string]*strings.Replacer // by computer: paths, addresses and ids of the page, as they are here
	id    string                       // of the job that the page submits
	shell func(computer, commands string) *exec.Cmd
}

// home returns the folder of a computer, as the test sees it.
func (m *manual) home(computer string) string { return filepath.Join(m.dir, computer) }

// here returns a text of the page with the addresses, paths and ids of this test.
func (m *manual) here(computer, text string) string {
	text = m.word[computer].Replace(text)
	if m.id != "" {
		text = strings.ReplaceAll(text, "3f9a", m.id)
	}
	return text
}

// make makes the folder of each computer, with a release.
func (m *manual) make() {
	m.t.Helper()
	tacet, err := exec.LookPath("tacet")
	m.check(err)
	for _, c := range m.names {
		home := m.home(c)
		for _, d := range []string{"shims", "root/etc/systemd/system", "root/srv/tacet", "root/etc", "root/var/lib", "root/var/cache"} {
			m.check(os.MkdirAll(filepath.Join(home, d), 0o755))
		}
		if err := os.Link(tacet, filepath.Join(home, "tacet")); err != nil {
			text, err := os.ReadFile(tacet)
			m.check(err)
			m.check(os.WriteFile(filepath.Join(home, "tacet"), text, 0o755))
		}
		m.check(os.CopyFS(filepath.Join(home, "deploy", "systemd"), os.DirFS("../../deploy/systemd")))
		for name, text := range shims {
			m.check(os.WriteFile(filepath.Join(home, "shims", name), []byte(text), 0o755))
		}
	}
}

func (m *manual) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

// try runs commands on a computer.
func (m *manual) try(computer, commands string) (string, error) {
	c := m.shell(computer, m.here(computer, commands))
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	return out.String(), err
}

// run runs commands that must succeed.
func (m *manual) run(computer, commands string) string {
	m.t.Helper()
	out, err := m.try(computer, commands)
	if err != nil {
		m.t.Fatalf("on %s:\n%s\n%v:\n%s", computer, commands, err, out)
	}
	return out
}

// step does a step of the page and returns what the commands printed, by computer.
func (m *manual) step(s manualStep) map[string]string {
	m.t.Helper()
	out := map[string]string{}
	for _, c := range s.on {
		if m.word[c] == nil {
			m.t.Fatalf("%s:%d: there is no computer %s", manualPage, s.line, c)
		}
		switch {
		case s.run != "":
			out[c] = m.run(c, s.run)
		case s.path != "":
			path := s.path
			if filepath.IsAbs(path) {
				path = filepath.Join("root", path)
			}
			m.check(os.WriteFile(filepath.Join(m.home(c), path), []byte(m.here(c, s.text)), 0o640))
		default:
			from := s.send
			if filepath.IsAbs(from) {
				from = filepath.Join("root", from)
			}
			text, err := os.ReadFile(filepath.Join(m.home(s.from), from))
			m.check(err)
			as := s.as
			if as == "" {
				as = filepath.Base(s.send)
			}
			m.check(os.WriteFile(filepath.Join(m.home(c), as), text, 0o640))
		}
	}
	return out
}

// follow follows the page.
func (m *manual) follow(steps []manualStep) {
	m.t.Helper()
	for _, s := range steps {
		if strings.Contains(s.run, "tacet fetch ") {
			m.done()
		}
		out := m.step(s)
		if strings.Contains(s.run, "tacet submit ") {
			id := regexp.MustCompile(`(?m)^[0-9a-f]{32}$`).FindString(out[s.on[0]])
			if id == "" {
				m.t.Fatalf("line %d: no id in %s", s.line, out[s.on[0]])
			}
			m.id = id
		}
	}
}

// done waits until the job is done at the hospital's node, and the clinic's has the head of its audit log.
func (m *manual) done() {
	m.t.Helper()
	var out string
	for deadline := time.Now().Add(rigWait); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		_, err := os.Stat(filepath.Join(m.home("clinic-node"), "root/var/lib/tacet/heads.json"))
		if out = m.run("hospital-office", "tacet jobs 3f9a --nodes alice"); err == nil && strings.Contains(out, "done") {
			return
		}
	}
	m.t.Fatalf("the job is not done: %s", out)
}

// daemons are the units by computer.
var daemons = map[string]string{"hospital-node": "tacet-node", "clinic-node": "tacet-node", "trustee-dealer": "tacet-dealer"}

// end stops the daemons that run and looks at their logs.
func (m *manual) end() {
	for c, unit := range daemons {
		if _, err := os.Stat(filepath.Join(m.home(c), "root", unit+".pid")); err == nil {
			if out, err := m.try(c, "systemctl stop "+unit); err != nil {
				m.t.Errorf("%s: %v: %s", c, err, out)
			}
		}
		log, err := os.ReadFile(filepath.Join(m.home(c), "root", unit+".log"))
		if err != nil {
			m.t.Error(err)
		}
		if bad := outcry.Find(log); bad != nil {
			m.t.Errorf("%s: %s", c, bad)
		}
		if m.t.Failed() {
			m.t.Logf("%s:\n%s", c, log[max(0, len(log)-4000):])
		}
	}
}

// keys checks that every private key is on one computer, and no CA's key on one with a daemon.
func (m *manual) keys() {
	m.t.Helper()
	holder, keys := map[string]string{}, 0
	for _, c := range m.names {
		m.check(filepath.WalkDir(m.home(c), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !d.Type().IsRegular() {
				return err
			}
			if info, err := d.Info(); err != nil || info.Size() > 1<<20 {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil || !bytes.Contains(text, []byte("PRIVATE KEY")) {
				return err
			}
			keys++
			if other := holder[string(text)]; other != "" {
				m.t.Errorf("%s and %s have the same private key, %s", other, c, path)
			}
			holder[string(text)] = c
			if _, runs := daemons[c]; runs && filepath.Base(path) == "ca.key" {
				m.t.Errorf("%s runs a daemon and has %s", c, path)
			}
			return nil
		}))
	}
	if keys != 9 { // three CAs, three daemons, carol and two admins
		m.t.Errorf("%d private keys", keys)
	}
}

// newManual prepares the computers of a page.
func newManual(t *testing.T, steps []manualStep) *manual {
	t.Helper()
	m := &manual{t: t, dir: t.TempDir(), word: map[string]*strings.Replacer{}}
	for _, s := range steps {
		for _, c := range s.on {
			if !slices.Contains(m.names, c) {
				m.names = append(m.names, c)
			}
		}
	}
	return m
}

// paths returns the replacements of the page's paths by those below a folder.
func paths(root string) (out []string) {
	for _, p := range []string{"/usr/local/bin/", "/etc/tacet", "/etc/systemd", "/var/lib/tacet", "/var/cache/tacet", "/srv/tacet"} {
		out = append(out, p, root+p)
	}
	return out
}

// environment is that of a user of a computer whose folder is home.
func environment(home string) []string {
	return []string{
		"HOME=" + home, "ROOT=" + home + "/root", "PATH=" + home + "/shims:" + home + "/root/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C",
	}
}

// folders gives each computer a folder and addresses 127.0.0.x.
func (m *manual) folders() {
	m.t.Helper()
	ports, err := local.FreePorts(2 * len(m.names))
	m.check(err)
	hosts := map[string]string{}
	address := func(i int) string {
		_, port, _ := strings.Cut(ports[i], ":")
		return fmt.Sprintf("127.0.0.%d:%s", 10+i/2, port)
	}
	for i, c := range m.names {
		hosts[c] = address(2 * i)
	}
	for i, c := range m.names {
		m.word[c] = strings.NewReplacer(append(paths(m.home(c)+"/root"),
			"alice.hospital.example:7000", hosts["hospital-node"], "bob.clinic.example:7000", hosts["clinic-node"],
			"dealer.trustee.example:7000", hosts["trustee-dealer"], "0.0.0.0:7000", hosts[c], "127.0.0.1:9100", address(2*i+1))...)
	}
	m.shell = func(computer, commands string) *exec.Cmd {
		ctx, cancel := context.WithTimeout(m.t.Context(), 2*rigWait)
		m.t.Cleanup(cancel)
		if m.t.Context().Err() != nil { // the daemons are stopped when the test is over
			ctx = context.Background()
		}
		c := exec.CommandContext(ctx, "sh", "-eu", "-c", commands)
		c.Dir, c.Env = m.home(computer), environment(m.home(computer))
		return c
	}
}

// namespaces gives each computer a network namespace with one address, joined by a bridge, in which no other
// computer's folder exists.
func (m *manual) namespaces() {
	m.t.Helper()
	ip := func(args ...string) {
		m.t.Helper()
		if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
			m.t.Fatalf("ip %q: %v: %s", args, err, out)
		}
	}
	space := func(i int) string { return fmt.Sprintf("tacet%d-%d", os.Getpid(), i) }
	hub := space(0)
	add := func(name string) {
		ip("netns", "add", name)
		m.t.Cleanup(func() { exec.Command("ip", "netns", "del", name).Run() })
	}
	add(hub)
	ip("-n", hub, "link", "add", "br0", "type", "bridge")
	ip("-n", hub, "link", "set", "br0", "up")
	hosts, spaces := map[string]string{}, map[string]string{}
	for i, c := range m.names {
		name, port := space(i+1), fmt.Sprintf("p%d", i)
		add(name)
		ip("-n", hub, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", name)
		ip("-n", hub, "link", "set", port, "master", "br0", "up")
		hosts[c], spaces[c] = fmt.Sprintf("10.77.0.%d", i+1), name
		ip("-n", name, "addr", "add", hosts[c]+"/24", "dev", "eth0")
		ip("-n", name, "link", "set", "eth0", "up")
		ip("-n", name, "link", "set", "lo", "up")
	}
	for _, c := range m.names {
		m.word[c] = strings.NewReplacer(append(paths("/mnt/root"), "alice.hospital.example", hosts["hospital-node"],
			"bob.clinic.example", hosts["clinic-node"], "dealer.trustee.example", hosts["trustee-dealer"])...)
	}
	const enter = `mount --bind "$1" /mnt && mount -t tmpfs none "$2" && cd /mnt && exec env -i LC_ALL=C HOME="$4" ROOT="$5" PATH="$6" sh -eu -c "$3"`
	m.shell = func(computer, commands string) *exec.Cmd {
		e := environment("/mnt")
		of := func(i int) string { _, v, _ := strings.Cut(e[i], "="); return v }
		return exec.Command("ip", "netns", "exec", spaces[computer], "unshare", "--mount", "--propagation", "private", "sh", "-eu", "-c", enter, "sh",
			m.home(computer), m.dir, commands, of(0), of(1), of(2))
	}
	for _, c := range m.names { // nobody sees another's folder
		if out := m.run(c, "ls "+m.dir+"; echo; ip -o -4 addr show eth0"); !strings.HasPrefix(out, "\n") || !strings.Contains(out, hosts[c]) {
			m.t.Fatalf("%s: %s", c, out)
		}
	}
}

// TestTwoOrganisations follows docs/two-organisations.md. Computers are folders with addresses of their own; with
// TACET_TEST_NETNS=1, by root, network and mount namespaces. The files of the page must be those of
// deploy/organisations.
func TestTwoOrganisations(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("short")
	}
	page, err := os.ReadFile(manualPage)
	if err != nil {
		t.Fatal(err)
	}
	steps, left := readManual(t, string(page))
	if len(steps) < 40 || left != 2 {
		t.Fatalf("%d steps, %d blocks left out", len(steps), left)
	}
	compared := 0
	for _, s := range steps {
		if s.path == "" || filepath.Ext(s.path) == ".csv" {
			continue
		}
		of, _, _ := strings.Cut(s.on[0], "-")
		if filepath.Ext(s.path) == ".mlir" {
			of = ""
		}
		file := filepath.Join("../../deploy/organisations", of, filepath.Base(s.path))
		if want, err := os.ReadFile(file); err != nil || string(want) != s.text {
			t.Errorf("%s:%d: the block is not %s (%v)", manualPage, s.line, file, err)
		}
		compared++
	}
	if compared != 9 {
		t.Errorf("%d files", compared)
	}
	m := newManual(t, steps)
	if os.Getenv("TACET_TEST_NETNS") != "" {
		if os.Getuid() != 0 {
			t.Fatal("TACET_TEST_NETNS needs root")
		}
		m.make()
		m.namespaces()
	} else {
		m.folders()
		m.make()
	}
	t.Cleanup(m.end)
	m.follow(steps)
	m.keys()

	// The hospital has learned the mean risk, and nobody else.
	mean := 0.0
	for _, x := range [][3]float64{{0.2, -0.5, 1}, {1.5, 0.3, -0.2}, {-0.7, 0.9, 0.4}, {0.1, 0.1, 0.1}} {
		mean += 1 / (1 + math.Exp(-(0.5*x[0] - 2*x[1] + x[2]))) / 4
	}
	f, err := os.Open(filepath.Join(m.home("hospital-office"), "results", "out0.npy"))
	m.check(err)
	defer f.Close()
	info, err := f.Stat()
	m.check(err)
	r, err := npy.NewReader(f, info.Size())
	m.check(err)
	got, err := r.Array()
	m.check(err)
	if x := got.Floats(); len(x) != 1 || math.Abs(x[0]-mean) > 1e-3 {
		t.Errorf("the result is %v, want %v", x, mean)
	}
	if out, err := m.try("clinic-office", "tacet fetch 3f9a"); err == nil || !strings.Contains(out, "may not") {
		t.Errorf("carol fetches: %v: %s", err, out)
	}

	// The restored node runs a second job; the clinic allows no third one.
	submit := func() (string, error) { return m.try("clinic-office", "tacet submit job.yaml --detach") }
	out, err := submit()
	if err != nil {
		t.Fatal(err, out)
	}
	m.id = strings.TrimSpace(out)
	m.run("hospital-office", "tacet approve 3f9a --node alice")
	m.done()
	if out, err = submit(); err == nil || !strings.Contains(out, "runs") {
		t.Errorf("a third run: %v: %s", err, out)
	}
}
