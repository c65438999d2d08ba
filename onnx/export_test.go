package onnx

// KnownInputs returns the numbers of the inputs of an operation whose elements must be known during the import, and whether
// there is such an operation.
func KnownInputs(domain, op string) (inputs []int, ok bool) {
	o, ok := operations[domain+"."+op]
	return o.known, ok
}
