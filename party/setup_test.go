package party

import (
	"encoding/json"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party/report"
)

// TestSetupStructure checks that a setup message of many small elements is refused before it is decoded.
func TestSetupStructure(t *testing.T) {
	ends := link.Memory(2)
	spec := &Spec{Parties: []string{"alice", "bob"}}
	alice, bob := &session{spec: spec, rank: 0, link: ends[0]}, &session{spec: spec, rank: 1, link: ends[1]}
	text := []byte(`{"Ops":[` + strings.Repeat("{},", maxStructure) + `{}]}`)
	alice.link.Send(1, alice.key(stepTallies), 0, text)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := bob.receive(t.Context(), stepTallies, []int{0}, func(_ int, data []byte) error { return json.Unmarshal(data, new(report.Tally)) })
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "party: a message of the setup from alice: the JSON text has more than") {
		t.Error(err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d MiB were allocated", took>>20)
	}
	var all sync.WaitGroup
	for _, e := range ends {
		all.Go(e.Close)
	}
	all.Wait()
}
