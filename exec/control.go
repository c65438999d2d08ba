package exec

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// control holds the operations that run blocks. Calls and blocks taken by
// public values are walked; the instance numbers of what is inside follow.
var control = map[string]func(x *run, s *scope, o *hlo.Op, in []*value) ([]*value, error){}

func init() {
	control["func.call"] = call
	control["stablehlo.composite"] = call
	control["stablehlo.while"] = while
	control["stablehlo.if"] = branch
	control["stablehlo.case"] = branch
}

// maxDepth bounds nested calls and regions.
const maxDepth = 1000

func (x *run) nested(o *hlo.Op, b *hlo.Block, s *scope, in []*value) ([]*value, error) {
	if x.depth++; x.depth > maxDepth {
		return nil, refuse(o, "nests too deeply", "")
	}
	defer func() { x.depth-- }()
	return x.block(b, s, in)
}

func call(x *run, _ *scope, o *hlo.Op, in []*value) ([]*value, error) {
	x.instance(o)
	return x.nested(o, o.Callee.Body, nil, in)
}

func while(x *run, s *scope, o *hlo.Op, in []*value) ([]*value, error) {
	x.instance(o)
	for {
		out, err := x.nested(o, o.Regions[0], s, in)
		if err != nil {
			return nil, err
		}
		p := out[0]
		if p.who != Public || p.arr == nil {
			return nil, refuse(o, "its condition depends on secret data, which is not built yet", "loop a public number of times")
		}
		if p.arr.Data.([]bool)[0] == false {
			return in, nil
		}
		if in, err = x.nested(o, o.Regions[1], s, in); err != nil {
			return nil, err
		}
	}
}

// branch takes one of several blocks by a public index (or predicate, whose
// first block is for true).
func branch(x *run, s *scope, o *hlo.Op, in []*value) ([]*value, error) {
	x.instance(o)
	p := in[0]
	if p.who != Public || p.arr == nil {
		return nil, refuse(o, "which branch it takes depends on secret data, which is not built yet", "compute both branches and select")
	}
	var n int
	if b, ok := p.arr.Data.([]bool); ok {
		if !b[0] {
			n = 1
		}
	} else {
		n = int(int32(p.arr.Words()[0]))
		if n < 0 || n >= len(o.Regions) {
			n = len(o.Regions) - 1
		}
	}
	return x.nested(o, o.Regions[n], s, nil)
}
