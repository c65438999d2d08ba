package correlation

import (
	"bytes"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// A dealer that keeps masks makes the same corrections as one that does not, within its limit, and keeps only masks that are older
// than the manifest's requests.
func TestKept(t *testing.T) {
	const n, first = 8, 5 << 32
	r := ring.Z(64)
	seeds := []ring.Seed{ring.NewSeed(), ring.NewSeed()}
	manifest := func(request uint64) *Manifest {
		at := request*first + first
		x, old, large := NewFresh(at, r, n), NewOwned(3, r, n, 1), NewOwned(4, r, 4*n, 0)
		half := NewDerived(at+1, r, maps.NewView(tensor.Sliced(tensor.Shape{4 * n}, []int{0}, []int{n}, []int{1}), 4*n), large)
		f := &Manifest{Requests: []*Request{
			{ID: ID(at + 2), Kind: Product, Factors: []Factor{{Mask: x}, {Mask: old}}, Out: r, N: n},
			{ID: ID(at + 3), Kind: Product, Factors: []Factor{{Mask: old}, {Mask: NewOwned(at+4, r, n, 1)}}, Out: r, N: n},
			{ID: ID(at + 5), Kind: Product, Factors: []Factor{{Mask: x}, {Mask: half}}, Out: r, N: n},
		}}
		return f
	}
	deal := func(d *Local, f *Manifest) (all [][]byte) {
		t.Helper()
		if err := d.Deal(t.Context(), f, func(_ ID, data []byte) error { all = append(all, data); return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	keeps := NewLocal(2, seeds)
	keeps.Kept = NewKept(16 * n)
	for request := range uint64(3) {
		got, want := deal(keeps, manifest(request)), deal(NewLocal(2, seeds), manifest(request))
		for i := range want {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("request %d: correction %d differs", request, i)
			}
		}
		kept := keeps.Kept
		v, ok := kept.masks[keptMask{3, 1, r, n}]
		if !ok || len(kept.masks) != 1 || kept.room != 8*n {
			t.Fatalf("request %d: %d masks are kept and %d bytes are left, want mask 3 alone and %d", request, len(kept.masks), kept.room, 8*n)
		}
		if fresh := NewOwned(3, r, n, 1).seeded(ring.NewPRG(seeds[1])); !bytes.Equal(wordsOf(v), wordsOf(fresh)) {
			t.Fatalf("request %d changed a kept mask", request)
		}
	}
}

func wordsOf(v ring.Vec) []byte {
	var w ring.Writer
	w.Vec(v)
	return w.Payload().Data
}
