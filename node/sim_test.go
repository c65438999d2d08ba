package node

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"
)

// The simulation runs nodes and a dealer in one process per seed, in a testing/synctest bubble, in
// which time passes only when all goroutines are blocked, over TLS on in-memory lines. A seed
// determines what is computed, which faults happen where and at which byte, and all random values.
// TACET_TEST_SEEDS is the number of seeds to try; TACET_TEST_SEED is a single seed to try, whose
// events are printed.

// seedHere and seedFolder are the environment variables that give the seed and the folder to the
// process of one seed; eventsFile in that folder receives the events.
const (
	seedHere   = "TACET_TEST_SEED_HERE"
	seedFolder = "TACET_TEST_SEED_FOLDER"
	eventsFile = "events"
)

// TestSeeds tries seeds.
func TestSeeds(t *testing.T) {
	if seed, err := strconv.ParseUint(os.Getenv(seedHere), 10, 64); err == nil {
		simulate(t, seed, os.Getenv(seedFolder))
		return
	}
	seeds, first := 12, uint64(0)
	if raced {
		seeds = 2
	}
	if n, err := strconv.Atoi(os.Getenv("TACET_TEST_SEEDS")); err == nil {
		seeds = n
		var b [4]byte
		rand.Read(b[:])
		first = uint64(binary.BigEndian.Uint32(b[:])) << 8
	}
	one, err := strconv.ParseUint(os.Getenv("TACET_TEST_SEED"), 10, 64)
	if err == nil {
		seeds, first = 1, one
	}
	show := err == nil
	each(first, seeds, func(seed uint64) {
		if t.Failed() {
			return
		}
		happened, err := inProcess(t, seed)
		if show {
			t.Logf("seed %d:\n%s", seed, happened)
		}
		if err != nil {
			t.Errorf("seed %d (again: TACET_TEST_SEED=%d go test ./node -run TestSeeds): %v", seed, seed, err)
		}
	})
}

// TestReplay checks that a seed produces the same events twice, byte for byte.
func TestReplay(t *testing.T) {
	if !exactly() {
		t.Skip("processes are not held here")
	}
	var same atomic.Int64
	seeds := 4
	if n, err := strconv.Atoi(os.Getenv("TACET_TEST_SEEDS")); err == nil {
		seeds = n
	}
	each(1000, seeds, func(seed uint64) {
		var sums [2][32]byte
		for i := range sums {
			happened, err := inProcess(t, seed)
			if err != nil {
				t.Errorf("seed %d: %v", seed, err)
			}
			sums[i] = sha256.Sum256(happened)
		}
		if sums[0] == sums[1] {
			same.Add(1)
		} else {
			t.Errorf("seed %d does not do the same twice", seed)
		}
	})
	t.Logf("%d of %d seeds have done the same twice", same.Load(), seeds)
}

// each calls f with seeds, in parallel on all processors.
func each(first uint64, seeds int, f func(seed uint64)) {
	var next atomic.Uint64
	var all sync.WaitGroup
	for range runtime.NumCPU() {
		all.Go(func() {
			for {
				i := next.Add(1) - 1
				if i >= uint64(seeds) {
					return
				}
				f(first + i)
			}
		})
	}
	all.Wait()
}

// inProcess tries a seed in a process of its own and returns its events.
func inProcess(t *testing.T, seed uint64) ([]byte, error) {
	dir := filepath.Join(shm(), "tacet-sim-"+newID()) // of constant length, since the events contain paths
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	// A world takes a second of the processor; limitCPU bounds that. Beyond it, this process may be starved for as long as it likes.
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, "-test.run=^TestSeeds$", "-test.v")
	cmd.Dir = dir
	cmd.Stdout, cmd.Stderr = out, out
	cmd.Env = append(os.Environ(), seedHere+"="+fmt.Sprint(seed), seedFolder+"=world")
	// Handshakes are two fifths of a world's work. The key exchange is without its post-quantum half, of which Tacet's code knows nothing.
	debug := "GODEBUG=tlsmlkem=0"
	run := func(cmd *exec.Cmd, _ uint64) error { return cmd.Run() }
	if exactly() {
		run = runExactly
		debug += ",memprofilerate=0"
		cmd.Env = append(cmd.Env, "GOMAXPROCS=1", "GOGC=off")
	}
	cmd.Env = append(cmd.Env, debug)
	if err = run(cmd, seed); err != nil {
		text, _ := os.ReadFile(out.Name())
		err = fmt.Errorf("%w\n%s", err, bytes.TrimSpace(text))
	}
	happened, _ := os.ReadFile(filepath.Join(dir, "world", eventsFile))
	return happened, err
}

// cpuOfWorld is the largest time of the processor that a world may take: a hundred times what most take.
const cpuOfWorld = 2 * time.Minute

// simulate tries a seed in this process.
func simulate(t *testing.T, seed uint64, dir string) {
	if err := limitCPU(cpuOfWorld); err != nil {
		t.Fatal(err)
	}
	before := handles(t)
	cryptotest.SetGlobalRandom(t, seed)
	begin()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, seed, dir)
		defer func() {
			f, err := os.Create(filepath.Join(dir, eventsFile))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if err := w.events.writeTo(f); err != nil {
				t.Fatal(err)
			}
		}()
		w.work()
		if len(w.broken) > 0 {
			t.Error(strings.Join(w.broken, "\n"))
		}
	})
	if after := handles(t); after != before {
		t.Errorf("%d open files where %d were", after, before)
	}
}

// shm returns a folder in memory, if the system has one.
func shm() string {
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		return "/dev/shm"
	}
	return os.TempDir()
}

// handles returns the number of files that this process has open, where that can be determined.
func handles(t *testing.T) int {
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return len(open)
}
