package jobstate

import (
	"fmt"

	"github.com/tacet-mpc/tacet/node/api"
)

// allEvents has one event of each kind.
var allEvents = []Event{
	Serving{}, Closing{}, Submitted{}, Approved{}, Cancelled{}, Reserve{}, Planned{}, Start{}, Judged{}, Released{}, Attempt{}, Probed{}, Answered{},
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
		case s.ended[id] != nil:
			return fmt.Errorf("job %s is open and has ended", id)
		case j.State == api.Pending && (j.Slot || j.Approved):
			return fmt.Errorf("job %s is pending and has a slot or is approved", id)
		case j.Slot && (j.State == api.Running) != j.SlotEnds.IsZero():
			return fmt.Errorf("the slot of job %s, which is %s, ends at %v", id, j.State, j.SlotEnds)
		case !j.Slot && (j.Reserved != 0 || !j.SlotEnds.IsZero()):
			return fmt.Errorf("job %s has no slot and %d bytes reserved, until %v", id, j.Reserved, j.SlotEnds)
		case j.State == api.Running && j.Session == "":
			return fmt.Errorf("job %s runs without a session", id)
		}
	}
	for id, j := range s.ended {
		if !j.State.Final() || j.Slot || j.Reserved != 0 || j.Ended.IsZero() || (j.State == api.Done) != (j.Error == "") {
			return fmt.Errorf("job %s has ended: %s", id, describe(j))
		}
	}
	if s.FreeSlots() < 0 || s.FreeMemory() < 0 {
		return fmt.Errorf("%d slots and %d bytes are free", s.FreeSlots(), s.FreeMemory())
	}
	return nil
}
