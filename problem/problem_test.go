package problem

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

func TestOf(t *testing.T) {
	two := 2
	inner := &Error{Kind: Range, Argument: &two, Element: "[0,1]", Err: errors.New("is NaN"), Remedy: "remove it"}
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("party bob: %w", &Error{Kind: Usage, Place: "Spec.Ring", Party: "bob", Err: inner}),
			`{"kind":"usage","message":"party bob: Spec.Ring: bob: argument 2, element [0,1]: is NaN (remove it)","place":"Spec.Ring","argument":2,"element":"[0,1]","party":"bob","remedy":"remove it"}`},
		{errors.Join(errors.New("first"), inner), `{"kind":"range","message":"first; argument 2, element [0,1]: is NaN (remove it)","argument":2,"element":"[0,1]","remedy":"remove it"}`},
		{fmt.Errorf("waiting: %w", context.Canceled), `{"kind":"interrupted","message":"waiting: context canceled"}`},
		{fmt.Errorf("x: %w", errors.ErrUnsupported), `{"kind":"unsupported","message":"x: unsupported operation"}`},
		{errors.New("party: internal error: shapes (a.go:1); please report it"), `{"kind":"internal","message":"party: internal error: shapes (a.go:1); please report it"}`},
		{errors.New("disk\nfull"), `{"kind":"failed","message":"disk; full"}`},
	} {
		got, err := json.Marshal(Of(c.err))
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %v\n got %s\nwant %s", c.err, err, got, c.want)
		}
	}
	if !errors.Is(fmt.Errorf("x: %w", inner), Range) || errors.Is(inner, Usage) {
		t.Error("errors.Is does not find the kind")
	}
}
