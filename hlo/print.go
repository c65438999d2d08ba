package hlo

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/tensor"
)

// Print writes p as StableHLO text, in MLIR's pretty form where the registry has one. Parse reads it back as the same
// program, and so does XLA. Names of locations are printed, positions are not.
//
// Two things of a parsed program are lost, because Attrs does not keep them: the widths of integers and floats in
// dictionaries (76 : ui8 becomes 76 : i64), and whether a string in a dictionary was a symbol. Text that must be kept
// exactly can be an Opaque attribute.
//
// An error is that of w, or an *Error for an attribute that has no text.
func (p *Program) Print(w io.Writer) error {
	out := &printer{out: bufio.NewWriter(w)}
	out.token("module")
	if p.Name != "" {
		out.token(" ")
		out.symbol(p.Name)
	}
	out.token(" {")
	out.depth++
	for _, f := range p.Funcs {
		out.function(f)
	}
	out.depth--
	out.newline()
	out.token("}\n")
	if out.err != nil {
		return out.err
	}
	return out.out.Flush()
}

// printer writes a program's text.
type printer struct {
	out   *bufio.Writer
	last  byte // the last byte written
	depth int  // of indentation
	err   error

	op  *Op // being printed
	def *opDef

	names  map[*Value]string // of the function's values, with "%"
	taken  map[string]bool   // names of parameters that can be used here
	opened []string          // names in taken, in the order of definition
	next   int               // number of the next result
	args   int               // number of the next parameter without a name
}

// scopeMark is a place to which release goes back.
type scopeMark struct{ opened, next, args int }

// mark opens a region; release forgets the names that were defined since.
func (w *printer) mark() scopeMark { return scopeMark{len(w.opened), w.next, w.args} }

func (w *printer) release(m scopeMark) {
	for _, n := range w.opened[m.opened:] {
		delete(w.taken, n)
	}
	w.opened, w.next, w.args = w.opened[:m.opened], m.next, m.args
}

// token writes s, without its blank behind an opening parenthesis.
func (w *printer) token(s string) {
	if w.last == '(' {
		s = strings.TrimPrefix(s, " ")
	}
	if s != "" {
		w.out.WriteString(s)
		w.last = s[len(s)-1]
	}
}

// words writes the words of a form, with a blank in front of a letter.
func (w *printer) words(all string) {
	if isLetter(all[0]) {
		w.token(" ")
	}
	w.token(all)
}

// format writes formatted text.
func (w *printer) format(format string, args ...any) { w.token(fmt.Sprintf(format, args...)) }

// newline begins a line.
func (w *printer) newline() {
	w.token("\n")
	w.token(strings.Repeat("  ", w.depth))
}

// fail keeps the first error.
func (w *printer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = locate(fmt.Errorf(format, args...), w.op.Pos, w.op.Name)
	}
}

// function writes one function.
func (w *printer) function(f *Func) {
	w.names, w.taken, w.opened, w.next, w.args = map[*Value]string{}, map[string]bool{}, nil, 0, 0
	w.newline()
	w.token("func.func ")
	if f.Public {
		w.token("public ")
	} else {
		w.token("private ")
	}
	w.symbol(f.Name)
	w.parameters(f.Body.Params)
	if len(f.Results) > 0 {
		w.token(" -> " + resultText(f.Results))
	}
	w.token(" {")
	w.body(f.Body)
	w.token("}")
}

// parameters writes (%a: T, %b: T) and names the values.
func (w *printer) parameters(vs []*Value) {
	w.token("(")
	for i, v := range vs {
		if i > 0 {
			w.token(", ")
		}
		w.token(w.parameter(v) + ": " + v.Type.String())
	}
	w.token(")")
}

// parameter names a parameter: as it is called, or argN where that is no name
// or a name in use.
func (w *printer) parameter(v *Value) string {
	name := v.Name
	for !isName(name) || w.taken[name] {
		name = "arg" + strconv.Itoa(w.args)
		w.args++
	}
	w.taken[name] = true
	w.opened = append(w.opened, name)
	w.names[v] = "%" + name
	return w.names[v]
}

// isName reports whether s can stand behind "%" and is no number.
func isName(s string) bool {
	if s == "" || !isLetter(s[0]) {
		return false
	}
	for i := range len(s) {
		if classes[s[i]]&classSuffix == 0 {
			return false
		}
	}
	return true
}

// of is the name of a value with "%".
func (w *printer) of(v *Value) string {
	name, ok := w.names[v]
	if !ok {
		w.fail("%%%s is not defined", v.Name)
	}
	return name
}

// values are the names of values, separated by commas.
func (w *printer) values(vs []*Value) string {
	names := make([]string, len(vs))
	for i, v := range vs {
		names[i] = w.of(v)
	}
	return strings.Join(names, ", ")
}

// body writes a block's operations, and begins the line of what closes it.
func (w *printer) body(b *Block) {
	w.depth++
	for _, o := range b.Ops {
		w.newline()
		w.operation(o)
	}
	w.depth--
	w.newline()
}

// operation writes one operation and names its results.
func (w *printer) operation(o *Op) {
	outer, outerDef := w.op, w.def
	defer func() { w.op, w.def = outer, outerDef }()
	def, err := find(o.Name)
	w.op, w.def = o, def
	if err != nil {
		w.fail("%w", err)
		return
	}
	name := "%" + strconv.Itoa(w.next)
	switch n := len(o.Results); {
	case n == 1:
		w.names[o.Results[0]] = name
		w.token(name + " = ")
	case n > 1:
		for i, v := range o.Results {
			w.names[v] = name + "#" + strconv.Itoa(i)
		}
		w.format("%s:%d = ", name, n)
	}
	if len(o.Results) > 0 {
		w.next++
	}
	if def.form == nil {
		w.generic(o)
	} else {
		name := o.Name
		if outer == nil { // in regions MLIR wants func's name too
			name = strings.TrimPrefix(name, "func.")
		}
		w.token(name)
		for _, s := range def.form {
			s.print(w, o)
		}
	}
	if o.Loc != "" {
		w.token(" loc(" + quote(o.Loc) + ")")
	}
}

// generic writes "name"(operands) <{properties}> ({region}, …) {attributes} : type.
func (w *printer) generic(o *Op) {
	w.token(quote(o.Name) + "(" + w.values(o.Operands) + ")")
	if names := w.attributeNames(o, true); len(names) > 0 {
		w.token(" <")
		w.dictOf(o, names)
		w.token(">")
	}
	for i, r := range o.Regions {
		w.token([]string{" ({", ", {"}[min(i, 1)])
		mark := w.mark()
		if len(r.Params) > 0 {
			w.newline()
			w.token("^bb0")
			w.parameters(r.Params)
			w.token(":")
		}
		w.body(r)
		w.token("}")
		w.release(mark)
	}
	if len(o.Regions) > 0 {
		w.token(")")
	}
	if names := w.attributeNames(o, false); len(names) > 0 {
		w.token(" ")
		w.dictOf(o, names)
	}
	w.signature(o)
}

// signature writes : (T, T) -> T.
func (w *printer) signature(o *Op) {
	w.token(" : (" + joinTypes(types(o.Operands)) + ") -> " + resultText(types(o.Results)))
}

// joinTypes is T, T.
func joinTypes(ts []tensor.Type) string {
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = t.String()
	}
	return strings.Join(names, ", ")
}

// resultText is T, or (T, T) where there is not exactly one.
func resultText(ts []tensor.Type) string {
	if len(ts) == 1 {
		return ts[0].String()
	}
	return "(" + joinTypes(ts) + ")"
}

// quote writes a string as MLIR does: unprintable bytes as two hexadecimal
// digits.
func quote(s string) string {
	var b bytes.Buffer
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '"' || c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%02X`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
