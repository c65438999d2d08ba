package study

import (
	"fmt"
	"strings"
)

// Page is a study's page in Markdown, with the files that belong to it.
type Page struct {
	lab  *Lab
	name string // the study; its files' names begin with it
	text strings.Builder
	err  error // the first of writing files
}

// NewPage begins the page of a study.
func (l *Lab) NewPage(name, title string) *Page {
	p := &Page{lab: l, name: name}
	fmt.Fprintf(&p.text, "# %s\n", title)
	return p
}

// Heading begins a section.
func (p *Page) Heading(text string) { fmt.Fprintf(&p.text, "\n## %s\n", text) }

// Text adds a paragraph.
func (p *Page) Text(format string, a ...any) { fmt.Fprintf(&p.text, "\n"+format+"\n", a...) }

// Table adds a table, and writes it as CSV.
func (p *Page) Table(name string, t *Table) {
	file := p.name + "-" + name + ".csv"
	p.keep(p.lab.write(file, t.CSV()))
	fmt.Fprintf(&p.text, "\n%s\n[%s](%s)\n", t.Markdown(), file, file)
}

// Data writes a table as CSV, and the page names it only.
func (p *Page) Data(name string, t *Table) {
	file := p.name + "-" + name + ".csv"
	p.keep(p.lab.write(file, t.CSV()))
	fmt.Fprintf(&p.text, "\n[%s](%s)\n", file, file)
}

// Figure adds a figure, as SVG, and writes it as PNG too.
func (p *Page) Figure(name, alt string, f *Figure) {
	file := p.name + "-" + name
	for _, format := range []string{"svg", "png"} {
		b, err := f.Draw(format)
		p.keep(err)
		p.keep(p.lab.write(file+"."+format, b))
	}
	fmt.Fprintf(&p.text, "\n![%s](%s.svg)\n", alt, file)
}

func (p *Page) keep(err error) {
	if p.err == nil {
		p.err = err
	}
}

// Bar is a bound that a study sets itself.
type Bar struct {
	What string
	Most float64 // what is meant at most
	Got  float64
}

// Met reports whether the bound is kept.
func (b Bar) Met() bool { return b.Got <= b.Most }

// Bars adds a table of bounds and what was found.
func (p *Page) Bars(bars []Bar) {
	t := &Table{Columns: []string{"bound", "at most", "found", "kept"}}
	for _, b := range bars {
		kept := "yes"
		if !b.Met() {
			kept = "**no**"
		}
		t.Add(b.What, b.Most, b.Got, kept)
	}
	p.Table("bounds", t)
}

// Close writes the page and gives the first error of writing any of its files.
func (p *Page) Close() error {
	p.keep(p.lab.write(p.name+".md", []byte(p.text.String())))
	return p.err
}
