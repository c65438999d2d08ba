package hlo

import (
	"math"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// attr reads one attribute and returns it as the Go type that Attrs documents.
func (p *parser) attr() any {
	p.enter()
	defer p.leave()
	switch p.tok.kind {
	case kString:
		s := p.str()
		if p.accept(":") {
			p.attrType()
		}
		return s
	case kAt:
		s := p.symbol()
		for p.accept("::") {
			s += "::" + p.symbol()
		}
		return s
	case kInt, kFloat:
		return p.number()
	case kHash:
		return p.hashAttr()
	case kBang:
		return p.attrType()
	case kIdent:
		return p.wordAttr()
	}
	switch {
	case p.is("-"):
		return p.number()
	case p.is("["):
		return p.listAttr()
	case p.is("{"):
		return p.dict()
	case p.is("("):
		return p.funcType()
	}
	p.unexpected("an attribute")
	return nil
}

// wordAttr reads an attribute that starts with a word.
func (p *parser) wordAttr() any {
	switch word := p.text(); word {
	case "true", "false":
		return p.boolean()
	case "unit":
		p.next()
		return true
	case "array":
		return p.arrayAttr()
	case "dense":
		return p.dense()
	case "dense_resource":
		return p.denseResource()
	case "sparse":
		p.refuse("sparse constants are not supported", "export the program with dense constants")
	case "loc":
		p.loc()
		return Opaque("loc")
	}
	return p.attrType()
}

// attrType reads a type as an attribute: a tensor.Type if it is a supported tensor type, else its
// text.
func (p *parser) attrType() any {
	if p.is("tensor") {
		return p.tensorType(true)
	}
	if p.tok.kind != kIdent && p.tok.kind != kBang {
		p.unexpected("a type")
	}
	start, end := p.tok.start, p.tok.end
	p.next()
	if p.is("<") && p.tok.start == end {
		end = p.balanced("<")
	}
	return Opaque(p.src[start:end])
}

// number reads 1 : i64, -1.5 : f32, 0x7F800000 : f32.
func (p *parser) number() any {
	pos := p.here()
	neg := p.accept("-")
	k, digits := p.tok.kind, p.text()
	if k != kInt && k != kFloat {
		p.unexpected("a number")
	}
	p.next()
	typ := ""
	if p.accept(":") {
		typ = string(p.ident("a number's type"))
	}
	dtype, err := tensor.ParseDType(typ)
	switch fraction := err == nil && dtype.IsFloat(); {
	case k == kFloat && (fraction || typ == ""):
		x, err := parseFloat(digits, neg)
		if err != nil {
			failAt(pos, p.op, "%v", err)
		}
		return rounded(dtype, x)
	case k == kFloat:
		failAt(pos, p.op, "an integer should stand here, not %s", digits)
	case fraction && strings.HasPrefix(digits, "0x") && !neg:
		return floatOfBits(dtype, uint64(p.toInt64(digits, false, pos)))
	case fraction:
		failAt(pos, p.op, "write a float with its point: %s.0", digits)
	}
	return p.toInt64(digits, neg, pos)
}

// rounded returns the value of type d nearest to x.
func rounded(d tensor.DType, x float64) float64 {
	switch d {
	case tensor.F16:
		return tensor.F16ToFloat(tensor.FloatToF16(x))
	case tensor.BF16:
		return floatOfBits(d, uint64(tensor.FloatToBF16(x)))
	case tensor.F32:
		return float64(float32(x))
	}
	return x
}

// floatOfBits returns the float with the given bit pattern.
func floatOfBits(d tensor.DType, bits uint64) float64 {
	switch d {
	case tensor.F16:
		return tensor.F16ToFloat(uint16(bits))
	case tensor.BF16:
		return float64(math.Float32frombits(uint32(bits) << 16))
	case tensor.F32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// arrayAttr reads array<i64: 1, 2>.
func (p *parser) arrayAttr() any {
	p.expect("array <")
	elem := p.ident("an element type")
	dtype, err := tensor.ParseDType(elem)
	if err != nil {
		p.fail("array of %s is not supported", shorten(elem))
	}
	if !p.is(">") {
		p.expect(":")
	}
	ints, bools, rest := []int64{}, []bool{}, []any{}
	p.list(">", func() {
		switch {
		case dtype == tensor.Bool:
			bools = append(bools, p.boolean())
		case dtype.IsInt():
			ints = append(ints, p.integer())
		default:
			rest = append(rest, p.number())
		}
	})
	switch {
	case dtype == tensor.Bool:
		return bools
	case dtype.IsInt():
		return ints
	}
	return rest
}

// listAttr reads [a, b] as []int64 or []bool if all elements are such, else as []any.
func (p *parser) listAttr() any {
	p.expect("[")
	items := []any{}
	p.list("]", func() { items = append(items, p.attr()) })
	return listOf(items)
}

// listOf converts a list of attributes to []int64 or []bool if all elements are such.
func listOf(items []any) any {
	ints, bools := []int64{}, []bool{}
	for _, v := range items {
		switch v := v.(type) {
		case int64:
			ints = append(ints, v)
		case bool:
			bools = append(bools, v)
		}
	}
	switch len(items) {
	case len(ints):
		return ints
	case len(bools):
		return bools
	}
	return items
}

// dict reads {a = 1, b}.
func (p *parser) dict() map[string]any {
	d := map[string]any{}
	p.entries(func(name string, pos Pos, v any) {
		if _, twice := d[name]; twice {
			failAt(pos, p.op, "attribute %s is given twice", name)
		}
		d[name] = v
	})
	return d
}

// entries reads {a = 1, b} and calls f for each entry. Attributes with a dialect prefix
// (mhlo.sharding) are kept as text.
func (p *parser) entries(put func(name string, pos Pos, v any)) {
	p.expect("{")
	p.list("}", func() {
		pos := p.here()
		var name string
		if p.tok.kind == kString {
			name = p.str()
		} else {
			name = p.ident("an attribute's name")
		}
		switch {
		case !p.accept("="):
			put(name, pos, true)
		case strings.Contains(name, "."):
			put(name, pos, p.opaque())
		default:
			put(name, pos, p.attr())
		}
	})
}

// Dict returns a dictionary attribute, also if Parse kept it as Opaque text (mhlo.backend_config of LAPACK calls);
// nil if there is none.
func (a Attrs) Dict(name string) map[string]any {
	switch v := a[name].(type) {
	case map[string]any:
		return v
	case Opaque:
		return v.dict()
	}
	return nil
}

// dict parses the text as a dictionary; it returns nil if that fails.
func (o Opaque) dict() (d map[string]any) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(bail); !ok {
				panic(r)
			}
			d = nil
		}
	}()
	p := &parser{}
	p.lexer = newLexer("", []byte(o))
	return p.dict()
}
