package study

import (
	"fmt"
	"strings"
)

// Page is a study's page in Markdown together with its data files.
type Page struct {
	lab  *Lab
	name string // name of the study; its files' names start with it
	text strings.Builder
	err  error // first error of writing a file
}

// NewPage starts the page of a study.
func (l *Lab) NewPage(name, title string) *Page {
	p := &Page{lab: l, name: name}
	fmt.Fprintf(&p.text, "# %s\n", title)
	return p
}

// Heading starts a section.
func (p *Page) Heading(text string) { fmt.Fprintf(&p.text, "\n## %s\n", text) }

// Text adds a paragraph.
func (p *Page) Text(format string, a ...any) { fmt.Fprintf(&p.text, "\n"+format+"\n", a...) }

// Table adds a table to the page and writes it as CSV.
func (p *Page) Table(name string, t *Table) {
	file := p.name + "-" + name + ".csv"
	p.keepError(p.lab.write(file, t.CSV()))
	fmt.Fprintf(&p.text, "\n%s\n[%s](%s)\n", t.Markdown(), file, file)
}

// Data writes a table as CSV and adds a link to it.
func (p *Page) Data(name string, t *Table) {
	file := p.name + "-" + name + ".csv"
	p.keepError(p.lab.write(file, t.CSV()))
	fmt.Fprintf(&p.text, "\n[%s](%s)\n", file, file)
}

// Figure adds a figure as SVG and writes it as PNG too.
func (p *Page) Figure(name, alt string, f *Figure) {
	file := p.name + "-" + name
	for _, format := range []string{"svg", "png"} {
		b, err := f.Draw(format)
		p.keepError(err)
		p.keepError(p.lab.write(file+"."+format, b))
	}
	fmt.Fprintf(&p.text, "\n![%s](%s.svg)\n", alt, file)
}

func (p *Page) keepError(err error) {
	if p.err == nil {
		p.err = err
	}
}

// Bound is a limit that a study checks its results against.
type Bound struct {
	Name  string
	Limit float64 // limit
	Value float64
}

// Met reports whether the result is within the limit.
func (b Bound) Met() bool { return b.Value <= b.Limit }

// Bounds adds the table of bounds.
func (p *Page) Bounds(bars []Bound) {
	t := &Table{Columns: []string{"bound", "at most", "found", "met"}}
	for _, b := range bars {
		kept := "yes"
		if !b.Met() {
			kept = "**no**"
		}
		t.Add(b.Name, b.Limit, b.Value, kept)
	}
	p.Table("bounds", t)
}

// Close writes the page. It returns the first error of writing any of its files.
func (p *Page) Close() error {
	p.keepError(p.lab.write(p.name+".md", []byte(p.text.String())))
	return p.err
}
