package node

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/profile"
)

// chainProgram uses a kept result of townProgram.
const chainProgram = `func.func @main(%k: tensor<f32>, %x: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}`

// of returns the values of a party's file.
func of(party, file string) []float32 { return vectors(slices.Index(simNames, party))[file] }

// gives returns townProgram's result for the files of two parties.
func gives(x, y []float32) float64 { return logistic(0.5 + dot(x, y)) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func dot(x, y []float32) (sum float64) {
	for i := range x {
		sum += float64(x[i]) * float64(y[i])
	}
	return sum
}

// errands lists the kinds of work done while faults happen.
func (w *world) errands() []func(order []string) {
	return []func(order []string){
		w.runJob, w.runJoin, w.runService, w.runLasting, w.runPair, w.runChain, w.runStocked, w.runTraining, w.runHostile,
	}
}

// work runs a seed: some errands while faults happen, and one after them that must succeed.
func (w *world) work() {
	r := w.random
	var chosen []func()
	for range 1 + r.IntN(3) {
		kinds, p := w.errands(), r.Perm(3)
		errand, order := kinds[r.IntN(len(kinds))], []string{simNames[p[0]], simNames[p[1]], simNames[p[2]]}
		chosen = append(chosen, func() { errand(order) })
	}
	w.harms = 1 + r.IntN(4)/3
	for range w.harms {
		w.events.add("the seed: %s", w.arm())
	}
	for _, do := range chosen {
		w.running.Go(do)
	}
	w.running.Wait()
	w.repair()
	w.reopenLeft()
	w.cancelRestored()
	w.resumeFailed()
	s := w.submission("eve", "alice", "bob")
	w.submitted(s)
	if done := w.ended(s, gives(of("eve", "x.npy"), of("alice", "x.npy"))); done != 3 {
		w.violated("the next job is done at %d of 3", done)
	}
	w.checkIdle()
}

// submitted submits a job to all nodes that run, as far as they accept it.
func (w *world) submitted(s *api.Submission) {
	for _, p := range s.Parties {
		if _, err := w.as(p).Submit(w.t.Context(), s); err != nil {
			w.events.add("carol: job %s: %v", s.ID, err)
		}
	}
}

// task returns a job at a running node, if the node has it.
func (w *world) task(id, node string) (*Node, *task) {
	w.mu.Lock()
	n, down := w.nodes[node], w.down[node]
	w.mu.Unlock()
	if down {
		return n, nil
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n, n.tasks[id]
}

// patience is the maximum simulated time until a job ends: Limits.Wait plus the time until all parties
// learn of it.
const patience = 3 * time.Minute

// until waits until a job's status at a node satisfies a condition; false if the node does not have
// the job, crashes, or does not get there in time.
func (w *world) until(id, node string, so func(api.Job) bool) (api.Job, bool) {
	late := time.After(patience)
	for {
		n, t := w.task(id, node)
		if t == nil {
			return api.Job{}, false
		}
		n.mu.Lock()
		state, changed := n.jobs.Job(id), t.changed
		n.mu.Unlock()
		if state == nil {
			return api.Job{}, false
		}
		j := state.Job
		if so(j) {
			return j, true
		}
		select {
		case <-changed:
		case <-n.ctx.Done(): // the node has crashed and may be restarted
			time.Sleep(time.Second)
		case <-late:
			w.violated("job %s is %s at %s after %v (%s)", id, j.State, node, patience, j.Phase)
			return j, false
		}
	}
}

func (w *world) end(id, node string) (api.Job, bool) {
	return w.until(id, node, func(j api.Job) bool { return j.State.Final() })
}

// ended checks the results of a job where it is done, and returns the number of such parties.
func (w *world) ended(s *api.Submission, want float64) (done int) {
	for _, p := range s.Parties {
		j, ok := w.end(s.ID, p)
		if ok && j.State == api.Failed && !j.Started.IsZero() && s.Restart == "" {
			w.inTime(j)
		}
		switch {
		case !ok:
		case j.State == api.Done:
			done++
			if s.Offline || len(s.Reveal) == 0 {
				continue
			}
			var b bytes.Buffer
			err := w.as(p).Results(w.t.Context(), s.ID, &b)
			w.right(p, "job "+s.ID, b.Bytes(), err, want)
			b.Reset()
			if err := w.as(p).Report(w.t.Context(), s.ID, &b); err == nil {
				w.spent(p, s.ID, b.Bytes())
			}
		case j.Error == "":
			w.violated("job %s is %s at %s, and nobody says why", s.ID, j.State, p)
		}
	}
	return done
}

// slack is the time that parties may take to notify each other and to time out.
const slack = 2 * time.Second

// inTime checks that a session ends soon after one of its parties fell silent.
func (w *world) inTime(j api.Job) {
	w.mu.Lock()
	since := w.silent
	w.mu.Unlock()
	if since.IsZero() || w.harms > 1 { // another fault may have delayed it
		return
	}
	if j.Started.After(since) {
		since = j.Started
	}
	if took := j.Ended.Sub(since); took > DefaultLimits.HeartbeatTimeout+slack {
		w.violated("job %s has ended at %s %v after a line fell silent: %s", j.ID, j.Node, took, j.Error)
	}
}

// right checks a result of a node.
func (w *world) right(node, what string, zipped []byte, err error, want float64) {
	var got float64
	if err == nil {
		got, err = unzip(zipped)
	}
	switch {
	case err != nil && !w.excuses(node):
		w.violated("%s is done at %s and gives no result: %v", what, node, err)
	case err == nil && math.Abs(got-want) > 1e-3:
		w.violated("%s gave %v at %s, want %v", what, got, node, want)
	}
}

// excuses reports whether the files of a node may be lost: it has crashed, or its writes failed.
func (w *world) excuses(node string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bare[node] || w.down[node]
}

// hasCrashed reports whether a node has crashed: requests that waited there are lost.
func (w *world) hasCrashed(node string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.crashed[node]
}

// unzip returns the single result in a zip archive.
func unzip(zipped []byte) (float64, error) {
	z, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil {
		return 0, err
	}
	f, err := z.Open("out0.npy")
	if err != nil {
		return 0, err
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return 0, err
	}
	r, err := npy.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return 0, err
	}
	a, err := r.Array()
	if err != nil {
		return 0, err
	}
	return a.Floats()[0], nil
}

// spent records which stored session a run has used, and fails if two runs used the same one.
func (w *world) spent(node, id string, report []byte) {
	r, err := profile.Parse(report)
	if err != nil {
		w.violated("job %s: its report at %s: %v", id, node, err)
		return
	}
	used := r.Offline.Session
	if used == "" {
		return
	}
	w.events.add("job %s used session %s at %s (%s)", id, used, node, r.Offline.PairState)
	w.mu.Lock()
	first := w.used[used]
	w.used[used] = id
	w.mu.Unlock()
	if first != "" && first != id {
		w.violated("jobs %s and %s have used session %s", first, id, used)
	}
}

// runJob runs one job.
func (w *world) runJob(order []string) {
	s := w.submission(order...)
	if w.choose(2) == 0 {
		s.Protocol = "aby3"
	} else if w.choose(2) == 0 {
		s.Computing = 2
	}
	w.submitted(s)
	w.ended(s, gives(of(order[0], "x.npy"), of(order[1], "x.npy")))
}

// choose draws a number below n; errands draw concurrently.
func (w *world) choose(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.random.IntN(n)
}

// runChain runs a job that keeps its result, and one that uses it.
func (w *world) runChain(order []string) {
	s := w.submission(order...)
	s.Keep = "model"
	kept := gives(of(order[0], "x.npy"), of(order[1], "x.npy"))
	w.submitted(s)
	if w.ended(s, kept) == 0 {
		return
	}
	next := w.submission(order...)
	next.Program = api.Program{Name: "chain.mlir", Text: []byte(chainProgram)}
	next.Public, next.Inputs = nil, []api.Input{{Kept: "model", Args: []int{0}}, {Owner: order[1], Name: "x.npy", Args: []int{1}}}
	sum := 0.0
	for _, x := range of(order[1], "x.npy") {
		sum += float64(x)
	}
	w.submitted(next)
	w.ended(next, kept*sum)
}

// runStocked fills the stores, and runs jobs with the stored correlations.
func (w *world) runStocked(order []string) {
	s := w.submission(order...)
	s.Offline = true
	w.submitted(s)
	w.ended(s, 0)
	run := func() {
		s := w.submission(order...)
		w.submitted(s)
		w.ended(s, gives(of(order[0], "x.npy"), of(order[1], "x.npy")))
	}
	var runs sync.WaitGroup
	runs.Go(run)
	runs.Go(run)
	runs.Wait()
	run()
}

// runService opens a service, uses it, and ends it.
func (w *world) runService(order []string) {
	s := w.service(order...)
	w.useService(s)
	w.endService(s)
}

// useService opens a service, if it is not open yet, and sends it requests, some of them concurrently.
func (w *world) useService(s *api.Submission) {
	order := s.Parties
	if s.Batch == 0 {
		s.Batch = 1 + w.choose(4)
		w.submitted(s)
	}
	open := func(j api.Job) bool { return j.Phase == api.PhaseServing || j.State.Final() }
	for _, p := range order {
		if s.Restart != "" { // which waits for as long as a node or the dealer is down
			w.serving(s, 30*time.Second)
			break
		}
		if j, ok := w.until(s.ID, p, open); ok && j.State.Final() {
			break // the other nodes learn of it, or time out
		}
	}
	for round := range 1 + w.choose(2) {
		if round > 0 && s.Restart != "" {
			w.serving(s, 20*time.Second)
		}
		type asked struct {
			*api.Request
			file string
			at   []string // nodes that have the request
		}
		var all []asked
		for range 1 + w.choose(5) {
			a := asked{file: []string{"x.npy", "y.npy"}[w.choose(2)]}
			a.Request = &api.Request{ID: newID(), Inputs: []api.Input{{Owner: order[0], Name: a.file}}}
			for _, p := range order {
				if _, err := w.as(p).Request(w.t.Context(), s.ID, a.Request); err != nil {
					w.events.add("carol: request %s: %v", a.ID, err)
					continue
				}
				a.at = append(a.at, p)
			}
			all = append(all, a)
		}
		for _, a := range all {
			for _, p := range a.at {
				w.served(s, a.Request, p, gives(of(order[0], a.file), of(order[1], "x.npy")))
			}
		}
	}
}

// served waits until a request has ended at a node that has it, and checks its result.
func (w *world) served(s *api.Submission, r *api.Request, node string, want float64) {
	for late := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		n, t := w.task(s.ID, node)
		if t == nil {
			return
		}
		j := n.state().Job(s.ID)
		v, err := n.requestStatus(j, r.ID)
		final := j.State.Final()
		switch {
		case err == nil && v.State == api.Done:
			var b bytes.Buffer
			err := w.as(node).RequestResults(w.t.Context(), s.ID, r.ID, &b)
			w.right(node, "request "+r.ID, b.Bytes(), err, want)
			return
		case err == nil && v.State.Final() && v.Error == "":
			w.violated("request %s is %s at %s, and nobody says why", r.ID, v.State, node)
			return
		case err == nil && v.State.Final(), final, err != nil && (w.excuses(node) || s.Restart != "" && w.hasCrashed(node)):
			return
		case time.Now().After(late):
			w.violated("request %s is %q at %s after %v (%v)", r.ID, v.State, node, patience, err)
			return
		}
	}
}

// checkIdle checks the invariants that hold when nothing runs any more.
func (w *world) checkIdle() {
	time.Sleep(2 * time.Minute) // time for nodes that no message reached to time out
	if open := w.events.opened(); open > 0 {
		w.violated("%d ends of connections are open, and nothing runs", open)
	}
	for _, name := range simNames {
		n := w.nodes[name]
		n.mu.Lock()
		for j := range n.jobs.All() {
			if t := n.tasks[j.ID]; !j.State.Final() || t.conns != nil || t.resolved != nil || t.timer != nil {
				w.violated("job %s is %s at %s, and nothing runs", j.ID, j.State, name)
			}
			if j.State != api.Done && (j.Error == "" || j.Results != 0) {
				w.violated("job %s is %s at %s, with %d results and reason %q", j.ID, j.State, name, j.Results, j.Error)
			}
			if _, err := os.Stat(filepath.Join(n.folder(j.ID), resultsFolder)); err == nil && (j.State != api.Done || j.Serve) {
				w.violated("job %s is %s at %s, and results lie there", j.ID, j.State, name)
			}
		}
		if len(n.tasks) != n.jobs.Len() {
			w.violated("%s has %d tasks for %d jobs", name, len(n.tasks), n.jobs.Len())
		}
		if n.jobs.FreeSlots() != n.config.Limits.Jobs || n.jobs.FreeMemory() != n.config.Limits.Memory {
			w.violated("%s has %d slots and %d bytes free", name, n.jobs.FreeSlots(), n.jobs.FreeMemory())
		}
		n.mu.Unlock()
	}
	w.close()
	for _, name := range simNames {
		if _, err := audit.Verify(filepath.Join(w.dir, name, "state", auditFile)); err != nil {
			w.violated("%s: %v", name, err)
		}
		err := filepath.WalkDir(filepath.Join(w.dir, name), func(path string, d os.DirEntry, err error) error {
			if filepath.Ext(path) == ".tmp" {
				err = errors.Join(err, fmt.Errorf("%s is half written", path))
			}
			return err
		})
		if err != nil {
			w.violated("%v", err)
		}
	}
}
