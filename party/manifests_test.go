package party_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/ring"
)

// manifestLimits are wide enough for all manifests here.
var manifestLimits = correlation.Limits{Bytes: 1 << 28, Items: 1 << 20, Words: 1 << 32, Parties: 8}

// checkManifest checks that a run's manifest can be sent to a dealer, which then deals the same.
func checkManifest(t *testing.T, s party.Spec) {
	t.Helper()
	f, n, err := party.Manifest(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := f.Encode(&b); err != nil {
		t.Fatal(err)
	}
	sent := b.Bytes()
	if sum, size := f.Measure(); sum != sha256.Sum256(sent) || size != int64(len(sent)) {
		t.Errorf("a digest of other than the %d bytes that are sent", len(sent))
	}
	g, _, err := correlation.DecodeManifest(bytes.NewReader(sent), manifestLimits)
	if err != nil {
		t.Fatalf("%v, of %d bytes", err, len(sent))
	}
	if g.Digest() != f.Digest() || g.Bytes() != f.Bytes() {
		t.Errorf("another form arrives: for %d bytes where %d were ordered", g.Bytes(), f.Bytes())
	}
	if f.Bytes() > 8<<20 {
		return // it takes long
	}
	if deal(t, f, n, len(s.Parties)) != deal(t, g, n, len(s.Parties)) {
		t.Error("other corrections are dealt to the form that arrives")
	}
}

// deal is a digest of what is dealt to a form from fixed seeds.
func deal(t *testing.T, f *correlation.Manifest, n, parties int) [32]byte {
	t.Helper()
	seeds := make([]ring.Seed, parties)
	for i := range seeds {
		seeds[i][0] = byte(i)
	}
	h := sha256.New()
	err := correlation.NewLocal(n, seeds).Deal(context.Background(), f, func(id correlation.ID, data []byte) error {
		return correlation.WriteRecord(h, correlation.SessionID{}, id, data)
	})
	if err != nil {
		t.Fatal(err)
	}
	return [32]byte(h.Sum(nil))
}
