package party

import (
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// A party derives the manifests of later requests of a service from that of the first, and they are what it would have requested had it
// walked through the program, also with values that stay and with states.
func TestLaterManifests(t *testing.T) {
	p, err := hlo.Parse("resident.mlir", []byte(residentText))
	if err != nil {
		t.Fatal(err)
	}
	floats := func(rows int, x ...float64) *tensor.Array {
		return tensor.FromFloats(tensor.F32, tensor.Shape{rows, 2}, x)
	}
	resident := Spec{
		Program: p, Protocol: "semi2k", Parties: []string{"alice", "bob"}, Computing: 2, Reveal: []int{0},
		Args: []Arg{
			{Owner: 0}, {Owner: 1, Data: floats(2, 1, 2, 3, 4), Resident: true}, {Owner: 1, Data: floats(1, 1, 2), Resident: true}, {Owner: 1},
		},
	}
	for name, s := range map[string]Spec{
		"resident": resident, "state": stepSpec(t, "semi2k", 3, 3), "input party": stepSpec(t, "semi2k", 3, 2), "aby3": stepSpec(t, "aby3", 3, 3),
	} {
		v, err := Open(t.Context(), s, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := v.requestCorrelations(t.Context(), v.programs[0], 4); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		derived := 0
		for _, l := range v.programs[0].prepared {
			for _, x := range l.sessions {
				if x.requests == nil {
					continue
				}
				derived++
				got := x.requests.Digest()
				if err := x.prepare(t.Context()); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if got != x.plan.manifest.Digest() {
					t.Errorf("%s: party %d derives another manifest than that of its walk from operation %d on", name, x.rank, x.firstOp)
				}
			}
		}
		if derived < 2*len(s.Parties) {
			t.Errorf("%s: %d manifests are derived", name, derived)
		}
		v.Close()
	}
}
