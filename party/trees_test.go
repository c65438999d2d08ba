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

// TestTrees runs trees of XGBoost and LightGBM on their training data, whose features equal thresholds or are one
// unit of the last place away: every row reaches the leaves that the library says, with trees of another party and with public
// trees over two parties' columns. testdata/trees/export.py has made the jobs. TACET_TEST_TREES is a folder with
// larger ones from there, which run besides.
func TestTrees(t *testing.T) {
	folders := []string{filepath.Join("testdata", "trees")}
	if more := os.Getenv("TACET_TEST_TREES"); more != "" {
		folders = append(folders, more)
	}
	for i, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*", "job.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no folders with job files: %v", folder, err)
		}
		settings := []randomSetting{{"semi2k", 2, 64}}
		if i == 0 && !raced {
			settings = append(settings, randomSetting{"plain", 2, 64}, randomSetting{"semi2k", 3, 128}, randomSetting{"aby3", 3, 64})
		}
		for _, file := range files {
			for _, set := range settings {
				t.Run(fmt.Sprint(filepath.Base(filepath.Dir(file)), "/", set), func(t *testing.T) {
					j, s := load(t, file, func(j *job.Job) { j.Protocol = set.protocol })
					s.Ring, s.Fraction, s.Computing = set.ring, set.fraction(), set.parties
					s.Parties = []string{"alice", "bob", "carol"}[:set.parties]
					out, err := party.Run(context.Background(), s)
					if err != nil {
						t.Fatal(err)
					}
					checkExpected(t, j, s, out)
					checkPrediction(t, out.Report)
				})
			}
		}
	}
}
