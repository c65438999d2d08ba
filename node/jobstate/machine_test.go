package jobstate

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/node/api"
)

// allEvents has one event of each kind.
var allEvents = []Event{
	Serving{}, Closing{}, Aged{}, Submitted{}, Approved{}, Declined{}, Cancelled{}, Reserve{}, OwnersKnown{}, Planned{}, Start{},
	Judged{}, Released{},
	Attempt{}, Probed{}, DealerProbed{}, Answered{},
	Assigned{}, SessionStarted{}, Progress{}, CheckpointWritten{}, ResumedFrom{}, Serves{}, RequestSubmitted{}, Announced{}, NextBatch{},
	RequestJudged{}, RequestEnded{}, BatchEnded{}, RequestLost{}, NotConnected{}, SessionEnded{},
	Tick{}, Restored{}, Unwritten{}, Removed{}, CheckpointsRemoved{},
}

// check returns an error if a state is illegal.
func check(s State) error {
	for id, j := range s.open {
		switch {
		case j.State != api.Pending && j.State != api.Queued && j.State != api.Running:
			return fmt.Errorf("job %s is open and %q", id, j.State)
		case s.ended.job(id) != nil:
			return fmt.Errorf("job %s is open and has ended", id)
		case j.State == api.Pending && (j.Slot || j.Approved):
			return fmt.Errorf("job %s is pending and has a slot or is approved", id)
		case j.Slot && (j.State == api.Running) != j.SlotEnds.IsZero():
			return fmt.Errorf("the slot of job %s, which is %s, ends at %v", id, j.State, j.SlotEnds)
		case !j.Slot && (j.Reserved != 0 || !j.SlotEnds.IsZero()):
			return fmt.Errorf("job %s has no slot and %d bytes reserved, until %v", id, j.Reserved, j.SlotEnds)
		case len(j.answered) > s.Limits.Requests:
			return fmt.Errorf("job %s keeps %d ended requests", id, len(j.answered))
		case j.State == api.Running && j.Session == "":
			return fmt.Errorf("job %s runs without a session", id)
		}
	}
	for id, j := range s.ended.all() {
		if !j.State.Final() || j.Slot || j.Reserved != 0 || j.service != nil || j.Ended.IsZero() ||
			(j.State == api.Done) != (j.Error == "") {
			return fmt.Errorf("job %s has ended: %s", id, describe(j))
		}
	}
	for _, j := range s.open {
		if own, all := s.Held(j.Submitter); own > s.Limits.Submitter || all > s.Limits.Submissions {
			return fmt.Errorf("submissions take %d bytes, %d of them %s's", all, own, j.Submitter)
		}
	}
	if s.FreeSlots() < 0 || s.FreeMemory() < 0 {
		return fmt.Errorf("%d slots and %d bytes are free", s.FreeSlots(), s.FreeMemory())
	}
	return nil
}

// columns are the columns of the table in node/doc.go.
var columns = []string{"none", "pending", "queued", "running", "ended"}

// targets are the states in which a job may be after an event, in the table's order.
var targets = []string{"none", "pending", "queued", "running", "done", "failed", "denied", "cancelled"}

// table holds, for each event and each state before it, the states to which the event takes a job. It
// has only events that change the state.
type table map[string]map[string]map[string]bool

// add adds the changes of a step.
func (t table) add(before, after State, e Event) {
	state := func(j *Job) string {
		if j == nil {
			return "none"
		}
		return string(j.State)
	}
	ids := map[string]bool{}
	for j := range before.All() {
		ids[j.ID] = true
	}
	for j := range after.All() {
		ids[j.ID] = true
	}
	for id := range ids {
		from, to := state(before.Job(id)), state(after.Job(id))
		if from == to {
			continue
		}
		if api.State(from).Final() {
			from = "ended"
		}
		name := reflect.TypeOf(e).Name()
		if t[name] == nil {
			t[name] = map[string]map[string]bool{}
		}
		if t[name][from] == nil {
			t[name][from] = map[string]bool{}
		}
		t[name][from][to] = true
	}
}

// String returns the table as node/doc.go prints it.
func (t table) String() string {
	rows := [][]string{append([]string{"event"}, columns...)}
	for _, e := range allEvents {
		name := reflect.TypeOf(e).Name()
		if t[name] == nil {
			continue
		}
		row := []string{name}
		for _, from := range columns {
			cell := slices.DeleteFunc(slices.Clone(targets), func(to string) bool { return !t[name][from][to] })
			if len(cell) == 0 {
				cell = []string{"-"}
			}
			row = append(row, strings.Join(cell, "/"))
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			width := 0
			for _, r := range rows {
				width = max(width, len(r[i]))
			}
			fmt.Fprintf(&line, "%-*s  ", width, cell)
		}
		fmt.Fprintf(&b, "//\t%s\n", strings.TrimRight(line.String(), " "))
	}
	return b.String()
}

// documented is the table in node/doc.go.
var documented = sync.OnceValues(func() (string, table) {
	doc, err := os.ReadFile("../doc.go")
	if err != nil {
		panic(err)
	}
	text := regexp.MustCompile(`(?m)^//\tevent .*\n(//\t.*\n)+`).FindString(string(doc))
	t := table{}
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		cells := strings.Fields(strings.TrimPrefix(line, "//"))
		if i == 0 {
			continue
		}
		t[cells[0]] = map[string]map[string]bool{}
		for c, from := range columns {
			t[cells[0]][from] = map[string]bool{}
			for _, to := range strings.Split(cells[c+1], "/") {
				t[cells[0]][from][to] = true
			}
		}
	}
	return text, t
})

// TestTable compares the table in node/doc.go with what the transcripts do.
func TestTable(t *testing.T) {
	seen := table{}
	files, err := filepath.Glob(transcripts)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		p := newPlayer()
		p.seen = seen
		if err := p.play(file); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := documented(); got != seen.String() {
		t.Errorf("the table in node/doc.go is\n%s\nand the transcripts do\n%s", got, seen)
	}
}

// illegal returns an error for each change of a job's state that the table in node/doc.go does not have.
func illegal(before, after State, e Event) (errs []error) {
	changes := table{}
	changes.add(before, after, e)
	_, allowed := documented()
	for name, row := range changes {
		for from, cell := range row {
			for to := range cell {
				if !allowed[name][from][to] {
					errs = append(errs, fmt.Errorf("%s takes a job that is %s to %s, which is not in the table of node/doc.go", name,
						from, to))
				}
			}
		}
	}
	return errs
}
