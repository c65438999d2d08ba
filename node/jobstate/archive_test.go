package jobstate

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestArchive checks archives against maps: each change makes another archive, and the one before stays as it was.
func TestArchive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a *archive
		want := map[string]*Job{}
		check := func(a *archive, want map[string]*Job) {
			t.Helper()
			if got := maps.Collect(a.all()); !maps.Equal(got, want) || a.len() != len(want) {
				t.Fatalf("%d jobs %v, want %v", a.len(), got, want)
			}
			count := map[api.State]int{}
			for _, j := range want {
				count[j.State]++
			}
			for _, state := range []api.State{api.Done, api.Failed} {
				if got := (State{ended: a}).Ended()[state]; got != count[state] {
					t.Fatalf("%d jobs are %s, want %d", got, state, count[state])
				}
			}
			if ids := a.ids(); !slices.Equal(ids, slices.Sorted(maps.Keys(want))) {
				t.Fatalf("ids %q of %v", ids, want)
			}
		}
		for range rapid.IntRange(0, 30).Draw(t, "changes") {
			id := fmt.Sprint(rapid.IntRange(0, 20).Draw(t, "id"))
			before, wanted := a, maps.Clone(want)
			switch rapid.IntRange(0, 5).Draw(t, "kind") {
			case 0, 1:
				a = a.with(id, nil)
				delete(want, id)
			case 2:
				var all []*Job
				for i := range rapid.IntRange(0, 9).Draw(t, "jobs") {
					j := &Job{}
					j.ID, j.State = fmt.Sprint(i), api.Done
					all, want[j.ID] = append(all, j), j
				}
				a = a.withAll(all)
			default:
				j := &Job{}
				j.ID = id
				j.State = rapid.SampledFrom([]api.State{api.Done, api.Failed}).Draw(t, "state")
				a, want[id] = a.with(id, j), j
			}
			if a.job(id) != want[id] {
				t.Fatalf("job %s is %p, want %p", id, a.job(id), want[id])
			}
			check(before, wanted)
		}
		check(a, want)
	})
}
