package party_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc/cheetah"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
)

// cheetahFixtures are programs with fewer than 10^5 input elements, and ResNet18.
var cheetahFixtures = []string{
	"add-mul", "control", "logreg-infer", "secret-index", // and with TACET_TEST_CHEETAH=all
	"mlp-infer", "integers", "conv1", "kmeans", "functions", "cnn-digits", "quantiles", "winograd-gemm", "gpr", "gpr-cg", "gpr-lapack", "glm-gamma",
	"glm-poisson", "glm-tweedie", "logreg-train", "winograd-ewmm", "gcn-train", "transformer-block", "bert-tiny-like", "resnet18",
}

// cheetahQuick is the number of fixtures that every run of the tests includes.
const cheetahQuick = 4

// TestFixturesCheetah runs programs among two parties without a dealer: results are right, and bytes, messages and
// rounds of all phases are as planned, operation by operation.
func TestFixturesCheetah(t *testing.T) {
	for i, name := range cheetahFixtures {
		t.Run(name, func(t *testing.T) {
			if i >= cheetahQuick && os.Getenv("TACET_TEST_CHEETAH") != "all" {
				t.Skip("it takes long (TACET_TEST_CHEETAH=all runs it)")
			}
			if raced && i > 0 {
				t.Skip("one of them with the race detector")
			}
			j, s := load(t, fixture(t, name), func(j *job.Job) { j.Protocol = cheetah.Protocol.Name })
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			checkExpected(t, j, s, out)
			checkPlanned(t, out.Report)
		})
	}
}

// checkPlanned compares a run's costs with its plan's, in total and by operation.
func checkPlanned(t *testing.T, r *profile.Report) {
	t.Helper()
	p := r.Predicted
	if !reflect.DeepEqual(p.Online.BytesSent, r.Online.BytesSent) || !reflect.DeepEqual(p.Online.Messages, r.Online.Messages) ||
		p.Online.Rounds != r.Online.Rounds || p.Offline.BytesSent != r.Offline.BytesSent {
		t.Errorf("predicted %+v, measured online %+v, offline %+v", p, r.Online, r.Offline)
	}
	if r.Offline.BytesSent == 0 {
		t.Error("nothing is sent offline")
	}
	for _, o := range r.Ops {
		got := profile.OpCost{BytesSent: o.BytesSent, Messages: o.Messages, Rounds: o.Rounds}
		want := o.Predicted
		want.OfflineBytes = 0 // the plan attributes transfers to operations; the offline phase makes them all together
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: predicted %+v, measured %+v", o.Loc, o.Op, want, got)
		}
	}
}

// TestCheetahOwners runs a program whose inputs come from parties that do not compute, and reveals results to one of
// them.
func TestCheetahOwners(t *testing.T) {
	j, s := load(t, fixture(t, "add-mul"), func(j *job.Job) { j.Protocol = cheetah.Protocol.Name })
	s.Parties = append(s.Parties, "carol", "dave")
	for i := range s.Args {
		s.Args[i].Owner = []int{2, 3, 0, 1}[i%4]
	}
	s.Reveal = []int{3}
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	checkExpected(t, j, s, out)
}

// TestCheetahHasNoStore wants a clear error of a store.
func TestCheetahHasNoStore(t *testing.T) {
	_, s := load(t, fixture(t, "add-mul"), func(j *job.Job) { j.Protocol = cheetah.Protocol.Name })
	s.Store = t.TempDir()
	if _, err := party.Run(t.Context(), s); err == nil || !strings.Contains(err.Error(), "protocol cheetah takes nothing from a store") {
		t.Errorf("%v", err)
	}
}
