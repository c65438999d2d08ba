package party

import "testing"

// A run keeps no manifest when its session has begun, neither at the parties nor at the dealer in the process; the report has its size.
func TestManifestIsDropped(t *testing.T) {
	s := jointSpec(t, "semi2k", 2)
	l, err := s.execute(t.Context(), needsAll)
	if err != nil {
		t.Fatal(err)
	}
	defer l.connect()()
	l.setProviders(t.Context())
	begun := 0
	l.spec.Progress = func(p Progress) {
		if p.Phase != "online" || begun > 0 {
			return
		}
		begun++
		for _, x := range l.sessions {
			if x.plan.manifest != nil {
				t.Errorf("party %d keeps its manifest", x.rank)
			}
		}
	}
	if err := l.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := l.report(); begun == 0 || r.Predicted.Offline.BytesSent == 0 || r.Predicted.Offline.BytesSent != r.Offline.BytesSent {
		t.Errorf("%d online phases; %d bytes of corrections are predicted, %d sent", begun, r.Predicted.Offline.BytesSent, r.Offline.BytesSent)
	}
}
