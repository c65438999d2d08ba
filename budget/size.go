package budget

import (
	"math"
	"math/bits"

	"github.com/tacet-mpc/tacet/tensor"
)

// Most is the largest result of Add, Mul, Size and Bytes: they return Most where the exact result is larger. No
// budget allows so much.
const Most = math.MaxInt64 / 4

// Add returns the sum of numbers that are not negative, or Most if the sum is larger.
func Add(terms ...int64) int64 {
	var sum int64
	for _, t := range terms {
		if sum += t; sum > Most || sum < 0 || t > Most {
			return Most
		}
	}
	return sum
}

// Mul returns the product of numbers that are not negative, or Most if the product is larger. Mul() is 1.
func Mul(factors ...int64) int64 {
	product := int64(1)
	for _, f := range factors {
		if f == 0 {
			return 0
		}
	}
	for _, f := range factors {
		high, low := bits.Mul64(uint64(product), uint64(f))
		if high != 0 || low > Most {
			return Most
		}
		product = int64(low)
	}
	return product
}

// Size returns the number of elements of a shape, or Most if it is larger.
func Size(s tensor.Shape) int64 {
	n := int64(1)
	for _, d := range s {
		n = Mul(n, int64(d))
	}
	return n
}

// Bytes returns the bytes that an array of type t takes, or Most if it takes more.
func Bytes(t tensor.Type) int64 { return Mul(Size(t.Shape), Width(t.DType)) }

// Width returns the bytes of one element of type d in memory; at least 1.
func Width(d tensor.DType) int64 { return max(1, int64(d.Bits())/8) }
