package bytecode

// Op is an operation, with its types and attributes as indices.
type Op struct {
	Name     string   // with its dialect prefix: "vhlo.add_v1"
	Number   int      // position in the file, from 1
	Loc      int      // index in File.Attrs of its location
	Attrs    int      // index in File.Attrs of its dictionary of attributes, −1 if there is none
	Results  []int    // indices in File.Types, one for each result
	Operands []uint64 // numbers of the values that it reads (see Region)
	Isolated bool     // whether its regions use no values from outside
	Regions  []Region // the operation's regions

	props    span
	hasProps bool
}

// Region is a region of an operation. The values that it defines are numbered from the first free number at its
// position (0 for an isolated region): first its own, Values in total, in the order of the file, then those of nested
// regions.
type Region struct {
	Values uint64 // number of values that the region's own blocks define
	Blocks []Block
}

// Block is a block of operations with its parameters, in the order of the file.
type Block struct {
	Args []Arg
	Ops  []*Op
}

// Arg is a parameter of a block.
type Arg struct {
	Type int // index in File.Types
	Loc  int // index in File.Attrs of its location, −1 if unknown
}

// maxDepth is the maximum nesting depth of regions.
const maxDepth = 100

// Properties returns a cursor at the beginning of an operation's properties, nil if it has none.
func (f *File) Properties(o *Op) *Cursor {
	if !o.hasProps {
		return nil
	}
	return f.cursor(o.props)
}

// Bits of an operation's flags: the optional parts that it has.
const (
	hasAttrs = 1 << iota
	hasResults
	hasOperands
	hasSuccessors
	hasRegions
	hasUses
	hasProperties
)

// IR decodes the operations of the file and returns the block that contains the module's operation.
func (f *File) IR() (Block, error) {
	r := &irReader{f: f}
	c := f.ir
	b := r.block(&c)
	if c.err == nil && !c.Empty() {
		c.Fail("the operations end before their section")
	}
	return b, c.err
}

// irReader decodes operations.
type irReader struct {
	f     *File
	depth int
	ops   int
}

func (r *irReader) block(c *Cursor) Block {
	n, args := c.Flagged()
	var b Block
	if args {
		b.Args = r.args(c)
	}
	for n := c.checkCount(n); n > 0 && c.err == nil; n-- {
		b.Ops = append(b.Ops, r.op(c))
	}
	return b
}

func (r *irReader) args(c *Cursor) []Arg {
	out := make([]Arg, c.Count())
	for i := range out {
		t, located := c.Uint(), true
		if r.f.Version >= versionElide {
			t, located = t>>1, t&1 != 0
		}
		out[i] = Arg{c.checkBelow(t, len(r.f.Types), "type"), -1}
		if located {
			out[i].Loc = c.Attr()
		}
	}
	if r.f.Version >= versionUses && c.Byte() != 0 {
		r.uses(c, len(out))
	}
	return out
}

// uses skips the use-list orders, which carry no meaning.
func (r *irReader) uses(c *Cursor, values int) {
	n := 1
	if values > 1 {
		n = c.Count()
	}
	for ; n > 0 && c.err == nil; n-- {
		if values > 1 {
			c.Uint()
		}
		numbers, _ := c.Flagged()
		for k := c.checkCount(numbers); k > 0; k-- {
			c.Uint()
		}
	}
}

func (r *irReader) op(c *Cursor) *Op {
	r.ops++
	o := &Op{Number: r.ops, Attrs: -1}
	if i := c.index(len(r.f.opNames), "operation's name"); c.err == nil {
		o.Name = r.f.opNames[i]
	}
	has := c.Byte()
	o.Loc = c.Attr()
	if has&hasAttrs != 0 {
		o.Attrs = c.Attr()
	}
	if has&hasProperties != 0 {
		if i := c.index(len(r.f.props), "properties"); c.err == nil {
			o.props, o.hasProps = r.f.props[i], true
		}
	}
	if has&hasResults != 0 {
		o.Results = c.Types()
	}
	if has&hasOperands != 0 {
		o.Operands = make([]uint64, c.Count())
		for i := range o.Operands {
			o.Operands[i] = c.Uint()
		}
	}
	if has&hasSuccessors != 0 {
		c.Fail("%s has successors, which are not supported", o.Name)
	}
	if has&hasUses != 0 {
		r.uses(c, len(o.Results))
	}
	if has&hasRegions != 0 {
		r.regions(c, o)
	}
	return o
}

func (r *irReader) region(c *Cursor) Region {
	var g Region
	blocks := c.Count()
	if blocks > 0 {
		g.Values = c.Uint()
	}
	for ; blocks > 0 && c.err == nil; blocks-- {
		g.Blocks = append(g.Blocks, r.block(c))
	}
	return g
}

// regions decodes an operation's regions; isolated regions are in a section of their own.
func (r *irReader) regions(c *Cursor, o *Op) {
	if r.depth++; r.depth > maxDepth {
		c.Fail("regions are nested more than %d deep", maxDepth)
	}
	n, isolated := c.Flagged()
	o.Isolated = isolated
	in := c
	if isolated && r.f.Version >= versionLazy {
		id, s := c.section()
		if id != sectionIR {
			c.Fail("a section of operations should stand here")
			return
		}
		in = r.f.cursor(s)
	}
	for n := in.checkCount(n); n > 0 && in.err == nil; n-- {
		o.Regions = append(o.Regions, r.region(in))
	}
	if in != c {
		if in.err == nil && !in.Empty() {
			in.Fail("regions end before their section")
		}
		if in.err != nil && c.err == nil {
			c.err, c.data = in.err, nil
		}
	}
	r.depth--
}
