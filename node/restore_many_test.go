package node

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestManyEnded starts a node with many jobs that have ended: what it reads and allocates for each does not grow with their number,
// and it knows them all.
func TestManyEnded(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	s := c.submission(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.wait(s.ID, "alice")
	c.wait(s.ID, "bob")
	c.stop()
	jobs := filepath.Join(c.dir, "alice", "state", jobsFolder)
	record, err := os.ReadFile(filepath.Join(jobs, s.ID, jobFile))
	if err != nil {
		t.Fatal(err)
	}
	add := func(from, to int) {
		for i := from; i < to; i++ {
			id := fmt.Sprintf("%032x", i)
			if err := os.Mkdir(filepath.Join(jobs, id), 0o700); err != nil {
				t.Fatal(err)
			}
			c.write("alice", filepath.Join("state", jobsFolder, id, jobFile), strings.ReplaceAll(string(record), s.ID, id))
		}
	}
	// restored starts the node and returns what it has allocated.
	restored := func(want int) uint64 {
		t.Helper()
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		n, err := New(c.config("alice", names), c.wires.port("alice"), nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if got := n.jobs.Ended()[api.Done]; got != want || n.jobs.Len() != want || len(n.tasks) != want {
			t.Errorf("%d jobs are done of %d, %d tasks, want %d", got, n.jobs.Len(), len(n.tasks), want)
		}
		if want > 1 {
			j, other := n.jobs.Job(fmt.Sprintf("%032x", want-2)), n.jobs.Job(s.ID)
			if j == nil || j.Results != 1 || j.Rank != 0 || j.Submitter != "carol" || len(j.Arguments) != 3 {
				t.Errorf("the last job is %+v", j)
			} else if &j.Arguments[0] != &other.Arguments[0] || &j.Parties[0] != &other.Parties[0] {
				t.Error("jobs of one program do not share what is equal")
			}
		}
		n.stop(nil)
		if err := n.audit.Close(); err != nil {
			t.Fatal(err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	one := restored(1)
	add(0, 1000)
	thousand := restored(1001)
	add(1000, 4000)
	many := restored(4001)
	first, later := (thousand-one)/1000, (many-thousand)/3000
	t.Logf("%d bytes allocated for one of 1,000 jobs, %d for a later one", first, later)
	most := uint64(9 << 10)
	if raced { // whose allocations are larger
		most = 12 << 10
	}
	if first > most || later > first+first/4 {
		t.Errorf("%d bytes allocated for one of 1,000 jobs, %d for a later one", first, later)
	}
}
