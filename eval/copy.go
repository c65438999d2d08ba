package eval

import "github.com/tacet-mpc/tacet/tensor"

// Copy returns the array that view v copies from arrays of one type, taken one after the other. v must have no
// elements without a source.
func Copy(v tensor.View, src ...*tensor.Array) *tensor.Array { return apply(v, src...) }
