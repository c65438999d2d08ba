package tacet_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

const productText = `func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.maximum %x, %y : tensor<3xf32>
  %1 = stablehlo.minimum %x, %y : tensor<3xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<3xf32>
  return %2 : tensor<3xf32>
}`

func parse(t testing.TB, text string) *tacet.Program {
	t.Helper()
	p, err := tacet.Parse("program.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func array[T tacet.Element](t testing.TB, data []T, shape ...int) *tacet.Array {
	t.Helper()
	a, err := tacet.NewArray(data, shape...)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// product is a Spec that runs: everything that has a default is zero.
func product(t testing.TB) tacet.Spec {
	return tacet.Spec{
		Program: parse(t, productText),
		Parties: []string{"alice", "bob"},
		Args: []tacet.Arg{
			{Owner: 0, Data: array(t, []float32{1, 2, 3})},
			{Owner: 1, Data: array(t, []float32{4, 5, -6})},
		},
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestRunDefaults(t *testing.T) {
	s := product(t)
	out, err := tacet.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := tacet.Float32s(out.Results[0])
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{4, 10, -18} {
		if math.Abs(float64(got[i]-want)) > 1e-4 {
			t.Errorf("element %d is %v, want %v", i, got[i], want)
		}
	}
	if s.Args[0].Data == nil {
		t.Error("Run has changed the caller's Args")
	}
	plan, err := tacet.Plan(t.Context(), product(t))
	if err != nil {
		t.Fatal(err)
	}
	if want, got := plan.Predicted.Online.BytesSent, out.Report.Online.BytesSent; !slices.Equal(got, want) || got[0] == 0 {
		t.Errorf("measured %d bytes online, planned %d", got, want)
	}
	s = product(t)
	s.Reveal = []int{}
	if out, err = tacet.Run(t.Context(), s); err != nil || out.Results != nil {
		t.Errorf("an empty Reveal gives %v, %v", out, err)
	}
}

// Every misuse gives one line that names the field, a kind, and no panic.
func TestMisuse(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(*tacet.Spec)
		kind tacet.Kind
		says string
		run  bool // Plan takes it
	}{
		"zero Spec":             {func(s *tacet.Spec) { *s = tacet.Spec{} }, tacet.ErrUsage, "Spec.Parties: there is no party", false},
		"no program":            {func(s *tacet.Spec) { s.Program = nil }, tacet.ErrUsage, "Spec.Program: there is no program", false},
		"empty program":         {func(s *tacet.Spec) { s.Program = &tacet.Program{} }, tacet.ErrUsage, "Spec.Program: there is no program", false},
		"unnamed party":         {func(s *tacet.Spec) { s.Parties[1] = "" }, tacet.ErrUsage, "Spec.Parties: party 1 has no name", false},
		"two parties of a name": {func(s *tacet.Spec) { s.Parties[1] = "alice" }, tacet.ErrUsage, "Spec.Parties: two parties are named alice", false},
		"ring":                  {func(s *tacet.Spec) { s.Ring = 63 }, tacet.ErrUsage, "Spec.Ring: want a ring of 32, 64 or 128 bits", false},
		"negative ring":         {func(s *tacet.Spec) { s.Ring = -64 }, tacet.ErrUsage, "Spec.Ring: want a ring", false},
		"fraction":              {func(s *tacet.Spec) { s.Fraction = 40 }, tacet.ErrUsage, "Spec.Fraction: want 1 to 29", false},
		"negative fraction":     {func(s *tacet.Spec) { s.Fraction = -1 }, tacet.ErrUsage, "Spec.Fraction: want 1 to 29", false},
		"protocol":              {func(s *tacet.Spec) { s.Protocol = "spdz" }, tacet.ErrUsage, `Spec.Protocol: no protocol "spdz"`, false},
		"cheetah among three":   {func(s *tacet.Spec) { s.Parties, s.Protocol = append(s.Parties, "carol"), "cheetah"; s.Computing = 3 }, tacet.ErrUsage, "Spec.Computing: cheetah has 2 computing parties", false},
		"name of two lines":     {func(s *tacet.Spec) { s.Parties[1] = "a\nb" }, tacet.ErrUsage, "Spec.Parties: the name \"a\\nb\" has characters", false},
		"option of two lines":   {func(s *tacet.Spec) { s.Set = map[string]string{"so\nrt": "x"} }, tacet.ErrUsage, "Spec.Set: ", false},
		"aby3 among two":        {func(s *tacet.Spec) { s.Protocol = "aby3" }, tacet.ErrUsage, "Spec.Parties: aby3 needs 3 computing parties, and 2 are named", false},
		"computing":             {func(s *tacet.Spec) { s.Computing = 3 }, tacet.ErrUsage, "Spec.Computing: want 1 to 2", false},
		"negative computing":    {func(s *tacet.Spec) { s.Computing = -2 }, tacet.ErrUsage, "Spec.Computing: want 1 to 2", false},
		"semi2k alone":          {func(s *tacet.Spec) { s.Computing = 1 }, tacet.ErrUsage, "Spec.Protocol: semi2k needs two or more computing parties", false},
		"network":               {func(s *tacet.Spec) { s.Network = "moon" }, tacet.ErrUsage, "Spec.Network: ", false},
		"option":                {func(s *tacet.Spec) { s.Set = map[string]string{"speed": "high"} }, tacet.ErrUsage, "Spec.Set: ", false},
		"revealed to nobody":    {func(s *tacet.Spec) { s.Reveal = []int{2} }, tacet.ErrUsage, "Spec.Reveal: rank 2 is none of 2 parties", false},
		"revealed twice":        {func(s *tacet.Spec) { s.Reveal = []int{1, 1} }, tacet.ErrUsage, "Spec.Reveal: ranks must ascend", false},
		"reveals":               {func(s *tacet.Spec) { s.Reveals = -1 }, tacet.ErrUsage, "Spec.Reveals: want 0 or more", false},
		"seed":                  {func(s *tacet.Spec) { s.Seed = make([]byte, 33) }, tacet.ErrUsage, "Spec.Seed: want at most 32 bytes", false},
		"few arguments":         {func(s *tacet.Spec) { s.Args = s.Args[:1] }, tacet.ErrUsage, "Spec.Args: 1 arguments for a program that takes 2", false},
		"owner":                 {func(s *tacet.Spec) { s.Args[1].Owner = 5 }, tacet.ErrUsage, "Spec.Args[1]: owner 5 is none of 2 parties", false},
		"negative owner":        {func(s *tacet.Spec) { s.Args[1].Owner = -7 }, tacet.ErrUsage, "Spec.Args[1]: owner -7 is none of 2 parties", false},
		"shared earlier":        {func(s *tacet.Spec) { s.Args[1].Owner = -2 }, tacet.ErrUsage, "Spec.Args[1]: ", false},
		"no data":               {func(s *tacet.Spec) { s.Args[0].Data = nil }, tacet.ErrUsage, "Spec.Args[0]: there is no Data", true},
		"no public data":        {func(s *tacet.Spec) { s.Args[0] = tacet.Arg{Owner: tacet.Public} }, tacet.ErrUsage, "Spec.Args[0]: there is no Data", false},
		"shape":                 {func(s *tacet.Spec) { s.Args[0].Data = array(t, []float32{1, 2}) }, tacet.ErrUsage, "Spec.Args[0]: Data is tensor<2xf32>, and the program takes tensor<3xf32>", false},
		"type":                  {func(s *tacet.Spec) { s.Args[0].Data = array(t, []float64{1, 2, 3}) }, tacet.ErrUsage, "Spec.Args[0]: Data is tensor<3xf64>", false},
		"wrong slice": {func(s *tacet.Spec) {
			s.Args[0].Data = &tacet.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{3}}, Data: []int32{1, 2, 3}}
		}, tacet.ErrUsage, "Spec.Args[0]: Data is a []int32, and f32 is held in a []float32", false},
		"short slice": {func(s *tacet.Spec) {
			s.Args[0].Data = &tacet.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{3}}, Data: []float32{1}}
		}, tacet.ErrUsage, "Spec.Args[0]: Data has 1 elements, and tensor<3xf32> has 3", false},
		"empty array":    {func(s *tacet.Spec) { s.Args[0].Data = &tacet.Array{} }, tacet.ErrUsage, "Spec.Args[0]: ", false},
		"NaN":            {func(s *tacet.Spec) { s.Args[1].Data = array(t, []float32{1, 2, float32(math.NaN())}) }, tacet.ErrRange, "Spec.Args[1]: element [2]: NaN cannot be shared", false},
		"too large":      {func(s *tacet.Spec) { s.Args[1].Data = array(t, []float32{1, 1e14, 3}) }, tacet.ErrRange, "Spec.Args[1]: element [1]: 1.00000000376832e+14 is too large to be shared", false},
		"declared range": {func(s *tacet.Spec) { s.Args[0].Range = &pattern.Interval{Lo: 0, Hi: 2} }, tacet.ErrRange, "Spec.Args[0]: element [2]: 3 is outside the declared range [0, 2]", false},
		"empty range":    {func(s *tacet.Spec) { s.Args[0].Range = &pattern.Interval{Lo: 2, Hi: 0} }, tacet.ErrUsage, "Spec.Args[0]: range of argument 0", false},
		"range of NaN": {func(s *tacet.Spec) { s.Args[0].Range = &pattern.Interval{Lo: math.NaN(), Hi: 0} }, tacet.ErrUsage,
			"Spec.Args[0]: range of argument 0", false},
		"missing store":   {func(s *tacet.Spec) { s.Store = t.TempDir() + "/none" }, tacet.ErrFailed, "", true},
		"store and seed":  {func(s *tacet.Spec) { s.Store, s.Seed = "x", []byte{1} }, tacet.ErrUsage, "Spec.Seed: a store's sessions", false},
		"store for plain": {func(s *tacet.Spec) { s.Store, s.Protocol = "x", "plain" }, tacet.ErrUnsupported, "Spec.Store: protocol plain takes nothing", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := product(t)
			c.set(&s)
			_, err := tacet.Run(t.Context(), s)
			checkMisuse(t, "Run", err, c.kind, c.says)
			_, err = tacet.Plan(t.Context(), s)
			if c.run {
				if err != nil {
					t.Errorf("Plan: %v", err)
				}
				return
			}
			checkMisuse(t, "Plan", err, c.kind, c.says)
		})
	}
}

func checkMisuse(t *testing.T, what string, err error, kind tacet.Kind, says string) {
	t.Helper()
	if err == nil {
		t.Fatalf("%s: no error", what)
	}
	if text := err.Error(); !strings.HasPrefix(text, says) || strings.Contains(text, "\n") || strings.Contains(text, "internal error") {
		t.Errorf("%s: %q, want one line that begins with %q", what, text, says)
	}
	p := tacet.Describe(err)
	if p.Kind != kind {
		t.Errorf("%s: kind %s, want %s (%v)", what, p.Kind, kind, err)
	}
	if !errors.Is(err, kind) {
		t.Errorf("%s: errors.Is does not find %s", what, kind)
	}
	if kind == tacet.ErrFailed {
		return
	}
	var field *tacet.FieldError
	if !errors.Is(err, kind) || !errors.As(err, &field) || p.Place != "Spec."+field.Field {
		t.Errorf("%s: %T at %q is not found by errors.Is and errors.As", what, err, p.Place)
	}
}

func TestProgramErrors(t *testing.T) {
	_, err := tacet.ReadProgram("none.mlir")
	if p := tacet.Describe(err); !errors.Is(err, tacet.ErrUsage) || p.Place != "none.mlir" {
		t.Errorf("a missing file: %v: %+v", err, p)
	}
	b := build.New("bad")
	b.Return(b.Add(b.Arg("x", tensor.F32, 2), b.Arg("y", tensor.F32, 3)))
	_, err = b.Program()
	if p := tacet.Describe(err); !errors.Is(err, tacet.ErrUsage) || !strings.HasPrefix(p.Place, "misuse_test.go:") || p.Operation != "Add" ||
		p.Remedy == "" {
		t.Errorf("a builder's mistake: %v: %+v", err, p)
	}
	_, err = tacet.Parse("bad.mlir", []byte("func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {\n  return %y : tensor<3xf32>\n}"))
	var at *tacet.ProgramError
	if p := tacet.Describe(err); !errors.As(err, &at) || !errors.Is(err, tacet.ErrUsage) || !strings.HasPrefix(p.Place, "bad.mlir:2:") {
		t.Errorf("%v: %+v", err, p)
	}
	s := product(t)
	s.Program = parse(t, `func.func @main(%x: tensor<2xui64>, %y: tensor<2xui64>) -> tensor<3xui32> {
  %s = stablehlo.add %x, %y : tensor<2xui64>
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  return %1 : tensor<3xui32>
}`)
	s.Args = []tacet.Arg{{Data: array(t, []uint64{1, 2})}, {Owner: 1, Data: array(t, []uint64{1, 2})}}
	_, err = tacet.Run(t.Context(), s)
	if p := tacet.Describe(err); err == nil || p.Kind != tacet.ErrUnsupported || p.Operation == "" ||
		!strings.HasPrefix(p.Place, "program.mlir:") {
		t.Errorf("%v: %+v", err, p)
	}
}

func TestContextEndsAll(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tacet.Run(ctx, product(t)); !errors.Is(err, context.Canceled) || !errors.Is(err, tacet.ErrInterrupted) {
		t.Errorf("cancelled before: %v", err)
	}
	if _, err := tacet.Check(ctx, product(t), tacet.Bound{}); !errors.Is(err, tacet.ErrInterrupted) {
		t.Errorf("Check cancelled before: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	s := product(t)
	s.Network = "1e3/1s" // which would take minutes
	if _, err := tacet.Run(ctx, s); tacet.Describe(err).Kind != tacet.ErrInterrupted {
		t.Errorf("cancelled meanwhile: %v", err)
	}
}

func TestService(t *testing.T) {
	s := product(t)
	s.Args[1].Resident = true
	s.Args[0].Data = nil
	v, err := tacet.Open(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for i := range 3 {
		x := float32(i)
		out, err := v.Evaluate(t.Context(), array(t, []float32{x, x, x}), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := tacet.Float32s(out.Results[0]); math.Abs(float64(got[2]+6*x)) > 1e-4 {
			t.Errorf("request %d gives %v", i, got)
		}
		for _, bad := range [][]*tacet.Array{nil, {nil, nil}, {array(t, []float32{1}), nil},
			{array(t, []float32{1, 2, float32(math.Inf(1))}), nil}} {
			var field *tacet.FieldError
			if _, err := v.Evaluate(t.Context(), bad...); !errors.As(err, &field) || field.Field != "Args" {
				t.Errorf("%v: %v", bad, err)
			}
		}
	}
	var field *tacet.FieldError
	if _, err := v.EvaluateProgram(t.Context(), "prefill", array(t, []float32{0, 0, 0}), nil); !errors.As(err, &field) || field.Field != "Programs" {
		t.Errorf("a program that the service does not have: %v", err)
	}
	if _, err := v.Evaluate(t.Context(), array(t, []float32{0, 0, 0}), nil); err != nil {
		t.Errorf("after it: %v", err)
	}
	if _, err := tacet.Open(t.Context(), tacet.Spec{}); !errors.Is(err, tacet.ErrUsage) {
		t.Errorf("an empty Spec: %v", err)
	}
	s.Protocol = "plain"
	if _, err := tacet.Open(t.Context(), s); !errors.Is(err, tacet.ErrUnsupported) {
		t.Errorf("plain: %v", err)
	}
}

func TestArrays(t *testing.T) {
	if _, err := tacet.NewArray([]float32{1, 2, 3}, 2, 2); !errors.Is(err, tacet.ErrUsage) {
		t.Error(err)
	}
	if _, err := tacet.NewArray([]float32{}, -1); !errors.Is(err, tacet.ErrUsage) {
		t.Error(err)
	}
	a := array(t, []int8{-1, 2}, 1, 2)
	if got, err := tacet.Float32s(a); err != nil || got[0] != -1 || got[1] != 2 {
		t.Error(got, err)
	}
	if got, err := tacet.Slice[int8](a); err != nil || got[0] != -1 {
		t.Error(got, err)
	}
	if _, err := tacet.Slice[int16](a); !errors.Is(err, tacet.ErrUsage) {
		t.Error(err)
	}
	if _, err := tacet.Float32s(nil); !errors.Is(err, tacet.ErrUsage) {
		t.Error(err)
	}
	if _, err := tacet.Float64s(array(t, []complex64{1i})); !errors.Is(err, tacet.ErrUsage) {
		t.Error(err)
	}
	if s := array(t, []float64{1}); len(s.Shape) != 0 {
		t.Errorf("one element makes %v, want a scalar", s.Type)
	}
}

// FuzzSpec runs Specs that bytes choose: each runs, or gives an error of a kind that a
// caller can act on.
func FuzzSpec(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{2, 64, 18, 2, 0, 1, 3, 1, 0, 1, 1, 1})
	f.Add([]byte{5, 128, 26, 3, 255, 5, 0, 2, 9, 9, 9, 9, 9})
	f.Fuzz(func(t *testing.T, b []byte) {
		next := func() int {
			if len(b) == 0 {
				return 0
			}
			x := int(int8(b[0]))
			b = b[1:]
			return x
		}
		pick := func(of ...string) string { return of[(next()&255)%len(of)] }
		s := tacet.Spec{
			Ring:      next(),
			Fraction:  next(),
			Computing: next(),
			Reveals:   next(),
			Protocol:  pick("", "semi2k", "aby3", "plain", "cheetah", "x"),
			Network:   pick("", "none", "lan", "1e9/0s", "x/y", "-1/1s"),
		}
		if next()&1 == 0 {
			s.Ring = []int{0, 32, 64, 128}[next()&3]
		}
		for range next() & 7 {
			s.Parties = append(s.Parties, pick("a", "b", "c", "d", "", "e", "f", "g", "h"))
		}
		if next()&3 > 0 {
			s.Parties = []string{"a", "b", "c"}[:2+next()&1]
		}
		if next()&7 > 0 {
			s.Program = parse(t, productText)
		}
		for range next() & 3 {
			a := tacet.Arg{Owner: next(), Resident: next()&1 > 0}
			if next()&1 > 0 {
				a.Owner = next() & 1
			}
			switch next() & 7 {
			case 0:
			case 1:
				a.Data = &tacet.Array{Type: tensor.Type{DType: tensor.DType(next()), Shape: tensor.Shape{next(), next()}}}
			case 2:
				a.Data = &tacet.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{3}}, Data: make([]float32, next()&3)}
			default:
				a.Data = array(t, []float32{float32(next()), math.Float32frombits(uint32(next()) << 24), 1})
			}
			if next()&7 == 0 {
				a.Range = &pattern.Interval{Lo: float64(next()), Hi: float64(next())}
			}
			s.Args = append(s.Args, a)
		}
		for range next() & 1 {
			s.Reveal = append(s.Reveal, next())
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		check := func(err error) {
			if err == nil {
				return
			}
			if k := tacet.Describe(err).Kind; k != tacet.ErrUsage && k != tacet.ErrUnsupported && k != tacet.ErrRange {
				t.Errorf("%+v: %s: %v", s, k, err)
			}
		}
		_, err := tacet.Plan(ctx, s)
		check(err)
		out, err := tacet.Run(ctx, s)
		check(err)
		if err == nil && len(s.Reveal) != 0 {
			if _, err := tacet.Float32s(out.Results[0]); err != nil {
				t.Error(err)
			}
		}
	})
}
