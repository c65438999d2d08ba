package hlo

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo/bytecode"
	"github.com/tacet-mpc/tacet/tensor"
)

// entries caches the decoded attributes and types of an artifact, which operations share.
type entries struct {
	attrs  []*meaning
	types  []*typeEntry
	ints   map[int][]int64
	places map[int]location
}

func newEntries(f *bytecode.File) entries {
	return entries{
		attrs:  make([]*meaning, len(f.Attrs)),
		types:  make([]*typeEntry, len(f.Types)),
		ints:   map[int][]int64{},
		places: map[int]location{},
	}
}

// typeEntry is a type of an artifact: a tensor, an element type, a function type, or an unsupported
// type.
type typeEntry struct {
	text    string // name of an element type: "f32"
	tensor  bool
	typ     tensor.Type // of a tensor; for element types without shape
	index   bool        // the element type is index
	fn      *funcType
	refusal error // why no value can have this type
}

// typ returns type i.
func (a *artifact) typ(i int) *typeEntry {
	if t := a.seen.types[i]; t != nil {
		return t
	}
	if a.p.depth++; a.p.depth > maxNesting {
		a.stop("types are nested more than %d deep", maxNesting)
	}
	e := a.file.Types[i]
	c := a.file.Cursor(e)
	var t *typeEntry
	switch {
	case !e.Custom:
		t = unsupportedType(shorten(e.Text()))
	case e.Dialect == "vhlo":
		t = a.vhloType(c)
	case e.Dialect == "builtin":
		t = a.builtinType(c)
	default:
		t = unsupportedType("of dialect " + e.Dialect)
	}
	a.check(c)
	a.p.depth--
	a.seen.types[i] = t
	return t
}

// check fails if a cursor has failed or has unread bytes.
func (a *artifact) check(c *bytecode.Cursor) {
	if c.Err() == nil && !c.Empty() {
		c.Fail("bytes are left over")
	}
	if c.Err() != nil {
		a.stop("%v", c.Err())
	}
}

func unsupportedType(text string) *typeEntry {
	return &typeEntry{text: text, refusal: advise("values are tensors of static shape", "type %s is not supported", text)}
}

// vhloElements are VHLO's types without parameters, by code.
var vhloElements = map[uint64]string{
	0: "i1", 2: "bf16", 3: "f16", 4: "f32", 5: "f64", 6: "f8E4M3FN", 7: "f8E5M2", 9: "index",
	10: "i4", 11: "i8", 12: "i16", 13: "i32", 14: "i64", 15: "ui4", 16: "ui8", 17: "ui16", 18: "ui32", 19: "ui64",
	27: "f8E4M3FNUZ", 28: "f8E5M2FNUZ", 29: "f8E4M3B11FNUZ", 31: "i2", 32: "ui2", 33: "none", 34: "tf32", 35: "f8E4M3", 36: "f8E3M4",
	37: "f4E2M1FN", 38: "f6E2M3FN", 39: "f6E3M2FN", 40: "f8E8M0FNU",
}

// vhloType reads a type of dialect vhlo.
func (a *artifact) vhloType(c *bytecode.Cursor) *typeEntry {
	code := c.Uint()
	switch code {
	case 1:
		return a.complexType(c)
	case 8:
		return a.functionType(c)
	case 20:
		return a.tensorOf(c)
	case 21:
		c.Attr()
		t := *a.tensorOf(c)
		t.tensor = false
		t.refusal = advise("export the program with static, dense tensors", "tensor encodings are not supported")
		return &t
	case 22:
		return &typeEntry{text: "!stablehlo.token", refusal: advise("export a program without side effects", "tokens are not supported")}
	case 23:
		c.Types()
		return &typeEntry{text: "tuple", refusal: advise("return several results instead", "tuples are not supported")}
	case 25:
		c.Type()
		return &typeEntry{text: "tensor", refusal: advise("export the program with concrete shapes", "dynamic shapes are not supported")}
	}
	if name, ok := vhloElements[code]; ok {
		return elementEntry(name)
	}
	c.Bytes(uint64(c.Left()))
	if code == 24 || code == 30 {
		return &typeEntry{text: "quant", refusal: advise("export the program in floating point", "quantized and other dialects' element types are not supported")}
	}
	return unsupportedType(fmt.Sprintf("%d of VHLO (written by %s)", code, a.file.Producer))
}

// builtinElements are the builtin dialect's types without parameters, by code.
var builtinElements = map[uint64]string{1: "index", 3: "bf16", 4: "f16", 5: "f32", 6: "f64", 12: "none"}

// builtinType reads a type of the builtin dialect.
func (a *artifact) builtinType(c *bytecode.Cursor) *typeEntry {
	code := c.Uint()
	switch code {
	case 0:
		// The lowest two bits are the signedness: 0 signless, 1 signed, 2 unsigned.
		n := c.Uint()
		name := fmt.Sprintf("i%d", n>>2)
		if n&3 == 2 {
			name = "u" + name
		}
		return elementEntry(name)
	case 2:
		return a.functionType(c)
	case 9:
		return a.complexType(c)
	case 13:
		return a.tensorOf(c)
	}
	if name, ok := builtinElements[code]; ok {
		return elementEntry(name)
	}
	c.Bytes(uint64(c.Left()))
	return unsupportedType(fmt.Sprintf("%d of MLIR's builtin dialect", code))
}

// elementEntry returns the entry of an element type.
func elementEntry(name string) *typeEntry {
	t := &typeEntry{text: name, index: name == "index"}
	d := tensor.I64
	var err error
	if !t.index {
		d, err = tensor.ParseDType(name)
	}
	t.typ.DType = d
	if err != nil {
		t.refusal = badElement(name)
	}
	return t
}

func badElement(name string) error {
	return advise("use i1, i8 to i64, ui8 to ui64, f16, bf16, f32, f64 or complex", "element type %s is not supported", shorten(name))
}

func (a *artifact) complexType(c *bytecode.Cursor) *typeEntry {
	i := c.Type()
	if c.Err() != nil {
		return nil
	}
	return elementEntry("complex<" + a.typ(i).text + ">")
}

// functionType reads the types of parameters and results.
func (a *artifact) functionType(c *bytecode.Cursor) *typeEntry {
	in, out := c.Types(), c.Types()
	t := &typeEntry{text: "function", fn: &funcType{}, refusal: advise("values are tensors of static shape", "a function is not a value")}
	if c.Err() != nil {
		return t
	}
	for _, i := range in {
		t.fn.operands = append(t.fn.operands, a.valueType(i))
	}
	for _, i := range out {
		t.fn.results = append(t.fn.results, a.valueType(i))
	}
	return t
}

// tensorOf reads a tensor's shape and element type.
func (a *artifact) tensorOf(c *bytecode.Cursor) *typeEntry {
	dims := c.Ints()
	elem := c.Type()
	t := &typeEntry{text: "tensor"}
	if c.Err() != nil {
		return t
	}
	e := a.typ(elem)
	t.index, t.refusal = e.index, e.refusal
	switch {
	case e.tensor || e.fn != nil:
		t.refusal = badElement(e.text)
	case len(dims) > maxRank:
		t.refusal = fmt.Errorf("the type has more than %d dimensions", maxRank)
	}
	shape := make(tensor.Shape, 0, min(len(dims), maxRank))
	for _, d := range dims {
		switch {
		case t.refusal != nil:
		case d < 0:
			t.refusal = advise("export the program with concrete shapes", "dynamic shapes are not supported")
		case d > tensor.MaxElements:
			t.refusal = fmt.Errorf("dimension %d is larger than 2^40", d)
		default:
			shape = append(shape, int(d))
		}
	}
	t.typ = tensor.Type{DType: e.typ.DType, Shape: shape}
	if t.refusal == nil && shape.Check() != nil {
		t.refusal = fmt.Errorf("the tensor holds more than 2^40 elements")
	}
	t.tensor = t.refusal == nil
	return t
}
