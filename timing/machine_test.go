package timing

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

func TestProfileIsKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	if m, err := Load(); err != nil || m != Default {
		t.Fatalf("without a profile: %v, %v", m, err)
	}
	m, err := Calibrate(context.Background())
	if err != nil || !m.valid() {
		t.Fatalf("measured %+v, %v", m, err)
	}
	path, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Load(); err != nil || got != m {
		t.Errorf("kept %+v, got %+v, %v", m, got, err)
	}
	other := m
	other.Name = "elsewhere"
	if _, err := other.Save(); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(); err != nil || got != Default {
		t.Errorf("another machine's profile: %+v, %v", got, err)
	}
	m.Read = 0
	if _, err := m.Save(); err != nil {
		t.Fatal(err)
	}
	if got, err := Load(); err != nil || got != Default {
		t.Errorf("a profile without the time to read a matrix: %+v, %v", got, err)
	}
	scaled := Default
	scaled.ScaleKernels(2)
	for i, x := range Default.Rates() {
		want := 2 * x
		if w := flow.Work(i); w == flow.Steps || w == flow.Products || w == flow.Reads {
			want = x
		}
		if scaled.Rates()[i] != want {
			t.Errorf("work %d: %v s of %v", i, scaled.Rates()[i], x)
		}
	}
	for _, text := range []string{"", "{}", `{"cores": 2, "seconds_step": -1}`, `{"cores": 2, "seconds_step": 5}`} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(); err == nil || !strings.Contains(err.Error(), "tacet bench --calibrate") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if !Default.valid() {
		t.Error("the default is unsound")
	}
}

// TestDealing: a dealer's time is proportional to the requested correlations and inversely
// proportional to its cores.
func TestDealing(t *testing.T) {
	z := ring.Z(64)
	form := func(n int) *correlation.Manifest {
		mask := correlation.NewFresh(1, z, n)
		return &correlation.Manifest{
			Requests: []*correlation.Request{
				{ID: 2, Kind: correlation.Product, Out: z, N: n, Factors: []correlation.Factor{{Mask: mask}, {Mask: mask}}},
			},
		}
	}
	m := Machine{Cores: 1, Stream: 1}
	near(t, "two parties' mask and one party's share", DealerSeconds(form(10), 2, m), 80*2+80)
	near(t, "of three", DealerSeconds(form(10), 3, m), 80*3+80*2)
	m.Cores = 4
	near(t, "on four cores", DealerSeconds(form(20), 2, m), (160*2+160)/4.)
}
