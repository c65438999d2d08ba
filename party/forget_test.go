package party

import (
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// A run drops the owners' arguments when they have been evaluated, and leaves what
// it was given as it is.
func TestForget(t *testing.T) {
	given := []Arg{
		{Owner: 1, Data: tensor.NewArray(tensor.Type{DType: tensor.F32})},
		{Owner: Public, Data: tensor.NewArray(tensor.Type{DType: tensor.F32})},
	}
	for _, protocol := range []string{"semi2k", "plain"} {
		s := Spec{Protocol: protocol, Args: given}
		s.forget()
		if (s.Args[0].Data != nil) != (protocol == "plain") || s.Args[1].Data == nil || s.Args[0].Owner != 1 {
			t.Errorf("%s: %v", protocol, s.Args)
		}
		if given[0].Data == nil {
			t.Error("the caller's arguments are dropped")
		}
	}
}
