package conformance

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// refused are computations on two vectors of the same length and ring that are
// programmers' errors: they panic, or end the session with an error.
var refused = map[string]computation{
	"a product of too many elements": func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len() + 1}, in[0], in[1], 0))
	},
	"a matrix product of the wrong shape": func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Product(op, in[0].Ring(), maps.MatMul{Batch: 1, M: 3, K: in[0].Len(), N: 3}, in[0], in[1], 0))
	},
	"a linear map of too many elements": func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Linear(op, maps.Combine{N: in[0].Len() + 1, Coef: []int64{1, 1}}, in...))
	},
	"a sum of vectors of two rings": func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Linear(op, maps.Combine{N: in[0].Len(), Coef: []int64{1, 1}}, in[0], p.Narrow(op, ring.Z(16), in[1])))
	},
	"a result that is no vector of the protocol": func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Linear(op, maps.Combine{N: in[0].Len(), Coef: []int64{1}}, foreign{in[0]}))
	},
}

// foreign is a secret of no protocol.
type foreign struct{ mpc.Secret }
