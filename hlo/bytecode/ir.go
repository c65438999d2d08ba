package bytecode

// Op is one operation.
type Op struct {
	Name     string // with its dialect: "vhlo.add_v1"
	Number   int    // counts from 1 in the order of the file
	Loc      int    // the number of an attribute
	Attrs    int    // the number of a dictionary attribute, -1 where there is none
	Results  []int  // types
	Operands []uint64
	Isolated bool // its regions use no values from outside
	Regions  []Region

	props    span
	hasProps bool
}

// Region is a region. The values that it defines take the numbers from the
// first that is free where the region stands (0 in an isolated one): first its
// own, Values in all, in the order of the file, then those of the regions
// within it.
type Region struct {
	Values uint64
	Blocks []Block
}

// Block is a block.
type Block struct {
	Args []Arg
	Ops  []*Op
}

// Arg is a block's argument.
type Arg struct {
	Type int
	Loc  int // the number of an attribute, -1 where it is unknown
}

// maxDepth bounds how deep regions stand within each other.
const maxDepth = 100

// Properties reads an operation's properties; nil where it has none.
func (f *File) Properties(o *Op) *Cursor {
	if !o.hasProps {
		return nil
	}
	return f.cursor(o.props)
}

// The parts that an operation may have.
const (
	hasAttrs = 1 << iota
	hasResults
	hasOperands
	hasSuccessors
	hasRegions
	hasUses
	hasProperties
)

// IR reads the file's operations: one block, which holds the module.
func (f *File) IR() (Block, error) {
	r := &irReader{f: f}
	c := f.ir
	b := r.block(&c)
	if c.err == nil && !c.Empty() {
		c.Fail("the operations end before their section")
	}
	return b, c.err
}

// irReader reads operations.
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
	for n := c.fits(n); n > 0 && c.err == nil; n-- {
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
		out[i] = Arg{c.below(t, len(r.f.Types), "type"), -1}
		if located {
			out[i].Loc = c.Attr()
		}
	}
	if r.f.Version >= versionUses && c.Byte() != 0 {
		r.uses(c, len(out))
	}
	return out
}

// uses moves over the orders in which values are used, which mean nothing.
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
		for k := c.fits(numbers); k > 0; k-- {
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

// regions reads an operation's regions; isolated ones stand in a section.
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
	for n := in.fits(n); n > 0 && in.err == nil; n-- {
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
