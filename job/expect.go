package job

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/tensor"
)

// Expected reads the results with which the job's results are compared; nil if the job has no expect. Each
// result of the program must be in the file with its shape; element types may differ, since values are compared.
// Errors are *Error.
func (j *Job) Expected(p *hlo.Program) ([]*tensor.Array, error) {
	if j.Expect == nil {
		return nil, nil
	}
	a, err := npy.OpenArchive(j.Expect.File)
	if errors.As(err, new(*os.PathError)) {
		return nil, &Error{Place: j.Expect.at, Err: err}
	}
	if err != nil {
		return nil, &Error{Place: j.Expect.File, Err: err}
	}
	defer a.Close()
	want := make([]*tensor.Array, len(p.Main.Results))
	for i, t := range p.Main.Results {
		if want[i], err = readExpected(a, i, t); err != nil {
			return nil, &Error{Place: j.Expect.File, Err: err}
		}
	}
	if n := len(a.Names()); n > len(want) {
		return nil, wrong(j.Expect.File, "contains %d arrays, but the program has %d results", n, len(want))
	}
	return want, nil
}

func readExpected(a *npy.Archive, i int, t tensor.Type) (*tensor.Array, error) {
	name := fmt.Sprintf("out%d", i)
	if !slices.Contains(a.Names(), name) {
		return nil, fmt.Errorf("result %d is missing (name the array %s)", i, name)
	}
	have, err := a.Type(name)
	if err != nil {
		return nil, err
	}
	if !have.Shape.Equal(t.Shape) || have.DType.IsComplex() != t.DType.IsComplex() {
		return nil, fmt.Errorf("%s has type %v, but the program's result has type %v", name, have, t)
	}
	return a.Read(name)
}
