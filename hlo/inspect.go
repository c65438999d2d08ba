package hlo

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Inspect writes a description of the program to w: its arguments and results, the operations of each function that
// main reaches with positions, types and visibilities, and the number of operations of each kind. args are the
// visibilities of main's arguments, as in Program.Visibility. An error is that of w.
func (p *Program) Inspect(w io.Writer, args []Visibility) error {
	l := &listing{out: tabwriter.NewWriter(w, 0, 0, 2, ' ', 0), vis: p.Visibility(args), count: map[string]int{}}
	l.line("program %s, module %s, sha256:%x", p.File, moduleName(p.Name), p.Digest())
	l.line("")
	l.line("argument\ttype\tvisibility")
	for _, v := range p.Main.Body.Params {
		l.line("%%%s\t%v\t%v", v.Name, v.Type, l.vis[v])
	}
	l.line("")
	l.line("result\ttype\tvisibility")
	for i, v := range p.Main.Body.Return().Operands {
		l.line("%d\t%v\t%v", i, v.Type, l.vis[v])
	}
	for _, f := range p.Reached() {
		l.line("")
		l.line("function @%s", f.Name)
		l.line("position\toperation\tresult\tvisibility")
		l.block(f.Body, "")
	}
	l.line("")
	l.line("operation\tcount")
	for _, n := range l.kinds() {
		l.line("%s\t%d", n, l.count[n])
	}
	return l.out.Flush()
}

// Reached returns main and the functions that it calls, directly or indirectly, in the order of the
// text.
func (p *Program) Reached() []*Func {
	reached := map[*Func]bool{}
	var visit func(b *Block)
	visit = func(b *Block) {
		for _, o := range b.Ops {
			if o.Callee != nil && !reached[o.Callee] {
				reached[o.Callee] = true
				visit(o.Callee.Body)
			}
			for _, r := range o.Regions {
				visit(r)
			}
		}
	}
	reached[p.Main] = true
	visit(p.Main.Body)
	var out []*Func
	for _, f := range p.Funcs {
		if reached[f] {
			out = append(out, f)
		}
	}
	return out
}

// listing writes the lines of Inspect.
type listing struct {
	out   *tabwriter.Writer
	vis   map[*Value]Visibility
	count map[string]int
}

// line writes a line; the writer's Flush returns errors.
func (l *listing) line(format string, args ...any) { fmt.Fprintf(l.out, format+"\n", args...) }

// block writes a block's operations; those of regions are indented.
func (l *listing) block(b *Block, indent string) {
	for _, o := range b.Ops {
		if isTerminator(o) {
			continue
		}
		l.count[o.Title()]++
		what := o.Title()
		if target := o.Attrs.Str("call_target_name"); target != "" {
			what += " @" + target
		}
		if o.Callee != nil {
			what += " @" + o.Callee.Name
		}
		var types, vis []string
		for _, r := range o.Results {
			types = append(types, r.Type.String())
			if v := l.vis[r].String(); !slices.Contains(vis, v) {
				vis = append(vis, v)
			}
		}
		l.line("%s\t%s%s\t%s\t%s", o.Pos.Place(), indent, what, strings.Join(types, ", "), strings.Join(vis, ", "))
		for _, r := range o.Regions {
			l.block(r, indent+"  ")
		}
	}
}

// kinds returns the operations' names, the most frequent first.
func (l *listing) kinds() []string {
	var names []string
	for n := range l.count {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := l.count[b] - l.count[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}

// moduleName returns a module's name, or a dash.
func moduleName(s string) string {
	if s == "" {
		return "-"
	}
	return "@" + s
}
