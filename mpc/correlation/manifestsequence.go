package correlation

import "fmt"

// ManifestSequence checks the correlation manifests of one session, one after the other; each
// covers one or more requests to the service. No manifest may request what an earlier one did. The
// zero value has admitted none.
type ManifestSequence struct {
	next ID // all ids admitted so far are below next
}

// Admit refuses a manifest that names ids which earlier ones may have used. Ids ascend from
// manifest to manifest. Exempt are the ids of Owned masks, which open nothing but the one vector
// that their owner has masked.
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
