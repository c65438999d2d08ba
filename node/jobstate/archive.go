package jobstate

import (
	"iter"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/node/api"
)

// archiveParts is the number of parts of an archive.
const archiveParts = 256

// archive holds the jobs in a final state, by id. A node may keep very many of them: with changes a step copies only the
// part that the changed job is in. A nil archive is empty. An archive that a State holds is never changed.
type archive struct {
	parts [archiveParts]map[string]*Job
	size  int               // number of jobs
	count map[api.State]int // number of jobs by state
}

// part returns the number of the part that a job is in.
func part(id string) int {
	sum := uint32(0)
	for _, c := range []byte(id) {
		sum = sum*31 + uint32(c)
	}
	return int(sum % archiveParts)
}

// job returns the job with an id; nil if there is none.
func (a *archive) job(id string) *Job {
	if a == nil {
		return nil
	}
	return a.parts[part(id)][id]
}

// len returns the number of jobs.
func (a *archive) len() int {
	if a == nil {
		return 0
	}
	return a.size
}

// all returns an iterator over all jobs by id, in no particular order.
func (a *archive) all() iter.Seq2[string, *Job] {
	return func(yield func(string, *Job) bool) {
		if a == nil {
			return
		}
		for _, jobs := range &a.parts {
			for id, j := range jobs {
				if !yield(id, j) {
					return
				}
			}
		}
	}
}

// ids returns the ids of all jobs, sorted.
func (a *archive) ids() []string {
	ids := make([]string, 0, a.len())
	for id := range a.all() {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// with returns an archive with a job that replaces the one with its id; nil removes that.
func (a *archive) with(id string, j *Job) *archive {
	old := a.job(id)
	if j == nil && old == nil {
		return a
	}
	changed := a.clone()
	jobs := &changed.parts[part(id)]
	*jobs = clone(*jobs)
	if j != nil {
		changed.set(*jobs, id, j)
		return changed
	}
	delete(*jobs, id)
	changed.size--
	changed.count[old.State]--
	return changed
}

// withAll returns an archive with many jobs, which replace those with their ids.
func (a *archive) withAll(all []*Job) *archive {
	changed := a.clone()
	for i, jobs := range &changed.parts {
		changed.parts[i] = clone(jobs)
	}
	for _, j := range all {
		changed.set(changed.parts[part(j.ID)], j.ID, j)
	}
	return changed
}

// clone returns a copy of a, whose parts are those of a. It may be changed otherwise.
func (a *archive) clone() *archive {
	out := &archive{}
	if a != nil {
		*out = *a
	}
	if out.count = maps.Clone(out.count); out.count == nil {
		out.count = map[api.State]int{}
	}
	return out
}

// set puts a job into a part, which no other archive may have.
func (a *archive) set(jobs map[string]*Job, id string, j *Job) {
	if old := jobs[id]; old != nil {
		a.count[old.State]--
		a.size--
	}
	jobs[id] = j
	a.count[j.State]++
	a.size++
}
