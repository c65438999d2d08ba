package node

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
)

const (
	// recordsAtOnce is how many records are read, by as many as readersAtOnce goroutines, before they enter the state.
	recordsAtOnce  = 1 << 10
	readersAtOnce  = 8
	recordsAReader = 1 << 5 // the least number of records for which another goroutine is worth its start
)

// found is what a folder of a job holds when the process starts.
type found struct {
	dir    string
	record *record // nil after an error, and if the process ended while the folder was being made
	err    error   // why it cannot be a job's folder
}

// restore loads the jobs of the state folder. A job or a file that cannot be read does not keep the node
// from its other jobs: it is moved to brokenFolder. Jobs that have ended, of which there may be very many, enter the state
// at once and before the others, which may resume them.
func (n *Node) restore() error {
	dir := filepath.Join(n.config.State, jobsFolder)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	var ended []*jobstate.Job
	var open []found
	common := sharing{}
	for part := range slices.Chunk(entries, recordsAtOnce) {
		for _, f := range readRecords(dir, part) {
			switch {
			case f.err != nil:
				n.setAside(f.dir, f.err)
			case f.record == nil:
			case !f.record.State.Final():
				open = append(open, f)
			default:
				common.share(&f.record.Job)
				j := n.recorded(f.record)
				ended = append(ended, j)
				n.tasks[j.ID] = newTask(j) // no other goroutine uses the node yet
			}
		}
	}
	n.jobs = n.jobs.WithEnded(ended)
	for _, j := range ended {
		if j.Serve {
			n.pruneRequests(n.tasks[j.ID])
		}
	}
	for _, f := range open {
		n.restoreOpen(f)
	}
	return nil
}

// readRecords reads the records of jobs' folders, in parallel. The result is in the order of the folders.
func readRecords(dir string, folders []fs.DirEntry) []found {
	out := make([]found, len(folders))
	var next atomic.Int64
	read := func() {
		for i := int(next.Add(1)) - 1; i < len(out); i = int(next.Add(1)) - 1 {
			f := &out[i]
			f.dir = filepath.Join(dir, folders[i].Name())
			f.record, f.err = readFolder(f.dir, folders[i])
		}
	}
	var readers sync.WaitGroup
	for range min(readersAtOnce, runtime.GOMAXPROCS(0), len(out)/recordsAReader) - 1 {
		readers.Go(read)
	}
	read()
	readers.Wait()
	return out
}

// readFolder reads the record of the job in a folder. It removes a folder that the process has left half made, and returns nil.
func readFolder(dir string, e fs.DirEntry) (*record, error) {
	if !e.IsDir() {
		return nil, errors.New("it is not a job's folder")
	}
	r, err := readRecord(dir)
	if !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	err = errors.Join(err, durable.RemoveUnfinished(dir))
	if storedHalf(dir) {
		return nil, os.RemoveAll(dir)
	}
	return nil, err
}

// recorded returns the job of a record.
func (n *Node) recorded(r *record) *jobstate.Job {
	return &jobstate.Job{
		Job: r.Job, Sent: r.Sent, Approved: r.Approved, Planning: r.Planning, Fetch: r.Fetch, Backoff: r.Backoff,
		Rank: slices.Index(r.Parties, n.config.Name),
	}
}

// restoreOpen restores a job that had not ended when the process did. What is unfinished in the folders of other jobs, such as a
// record that was being replaced, is small, and goes when they are removed: to list all folders takes longer than to read all records.
func (n *Node) restoreOpen(f found) {
	if err := durable.RemoveUnfinished(f.dir); err != nil {
		n.log.Error("cannot remove unfinished files", "path", f.dir, "error", err.Error())
	}
	r := f.record
	e := jobstate.Restored{Job: *n.recorded(r)}
	t := newTask(&e.Job)
	if !r.Planning { // what was being planned is not looked at again
		t = n.readAgain(f.dir, &e)
	}
	n.tasks[t.ID] = t
	n.apply(t, e)
	if r.Serve {
		n.pruneRequests(t)
	}
	if r.State == api.Running && e.Problem == "" {
		n.failOpenRequests(t)
	}
}

// sharedPrograms bounds sharing.
const sharedPrograms = 1 << 10

// sharing holds the newest status of each of some programs, by digest. Nothing changes the lists of a job that has ended, so
// that those of equal content are held once: a node may keep 10^5 jobs of one program.
type sharing map[string]*api.Job

// share replaces texts and lists of a status by equal ones that are held already.
func (s sharing) share(j *api.Job) {
	before := s[j.Digest]
	if before == nil {
		if len(s) >= sharedPrograms {
			clear(s)
		}
		s[j.Digest] = j
		return
	}
	for _, x := range [][2]*string{
		{&j.Node, &before.Node}, {&j.Program, &before.Program}, {&j.Digest, &before.Digest}, {&j.Submitter, &before.Submitter},
		{&j.Protocol, &before.Protocol}, {&j.Rule, &before.Rule}, {&j.Error, &before.Error}, {&j.Task, &before.Task}, {&j.Keep, &before.Keep},
	} {
		if *x[0] == *x[1] {
			*x[0] = *x[1]
		}
	}
	if slices.Equal(j.Arguments, before.Arguments) {
		j.Arguments = before.Arguments
	}
	for _, x := range [][2]*[]string{
		{&j.Parties, &before.Parties}, {&j.Inputs, &before.Inputs}, {&j.Provides, &before.Provides}, {&j.Kept, &before.Kept},
	} {
		if slices.Equal(*x[0], *x[1]) {
			*x[0] = *x[1]
		}
	}
	if slices.EqualFunc(j.Reveals, before.Reveals, func(a, b api.Learned) bool {
		return a.What == b.What && a.Name == b.Name && slices.Equal(a.By, b.By)
	}) {
		j.Reveals = before.Reveals
	}
}
