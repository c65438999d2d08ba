//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/cluster/local"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/tensor"
)

// rig is a cluster of real processes, started as tacet up does, with a line between every two on which
// tests inject faults.
type rig struct {
	t       *testing.T
	dir     string
	parties []string
	config  *cluster.Config
	clients map[string]*api.Client
	lines   map[[2]string]*fault.Line // by dialling and dialled daemon
	metrics map[string]string         // metrics addresses of nodes
	pids    map[string]int
	idle    map[string]load // load of the nodes after their first job
	inputs  int             // number of submissions so far: each uses other inputs
	size    int             // number of elements of each argument
	limits  string          // further limits of nodes
	pair    bool            // two parties without a dealer
}

// load is the resources that a process holds and must release after a job.
type load struct{ routines, files int }

// Limits of the nodes in a rig. On a busy machine, running processes too may be silent for a while.
const (
	rigSilence = 4 * time.Second
	rigWait    = time.Minute // maximum time until a job has ended everywhere: longer means that it hangs
)

// rigInputs is the number of inputs of every party.
const rigInputs = 10

// rigProgram has operations of many rounds, and one without rounds.
const rigProgram = `func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>, %c: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<64xf32>
  %1 = stablehlo.maximum %0, %c : tensor<64xf32>
  %2 = stablehlo.logistic %1 : tensor<64xf32>
  %3 = stablehlo.multiply %2, %a : tensor<64xf32>
  %4 = stablehlo.add %3, %b : tensor<64xf32>
  return %4 : tensor<64xf32>
}
`

// pairProgram is the program of two parties without a dealer.
const pairProgram = `func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %0 = stablehlo.multiply %a, %b : tensor<64xf32>
  %1 = stablehlo.maximum %0, %a : tensor<64xf32>
  %2 = stablehlo.add %1, %b : tensor<64xf32>
  return %2 : tensor<64xf32>
}
`

// newPairRig is newRig of two parties without a dealer, which keep keys and oblivious transfers for later sessions.
func newPairRig(t *testing.T, size int, limits ...string) *rig {
	t.Helper()
	return startRig(&rig{t: t, parties: []string{"alice", "bob"}, size: size, limits: strings.Join(limits, ""), pair: true})
}

// newRig starts a cluster whose jobs have arguments of this size and whose nodes have these further
// limits, and runs one job.
func newRig(t *testing.T, size int, limits ...string) *rig {
	t.Helper()
	return startRig(&rig{t: t, parties: []string{"alice", "bob", "carol"}, size: size, limits: strings.Join(limits, "")})
}

// startRig starts the cluster of r.
func startRig(r *rig) *rig {
	r.t.Helper()
	if testing.Short() {
		r.t.Skip("short")
	}
	r.dir = filepath.Join(r.t.TempDir(), "cluster")
	r.lines, r.metrics, r.pids, r.idle = map[[2]string]*fault.Line{}, map[string]string{}, map[string]int{}, map[string]load{}
	r.t.Cleanup(r.stop)
	r.make()
	r.up()
	r.works("at first")
	for _, p := range r.parties {
		r.idle[p] = r.load(p)
		for range 10 { // time for goroutines that are about to end
			time.Sleep(20 * time.Millisecond)
			now := r.load(p)
			r.idle[p] = load{min(now.routines, r.idle[p].routines), min(now.files, r.idle[p].files)}
		}
	}
	return r
}

// make writes the cluster's folder, with configurations in which the daemons reach each other over
// lines.
func (r *rig) make() {
	r.t.Helper()
	k := &kit.Kit{}
	if !r.pair {
		k.Dealer.Name = kit.Dealer
	}
	for _, p := range r.parties {
		k.Parties = append(k.Parties, kit.Daemon{Name: p, Data: []string{"data"}})
	}
	ports, err := local.FreePorts(2*len(r.parties) + 1)
	r.check(err)
	for i, m := range k.Daemons() {
		m.Listen, m.Address = ports[i], ports[i]
	}
	r.check(k.Write(r.dir))
	for i, from := range r.parties {
		r.metrics[from] = ports[len(r.parties)+1+i]
		text := r.read(from, "node.yaml")
		for j, to := range k.Daemons() {
			if to.Name == from {
				continue
			}
			l := fault.New(uint64(i<<8 | j))
			addr, err := l.Listen(to.Address)
			r.check(err)
			r.lines[[2]string{from, to.Name}] = l
			text = strings.ReplaceAll(text, `"`+to.Address+`"`, `"`+addr+`"`)
		}
		text += fmt.Sprintf(
			"limits: {heartbeat: 500ms, heartbeat_timeout: %v, drain: 5s%s}\nmetrics: %s\npprof: true\n",
			rigSilence,
			r.limits,
			r.metrics[from],
		)
		r.write(from, "node.yaml", text)
		r.check(os.Mkdir(filepath.Join(r.dir, from, "data"), 0o700))
		for n := range rigInputs {
			r.check(
				npy.WriteFile(
					filepath.Join(r.dir, from, "data", fmt.Sprintf("x%d.npy", n)),
					tensor.FromFloats(tensor.F32, tensor.Shape{r.size}, r.input(i, n)),
				),
			)
		}
	}
	program, all, more := rigProgram, strings.Join(r.parties, ", "), ""
	if r.pair {
		program, more = pairProgram, "protocol: cheetah\n"
	}
	r.write("", "program.mlir", strings.ReplaceAll(program, "<64x", fmt.Sprintf("<%dx", r.size)))
	text := fmt.Sprintf("program: program.mlir\nparties: [%s]\noutputs: {reveal: [%s]}\n%sinputs:\n", all, all, more)
	for i, p := range r.parties {
		text += fmt.Sprintf("  - {owner: %s, file: x0.npy, arg: %d}\n", p, i)
	}
	r.write("", "job.yaml", text)
	if !r.pair {
		r.write(
			"dealer",
			"dealer.yaml",
			r.read("dealer", "dealer.yaml")+fmt.Sprintf("limits: {heartbeat: 500ms, heartbeat_timeout: %v}\n", rigSilence),
		)
	}
	r.config, err = cluster.Read(filepath.Join(r.dir, kit.ClusterFile))
	r.check(err)
	r.clients, err = r.config.Clients()
	r.check(err)
}

func (r *rig) input(party, n int) []float64 {
	random := rand.New(rand.NewPCG(uint64(party), uint64(n)))
	out := make([]float64, r.size)
	for i := range out {
		out[i] = float64(float32(4*random.Float64() - 2))
	}
	return out
}

func (r *rig) check(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) read(of, file string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, of, file))
	r.check(err)
	return string(text)
}

func (r *rig) write(of, file, text string) {
	r.t.Helper()
	r.check(os.WriteFile(filepath.Join(r.dir, of, file), []byte(text), 0o600))
}

// up starts the daemons that do not run.
func (r *rig) up() {
	r.t.Helper()
	_, status, err := local.Up(r.t.Context(), local.Options{Dir: r.dir, Program: r.program("tacet"), Wait: time.Minute})
	r.check(err)
	for _, s := range status {
		r.pids[s.Name] = s.PID
	}
}

// stop stops all daemons and checks that they end.
func (r *rig) stop() {
	for name := range r.pids {
		r.signal(name, syscall.SIGCONT)
	}
	if _, err := os.Stat(r.dir); err == nil {
		stopped, err := local.Down(r.dir, 30*time.Second)
		if err != nil {
			r.t.Error(err)
		}
		for _, s := range stopped {
			if s.Killed {
				r.t.Errorf("%s did not end by itself", s.Name)
			}
		}
	}
	for _, l := range r.lines {
		l.Close()
	}
	logs, err := filepath.Glob(filepath.Join(r.dir, "*", "*.log"))
	r.check(err)
	for _, log := range logs {
		text, err := os.ReadFile(log)
		r.check(err)
		if bad := outcry.Find(text); bad != nil {
			r.t.Errorf("%s: %s", log, bad)
		}
		if r.t.Failed() {
			r.t.Logf("%s:\n%s", log, text[max(0, len(text)-4000):])
		}
	}
}

// outcry matches output that no daemon may write: panics, also those of handlers of requests, and data races.
var outcry = regexp.MustCompile(`(?s)(panic: |panic serving|panic while a request|fatal error: |DATA RACE).{0,1000}`)

// signal sends a signal to a process of the rig.
func (r *rig) signal(name string, s syscall.Signal) { syscall.Kill(r.pids[name], s) }

// all sets the faults of all lines.
func (r *rig) all(f fault.Fault) {
	for _, l := range r.lines {
		l.Set(fault.Both, f)
	}
}

// around sets the faults of the lines that end at a daemon.
func (r *rig) around(name string, f fault.Fault) {
	for between, l := range r.lines {
		if between[0] == name || between[1] == name {
			l.Set(fault.Both, f)
		}
	}
}

// submission returns a job of all parties, with other inputs each time.
func (r *rig) submission() *api.Submission {
	r.t.Helper()
	j, p, err := (&jobFlags{Job: filepath.Join(r.dir, "job.yaml")}).read(r.t.Context(), job.Override{})
	r.check(err)
	s, err := cluster.NewSubmission(r.t.Context(), j, p)
	r.check(err)
	for i := range s.Inputs {
		s.Inputs[i].Name = fmt.Sprintf("x%d.npy", (r.inputs+i*i)%rigInputs)
	}
	r.inputs++
	return s
}

// expected returns the result of a submission's job.
func (r *rig) expected(s *api.Submission) []float64 {
	var in [3][]float64
	for i, x := range s.Inputs {
		var n int
		_, err := fmt.Sscanf(x.Name, "x%d.npy", &n)
		r.check(err)
		in[i] = r.input(i, n)
	}
	out := make([]float64, r.size)
	for i := range out {
		a, b := in[0][i], in[1][i]
		if r.pair {
			out[i] = max(a*b, a) + b
			continue
		}
		out[i] = a/(1+math.Exp(-max(a*b, in[2][i]))) + b
	}
	return out
}

// submit submits a job to all nodes.
func (r *rig) submit() *api.Submission {
	s := r.submission()
	r.hand(s)
	return s
}

// hand sends a submission to the nodes of its parties; refusals are what some tests expect.
func (r *rig) hand(s *api.Submission) { cluster.Submit(r.t.Context(), r.clients, s) }

// turned returns a job with another leader.
func (r *rig) turned(n int) *api.Submission {
	s := r.submission()
	n %= len(s.Parties)
	s.Parties = append(append([]string(nil), s.Parties[n:]...), s.Parties[:n]...)
	return s
}

// asked returns a node's status of a job, with a timeout: the node may hang.
func (r *rig) asked(node, id string) (api.Job, error) {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Second)
	defer cancel()
	return r.clients[node].Job(ctx, id)
}

// end waits until a job has ended at a node; known is false if the node does not know it.
func (r *rig) end(s *api.Submission, at string) (j api.Job, known bool) {
	r.t.Helper()
	var err error
	for deadline := time.Now().Add(2 * rigWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		j, err = r.clients[at].Job(r.t.Context(), s.ID)
		if _, refused := err.(*api.Refused); refused {
			return j, false
		}
		if err == nil && j.State.Final() {
			return j, true
		}
	}
	r.t.Errorf("job %s is %s at %s in the end (%s), %v", s.ID, j.State, at, j.Phase, err)
	return j, true
}

// right checks a job's result at a node where it is done.
func (r *rig) right(s *api.Submission, at string) {
	r.t.Helper()
	got, _, err := cluster.Fetch(r.t.Context(), r.clients[at], s.ID)
	if err != nil || len(got) != 1 {
		r.t.Errorf("job %s is done at %s and gives nothing: %v", s.ID, at, err)
		return
	}
	values := got[0].Floats()
	for i, want := range r.expected(s) {
		if x := values[i]; math.Abs(x-want) > 1e-2 {
			r.t.Errorf("job %s gave %v at %s where %v is right", s.ID, x, at, want)
			return
		}
	}
}

// works runs a job that must succeed.
func (r *rig) works(what string) {
	r.t.Helper()
	s := r.submit()
	for _, p := range s.Parties {
		j, known := r.end(s, p)
		if !known || j.State != api.Done {
			r.t.Fatalf("%s: no job is done any more: at %s it is %q: %s", what, p, j.State, j.Error)
		}
		r.right(s, p)
	}
}

var routines = regexp.MustCompile(`^goroutine profile: total (\d+)`)

// load returns the load of a node.
func (r *rig) load(name string) load {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, "http://"+r.metrics[name]+"/debug/pprof/goroutine?debug=1", nil)
	r.check(err)
	q.Close = true
	a, err := http.DefaultClient.Do(q)
	r.check(err)
	defer a.Body.Close()
	line, err := bufio.NewReader(a.Body).ReadString('\n')
	r.check(err)
	m := routines.FindStringSubmatch(line)
	if m == nil {
		r.t.Fatalf("no number of goroutines: %q", line)
	}
	n, err := strconv.Atoi(m[1])
	r.check(err)
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", r.pids[name]))
	r.check(err)
	return load{n, len(files)}
}

// clean checks that ended jobs have left nothing: no goroutine, no connection, no incomplete file.
func (r *rig) clean(what string) {
	r.t.Helper()
	for _, p := range r.parties {
		var now load
		for deadline := time.Now().Add(rigWait); ; time.Sleep(50 * time.Millisecond) {
			now = r.load(p)
			if now.routines <= r.idle[p].routines && now.files <= r.idle[p].files {
				break
			}
			if time.Now().After(deadline) {
				r.t.Errorf("%s: %s holds %+v, and held %+v before", what, p, now, r.idle[p])
				break
			}
		}
		r.tidy(what, p)
	}
}

// gone reports whether a file that is being written, such as the heads of the peers' audit logs, is renamed
// soon.
func gone(path string) bool {
	for range 100 {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}

// tidy checks a node's state folder.
func (r *rig) tidy(what, name string) {
	r.t.Helper()
	state := filepath.Join(r.dir, name, "state")
	jobs, _, err := r.clients[name].Jobs(r.t.Context(), "")
	r.check(err)
	states := map[string]api.State{}
	for _, j := range jobs {
		states[j.ID] = j.State
	}
	r.check(filepath.WalkDir(state, func(path string, e fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".tmp") && !gone(path) || strings.HasPrefix(e.Name(), ".tacet-") {
			r.t.Errorf("%s: %s is left at %s", what, path, name)
		}
		ofRequest := filepath.Base(filepath.Dir(filepath.Dir(path))) == "requests"
		if e.Name() == "results" && !ofRequest && states[filepath.Base(filepath.Dir(path))] != api.Done {
			r.t.Errorf("%s: results of a job that is %s at %s", what, states[filepath.Base(filepath.Dir(path))], name)
		}
		return err
	}))
	if _, err := audit.Verify(filepath.Join(state, "audit.log")); err != nil {
		r.t.Errorf("%s: %v", what, err)
	}
}

// tacet runs the command as a user of the cluster does.
func (r *rig) tacet(args ...string) (stdout, stderr string, err error) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 2*rigWait)
	defer cancel()
	c := exec.CommandContext(ctx, r.program("tacet"), args...)
	var out, errs bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = r.dir, &out, &errs
	err = c.Run()
	return out.String(), errs.String(), err
}

// killed kills a process.
func (r *rig) killed(name string) {
	r.signal(name, syscall.SIGKILL)
	r.buried(name)
}

// program returns the path of a command: tacet is testscript's link to this test.
func (r *rig) program(name string) string {
	r.t.Helper()
	path, err := exec.LookPath(name)
	r.check(err)
	return path
}

// buried waits until a killed process has ended. Its status is not collected, but its files are
// closed.
func (r *rig) buried(name string) {
	for deadline := time.Now().Add(rigWait); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", r.pids[name])); err != nil || len(files) == 0 {
			return
		}
	}
	r.t.Errorf("%s does not end", name)
}
