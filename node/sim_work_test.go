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

// chainProgram uses what townProgram gives and a job has kept.
const chainProgram = `func.func @main(%k: tensor<f32>, %x: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}`

// of is what a party's file holds.
func of(party, file string) []float32 { return vectors(slices.Index(simNames, party))[file] }

// gives is townProgram's result on what two parties' files hold.
func gives(x, y []float32) float64 { return logistic(0.5 + dot(x, y)) }

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func dot(x, y []float32) (sum float64) {
	for i := range x {
		sum += float64(x[i]) * float64(y[i])
	}
	return sum
}

// errands are what may be done while something goes wrong.
func (w *world) errands() []func(order []string) {
	return []func(order []string){w.runJob, w.runJob, w.runService, w.runChain, w.runStocked, w.runTraining}
}

// work is a seed: some errands while something goes wrong, and one after it that
// must go well.
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
	w.mend()
	w.goOn()
	s := w.submission("eve", "alice", "bob")
	w.submitted(s)
	if done := w.ended(s, gives(of("eve", "x.npy"), of("alice", "x.npy"))); done != 3 {
		w.wrong("the next job is done at %d of 3", done)
	}
	w.still()
}

// submitted submits to all nodes that are up, as far as they take it.
func (w *world) submitted(s *api.Submission) {
	for _, p := range s.Parties {
		if _, err := w.as(p).Submit(w.t.Context(), s); err != nil {
			w.events.add("carol: job %s: %v", s.ID, err)
		}
	}
}

// task is a job at a node that runs, if it has it.
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

// patience is how long a job may take to its end, in the bubble's time: its wait,
// and what parties may take to tell one another.
const patience = 3 * time.Minute

// until waits until a job at a node is so; false if the node does not have it,
// or has crashed meanwhile, or does not get there.
func (w *world) until(id, node string, so func(api.Job) bool) (api.Job, bool) {
	late := time.After(patience)
	for {
		n, t := w.task(id, node)
		if t == nil {
			return api.Job{}, false
		}
		n.mu.Lock()
		j, changed := t.Job, t.changed
		n.mu.Unlock()
		if so(j) {
			return j, true
		}
		select {
		case <-changed:
		case <-n.ctx.Done(): // it has crashed, and may come again
			time.Sleep(time.Second)
		case <-late:
			w.wrong("job %s is %s at %s after %v (%s)", id, j.State, node, patience, j.Phase)
			return j, false
		}
	}
}

func (w *world) end(id, node string) (api.Job, bool) {
	return w.until(id, node, func(j api.Job) bool { return j.State.Final() })
}

// ended looks at what a job gave where it is done, and says at how many parties
// that is.
func (w *world) ended(s *api.Submission, want float64) (done int) {
	for _, p := range s.Parties {
		j, ok := w.end(s.ID, p)
		if ok && j.State == api.Failed && !j.Started.IsZero() {
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
			w.wrong("job %s is %s at %s, and nobody says why", s.ID, j.State, p)
		}
	}
	return done
}

// slack is how long parties may take to tell one another, and to hear one another
// out.
const slack = 2 * time.Second

// inTime checks that a session of which a party fell silent has ended soon.
func (w *world) inTime(j api.Job) {
	w.mu.Lock()
	since := w.silent
	w.mu.Unlock()
	if since.IsZero() || w.harms > 1 { // another may be why it takes longer
		return
	}
	if j.Started.After(since) {
		since = j.Started
	}
	if took := j.Ended.Sub(since); took > DefaultLimits.Silence+slack {
		w.wrong("job %s has ended at %s %v after a line fell silent: %s", j.ID, j.Node, took, j.Error)
	}
}

// right checks a result that a node gave.
func (w *world) right(node, what string, zipped []byte, err error, want float64) {
	var got float64
	if err == nil {
		got, err = unzip(zipped)
	}
	switch {
	case err != nil && !w.excuses(node):
		w.wrong("%s is done at %s and gives no result: %v", what, node, err)
	case err == nil && math.Abs(got-want) > 1e-3:
		w.wrong("%s gave %v at %s, want %v", what, got, node, want)
	}
}

// excuses says that what a node has written may be lost.
func (w *world) excuses(node string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.bare[node] || w.down[node]
}

// unzip is the number in a zip of results.
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

// spent notes which session of a store a run has used: none is used by two.
func (w *world) spent(node, id string, report []byte) {
	r, err := profile.Parse(report)
	if err != nil {
		w.wrong("job %s: its report at %s: %v", id, node, err)
		return
	}
	used := r.Offline.Session
	if used == "" {
		return
	}
	w.mu.Lock()
	first := w.used[used]
	w.used[used] = id
	w.mu.Unlock()
	if first != "" && first != id {
		w.wrong("jobs %s and %s have used session %s", first, id, used)
	}
}

// runJob is a job.
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

// choose draws below n; errands do so at the same time.
func (w *world) choose(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.random.IntN(n)
}

// runChain is a job that keeps its result, and one that uses it.
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

// runStocked fills stores, and runs from them.
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

// runService opens a service, asks it some times, of several requests some at
// once, and ends it.
func (w *world) runService(order []string) {
	s := w.service(order...)
	s.Batch = 1 + w.choose(4)
	w.submitted(s)
	open := func(j api.Job) bool { return j.Phase == api.Serves || j.State.Final() }
	for _, p := range order {
		if j, ok := w.until(s.ID, p, open); ok && j.State.Final() {
			break // the others will hear, or have to
		}
	}
	for range 1 + w.choose(2) {
		type asked struct {
			*api.Request
			file string
			at   []string // who has it
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
	for _, p := range order {
		if _, err := w.as(p).Cancel(w.t.Context(), s.ID); err != nil {
			w.events.add("carol: cancel %s: %v", s.ID, err)
		}
	}
	w.ended(s, 0)
}

// served waits for a request's end at a node that has it, and looks at what it
// gave.
func (w *world) served(s *api.Submission, r *api.Request, node string, want float64) {
	for late := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		n, t := w.task(s.ID, node)
		if t == nil {
			return
		}
		n.mu.Lock()
		v, err := n.servedOf(t, r.ID)
		final := t.State.Final()
		n.mu.Unlock()
		switch {
		case err == nil && v.State == api.Done:
			var b bytes.Buffer
			err := w.as(node).ServedResults(w.t.Context(), s.ID, r.ID, &b)
			w.right(node, "request "+r.ID, b.Bytes(), err, want)
			return
		case err == nil && v.State.Final() && v.Error == "":
			w.wrong("request %s is %s at %s, and nobody says why", r.ID, v.State, node)
			return
		case err == nil && v.State.Final(), final, err != nil && w.excuses(node):
			return
		case time.Now().After(late):
			w.wrong("request %s is %q at %s after %v (%v)", r.ID, v.State, node, patience, err)
			return
		}
	}
}

// still checks what must be so when nothing runs any more.
func (w *world) still() {
	time.Sleep(2 * time.Minute) // who did not hear that a job has ended, or a slot is free, finds out by itself
	if open := w.events.opened(); open > 0 {
		w.wrong("%d ends of connections are open, and nothing runs", open)
	}
	for _, name := range simNames {
		n := w.nodes[name]
		n.mu.Lock()
		for _, t := range n.tasks {
			if !t.State.Final() || t.seats != nil || t.work != nil {
				w.wrong("job %s is %s at %s, and nothing runs", t.ID, t.State, name)
			}
			if t.State != api.Done && (t.Error == "" || t.Results != 0) {
				w.wrong("job %s is %s at %s, with %d results and reason %q", t.ID, t.State, name, t.Results, t.Error)
			}
			if _, err := os.Stat(filepath.Join(n.folder(t), resultsFolder)); err == nil && (t.State != api.Done || t.Serve) {
				w.wrong("job %s is %s at %s, and results lie there", t.ID, t.State, name)
			}
		}
		if n.slots != n.config.Limits.Jobs || n.memory != n.config.Limits.Memory {
			w.wrong("%s has %d slots and %d bytes free", name, n.slots, n.memory)
		}
		n.mu.Unlock()
	}
	w.close()
	for _, name := range simNames {
		if _, err := audit.Verify(filepath.Join(w.dir, name, "state", auditFile)); err != nil {
			w.wrong("%s: %v", name, err)
		}
		err := filepath.WalkDir(filepath.Join(w.dir, name), func(path string, d os.DirEntry, err error) error {
			if filepath.Ext(path) == ".tmp" {
				err = errors.Join(err, fmt.Errorf("%s is half written", path))
			}
			return err
		})
		if err != nil {
			w.wrong("%v", err)
		}
	}
}
