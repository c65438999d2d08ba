package psi

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/ot"
)

// TestECDH compares with a map, and costs with those of the plan and of the formulas.
func TestECDH(t *testing.T) {
	const perMessage = 16
	for _, c := range []struct{ a, b, common int }{
		{0, 0, 0}, {0, 5, 0}, {5, 0, 0}, {1, 1, 1}, {1, 1, 0}, {40, 40, 0}, {40, 40, 40}, {200, 70, 33},
		{perMessage, perMessage + 1, 9}, {3 * perMessage, 1, 1}, {5*perMessage - 1, 5 * perMessage, 50},
	} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			s := Spec{
				Method: ECDH, Parties: []string{"alice", "bob"}, Keys: [][]Key{keys(0, c.a), keys(c.a-c.common, c.b)},
				perMessage: perMessage,
			}
			out, err := Run(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if n := wrongRows(s, out); n > 0 {
				t.Errorf("%d rows are wrong", n)
			}
			if len(out.Rows[0]) != c.common {
				t.Errorf("%d rows, want %d", len(out.Rows[0]), c.common)
			}
			plan, err := Plan(Spec{Method: ECDH, Parties: s.Parties, perMessage: perMessage}, [2]int{c.a, c.b})
			if err != nil {
				t.Fatal(err)
			}
			r := out.Report
			if !slices.Equal(r.Online.BytesSent, plan.Online.BytesSent) || !slices.Equal(r.Online.Messages, plan.Online.Messages) ||
				r.Online.Rounds != plan.Online.Rounds {
				t.Errorf("measured %+v, planned %+v", r.Online, plan.Online)
			}
			for i := range r.Ops {
				if o := r.Ops[i]; !slices.Equal(o.BytesSent, o.Predicted.BytesSent) || !slices.Equal(o.Messages, o.Predicted.Messages) {
					t.Errorf("%s: measured %v, planned %v", o.Op, o, o.Predicted)
				}
			}
			small, big := min(c.a, c.b), max(c.a, c.b)
			if want, got := int64(42*small+32*big+(big+7)/8), r.Online.BytesSent[0]+r.Online.BytesSent[1]; got != want {
				t.Errorf("%d bytes online, want %d", got, want)
			}
			messages := func(n int) int64 { return int64((n + perMessage - 1) / perMessage) }
			if want, got := 2*messages(small)+messages(big)+1, r.Online.Messages[0]+r.Online.Messages[1]; got != want {
				t.Errorf("%d messages, want %d", got, want)
			}
			if r.Offline.BytesSent != 0 || r.Offline.Rounds != 0 || plan.Offline.BytesSent != 0 || plan.Offline.Rounds != 0 {
				t.Errorf("something is dealt: %+v, planned %+v", r.Offline, plan.Offline)
			}
		})
	}
}

// TestECDHMany is the size of the bar: TACET_TEST_ECDH=100000.
func TestECDHMany(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("TACET_TEST_ECDH"))
	if n == 0 {
		t.Skip("TACET_TEST_ECDH is the number of keys")
	}
	s := Spec{Method: ECDH, Parties: []string{"alice", "bob"}, Keys: [][]Key{keys(0, n), keys(n/2, n)}}
	out, err := Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if n := wrongRows(s, out); n > 0 {
		t.Errorf("%d rows are wrong", n)
	}
	r := out.Report
	t.Logf("%d × %d keys: %.1f s, %.2f bytes an item, %d rounds", n, n, r.Online.Seconds,
		float64(r.Online.BytesSent[0]+r.Online.BytesSent[1])/float64(n), r.Online.Rounds)
}

// TestECDHOrder: the common rows' order does not follow the files, and messages' sizes do not follow what matches.
func TestECDHOrder(t *testing.T) {
	var sent [2][]int64
	for i, from := range []int{0, 300} {
		out, err := Run(context.Background(), Spec{Method: ECDH, Parties: []string{"a", "b"}, Keys: [][]Key{keys(0, 300), keys(from, 300)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range out.Report.Ops {
			sent[i] = append(append(sent[i], o.BytesSent...), o.Messages...)
		}
		for rank, rows := range out.Rows {
			fixed, rising := 0, 0
			for i, r := range rows {
				if i == r {
					fixed++
				}
				if i > 0 && rows[i-1] < r {
					rising++
				}
			}
			if len(rows) > 0 && (fixed > 15 || rising < 100 || rising > 200) {
				t.Errorf("party %d: %d rows at their own places, %d ascending steps", rank, fixed, rising)
			}
		}
	}
	if !slices.Equal(sent[0], sent[1]) {
		t.Errorf("equal sets send %v, disjoint ones %v", sent[0], sent[1])
	}
}

// TestPoints checks secret·H(key) against the definition, that the two secrets commute, and that malformed points are errors
// that name whose they are.
func TestPoints(t *testing.T) {
	g, k := ot.Curve(), keys(0, 3)
	a, b := g.NewScalar().SetUint64(7), g.NewScalar().SetUint64(11)
	ofA, err := points(a, k)
	if err != nil {
		t.Fatal(err)
	}
	sum := g.Identity()
	for range 7 {
		sum.Add(sum, keyPoint(g, k[1]))
	}
	if want, _ := sum.MarshalBinary(); !bytes.Equal(ofA[ot.PointBytes:2*ot.PointBytes], want) {
		t.Errorf("7·H is %x, want %x", ofA[ot.PointBytes:2*ot.PointBytes], want)
	}
	ofB, _ := points(b, k)
	left, err := commonValues(b, ofA, 10, 0, "alice")
	if err != nil {
		t.Fatal(err)
	}
	if right, _ := commonValues(a, ofB, 10, 0, "bob"); !bytes.Equal(left, right) {
		t.Errorf("values %x and %x", left, right)
	}
	if bytes.Equal(left[:10], left[10:20]) {
		t.Error("different keys have one value")
	}
	odd, _ := hex.DecodeString("00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff") // beyond the field
	for name, bad := range map[string][]byte{"not one of ristretto255": odd, "neutral element": make([]byte, ot.PointBytes)} {
		in := slices.Clone(ofA)
		copy(in[2*ot.PointBytes:], bad)
		if _, err := commonValues(b, in, 10, 4096, "alice"); err == nil || !strings.Contains(err.Error(), name) ||
			!strings.Contains(err.Error(), "point 4099 of alice") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestRepeatedValues gives the search for matches lists of a malicious peer: equal values, which are refused by its name, and
// values that share their first bytes, which take no longer than others. With quadratic time this test takes minutes.
func TestRepeatedValues(t *testing.T) {
	const n, size = 1 << 18, 11
	list := func(same int, value func(i int, v []byte)) []byte {
		out := make([]byte, n*size)
		for i := range n {
			v := out[i*size : (i+1)*size]
			binary.LittleEndian.PutUint64(v, uint64(i)*0x9e3779b97f4a7c15)
			if i < same {
				value(i, v)
			}
		}
		return out
	}
	random := list(0, nil)
	equal := list(n, func(_ int, v []byte) { clear(v) })
	alike := list(n, func(i int, v []byte) { // the first eight bytes are equal
		clear(v)
		v[8], v[9], v[10] = byte(i), byte(i>>8), byte(i>>16)
	})
	pair := slices.Clone(random)
	copy(pair[9*size:10*size], pair[4*size:])
	for _, c := range []struct {
		name        string
		own, values []byte
		want        string
	}{
		{"equal values of own keys", equal, random, "bob returned equal values for two different keys, 1 and 2"},
		{"two equal values of own keys", pair, random, "bob returned equal values for two different keys, 5 and 10"},
		{"a key of the peer twice", random, pair, "keys 5 and 10 of bob are equal"},
		{"one key of the peer", random, equal, "keys 1 and 2 of bob are equal"},
		{"alike", alike, alike, ""},
		{"alike and unmatched", alike, equal[:size], ""},
	} {
		found, err := find(c.own, c.values, size, "bob")
		switch {
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		}
		for i, at := range found {
			if int(at) != i {
				t.Fatalf("%s: value %d is at %d", c.name, i, at)
			}
		}
	}
}

func TestECDHRefused(t *testing.T) {
	two := []string{"a", "b"}
	twice := append(keys(0, 10), keys(0, 1)...)
	for name, s := range map[string]Spec{
		"equal keys of the receiver": {Method: ECDH, Parties: two, Keys: [][]Key{twice, keys(0, 20)}},
		"equal keys of the sender":   {Method: ECDH, Parties: two, Keys: [][]Key{keys(0, 3), twice}},
		"method":                     {Method: ECDH + 1, Parties: two, Keys: [][]Key{nil, nil}},
	} {
		if _, err := Run(context.Background(), s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, Spec{Method: ECDH, Parties: two, Keys: [][]Key{keys(0, 9), keys(0, 9)}}); err == nil {
		t.Error("a cancelled run has no error")
	}
}
