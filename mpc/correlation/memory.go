package correlation

import "math"

// Memory returns an estimate of the bytes of memory that Local.Deal takes with the given number of workers: the
// masks' values, each from its first to its last use, and the dealt values. The maps' own storage is not counted.
func (f *Manifest) Memory(workers int) int64 {
	working := func(r *Request) int64 {
		n := 3 * r.memory()
		for _, x := range r.Factors {
			n = addSaturating(n, 2*x.Mask.memory())
		}
		return n
	}
	most := f.mostInUse(workers, working, func(r *Request) []Factor { return r.Factors })
	return addSaturating(most, min(maxAhead, f.Bytes()))
}

// Expected returns the bytes of memory that Local.Deal is expected to take with the given number of workers, of which Memory is an upper
// bound: the masks' values, but those that are expanded where they are multiplied (Request.Streamed), and of each worker a dealt value.
func (f *Manifest) Expected(workers int) int64 {
	return f.mostInUse(workers, (*Request).memory, func(r *Request) []Factor {
		if i := r.Streamed(); i >= 0 {
			return r.Factors[1-i : 2-i]
		}
		return r.Factors
	})
}

// mostInUse is the largest number of bytes, over all requests, of the masks' values that are in memory and of what the workers take for
// the request. needs returns the factors whose masks' values the request needs.
func (f *Manifest) mostInUse(workers int, working func(*Request) int64, needs func(*Request) []Factor) int64 {
	use := &usage{readers: map[*Mask]int{}, there: map[*Mask]bool{}}
	for _, r := range f.Requests {
		for _, x := range needs(r) {
			use.count(x.Mask)
		}
	}
	most := int64(0)
	for _, r := range f.Requests {
		for _, x := range needs(r) {
			use.need(x.Mask)
		}
		most = max(most, addSaturating(use.held, mulSaturating(working(r), workers)))
		for _, x := range needs(r) {
			use.release(x.Mask)
		}
	}
	return most
}

// usage tracks which masks' values are in memory.
type usage struct {
	readers map[*Mask]int
	there   map[*Mask]bool
	held    int64
}

func (u *usage) count(m *Mask) {
	if u.readers[m]++; u.readers[m] == 1 {
		for _, o := range m.Of {
			u.count(o)
		}
	}
}

func (u *usage) need(m *Mask) {
	if u.there[m] {
		return
	}
	u.there[m] = true
	for _, o := range m.Of {
		u.need(o)
	}
	u.held = addSaturating(u.held, m.memory())
	for _, o := range m.Of {
		u.release(o)
	}
}

func (u *usage) release(m *Mask) {
	if u.readers[m]--; u.readers[m] == 0 {
		u.held -= m.memory()
	}
}

// memory is the size of a mask's value in bytes.
func (m *Mask) memory() int64 {
	if m.Kind == FreshBits {
		return mulSaturating(int64(m.N)/8+8, m.Planes)
	}
	return int64(m.N) * int64(m.Ring.Words()) * 8
}

// memory is the size of the requested value in bytes.
func (r *Request) memory() int64 {
	if r.OfBits() {
		return int64(r.CorrectionBits())/8 + 8*int64(len(r.lengths()))
	}
	if r.Kind == HiddenJoin { // the message, the keeper's shares of it, and the masks of a column
		return 2*r.Bytes() + 8*int64(r.Out.Words())*int64(r.Join.Places)
	}
	return int64(r.N) * int64(r.Out.Words()) * 8
}

// addSaturating and mulSaturating are sums and products of non-negative numbers that saturate at
// MaxInt64.
func addSaturating(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func mulSaturating(a int64, n int) int64 {
	if a > math.MaxInt64/int64(n) {
		return math.MaxInt64
	}
	return a * int64(n)
}
