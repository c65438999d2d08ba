package party_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
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

// lookedUp is a program that looks numbers of the tables %a up at secret positions %b + %c of a number of tables, and compares
// them with %d; and sums what it looks up there in the tables %e.
func lookedUp(groups, cells, each int, dtype string) string {
	table, at := fmt.Sprintf("%dx%dx%s", groups, cells, dtype), fmt.Sprintf("%dx%dx", groups, each)
	body := fmt.Sprintf(`%%sum = stablehlo.add %%b, %%c : tensor<%[1]si32>
%%at = stablehlo.reshape %%sum : (tensor<%[1]si32>) -> tensor<%[1]s1xi32>
`, at)
	for _, of := range []string{"a", "e"} {
		body += fmt.Sprintf(`%%%[1]s0 = "stablehlo.gather"(%%%[1]s, %%at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<%[2]s>, tensor<%[3]s1xi32>) -> tensor<%[3]s%[4]s>
`, of, table, at, dtype)
	}
	for _, d := range []string{"LT", "GT", "EQ"} {
		body += fmt.Sprintf("%%%s = stablehlo.compare %[1]s, %%a0, %%d : (tensor<%[2]s%[3]s>, tensor<%[2]s%[3]s>) -> tensor<%[2]si1>\n", d, at, dtype)
	}
	bits := "tensor<" + at + "i1>"
	sums := fmt.Sprintf("tensor<%dx%s>", groups, dtype)
	return fmt.Sprintf(`func.func public @main(%%a: tensor<%[1]s>, %%b: tensor<%[2]si32>, %%c: tensor<%[2]si32>, %%d: tensor<%[2]s%[3]s>, %%e: tensor<%[1]s>) -> (%[4]s, %[4]s, %[4]s, %[5]s) {
%[6]s%%zero = stablehlo.constant dense<0.0> : tensor<%[3]s>
%%r = stablehlo.reduce(%%e0 init: %%zero) applies stablehlo.add across dimensions = [1] : (tensor<%[2]s%[3]s>, tensor<%[3]s>) -> %[5]s
return %%LT, %%GT, %%EQ, %%r : %[4]s, %[4]s, %[4]s, %[5]s
}`, table, at, dtype, bits, sums, body)
}

// lookedUpData are arguments of a program of lookedUp: floats of all magnitudes and special ones, and thresholds that equal what is
// looked up or are one unit of the last place apart.
func lookedUpData(groups, cells, each int, dtype string, seed uint64) []*tensor.Array {
	r := rand.New(rand.NewPCG(seed, 2))
	d := tensor.F32
	next := func(v float64) float64 { return float64(math.Nextafter32(float32(v), float32(math.Inf(1)))) }
	if dtype == "f64" {
		d, next = tensor.F64, func(v float64) float64 { return math.Nextafter(v, math.Inf(1)) }
	}
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), next(0), -next(0), 1, next(1), -1}
	table, leaves := make([]float64, groups*cells), make([]float64, groups*cells)
	for i := range table {
		table[i] = float64(float32(math.Ldexp(r.NormFloat64(), r.IntN(200)-100)))
		if i%3 == 0 {
			table[i] = special[r.IntN(len(special))]
		}
		leaves[i] = math.Round(r.NormFloat64()*100*64) / 64
	}
	n := groups * each
	first, second, than := make([]uint64, n), make([]uint64, n), make([]float64, n)
	for i := range n {
		first[i], second[i] = uint64(r.IntN(cells/2)), uint64(r.IntN(cells/2+1))
		found := table[i/each*cells+int(first[i]+second[i])]
		than[i] = []float64{found, next(found), -next(-found), special[r.IntN(len(special))], -found}[r.IntN(5)]
	}
	tables, indices := tensor.Shape{groups, cells}, tensor.Shape{groups, each}
	return []*tensor.Array{
		tensor.FromFloats(d, tables, table), tensor.FromWords(tensor.I32, indices, first), tensor.FromWords(tensor.I32, indices, second),
		tensor.FromFloats(d, indices, than), tensor.FromFloats(d, tables, leaves),
	}
}

// TestLookedUpByBits looks so many numbers up at secret positions that protocols which can do so take their bits: comparisons
// with floats that are equal, one unit of the last place apart or special are exact, sums are as close as fixed point is, and
// less than half is dealt of what is dealt where rounds count. Protocols that cannot take numbers.
func TestLookedUpByBits(t *testing.T) {
	for _, c := range []struct {
		set    randomSetting
		each   int
		dtype  string
		byBits bool
	}{
		{randomSetting{"semi2k", 2, 64}, 1000, "f32", true}, {randomSetting{"semi2k", 3, 64}, 1000, "f32", true},
		{randomSetting{"semi2k", 2, 128}, 1000, "f32", true}, {randomSetting{"semi2k", 2, 64}, 1000, "f64", true},
		{randomSetting{"semi2k", 2, 64}, 20, "f32", false}, {randomSetting{"aby3", 3, 64}, 1000, "f32", false},
		{randomSetting{"cheetah", 2, 64}, 2, "f32", false}, {randomSetting{"plain", 2, 64}, 1000, "f32", false},
	} {
		t.Run(fmt.Sprint(c.set, "/", c.each, "/", c.dtype), func(t *testing.T) {
			t.Parallel()
			const groups, cells = 8, 64
			prog, err := hlo.Parse("lookedup.mlir", []byte(lookedUp(groups, cells, c.each, c.dtype)))
			if err != nil {
				t.Fatal(err)
			}
			args := lookedUpData(groups, cells, c.each, c.dtype, 1)
			want, err := eval.Func(context.Background(), prog.Main, args)
			if err != nil {
				t.Fatal(err)
			}
			dealt := map[string]int64{}
			for _, optimize := range []string{"online", "rounds", "total"} {
				spec := party.Spec{Program: prog, Protocol: c.set.protocol, Ring: c.set.ring, Fraction: c.set.fraction(), Computing: c.set.parties,
					Reveal: []int{0}, Network: "none", Seed: make([]byte, 32), Set: map[string]string{"optimize": optimize}}
				for i := range c.set.parties {
					spec.Parties = append(spec.Parties, fmt.Sprint("p", i))
				}
				for i, owner := range []int{0, 0, 1, 1, 1} {
					spec.Args = append(spec.Args, party.Arg{Owner: owner, Data: args[i]})
				}
				got, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				for i, w := range want[:3] {
					if !reflect.DeepEqual(got.Results[i].Data, w.Data) {
						t.Errorf("optimize=%s: comparison %d is wrong", optimize, i)
					}
				}
				for i, sum := range want[3].Floats() {
					if got := got.Results[3].Floats()[i]; math.Abs(got-sum) > 1e-6*float64(c.each) {
						t.Errorf("optimize=%s: sum %d is %v, want %v", optimize, i, got, sum)
					}
				}
				if c.set.protocol != "cheetah" { // what few transfers cost is planned for many
					checkPrediction(t, got.Report)
				}
				dealt[optimize] = got.Report.Offline.BytesSent
			}
			if less := 2*dealt["online"] < dealt["rounds"] && 2*dealt["total"] < dealt["rounds"]; less != c.byBits {
				t.Errorf("dealt bytes by what is minimised: %v", dealt)
			}
		})
	}
}

// TestResidentsLookedUpByBits looks numbers up by bits in tables that stay for all requests of a service, at other indices in each request.
func TestResidentsLookedUpByBits(t *testing.T) {
	const groups, cells, each = 8, 64, 1000
	prog, err := hlo.Parse("lookedup.mlir", []byte(lookedUp(groups, cells, each, "f32")))
	if err != nil {
		t.Fatal(err)
	}
	stay := lookedUpData(groups, cells, each, "f32", 1)
	s := party.Spec{
		Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"a", "b"}, Computing: 2, Reveal: []int{0}, Network: "none",
	}
	for i, owner := range []int{0, 0, 1, 1, 1} {
		s.Args = append(s.Args, party.Arg{Owner: owner})
		if i == 0 || i > 2 {
			s.Args[i].Data, s.Args[i].Resident = stay[i], true
		}
	}
	v, err := party.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for request := range uint64(3) {
		args := lookedUpData(groups, cells, each, "f32", 1+request)
		args[0], args[3], args[4] = stay[0], stay[3], stay[4]
		want, err := eval.Func(t.Context(), prog.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		done := func(out *party.Outcome, err error) error {
			if err != nil {
				return err
			}
			for i, w := range want[:3] {
				if !reflect.DeepEqual(out.Results[i].Data, w.Data) {
					t.Errorf("request %d: comparison %d is wrong", request, i)
				}
			}
			for i, sum := range want[3].Floats() {
				if got := out.Results[3].Floats()[i]; math.Abs(got-sum) > 1e-6*each {
					t.Errorf("request %d: sum %d is %v, want %v", request, i, got, sum)
				}
			}
			if dealt := out.Report.Offline.BytesSent; dealt > 4e6 { // numbers take 24 MB
				t.Errorf("request %d: %d bytes dealt", request, dealt)
			}
			checkPrediction(t, out.Report)
			return nil
		}
		if err := v.Evaluate(t.Context(), []party.Request{{Data: []*tensor.Array{nil, args[1], args[2], nil, nil}, Done: done}}); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLookedUpInLoop goes down a table in a loop, by comparisons of what is looked up by bits: x ← 2x + [a[x] < b] for six steps.
func TestLookedUpInLoop(t *testing.T) {
	const groups, cells, each = 8, 127, 800
	body := strings.NewReplacer("GROUPS", fmt.Sprint(groups), "CELLS", fmt.Sprint(cells), "EACH", fmt.Sprint(each)).Replace(
		`func.func public @main(%a: tensor<GROUPSxCELLSxf32>, %b: tensor<GROUPSxEACHxf32>, %c: tensor<GROUPSxEACHxi32>) -> tensor<GROUPSxEACHxi32> {
%n = stablehlo.constant dense<0> : tensor<i32>
%one = stablehlo.constant dense<1> : tensor<i32>
%six = stablehlo.constant dense<6> : tensor<i32>
%ones = stablehlo.constant dense<1> : tensor<GROUPSxEACHxi32>
%r:2 = stablehlo.while(%i = %n, %x = %c) : tensor<i32>, tensor<GROUPSxEACHxi32>
cond {
%go = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
stablehlo.return %go : tensor<i1>
} do {
%at = stablehlo.reshape %x : (tensor<GROUPSxEACHxi32>) -> tensor<GROUPSxEACHx1xi32>
%v = "stablehlo.gather"(%a, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<GROUPSxCELLSxf32>, tensor<GROUPSxEACHx1xi32>) -> tensor<GROUPSxEACHxf32>
%less = stablehlo.compare LT, %v, %b : (tensor<GROUPSxEACHxf32>, tensor<GROUPSxEACHxf32>) -> tensor<GROUPSxEACHxi1>
%bit = stablehlo.convert %less : (tensor<GROUPSxEACHxi1>) -> tensor<GROUPSxEACHxi32>
%twice = stablehlo.add %x, %x : tensor<GROUPSxEACHxi32>
%next = stablehlo.add %twice, %bit : tensor<GROUPSxEACHxi32>
%child = stablehlo.add %next, %ones : tensor<GROUPSxEACHxi32>
%j = stablehlo.add %i, %one : tensor<i32>
stablehlo.return %j, %child : tensor<i32>, tensor<GROUPSxEACHxi32>
}
return %r#1 : tensor<GROUPSxEACHxi32>
}`)
	prog, err := hlo.Parse("loop.mlir", []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	table, than := make([]float64, groups*cells), make([]float64, groups*each)
	for i := range table {
		table[i] = float64(float32(r.NormFloat64()))
	}
	for i := range than {
		than[i] = table[i/each*cells+r.IntN(cells)]
	}
	args := []*tensor.Array{
		tensor.FromFloats(tensor.F32, tensor.Shape{groups, cells}, table), tensor.FromFloats(tensor.F32, tensor.Shape{groups, each}, than),
		tensor.FromWords(tensor.I32, tensor.Shape{groups, each}, make([]uint64, groups*each)),
	}
	want, err := eval.Func(t.Context(), prog.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	dealt := map[string]int64{}
	for _, optimize := range []string{"online", "rounds"} {
		s := party.Spec{
			Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"a", "b"}, Computing: 2, Reveal: []int{0}, Network: "none",
			Args: []party.Arg{{Owner: 0, Data: args[0]}, {Owner: 1, Data: args[1]}, {Owner: 1, Data: args[2]}},
			Set:  map[string]string{"optimize": optimize},
		}
		out, err := party.Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(out.Results[0].Data, want[0].Data) {
			t.Errorf("optimize=%s: other places are reached", optimize)
		}
		checkPrediction(t, out.Report)
		dealt[optimize] = out.Report.Offline.BytesSent
	}
	if 2*dealt["online"] > dealt["rounds"] {
		t.Errorf("dealt bytes by what is minimised: %v", dealt)
	}
}
