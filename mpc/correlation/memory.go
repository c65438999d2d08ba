package correlation

import "math"

// Memory is about how many bytes it takes to deal a form with so many requests
// at a time: its masks, each from when it is first needed to its last use, and
// what is made of them. What its maps hold is there before.
func (f *Form) Memory(workers int) int64 {
	use := &usage{readers: map[*Mask]int{}, there: map[*Mask]bool{}}
	for _, r := range f.Requests {
		for _, x := range r.Factors {
			use.count(x.Mask)
		}
	}
	most := int64(0)
	for _, r := range f.Requests {
		working := 3 * r.memory()
		for _, x := range r.Factors {
			use.need(x.Mask)
			working = plus(working, 2*x.Mask.memory())
		}
		most = max(most, plus(use.held, times(working, workers)))
		for _, x := range r.Factors {
			use.release(x.Mask)
		}
	}
	return plus(most, min(maxAhead, f.Bytes()))
}

// usage follows which masks' values are held.
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
	u.held = plus(u.held, m.memory())
	for _, o := range m.Of {
		u.release(o)
	}
}

func (u *usage) release(m *Mask) {
	if u.readers[m]--; u.readers[m] == 0 {
		u.held -= m.memory()
	}
}

// memory is what a mask's value takes.
func (m *Mask) memory() int64 {
	if m.Kind == FreshBits {
		return times(int64(m.N)/8+8, m.Planes)
	}
	return int64(m.N) * int64(m.Ring.Words()) * 8
}

// memory is what the value takes that is asked for.
func (r *Request) memory() int64 {
	if r.OfBits() {
		return int64(r.CorrectionBits())/8 + 8*int64(len(r.lengths()))
	}
	return int64(r.N) * int64(r.Out.Words()) * 8
}

// plus and times are sums and products that end at the largest number.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a int64, n int) int64 {
	if a > math.MaxInt64/int64(n) {
		return math.MaxInt64
	}
	return a * int64(n)
}
