package he

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// seedOf returns a seed for tests.
func seedOf(n ...byte) (s Seed) {
	copy(s[:], n)
	return s
}

// number returns the number with the given words.
func number(words []uint64) *big.Int {
	x := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		x.Lsh(x, 64)
		x.Or(x, new(big.Int).SetUint64(words[i]))
	}
	return x
}

// trial multiplies a vector of uniform numbers by a matrix with all messages. The vector has a number in each
// coefficient; stride is the number of rows.
type trial struct {
	set     int
	need    Need  // Terms is the number of rows, Inputs 1
	extreme bool  // all weights are the largest
	also    []int // orders of further keys
}

// run returns the largest error of a result, as log2 of the part of 2^Width, and the number of results.
func (tr trial) run(t *testing.T) (worst float64, results int) {
	t.Helper()
	c, n, width := Of(tr.set), tr.need, tr.need.Width
	size, ok := c.Sizes(n)
	if !ok {
		t.Fatalf("%+v does not fit", tr)
	}
	r := rand.New(rand.NewPCG(1, uint64(n.Outputs)))
	sk := c.NewSecret(seedOf(1))
	pk, err := c.ReadPublic(seedOf(2), size.Public, sk.Public(seedOf(2), seedOf(3), size.Public))
	if err != nil {
		t.Fatal(err)
	}
	keys := map[int]*Switch{}
	for _, order := range append(Keys(n.Outputs, n.Giants), tr.also...) {
		g, seed := c.Element(order), seedOf(4, byte(order/2))
		message := sk.Switch(g, seed, seedOf(5, byte(order/2)), size.Switch)
		if keys[order], err = c.ReadSwitch(g, seed, size.Switch, message); err != nil || len(message) != c.SwitchBytes(order, size.Switch) {
			t.Fatal(err)
		}
	}
	each := (width + 63) / 64
	modulus := new(big.Int).Lsh(big.NewInt(1), uint(width))
	x, words := make([]*big.Int, c.N), []uint64{}
	for i := range x {
		x[i] = number([]uint64{r.Uint64(), r.Uint64(), r.Uint64()})
		words = append(words, limbsOf(x[i].Mod(x[i], modulus), each)...)
	}
	ct, err := c.ReadCipher(seedOf(6), nil, size.Upload, sk.Encrypt(seedOf(6), seedOf(7), nil, words, width, size.Upload))
	if err != nil {
		t.Fatal(err)
	}
	p, weights, w := &Plain{}, []uint64{}, make([][]*big.Int, n.Outputs)
	most := new(big.Int).Lsh(big.NewInt(1), uint(n.Weight))
	for o := range w {
		p.From = append(p.From, int32(o))
		p.Runs = append(p.Runs, Run{0, int32(n.Terms), int32(len(weights) / each), 1})
		for range n.Terms {
			v := new(big.Int).Sub(most, big.NewInt(1))
			if !tr.extreme {
				v = number([]uint64{r.Uint64(), r.Uint64()})
				v.Mod(v, new(big.Int).Lsh(most, 1)).Sub(v, most)
			}
			w[o] = append(w[o], v)
			weights = append(weights, limbsOf(new(big.Int).Mod(v, modulus), each)...)
		}
	}
	p.From, p.Numbers = append(p.From, int32(n.Outputs)), c.Numbers(weights, width, n.Weight, n.Outputs)
	made := []*Weights{c.Weights(p, n.Giants)}
	sum := c.Combine([]*Input{c.Input(ct, n.Outputs, n.Giants, keys)}, made, n.Outputs, n.Giants, keys)
	var at []int32
	var want []*big.Int
	for pos := 0; pos < c.N/n.Terms; pos += 1 + pos/2 {
		for o := range w {
			at = append(at, int32(pos*n.Terms+o))
			s := new(big.Int)
			for row, v := range w[o] {
				s.Add(s, new(big.Int).Mul(v, x[pos*n.Terms+row]))
			}
			want = append(want, s)
		}
	}
	mine, message := pk.Respond(sum, seedOf(8), seedOf(9), at, width, size.Answer)
	theirs, err := sk.Finish(seedOf(8), at, width, size.Answer, message)
	if err != nil || len(message) != Bytes(c.N, size.Answer) {
		t.Fatal(err, len(message))
	}
	worst = math.Inf(-1)
	for i := range at {
		d := new(big.Int).Add(number(mine[i*each:(i+1)*each]), number(theirs[i*each:(i+1)*each]))
		d.Sub(d, want[i]).Mod(d, modulus)
		if d.Bit(width-1) == 1 {
			d.Sub(d, modulus)
		}
		f, _ := new(big.Float).Quo(new(big.Float).SetInt(d.Abs(d)), new(big.Float).SetInt(modulus)).Float64()
		worst = max(worst, math.Log2(f))
	}
	return worst, len(at)
}

// TestProducts compares products with those of integers: errors are below what the plan allows, and not below a 64th of
// it, so that messages are not longer than they must be. Exact products have none.
func TestProducts(t *testing.T) {
	end := Together()
	defer func() { end() }()
	for i, tr := range []trial{
		{0, Need{Width: 40, Slack: 12, Weight: 18, Terms: 64, Inputs: 1, Outputs: 1}, false, nil},
		{1, Need{Width: 50, Slack: 12, Weight: 24, Terms: 64, Inputs: 1, Outputs: 4, Giants: 16}, false, nil},
		{1, Need{Width: 46, Slack: 12, Weight: 24, Terms: 64, Inputs: 1, Outputs: 64, Giants: 64}, true, nil},
		{1, Need{Width: 46, Slack: 12, Weight: 24, Terms: 64, Inputs: 1, Outputs: 32, Giants: 64}, false, nil},
		{2, Need{Width: 64, Slack: 12, Weight: 63, Terms: 256, Inputs: 1, Outputs: 16, Giants: 16}, true, nil},
		{2, Need{Width: 64, Slack: 12, Weight: 63, Terms: 64, Inputs: 1, Outputs: 64, Giants: 16}, true, nil},
		{2, Need{Width: 64, Slack: 12, Weight: 63, Terms: 512, Inputs: 1, Outputs: 512, Giants: 16}, true, nil},
		{5, Need{Width: 64, Slack: 12, Weight: 63, Terms: 512, Inputs: 1, Outputs: 512, Giants: 16}, true, nil},
		{5, Need{Width: 64, Slack: 12, Weight: 20, Terms: 256, Inputs: 1, Outputs: 64, Giants: 16}, true, nil},
		{6, Need{Width: 64, Slack: 14, Weight: 63, Terms: 512, Inputs: 1, Outputs: 512, Giants: 16}, true, nil},
		{6, Need{Width: 64, Slack: 12, Weight: 20, Terms: 256, Inputs: 1, Outputs: 128, Giants: 16}, true, nil},
		{6, Need{Width: 64, Slack: 14, Weight: 63, Terms: 512, Inputs: 1, Outputs: 256, Giants: 16}, true, []int{128}},
		{2, Need{Width: 30, Weight: 29, Terms: 32, Inputs: 1, Outputs: 2, Giants: 16}, false, nil},
		{3, Need{Width: 128, Slack: 20, Weight: 127, Terms: 64, Inputs: 1, Outputs: 2, Giants: 16}, false, nil},
	} {
		if i%2 == 0 { // with and without help
			end()
			end = func() {}
		} else {
			end = Together()
		}
		got, n := tr.run(t)
		planned := float64(tr.need.Slack - tr.need.Width)
		switch {
		case tr.need.Slack == 0 && !math.IsInf(got, -1):
			t.Errorf("%+v: an error of 2^%.1f", tr, got)
		case tr.need.Slack > 0 && (got > planned || got < planned-6):
			t.Errorf("%+v: the largest error of %d results is 2^%.1f of the modulus, 2^%.1f are allowed", tr, n, got, planned)
		}
	}
}

// TestSets holds all sets to 128 bits of security by the table, and wants larger moduli refused.
func TestSets(t *testing.T) {
	for _, s := range Sets {
		if err := s.check(); err != nil {
			t.Error(err)
		}
		primes := 0
		for _, m := range Of(slices.IndexFunc(Sets, func(x Set) bool { return x.Name == s.Name })).all {
			if m.q%uint64(2*s.N) != 1 || !new(big.Int).SetUint64(m.q).ProbablyPrime(20) {
				t.Errorf("set %s: %d", s.Name, m.q)
			}
			primes++
		}
		if want := len(s.Primes) + min(1, s.Special); primes != want {
			t.Errorf("set %s has %d primes, want %d", s.Name, primes, want)
		}
		s.Primes = append(slices.Clone(s.Primes), largest[s.N]-s.size()+1)
		if _, err := newContext(s); err == nil || !strings.Contains(err.Error(), "less than 128 bits of security") {
			t.Errorf("set %s with a bit too many: %v", s.Name, err)
		}
	}
	if _, err := newContext(Set{N: 2048, Primes: []int{50}}); err == nil {
		t.Error("a degree that the table does not have is taken")
	}
}

// TestTransform compares the transform's products with schoolbook ones, and automorphisms with their definition.
func TestTransform(t *testing.T) {
	c := Of(0)
	b := c.q
	x, y := b.uniform(seedOf(1)), b.small(make([]int64, c.N))
	for i, m := range b.m { // y = 3·X^5 − X^(N−1)
		y[i][5], y[i][c.N-1] = 3, m.q-1
	}
	tx, ty := x.clone(), y.clone()
	b.forward(tx)
	b.forward(ty)
	b.prepare(ty)
	p := b.make()
	b.mulAdd(p, tx, ty)
	b.backward(p)
	turned := b.automorphism(x, 5)
	for i, m := range b.m {
		at := func(j int) uint64 { // coefficient j of x, with X^N = −1
			if j < 0 {
				return m.sub(0, x[i][j+c.N])
			}
			return x[i][j]
		}
		for j := range c.N {
			three := m.add(m.add(at(j-5), at(j-5)), at(j-5))
			if want := m.sub(three, at(j-c.N+1)); p[i][j] != want {
				t.Fatalf("coefficient %d modulo %d is %d, want %d", j, m.q, p[i][j], want)
			}
			k := 5 * j % (2 * c.N)
			want := at(j)
			if k >= c.N {
				k, want = k-c.N, m.sub(0, want)
			}
			if turned[i][k] != want {
				t.Fatalf("automorphism: coefficient %d", k)
			}
		}
	}
}

// TestFractions rounds polynomials to fractions of the modulus and back, for all sets: the result is what integers give.
func TestFractions(t *testing.T) {
	for set := range Sets {
		c := Of(set)
		for _, b := range []*basis{c.q, c.kept, c.whole} {
			x := b.uniform(seedOf(1))
			for i := range b.m { // ends of the range
				x[i][0], x[i][1], x[i][2] = 0, 1, b.m[i].q-1
			}
			for _, size := range []int{3, 40, b.digits - 2} {
				var words [mostLimbs]uint64
				r, back := b.restorer(size), b.make()
				for i := range 40 {
					v := new(big.Int)
					for j, m := range b.m {
						q := new(big.Int).SetUint64(m.q)
						rest := new(big.Int).Div(b.whole, q)
						y := new(big.Int).ModInverse(rest, q)
						v.Add(v, y.Mul(y, rest).Mul(y, new(big.Int).SetUint64(x[j][i])))
					}
					v.Mod(v, b.whole)
					half := new(big.Int).Rsh(b.whole, 1)
					want := new(big.Int).Lsh(v, uint(size))
					want.Add(want, half).Div(want, b.whole)
					want.And(want, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(size)), big.NewInt(1)))
					b.fraction(words[:], x, i, size)
					if got := number(words[:b.limbs]); got.Cmp(want) != 0 {
						t.Fatalf("set %d: %v of %v is %v in %d bits, want %v", set, v, b.whole, got, size, want)
					}
					r.restore(back, i, words[:])
					want.Mul(want, b.whole).Add(want, new(big.Int).Lsh(big.NewInt(1), uint(size-1))).Rsh(want, uint(size))
					for j, m := range b.m {
						if w := new(big.Int).Mod(want, new(big.Int).SetUint64(m.q)); w.Uint64() != back[j][i] {
							t.Fatalf("set %d: restored %d, want %v", set, back[j][i], w)
						}
					}
				}
			}
		}
	}
}

// TestNoise compares the distributions of noise and of ternary numbers with theirs.
func TestNoise(t *testing.T) {
	const n = 1 << 16
	sum, squares := 0.0, 0.0
	for _, x := range newStream(seedOf(1)).noise(n) {
		sum += float64(x)
		squares += float64(x * x)
		if x < -40 || x > 40 {
			t.Fatalf("noise of %d", x)
		}
	}
	if mean, s := sum/n, math.Sqrt(squares/n); math.Abs(mean) > 0.06 || math.Abs(s-sigma) > 0.05 {
		t.Errorf("noise has mean %v and deviation %v", mean, s)
	}
	var count [3]int
	for _, x := range newStream(seedOf(2)).ternary(n) {
		count[x+1]++
	}
	for _, c := range count {
		if math.Abs(float64(c)-n/3.0) > 6*math.Sqrt(n*2/9.0) {
			t.Errorf("ternary numbers: %v", count)
		}
	}
}

// messages are what one party sends, for fixed seeds, and what the test of their secrecy needs of it.
type messages struct {
	secret *Secret
	public *Public
}

func newMessages(t *testing.T) messages {
	t.Helper()
	c := Of(0)
	m := messages{secret: c.NewSecret(seedOf(11))}
	size := c.kept.digits - 1
	var err error
	if m.public, err = c.ReadPublic(seedOf(12), size, m.secret.Public(seedOf(12), seedOf(13), size)); err != nil {
		t.Fatal(err)
	}
	return m
}

const messageBits = 64

// product is that of a ciphertext of zeros with weights that are all w.
func (m messages) product(t *testing.T, w int64) *Cipher {
	t.Helper()
	c := Of(0)
	x, err := c.ReadCipher(seedOf(14), nil, c.q.digits-1, m.secret.Encrypt(seedOf(14), seedOf(15), nil, make([]uint64, c.N), 30, c.q.digits-1))
	if err != nil {
		t.Fatal(err)
	}
	p := &Plain{From: []int32{0, 2}, Runs: []Run{{0, 1, 0, 1}, {7, 1, 0, 1}}}
	p.Numbers = c.Numbers([]uint64{uint64(w) & (1<<30 - 1)}, 30, 29, 1)
	return c.Combine([]*Input{c.Input(x, 1, 16, nil)}, []*Weights{c.Weights(p, 16)}, 1, 16, nil)
}

// response is that to a product, with the given seed of its randomness, as words.
func (m messages) response(t *testing.T, w int64, random byte) []uint64 {
	_, message := m.public.Respond(m.product(t, w), seedOf(16), seedOf(17, random), nil, 30, messageBits)
	return wordsOf(message)
}

// upload is the ciphertext of numbers that are all v.
func (m messages) upload(v uint64, seed, random byte) []uint64 {
	list := make([]uint64, Of(0).N)
	for i := range list {
		list[i] = v
	}
	return wordsOf(m.secret.Encrypt(seedOf(18, seed), seedOf(19, random), nil, list, 30, messageBits))
}

func wordsOf(message []byte) []uint64 {
	out, u := make([]uint64, len(message)*8/messageBits), unpacker{in: message}
	for i := range out {
		out[i] = u.word(messageBits)
	}
	return out
}

func difference(a, b []uint64) []uint64 {
	out := make([]uint64, len(a))
	for i := range a {
		out[i] = a[i] - b[i]
	}
	return out
}

// deviation is the largest distance of the distribution of fractions of 2^64 from uniform (Kolmogorov, Smirnov), times
// the root of their number: above 2.3 with probability 10^-4.
func deviation(v []uint64) float64 {
	v = slices.Sorted(slices.Values(v))
	worst := 0.0
	for i, x := range v {
		f := math.Ldexp(float64(x), -64)
		worst = max(worst, math.Abs(f-float64(i)/float64(len(v))), math.Abs(f-float64(i+1)/float64(len(v))))
	}
	return worst * math.Sqrt(float64(len(v)))
}

// TestMessagesAreUniform looks at ciphertexts and responses for extreme numbers and weights, and at differences of two of
// one kind: all are uniform modulo Q. Each kind of message is also looked at without what hides it, which must show: a
// seed that serves two ciphertexts, a response that is not randomised, and randomness that serves two responses.
func TestMessagesAreUniform(t *testing.T) {
	m := newMessages(t)
	bare := m
	zero := Of(0).kept.make()
	bare.public = &Public{Of(0), zero, zero}
	for name, c := range map[string]struct {
		v    []uint64
		open bool // what hides the message is left out
	}{
		"ciphertext of zeros":                    {m.upload(0, 0, 0), false},
		"ciphertext of the largest":              {m.upload(1<<30-1, 0, 0), false},
		"ciphertexts of one number":              {difference(m.upload(5, 1, 1), m.upload(5, 2, 2)), false},
		"two ciphertexts of one seed":            {difference(m.upload(5, 1, 1), m.upload(6, 1, 2)), true},
		"response for zeros":                     {m.response(t, 0, 1), false},
		"response for large weights":             {m.response(t, 1<<29-1, 1), false},
		"responses for one weight":               {difference(m.response(t, 3, 1), m.response(t, 3, 2)), false},
		"response that is not randomised":        {bare.response(t, 0, 1), true},
		"two responses of the same randomness":   {difference(m.response(t, 3, 1), m.response(t, 3, 1)), true},
		"responses for weights that differ by 0": {difference(m.response(t, 0, 4), m.response(t, 0, 5)), false},
	} {
		if d := deviation(c.v); c.open == (d < 2.3) {
			t.Errorf("%s: deviation %.2f", name, d)
		}
	}
	// the noise is there: without it a ciphertext is a linear equation for the key
	c := Of(0)
	message := m.secret.Encrypt(seedOf(18, 3), seedOf(19, 3), nil, make([]uint64, c.N), 30, c.q.digits-1)
	x, err := c.ReadCipher(seedOf(18, 3), nil, c.q.digits-1, message)
	if err != nil {
		t.Fatal(err)
	}
	c.q.forward(x.c1)
	c.q.add(x.c0, m.secret.times(c.q, x.c1))
	squares := 0.0
	for _, v := range x.c0[0] {
		e := float64(int64(v))
		if v > c.q.m[0].q/2 {
			e = -float64(c.q.m[0].q - v)
		}
		squares += e * e
	}
	if s := math.Sqrt(squares / float64(c.N)); s < sigma-0.3 || s > sigma+0.6 {
		t.Errorf("the noise of a ciphertext has the deviation %v", s)
	}
}

// TestSharesAreUniform looks at both parties' shares of a result that is 0, and at what the mask of responses alone makes of products
// with no weights and with the largest: all are uniform modulo Q, below the bits of results too. A mask that is uniform modulo 2^30, as
// results are, must show there.
func TestSharesAreUniform(t *testing.T) {
	m, c := newMessages(t), Of(0)
	sum := &Cipher{c.kept.make(), c.kept.make()}
	mine, message := m.public.Respond(sum, seedOf(21), seedOf(22), nil, 64, 80)
	theirs, err := m.secret.Finish(seedOf(21), nil, 64, 80, message)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range [][]uint64{mine, theirs} {
		if d := deviation(v); d > 2.3 {
			t.Errorf("shares deviate by %.2f", d)
		}
	}
	zero := c.kept.make()
	bare := &Public{c, zero, zero}
	low := func(p poly) float64 { // of the bits below those of results of 30 bits
		v := c.kept.shares(p, nil, 64)
		for i := range v {
			v[i] <<= 30
		}
		return deviation(v)
	}
	for _, w := range []int64{0, 1<<29 - 1} {
		x := m.product(t, w)
		masked, _ := bare.respond(x, seedOf(23), seedOf(24), 80)
		if high, low := deviation(c.kept.shares(masked, nil, 64)), low(masked); max(high, low) > 2.3 {
			t.Errorf("weights %d: a masked product deviates by %.2f, its low bits by %.2f", w, high, low)
		}
		words, mask := newStream(seedOf(25)), c.kept.make()
		coarse := c.kept.restorer(30)
		for i := range c.N {
			coarse.restore(mask, i, []uint64{words.word() & (1<<30 - 1)})
		}
		c.kept.sub(mask, x.c0)
		if d := low(mask); w == 0 && d < 20 {
			t.Errorf("a mask modulo 2^30 deviates by %.2f only", d)
		}
	}
}

// TestMalformed wants an error that says what is malformed of messages of a wrong length or with bits too many.
func TestMalformed(t *testing.T) {
	m, c := newMessages(t), Of(1)
	sk := c.NewSecret(seedOf(1))
	at := []int32{1, 2, 3}
	key := sk.Switch(c.Element(16), seedOf(1), seedOf(2), 70)
	for what, f := range map[string]func(cut int, bits byte) error{
		"public key": func(cut int, bits byte) error {
			data := make([]byte, c.PublicBytes(45))
			_, err := c.ReadPublic(seedOf(1), 45, data[cut:])
			return err
		},
		"switching key": func(cut int, bits byte) error {
			_, err := c.ReadSwitch(c.Element(16), seedOf(1), 70, key[cut:])
			return err
		},
		"ciphertext": func(cut int, bits byte) error {
			data := make([]byte, Bytes(3, 61))
			data[len(data)-1] = bits
			_, err := c.ReadCipher(seedOf(1), at, 61, data[cut:])
			return err
		},
		"response": func(cut int, bits byte) error {
			_, err := m.secret.Finish(seedOf(1), at, 30, 40, make([]byte, Bytes(Of(0).N, 40)+cut))
			return err
		},
	} {
		if err := f(0, 0); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if err := f(1, 0); err == nil || !strings.Contains(err.Error(), "malformed "+what) {
			t.Errorf("%s of another length: %v", what, err)
		}
		if err := f(0, 0x80); what == "ciphertext" && (err == nil || !strings.Contains(err.Error(), "bits beyond")) {
			t.Errorf("%s with bits too many: %v", what, err)
		}
	}
}

// FuzzMessages decodes any bytes: there is an error or a result, and no panic.
func FuzzMessages(f *testing.F) {
	f.Add([]byte{}, uint8(61))
	f.Add(make([]byte, 23), uint8(61))
	f.Add([]byte{255, 255, 255}, uint8(8))
	f.Fuzz(func(t *testing.T, data []byte, size uint8) {
		c := Of(0)
		bits := 1 + int(size)%(c.q.digits-1)
		x, err := c.ReadCipher(seedOf(1), []int32{0, 7, 4095}, bits, data)
		if (err == nil) != (len(data) == Bytes(3, bits) && (3*bits%8 == 0 || data[len(data)-1]>>(3*bits%8) == 0)) {
			t.Errorf("%d bytes for 3 numbers of %d bits: %v", len(data), bits, err)
		}
		if err == nil {
			var out packer
			if c.q.rounded(&out, x.c0, []int32{0, 7, 4095}, bits); !slices.Equal(out.bytes(), data) {
				t.Errorf("% x is read as % x", data, out.out)
			}
		}
		for _, err := range []error{
			func() error { _, err := c.ReadPublic(seedOf(1), bits, data); return err }(),
			func() error { _, err := Of(1).ReadSwitch(3, seedOf(1), bits, data); return err }(),
			func() error {
				_, err := c.NewSecret(seedOf(1)).Finish(seedOf(1), nil, 64, bits, data)
				return err
			}(),
		} {
			if err == nil {
				t.Error("a key or response of a few bytes is taken")
			}
		}
	})
}
