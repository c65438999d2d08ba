package party_test

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// integerOps are operations of two integers of one type, or of the first
// alone.
func integerOps(typ string, shifts bool) []program {
	vec := "12x" + typ
	ops := []program{
		eachOp("bitwise "+typ, vec, vec, onTwo(vec, "and", "or", "xor", "not 1")...),
		eachOp("counts "+typ, vec, vec, onTwo(vec, "popcnt 1", "count_leading_zeros 1")...),
		eachOp("quotients "+typ, vec, vec, onTwo(vec, "divide", "remainder")...),
	}
	if shifts {
		ops = append(ops, eachOp("shifts "+typ, vec, vec, onTwo(vec, "shift_left", "shift_right_logical", "shift_right_arithmetic")...))
		ops = append(ops, reduced("shifts of both "+typ, typ, "shift_left", "shift_right_logical", "shift_right_arithmetic"))
	}
	return ops
}

// reduced takes the second operand modulo 64 first, so that amounts are small.
func reduced(name, typ string, ops ...string) program {
	p := eachOp(name, "12x"+typ, "12x"+typ, onTwo("12x"+typ, ops...)...)
	p.body = strings.ReplaceAll(p.body, "%a, %b", "%x, %s")
	p.body = " %k = stablehlo.constant dense<63> : tensor<12x" + typ + ">\n %s = stablehlo.and %b, %k : tensor<12x" + typ + ">\n" + p.body
	return p
}

// constants combines an operand with a constant of its type, on either side.
func constants(name, typ, value string, ops ...string) program {
	p := eachOp(name+" "+typ, "12x"+typ, "12x"+typ, onTwo("12x"+typ, ops...)...)
	p.body = strings.ReplaceAll(p.body, "%a, %b", "%x, %k")
	p.body = " %k = stablehlo.constant dense<" + value + "> : tensor<12x" + typ + ">\n" + p.body
	return p
}

func integerPrograms() []program {
	var out []program
	for _, typ := range []string{"i8", "ui8", "i16", "i32", "ui32", "i64"} {
		out = append(out, integerOps(typ, true)...)
		out = append(out,
			constants("with 0b1101", typ, "13", "and", "or", "xor", "divide", "remainder"),
			constants("with 8", typ, "8", "divide", "remainder"),
			constants("by 0", typ, "0", "divide", "remainder", "shift_left", "shift_right_logical"),
			constants("by 3 bits", typ, "3", "shift_left", "shift_right_logical", "shift_right_arithmetic"),
			constants("by 200 bits", typ, "100", "shift_left", "shift_right_logical", "shift_right_arithmetic"),
			constants("by various bits", typ, "[0, 1, 2, 3, 4, 5, 6, 7, 8, 31, 64, 100]", "shift_left", "shift_right_logical", "shift_right_arithmetic"),
			constants("cube", typ, "3", "power"),
			conversions(typ),
		)
	}
	return append(out,
		eachOp("nothing", "0x3xi32", "0x3xi32", onTwo("0x3xi32", "divide", "remainder", "and", "shift_left", "maximum", "popcnt 1", "count_leading_zeros 1", "sign 1")...),
		eachOp("single", "i16", "i16", onTwo("i16", "divide", "remainder", "and", "shift_left", "maximum", "popcnt 1", "count_leading_zeros 1", "sign 1", "abs 1")...),
		constants("by -8", "i32", "-8", "divide", "remainder"),
		constants("by -1", "i32", "-1", "divide", "remainder"),
		constants("by -7", "i8", "-7", "divide", "remainder"),
		constants("by min", "i32", "-2147483648", "divide", "remainder"),
		constants("by various", "i32", "[0, 1, -1, 3, -3, 2147483647, -2147483648, 1000, 7, 2, -2, 65536]", "divide", "remainder"),
		folded("and", "i32", "-1"), folded("or", "ui8", "0"), folded("xor", "i16", "0"),
	)
}

// conversions converts to every other integer type and to floats.
func conversions(typ string) program {
	vec := "12x" + typ
	p := program{name: "convert " + typ, args: vec + " " + vec}
	body, names, types := copied("x", "a", "b", vec), "", ""
	for i, to := range []string{"i8", "ui8", "i16", "i32", "ui32", "i64", "ui64", "f32", "i1"} {
		if to == "f32" && (typ == "i64" || typ == "ui64") {
			continue // beyond what fits in a ring of 64 bits
		}
		n := string(rune('0' + i))
		body += " %" + n + " = stablehlo.convert %x : (tensor<12x" + typ + ">) -> tensor<12x" + to + ">\n"
		if names != "" {
			names, types, p.outs = names+", ", types+", ", p.outs+" "
		}
		names, types, p.outs = names+"%"+n, types+"tensor<12x"+to+">", p.outs+"12x"+to
	}
	p.body = body + " return " + names + " : " + types
	return p
}

// integerSettings: integers have rings of their own, whatever the job's ring,
// but for conversions.
var integerSettings = []setting{
	{"plain", 64, 18, 2, 2, []int{0, 1}},
	{"semi2k", 64, 18, 2, 2, []int{0, 1}},
	{"semi2k", 64, 18, 2, 2, []int{party.Public, 1}},
	{"semi2k", 64, 18, 3, 2, []int{2, 0}},
	{"semi2k", 128, 26, 3, 3, []int{0, 2}},
	{"aby3", 64, 18, 3, 3, []int{2, 0}},
}

func TestIntegerPrograms(t *testing.T) { runPrograms(t, integerPrograms(), integerSettings) }
