package eval

import "github.com/tacet-mpc/tacet/tensor"

// Copy applies a view without fill elements to arrays of one type, laid end to end.
func Copy(v tensor.View, src ...*tensor.Array) *tensor.Array { return apply(v, src...) }
