package hlo

import (
	"fmt"
	"math"
	"strings"

	"github.com/tacet-mpc/tacet/hlo/bytecode"
	"github.com/tacet-mpc/tacet/tensor"
)

// meaning is the decoded value of an artifact's attribute, of the types that Attrs documents.
type meaning struct{ value any }

// attr returns the value of attribute i. Operations that refer to the same attribute share it.
func (a *artifact) attr(i int) any {
	if m := a.seen.attrs[i]; m != nil {
		return m.value
	}
	if a.p.depth++; a.p.depth > maxNesting {
		a.stop("attributes are nested more than %d deep", maxNesting)
	}
	e := a.file.Attrs[i]
	m := &meaning{Opaque(e.Text())}
	c := a.file.Cursor(e)
	switch {
	case !e.Custom:
	case e.Dialect == "vhlo":
		m.value = a.vhloAttr(c)
		a.check(c)
	case e.Dialect == "builtin":
		m.value = a.builtinAttr(c)
		a.check(c)
	case e.Dialect == "chlo":
		m.value = a.enum(c, map[uint64][]Enum{0: vhloEnums[3], 1: vhloEnums[4]}[c.Uint()])
	default:
		m.value = Opaque("#" + e.Dialect) // of an unknown dialect
	}
	a.p.depth--
	a.seen.attrs[i] = m
	return m.value
}

// vhloEnums are VHLO's enumerations by the attribute's code.
var vhloEnums = map[uint64][]Enum{
	3:  {"EQ", "NE", "GE", "GT", "LE", "LT"},
	4:  {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
	7:  {"FFT", "IFFT", "RFFT", "IRFFT"},
	11: {"DEFAULT", "HIGH", "HIGHEST"},
	12: {"DEFAULT", "THREE_FRY", "PHILOX"},
	13: {"", "UNIFORM", "NORMAL"},
	16: {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
	19: {"DEFAULT", "HIGHEST", "TOLERANCE"},
}

// vhloAttr reads an attribute of dialect vhlo.
func (a *artifact) vhloAttr(c *bytecode.Cursor) any {
	code := c.Uint()
	if names, ok := vhloEnums[code]; ok {
		return a.enum(c, names)
	}
	switch code {
	case 1:
		return a.list(c)
	case 2:
		return c.Uint() != 0
	case 5:
		return int64(c.Uint()) // a custom call's API version
	case 6:
		d := map[string]any{}
		for n := c.Count(); n > 0; n-- {
			a.putEntry(c, d, c.Attr(), c.Attr())
		}
		return d
	case 8:
		return a.float(c)
	case 9:
		return a.integer(c)
	case 10:
		tuple, operand, inOperand := c.Ints(), c.Int(), c.Ints()
		return Opaque(fmt.Sprintf("#stablehlo.output_operand_alias<output_tuple_indices = [%s], operand_index = %d, operand_tuple_indices = [%s]>", commas(tuple), operand, commas(inOperand)))
	case 14:
		return c.String()
	case 15:
		return a.elements(c)
	case 17:
		return a.typeAttr(c)
	case 18:
		return Opaque(fmt.Sprintf("#stablehlo.bounds<%s>", commas(c.Ints())))
	case 20:
		return a.accuracy(c)
	}
	a.stop("attribute kind %d of VHLO is not known (written by %s)", code, a.file.Producer)
	return nil
}

// enum reads an enumeration value.
func (a *artifact) enum(c *bytecode.Cursor, names []Enum) any {
	v := c.Uint()
	if v >= uint64(len(names)) || names[v] == "" {
		a.stop("the enumeration of %v has no value %d (written by %s)", names, v, a.file.Producer)
	}
	return names[v]
}

// builtinAttr reads an attribute of the builtin dialect.
func (a *artifact) builtinAttr(c *bytecode.Cursor) any {
	switch code := c.Uint(); code {
	case 0:
		return a.list(c)
	case 1:
		d := map[string]any{}
		for n := c.Count(); n > 0; n-- {
			a.putEntry(c, d, c.Attr(), c.Attr())
		}
		return d
	case 2:
		return c.String()
	case 3:
		s := c.String()
		c.Type()
		return s
	case 4:
		return a.symbolOf(c)
	case 5:
		s := a.symbolOf(c)
		for n := c.Count(); n > 0; n-- {
			s += "::" + a.symbolOf(c)
			if len(s) > len(a.p.prog.Text) {
				c.Fail("a symbol is longer than the file")
			}
		}
		return s
	case 6:
		return a.typeAttr(c)
	case 7:
		return true
	case 8:
		return a.integer(c)
	case 9:
		return a.float(c)
	case 10, 11, 12, 13, 14, 15, 22:
		c.Bytes(uint64(c.Left()))
		return Opaque("loc")
	case 16:
		panic(bail{locate(advise("export the program with its constants in the text", "dense_resource constants are not supported"), a.pos, a.p.op)})
	case 17:
		return a.denseArray(c)
	case 18:
		return a.elements(c)
	default:
		a.stop("attribute kind %d of MLIR's builtin dialect is not supported", code)
	}
	return nil
}

// putEntry adds an entry to a dictionary.
func (a *artifact) putEntry(c *bytecode.Cursor, d map[string]any, name, value int) {
	if c.Err() != nil {
		return
	}
	s, ok := a.attr(name).(string)
	if _, twice := d[s]; !ok || twice {
		c.Fail("a dictionary's entry has no name, or one that another has")
		return
	}
	d[s] = a.attr(value)
}

// dictionary lists the entries of an operation's dictionary.
func (a *artifact) dictionary(i int) []namedAttr {
	e := a.file.Attrs[i]
	c := a.file.Cursor(e)
	if !e.Custom || e.Dialect != "builtin" || c.Uint() != 1 {
		a.stop("an operation's attributes should be a dictionary")
	}
	var out []namedAttr
	for n := c.Count(); n > 0; n-- {
		name, value := c.Attr(), c.Attr()
		if c.Err() != nil {
			break
		}
		s, ok := a.attr(name).(string)
		if !ok {
			a.stop("an attribute has no name")
		}
		out = append(out, namedAttr{s, value})
	}
	a.check(c)
	return out
}

// list reads attributes as []int64 or []bool if all are such, else as []any.
func (a *artifact) list(c *bytecode.Cursor) any {
	numbers := c.Attrs()
	if c.Err() != nil {
		return nil
	}
	items := make([]any, len(numbers))
	for i, n := range numbers {
		items[i] = a.attr(n)
	}
	return listOf(items)
}

func (a *artifact) symbolOf(c *bytecode.Cursor) string {
	i := c.Attr()
	if c.Err() != nil {
		return ""
	}
	s, ok := a.attr(i).(string)
	if !ok {
		c.Fail("a symbol should be a string")
	}
	return s
}

// typeAttr reads a type as an attribute: a tensor.Type, a function type, or text.
func (a *artifact) typeAttr(c *bytecode.Cursor) any {
	i := c.Type()
	if c.Err() != nil {
		return nil
	}
	switch t := a.typ(i); {
	case t.tensor:
		return t.typ
	case t.fn != nil:
		return *t.fn
	default:
		return Opaque(t.text)
	}
}

// integer reads the type and the bits of an integer.
func (a *artifact) integer(c *bytecode.Cursor) any {
	i := c.Type()
	if c.Err() != nil {
		return nil
	}
	t := a.typ(i)
	if t.refusal != nil || t.tensor || !t.typ.DType.IsInt() && t.typ.DType != tensor.Bool {
		c.Fail("integers of type %s are not supported", t.text)
		return nil
	}
	if t.typ.DType == tensor.Bool {
		return c.Byte() != 0
	}
	u, shift := a.word(c, t.typ.DType), 64-t.typ.DType.Bits()
	if t.typ.DType.IsSigned() {
		return int64(u<<shift) >> shift
	}
	return int64(u << shift >> shift)
}

// word reads the bits of a number: one byte if they fit.
func (a *artifact) word(c *bytecode.Cursor, d tensor.DType) uint64 {
	if d.Bits() <= 8 {
		return uint64(c.Byte())
	}
	return uint64(c.Int())
}

// float reads the type and the bits of a float.
func (a *artifact) float(c *bytecode.Cursor) any {
	i := c.Type()
	if c.Err() != nil {
		return nil
	}
	t := a.typ(i)
	if t.refusal != nil || t.tensor || !t.typ.DType.IsFloat() {
		c.Fail("floats of type %s are not supported", t.text)
		return nil
	}
	return floatOfBits(t.typ.DType, a.word(c, t.typ.DType))
}

// denseArray reads array<i64: 1, 2>.
func (a *artifact) denseArray(c *bytecode.Cursor) any {
	i, n, raw := c.Type(), c.Uint(), c.Blob()
	if c.Err() != nil {
		return nil
	}
	t := a.typ(i)
	d := t.typ.DType
	if t.refusal != nil || t.tensor || t.fn != nil || d.IsComplex() || n != uint64(len(raw)/max(1, d.Bits()/8)) {
		c.Fail("an array of %d bytes does not hold %d elements of type %s", len(raw), n, t.text)
		return nil
	}
	arr := tensor.NewArray(tensor.Type{DType: d, Shape: tensor.Shape{int(n)}})
	put(arr.Data, 0, raw[:int(n)*max(1, d.Bits()/8)])
	switch {
	case d == tensor.Bool:
		return arr.Data
	case d.IsInt():
		v, _ := toInts(arr)
		return v
	}
	rest := make([]any, n)
	for i := range rest {
		rest[i] = floatOfBits(d, arr.Words()[i])
	}
	return rest
}

// accuracy reads the required accuracy of a result: two tolerances, units in the last place, and
// the mode.
func (a *artifact) accuracy(c *bytecode.Cursor) any {
	atol, rtol := math.Float64frombits(uint64(c.Int())), math.Float64frombits(uint64(c.Int()))
	ulps, i := c.Int(), c.Attr()
	if c.Err() != nil {
		return nil
	}
	mode, _ := a.attr(i).(Enum)
	var b strings.Builder
	b.WriteString("#stablehlo.result_accuracy<")
	for _, f := range []struct {
		name string
		v    float64
	}{{"atol", atol}, {"rtol", rtol}} {
		if f.v != 0 {
			fmt.Fprintf(&b, "%s = %e, ", f.name, f.v)
		}
	}
	if ulps != 0 {
		fmt.Fprintf(&b, "ulps = %d, ", ulps)
	}
	fmt.Fprintf(&b, "mode = #stablehlo.result_accuracy_mode<%s>>", mode)
	return Opaque(b.String())
}

// commas formats numbers separated by commas.
func commas(v []int64) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(v), "[]"), " ", ", ")
}

// elements reads the type and the bytes of dense elements, little endian. The bytes of a single
// element mean a splat. Booleans are packed, lowest bit first, or take a byte each.
func (a *artifact) elements(c *bytecode.Cursor) any {
	i, raw := c.Type(), c.Blob()
	if c.Err() != nil {
		return nil
	}
	e := a.typ(i)
	if !e.tensor {
		if e.refusal != nil {
			panic(bail{locate(e.refusal, a.pos, a.p.op)})
		}
		c.Fail("dense elements have type %s", e.text)
		return nil
	}
	t := e.typ
	n, width := t.Shape.Size(), max(1, t.DType.Bits()/8)
	switch {
	case t.DType == tensor.Bool && len(raw) == 1 && n > 8, len(raw) == width && n > 1 && t.DType != tensor.Bool:
		one := tensor.NewArray(scalar(t.DType))
		put(one.Data, 0, raw)
		return repeated(one, t)
	case t.DType == tensor.Bool && len(raw) == (n+7)/8:
		return unpack(raw, t)
	case len(raw)/width != n || len(raw)%width != 0:
		c.Fail("%v has %d bytes of elements, but takes %d", t, len(raw), byteSize(t))
		return nil
	}
	v := tensor.NewArray(t)
	put(v.Data, 0, raw)
	return v
}
