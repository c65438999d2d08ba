package profile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// elements parses a page, which must be well-formed XML, and returns the number of elements by name
// and all text.
func elements(t *testing.T, page []byte) (count map[string]int, text string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Entity = xml.HTMLEntity
	count = map[string]int{}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return count, text
		}
		if err != nil {
			t.Fatalf("%v in %s", err, page)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			count[tok.Name.Local]++
			for _, a := range tok.Attr {
				switch a.Name.Local {
				case "href", "src", "onclick", "onload":
					t.Errorf("<%s %s=%q>", tok.Name.Local, a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			text += string(tok)
		}
	}
}

func TestPage(t *testing.T) {
	b, err := HTML(nested())
	if err != nil {
		t.Fatal(err)
	}
	count, text := elements(t, b)
	// Parts: dense (the product and the function that it calls) and the loop.
	if strings.Count(string(b), `aria-label="graph of layers"`) != 1 || count["g"] != 2 || strings.Contains(string(b), "style=") || count["script"]+count["link"]+count["img"]+count["iframe"] != 0 {
		t.Errorf("%v in %s", count, b)
	}
	for _, want := range []string{"Run of program.mlir", "dense", "dot_general  p.mlir:2", "Critical path", "0 – 5", "5 – 9", "p.mlir:12:5", "60 B", "By operation"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	for _, want := range []string{"prefers-color-scheme: dark", "default-src &#39;none&#39;", "<!DOCTYPE html>"} {
		if !strings.Contains(strings.ReplaceAll(string(b), "'", "&#39;"), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(string(b), "ZgotmplZ") {
		t.Error("the template found something unsafe")
	}
	if b, err = HTML(plan()); err != nil || !strings.Contains(string(b), "Plan of program.mlir") || strings.Contains(string(b), "class=\"time\"") {
		t.Errorf("%v in %s", err, b)
	}
}

// TestPageEscapes: names come from files written by others and must be escaped.
func TestPageEscapes(t *testing.T) {
	r := nested()
	const evil = `</title><script>alert("1")</script>&'<`
	r.Program, r.Parties[0], r.Network = evil, evil, evil
	for i := range r.Ops {
		r.Ops[i].Op, r.Ops[i].Loc, r.Ops[i].Name = evil, evil, evil+"/"+evil
	}
	r.Frames[1].Func = evil
	b, err := HTML(r)
	if err != nil {
		t.Fatal(err)
	}
	if count, _ := elements(t, b); count["script"] != 0 {
		t.Errorf("%s", b)
	}
}

// TestParts: parts read earlier parts only and are drawn below them.
func TestParts(t *testing.T) {
	describe := func(all []*part) string {
		var got []string
		for _, l := range all {
			got = append(got, fmt.Sprint(l.name, " ", l.cost.bytes, " ", l.path, " ", l.first, "–", l.last, " ", l.inputs))
		}
		return strings.Join(got, ", ")
	}
	all, more := nested().parts()
	if got, want := describe(all), "dense 60 2 0–5 [], dot_general  p.mlir:2 60 1 5–9 [0]"; got != want || more != 0 {
		t.Errorf("%s, and %d more, want %s", got, more, want)
	}
	r := deep() // no names; the layers are in a loop
	r.Ops[2].Sites, r.Ops[3].Sites = []Site{{}}, []Site{{}}
	r.Ops[0].Inputs, r.Ops[1].Inputs, r.Ops[3].Inputs = nil, []int{0}, []int{2}
	r.Ops[2].Inputs = []int{1}
	all, _ = r.parts()
	if got, want := describe(all), "before the first layer 2 1 0–0 [], convolution  p.mlir:2 2020 5 0–0 [0], stablehlo.while 10200 10 0–0 [1]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	d := draw(all, layerRows(all))
	if len(d.Edges) != 2 || d.Boxes[0].Y >= d.Boxes[1].Y || d.Boxes[1].Y >= d.Boxes[2].Y || !d.Edges[0].OnPath {
		t.Errorf("%+v", d)
	}
	one := r.Ops[1]
	r.Ops = nil
	for i := range maxParts + 3 {
		o := one
		o.ID, o.Loc, o.Inputs = i, fmt.Sprintf("p.mlir:%d:1", i), []int{i - 1}
		r.Ops = append(r.Ops, o)
	}
	if all, more = r.parts(); len(all) != maxParts || more != 3 {
		t.Errorf("%d layers and %d more", len(all), more)
	}
}

// browser returns the path of a Chromium; the environment variable TACET_CHROMIUM may name it.
func browser(t *testing.T) string {
	for _, name := range []string{os.Getenv("TACET_CHROMIUM"), "chromium", "chromium-browser", "google-chrome", "chromium-headless-shell", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	t.Skip("no Chromium on this machine (set TACET_CHROMIUM to one)")
	return ""
}

// TestPageInBrowser: the browser renders the page, logs no message and loads no other file.
func TestPageInBrowser(t *testing.T) {
	path := browser(t)
	dir := t.TempDir()
	page := filepath.Join(dir, "page.html")
	b, err := HTML(nested())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, b, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(dir, "user"),
		"--enable-logging=stderr", "--v=0", "--dump-dom", "file://"+page)
	cmd.WaitDelay = time.Second
	var log bytes.Buffer
	cmd.Stderr = &log
	dom, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	for _, want := range []string{"<svg", "Critical path", "dense"} {
		if !strings.Contains(string(dom), want) {
			t.Errorf("no %q in %s", want, dom)
		}
	}
	if strings.Contains(log.String(), "CONSOLE") {
		t.Error(log.String())
	}
}
