package profile

import "strings"

// match pairs the operations of two reports: of one program by where they
// stand, and of programs that differ in the way that keeps the most of both in
// order, those at the same place or of the same name first. Paired operations
// have one name; -1 stands for none.
func match(a, b *Report) [][2]int {
	m := matcher{a: a, b: b}
	i, n, k := 0, len(a.Ops), len(b.Ops)
	for i < n && i < k && m.same(i, i) {
		m.pair(i, i)
		i++
	}
	tail := 0
	for n-tail > i && k-tail > i && m.same(n-1-tail, k-1-tail) {
		tail++
	}
	if (n-tail-i)*(k-tail-i) <= maxTable {
		m.align(i, n-tail, i, k-tail)
	} else {
		m.greedy(i, n-tail, i, k-tail)
	}
	for j := tail; j > 0; j-- {
		m.pair(n-j, k-j)
	}
	return m.out
}

// maxTable bounds the table by which lists are aligned.
const maxTable = 1 << 23

type matcher struct {
	a, b *Report
	out  [][2]int
}

func (m *matcher) pair(i, j int) { m.out = append(m.out, [2]int{i, j}) }

// where is a position without the file's name.
func (r *Report) where(o *Op) string { return strings.TrimPrefix(o.Loc, r.Program) }

func (m *matcher) same(i, j int) bool {
	a, b := &m.a.Ops[i], &m.b.Ops[j]
	return a.Op == b.Op && m.a.where(a) == m.b.where(b)
}

// score is how well two operations go together, 0 for not at all.
func (m *matcher) score(i, j int) int32 {
	a, b := &m.a.Ops[i], &m.b.Ops[j]
	here := m.a.where(a) == m.b.where(b)
	if a.Op != b.Op || a.Whole != b.Whole && !here {
		return 0
	}
	s := int32(4)
	if here {
		s += 2
	}
	if a.Name == b.Name {
		s++
	}
	return s
}

// align pairs a[i:n] with b[j:k] so that the scores add up to the most.
func (m *matcher) align(i, n, j, k int) {
	wide := k - j + 1
	best := make([]int32, (n-i+1)*wide) // of what begins at a place
	for x := n - 1; x >= i; x-- {
		row, next := best[(x-i)*wide:], best[(x-i+1)*wide:]
		for y := k - 1; y >= j; y-- {
			row[y-j] = max(next[y-j], row[y-j+1])
			if s := m.score(x, y); s > 0 {
				row[y-j] = max(row[y-j], s+next[y-j+1])
			}
		}
	}
	for i0, j0 := i, j; i < n || j < k; {
		at := (i-i0)*wide + j - j0
		switch {
		case i == n:
			m.pair(-1, j)
			j++
		case j == k || best[at] == best[at+wide]:
			m.pair(i, -1)
			i++
		case best[at] == best[at+1]:
			m.pair(-1, j)
			j++
		default:
			m.pair(i, j)
			i, j = i+1, j+1
		}
	}
}

// greedy pairs each of a[i:n] with the next of b[j:k] of the same name that is
// left, at the same place if there is one. Order is not kept.
func (m *matcher) greedy(i, n, j, k int) {
	queues := map[string][]int{}
	taken := make([]bool, k)
	for y := j; y < k; y++ {
		o := &m.b.Ops[y]
		queues[o.Op] = append(queues[o.Op], y)
		queues[o.Op+" "+m.b.where(o)] = append(queues[o.Op+" "+m.b.where(o)], y)
	}
	next := func(key string) int {
		for q := queues[key]; len(q) > 0; q = q[1:] {
			if queues[key] = q[1:]; !taken[q[0]] {
				taken[q[0]] = true
				return q[0]
			}
		}
		return -1
	}
	to := make([]int, n)
	for x := i; x < n; x++ {
		to[x] = next(m.a.Ops[x].Op + " " + m.a.where(&m.a.Ops[x]))
	}
	for x := i; x < n; x++ {
		if to[x] < 0 {
			to[x] = next(m.a.Ops[x].Op)
		}
		m.pair(x, to[x])
	}
	for y := j; y < k; y++ {
		if !taken[y] {
			m.pair(-1, y)
		}
	}
}
