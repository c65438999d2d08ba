package budget

import (
	"fmt"
	"strconv"
	"time"

	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Resource is what a budget limits.
type Resource string

// The resources.
const (
	Memory     Resource = "memory"
	Operations Resource = "operations"
	Iterations Resource = "iterations"
	Time       Resource = "time"
)

// Error says that a program needs more than a budget allows. Its kind is problem.Limit.
type Error struct {
	Of          Resource
	Place, Name string // of the operation that needs it: its position in the program, and its name; "" if none is known
	What        string // what needs it, if that is no operation
	Needs, Used int64  // what the operation needs and what was in use before it: bytes, operations, iterations
	Limit       int64  // bytes, operations, iterations, or nanoseconds
	Setting     string // what sets the limit
}

// at returns the error with an operation.
func (e *Error) at(o Operation) *Error {
	out := *e
	if o != nil {
		out.Place, out.Name = o.Place()
	}
	return &out
}

func (e *Error) Error() string {
	text := e.message()
	if e.Name != "" {
		text = e.Name + ": " + text
	}
	if e.Place != "" {
		text = e.Place + ": " + text
	}
	if r := e.remedy(); r != "" {
		text += " (" + r + ")"
	}
	return text
}

func (e *Error) message() string {
	switch e.Of {
	case Memory:
		if e.What != "" {
			return fmt.Sprintf("%s take %s of memory, beside %s in use; the limit is %s",
				e.What, yamlfile.FormatSize(e.Needs), yamlfile.FormatSize(e.Used), yamlfile.FormatSize(e.Limit))
		}
		return fmt.Sprintf("needs %s of memory while the program is planned or its public values are computed, beside %s in use; the limit is %s",
			yamlfile.FormatSize(e.Needs), yamlfile.FormatSize(e.Used), yamlfile.FormatSize(e.Limit))
	case Time:
		return fmt.Sprintf("planning the program and computing its public values took longer than %v", time.Duration(e.Limit))
	case Iterations:
		return fmt.Sprintf("the loops over public values run more than %s iterations", number(e.Limit))
	}
	return fmt.Sprintf("needs %s scalar operations on public values, after %s; the limit is %s", number(e.Needs), number(e.Used), number(e.Limit))
}

func (e *Error) remedy() string {
	if e.Setting == "" {
		return ""
	}
	return "raise " + e.Setting + ", or make the program smaller"
}

// number prints a count: 1234567 below ten million, else 1.2e+12.
func number(n int64) string {
	if n < 1e7 {
		return strconv.FormatInt(n, 10)
	}
	return strconv.FormatFloat(float64(n), 'g', 3, 64)
}

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool { return target == problem.Limit }

// Describe sets the fields of p that are empty.
func (e *Error) Describe(p *problem.Problem) {
	p.SetKind(problem.Limit)
	problem.Set(&p.Place, e.Place)
	problem.Set(&p.Operation, e.Name)
	problem.Set(&p.Remedy, e.remedy())
}
