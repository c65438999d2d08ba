package eval

import (
	"context"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// The output of XLA's CPU backend for the state [1 + 2·2^32, 3 + 4·2^32].
func TestRandomBits(t *testing.T) {
	state := vec[uint64](1|2<<32, 3|4<<32)
	after := func(blocks uint64) *tensor.Array { return vec[uint64](1|2<<32, 3+blocks|4<<32) }
	cases := []struct {
		algorithm string
		blocks    uint64
		want      *tensor.Array
	}{
		{
			"THREE_FRY",
			5,
			vec[uint32](1576285164, 2249660814, 740599976, 2425682526, 2436392515, 1497962777, 1335360347, 2260235687, 3981753173, 3953550934),
		},
		{"THREE_FRY", 3, shaped([]uint32{1576285164, 740599976, 2436392515, 2249660814, 2425682526, 1497962777}, 2, 3)},
		{"THREE_FRY", 3, shaped([]uint32{1576285164, 2249660814, 740599976, 2425682526, 2436392515, 1497962777}, 3, 2)},
		{
			"THREE_FRY",
			6,
			shaped([]uint32{1576285164, 740599976, 2436392515, 2249660814, 2425682526, 1497962777, 1335360347, 3981753173, 3812192618}, 3, 3),
		},
		{"THREE_FRY", 4, shaped([]uint32{1576285164, 740599976, 2249660814, 2425682526, 2436392515, 1335360347, 1497962777, 2260235687}, 4, 2)},
		{"THREE_FRY", 5, vec[uint8](236, 142, 168, 94, 67, 25, 91, 167, 85)},
		{"THREE_FRY", 5, vec[uint16](13292, 6542, 43176, 64094, 26179, 6425, 64347, 30119, 47957)},
		{"THREE_FRY", 5, vec[uint64](9662219624799024108, 10418227120389269672, 6433701140276733507, 9707638358252452699, 16980371968582007637)},
		{"THREE_FRY", 1, scalar[uint32](1576285164)},
		{"THREE_FRY", 0, vec[uint32]()},
		{
			"PHILOX",
			3,
			vec[uint32](512747620, 1298009047, 1267190206, 761827841, 1383286907, 1639995030, 2756207988, 2154813423, 2586587831, 3476143680),
		},
		{"DEFAULT", 2, shaped([]uint32{512747620, 1298009047, 1267190206, 761827841, 1383286907, 1639995030}, 2, 3)},
		{"PHILOX", 3, vec[uint64](5574906407289874532, 3272025663544478142, 7043725020835825787, 9254853183523022196, 14929923424383677111)},
		{"PHILOX", 3, vec[uint8](100, 215, 190, 1, 123, 150, 116, 239, 183)},
		{"PHILOX", 0, vec[int32]()},
	}
	for _, c := range cases {
		op := newOp(
			"stablehlo.rng_bit_generator",
			hlo.Attrs{"rng_algorithm": hlo.Enum(c.algorithm)},
			[]tensor.Type{state.Type, c.want.Type},
			state,
		)
		got := must(t, op, state)
		same(t, got[1], c.want)
		same(t, got[0], after(c.blocks))
	}
}

// A 128-bit counter carries.
func TestPhiloxCounter(t *testing.T) {
	state := vec[uint64](7, math.MaxUint64, 1)
	op := newOp(
		"stablehlo.rng_bit_generator",
		hlo.Attrs{"rng_algorithm": hlo.Enum("PHILOX")},
		[]tensor.Type{state.Type, typ(tensor.U64, 4)},
		state,
	)
	got := must(t, op, state)
	same(t, got[0], vec[uint64](7, 1, 2))
	a, b := philox(7, math.MaxUint64, 1)
	c, d := philox(7, 0, 2)
	same(t, got[1], vec(a, b, c, d))
}

func TestRandomRefusals(t *testing.T) {
	for _, c := range []struct {
		algorithm string
		state     *tensor.Array
		out       tensor.Type
	}{
		{"THREE_FRY", vec[uint64](1, 2, 3), typ(tensor.U32, 1)},
		{"THREE_FRY", vec[uint32](1, 2), typ(tensor.U32, 1)},
		{"PHILOX", vec[uint64](1), typ(tensor.U32, 1)},
		{"PHILOX", vec[uint64](1, 2), typ(tensor.F32, 1)},
		{"DICE", vec[uint64](1, 2), typ(tensor.U32, 1)},
	} {
		op := newOp("stablehlo.rng_bit_generator", hlo.Attrs{"rng_algorithm": hlo.Enum(c.algorithm)}, []tensor.Type{c.state.Type, c.out}, c.state)
		if _, err := Op(context.Background(), op, []*tensor.Array{c.state}); err == nil {
			t.Errorf("took %s of %s from %s", c.out, c.algorithm, c.state.Type)
		}
	}
}
