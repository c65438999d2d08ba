package gomlx

import (
	"context"
	"strings"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/notimplemented"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet"
)

// Name is the name under which the backend is registered: compute.NewWithConfig("tacet:alice,bob").
const Name = "tacet"

func init() {
	compute.Register(Name, func(config string) (compute.Backend, error) {
		return New(Config{Spec: tacet.Spec{Parties: strings.FieldsFunc(config, func(r rune) bool { return r == ',' })}})
	})
}

// Config says among which parties computations run, and what may be revealed.
type Config struct {
	// Spec has the parties and the settings of every run: protocol, ring, network and so on. Program, Args and Keep are
	// set by the backend. Spec.Reveal lists the parties that learn what is revealed; nil stands for all.
	Spec tacet.Spec
	// Reveal lists the results that may be revealed when the program reads them. Backend.Reveal names single tensors.
	Reveal []Rule
	// Run, if not nil, is called after each run among the parties.
	Run func(Run)
}

// Rule names results of computations that may be revealed.
type Rule struct {
	// Graph is the name of the computation without "#" and its number: "Trainer" for the steps of a train.Trainer, what
	// WithName of an Exec has set for others. "" stands for all computations.
	Graph string
	// Last is how many of the computation's last results may be revealed; 0 stands for all results. The last results of
	// an Exec of package model, and so of a train.Trainer, are what its function returns: the metrics, of which a
	// Trainer's first two in training are the loss of the batch and its moving average. The variables stand before them.
	Last int
}

// Run describes one run among the parties.
type Run struct {
	Graph  string        // name of the computation; "reveal" if the run revealed a tensor
	Report *tacet.Report // its costs
}

// Revealed describes a tensor that was revealed.
type Revealed struct {
	Graph  string       // name of the computation of which it is a result
	Output int          // number of the result, counted from 0
	Shape  shapes.Shape // its shape
}

// Backend runs GoMLX's computations on data that is secret-shared among parties. It implements compute.Backend.
type Backend struct {
	notimplemented.Backend
	config Config

	mu        sync.Mutex
	finalized bool
	revealed  []Revealed
}

// New returns a Backend. Errors are of kind usage: no or equal parties.
func New(c Config) (*Backend, error) {
	if len(c.Spec.Parties) < 2 {
		return nil, errors.Wrapf(tacet.ErrUsage, "gomlx: %d parties (name at least two, as in \"tacet:alice,bob\")", len(c.Spec.Parties))
	}
	seen := map[string]bool{}
	for _, p := range c.Spec.Parties {
		if seen[p] || p == "" {
			return nil, errors.Wrapf(tacet.ErrUsage, "gomlx: party %q is named twice or has no name", p)
		}
		seen[p] = true
	}
	return &Backend{config: c}, nil
}

// Name returns "tacet".
func (b *Backend) Name() string { return Name }

// String returns "tacet".
func (b *Backend) String() string { return Name }

// Description names the parties.
func (b *Backend) Description() string {
	return "Tacet: secret-shared among " + strings.Join(b.config.Spec.Parties, ", ")
}

// DeviceDescription returns Description: there is one device.
func (b *Backend) DeviceDescription(compute.DeviceNum) string { return b.Description() }

// Capabilities lists the operations and element types that have a form in StableHLO here. Shapes are static.
func (b *Backend) Capabilities() compute.Capabilities {
	c := compute.Capabilities{Functions: true, Operations: map[compute.OpType]bool{}, DTypes: map[dtypes.DType]bool{}}
	for op := compute.OpTypeInvalid + 1; op < compute.OpTypeLast; op++ {
		name := op.String()
		unsupported := strings.HasPrefix(name, "Fused") || strings.HasPrefix(name, "Quantized") || strings.HasPrefix(name, "Dynamic") &&
			op != compute.OpTypeDynamicSlice && op != compute.OpTypeDynamicUpdateSlice && op != compute.OpTypeDynamicShape
		switch op {
		case compute.OpTypeAllReduce, compute.OpTypeAllGather, compute.OpTypeCollectiveBroadcast, compute.OpTypeBlockForDotGeneral,
			compute.OpTypeDot, compute.OpTypeSelectAndScatterSum:
			unsupported = true
		}
		if !unsupported {
			c.Operations[op] = true
		}
	}
	for d := range elements {
		c.DTypes[d] = true
	}
	return c
}

// Builder returns a builder of a new computation.
func (b *Backend) Builder(name string) compute.Builder { return newBuilder(b, name) }

// BufferFromFlatData returns a public buffer with a copy of flat. Owned makes buffers that belong to a party.
func (b *Backend) BufferFromFlatData(_ compute.DeviceNum, flat any, shape shapes.Shape) (compute.Buffer, error) {
	if _, err := typeOf(shape); err != nil {
		return nil, err
	}
	a, err := arrayOf(flat, shape.Dimensions)
	if err != nil {
		return nil, err
	}
	return &buffer{backend: b, shape: shape, owner: tacet.Public, data: a, graph: "input"}, nil
}

// Owned returns a tensor with the elements of t that belongs to a party: no other party learns them, and computations
// share them. t is unchanged. Errors are of kind usage.
func (b *Backend) Owned(party string, t *tensors.Tensor) (*tensors.Tensor, error) {
	rank := -1
	for i, p := range b.config.Spec.Parties {
		if p == party {
			rank = i
		}
	}
	if rank < 0 {
		return nil, errors.Wrapf(tacet.ErrUsage, "gomlx: %q is no party (parties: %s)", party, strings.Join(b.config.Spec.Parties, ", "))
	}
	out := &buffer{backend: b, shape: t.Shape(), owner: rank, graph: "input of " + party}
	var err error
	read := t.ConstFlatData(func(flat any) { out.data, err = arrayOf(flat, t.Shape().Dimensions) })
	if read != nil {
		return nil, read
	}
	if err != nil {
		return nil, err
	}
	return tensors.FromBuffer(out)
}

// Reveal permits reading a tensor, and reveals it to the parties of Spec.Reveal. A tensor of which nothing is secret is
// unchanged. The tensor's own methods read it afterwards.
func (b *Backend) Reveal(t *tensors.Tensor) error {
	if !t.IsOnDevice(0) {
		return nil // it was never at a backend
	}
	x, err := t.Buffer(b, 0)
	if err != nil {
		return err
	}
	buf, ok := x.(*buffer)
	if !ok {
		return errors.Errorf("gomlx: the tensor is of another backend")
	}
	if _, err = buf.reveal(true); err != nil {
		return err
	}
	t.FinalizeLocal() // what a refused read may have left there
	return nil
}

// Revealed lists the tensors that were revealed so far, in order.
func (b *Backend) Revealed() []Revealed {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Revealed(nil), b.revealed...)
}

// Finalize makes the backend unusable.
func (b *Backend) Finalize() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.finalized = true
}

// IsFinalized reports whether Finalize was called.
func (b *Backend) IsFinalized() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.finalized
}

// run runs a program among the parties.
func (b *Backend) run(graph string, spec tacet.Spec) (*tacet.Outcome, error) {
	if b.IsFinalized() {
		return nil, errors.New("gomlx: the backend was finalized")
	}
	out, err := tacet.Run(context.Background(), spec)
	if err != nil {
		return nil, errors.Wrapf(err, "gomlx: computation %q", graph)
	}
	if b.config.Run != nil {
		b.config.Run(Run{graph, out.Report})
	}
	return out, nil
}
