package hlo

import (
	"math"
	"slices"
)

// Traits are properties that every instance of an operation has. The registry holds them, so that a pass asks for a
// property and needs no list of names of its own. An operation without an entry has no traits.
type Traits uint32

// The traits. A trait is a bit of Traits; several are combined with |.
const (
	// Elementwise says that an element of the result depends on the elements at its place in the operands only, and
	// that the result has the shape of the operands. The predicate of a select and the bounds of a clamp may be
	// scalars. A bitcast_convert is elementwise only between types of one width; it is always so on scalars.
	Elementwise Traits = 1 << iota
	// Structured says that the elements of the result are copies of elements of the data operands (LinearOperand) and
	// that the other operands are indices. Nothing is computed.
	Structured
	// Moving says that the operation is Structured, with operand 0 as the only data operand.
	Moving
	// Commutative says that the two operands may be exchanged.
	Commutative
	// Contraction says that the results are sums of products of elements of two operands.
	Contraction
	// Expensive says that on secrets the operation costs a comparison, a look-up or a bit decomposition even if all
	// operands but one are public constants. Every such operation is Elementwise and has operands and results of one
	// shape.
	Expensive
	// Precise says that the last bits of a result come from the last bits of the operands, as in sums and selections;
	// the operation changes the size of numbers, if at all, by a factor.
	Precise
	// Pure says that the results depend on operands, attributes, regions and callees only, and that there is no other
	// effect. The operation may be removed, repeated or merged if its regions and callees are pure as well.
	Pure
	// Branch says that the operation runs one of its regions.
	Branch
	// Control says that the operation runs its regions as blocks of the program: it is a branch or a loop.
	Control
	// Collective says that the operation exchanges values between replicas.
	Collective
	// Alias says that the operation is a second form of another one, to which Op.Canonical changes it. No program
	// that Parse or package build returns has one.
	Alias
	// Underived says that package hlo/grad has no rule for the operation: a derivative that leads through it is refused.
	Underived
)

// Has reports whether the operation with the given full name has all traits of t. It is false for an unknown name.
func Has(name string, t Traits) bool {
	d := registry[name]
	return d != nil && d.traits&t == t
}

// Is reports whether the operation has all given traits.
func (o *Op) Is(t Traits) bool { return Has(o.Name, t) }

// With returns the sorted names of the operations that have all traits of t.
func With(t Traits) []string {
	return slices.DeleteFunc(Operations(), func(name string) bool { return !Has(name, t) })
}

// all stands for all operands in opDef.linear.
var all = []int{-1}

// LinearOperand reports whether the operation is linear in operand i while the other operands are fixed. Of a
// Structured operation these are the data operands. A reduction, a scatter and the like are linear if their regions
// are.
func (o *Op) LinearOperand(i int) bool {
	d := registry[o.Name]
	return d != nil && i < len(o.Operands) && (slices.Contains(d.linear, i) || slices.Equal(d.linear, all))
}

// direction is where a function of one operand is monotone.
type direction struct {
	sign     int // +1 increasing, -1 decreasing, 0 neither
	from, to float64
}

// increasing and decreasing declare functions that are monotone on the reals from … to.
func increasing(from, to float64) direction { return direction{+1, from, to} }
func decreasing(from, to float64) direction { return direction{-1, from, to} }

var inf = math.Inf(1)

// Monotone returns sign = +1 if the operation has one operand and increases with it from from to to, the range of
// reals for which it is defined; −1 if it decreases there; and 0 for any other operation.
func (o *Op) Monotone() (sign int, from, to float64) {
	if d := registry[o.Name]; d != nil {
		return d.monotone.sign, d.monotone.from, d.monotone.to
	}
	return 0, 0, 0
}
