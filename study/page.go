package study

import (
	"fmt"
	"strings"
)

// Page is a study's page in Markdown, together with its files of tables and figures. Lab.NewPage starts it, and
// Close writes it.
type Page struct {
	lab  *Lab
	name string // name of the study; its files' names start with it
	text strings.Builder
	err  error // first error of writing a file
}

// NewPage starts the page of a study. name is the base name of its files, title its heading.
func (l *Lab) NewPage(name, title string) *Page {
	p := &Page{lab: l, name: name}
	fmt.Fprintf(&p.text, "# %s\n", title)
	return p
}

// Heading adds a heading, which starts a section.
func (p *Page) Heading(text string) { fmt.Fprintf(&p.text, "\n## %s\n", text) }

// Text adds a paragraph, with the format of fmt.Sprintf.
func (p *Page) Text(format string, a ...any) { fmt.Fprintf(&p.text, "\n"+format+"\n", a...) }

// Table adds a table to the page and writes it to the CSV file PAGE-NAME.csv.
func (p *Page) Table(name string, t *Table) {
	file := p.name + "-" + name + ".csv"
	p.keepError(p.lab.write(file, t.CSV()))
	fmt.Fprintf(&p.text, "\n%s\n[%s](%s)\n", t.Markdown(), file, file)
}

// Data writes a table to the CSV file PAGE-NAME.csv and adds a link to it to the page.
func (p *Page) Data(name string, t *Table) {
	file := p.name + "-" + name + ".csv"
	p.keepError(p.lab.write(file, t.CSV()))
	fmt.Fprintf(&p.text, "\n[%s](%s)\n", file, file)
}

// Figure writes a figure as SVG and PNG and adds it to the page. alt is its text for readers who do not see it.
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

// Bound is an upper limit that a study requires of one of its results.
type Bound struct {
	Name  string  // description of the result
	Limit float64 // largest allowed value
	Value float64 // value that the study found
}

// Met reports whether Value is at most Limit.
func (b Bound) Met() bool { return b.Value <= b.Limit }

// Bounds adds a table of the study's bounds, which says for each one whether it is met.
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

// Close writes the page. It returns the first error that occurred in writing any of its files.
func (p *Page) Close() error {
	p.keepError(p.lab.write(p.name+".md", []byte(p.text.String())))
	return p.err
}
