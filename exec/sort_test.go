package exec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/tensor"
)

// sorted sorts all arguments, and row numbers if count, along a dimension by a comparator of %x0, %y0, …
// whose result is %p.
func sorted(name, args string, dim int, count bool, comparator string) program {
	p := program{name: "sort " + name, args: args, outs: args}
	types, names, params := strings.Fields(args), "", ""
	for i := range types {
		names += fmt.Sprintf(", %%%c", 'a'+i)
	}
	if count {
		shape := strings.TrimSuffix(types[0], elementOf(types[0]))
		types = append(types, shape+"i32")
		names += ", %iota"
		p.body, p.outs = fmt.Sprintf("%%iota = stablehlo.iota dim = %d : tensor<%si32>\n", dim, shape), strings.Join(types, " ")
	}
	var full, out []string
	for i, t := range types {
		params += fmt.Sprintf(", %%x%d: tensor<%s>, %%y%d: tensor<%s>", i, elementOf(t), i, elementOf(t))
		full, out = append(full, "tensor<"+t+">"), append(out, fmt.Sprintf("%%0#%d", i))
	}
	result := fmt.Sprintf("%%0:%d", len(types))
	if len(types) == 1 {
		result, out = "%0", []string{"%0"}
	}
	list := strings.Join(full, ", ")
	p.body += fmt.Sprintf(
		"%s = \"stablehlo.sort\"(%s) <{dimension = %d : i64, is_stable = true}> ({\n^bb0(%s):\n%s\nstablehlo.return %%p : tensor<i1>\n}) : (%s) -> (%s)\nreturn %s : %s",
		result,
		names[2:],
		dim,
		params[2:],
		comparator,
		list,
		list,
		strings.Join(out, ", "),
		list,
	)
	return p
}

func by(direction, x, y, e string) string {
	return fmt.Sprintf("%%p = stablehlo.compare %s, %s, %s : (tensor<%[4]s>, tensor<%[4]s>) -> tensor<i1>", direction, x, y, e)
}

// byTwo compares by the first operand, of equal ones by the second.
const byTwo = `%1 = stablehlo.compare LT, %x0, %y0 : (tensor<i8>, tensor<i8>) -> tensor<i1>
%2 = stablehlo.compare EQ, %x0, %y0 : (tensor<i8>, tensor<i8>) -> tensor<i1>
%3 = stablehlo.compare GT, %x1, %y1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
%4 = stablehlo.and %2, %3 : tensor<i1>
%p = stablehlo.or %1, %4 : tensor<i1>`

func TestSort(t *testing.T) {
	magnitude := "%1 = stablehlo.abs %x0 : tensor<f32>\n%2 = stablehlo.abs %y0 : tensor<f32>\n" + by("LT", "%1", "%2", "f32")
	difference := "%1 = stablehlo.subtract %x0, %y0 : tensor<f32>\n%2 = stablehlo.subtract %y0, %x0 : tensor<f32>\n" + by(
		"LT",
		"%1",
		"%2",
		"f32",
	)
	for _, set := range []string{"auto", "network", "shuffle"} {
		for _, p := range []program{
			sorted("floats", "11xf32", 0, false, by("LT", "%x0", "%y0", "f32")), sorted("descending", "11xf32", 0, true, by("GT", "%x0", "%y0", "f32")),
			sorted("rows", "3x6xi8", 1, true, by("LT", "%x0", "%y0", "i8")), sorted("the middle", "2x5x3xi64", 1, true, by("LT", "%y0", "%x0", "i64")),
			sorted("unsigned", "9xui32", 0, true, by("LT", "%x0", "%y0", "ui32")), sorted("by the second", "9xi1 9xi32", 0, false, by("LT", "%x1", "%y1", "i32")),
			sorted("by two", "12xi8 12xf32", 0, true, byTwo), sorted("by magnitude", "9xf32", 0, true, magnitude),
			sorted("by what is no function of a row", "9xf32", 0, true, difference), sorted("by positions, backwards", "7xf32", 0, true, by("GT", "%x1", "%y1", "i32")),
			sorted("one", "1xf32", 0, true, by("LT", "%x0", "%y0", "f32")), sorted("two", "2xf32", 0, true, by("LT", "%x0", "%y0", "f32")),
			sorted("none", "0xf32", 0, true, by("LT", "%x0", "%y0", "f32")), sorted("many", "67x2xi16", 0, true, by("LT", "%x0", "%y0", "i16")),
			sorted("bits", "9xi1", 0, true, by("LT", "%x0", "%y0", "i1")), sorted("equal ones too", "9xi8", 0, false, by("GE", "%x0", "%y0", "i8")),
		} {
			if set == "network" && strings.Contains(p.args, "67") {
				p.args, p.outs, p.body = strings.ReplaceAll(
					p.args,
					"67x2",
					"17x2",
				), strings.ReplaceAll(
					p.outs,
					"67x2",
					"17x2",
				), strings.ReplaceAll(
					p.body,
					"67x2",
					"17x2",
				)
			}
			p.name, p.set = p.name+" "+set, map[string]string{"sort": set}
			if elementOf(strings.Fields(p.args)[0]) == "i8" {
				p.least, p.most = -2, 2 // many equal ones
			}
			agree(t, p)
		}
	}
}

func TestTopK(t *testing.T) {
	for _, set := range []string{"auto", "network", "shuffle"} {
		for _, e := range []string{"f32", "i32", "i1", "ui8"} {
			agree(
				t,
				program{
					name:  e + " " + set,
					op:    "chlo.top_k",
					attrs: "k = 3 : i64",
					args:  "2x9x" + e,
					outs:  "2x3x" + e + " 2x3xi32",
					set:   map[string]string{"sort": set},
				},
				program{
					name:  e + " all " + set,
					op:    "chlo.top_k",
					attrs: "k = 5 : i64",
					args:  "5x" + e,
					outs:  "5x" + e + " 5xi32",
					set:   map[string]string{"sort": set},
				},
				program{
					name: e + " least " + set,
					args: "2x9x" + e,
					outs: "2x4x" + e + " 2x4xi32",
					set:  map[string]string{"sort": set},
					body: fmt.Sprintf(`
%%0:2 = stablehlo.custom_call @mhlo.topk(%%a) {mhlo.attributes = {k = 4 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<2x9x%[1]s>) -> (tensor<2x4x%[1]s>, tensor<2x4xi32>)
return %%0#0, %%0#1 : tensor<2x4x%[1]s>, tensor<2x4xi32>`, e),
				},
			)
		}
	}
	agree(t, program{op: "chlo.top_k", attrs: "k = 0 : i64", args: "5xf32", outs: "0xf32 0xi32"},
		program{name: "approximate", args: "5x3xf32", outs: "2x3xf32 2x3xi32", body: `
%i = stablehlo.iota dim = 0 : tensor<5x3xi32>
%none = stablehlo.constant dense<-1> : tensor<i32>
%least = stablehlo.constant dense<0xFF800000> : tensor<f32>
%0:2 = stablehlo.custom_call @ApproxTopK(%a, %i, %least, %none) {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<5x3xf32>, tensor<5x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>`})
	refused(t, program{args: "5xf32 5xi32", outs: "2xf32 2xi32", body: `
%none = stablehlo.constant dense<-1> : tensor<i32>
%least = stablehlo.constant dense<0xFF800000> : tensor<f32>
%0:2 = stablehlo.custom_call @ApproxTopK(%a, %b, %least, %none) {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
return %0#0, %0#1 : tensor<2xf32>, tensor<2xi32>`}, "stablehlo.custom_call", "is not of one operand, public indices and a public initial value")
}

// TestSortIsAStablePermutation: sorted keys ascend, and positions are those that a stable sort gives, for any
// number of rows and any way of sorting.
func TestSortIsAStablePermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.Int64Range(-4, 4), 1, 24).Draw(t, "keys")
		set := rapid.SampledFrom([]string{"auto", "network", "shuffle"}).Draw(t, "sort")
		text := sorted("", fmt.Sprintf("%dxi32", len(keys)), 0, true, by("LT", "%x0", "%y0", "i32"))
		got, err := walk(
			mustParse(text),
			middle[0],
			map[string]string{"sort": set},
			[]int{kept},
			arrays(integers(tensor.I32, shape{len(keys)}, keys...)),
			nil,
		)
		if err != nil {
			t.Fatal(err)
		}
		at := make([]int32, len(keys))
		for i := range at {
			at[i] = int32(i)
		}
		slices.SortStableFunc(at, func(i, j int32) int { return int(keys[i] - keys[j]) })
		if p := got.arrays[1].Data.([]int32); !slices.Equal(p, at) {
			t.Fatalf("positions %v, want %v", p, at)
		}
		if s := got.arrays[0].Data.([]int32); !slices.IsSorted(s) {
			t.Fatalf("not in order: %v", s)
		}
	})
}
