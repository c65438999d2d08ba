package profile

import "strings"

// match pairs the operations of two reports. Operations of one program are paired by location. For
// programs that differ it finds the order-preserving pairing with the highest score; equal location
// and equal name raise the score. Paired operations have the same Op; the index -1 marks an
// operation without a partner.
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

// maxTable is the maximum number of cells of the alignment table; beyond it, match pairs greedily.
const maxTable = 1 << 23

type matcher struct {
	a, b *Report
	out  [][2]int
}

func (m *matcher) pair(i, j int) { m.out = append(m.out, [2]int{i, j}) }

// where returns an operation's location without the file name.
func (r *Report) where(o *Op) string { return strings.TrimPrefix(o.Loc, r.Program) }

func (m *matcher) same(i, j int) bool {
	a, b := &m.a.Ops[i], &m.b.Ops[j]
	return a.Op == b.Op && m.a.where(a) == m.b.where(b)
}

// score returns how well two operations match, 0 if they must not be paired.
func (m *matcher) score(i, j int) int32 {
	a, b := &m.a.Ops[i], &m.b.Ops[j]
	here := m.a.where(a) == m.b.where(b)
	if a.Op != b.Op || a.Pattern != b.Pattern && !here {
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

// align appends the pairing of a[i:n] with b[j:k] that preserves order and has the highest total
// score.
func (m *matcher) align(i, n, j, k int) {
	wide := k - j + 1
	best := make([]int32, (n-i+1)*wide) // best[x,y] is the highest score of a[x:n] and b[y:k]
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

// greedy pairs each of a[i:n] with the next free operation of b[j:k] of the same kind, at the same
// location if there is one. It does not preserve order.
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
