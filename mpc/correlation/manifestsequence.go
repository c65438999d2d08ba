package correlation

import "fmt"

// ManifestSequence checks the correlation manifests of one session, one after the other; each covers one or more
// requests to the service. No manifest may request what an earlier one did. The zero ManifestSequence has admitted
// none.
type ManifestSequence struct {
	next ID // all ids admitted so far are below next
}

// Admit returns an error if manifest f names an id that is not above all ids of earlier manifests, and otherwise
// records the ids of f. Exempt are the ids of Owned masks, each of which masks one vector of its owner only.
func (t *ManifestSequence) Admit(f *Manifest) error {
	next := t.next
	seen := map[*Mask]bool{}
	var check func(m *Mask) error
	check = func(m *Mask) error {
		if m == nil || seen[m] {
			return nil
		}
		seen[m] = true
		if m.Kind != Owned && (m.ID < t.next || m.Kind == Shuffled && m.Order < t.next) {
			return fmt.Errorf("correlation: mask %v is in an earlier manifest: %w", m.ID, ErrSpent)
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
			return fmt.Errorf("correlation: request %v is in an earlier manifest: %w", r.ID, ErrSpent)
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
