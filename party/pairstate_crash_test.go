//go:build unix

package party_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/cheetah"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party"
)

// crashVariable names the folder of TestPairStateCrashes in the process that crashes, and what it does.
const crashVariable = "TACET_TEST_PAIR_CRASH"

// crashWorld is the world of one such process: two parties with folders of their own, and a log of the states that phases used.
type crashWorld struct {
	t     *testing.T
	dir   string
	spec  party.Spec
	ahead bool // sessions are made ahead of time and taken from stores; else each run leaves a state for the next
	log   *os.File
}

// used is a line of the log: a phase of a party has begun. State is a hash of what it had kept, "" for nothing, Common the seed of
// the ids of the session's polynomials.
type used struct {
	Rank          int
	State, Common string
}

// newCrashWorld opens the world in dir. The log is written before a phase sends anything.
func newCrashWorld(t *testing.T, dir string, ahead bool) *crashWorld {
	w := &crashWorld{t: t, dir: dir, spec: pairSpec(t), ahead: ahead}
	var err error
	if w.log, err = os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		t.Fatal(err)
	}
	phase := &cheetah.Protocol.Between.Phases[0] // of this process alone
	run := phase.Run
	phase.Run = func(g *flow.Graph, c protocol.Config, before any) any {
		if !g.DryRun() {
			line := used{Rank: c.Rank, Common: fmt.Sprintf("%x", c.Common[:])}
			if kept, ok := c.Kept.(*pair.State); ok {
				line.State = fmt.Sprintf("%x", sha256.Sum256(kept.Encode()))
			}
			text, _ := json.Marshal(line)
			if _, err := w.log.Write(append(text, '\n')); err != nil {
				panic(err)
			}
		}
		return run(g, c, before)
	}
	return w
}

// apart calls do for both parties side by side and returns their errors, by rank.
func (w *crashWorld) apart(do func(s party.Spec, seat party.Seat) error) (errs [2]error) {
	ends, id := link.Memory(2), correlation.NewSessionID()
	var wg sync.WaitGroup
	for rank := range 2 {
		s := w.spec
		s.Args = slices.Clone(s.Args)
		s.Args[1-rank].Data = nil
		folder := w.folder(rank)
		if w.ahead {
			s.PairState, s.Store = "", filepath.Join(folder, "made")
		} else {
			s.PairState = filepath.Join(folder, "pair")
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			w.t.Fatal(err)
		}
		memory, err := store.OpenMemory(filepath.Join(folder, "memory"))
		if err != nil {
			w.t.Fatal(err)
		}
		s.StoreMemory = memory
		wg.Go(func() {
			defer ends[rank].Close()
			errs[rank] = do(s, party.Seat{Rank: rank, Link: ends[rank], Session: id})
		})
	}
	wg.Wait()
	return errs
}

func (w *crashWorld) folder(rank int) string { return filepath.Join(w.dir, w.spec.Parties[rank]) }

// run does what may crash: a run, and before it a session ahead of time. Results that are there are right.
func (w *crashWorld) run() (errs [2]error) {
	if w.ahead {
		errs = w.apart(func(s party.Spec, seat party.Seat) error {
			for i := range s.Args {
				s.Args[i].Data = nil
			}
			return party.StoreOffline(context.Background(), s, seat)
		})
		if errors.Join(errs[:]...) != nil {
			return errs
		}
	}
	return w.apart(func(s party.Spec, seat party.Seat) error {
		out, err := party.Join(context.Background(), s, seat)
		if err == nil {
			checkPair(w.t, w.spec, out)
		}
		return err
	})
}

// works wants that the parties run, whatever was left on their disks.
func (w *crashWorld) works(after string) {
	w.t.Helper()
	if errs := w.run(); errors.Join(errs[:]...) != nil {
		w.t.Fatalf("after %s: %v", after, errs)
	}
}

// crash runs in the process that crashes: a run that works, and one that ends with the process at the given step on disk: its
// number, or "used", the first step after the phases began that is not the use of a session.
func crash(t *testing.T, what string) {
	dir, how, _ := strings.Cut(what, "|")
	mode, number, _ := strings.Cut(how, "|")
	at, err := strconv.Atoi(number)
	if err != nil && number != "used" {
		t.Fatal(err)
	}
	w := newCrashWorld(t, dir, mode == "ahead")
	w.works("a crash")
	if number == "0" {
		return
	}
	var n atomic.Int64
	durable.Intercept(func(step, path string) error {
		now := step == "truncate" || step == "create" && strings.HasSuffix(path, ".making") && !w.ahead // of what is left for later
		if n.Add(1) == int64(at) || at == 0 && now {
			fmt.Printf("crash at %s of %s\n", step, path)
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
		return nil
	})
	w.run()
	fmt.Printf("ran in %d steps\n", n.Load())
}

// fail runs in a process of its own: one step after the other fails at one party, as on a full disk. The failed run ends at both
// parties, and the next one works.
func fail(t *testing.T, what string) {
	dir, how, _ := strings.Cut(what, "|")
	mode, number, _ := strings.Cut(how, "|")
	stride, _ := strconv.Atoi(number)
	w := newCrashWorld(t, dir, mode == "ahead")
	w.works("nothing")
	full := errors.New("no space left on the device of this test")
	for rank := range 2 {
		for at := 1 + rank*stride/2; ; at += stride {
			var n atomic.Int64
			where := ""
			end := durable.Intercept(func(step, path string) error {
				if strings.HasPrefix(path, w.folder(rank)) && n.Add(1) == int64(at) {
					where = step + " of " + path
					return full
				}
				return nil
			})
			errs := w.run()
			end()
			if n.Load() < int64(at) {
				break
			}
			if err := errors.Join(errs[:]...); err != nil && !strings.Contains(err.Error(), full.Error()) {
				t.Errorf("%s fails: %v", where, err)
			}
			w.works("a failure: " + where)
		}
	}
	fmt.Println("failed")
}

// TestPairStateCrashes ends a process of two parties without a dealer at every step by which it changes its disk, while it keeps a
// pair's state, and while it makes and uses sessions ahead of time; and lets every step fail at one party. Runs after that work, and
// no phase begins with a state that another one had, so that no transfer, key or counter serves twice, nor with a seed of ids that
// another one had. A part of the steps is tried; TACET_TEST_CHEETAH=all tries all.
func TestPairStateCrashes(t *testing.T) {
	if what := os.Getenv(crashVariable); what != "" {
		if how, failing := strings.CutPrefix(what, "fail|"); failing {
			fail(t, how)
		} else {
			crash(t, what)
		}
		return
	}
	t.Parallel()
	child := func(what string) (string, error) {
		c := exec.Command(os.Args[0], "-test.run=^TestPairStateCrashes$", "-test.timeout=0")
		c.Env = append(os.Environ(), crashVariable+"="+what)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	for _, mode := range []string{"keep", "ahead"} {
		t.Run(mode, func(t *testing.T) {
			stride := 23
			if os.Getenv("TACET_TEST_CHEETAH") == "all" {
				stride = 1
			}
			dir, crashes, done, points := t.TempDir(), 0, false, []string{"used"}
			for at := 1; !done; at += stride {
				points = append(points, strconv.Itoa(at))
				point := points[0]
				points = points[1:]
				out, err := child(fmt.Sprintf("%s|%s|%s", dir, mode, point))
				switch {
				case strings.Contains(out, "crash at "):
					crashes++
				case err == nil && strings.Contains(out, "ran in "):
					done = true
				default:
					t.Fatalf("step %s: %v\n%s", point, err, out)
				}
			}
			if out, err := child(fmt.Sprintf("%s|%s|0", dir, mode)); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if crashes == 0 {
				t.Error("nothing crashed")
			}
			phases, warm := checkUsed(t, dir)
			t.Logf("%d crashes; %d phases, %d with a state", crashes, phases, warm)
			if warm == 0 {
				t.Error("no phase began with a state")
			}

			dir = t.TempDir()
			if out, err := child(fmt.Sprintf("fail|%s|%s|%d", dir, mode, stride)); err != nil || !strings.Contains(out, "failed\n") {
				t.Fatalf("%v\n%s", err, out)
			}
			phases, warm = checkUsed(t, dir)
			t.Logf("failures: %d phases, %d with a state", phases, warm)
		})
	}
}

// checkUsed reads the log of a world: nothing is there twice.
func checkUsed(t *testing.T, dir string) (phases, warm int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var u used
		if err := json.Unmarshal(line, &u); err != nil {
			t.Fatal(err)
		}
		for _, once := range []string{"state " + u.State, "seed " + u.Common} {
			key := fmt.Sprintf("%s at rank %d", once, u.Rank)
			if once != "state " && seen[key] {
				t.Errorf("%s serves twice", key)
			}
			seen[key] = true
		}
		if phases++; u.State != "" {
			warm++
		}
	}
	return phases, warm
}
