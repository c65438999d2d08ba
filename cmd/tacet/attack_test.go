//go:build linux

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/hostile"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/version"
)

// attackTime is the duration of the attack; TACET_TEST_ATTACK overrides it ("10m").
const attackTime = 5 * time.Second

// Bars of the attack.
const (
	attackMemory   = 2048        // maximum resident set in MiB of a node with limits: memory: 1GB
	attackJobs     = 0.95        // minimum part of the user's jobs that are done and right
	attackPatience = time.Minute // maximum time until a hostile job has ended, once it is cancelled
)

// attack is an attack on the nodes of a rig, and the work of a user meanwhile.
type attack struct {
	*rig
	ctx    context.Context
	ids    map[string]*pki.Identity // of the attackers: dave, whom policies name, and mallory, whom they do not
	corpus []hostile.Case

	mu       sync.Mutex
	tried    map[string]int // attempts by kind
	outcomes map[string]int // of the corpus: refused, or the final state
	wrong    []string
}

// newAttack prepares an attack that lasts d; seed chooses programs whose plans fit into no machine, which a short attack leaves out.
func newAttack(r *rig, ctx context.Context, seed uint64, d time.Duration) *attack {
	a := &attack{rig: r, ctx: ctx, ids: map[string]*pki.Identity{}, tried: map[string]int{}, outcomes: map[string]int{}}
	for _, name := range []string{"dave", "mallory"} {
		f, err := pki.Issue(r.dir, name, pki.Options{})
		r.check(err)
		a.ids[name], err = pki.Load(f)
		r.check(err)
	}
	program := strings.SplitN(rigProgram, "(", 2)[1]
	list, _, _ := strings.Cut(program, ")")
	r.check(npy.WriteFile(filepath.Join(r.dir, "alice", "data", "four.npy"), tensor.FromFloats(tensor.F32, tensor.Shape{4}, []float64{1, 2, 3, 4})))
	a.corpus = slices.Concat(
		hostile.Corpus(hostile.Arguments{List: list, First: "%a", Size: r.size}),
		hostile.Programs(seed, api.Input{Owner: "alice", Name: "four.npy", Args: []int{0}}),
	)
	if d < time.Minute { // plans of seconds keep the user's few jobs waiting; TestHostileCorpus of package node has them too
		a.corpus = slices.DeleteFunc(a.corpus, func(c hostile.Case) bool { return c.Plans })
	}
	return a
}

// count counts an attempt.
func (a *attack) count(kind string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tried[kind]++
}

func (a *attack) violated(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrong = append(a.wrong, fmt.Sprintf(format, args...))
}

// target returns a node to attack.
func (a *attack) target(random *rand.Rand) string { return a.parties[random.IntN(len(a.parties))] }

// as returns clients of all nodes with the certificate of an attacker.
func (a *attack) as(name string) map[string]*api.Client {
	out := map[string]*api.Client{}
	for _, p := range a.parties {
		out[p] = api.Over(p, p, func(ctx context.Context) (net.Conn, error) {
			return pki.Dial(ctx, a.ids[name], p, a.config.Nodes[p], api.Proto)
		})
	}
	return out
}

// silent holds connections that send nothing, or no TLS, until the nodes end them.
func (a *attack) silent(random *rand.Rand) {
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	for range 40 {
		c, err := new(net.Dialer).DialContext(a.ctx, "tcp", a.config.Nodes[a.target(random)])
		if err != nil {
			break
		}
		open = append(open, c)
		if random.IntN(2) == 0 {
			text := make([]byte, random.IntN(1000))
			for i := range text {
				text[i] = byte(random.IntN(256))
			}
			c.Write(text)
		}
	}
	a.count("silent connections")
	select {
	case <-a.ctx.Done():
	case <-time.After(time.Duration(random.IntN(2000)) * time.Millisecond):
	}
}

// body sends the beginning of a large submission slowly, and reads the refusal if there is one.
func (a *attack) body(name string, random *rand.Rand) {
	at := a.target(random)
	c, err := pki.Dial(a.ctx, a.ids[name], at, a.config.Nodes[at], api.Proto)
	if err != nil {
		return
	}
	defer c.Close()
	defer context.AfterFunc(a.ctx, func() { c.Close() })()
	size := 1 << (10 + random.IntN(18))
	fmt.Fprintf(c, "POST /v1/jobs HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n%s: %d\r\n\r\n", at, size, version.ProtocolHeader, version.Protocol)
	a.count("bodies of " + name)
	go io.Copy(io.Discard, c)
	part := bytes.Repeat([]byte(`{"id":"`), 1<<10)
	for sent := 0; sent < size-len(part); sent += len(part) {
		if _, err := c.Write(part); err != nil {
			return
		}
		if sent > size/2 {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// sessions sends messages about sessions of jobs, and opens data connections, as somebody who is no party.
func (a *attack) sessions(name string, random *rand.Rand) {
	at := a.target(random)
	c, err := pki.Dial(a.ctx, a.ids[name], at, a.config.Nodes[at], []string{api.Proto, node.SessionProto}[random.IntN(2)])
	if err != nil {
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	fmt.Fprintf(c, "POST /v1/sessions/%032x/%s HTTP/1.1\r\nHost: %s\r\nContent-Length: 2\r\n\r\n{}", random.Uint64(),
		[]string{"reserve", "start", "requests", "release"}[random.IntN(4)], at)
	bufio.NewReader(c).ReadString('\n')
	a.count("messages about sessions")
}

// evict submits many small jobs to one node, which can never start, and cancels them.
func (a *attack) evict(random *rand.Rand) {
	to := a.as("dave")
	at := a.target(random)
	for range 20 {
		s := a.hostileSubmission()
		j, err := to[at].Submit(a.ctx, s)
		a.count("evictions")
		if err == nil && random.IntN(2) == 0 {
			to[at].Cancel(a.ctx, j.ID)
		}
	}
	jobs, _, err := to[at].Jobs(a.ctx, "")
	if err != nil {
		return
	}
	for _, j := range jobs {
		if j.Submitter != "dave" {
			a.violated("dave sees job %s of %s", j.ID, j.Submitter)
		}
		if !j.State.Final() {
			to[at].Cancel(a.ctx, j.ID)
		}
	}
}

// hostileSubmission returns a valid submission.
func (a *attack) hostileSubmission() *api.Submission {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.submission()
}

// submitCase submits a case to all nodes. Each refuses it with a reason, or its job ends. A submission that has begun is
// finished when the attack ends: otherwise a node may have a job that nobody cancels.
func (a *attack) submitCase(c hostile.Case) {
	s := a.hostileSubmission()
	c.Apply(s)
	a.count("hostile submissions")
	to := a.as("dave")
	var at []string
	for _, p := range a.parties {
		if a.ctx.Err() != nil {
			break
		}
		_, err := to[p].Submit(context.WithoutCancel(a.ctx), s)
		var refused *api.Refused
		switch {
		case err == nil:
			at = append(at, p)
		case errors.As(err, &refused) && strings.TrimSpace(refused.Error()) != "":
			a.outcome("refused")
		default:
			a.outcome("lost")
			at = append(at, p) // the node may have it
			a.t.Logf("%q at %s: %v", c.Name, p, err)
			if strings.Contains(err.Error(), "without an answer") || !a.alive(p) {
				a.violated("%s does not answer %q: %v", p, c.Name, err)
			}
		}
	}
	for _, p := range at {
		j, err := a.final(to[p], s.ID, 5*time.Second)
		for deadline := time.Now().Add(attackPatience); unended(j, err) && time.Now().Before(deadline); {
			to[p].Cancel(context.Background(), s.ID) // again, where the node did not answer in time
			j, err = a.final(to[p], s.ID, 5*time.Second)
		}
		var refused *api.Refused
		switch {
		case errors.As(err, &refused): // it was not accepted, or other ended jobs of dave's have pushed it out since
			a.outcome("forgotten")
		case err != nil:
			a.outcome("unknown")
			a.violated("nobody knows how %q has ended at %s: %v", c.Name, p, err)
		case !j.State.Final():
			a.violated("%q is %s at %s after it was cancelled (%s)", c.Name, j.State, p, j.Phase)
		case j.State != api.Done && strings.TrimSpace(j.Error) == "":
			a.violated("%q is %s at %s, and nobody says why", c.Name, j.State, p)
		default:
			a.outcome(string(j.State))
		}
	}
}

// unended reports whether a node's answer leaves open whether a job has ended: it goes on, or the node did not answer in time.
func unended(j api.Job, err error) bool {
	var refused *api.Refused
	return err == nil && !j.State.Final() || err != nil && !errors.As(err, &refused)
}

func (a *attack) outcome(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.outcomes[what]++
}

// final waits until a job has ended at a node.
func (a *attack) final(c *api.Client, id string, wait time.Duration) (j api.Job, err error) {
	for deadline := time.Now().Add(wait); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		j, err = c.Job(ctx, id)
		cancel()
		if _, refused := err.(*api.Refused); refused || err == nil && j.State.Final() || time.Now().After(deadline) {
			return j, err
		}
	}
}

// alive reports whether a node's process runs and answers.
func (a *attack) alive(name string) bool {
	for deadline := time.Now().Add(rigWait); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if _, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", a.pids[name])); err != nil {
			return false
		}
		if _, err := a.clients[name].Health(context.Background()); err == nil {
			return true
		}
	}
	return false
}

// userJob runs a job of the user and reports whether it is done and right everywhere.
func (a *attack) userJob() error {
	s := a.hostileSubmission()
	if _, err := cluster.Submit(context.Background(), a.clients, s); err != nil {
		return err
	}
	for _, p := range s.Parties {
		j, err := a.final(a.clients[p], s.ID, rigWait)
		if err != nil || j.State != api.Done {
			return fmt.Errorf("%s at %s: %s, %w", j.State, p, j.Error, err)
		}
	}
	got, _, err := cluster.Fetch(context.Background(), a.clients[s.Parties[0]], s.ID)
	if err != nil {
		return err
	}
	values := got[0].Floats()
	for i, want := range a.expected(s) {
		if math.Abs(values[i]-want) > 1e-2 {
			a.violated("job %s gave %v, want %v", s.ID, values[i], want)
			break
		}
	}
	return nil
}

// TestAttack attacks nodes that have limits: memory: 1GB while a user runs jobs: nodes live, their memory is
// bounded, the user's jobs are done and right, and each refusal has a reason. A short attack shows less.
func TestAttack(t *testing.T) {
	t.Parallel()
	d := attackTime
	if text := os.Getenv("TACET_TEST_ATTACK"); text != "" {
		var err error
		if d, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
	}
	r := newRig(t, 64, ", memory: 1GB, wait: 1m, keep: 50")
	for _, p := range r.parties {
		r.killed(p)
		r.write(p, "policy.yaml", strings.Replace(r.read(p, "policy.yaml"), "submitters: [admin]", "submitters: [admin, dave]", 1))
	}
	r.up()
	pids := maps.Clone(r.pids)
	ctx, stop := context.WithTimeout(t.Context(), d)
	defer stop()
	seed := rand.Uint64()
	a := newAttack(r, ctx, seed, d)
	var attackers sync.WaitGroup
	for i, do := range []func(*rand.Rand){
		a.silent,
		func(random *rand.Rand) { a.body("dave", random) }, func(random *rand.Rand) { a.body("mallory", random) },
		func(random *rand.Rand) { a.body("dave", random) }, func(random *rand.Rand) { a.body("mallory", random) },
		func(random *rand.Rand) { a.sessions("dave", random) }, func(random *rand.Rand) { a.sessions("mallory", random) },
		a.evict,
	} {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		attackers.Go(func() {
			for ctx.Err() == nil {
				do(random)
				time.Sleep(time.Duration(random.IntN(100)) * time.Millisecond) // the machine is also the user's
			}
		})
	}
	order := rand.New(rand.NewPCG(seed, 99)).Perm(len(a.corpus))
	const submitters = 4
	for first := range submitters {
		attackers.Go(func() {
			for i := first; ctx.Err() == nil; i += submitters {
				a.submitCase(a.corpus[order[i%len(order)]])
			}
		})
	}
	var failed []string
	jobs := 0
	for ; ctx.Err() == nil; jobs++ {
		if err := a.userJob(); err != nil {
			failed = append(failed, err.Error())
		}
	}
	attackers.Wait()
	for _, p := range r.parties {
		if !a.alive(p) || r.pids[p] != pids[p] {
			t.Errorf("%s does not live", p)
			continue
		}
		peak := r.memory(p, "VmHWM")
		t.Logf("%s: peak resident set %d MiB", p, peak)
		if peak > attackMemory {
			t.Errorf("%s took %d MiB", p, peak)
		}
	}
	t.Logf("%v of seed %d: %d of %d jobs are done and right; attempts %v; hostile submissions ended %v (%d cases)",
		d, seed, jobs-len(failed), jobs, a.tried, a.outcomes, len(a.corpus))
	part := attackJobs
	if d < time.Minute { // too few jobs for a part of them
		part = 0.5
	}
	if float64(jobs-len(failed)) < part*float64(jobs) || jobs == len(failed) {
		t.Errorf("%d of %d jobs of the user failed: %q", len(failed), jobs, failed[:min(5, len(failed))])
	}
	for _, w := range a.wrong {
		t.Error(w)
	}
	names := slices.Sorted(maps.Keys(a.tried))
	if len(names) < 6 || a.outcomes["refused"] == 0 {
		t.Errorf("only %q were tried, %v", names, a.outcomes)
	}
	logs := 0
	for _, p := range r.parties {
		logs += strings.Count(r.read(p, "node.log"), `"level":"WARN"`)
	}
	if audited, err := os.ReadFile(filepath.Join(r.dir, "bob", "state", "audit.log")); err != nil || !strings.Contains(string(audited), "mallory") || logs == 0 {
		t.Errorf("the audit log does not name mallory, or no log has a warning (%d): %v", logs, err)
	}
	r.works("after the attack")
	r.clean("after the attack")
	if t.Failed() {
		a.held()
	}
}

// held logs what the nodes do and hold, for a test that has failed.
func (a *attack) held() {
	for _, p := range a.parties {
		if !a.alive(p) {
			continue
		}
		jobs, _, err := a.clients[p].Jobs(context.Background(), "")
		a.check(err)
		for _, j := range jobs {
			if !j.State.Final() {
				a.t.Logf("%s: job %s of %s is %s (%s)", p, j.ID, j.Submitter, j.State, j.Phase)
			}
		}
		answer, err := http.Get("http://" + a.metrics[p] + "/debug/pprof/goroutine?debug=1")
		a.check(err)
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		a.check(err)
		a.t.Logf("%s: goroutines\n%s", p, text)
		fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", a.pids[p]))
		a.check(err)
		for _, fd := range fds {
			to, _ := os.Readlink(fd)
			a.t.Logf("%s: descriptor %s is %s", p, filepath.Base(fd), to)
		}
	}
}
