package party_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestComparisonsOfKnownFloats compares floats that are equal or one unit of the last place apart, from 1e-30 to
// 1e30, in all directions: those of one party with another's, with public ones and with its own, and rows of
// two parties laid end to end with thresholds.
func TestComparisonsOfKnownFloats(t *testing.T) {
	var x, y []float64
	for e := -30; e <= 30; e += 6 {
		v := float32(1.3 * math.Pow(10, float64(e)))
		w := math.Nextafter32(v, math.MaxFloat32)
		for _, sign := range []float32{1, -1} {
			for _, p := range [][2]float32{{v, w}, {w, v}, {v, v}} {
				x, y = append(x, float64(sign*p[0])), append(y, float64(sign*p[1]))
			}
		}
	}
	tiny := float64(math.SmallestNonzeroFloat32)
	for _, a := range []float64{0, math.Copysign(0, -1), tiny, -tiny, 1} {
		for _, b := range []float64{0, math.Copysign(0, -1), tiny, -tiny, 1} {
			x, y = append(x, a), append(y, b)
		}
	}
	n := len(x)
	a, b := tensor.FromFloats(tensor.F32, tensor.Shape{n}, x), tensor.FromFloats(tensor.F32, tensor.Shape{n}, y)
	prog, err := hlo.Parse("compare.mlir", []byte(allComparisons(n)))
	if err != nil {
		t.Fatal(err)
	}
	args := []*tensor.Array{a, b}
	want, err := eval.Func(context.Background(), prog.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []randomSetting{
		{"plain", 2, 64}, {"semi2k", 2, 64}, {"semi2k", 3, 64}, {"aby3", 3, 64}, {"semi2k", 2, 32}, {"semi2k", 2, 128}, {"aby3", 3, 128},
	} {
		for _, owners := range [][]int{{0, 1}, {1, 0}, {0, party.Public}, {party.Public, 1}, {1, 1}} {
			t.Run(fmt.Sprint(s, owners), func(t *testing.T) {
				t.Parallel()
				spec := party.Spec{Program: prog, Protocol: s.protocol, Ring: s.ring, Fraction: s.fraction(), Computing: s.parties,
					Reveal: []int{0}, Network: "none", Seed: make([]byte, 32)}
				for i := range s.parties {
					spec.Parties = append(spec.Parties, fmt.Sprint("p", i))
				}
				for i, arr := range args {
					spec.Args = append(spec.Args, party.Arg{Owner: owners[i], Data: arr})
				}
				got, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				for i, w := range want {
					if !reflect.DeepEqual(got.Results[i].Data, w.Data) {
						t.Errorf("result %d is %v, want %v", i, got.Results[i].Data, w.Data)
					}
				}
			})
		}
	}
}

// allComparisons is a program that compares its arguments, of n elements each, copies of them and both laid end to
// end, in all directions.
func allComparisons(n int) string {
	one, two := fmt.Sprintf("%dxf32", n), fmt.Sprintf("2x%dxf32", n)
	body := fmt.Sprintf(`%%as = stablehlo.broadcast_in_dim %%a, dims = [1] : (tensor<%[1]s>) -> tensor<%[2]s>
%%bs = stablehlo.broadcast_in_dim %%b, dims = [1] : (tensor<%[1]s>) -> tensor<%[2]s>
%%ar = stablehlo.reshape %%a : (tensor<%[1]s>) -> tensor<1x%[1]s>
%%br = stablehlo.reshape %%b : (tensor<%[1]s>) -> tensor<1x%[1]s>
%%ab = stablehlo.concatenate %%ar, %%br, dim = 0 : (tensor<1x%[1]s>, tensor<1x%[1]s>) -> tensor<%[2]s>
%%ba = stablehlo.reverse %%ab, dims = [0] : tensor<%[2]s>
`, one, two)
	var names, types []string
	for _, pair := range [][3]string{{"a", "b", one}, {"as", "bs", two}, {"ab", "bs", two}, {"as", "ab", two}, {"ab", "ba", two}} {
		bits := strings.ReplaceAll(pair[2], "f32", "i1")
		for _, d := range []string{"LT", "LE", "GT", "GE", "EQ", "NE"} {
			name := fmt.Sprint("%r", len(names))
			body += fmt.Sprintf("%s = stablehlo.compare %s, %%%s, %%%s : (tensor<%[5]s>, tensor<%[5]s>) -> tensor<%[6]s>\n",
				name, d, pair[0], pair[1], pair[2], bits)
			names, types = append(names, name), append(types, "tensor<"+bits+">")
		}
	}
	all := strings.Join(types, ", ")
	return fmt.Sprintf("func.func public @main(%%a: tensor<%[1]s>, %%b: tensor<%[1]s>) -> (%[2]s) {\n%[3]sreturn %[4]s : %[2]s\n}",
		one, all, body, strings.Join(names, ", "))
}

// TestForest runs a random forest of scikit-learn on its training data, half of which is one unit of the last place
// below the other half. alice has the data, bob the forest: features at secret nodes, at secret positions of rows,
// are compared with thresholds at secret nodes, and features with all thresholds at once. Every row reaches the
// leaves that scikit-learn says. testdata/forest/forest.py has made the programs.
func TestForest(t *testing.T) {
	for _, name := range []string{"walk", "dense"} {
		j, s := load(t, filepath.Join("testdata", "forest", name+".yaml"), nil)
		var args []*tensor.Array
		for _, a := range s.Args {
			args = append(args, a.Data)
		}
		want, err := eval.Func(context.Background(), s.Program.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		for _, set := range []randomSetting{{"plain", 2, 64}, {"semi2k", 2, 64}, {"semi2k", 3, 64}, {"aby3", 3, 64}, {"semi2k", 2, 128}} {
			t.Run(fmt.Sprint(name, "/", set), func(t *testing.T) {
				t.Parallel()
				s := s
				s.Protocol, s.Ring, s.Fraction, s.Computing = set.protocol, set.ring, set.fraction(), set.parties
				s.Parties = []string{"alice", "bob", "carol"}[:set.parties]
				out, err := party.Run(context.Background(), s)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(out.Results[0].Data, want[0].Data) {
					t.Errorf("leaves %v, want %v", out.Results[0].Data, want[0].Data)
				}
				if name == "walk" {
					checkExpected(t, j, s, out)
				}
				checkPrediction(t, out.Report)
			})
		}
	}
}
