package profile

import (
	"strconv"
	"strings"
)

// call is one level of a stack: a function, a layer, or at the innermost end
// an operation, and the line in it that is being run.
type call struct {
	name, file string
	line       int
}

// stack is where an operation stands in a frame, the innermost level first: the
// operation, the layers that its name tells of, the function, and so on for
// who calls that.
func (r *Report) stack(o *Op, frame int) []call {
	file, line := place(o.Loc)
	out := []call{{o.Op, file, line}}
	if o.Whole != "" {
		out[0].name = o.Whole
	}
	at := r.ops()
	name := o.Name
	for range len(r.Frames) + 1 { // a file may have circles
		if frame < 0 || frame >= len(r.Frames) {
			return out
		}
		f := r.Frames[frame]
		outer, inside := at[f.Op], levels(name)
		if outer != nil {
			inside = beyond(inside, levels(outer.Name))
		}
		for i := len(inside) - 1; i >= 0; i-- {
			out = append(out, call{inside[i], file, line})
		}
		level := call{f.Func, file, line}
		if f.Func == "" && outer != nil {
			level.name = outer.Op
		}
		out = append(out, level)
		if outer == nil {
			return out
		}
		file, line = place(outer.Loc)
		name, frame = outer.Name, f.Outer
	}
	return out
}

// ops are the operations by id.
func (r *Report) ops() map[int]*Op {
	at := make(map[int]*Op, len(r.Ops))
	for i := range r.Ops {
		at[r.Ops[i].ID] = &r.Ops[i]
	}
	return at
}

// levels are the parts of a name such as JAX's jit(f)/conv1/max, without the
// last, which is the operation. Slashes in brackets do not part.
func levels(name string) []string {
	var out []string
	depth, from := 0, 0
	for i, c := range name {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case '/':
			if depth <= 0 {
				out = append(out, name[from:i])
				from = i + 1
			}
		}
	}
	return out
}

// beyond is what a path has after what it begins with like another.
func beyond(path, other []string) []string {
	n := 0
	for n < len(path) && n < len(other) && path[n] == other[n] {
		n++
	}
	return path[n:]
}

// place reads a source position: "file:line:column", "file:op 7" or
// "file:op 7 (source:line:column)", of which the source counts.
func place(loc string) (file string, line int) {
	if _, source, ok := strings.Cut(loc, " ("); ok && strings.HasSuffix(source, ")") {
		loc = source[:len(source)-1]
	}
	parts := strings.Split(loc, ":")
	for len(parts) > 1 {
		last := strings.TrimPrefix(parts[len(parts)-1], "op ")
		n, err := strconv.Atoi(last)
		if err != nil {
			break
		}
		line, parts = n, parts[:len(parts)-1]
	}
	return strings.Join(parts, ":"), line
}
