package correlation

import "fmt"

// Turns are the order forms of one session, one after the other, each of one turn
// of it or of several: what one asks for, no later one does. The zero value has
// seen none.
type Turns struct {
	next ID // all ids so far are below
}

// Admit refuses a form that names what earlier ones may have used. Ids ascend
// from form to form; those of Owned masks, which open nothing but the one vector
// that their owner has masked, may be earlier ones.
func (t *Turns) Admit(f *Form) error {
	next := t.next
	seen := map[*Mask]bool{}
	var check func(m *Mask) error
	check = func(m *Mask) error {
		if m == nil || seen[m] {
			return nil
		}
		seen[m] = true
		if m.Kind != Owned && (m.ID < t.next || m.Kind == Shuffled && m.Order < t.next) {
			return fmt.Errorf("correlation: mask %v is of an earlier turn: %w", m.ID, ErrSpent)
		}
		next = max(next, m.ID+1, m.Order+1)
		for _, o := range m.Of {
			if err := check(o); err != nil {
				return err
			}
		}
		return nil
	}
	for _, r := range f.Requests {
		if r.ID < t.next {
			return fmt.Errorf("correlation: request %v is of an earlier turn: %w", r.ID, ErrSpent)
		}
		next = max(next, r.ID+1)
		for _, x := range r.Factors {
			if err := check(x.Mask); err != nil {
				return err
			}
		}
	}
	t.next = next
	return nil
}
