package party_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// sortProgram sorts secrets and, if asked, a count along the dimension, by a
// comparator of %x0, %y0, %x1, …. Arguments come in pairs, an operand and what
// hides it.
func sortProgram(name, args string, dim int, count bool, body string) program {
	types := strings.Fields(args)
	shape := types[0][:strings.LastIndex(types[0], "x")]
	p := program{name: "sort " + name}
	var names []string
	if count {
		types = append(types, shape+"xi32")
	}
	for i, t := range types {
		if count && i == len(types)-1 {
			names = append(names, "%iota")
			p.body += fmt.Sprintf(" %%iota = stablehlo.iota dim = %d : tensor<%sxi32>\n", dim, shape)
			break
		}
		names = append(names, fmt.Sprintf("%%s%d", i))
		p.body += copied(names[i][1:], string(rune('a'+2*i)), string(rune('b'+2*i)), t)
		p.args += t + " " + t + " "
	}
	var params, full, out []string
	for i, t := range types {
		elem := t[strings.LastIndex(t, "x")+1:]
		params = append(params, fmt.Sprintf("%%x%d: tensor<%s>, %%y%d: tensor<%s>", i, elem, i, elem))
		full = append(full, "tensor<"+t+">")
		out = append(out, fmt.Sprintf("%%0#%d", i))
	}
	types0 := "(" + strings.Join(full, ", ") + ")"
	ret := out
	if len(types) == 1 {
		ret = []string{"%0"}
	}
	decl := "%0"
	if len(types) > 1 {
		decl = fmt.Sprintf("%%0:%d", len(types))
	}
	p.body += fmt.Sprintf(` %s = "stablehlo.sort"(%s) <{dimension = %d : i64, is_stable = true}> ({
 ^bb0(%s):
%s
   stablehlo.return %%p : tensor<i1>
 }) : %s -> %s
 return %s : %s`, decl, strings.Join(names, ", "), dim, strings.Join(params, ", "), body, types0, types0, strings.Join(ret, ", "), strings.Join(full, ", "))
	p.outs = strings.Join(types, " ")
	return p
}

func compared(dir, x, y, elem string) string {
	return "   %p = stablehlo.compare " + dir + ", " + x + ", " + y + " : (tensor<" + elem + ">, tensor<" + elem + ">) -> tensor<i1>"
}

// jaxLess is how JAX compares floats: zeros alike, NaN alike and last.
const jaxLess = `   %z = stablehlo.constant dense<0.0> : tensor<f32>
   %nan = stablehlo.constant dense<0x7FC00000> : tensor<f32>
   %1 = stablehlo.compare EQ, %x0, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %2 = stablehlo.select %1, %z, %x0 : tensor<i1>, tensor<f32>
   %3 = stablehlo.compare NE, %x0, %x0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %4 = stablehlo.select %3, %nan, %2 : tensor<i1>, tensor<f32>
   %5 = stablehlo.compare EQ, %y0, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %6 = stablehlo.select %5, %z, %y0 : tensor<i1>, tensor<f32>
   %7 = stablehlo.compare NE, %y0, %y0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %8 = stablehlo.select %7, %nan, %6 : tensor<i1>, tensor<f32>
   %p = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>`

// byTwo compares by the first operand, of equal ones by the second.
const byTwo = `   %1 = stablehlo.compare LT, %x0, %y0 : (tensor<i8>, tensor<i8>) -> tensor<i1>
   %2 = stablehlo.compare EQ, %x0, %y0 : (tensor<i8>, tensor<i8>) -> tensor<i1>
   %3 = stablehlo.compare GT, %x1, %y1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %4 = stablehlo.and %2, %3 : tensor<i1>
   %p = stablehlo.or %1, %4 : tensor<i1>`

var sortPrograms = []program{
	sortProgram("floats", "11xf32", 0, false, compared("LT", "%x0", "%y0", "f32")),
	sortProgram("descending", "11xf32", 0, false, compared("GT", "%x0", "%y0", "f32")),
	sortProgram("descending, swapped", "11xf32", 0, false, compared("LT", "%y0", "%x0", "f32")),
	sortProgram("as JAX does, with positions", "11xf32", 0, true, jaxLess),
	sortProgram("rows", "3x6xf32", 1, true, compared("LT", "%x0", "%y0", "f32")),
	sortProgram("columns", "6x3xf32", 0, true, compared("GT", "%x0", "%y0", "f32")),
	sortProgram("the middle", "2x5x3xi8", 1, true, compared("LT", "%x0", "%y0", "i8")),
	sortProgram("unsigned", "9xui32", 0, true, compared("LT", "%x0", "%y0", "ui32")),
	sortProgram("by the second", "9xi1 9xi32 9xf32", 0, false, compared("LT", "%x1", "%y1", "i32")),
	sortProgram("by two", "12xi8 12xf32 12xi1", 0, true, byTwo),
	sortProgram("by magnitude", "9xf32", 0, true, `   %1 = stablehlo.abs %x0 : tensor<f32>
   %2 = stablehlo.abs %y0 : tensor<f32>
`+compared("LT", "%1", "%2", "f32")),
	sortProgram("by positions, backwards", "7xf32", 0, true, compared("GT", "%x1", "%y1", "i32")),
	sortProgram("many", "67x2xf32", 0, true, compared("LT", "%x0", "%y0", "f32")),
	sortProgram("by a selection of two", "70xi32 70xi1", 0, true, `   %1 = stablehlo.compare GT, %x0, %y0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
   %2 = stablehlo.compare EQ, %y0, %x0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
   %3 = stablehlo.compare LT, %x1, %y1 : (tensor<i1>, tensor<i1>) -> tensor<i1>
   %p = stablehlo.select %2, %3, %1 : tensor<i1>, tensor<i1>`),
	sortProgram("by what is no function of a row", "9xf32", 0, true, `   %1 = stablehlo.subtract %x0, %y0 : tensor<f32>
   %2 = stablehlo.subtract %y0, %x0 : tensor<f32>
`+compared("LT", "%1", "%2", "f32")),
	sortProgram("one", "1xf32", 0, true, compared("LT", "%x0", "%y0", "f32")),
	sortProgram("two", "2xf32", 0, true, compared("LT", "%x0", "%y0", "f32")),
	{name: "top-k", args: "2x9xf32 2x9xf32 12xi32 12xi32", outs: "2x3xf32 2x3xi32 5xi32 5xi32 2x4xf32 2x4xi32", body: copied("s", "a", "b", "2x9xf32") + copied("t", "c", "d", "12xi32") + `
 %0:2 = chlo.top_k(%s, k = 3) : tensor<2x9xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
 %1:2 = chlo.top_k(%t, k = 5) : tensor<12xi32> -> (tensor<5xi32>, tensor<5xi32>)
 %2:2 = stablehlo.custom_call @mhlo.topk(%s) {mhlo.attributes = {k = 4 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<2x9xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
 return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<5xi32>, tensor<5xi32>, tensor<2x4xf32>, tensor<2x4xi32>`},
	{name: "top-k of booleans", args: "2x9xi1 2x9xi1 80xi1 80xi1", outs: "2x3xi1 2x3xi32 7xi1 7xi32 2x9xi1 2x9xi32", body: copied("s", "a", "b", "2x9xi1") + copied("t", "c", "d", "80xi1") + `
 %0:2 = chlo.top_k(%s, k = 3) : tensor<2x9xi1> -> (tensor<2x3xi1>, tensor<2x3xi32>)
 %1:2 = chlo.top_k(%t, k = 7) : tensor<80xi1> -> (tensor<7xi1>, tensor<7xi32>)
 %2:2 = stablehlo.custom_call @mhlo.topk(%s) {mhlo.attributes = {k = 9 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<2x9xi1>) -> (tensor<2x9xi1>, tensor<2x9xi32>)
 return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1 : tensor<2x3xi1>, tensor<2x3xi32>, tensor<7xi1>, tensor<7xi32>, tensor<2x9xi1>, tensor<2x9xi32>`},
	{name: "approximate top-k", args: "5x3xf32 5x3xf32 9xi32 9xi32", outs: "2x3xf32 2x3xi32 4xi32 4xi32", body: copied("s", "a", "b", "5x3xf32") + copied("t", "c", "d", "9xi32") + `
 %i = stablehlo.iota dim = 0 : tensor<5x3xi32>
 %j = stablehlo.iota dim = 0 : tensor<9xi32>
 %none = stablehlo.constant dense<-1> : tensor<i32>
 %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %most = stablehlo.constant dense<2147483647> : tensor<i32>
 %0:2 = stablehlo.custom_call @ApproxTopK(%s, %i, %least, %none) {mhlo.backend_config = {reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<5x3xf32>, tensor<5x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
 %1:2 = stablehlo.custom_call @ApproxTopK(%t, %j, %most, %none) {mhlo.backend_config = {reduction_dim = -1 : i64, top_k = 4 : i64}} : (tensor<9xi32>, tensor<9xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
 return %0#0, %0#1, %1#0, %1#1 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<4xi32>, tensor<4xi32>`},
	{name: "sort by public keys", args: "8xf32 8xf32", outs: "8xf32 8xi32", body: `
 %k = stablehlo.constant dense<[3, 1, 2, 1, 0, 9, -4, 2]> : tensor<8xi32>
 %s = stablehlo.add %a, %b : tensor<8xf32>
 %0:2 = "stablehlo.sort"(%s, %k) <{dimension = 0 : i64, is_stable = true}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>, %v: tensor<i32>, %w: tensor<i32>):
   %p = stablehlo.compare LT, %v, %w : (tensor<i32>, tensor<i32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 }) : (tensor<8xf32>, tensor<8xi32>) -> (tensor<8xf32>, tensor<8xi32>)
 return %0#0, %0#1 : tensor<8xf32>, tensor<8xi32>`},
	{name: "sort products", args: "8xf32 8xf32", outs: "8xf32", tol: 3e-4, body: `
 %m = stablehlo.multiply %a, %b : tensor<8xf32>
 %0 = "stablehlo.sort"(%m) <{dimension = 0 : i64, is_stable = true}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %p = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 }) : (tensor<8xf32>) -> tensor<8xf32>
 return %0 : tensor<8xf32>`},
	{name: "sort by an order that holds of equals", args: "8xf32 8xf32", outs: "8xf32", body: `
 %r = stablehlo.concatenate %a, %a, dim = 0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
 %t = stablehlo.slice %r [4:12] : (tensor<16xf32>) -> tensor<8xf32>
 %z = stablehlo.constant dense<0.0> : tensor<8xf32>
 %w = stablehlo.multiply %b, %z : tensor<8xf32>
 %m = stablehlo.add %t, %w : tensor<8xf32>
 %0 = "stablehlo.sort"(%m) <{dimension = 0 : i64, is_stable = true}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
   %p = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 }) : (tensor<8xf32>) -> tensor<8xf32>
 return %0 : tensor<8xf32>`},
}

func TestSortPrograms(t *testing.T) {
	t.Parallel()
	for index, p := range sortPrograms {
		t.Run(p.name, func(t *testing.T) {
			runWith(t, p, edged, nil, turns(index, settings)...)
			some := []setting{settings[0], settings[1], settings[5], settings[7], settings[9], settings[12]}
			runWith(t, p, edged, map[string]string{"sort": "network"}, turns(index, some)...)
			shuffle := map[string]string{"sort": "shuffle"}
			if index%4 == 0 {
				shuffle["optimize"] = "rounds"
			}
			runWith(t, p, edged, shuffle, turns(index, some)...)
		})
	}
}

// TestSortFromAStore: what is dealt for a sort may be dealt ahead or stream in
// over a network; the run takes all of it, whatever its sorts needed.
func TestSortFromAStore(t *testing.T) {
	p := sortProgram("many", "90x2xf32", 0, true, compared("LT", "%x0", "%y0", "f32"))
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		store, network string
		parties        int
	}{{"", "1e9/100us", 2}, {t.TempDir(), "none", 3}} {
		s := party.Spec{Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: c.parties, Network: c.network, Reveal: []int{0},
			Parties: []string{"alice", "bob", "carol"}[:c.parties], Store: c.store}
		var args []*tensor.Array
		for i, v := range prog.Main.Body.Params {
			args = append(args, edged(r, v.Type))
			s.Args = append(s.Args, party.Arg{Owner: i % c.parties, Data: args[i]})
		}
		want, err := eval.Func(context.Background(), prog.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		if c.store != "" {
			make1(t, s, 1)
		}
		out, err := party.Run(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		p.compare(t, setting{}, out.Results, want)
		checkPrediction(t, out.Report)
	}
}
