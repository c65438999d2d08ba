package semi2k

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// Public values multiply random shares: were one bit of them different on one
// machine, its results would be garbage. These are hashes of all that enters:
// they change if the tables or the protocols' settings do, never with the
// machine.
var coefficientHashes = map[string]string{
	"small":     "046fd5eaf487cb6821a77328bceaa0c17952d832132643a27040319a163991ca",
	"large":     "54206d92813b0a36eccf5a1fb53f9db1e0d3b230ab48deccb32b87f148fe9c87",
	"constants": "9c5574548579c42f660f5a4d727e7c84228ec3db6db49d8595d9eb4b2c93911d",
}

// coefficientTables are the tables that are hashed, of both classes.
func coefficientTables(class fourier.Class) []string {
	names := []string{
		"sigmoid", "tanh", "erf", "erfc", "gelu", "gelu_tanh", "silu", "softplus", "atan", "sigmoid/8",
		"reciprocal/2", "reciprocal/16", "log2sum/2", "log2sum/4", "log2sum/8", "log2sum/16", "log2sum/32", "log2sum/64", "log2sum/128", "log2/radix4",
		"log2/radix4/short",
	}
	for _, d := range fourier.Digits(class) {
		names = append(names, fmt.Sprintf("log2/%d", d))
	}
	return names
}

func hashed(h hash.Hash, xs ...any) {
	for _, x := range xs {
		switch x := x.(type) {
		case *big.Int:
			fmt.Fprintf(h, "%x;", x)
		default:
			if err := binary.Write(h, binary.LittleEndian, x); err != nil {
				panic(err)
			}
		}
	}
}

// hashSeries hashes a table's coefficients with a gain, and what they make of
// some phases.
func hashSeries(h hash.Hash, t *fourier.Table, gain *big.Float, scale int) {
	z := newSeries(t, gain, scale)
	hashed(h, int64(z.at), int64(z.scale), z.constant)
	phases := make([]uint64, 64)
	for i := range phases {
		phases[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	c, s := make([]int64, len(phases)), make([]int64, len(phases))
	for n := 1; n <= t.N(); n++ {
		z.public(n, phases, c, s)
		hashed(h, c, s)
	}
}

// hashShort hashes a short table: its coefficients, and the scales of its words.
func hashShort(h hash.Hash, t *shortTable) {
	hashSeries(h, t.table, t.gain, t.series.scale)
	hashed(h, int64(t.width), int64(t.scale), t.constant, t.middle)
	for _, g := range t.groups {
		hashed(h, int64(g.first), int64(g.count), int64(g.scale), int64(g.shift), int64(g.ring.Bits))
	}
}

func TestCoefficientsAreTheSameEverywhere(t *testing.T) {
	got := map[string]string{}
	for _, class := range []fourier.Class{fourier.Small, fourier.Large} {
		h, z := sha256.New(), small
		if class == fourier.Large {
			z = large
		}
		for _, name := range coefficientTables(class) {
			table := fourier.Lookup(name, class)
			if table == nil {
				t.Fatalf("no table %s", name)
			}
			hashSeries(h, table, nil, z.ga)
			hashSeries(h, table, ln2, z.ga)
			for _, q := range []int64{136, 160, 240} {
				for _, a := range []float64{-1, -0.5, 1. / 3, 2.7} {
					gain := new(big.Float).SetPrec(prec).Quo(big.NewFloat(a), new(big.Float).SetInt64(q))
					hashSeries(h, table, gain.SetMantExp(gain, z.k-z.gb), 0)
				}
			}
		}
		for _, name := range coefficientTables(class)[:8] {
			f, _ := fourier.Windowed(name, class)
			for _, folded := range []bool{false, true} {
				for _, out := range []int{8, 18, 26} {
					hashShort(h, shortTableOf(f, class, folded, 0, out))
				}
			}
		}
		for _, a := range []float64{1, -1, -0.5, 0.25} {
			for _, out := range []int{12, z.exponent} {
				hashShort(h, logTable(logKey{fourier.Lookup("log2/radix4/short", class), a, out, out + 7, logWords - logGuard}))
			}
		}
		got[class.String()] = fmt.Sprintf("%x", h.Sum(nil))
	}
	h := sha256.New()
	for _, k := range []int{32, 64, 96, 128} {
		x := &share{ring: ring.Z(k)}
		for _, scale := range []int{8, 18, 26} {
			for _, p := range []*big.Float{twoPi, mulFloat(128, ln2), mulFloat(136, ln2), mulFloat(240, big.NewFloat(1)), big.NewFloat(26.25)} {
				c := newPhase(x, scale, p).c
				hashed(h, c[0], c[1])
			}
		}
	}
	for _, k := range []int{64, 128} {
		for _, f := range []int{12, 18, 26, 40} {
			z := precisionFor(ring.Z(k), f)
			for _, smallest := range []int{0, 26, 60} {
				off, q := z.offsetAndModulus(k, f, smallest, f)
				hashed(h, int64(off), int64(q))
			}
			for _, log := range []*big.Float{ln2, big.NewFloat(1)} {
				hashed(h, bigUnits(mulFloat(-float64(offset(f)-1), log), f), bigUnits(mulFloat(float64(k-2-f)-saturationMargin, log), f))
			}
			largest := rootOfHalf(-10)
			hashed(h, roundBig(largest.SetMantExp(largest, k-2)), units(13.2, f), units(-9.8, f))
		}
	}
	for _, m := range []int{2, 3, 10, 127, 768, 1 << 20} {
		hashed(h, bigUnits(log2Of(m), 90))
	}
	got["constants"] = fmt.Sprintf("%x", h.Sum(nil))
	for name, want := range coefficientHashes {
		if got[name] != want {
			t.Errorf("%q: %q,", name, got[name])
		}
	}
}

// A series is made once for a table, a gain and a scale.
func TestSeriesAreKept(t *testing.T) {
	table := fourier.Lookup("sigmoid", fourier.Small)
	gain := func(x float64) *big.Float { return big.NewFloat(x) }
	z := seriesOf(table, gain(1.25), 30)
	if seriesOf(table, gain(1.25), 30) != z {
		t.Error("it is made twice")
	}
	for _, other := range []*series{seriesOf(table, nil, 30), seriesOf(table, gain(1.5), 30), seriesOf(table, gain(1.25), 31),
		seriesOf(fourier.Lookup("tanh", fourier.Small), gain(1.25), 30)} {
		if other == z {
			t.Error("another one is the same")
		}
	}
}
