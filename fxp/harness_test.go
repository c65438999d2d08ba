package fxp_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

type shape = tensor.Shape

// failing is what checks report to: a test, or one draw of a property.
type failing interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// lab is an arithmetic and one operation of its graph. Checks of values run once the graph has ended; in a dry
// run, which does the same without data, there are none.
type lab struct {
	failing
	*fxp.Arith
	op       *flow.Op
	name     string
	dry      bool
	checks   []func()
	notes    []string // of values without a form, of constants that become zero, and of contractions not proved
	lost     []string
	unproved []string
}

// noLink is the link of a party that has no peers.
type noLink struct{}

func (noLink) Rank() int                                          { return 0 }
func (noLink) Size() int                                          { return 1 }
func (noLink) Send(int, link.Key, int32, []byte)                  { panic("a message in the clear") }
func (noLink) Await(int, link.Key, func(m link.Message, e error)) { panic("a message in the clear") }

// form is what an arithmetic is made over.
type form struct {
	name           string
	protocol       mpc.Protocol
	bits, fraction int
}

// forms are the protocols of the tests, each in a usual ring.
func forms(bits ...int) []form {
	var out []form
	for _, b := range bits {
		f, _ := fxp.UsualFraction(b)
		for name, p := range map[string]mpc.Protocol{"plain": plain.Party{}, "masking": masking{}, "of three": rounding{computing: 3}} {
			out = append(out, form{fmt.Sprintf("%s in %d bits", name, b), p, b, f})
		}
	}
	return out
}

var (
	allRings = []int{32, 64, 128}
	wideOnes = []int{64, 128}
	usual    = []int{64}
)

// run builds a graph with f, without data and then with data, and checks it.
func run(t failing, m form, set map[string]string, f func(l *lab)) *lab {
	t.Helper()
	options, err := fxp.ParseOptions(set)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var l *lab
	for _, dry := range []bool{true, false} {
		g := flow.NewDryRun(link.Online, &flow.Account{})
		if !dry {
			g = flow.New(context.Background(), link.Online, noLink{}, &flow.Account{})
		}
		l = &lab{failing: t, name: m.name, dry: dry, op: g.Op(0, &flow.Cost{}, "test.mlir:3:4: test.op")}
		l.Arith = &fxp.Arith{P: m.protocol, Ring: ring.Z(m.bits), Fraction: m.fraction, Options: options,
			Note:     func(where, what string) { l.notes = append(l.notes, where+": "+what) },
			Lost:     func(where, what string) { l.lost = append(l.lost, where+": "+what) },
			Unproved: func(where string, limit float64) { l.unproved = append(l.unproved, fmt.Sprint(where, " ", limit)) },
		}
		f(l)
		if err := g.Wait(); err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		for _, check := range l.checks {
			check()
		}
	}
	return l
}

// each runs f in all forms of the given rings.
func each(t *testing.T, bits []int, f func(l *lab)) {
	t.Helper()
	for _, m := range forms(bits...) {
		t.Run(m.name, func(t *testing.T) { run(t, m, nil, f) })
	}
}

// unit is one unit of the last place at the fraction.
func (l *lab) unit() float64 { return math.Ldexp(1, -l.Fraction) }

func floats(v ...float64) *tensor.Array { return tensor.FromFloats(tensor.F64, shape{len(v)}, v) }

func constant(n int, v float64) *tensor.Array { return floats(slices.Repeat([]float64{v}, n)...) }

// in shares numbers that party 0 knows: they are open where the protocol masks.
func (l *lab) in(v ...float64) *fxp.Value { return l.input(floats(v...)) }

func (l *lab) input(a *tensor.Array) *fxp.Value {
	return l.Input(l.op, 0, a.Type, func() *tensor.Array {
		if l.dry {
			return nil
		}
		return a
	})
}

// held is a secret that is not open.
func (l *lab) held(v ...float64) *fxp.Value { return l.heldAt(l.Fraction, v...) }

// heldAt is held at another scale.
func (l *lab) heldAt(scale int, v ...float64) *fxp.Value {
	a := floats(v...)
	return l.FromShare(l.op.Graph, a.Type, &fxp.StoredShare{Vec: fxp.Encode(a, l.Ring, scale), Scale: scale, Bound: l.Ring.Bits - 2})
}

// integers is a secret of an integer type, which is not open if kept.
func (l *lab) integers(d tensor.DType, kept bool, v ...int64) *fxp.Value {
	w := make([]uint64, len(v))
	for i, x := range v {
		w[i] = uint64(x)
	}
	a := tensor.FromWords(d, shape{len(v)}, w)
	if !kept {
		return l.input(a)
	}
	r := l.RingOf(d)
	return l.FromShare(l.op.Graph, a.Type, &fxp.StoredShare{Vec: fxp.Encode(a, r, 0), Bound: r.Bits - 2})
}

func (l *lab) bools(v ...bool) *fxp.Value {
	return l.input(&tensor.Array{Type: tensor.Type{DType: tensor.Bool, Shape: shape{len(v)}}, Data: v})
}

// shaped gives a value another shape of as many elements.
func (l *lab) shaped(v *fxp.Value, s ...int) *fxp.Value {
	return l.View(l.op, tensor.Reshaped(v.Type.Shape, s), v)
}

// decoded returns a secret's elements once the graph has ended.
func decoded(s mpc.Secret, t tensor.Type, scale int) *tensor.Array {
	return fxp.Decode(s.(mpc.Clear).Clear().Get(), t, scale)
}

// finally adds a check of data, which a dry run leaves out.
func (l *lab) finally(check func()) {
	if !l.dry {
		l.checks = append(l.checks, check)
	}
}

// near checks that a float is what is wanted, to so many units of the last place, of results of magnitude 1
// or less. It checks the value as it is and as it is revealed.
func (l *lab) near(what string, x *fxp.Value, units float64, want ...float64) {
	l.Helper()
	rescaled, want := l.Finalize(l.op, x), slices.Clone(want)
	if rescaled.Scale > l.Fraction {
		l.Errorf("%s: %s is revealed at scale %d", l.name, what, rescaled.Scale)
	}
	l.finally(func() {
		l.Helper()
		l.compare(what, decoded(rescaled.S, x.Type, rescaled.Scale), units+0.51, want)
	})
}

func (l *lab) compare(what string, got *tensor.Array, units float64, want []float64) {
	l.Helper()
	if got.Len() != len(want) {
		l.Errorf("%s: %s has %d elements, want %d", l.name, what, got.Len(), len(want))
		return
	}
	for i, g := range got.Floats() {
		if limit := units * l.unit() * math.Max(1, math.Abs(want[i])); !(math.Abs(g-want[i]) <= limit) {
			l.Errorf("%s: %s: element %d is %v, want %v within %v", l.name, what, i, g, want[i], limit)
			return
		}
	}
}

// exactly checks a float at its own scale.
func (l *lab) exactly(what string, x *fxp.Value, want ...float64) {
	l.Helper()
	l.finally(func() {
		l.Helper()
		if got := decoded(x.S, x.Type, x.Scale).Floats(); !slices.Equal(got, want) {
			l.Errorf("%s: %s is %v, want %v", l.name, what, got, want)
		}
	})
}

// equal checks the elements of a boolean or an integer.
func (l *lab) equal(what string, x *fxp.Value, want string) {
	l.Helper()
	l.finally(func() {
		l.Helper()
		if got := fmt.Sprint(decoded(x.S, x.Type, x.Scale).Data); got != want {
			l.Errorf("%s: %s is %s, want %s", l.name, what, got, want)
		}
	})
}

func contains(list []string, text string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, text) })
}

func ringOf(m form) ring.Ring { return ring.Z(m.bits) }
