package correlation

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/ring"
)

// Products is a list of products of bits, for a request of the kind BitProduct. Several requests may share a list.
type Products struct {
	sets   [][]uint16
	planes int
}

// NewProducts returns a list of products of bits among planes bits. Each set has the numbers of one product's
// factors, from 0 to planes − 1. NewProducts panics if a set is empty or a number is out of range.
func NewProducts(planes int, sets [][]uint16) *Products {
	if err := checkProducts(planes, sets); err != nil {
		panic("correlation: " + err.Error())
	}
	return &Products{sets, planes}
}

// checkProducts returns what is malformed in a list of products, if anything.
func checkProducts(planes int, sets [][]uint16) error {
	for _, set := range sets {
		if len(set) == 0 {
			return errors.New("a product of no bits")
		}
		for _, i := range set {
			if int(i) >= planes {
				return fmt.Errorf("bit %d of %d in a product", i, planes)
			}
		}
	}
	return nil
}

// planes is the number of bits that the factors provide, all planes counted.
func (r *Request) planes() int {
	n := 0
	for _, f := range r.Factors {
		if f.Part == Planes {
			n += f.Width
		} else {
			n++
		}
	}
	return n
}

// bitProducts evaluates a BitProduct request.
func (e *evaluator) bitProducts(r *Request) []ring.Bits {
	var in []ring.Bits
	for _, f := range r.Factors {
		if f.Part == Planes {
			in = append(in, e.bits(f.Mask)[f.Shift:f.Shift+f.Width]...)
		} else {
			in = append(in, e.bitFactor(f))
		}
	}
	out := ring.NewPlanes(r.lengths()...)
	if r.Products == nil {
		and(out[0], in...)
		return out
	}
	var factors []ring.Bits
	for i, set := range r.Products.sets {
		factors = factors[:0]
		for _, j := range set {
			factors = append(factors, in[j])
		}
		and(out[i], factors...)
	}
	return out
}

// and sets dst to the product of one or more vectors.
func and(dst ring.Bits, in ...ring.Bits) {
	if len(in) == 1 {
		copy(dst.Words(), in[0].Words())
		return
	}
	ring.And(dst, in[0], in[1])
	for _, b := range in[2:] {
		ring.And(dst, dst, b)
	}
}
