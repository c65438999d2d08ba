package model

import (
	"io"
)

// Read reads a model of size bytes from r, which must stay readable while the Model is used: the content of large
// tensors is read on demand. Errors are *Error.
func Read(r io.ReaderAt, size int64) (m *Model, err error) {
	defer caught(&err)
	c := &cursor{r: r, end: size}
	m = &Model{Opsets: map[string]int64{}, Metadata: map[string]string{}}
	c.each(func(field, wire int) bool {
		switch field {
		case 1:
			m.IR = c.int(wire)
		case 2:
			m.Producer = c.str(wire)
		case 7:
			if m.Graph != nil {
				c.fail("a model has one graph")
			}
			m.Graph = c.graph(wire, "graph", -1)
		case 8:
			c.opset(wire, m.Opsets)
		case 14:
			key, value := c.entry(wire, "metadata_props")
			m.Metadata[key] = value
		case 25:
			m.Functions = append(m.Functions, c.function(wire, len(m.Functions)))
		default:
			return false
		}
		return true
	})
	return m, nil
}

// ReadTensor reads a serialised tensor of size bytes from r, which must stay readable while the Tensor is used. Errors
// are *Error.
func ReadTensor(r io.ReaderAt, size int64) (t *Tensor, err error) {
	defer caught(&err)
	c := &cursor{r: r, end: size}
	t = &Tensor{}
	c.tensorFields(t)
	return t, nil
}

// caught returns the error of a reading that ended early.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case bail:
		*err = r.err
	default:
		panic(r)
	}
}

// opset reads the version of an operator set.
func (c *cursor) opset(wire int, to map[string]int64) {
	domain, version := "", int64(0)
	c.message(wire, "opset_import", -1, func(field, wire int) bool {
		switch field {
		case 1:
			domain = c.str(wire)
		case 2:
			version = c.int(wire)
		default:
			return false
		}
		return true
	})
	to[plainDomain(domain)] = version
}

// plainDomain is a domain's name; the default domain has two.
func plainDomain(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

// entry reads a key and its value.
func (c *cursor) entry(wire int, name string) (key, value string) {
	c.message(wire, name, -1, func(field, wire int) bool {
		switch field {
		case 1:
			key = c.str(wire)
		case 2:
			value = c.str(wire)
		default:
			return false
		}
		return true
	})
	return key, value
}

// names are the names of values that the nodes and initialisers of a graph, or the attributes of a node, have so far.
type names map[string]bool

// distinct adds names of part number index, and fails if there is one already. "" is no name.
func (c *cursor) distinct(have names, part string, index int, add ...string) {
	for _, name := range add {
		if name != "" && have[name] {
			c.path = append(c.path, step{part, index})
			c.fail("the name %.80q is used twice", name)
		}
		have[name] = true
	}
}

func (c *cursor) graph(wire int, name string, index int) *Graph {
	g, made := &Graph{}, names{}
	c.message(wire, name, index, func(field, wire int) bool {
		switch field {
		case 1:
			n := c.node(wire, len(g.Nodes))
			n.Number = len(g.Nodes)
			c.distinct(made, "node", n.Number, n.Outputs...)
			g.Nodes = append(g.Nodes, n)
		case 2:
			g.Name = c.str(wire)
		case 5:
			t := c.tensor(wire, "initializer", len(g.Initializers))
			c.distinct(made, "initializer", len(g.Initializers), t.Name)
			g.Initializers = append(g.Initializers, t)
		case 11:
			g.Inputs = append(g.Inputs, c.value(wire, "input", len(g.Inputs)))
		case 12:
			g.Outputs = append(g.Outputs, c.value(wire, "output", len(g.Outputs)))
		case 15:
			g.Sparse++
			return false
		default:
			return false
		}
		return true
	})
	return g
}

func (c *cursor) value(wire int, name string, index int) *Value {
	v := &Value{}
	c.message(wire, name, index, func(field, wire int) bool {
		switch field {
		case 1:
			v.Name = c.str(wire)
		case 2:
			c.typeProto(wire, &v.Type)
		default:
			return false
		}
		return true
	})
	return v
}

// typeProto reads the type of a value.
func (c *cursor) typeProto(wire int, t *Type) {
	c.message(wire, "type", -1, func(field, wire int) bool {
		switch field {
		case 1:
			t.Kind = TensorKind
			c.message(wire, "tensor_type", -1, func(field, wire int) bool {
				switch field {
				case 1:
					t.Elem = int32(c.int(wire))
				case 2:
					t.Ranked = true
					c.shape(wire, t)
				default:
					return false
				}
				return true
			})
			return true
		case 4:
			t.Kind = Sequence
		case 5:
			t.Kind = Map
		case 8:
			t.Kind = Sparse
		case 9:
			t.Kind = Optional
		}
		return false
	})
}

// maxDims is the largest number of dimensions of a tensor.
const maxDims = 64

// dimensions fails if a tensor has more than maxDims dimensions, of which messages would list all.
func (c *cursor) dimensions(n int) {
	if n > maxDims {
		c.fail("a tensor has more than %d dimensions", maxDims)
	}
}

func (c *cursor) shape(wire int, t *Type) {
	c.message(wire, "shape", -1, func(field, wire int) bool {
		if field != 1 {
			return false
		}
		d := Dim{Size: -1}
		c.message(wire, "dim", len(t.Dims), func(field, wire int) bool {
			switch field {
			case 1:
				d.Size = c.int(wire)
			case 2:
				d.Param = c.str(wire)
			default:
				return false
			}
			return true
		})
		t.Dims = append(t.Dims, d)
		c.dimensions(len(t.Dims))
		return true
	})
}

func (c *cursor) node(wire, index int) *Node {
	n, attributes := &Node{}, names{}
	c.message(wire, "node", index, func(field, wire int) bool {
		switch field {
		case 1:
			n.Inputs = append(n.Inputs, c.str(wire))
		case 2:
			n.Outputs = append(n.Outputs, c.str(wire))
		case 3:
			n.Name = c.str(wire)
		case 4:
			n.Op = c.str(wire)
		case 5:
			a := c.attr(wire, "attribute", len(n.Attrs))
			c.distinct(attributes, "attribute", len(n.Attrs), a.Name)
			n.Attrs = append(n.Attrs, a)
		case 7:
			n.Domain = plainDomain(c.str(wire))
		default:
			return false
		}
		return true
	})
	return n
}

func (c *cursor) attr(wire int, name string, index int) *Attr {
	a := &Attr{}
	c.message(wire, name, index, func(field, wire int) bool {
		switch field {
		case 1:
			a.Name = c.str(wire)
		case 2:
			c.want(wire, wireFixed32)
			a.Float = c.float()
		case 3:
			a.Int = c.int(wire)
		case 4:
			a.String = c.str(wire)
		case 5:
			a.Tensor = c.tensor(wire, "t", -1)
		case 6:
			a.Graph = c.graph(wire, "g", -1)
		case 7:
			a.Floats = c.floats(a.Floats, wire)
		case 8:
			a.Ints = c.varints(a.Ints, wire)
		case 9:
			a.Strings = append(a.Strings, c.str(wire))
		case 20:
			a.Type = AttrType(c.int(wire))
		case 21:
			a.Ref = c.str(wire)
		default:
			return false
		}
		return true
	})
	return a
}

func (c *cursor) function(wire, index int) *Function {
	f, made := &Function{Opsets: map[string]int64{}}, names{}
	c.message(wire, "functions", index, func(field, wire int) bool {
		switch field {
		case 1:
			f.Name = c.str(wire)
		case 4:
			f.Inputs = append(f.Inputs, c.str(wire))
		case 5:
			f.Outputs = append(f.Outputs, c.str(wire))
		case 7:
			n := c.node(wire, len(f.Nodes))
			n.Number = len(f.Nodes)
			c.distinct(made, "node", n.Number, n.Outputs...)
			f.Nodes = append(f.Nodes, n)
		case 9:
			c.opset(wire, f.Opsets)
		case 10:
			f.Domain = plainDomain(c.str(wire))
		case 11:
			f.Defaults = append(f.Defaults, c.attr(wire, "attribute_proto", len(f.Defaults)))
		default:
			return false
		}
		return true
	})
	return f
}
