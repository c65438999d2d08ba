package store

import (
	"bufio"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// With this variable the test binary is a process that uses up a store.
const takerEnv = "TACET_TEST_TAKE_FROM"

func TestMain(m *testing.M) {
	if dir := os.Getenv(takerEnv); dir != "" {
		if err := takeAll(dir, os.Stdout.WriteString); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// takeAll begins, reads and closes sessions until none is left, and prints each one before it uses
// it.
func takeAll(dir string, say func(string) (int, error)) error {
	bob, err := Open(dir, "bob")
	if err != nil {
		return err
	}
	for {
		if _, err := bob.Recover(); err != nil {
			return err
		}
		ids, err := bob.Find(terms)
		if errors.As(err, new(*MissingError)) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, id := range ids {
			s, err := bob.Begin(id, terms, form())
			if errors.Is(err, ErrTaken) {
				continue
			}
			if err != nil {
				return err
			}
			if _, err := say(id.String() + "\n"); err != nil {
				return err
			}
			for _, r := range s.manifest.Requests {
				if _, err := s.Take(r.ID); err != nil {
					return err
				}
			}
			if err := s.Close(); err != nil {
				return err
			}
		}
	}
}

// checkTakenOnce compares the takers' output with the sessions that were there.
func checkTakenOnce(t *testing.T, taken []string, ids []correlation.SessionID) {
	t.Helper()
	slices.Sort(taken)
	var want []string
	for _, id := range ids {
		want = append(want, id.String())
	}
	if !slices.Equal(taken, want) {
		t.Errorf("%d sessions were taken, of %d", len(taken), len(want))
		for i := 1; i < len(taken); i++ {
			if taken[i] == taken[i-1] {
				t.Errorf("session %s was taken twice", taken[i])
			}
		}
	}
}

func TestGoroutinesTakeEachSessionOnce(t *testing.T) {
	dir := t.TempDir()
	ids := fill(t, dir, 30)
	var mu sync.Mutex
	var taken []string
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			err := takeAll(dir, func(s string) (int, error) {
				mu.Lock()
				defer mu.Unlock()
				taken = append(taken, strings.TrimSpace(s))
				return 0, nil
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	checkTakenOnce(t, taken, ids)
}

// taker starts a process that uses up a store; the result is the sessions that it took.
func taker(t *testing.T, dir string) (*exec.Cmd, func() []string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), takerEnv+"="+dir)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, func() (taken []string) {
		for s := bufio.NewScanner(out); s.Scan(); {
			taken = append(taken, s.Text())
		}
		return taken
	}
}

func TestProcessesTakeEachSessionOnce(t *testing.T) {
	dir := t.TempDir()
	ids := fill(t, dir, 30)
	var taken []string
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 4 {
		c, read := taker(t, dir)
		wg.Go(func() {
			got := read()
			if err := c.Wait(); err != nil {
				t.Error(err)
			}
			mu.Lock()
			taken = append(taken, got...)
			mu.Unlock()
		})
	}
	wg.Wait()
	checkTakenOnce(t, taken, ids)
}

// If processes are killed at any time, no session is taken twice, begun sessions are not begun
// again, and all others are intact.
func TestKilledProcesses(t *testing.T) {
	dir := t.TempDir()
	ids := fill(t, dir, 60)
	bob := open(t, dir, "bob")
	used := map[string]bool{}
	for range 10 {
		c, read := taker(t, dir)
		time.AfterFunc(time.Duration(5+rand.IntN(30))*time.Millisecond, func() { c.Process.Kill() })
		got := read()
		c.Wait()
		for _, id := range got {
			if used[id] {
				t.Errorf("session %s was taken twice", id)
			}
			used[id] = true
		}
		for id, s := range states(t, bob) {
			if s == Begun || s == Ready && used[id.String()] {
				t.Errorf("session %v is %v", id, s)
			}
		}
		if _, err := bob.Recover(); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range ids {
		if s := states(t, bob)[id]; s != Ready && s != Spent {
			t.Errorf("session %v is %v in the end", id, s)
		}
	}
	if _, damaged, err := Verify(t.Context(), dir, false, nil); err != nil || len(damaged) > 0 {
		t.Error(damaged, err)
	}
}
