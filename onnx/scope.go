package onnx

// scope has the values of a graph by name. Names that it lacks are those of the outer graph.
type scope struct {
	outer  *scope
	values map[string]*value
}

func newScope(outer *scope) *scope { return &scope{outer: outer, values: map[string]*value{}} }

func (s *scope) set(name string, v *value) { s.values[name] = v }

// get returns the value with this name, or nil.
func (s *scope) get(name string) *value {
	for ; s != nil; s = s.outer {
		if v := s.values[name]; v != nil {
			return v
		}
	}
	return nil
}
