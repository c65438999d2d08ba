package exec

import (
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// TestMemoKeepsWhatIsAskedFor checks that a value that only one party's own computation reads is not kept for
// a single later walk.
func TestMemoKeepsWhatIsAskedFor(t *testing.T) {
	public := func(reads int) *value {
		return &value{owner: Public, arr: tensor.FromFloats(tensor.F32, tensor.Shape{2}, []float64{1, 2}), reads: reads}
	}
	for _, once := range []bool{true, false} {
		m := &Memo{Once: once}
		used, spared, unread := public(2), public(1), public(0)
		m.put(1, []*value{used, spared}, false)
		m.put(2, []*value{unread}, false)
		m.spare([]*value{used, spared})
		if _, ok := m.get(1); ok {
			t.Error("what the first walk still works on is given")
		}
		m.endFirstWalk()
		m.endFirstWalk() // a second call changes nothing
		first, ok := m.get(1)
		if !ok || first[0] == nil || (first[1] == nil) != once {
			t.Errorf("once %v: kept %v, %v", once, first, ok)
		}
		if second, ok := m.get(2); !ok || (second[0] == nil) != once {
			t.Errorf("once %v: unread: %v, %v", once, second, ok)
		}
	}
	if _, ok := (*Memo)(nil).get(1); ok {
		t.Error("no memo gives something")
	}
}
