// Package hostile generates submissions that are meant to harm a node: programs that do not parse or that nest
// without end, plans that fit into no machine, loops that do not end, fields out of range, and texts that
// imitate other output. Tests submit them as a submitter whom the policy names. The node must refuse each with a
// reason, or end its job, and must serve its other submitters meanwhile.
//
// The corpus is the same in each process, so that a case can be named. A case that once harmed a node is added
// to it and never removed.
package hostile

import (
	"slices"

	"github.com/tacet-mpc/tacet/node/api"
)

// Case is a change that makes a valid submission hostile.
type Case struct {
	Name string // name of the case, for test messages
	// Plans says that parsing, planning or evaluating the program in cleartext would take more memory or time
	// than a node has, unless the node bounds it.
	Plans bool
	// Large says that a file in the submission has megabytes.
	Large bool

	change func(*api.Submission)
}

// Apply changes the valid submission s into the hostile one. It replaces lists and maps of s and changes none of
// their elements, so that s may share them with other submissions.
func (c Case) Apply(s *api.Submission) { c.change(s) }

// Arguments describes the arguments of the program in the valid submission that a Case changes.
type Arguments struct {
	List  string // the parameters in StableHLO: "%a: tensor<64xf32>, %b: tensor<f32>"
	First string // name of a parameter that is a vector of f32, without %
	Size  int    // number of elements of that parameter
}

// Corpus returns all cases that do not depend on a seed, for submissions whose programs have these arguments.
func Corpus(a Arguments) []Case {
	return slices.Concat(texts(a), plans(a), fields(), misfits(), files())
}

// program returns a case that replaces the program. Without arguments the submission has no inputs.
func program(name string, arguments bool, text string) Case {
	return written(name, arguments, func() string { return text })
}

// written is program for a text that is written when the case is applied: the large ones take longer than all others together,
// and most processes that list the corpus apply few cases.
func written(name string, arguments bool, text func() string) Case {
	return Case{Name: name, change: func(s *api.Submission) {
		s.Program.Text = []byte(text())
		if !arguments {
			s.Inputs, s.Public = nil, nil
		}
	}}
}
