package gomlx

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// buffer is a tensor: public, a party's own, or kept as shares that no party can read alone.
type buffer struct {
	backend *Backend
	shape   shapes.Shape
	owner   int                  // a rank, tacet.Public or party.Kept
	data    *tensor.Array        // nil if owner is party.Kept
	shares  []*party.StoredShare // if owner is party.Kept
	graph   string               // name of the computation of which it is a result
	output  int                  // number of the result
	last    int                  // number of the result counted from the end: 1 is the last one; 0: no result, but an input

	known *tensor.Array // what was revealed
	gone  bool          // Finalize was called
}

// Backend returns the buffer's backend.
func (x *buffer) Backend() compute.Backend { return x.backend }

// Finalize drops the data.
func (x *buffer) Finalize() error {
	x.data, x.shares, x.known, x.gone = nil, nil, nil, true
	return nil
}

// Shape returns the shape.
func (x *buffer) Shape() (shapes.Shape, error) { return x.shape, nil }

// DeviceNum returns 0.
func (x *buffer) DeviceNum() (compute.DeviceNum, error) { return 0, nil }

// ToFlatData copies the elements to flat. Those of a secret are revealed if a Rule names it, else refused with an error of
// kind denied. GoMLX keeps flat even so and reads it the next time: refused floats are NaN, and integers the largest ones.
func (x *buffer) ToFlatData(flat any) error {
	a, err := x.reveal(false)
	if err != nil {
		poison(reflect.ValueOf(flat))
		return err
	}
	if !copyElements(reflect.ValueOf(flat), reflect.ValueOf(a.Data)) {
		return errors.Errorf("gomlx: a %v does not fit into the given %T", a.Type, flat)
	}
	return nil
}

// Data is refused: no buffer is shared with Go's memory.
func (x *buffer) Data() (any, error) {
	return nil, errors.Wrap(compute.ErrNotImplemented, "gomlx: buffers are not shared with Go's memory")
}

// CopyToDevice returns the buffer itself: there is one device, and buffers do not change.
func (x *buffer) CopyToDevice(compute.DeviceNum) (compute.Buffer, error) { return x, nil }

// reveal returns the elements in clear. permitted says that the program named this very tensor.
func (x *buffer) reveal(permitted bool) (*tensor.Array, error) {
	switch {
	case x.gone:
		return nil, errors.New("gomlx: the buffer was finalized")
	case x.owner == tacet.Public:
		return x.data, nil
	case x.known != nil:
		return x.known, nil
	case !permitted && !x.backend.config.permits(x.graph, x.last):
		return nil, errors.Wrapf(tacet.ErrDenied,
			"gomlx: result %d of computation %q is secret, and no rule reveals it (add it to Config.Reveal, or call Backend.Reveal)", x.output, x.graph)
	}
	if x.owner != party.Kept {
		x.known = x.data
	} else {
		b, t := build.New("reveal"), x.shares[0].Type
		b.Return(b.Arg("x", t.DType, t.Shape...))
		p, err := b.Program()
		if err != nil {
			return nil, err
		}
		spec := x.backend.config.Spec
		spec.Program, spec.Args = p, []tacet.Arg{{Owner: party.Kept, Shares: x.shares}}
		out, err := x.backend.run("reveal", spec)
		if err != nil {
			return nil, err
		}
		if out.Results == nil {
			return nil, errors.Wrapf(tacet.ErrUsage, "gomlx: Spec.Reveal lists no party, so that nothing can be revealed")
		}
		x.known = out.Results[0]
	}
	x.backend.mu.Lock()
	defer x.backend.mu.Unlock()
	x.backend.revealed = append(x.backend.revealed, Revealed{x.graph, x.output, x.shape})
	return x.known, nil
}

// permits reports whether a rule names a result, the last-th one counted from the end. No rule names inputs.
func (c *Config) permits(graph string, last int) bool {
	graph, _, _ = strings.Cut(graph, "#")
	return last > 0 && slices.ContainsFunc(c.Reveal, func(r Rule) bool {
		return (r.Graph == "" || r.Graph == graph) && (r.Last == 0 || last <= r.Last)
	})
}

// poison fills a slice with numbers that cannot be taken for results.
func poison(flat reflect.Value) {
	if flat.Kind() != reflect.Slice {
		return
	}
	for i := range flat.Len() {
		switch e := flat.Index(i); {
		case e.CanFloat():
			e.SetFloat(math.NaN())
		case e.CanInt():
			e.SetInt(math.MaxInt64 >> (64 - e.Type().Bits()))
		case e.CanUint():
			e.SetUint(math.MaxUint64 >> (64 - e.Type().Bits())) // NaN, of a half
		case e.CanComplex():
			e.SetComplex(complex(math.NaN(), math.NaN()))
		}
	}
}
