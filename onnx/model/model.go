package model

// Model is the content of an ONNX file: a graph, functions, and the version of each operator set that their nodes use.
type Model struct {
	IR        int64             // version of the format
	Producer  string            // name of the program that wrote the file
	Opsets    map[string]int64  // version by domain; the default domain is ""
	Graph     *Graph            // nil if the file has none
	Functions []*Function       // functions that nodes call by domain and name
	Metadata  map[string]string // metadata_props
}

// Graph is a list of nodes with inputs, outputs and constant tensors.
type Graph struct {
	Name         string
	Nodes        []*Node
	Initializers []*Tensor
	Sparse       int // number of sparse initialisers
	Inputs       []*Value
	Outputs      []*Value
}

// Value declares an input or an output of a graph.
type Value struct {
	Name string
	Type Type
}

// Kind is the kind of a value.
type Kind uint8

// The kinds of values that a Type describes.
const (
	Unknown    Kind = iota // the file does not say
	TensorKind             // a dense tensor
	Sequence               // a list of values
	Map                    // keys with values
	Optional               // a value or none
	Sparse                 // a sparse tensor
)

// Type is the declared type of a value.
type Type struct {
	Kind Kind
	Elem int32 // of a tensor: the element type, a number of TensorProto.DataType
	Dims []Dim // of a tensor with Ranked
	// Ranked says that the file has the tensor's shape. If not, Dims is nil.
	Ranked bool
}

// Dim is one dimension of a declared shape: a size, the name of a size, or neither.
type Dim struct {
	Size  int64  // -1 if the file does not say
	Param string // "" if Size is known or the file names none
}

// Node is one use of an operation in a graph.
type Node struct {
	Name, Op, Domain string
	Inputs, Outputs  []string // "" for one that is left out
	Attrs            []*Attr
	Number           int // number of the node in its graph
}

// Attr returns the attribute with the given name; nil if the node has none.
func (n *Node) Attr(name string) *Attr {
	for _, a := range n.Attrs {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// AttrType is the type of an attribute, by its number in AttributeProto.AttributeType.
type AttrType int32

// The types of attributes. The names are those of AttributeProto.AttributeType, such as FLOATS for AttrFloats.
const (
	AttrFloat     AttrType = 1
	AttrInt       AttrType = 2
	AttrString    AttrType = 3
	AttrTensor    AttrType = 4
	AttrGraph     AttrType = 5
	AttrFloats    AttrType = 6
	AttrInts      AttrType = 7
	AttrStrings   AttrType = 8
	AttrTensors   AttrType = 9
	AttrGraphs    AttrType = 10
	AttrTypeProto AttrType = 13
)

// Attr is an attribute of a node. Type says which of the fields after it holds the value.
type Attr struct {
	Name    string
	Ref     string // of a function's node: the function's attribute that provides the value; "" for none
	Type    AttrType
	Float   float32
	Int     int64
	String  string
	Tensor  *Tensor
	Graph   *Graph
	Floats  []float32
	Ints    []int64
	Strings []string
}

// Function is a function that a file defines and nodes call by its name and domain.
type Function struct {
	Name, Domain    string
	Inputs, Outputs []string
	Defaults        []*Attr // attributes with default values
	Nodes           []*Node
	Opsets          map[string]int64
}
