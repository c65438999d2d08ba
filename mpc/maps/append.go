package maps

import (
	"encoding/binary"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/wire"
)

// The kinds of maps, the first byte of an encoding.
const (
	kindNone byte = iota
	kindStrided
	kindListed
	kindCombine
	kindShift
	kindTimes
	kindSum
	kindGathered
	kindWith
	kindElementwise
	kindMatMul
	kindConv
)

// Append appends the encoding of m to b and returns the result. m is a Linear or a Bilinear of this package, or nil;
// Append panics on any other type. The encoding contains all coefficients, so two maps with equal encodings are
// equal.
func Append(b []byte, m any) []byte {
	switch m := m.(type) {
	case nil:
		return append(b, kindNone)
	case View:
		return m.append(b)
	case Combine:
		b = wire.AppendUint(append(b, kindCombine), m.N)
		b = wire.AppendUint(b, len(m.Coef))
		for _, c := range m.Coef {
			b = binary.AppendVarint(b, c)
		}
		return b
	case Shift:
		return wire.AppendUint(wire.AppendUint(append(b, kindShift), m.N), m.By)
	case Times:
		return wire.AppendInt(wire.AppendVec(append(b, kindTimes), m.By), m.Bits)
	case Sum:
		return appendUints(append(b, kindSum), m.Outer, m.Reduced, m.Inner)
	case Gathered:
		return wire.AppendRuns(appendUints(append(b, kindGathered), m.From, m.To, m.Terms), m.Index())
	case With:
		b = Append(append(b, kindWith), m.B)
		b = wire.AppendBool(wire.AppendVec(b, m.Public), m.Right)
		return wire.AppendInt(b, m.Bits)
	case Elementwise:
		return wire.AppendUint(append(b, kindElementwise), m.N)
	case MatMul:
		return appendUints(append(b, kindMatMul), m.Batch, m.M, m.K, m.N)
	case Conv:
		b = appendUints(append(b, kindConv), m.Batch, m.InChannels, m.OutChannels, m.Groups)
		for _, dims := range [][]int{m.Conv.In, m.Kernel, m.Conv.Out, m.Stride, m.PadLow, m.InDilate, m.KernelDilate} {
			b = wire.AppendInts(b, dims)
		}
		return b
	}
	panic(fmt.Sprintf("maps: %T has no encoding", m))
}

func (v View) append(b []byte) []byte {
	kind := kindListed
	if v.Rule.Strided() {
		kind = kindStrided
	}
	b = wire.AppendInts(wire.AppendInts(append(b, kind), v.Lens), v.Rule.Shape)
	// As Read decides, so that what it returns has the same encoding.
	if runs, ok := v.Rule.Listing(); ok && v.Out() >= 2*len(runs) {
		return wire.AppendRunList(b, runs)
	}
	if kind == kindListed {
		return wire.AppendRuns(b, v.Rule.Index())
	}
	return wire.AppendInts(wire.AppendInt(b, v.Rule.Offset), v.Rule.Strides)
}

func appendUints(b []byte, xs ...int) []byte {
	for _, x := range xs {
		b = wire.AppendUint(b, x)
	}
	return b
}
