package exec

// bitwise is and, or, xor of integers, bit by bit.
func (c *opRun) bitwise(name string, x, y *value) ([]*value, error) {
	return nil, refuse(c.o, "is not built yet for secrets of type "+x.typ.DType.String(), "use booleans")
}
