package party_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/party"
)

// TestRegressions runs jobs that went wrong once, TACET_TEST_REGRESSIONS times each: with every protocol, with three
// computing parties, with rings of 64 and 128 bits. They lie in the folder regressions beside that of the fixtures.
func TestRegressions(t *testing.T) {
	times := environment(t, "TACET_TEST_REGRESSIONS", 0)
	if times == 0 {
		t.Skip("TACET_TEST_REGRESSIONS does not say how often each job runs")
	}
	dir := filepath.Join("..", "..", "shared", "regressions")
	if fixtures := os.Getenv("TACET_FIXTURES"); fixtures != "" {
		if beside := filepath.Join(filepath.Dir(filepath.Clean(fixtures)), "regressions"); exists(beside) {
			dir = beside
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "job.yaml"))
	if err != nil || len(files) == 0 {
		t.Skipf("no regressions: %s has no folders with job files (set TACET_FIXTURES to the folder of fixtures beside them): %v", dir, err)
	}
	for _, file := range files {
		for _, c := range []randomSetting{{"plain", 2, 64}, {"semi2k", 2, 64}, {"semi2k", 3, 64}, {"aby3", 2, 64},
			{"plain", 2, 128}, {"semi2k", 2, 128}, {"semi2k", 3, 128}, {"aby3", 2, 128}} {
			t.Run(filepath.Base(filepath.Dir(file))+"/"+c.String(), func(t *testing.T) {
				for range times {
					j, s := load(t, file, func(j *job.Job) { j.Protocol, j.Ring = c.protocol, c.ring })
					for c.protocol != "aby3" && len(s.Parties) < c.parties {
						s.Parties = append(s.Parties, fmt.Sprintf("party%d", len(s.Parties)+1))
						s.Computing = c.parties
					}
					out, err := party.Run(context.Background(), s)
					if err != nil {
						t.Fatal(err)
					}
					checkExpected(t, j, s, out)
				}
			})
		}
	}
}

// exists reports whether there is such a file or folder.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
