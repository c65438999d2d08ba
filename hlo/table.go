package hlo

// Table maps full names of operations, or targets of custom calls, to what a package knows of them.
type Table[T any] map[string]T

// Add adds an entry. It panics if the operation has one already: an operation is defined in one place.
func (t Table[T]) Add(name string, entry T) {
	if _, twice := t[name]; twice {
		panic("operation registered twice: " + name)
	}
	t[name] = entry
}

// AddAll adds the entries of another table.
func (t Table[T]) AddAll(entries map[string]T) {
	for name, entry := range entries {
		t.Add(name, entry)
	}
}
