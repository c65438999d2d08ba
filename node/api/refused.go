package api

// Refused is a node's answer that it does not do what was asked.
type Refused struct {
	Node   string
	Status int // HTTP's
	Reason string
}

func (e *Refused) Error() string { return e.Node + ": " + e.Reason }

// Unreachable says that a node gave no answer, or none that is understood.
type Unreachable struct {
	Node string
	Err  error // says the node's name and address
}

func (e *Unreachable) Error() string { return e.Err.Error() }

// Unwrap is the cause.
func (e *Unreachable) Unwrap() error { return e.Err }
