package profile

import (
	"strconv"
	"strings"
)

// call is one level of a call stack: a function, a layer, or (innermost) an operation, and the
// source line that is being executed in it.
type call struct {
	name, file string
	line       int
}

// stack returns the call stack of an operation in a frame, innermost level first: the operation,
// the layers in its name, the function, then the same for each caller.
func (r *Report) stack(o *Op, frame int) []call {
	file, line := place(o.Loc)
	out := []call{{o.Op, file, line}}
	if o.Pattern != "" {
		out[0].name = o.Pattern
	}
	at := r.ops()
	name := o.Name
	for range len(r.Frames) + 1 { // bounded, because frames read from a file may form a cycle
		if frame < 0 || frame >= len(r.Frames) {
			return out
		}
		f := r.Frames[frame]
		outer, inside := at[f.Op], levels(name)
		if outer != nil {
			inside = withoutCommonPrefix(inside, levels(outer.Name))
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

// ops returns the operations by id.
func (r *Report) ops() map[int]*Op {
	at := make(map[int]*Op, len(r.Ops))
	for i := range r.Ops {
		at[r.Ops[i].ID] = &r.Ops[i]
	}
	return at
}

// levels splits a name such as JAX's jit(f)/conv1/max at its slashes and drops the last element,
// the operation. Slashes in brackets do not separate.
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

// withoutCommonPrefix returns path without the prefix that it shares with other.
func withoutCommonPrefix(path, other []string) []string {
	n := 0
	for n < len(path) && n < len(other) && path[n] == other[n] {
		n++
	}
	return path[n:]
}

// place parses a location: "file:line:column", "file:op 7", or "file:op 7 (source:line:column)", of
// which it returns the source's file and line.
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
