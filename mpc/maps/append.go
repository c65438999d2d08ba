package maps

import (
	"encoding/binary"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/wire"
)

// What stands before a map's encoding and says which it is.
const (
	ofNone byte = iota
	ofStrided
	ofListed
	ofCombine
	ofShift
	ofTimes
	ofSum
	ofGathered
	ofWith
	ofElementwise
	ofMatMul
	ofConv
)

// Append appends a map, a Linear or a Bilinear of this package or nil, as
// bytes, with all its coefficients: what of two maps reads alike is one map.
func Append(b []byte, m any) []byte {
	switch m := m.(type) {
	case nil:
		return append(b, ofNone)
	case View:
		return m.append(b)
	case Combine:
		b = wire.AppendUint(append(b, ofCombine), m.N)
		b = wire.AppendUint(b, len(m.Coef))
		for _, c := range m.Coef {
			b = binary.AppendVarint(b, c)
		}
		return b
	case Shift:
		return wire.AppendUint(wire.AppendUint(append(b, ofShift), m.N), m.By)
	case Times:
		return wire.AppendInt(wire.AppendVec(append(b, ofTimes), m.By), m.Bits)
	case Sum:
		return appendUints(append(b, ofSum), m.Outer, m.Reduced, m.Inner)
	case Gathered:
		return wire.AppendRuns(appendUints(append(b, ofGathered), m.From, m.To, m.Terms), m.Index())
	case With:
		b = Append(append(b, ofWith), m.B)
		b = wire.AppendBool(wire.AppendVec(b, m.Public), m.Right)
		return wire.AppendInt(b, m.Bits)
	case Elementwise:
		return wire.AppendUint(append(b, ofElementwise), m.N)
	case MatMul:
		return appendUints(append(b, ofMatMul), m.Batch, m.M, m.K, m.N)
	case Conv:
		b = appendUints(append(b, ofConv), m.Batch, m.InChannels, m.OutChannels, m.Groups)
		for _, dims := range [][]int{m.Conv.In, m.Kernel, m.Conv.Out, m.Stride, m.PadLow, m.InDilate, m.KernelDilate} {
			b = wire.AppendInts(b, dims)
		}
		return b
	}
	panic(fmt.Sprintf("maps: %T has no encoding", m))
}

func (v View) append(b []byte) []byte {
	kind := ofListed
	if v.Rule.Strided() {
		kind = ofStrided
	}
	b = wire.AppendInts(wire.AppendInts(append(b, kind), v.Lens), v.Rule.Shape)
	if kind == ofListed {
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
