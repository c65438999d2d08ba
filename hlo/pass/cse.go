package pass

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// common is common subexpression elimination: equal operations in a block or its enclosing blocks,
// with equal operands, attributes and regions, are executed once; this includes calls. Of two
// complementary comparisons of a pair one becomes the negation of the other, which is free on
// secrets. Exact.
var common = Pass{"common", "common subexpression elimination", func(e *editor) {
	c := &cse{editor: e, ids: map[*hlo.Value]int{}, nans: map[*hlo.Value]bool{}}
	for _, f := range e.prog.Funcs {
		c.block(f.Body, nil)
	}
}}

type cse struct {
	*editor
	ids  map[*hlo.Value]int
	nans map[*hlo.Value]bool // results of comparesNaN
}

// table holds the operations of a block and of its enclosing blocks by key.
type table struct {
	outer *table
	ops   map[string]*hlo.Op
}

func (t *table) get(key string) *hlo.Op {
	for ; t != nil; t = t.outer {
		if o := t.ops[key]; o != nil {
			return o
		}
	}
	return nil
}

func (c *cse) block(b *hlo.Block, outer *table) {
	t := &table{outer, map[string]*hlo.Op{}}
	s := &site{editor: c.editor, block: b}
	for _, o := range b.Ops {
		c.alive()
		c.refresh(o)
		eachRegionOp(o, c.refresh)
		s.at = o
		if isReturn(o) || !c.pure(o) {
			s.out = append(s.out, o)
			c.regions(o, t)
			continue
		}
		key := c.key(o)
		if first := t.get(key); first != nil {
			for i, r := range o.Results {
				c.replace(r, first.Results[i])
			}
			continue
		}
		t.ops[key] = o
		if contrary := c.complement(o, t); contrary != nil {
			s.replaceResult(o, s.emitLike(hlo.OpNot, contrary.Results[0]))
			continue
		}
		s.out = append(s.out, o)
		c.regions(o, t)
	}
	b.Ops = s.out
}

func eachRegionOp(o *hlo.Op, f func(o *hlo.Op)) {
	for _, r := range o.Regions {
		eachIn(r, f)
	}
}

func (c *cse) regions(o *hlo.Op, t *table) {
	if o.Is(hlo.Control) {
		for _, r := range o.Regions {
			c.block(r, t)
		}
	}
}

// complements maps a direction to the complementary one. Those of an order are complementary only if no operand
// is NaN.
var complements = map[string]hlo.Enum{"LT": "GE", "GE": "LT", "GT": "LE", "LE": "GT", "EQ": "NE", "NE": "EQ"}

// complement returns an existing comparison that is true exactly where o is false.
func (c *cse) complement(o *hlo.Op, t *table) *hlo.Op {
	if o.Name != hlo.OpCompare || c.vis[o.Results[0]] != hlo.Secret {
		return nil
	}
	dir := o.Attrs.Str("comparison_direction")
	if dir != "EQ" && dir != "NE" && (c.comparesNaN(o.Operands[0], 0) || c.comparesNaN(o.Operands[1], 0)) {
		return nil
	}
	other := *o
	other.Attrs = hlo.Attrs{}
	for k, v := range o.Attrs {
		other.Attrs[k] = v
	}
	other.Attrs["comparison_direction"] = complements[dir]
	return t.get(c.key(&other))
}

// comparesNaN reports whether v may have a NaN that a comparison would see: v is public, or a party computes it in cleartext, and what
// computes it can make NaN of numbers. Inputs have no NaN, nor have results computed on shares. depth is the number of operations between v
// and the comparison; behind deepest of them anything may be NaN.
func (c *cse) comparesNaN(v *hlo.Value, depth int) bool {
	has, known := c.nans[v]
	if !known {
		has = depth > deepest || c.mayHaveNaN(v, depth+1)
		c.nans[v] = has
	}
	return has
}

// deepest bounds the recursion of comparesNaN.
const deepest = 1000

// mayHaveNaN is comparesNaN without its memory.
func (c *cse) mayHaveNaN(v *hlo.Value, depth int) bool {
	if x, ok := c.splat(v); !v.Type.DType.IsFloat() || ok && x == x {
		return false
	}
	if c.vis[v] == hlo.Public {
		return true
	}
	o := c.def[v]
	if o == nil { // an input, or what a loop carries
		return c.vis[v] != hlo.Secret && !slices.Contains(c.prog.Main.Body.Params, v)
	}
	any := func(from ...*hlo.Value) bool {
		return slices.ContainsFunc(from, func(v *hlo.Value) bool { return c.comparesNaN(v, depth) })
	}
	switch {
	case o.Is(hlo.Structured): // of a secret too: copies are compared as what they were copied from
		return any(o.Operands...)
	case c.vis[v] == hlo.Secret:
		return o.Name == hlo.OpSelect && any(o.Operands[1:]...)
	case o.Name == hlo.OpConvert, o.Name == hlo.OpAbs, o.Name == hlo.OpMaximum, o.Name == hlo.OpMinimum, o.Name == hlo.OpClamp,
		o.Name == hlo.OpSelect:
		return any(o.Operands...)
	case o.Name == hlo.OpDivide:
		k, ok := c.splat(o.Operands[1])
		return !ok || k == 0 || any(o.Operands[0])
	}
	for i := range o.Operands { // sums and products of what a ring can hold stay finite
		if !o.LinearOperand(i) || any(o.Operands[i]) {
			return true
		}
	}
	return false
}

// key returns a string of everything that an operation's results depend on.
func (c *cse) key(o *hlo.Op) string {
	operands := slices.Clone(o.Operands)
	attrs := o.Attrs
	switch {
	case o.Is(hlo.Commutative) && c.id(operands[0]) > c.id(operands[1]):
		slices.Reverse(operands)
	case o.Name == hlo.OpCompare:
		dir := attrs.Str("comparison_direction")
		swap := dir == "GT" || dir == "GE"
		if swap || (dir == "EQ" || dir == "NE") && c.id(operands[0]) > c.id(operands[1]) {
			slices.Reverse(operands)
		}
		if swap {
			attrs = hlo.Attrs{"comparison_direction": hlo.Enum(hlo.MirroredDirection(dir)), "compare_type": o.Attrs["compare_type"]}
		}
	}
	var b strings.Builder
	c.write(&b, o, operands, attrs, c.id)
	return b.String()
}

func (c *cse) id(v *hlo.Value) int {
	n, ok := c.ids[v]
	if !ok {
		n = len(c.ids)
		c.ids[v] = n
	}
	return n
}

// write appends an operation to a key. Values defined in its regions are named by their order.
func (c *cse) write(b *strings.Builder, o *hlo.Op, operands []*hlo.Value, attrs hlo.Attrs, id func(*hlo.Value) int) {
	b.WriteString(o.Name)
	for _, v := range operands {
		fmt.Fprintf(b, " %d", id(v))
	}
	names := make([]string, 0, len(attrs))
	for n, v := range attrs {
		if v != nil {
			names = append(names, n)
		}
	}
	sort.Strings(names)
	for _, n := range names {
		if s, ok := attrs[n].(*hlo.Splat); ok {
			fmt.Fprintf(b, " %s=%v of %x", n, s.Type, elementBytes(s.One))
			continue
		}
		if arr, ok := attrs[n].(*tensor.Array); ok {
			if arr.Len() > maxInspected {
				fmt.Fprintf(b, " %s=%p", n, arr)
				continue
			}
			fmt.Fprintf(b, " %s=%v %x", n, arr.Type, sha256.Sum256(elementBytes(arr)))
			continue
		}
		fmt.Fprintf(b, " %s=%#v", n, printable(attrs[n]))
	}
	for _, v := range o.Results {
		fmt.Fprintf(b, " :%v", v.Type)
	}
	local := map[*hlo.Value]int{}
	in := func(v *hlo.Value) int {
		if n, ok := local[v]; ok {
			return -n
		}
		return id(v)
	}
	define := func(vs []*hlo.Value) {
		for _, v := range vs {
			local[v] = len(local) + 1
		}
	}
	var region func(r *hlo.Block)
	region = func(r *hlo.Block) {
		b.WriteString("{")
		define(r.Params)
		for _, v := range r.Params {
			fmt.Fprintf(b, " %v", v.Type)
		}
		for _, inner := range r.Ops {
			define(inner.Results)
			c.write(b, inner, inner.Operands, inner.Attrs, in)
			b.WriteString(";")
		}
		b.WriteString("}")
	}
	for _, r := range o.Regions {
		region(r)
	}
}

// elementBytes returns the bytes of an array's elements.
func elementBytes(a *tensor.Array) []byte {
	raw, err := binary.Append(nil, binary.LittleEndian, a.Data)
	if err != nil {
		panic("pass: constant of unknown type")
	}
	return raw
}

// printable dereferences attributes that are pointers.
func printable(v any) any {
	switch v := v.(type) {
	case *hlo.DotDims:
		return *v
	case *hlo.ConvDims:
		return *v
	case *hlo.GatherDims:
		return *v
	case *hlo.ScatterDims:
		return *v
	}
	return v
}
