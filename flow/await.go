package flow

// Await waits until a promise is kept, or returns the error that ended the
// graph. It is for who builds the graph, and must not wait for what is lazy.
func (g *Graph) Await(d Dep) error {
	s := d.base()
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.err == nil && !s.kept() {
		g.wake.Wait()
	}
	return g.err
}

// kept reports whether the step is done.
func (s *step) kept() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}
