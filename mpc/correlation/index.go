package correlation

import (
	"fmt"

	"github.com/tacet-mpc/tacet/ring"
)

// maxIndexBits bounds an index's width s: a dealt value has 2^s elements for each index.
const maxIndexBits = 24

// checkIndex is checkFactors for functions of an index.
func (r *Request) checkIndex() error {
	want := 2
	if r.Kind == OneHot {
		want = 1
	}
	if len(r.Factors) != want {
		return fmt.Errorf("%d factors where %d are expected", len(r.Factors), want)
	}
	f := r.Factors[0]
	if f.Part != LowBits || f.Width > maxIndexBits {
		return fmt.Errorf("part %d of %d bits as an index", f.Part, f.Width)
	}
	n, size, of := f.Mask.N, 1<<f.Width, 0
	if want == 2 {
		x := r.Factors[1]
		if of = x.Mask.N; x.Part != Whole || x.Mask.Kind == FreshBits || x.Mask.Ring != r.Out {
			return fmt.Errorf("part %d of a mask in %v where %v is indexed", x.Part, x.Mask.Ring, r.Out)
		}
	}
	ok := false
	switch r.Kind {
	case OneHot:
		ok = r.N == n*(size-1)
	case Rotated:
		g, _ := r.groups()
		ok = n > 0 && g > 0 && n%g == 0 && of%size == 0
	case Placed:
		ok = r.N == of*size && (n == 0 && of == 0 || n > 0 && of%n == 0)
	}
	if !ok || r.Pos != 0 || r.B != nil {
		return fmt.Errorf("%v of %d elements for %d indices of %d bits and %d elements", r.Kind, r.N, n, f.Width, of)
	}
	return nil
}

// groups is the number of tables of a Rotated request, and the number of elements in a row; 0 if
// the request's lengths do not fit one another.
func (r *Request) groups() (groups, columns int) {
	n, size, of := r.Factors[0].Mask.N, 1<<r.Factors[0].Width, r.Factors[1].Mask.N
	if n == 0 || r.N <= 0 || r.N%(n*size) != 0 {
		return 0, 0
	}
	columns = r.N / (n * size)
	if of%(size*columns) != 0 {
		return 0, 0
	}
	return of / (size * columns), columns
}

// index is the low bits of an index's mask.
func (e *evaluator) index(f Factor) []uint64 {
	return e.factor(f, ring.Z(f.Width)).Words()
}

// oneHot has a row of [λ = v] for each index, without the last v.
func (e *evaluator) oneHot(r *Request) ring.Vec {
	out := ring.New(r.Out, r.N)
	k, row := r.Out.Words(), 1<<r.Factors[0].Width-1
	for i, l := range e.index(r.Factors[0]) {
		if int(l) < row {
			out.Words()[(i*row+int(l))*k] = 1
		}
	}
	return out
}

// rotated has, for each index, the rows of its table, row δ − λ at δ.
func (e *evaluator) rotated(r *Request) ring.Vec {
	out := ring.New(r.Out, r.N)
	groups, columns := r.groups()
	size, row := 1<<r.Factors[0].Width, columns*r.Out.Words()
	index, table := e.index(r.Factors[0]), e.maskValue(r.Factors[1].Mask).Words()
	each := len(index) / groups
	ring.Parallel(len(index), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			from, to := table[i/each*size*row:], out.Words()[i*size*row:]
			for d := range size {
				at := (d - int(index[i])) & (size - 1)
				copy(to[d*row:(d+1)*row], from[at*row:])
			}
		}
	})
	return out
}

// placed has, for each index, rows of zeros, with the index's elements in row λ.
func (e *evaluator) placed(r *Request) ring.Vec {
	out := ring.New(r.Out, r.N)
	size := 1 << r.Factors[0].Width
	index, x := e.index(r.Factors[0]), e.maskValue(r.Factors[1].Mask)
	if len(index) == 0 {
		return out
	}
	row := x.Len() / len(index) * r.Out.Words()
	for i, l := range index {
		copy(out.Words()[(i*size+int(l))*row:], x.Words()[i*row:(i+1)*row])
	}
	return out
}
