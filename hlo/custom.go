package hlo

import (
	"fmt"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// customChecks verify the operands and results of custom calls whose targets Tacet supports. Calls
// of other targets are refused when they are evaluated.
var customChecks = map[string]func(o *Op) error{
	"Sharding":       checkUnchanged,
	"tacet.reveal":   checkUnchanged,
	"tacet.unopened": checkUnchanged,
	RevealToTarget:   checkRevealTo,
	"tacet.integer":  checkInteger,
	"tacet.real":     checkReal,
	"tacet.outside":  checkOutside,
	"tacet.squares":  checkSquares,
	NarrowTarget:     checkNarrow,
	WideTarget:       checkWide,
	SigmoidTarget:    checkSigmoid,
	"mhlo.topk":      checkCustomTopK,
	"ApproxTopK":     checkApproxTopK,
	"potrf":          checkPotrf,
	"trsm":           checkTrsm,
	"getrf":          checkGetrf,
	"geqrf":          checkGeqrf,
	"orgqr":          checkOrgqr,
	"syevd":          checkSyevd,
	"gesdd":          checkGesdd,
}

// checkCustom verifies a custom call by its target; the rules for LAPACK routines are the same for
// all element types.
func checkCustom(o *Op) error {
	target := o.Attrs.Str("call_target_name")
	if name, ok := strings.CutPrefix(target, "lapack_"); ok && len(name) > 0 {
		name, ok = strings.CutSuffix(name[1:], "_ffi")
		if check := customChecks[name]; ok && check != nil {
			return check(o)
		}
		return nil
	}
	if check := customChecks[target]; check != nil {
		return check(o)
	}
	if f := o.calledFunction(); f != nil {
		if err := o.operandsOf(1); err != nil {
			return err
		}
		return f.check(o)
	}
	return nil
}

// calledFunction returns the function of chlo that a custom call stands for: torch_xla prints chlo.erf as a call of
// @mhlo.erf. It returns nil for another operation.
func (o *Op) calledFunction() *opDef {
	name, ok := strings.CutPrefix(o.Attrs.Str("call_target_name"), "mhlo.")
	d := registry["chlo."+name]
	if !ok || d == nil || d.operands != exactly(1) || d.results != exactly(1) || d.traits&Elementwise == 0 || d.refusal != "" {
		return nil
	}
	return d
}

// operandsOf checks the number of operands.
func (o *Op) operandsOf(n int) error {
	if len(o.Operands) != n {
		return fmt.Errorf("@%s has %d operands, but takes %d", o.Attrs.Str("call_target_name"), len(o.Operands), n)
	}
	return nil
}

// givesAlike compares the results with types, in which I32 stands for any integer type.
func (o *Op) givesAlike(want ...tensor.Type) error {
	if len(want) == len(o.Results) {
		for i := range want {
			if want[i].DType == tensor.I32 && o.out(i).DType.IsInt() {
				want[i].DType = o.out(i).DType
			}
		}
	}
	return o.gives(want...)
}

func checkUnchanged(o *Op) error {
	if len(o.Operands) == 0 {
		return fmt.Errorf("@%s has no operands", o.Attrs.Str("call_target_name"))
	}
	return o.gives(types(o.Operands)...)
}

// RevealToTarget is the custom call that reveals its operands to one party, which then knows them as it knows its own inputs. Its
// mhlo.attributes have the party's rank as to.
const RevealToTarget = "tacet.reveal_to"

// RevealedTo returns the rank of the party to which a call of @tacet.reveal_to reveals its operands; false for other operations.
func RevealedTo(o *Op) (rank int, ok bool) {
	if o.Name != OpCustomCall || o.Attrs.Str("call_target_name") != RevealToTarget {
		return 0, false
	}
	to, ok := o.Attrs.Dict("mhlo.attributes")["to"].(int64)
	return int(to), ok && to >= 0 && to < maxParties
}

// maxParties bounds the ranks that programs name.
const maxParties = 1 << 16

// checkRevealTo verifies a call of @tacet.reveal_to (RevealedTo).
func checkRevealTo(o *Op) error {
	for i := range o.Operands {
		if err := o.wants(i, classBool|classReal); err != nil {
			return err
		}
	}
	if _, ok := RevealedTo(o); !ok {
		return fmt.Errorf("mhlo.attributes need the rank of a party as to")
	}
	return checkUnchanged(o)
}

// checkInteger verifies a call of @tacet.integer, which takes floats and returns integers of its result's type: in clear the nearest,
// of secrets integers that are less than n/2 off among n computing parties.
func checkInteger(o *Op) error {
	if err := first(o.operandsOf(1), o.wants(0, classFloat)); err != nil {
		return err
	}
	d := tensor.I64
	if len(o.Results) == 1 && o.out(0).DType.IsInt() {
		d = o.out(0).DType
	}
	return o.gives(tensor.Type{DType: d, Shape: o.shape(0)})
}

// Real are the attributes of calls of @tacet.real and @tacet.outside. @tacet.real takes integers and returns floats: x·2^−Scale, where the
// program's author says that |x| < 2^Bits and x < 2^Below. In clear nothing depends on Bits and Below; of secrets other x give
// arbitrary floats. @tacet.outside returns a bit for each x: 1 if x is not so, 0 if |x| < ¾·2^Bits and x < ¾·2^Below, either otherwise,
// and also of secrets within 2^Bits of an end of the type.
type Real struct {
	Scale, Bits int
	Below       int // Bits if the attribute is missing
}

// RealOf returns the attributes of a call of @tacet.real or @tacet.outside.
func RealOf(o *Op) (r Real, ok bool) {
	d := o.Attrs.Dict("mhlo.attributes")
	s, ok1 := d["scale"].(int64)
	b, ok2 := d["bits"].(int64)
	r = Real{Scale: int(s), Bits: int(b), Below: int(b)}
	if below, given := d["below"]; given && ok1 && ok2 {
		v, ok3 := below.(int64)
		r.Below, ok1 = int(v), ok3 && v >= 1 && v <= b
	}
	return r, ok1 && ok2 && s >= 0 && s <= maxReal && b >= 1 && b <= maxReal
}

// maxReal bounds Real.
const maxReal = 62

// checkReal verifies a call of @tacet.real (RealOf).
func checkReal(o *Op) error {
	if err := first(o.operandsOf(1), o.wants(0, classInt)); err != nil {
		return err
	}
	if _, ok := RealOf(o); !ok {
		return fmt.Errorf("mhlo.attributes need a scale from 0 to %d, bits from 1 to %[1]d and below, if given, from 1 to bits", maxReal)
	}
	d := tensor.F64
	if len(o.Results) == 1 && o.out(0).DType.IsFloat() {
		d = o.out(0).DType
	}
	return o.gives(tensor.Type{DType: d, Shape: o.shape(0)})
}

// checkOutside verifies a call of @tacet.outside (Real).
func checkOutside(o *Op) error {
	if err := first(o.operandsOf(1), o.wants(0, classInt)); err != nil {
		return err
	}
	if r, ok := RealOf(o); !ok || !o.in(0).DType.IsSigned() || r.Below < MinOutside || r.Bits > o.in(0).DType.Bits()-2 {
		return fmt.Errorf("@tacet.outside takes signed integers, a scale, and bits and below from %d to 2 less than theirs", MinOutside)
	}
	return o.gives(tensor.Type{DType: tensor.Bool, Shape: o.shape(0)})
}

// MinOutside is the least Real.Below of @tacet.outside, whose operand loses low bits.
const MinOutside = 8

// Targets of calls on integers in narrow rings.
const (
	NarrowTarget  = "tacet.narrow"
	WideTarget    = "tacet.wide"
	SigmoidTarget = "tacet.sigmoid"
)

// Narrow are the attributes of calls of @tacet.narrow, @tacet.wide and @tacet.sigmoid.
//
// @tacet.narrow takes integers and returns integers x·2^−By, in clear the nearest, of secrets integers that are less than n/2 off among n
// computing parties. The program's author says that they and what views, sums and contractions make of them are below 2^(Bits−2) in
// magnitude; of secrets, they are shared, multiplied and opened modulo 2^Bits.
//
// @tacet.wide returns integers as integers of another type, where the author says that |x| < 2^Bits.
//
// @tacet.sigmoid returns the sigmoid of x·2^−By, times 2^Fraction, as integers that are less than 1 + n/2 off: of secrets modulo
// 2^Bits. The author says that |x| < 24·2^By.
type Narrow struct{ By, Bits, Fraction int }

// NarrowOf returns the attributes of a call of one of these targets.
func NarrowOf(o *Op) (n Narrow, ok bool) {
	d := o.Attrs.Dict("mhlo.attributes")
	at := func(name string, least, most int64) int {
		v, given := d[name].(int64)
		ok = ok && (given && v >= least && v <= most || d[name] == nil && least == 0)
		return int(v)
	}
	ok = true
	n = Narrow{By: at("by", 0, maxReal), Bits: at("bits", 1, 64), Fraction: at("fraction", 0, maxFraction)}
	return n, ok
}

// maxFraction bounds Narrow.Fraction.
const maxFraction = 20

// narrowOf checks what the three targets have in common.
func (o *Op) narrowOf() (n Narrow, d tensor.DType, err error) {
	if err := first(o.operandsOf(1), o.wants(0, classInt)); err != nil {
		return n, d, err
	}
	n, ok := NarrowOf(o)
	if d = o.in(0).DType; !ok || !d.IsSigned() {
		return n, d, fmt.Errorf("@%s takes signed integers, and mhlo.attributes bits from 1 to 64, by from 0 to %d, fraction from 0 to %d",
			o.Attrs.Str("call_target_name"), maxReal, maxFraction)
	}
	if len(o.Results) == 1 && o.out(0).DType.IsSigned() {
		d = o.out(0).DType
	}
	return n, d, o.gives(tensor.Type{DType: d, Shape: o.shape(0)})
}

// checkNarrow verifies a call of @tacet.narrow.
func checkNarrow(o *Op) error {
	n, d, err := o.narrowOf()
	if err == nil && (n.Bits < 8 || n.Bits > d.Bits() || n.Bits+n.By > o.in(0).DType.Bits()) {
		err = fmt.Errorf("@%s to %d bits: want 8 or more, no more than the result has, and with by no more than the operand has", NarrowTarget, n.Bits)
	}
	return err
}

// checkWide verifies a call of @tacet.wide.
func checkWide(o *Op) error {
	n, _, err := o.narrowOf()
	if err == nil && n.Bits >= o.in(0).DType.Bits() {
		err = fmt.Errorf("@%s of %d bits: want fewer than the operand has", WideTarget, n.Bits)
	}
	return err
}

// checkSigmoid verifies a call of @tacet.sigmoid.
func checkSigmoid(o *Op) error {
	n, d, err := o.narrowOf()
	if err == nil && (d != o.in(0).DType || n.Bits > d.Bits() || n.Bits < n.Fraction+2 || n.By+6 > d.Bits()) {
		err = fmt.Errorf("@tacet.sigmoid gives integers of its operand's type, which has 6 bits more than by and no fewer than bits, with bits beyond the fraction")
	}
	return err
}

// checkSquares verifies a call of @tacet.squares, which takes integers x, batch × rows × columns, and w, batch × rows, and returns
// xᵀ·diag(w)·x of each batch, modulo 2^bits of the type.
func checkSquares(o *Op) error {
	if err := first(o.operandsOf(2), o.wants(0, classInt)); err != nil {
		return err
	}
	x, w := o.in(0), o.in(1)
	if len(x.Shape) != 3 || w.DType != x.DType || !w.Shape.Equal(x.Shape[:2]) {
		return fmt.Errorf("@tacet.squares takes integers of batch × rows × columns and of batch × rows, not %v and %v", x, w)
	}
	return o.gives(tensor.Type{DType: x.DType, Shape: tensor.Shape{x.Shape[0], x.Shape[2], x.Shape[2]}})
}

func checkCustomTopK(o *Op) error {
	if err := first(o.operandsOf(1)); err != nil {
		return err
	}
	s := o.shape(0).Clone()
	k, ok := o.Attrs.Dict("mhlo.attributes")["k"].(int64)
	if !ok || len(s) == 0 || k < 0 || k > int64(s[len(s)-1]) {
		return fmt.Errorf("mhlo.attributes need a k that is at most the size of the last dimension of %v", o.in(0))
	}
	s[len(s)-1] = int(k)
	return first(
		o.wants(0, classBool|classReal),
		o.givesAlike(tensor.Type{DType: o.in(0).DType, Shape: s}, tensor.Type{DType: tensor.I32, Shape: s}),
	)
}

func checkApproxTopK(o *Op) error {
	if err := o.operandsOf(4); err != nil {
		return err
	}
	if len(o.Results) != 2 {
		return fmt.Errorf("has %d results, but must have 2: values and their indices", len(o.Results))
	}
	s := o.shape(0).Clone()
	d, ok := o.Attrs.Dict("mhlo.backend_config")["reduction_dim"].(int64)
	if d < 0 {
		d += int64(len(s))
	}
	got := o.out(0).Shape
	if !ok || d < 0 || d >= int64(len(s)) || len(got) != len(s) || got[d] > s[d] {
		return fmt.Errorf("names no dimension of %v, or asks for more elements than the dimension has", o.in(0))
	}
	s[d] = got[d]
	err := first(o.wants(0, classBool|classReal), o.wants(1, classInt), o.wantsScalar(2), o.wantsScalar(3), o.wants(3, classInt))
	if err == nil && (o.in(2).DType != o.in(0).DType || !o.shape(1).Equal(o.shape(0))) {
		err = fmt.Errorf("operands %v, %v and %v are incompatible", o.in(0), o.in(1), o.in(2))
	}
	return first(err, o.givesAlike(tensor.Type{DType: o.in(0).DType, Shape: s}, tensor.Type{DType: tensor.I32, Shape: s}))
}

// matrices returns the shape of operand i, which must be a batch of matrices, square if that is
// set.
func (o *Op) matrices(i int, c class, square bool) (batch tensor.Shape, m, n int, err error) {
	if err := o.wants(i, c); err != nil {
		return nil, 0, 0, err
	}
	s := o.shape(i)
	r := len(s)
	if r < 2 || square && s[r-1] != s[r-2] {
		return nil, 0, 0, fmt.Errorf("operand %d is %v, but must be a batch of matrices of the routine's shape and element type", i, o.in(i))
	}
	return s[:r-2], s[r-2], s[r-1], nil
}

// beside returns a type with the batch dimensions of operand 0 followed by dims.
func beside(d tensor.DType, batch tensor.Shape, dims ...int) tensor.Type {
	return tensor.Type{DType: d, Shape: append(batch.Clone(), dims...)}
}

func checkPotrf(o *Op) error {
	if err := o.operandsOf(1); err != nil {
		return err
	}
	batch, _, _, err := o.matrices(0, classField, true)
	if err != nil {
		return err
	}
	return o.givesAlike(o.in(0), beside(tensor.I32, batch))
}

func checkTrsm(o *Op) error {
	if err := o.operandsOf(2); err != nil {
		return err
	}
	batch, n, _, err := o.matrices(0, classField, true)
	if err != nil {
		return err
	}
	more, rows, columns, err := o.matrices(1, classField, false)
	if err != nil {
		return err
	}
	side, _ := o.Attrs.Dict("mhlo.backend_config")["side"].(int64)
	if side == 'L' {
		columns = rows
	}
	if !batch.Equal(more) || columns != n || o.in(0).DType != o.in(1).DType {
		return fmt.Errorf("operands %v and %v are incompatible", o.in(0), o.in(1))
	}
	return o.gives(o.in(1))
}

func checkGetrf(o *Op) error {
	if err := o.operandsOf(1); err != nil {
		return err
	}
	batch, m, n, err := o.matrices(0, classFloat, false)
	if err != nil {
		return err
	}
	return o.givesAlike(o.in(0), beside(tensor.I32, batch, min(m, n)), beside(tensor.I32, batch))
}

func checkGeqrf(o *Op) error {
	if err := o.operandsOf(1); err != nil {
		return err
	}
	batch, m, n, err := o.matrices(0, classFloat, false)
	if err != nil {
		return err
	}
	return o.gives(o.in(0), beside(o.in(0).DType, batch, min(m, n)))
}

func checkOrgqr(o *Op) error {
	if err := o.operandsOf(2); err != nil {
		return err
	}
	batch, m, n, err := o.matrices(0, classFloat, false)
	if err != nil {
		return err
	}
	k := o.shape(1)
	if len(k) != len(batch)+1 || n > m || k[len(batch)] > n || !o.in(1).Equal(beside(o.in(0).DType, batch, k[len(batch)])) {
		return fmt.Errorf("operands %v and %v are not reflections of one QR factorization", o.in(0), o.in(1))
	}
	return o.gives(o.in(0))
}

func checkSyevd(o *Op) error {
	if err := o.operandsOf(1); err != nil {
		return err
	}
	batch, n, _, err := o.matrices(0, classFloat, true)
	if err != nil {
		return err
	}
	return o.givesAlike(o.in(0), beside(o.in(0).DType, batch, n), beside(tensor.I32, batch))
}

// checkGesdd: all singular vectors are returned, or as many as there are singular values.
func checkGesdd(o *Op) error {
	if err := o.operandsOf(1); err != nil {
		return err
	}
	batch, m, n, err := o.matrices(0, classFloat, false)
	if err != nil {
		return err
	}
	d, k := o.in(0).DType, min(m, n)
	u, v := beside(d, batch, m, k), beside(d, batch, k, n)
	if all := beside(d, batch, n, n); len(o.Results) == 5 && o.out(2).Equal(beside(d, batch, m, m)) && o.out(3).Equal(all) {
		u, v = o.out(2), all
	}
	return o.givesAlike(o.in(0), beside(d, batch, k), u, v, beside(tensor.I32, batch))
}
