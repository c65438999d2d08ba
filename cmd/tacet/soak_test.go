//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/pki"
)

// soakKeep is the number of ended jobs, and of requests of a service, that nodes keep in a soak: few, so that what
// they hold is soon what they hold for ever.
const soakKeep = 20

// Sizes in bytes of a soak's log files, after which the next ones begin, and the age at which earlier ones are removed: the files
// are soon as many as they stay for ever.
const (
	soakLog     = 16 << 10
	soakAudit   = 16 << 10
	soakLine    = 8 << 10 // more than the longest line
	soakLogKeep = 30 * time.Second
)

// soakFile is the log file of a node in a soak.
const soakFile = "soak.log"

// soak is a rig that works for a long time.
type soak struct {
	*attack
	random *rand.Rand
	jobs   int // that were done and right
	asked  int // requests that were done
	killed int
	rolled int // certificates that were renewed
}

// usage is what a node holds between cycles.
type usage struct {
	memory   int              // resident set, MiB
	routines int              // goroutines
	files    int              // open descriptors
	state    int64            // bytes below the state folder, but the audit log's
	logs     int64            // bytes of the files of the audit log and of the node's log
	parts    map[string]int64 // bytes of state by the first elements of the path, for who looks for what grows
}

// usage measures a node.
func (s *soak) usage(name string) usage {
	s.t.Helper()
	l := s.load(name)
	u := usage{memory: s.memory(name, "VmRSS"), routines: l.routines, files: l.files, parts: map[string]int64{}}
	s.check(filepath.WalkDir(filepath.Join(s.dir, name), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || strings.Contains(path, "/data/") {
			return nil // files come and go
		}
		info, err := d.Info()
		switch {
		case err != nil:
		case strings.HasPrefix(d.Name(), "audit.") || strings.HasPrefix(d.Name(), soakFile):
			u.logs += info.Size()
			if most := max(soakLog, soakAudit) + int64(soakLine); info.Size() > most {
				s.t.Errorf("%s has %d bytes, more than %d", path, info.Size(), most)
			}
		case d.Name() == "node.log" && strings.Contains(s.read(name, "node.log"), `"level"`):
			s.t.Errorf("%s logs lines that are not in its log file: %s", name, s.read(name, "node.log"))
		case strings.Contains(path, "/state"):
			u.state += info.Size()
			rel, err := filepath.Rel(filepath.Join(s.dir, name), path)
			s.check(err)
			part := strings.Split(rel, "/")
			u.parts[strings.Join(part[:min(2, len(part))], "/")+" "+d.Name()] += info.Size()
		}
		return nil
	}))
	return u
}

// service opens a service, sends it requests, and ends it.
func (s *soak) service() {
	s.t.Helper()
	sub := s.submission()
	sub.Serve, sub.Batch = true, 4
	sub.Inputs[1].Resident, sub.Inputs[2].Resident = true, true
	s.hand(sub)
	s.check(cluster.WaitOpen(s.t.Context(), s.clients, sub.Parties, sub.ID, func([]api.Job) {}))
	var all []*api.Request
	for range 8 {
		q := cluster.NewRequest("", nil)
		for _, p := range s.parties {
			_, err := s.clients[p].Request(s.t.Context(), sub.ID, q)
			s.check(err)
		}
		all = append(all, q)
	}
	for _, q := range all {
		for _, p := range s.parties {
			var v api.RequestStatus
			for deadline := time.Now().Add(rigWait); !v.State.Final() && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
				var err error
				v, err = s.clients[p].RequestStatus(s.t.Context(), sub.ID, q.ID)
				s.check(err)
			}
			if v.State != api.Done {
				s.t.Errorf("a request is %s at %s: %s", v.State, p, v.Error)
			}
		}
		s.asked++
	}
	for _, p := range s.parties {
		s.clients[p].Cancel(s.t.Context(), sub.ID) // it has ended already where another node told so
	}
	for _, p := range s.parties {
		s.end(sub, p)
	}
}

// renew gives a node a new certificate.
func (s *soak) renew(name string) {
	s.t.Helper()
	_, err := pki.Issue(s.dir, name, pki.Options{Force: true})
	s.check(err)
	before := time.Now()
	s.signal(name, syscall.SIGHUP)
	for deadline := time.Now().Add(rigWait); !s.logged(name, "certificates reloaded", before); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.t.Fatalf("%s does not reload", name)
		}
	}
	s.rolled++
}

// logFiles returns the files of a node's log, by path, and refuses what no daemon may write.
func (s *soak) logFiles(name string) map[string][]byte {
	s.t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.dir, name, soakFile+"*"))
	s.check(err)
	out := map[string][]byte{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) { // it was removed, or got another name
			continue
		}
		s.check(err)
		out[path] = text
		if bad := outcry.Find(text); bad != nil {
			s.t.Errorf("%s: %s", path, bad)
		}
	}
	return out
}

// logged reports whether a node has logged a message after a time.
func (s *soak) logged(name, message string, after time.Time) bool {
	s.t.Helper()
	for _, text := range s.logFiles(name) {
		for line := range bytes.Lines(text) {
			var e struct {
				Time time.Time
				Msg  string
			}
			if json.Unmarshal(line, &e) == nil && e.Msg == message && e.Time.After(after) {
				return true
			}
		}
	}
	return false
}

// rotated checks that a node's log and audit log have had more than one file, and that the files which are older than they may be
// are gone once another one has begun.
func (s *soak) rotated(name string, long bool) {
	s.t.Helper()
	files := s.logFiles(name)
	if present := filepath.Join(s.dir, name, soakFile); len(files) < 2 && long || files[present] == nil {
		s.t.Errorf("%s: the log has %d files", name, len(files))
	}
	state := filepath.Join(s.dir, name, "state")
	audited, err := filepath.Glob(filepath.Join(state, "audit.log*"))
	s.check(err)
	first := filepath.Join(state, "audit.log.000001")
	if long && (len(audited) < 3 || slices.Contains(audited, first)) { // the present one, its head, and an earlier one
		s.t.Errorf("%s: the audit log has %q", name, audited)
	}
}

// cycle does everything once. alice is never killed: what it holds is compared over the whole time.
func (s *soak) cycle(n int) {
	s.t.Helper()
	s.service()
	for range 4 {
		if err := s.userJob(); err != nil {
			s.t.Fatal(err)
		}
		s.jobs++
	}
	for {
		c := s.corpus[s.random.IntN(len(s.corpus))]
		if c.Plans || strings.HasSuffix(c.Name, "2^16") { // results of any size are kept by their number
			continue
		}
		s.submitCase(c)
		break
	}
	s.renew(s.parties[n%len(s.parties)])
	if n%3 == 0 {
		who := s.parties[1+s.random.IntN(2)]
		sub := s.submit()
		if s.random.IntN(2) == 0 {
			s.rig.killed(who)
		} else {
			s.signal(who, syscall.SIGTERM)
			s.buried(who)
		}
		s.up()
		for _, p := range s.parties {
			if j, known := s.end(sub, p); known && j.State == api.Done {
				s.right(sub, p)
			}
		}
		s.killed++
		s.works(who + " was killed")
	}
}

// middle returns the median of a number of some usages.
func middle(all []usage, of func(usage) int64) int64 {
	var x []int64
	for _, u := range all {
		x = append(x, of(u))
	}
	slices.Sort(x)
	return x[len(x)/2]
}

// TestSoak runs a service, jobs, a hostile submission, a kill and a renewal of a certificate; for the time that
// TACET_TEST_SOAK gives ("30m", with -timeout 1h), over and over. What nodes hold in memory, in descriptors and on
// disk, log files among it, must then not grow from the second quarter to the last.
func TestSoak(t *testing.T) {
	t.Parallel()
	d, least := time.Duration(0), 1
	if text := os.Getenv("TACET_TEST_SOAK"); text != "" {
		var err error
		if d, err = time.ParseDuration(text); err != nil {
			t.Fatal(err)
		}
		least = 40
	}
	r := newRig(t, 64, fmt.Sprintf(", memory: 1GB, wait: 1m, keep: %d, requests_kept: %d", soakKeep, soakKeep))
	for _, p := range r.parties {
		r.killed(p)
		r.check(os.Remove(filepath.Join(r.dir, p, "node.log")))
		r.idle[p] = load{r.idle[p].routines, r.idle[p].files + 1} // the log's file
		r.write(p, "node.yaml", r.read(p, "node.yaml")+fmt.Sprintf("log: {file: %s, size: %d, keep: %v}\naudit: {size: %d, keep: %v}\n",
			soakFile, soakLog, soakLogKeep, soakAudit, soakLogKeep))
		r.write(p, "policy.yaml", strings.Replace(r.read(p, "policy.yaml"), "submitters: [admin]", "submitters: [admin, dave]", 1))
	}
	r.up()
	seed := rand.Uint64()
	s := &soak{attack: newAttack(r, context.WithoutCancel(t.Context()), seed, d), random: rand.New(rand.NewPCG(seed, 0))}
	held := map[string][]usage{}
	begun := time.Now()
	for n := 0; n < least || time.Since(begun) < d; n++ {
		s.cycle(n)
		for _, p := range r.parties {
			held[p] = append(held[p], s.usage(p))
		}
		if t.Failed() {
			t.Fatalf("cycle %d of seed %d", n, seed)
		}
	}
	t.Logf("%v, %d cycles of seed %d: %d jobs and %d requests done and right, %d kills, %d certificates renewed; hostile submissions ended %v",
		time.Since(begun).Round(time.Second), len(held["alice"]), seed, s.jobs, s.asked, s.killed, s.rolled, s.outcomes)
	for _, w := range s.wrong {
		t.Error(w)
	}
	for _, p := range slices.Sorted(maps.Keys(held)) {
		all := held[p]
		s.rotated(p, d >= 4*soakLogKeep)
		if d == 0 {
			t.Logf("%s: %+v", p, all[len(all)-1])
			continue
		}
		quarter := len(all) / 4
		early, late := all[quarter:2*quarter], all[len(all)-quarter:]
		for _, x := range []struct {
			what       string
			of         func(usage) int64
			part, room int64 // growth that is accepted: a part of what was, in percent, and more
		}{
			{"MiB of memory", func(u usage) int64 { return int64(u.memory) }, 20, 16},
			{"goroutines", func(u usage) int64 { return int64(u.routines) }, 0, 10},
			{"descriptors", func(u usage) int64 { return int64(u.files) }, 0, 10},
			{"bytes of state", func(u usage) int64 { return u.state }, 15, 1 << 18},
			{"bytes of logs", func(u usage) int64 { return u.logs }, 50, 2 * (soakLog + soakAudit)},
		} {
			a, b := middle(early, x.of), middle(late, x.of)
			t.Logf("%s: %d %s in the second quarter, %d in the last", p, a, x.what, b)
			if b > a+a*x.part/100+x.room {
				t.Errorf("%s: %s grew from %d to %d: %v, and then %v", p, x.what, a, b, early[0].parts, late[len(late)-1].parts)
			}
		}
	}
	r.clean("after the soak")
}
