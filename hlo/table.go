package hlo

// Table maps full names of operations, or targets of custom calls, to what a package keeps for each of them, such as
// a kernel.
type Table[T any] map[string]T

// Add adds an entry for name. It panics if there is one already, because an operation is defined in one place.
func (t Table[T]) Add(name string, entry T) {
	if _, twice := t[name]; twice {
		panic("operation registered twice: " + name)
	}
	t[name] = entry
}

// AddAll adds entries as Add does.
func (t Table[T]) AddAll(entries map[string]T) {
	for name, entry := range entries {
		t.Add(name, entry)
	}
}
