package flow

// Await blocks until the step d is done and returns nil, or returns the error that ended the graph. Only the
// goroutine that builds the graph may call it. d must not be lazy, because nothing would run it.
func (g *Graph) Await(d Dep) error {
	s := d.base()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.awaits.Add(1) // before the look at the step: one that ends later sees it
	defer g.awaits.Add(-1)
	for g.err == nil && !s.isDone() {
		g.wake.Wait()
	}
	return g.err
}

// isDone reports whether the step is done.
func (s *step) isDone() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}
