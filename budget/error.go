package budget

import (
	"fmt"
	"strconv"
	"time"

	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Resource is a resource that a budget limits. Its text is used in messages.
type Resource string

// The resources that a budget limits.
const (
	Memory     Resource = "memory"     // bytes of values and records
	Operations Resource = "operations" // scalar operations on public values
	Iterations Resource = "iterations" // iterations of loops
	Time       Resource = "time"       // time since the budget was made
)

// Error says that a program needs more of a resource than a budget allows. Its kind is problem.Limit.
type Error struct {
	Of Resource // the resource whose limit is exceeded
	// Place is the position in the program of the operation that needs the resource, and Name its name; "" if
	// unknown.
	Place, Name string
	// What names what needs the memory, if it is not an operation (Budget.Holds); otherwise "".
	What string
	// Needs is what the operation needs, and Used what was in use or counted before it, in bytes, operations or
	// iterations. Both are 0 for Time.
	Needs, Used int64
	Limit       int64  // the limit, in bytes, operations, iterations, or nanoseconds for Time
	Setting     string // the setting that raises the limit, such as "limits: plan_memory"; "" for none
}

// at returns the error with an operation.
func (e *Error) at(o Operation) *Error {
	out := *e
	if o != nil {
		out.Place, out.Name = o.Place()
	}
	return &out
}

// Error returns the place, the name, which limit was exceeded by how much, and the remedy, on one line.
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

// Is reports whether target is problem.Limit, the kind of every Error.
func (e *Error) Is(target error) bool { return target == problem.Limit }

// Describe sets those fields of p that are empty: kind, place, operation and remedy.
func (e *Error) Describe(p *problem.Problem) {
	p.SetKind(problem.Limit)
	problem.Set(&p.Place, e.Place)
	problem.Set(&p.Operation, e.Name)
	problem.Set(&p.Remedy, e.remedy())
}
