package party_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/resume"
	"github.com/tacet-mpc/tacet/tensor"
)

// served are fixtures with the arguments that stay, all but those of the owner
// of a request, and how many bytes the owner of the fresh ones may share in a
// request.
var served = []struct {
	name     string
	protocol string
	parties  int // that compute; 0: as the job says
	fresh    int // the owner whose arguments are the requests'
	input    int64
}{
	{"mlp-infer", "semi2k", 0, 0, 8_000},
	{"mlp-infer", "semi2k", 3, 0, 16_000},
	{"mlp-infer", "aby3", 3, 0, 8_000},
	{"secret-index", "semi2k", 0, 1, 1_000},
	{"resnet18", "semi2k", 0, 0, 30_000}, // one image; the weights take 33 MB
	{"gcn-train", "aby3", 3, 2, 1_000_000},
}

// TestService checks that each request gives the result of a separate run, sends no resident
// inputs, and costs what was planned.
func TestService(t *testing.T) {
	for _, c := range served {
		t.Run(fmt.Sprintf("%s-%s-%d", c.name, c.protocol, c.parties), func(t *testing.T) {
			if raced && c.name != "mlp-infer" {
				t.Skip("one of them with the race detector")
			}
			defer goleak.VerifyNone(t)
			_, s := load(t, fixture(t, c.name), nil)
			s.Protocol = c.protocol
			if c.parties > 0 {
				s.Computing = c.parties
			}
			for len(s.Parties) < s.Computing {
				s.Parties = append(s.Parties, fmt.Sprintf("party%d", len(s.Parties)+1))
			}
			for i, a := range s.Args {
				s.Args[i].Resident = a.Owner != c.fresh
			}
			v, err := party.Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if in := v.Opened().Input.BytesSent; slices.Max(in) == 0 || in[c.fresh] != 0 {
				t.Errorf("the opening shares %d bytes", in)
			}
			for request := range 2 {
				data := make([]*tensor.Array, len(s.Args))
				alone := s
				alone.Args = slices.Clone(s.Args)
				for i, a := range s.Args {
					if a.Owner == c.fresh {
						data[i] = turned(a.Data, request)
						alone.Args[i].Data = data[i]
					}
				}
				out, err := v.EvaluateSingle(t.Context(), data)
				if err != nil {
					t.Fatal(err)
				}
				want, err := party.Run(t.Context(), alone)
				if err != nil {
					t.Fatal(err)
				}
				alike(t, request, out.Results, want.Results)
				in := out.Report.Input.BytesSent
				if in[c.fresh] > c.input {
					t.Errorf("request %d: its owner shares %d bytes, want %d at most", request, in[c.fresh], c.input)
				}
				for i, n := range in {
					if i != c.fresh && n > 0 {
						t.Errorf("request %d: %s shares %d bytes of what stays", request, s.Parties[i], n)
					}
				}
				checkPrediction(t, out.Report)
				if got, want := out.Report.Online.BytesSent, want.Report.Online.BytesSent; !slices.Equal(got, want) {
					t.Errorf("request %d sends %d bytes online, a run by itself %d", request, got, want)
				}
			}
		})
	}
}

// turned is another array like one: its elements, in another order.
func turned(a *tensor.Array, by int) *tensor.Array {
	if a.DType.IsFloat() {
		x := slices.Clone(a.Floats())
		for range by {
			x = append(x[1:], x[0])
		}
		return tensor.FromFloats(a.DType, a.Shape, x)
	}
	x := slices.Clone(a.Words())
	for range by {
		x = append(x[1:], x[0])
	}
	return tensor.FromWords(a.DType, a.Shape, x)
}

// alike compares results of two runs.
func alike(t *testing.T, request int, got, want []*tensor.Array) {
	t.Helper()
	for i, w := range want {
		g := got[i].Floats()
		for j, x := range w.Floats() {
			if d := math.Abs(g[j] - x); !(d <= 1e-2*max(1, math.Abs(x))) {
				t.Errorf("request %d, result %d, element %d: %v, alone %v", request, i, j, g[j], x)
				return
			}
		}
	}
}

// TestServiceDeclines checks that unfit data is refused before anything is shared, that the service
// continues, and that a request after the end is refused.
func TestServiceDeclines(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := small(t, 3, 2)
	s.Store = ""
	s.Args[1].Resident = true
	v, err := party.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	good := []*tensor.Array{s.Args[0].Data, nil, nil}
	for _, bad := range [][]*tensor.Array{nil, {nil, nil, nil},
		{tensor.NewArray(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{5}}), nil, nil}} {
		_, err := v.EvaluateSingle(t.Context(), bad)
		var declined *party.DeclinedError
		if !errors.As(err, &declined) || declined.Err == nil {
			t.Fatalf("%v: %v", bad, err)
		}
		out, err := v.EvaluateSingle(t.Context(), good)
		if err != nil {
			t.Fatal(err)
		}
		checkSmall(t, out)
	}
	v.Close()
	if _, err := v.EvaluateSingle(t.Context(), good); err == nil {
		t.Error("a request after the end")
	}
}

// TestServiceKinds checks that Open refuses specs that a service cannot have.
func TestServiceKinds(t *testing.T) {
	stored, plain, aside := small(t, 2, 2), small(t, 2, 2), small(t, 2, 2)
	plain.Store, plain.Protocol = "", "plain"
	aside.Store, aside.Checkpoints = "", &resume.Checkpoints{Every: 1}
	for _, s := range []party.Spec{stored, plain, aside} {
		if _, err := party.Open(t.Context(), s, nil); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%v", err)
		}
	}
}
