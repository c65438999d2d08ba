// Package hostile generates submissions that are meant to hurt a node: programs that do not parse or nest without
// end, plans that fit into no machine, loops that do not end, fields out of range, texts that forge. Tests submit
// them, as a submitter whom the policy names: the node must refuse each with a reason, or end its job, and serve
// its other submitters meanwhile.
//
// The corpus is the same in each process, so that a case can be named. A case that once hurt a node is added to it,
// never removed.
package hostile

import "github.com/tacet-mpc/tacet/node/api"

// Case is a hostile variant of a submission.
type Case struct {
	Name string
	// Plans is true if parsing, planning or evaluating the program in cleartext takes more memory or time than
	// a node has, unless it is bounded.
	Plans bool

	change func(*api.Submission)
}

// Apply changes a valid submission into the case. It replaces lists and maps of the submission, and changes none
// of their elements.
func (c Case) Apply(s *api.Submission) { c.change(s) }

// Arguments describes the program of the submissions to which cases are applied.
type Arguments struct {
	List  string // its parameters: "%a: tensor<64xf32>, %b: tensor<f32>"
	First string // name of a parameter that is a vector of f32
	Size  int    // its number of elements
}

// Corpus returns all cases for submissions of programs with these arguments.
func Corpus(a Arguments) []Case {
	return append(append(texts(a), plans(a)...), fields()...)
}

// program returns a case that replaces the program. Without arguments the submission has no inputs.
func program(name string, arguments bool, text string) Case {
	return Case{Name: name, change: func(s *api.Submission) {
		s.Program.Text = []byte(text)
		if !arguments {
			s.Inputs, s.Public = nil, nil
		}
	}}
}
