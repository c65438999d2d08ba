package console

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/printable"
	"github.com/tacet-mpc/tacet/profile"
)

// functions are what templates may call.
var functions = template.FuncMap{
	"size":   size,
	"short":  short,
	"when":   when,
	"ago":    ago,
	"join":   strings.Join,
	"cut":    func(s string) string { return printable.Text(s, 120) },
	"plural": plural,
	"add":    func(a, b int) int { return a + b },
	"path":   template.URLQueryEscaper,
	"digest": func(s string) string { return fmt.Sprintf("%.19s", s) },
}

// short returns the beginning of an id.
func short(id string) string { return fmt.Sprintf("%.8s", id) }

// when formats a time of this machine, "–" for the zero time.
func when(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

// ago returns how long ago a time was, in one unit.
func ago(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return span(time.Since(t)) + " ago"
}

// span formats a duration in one unit.
func span(d time.Duration) string {
	switch {
	case d < 0:
		return "0 s"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}

// size formats a number of bytes as reports do.
func size(n int64) string { return profile.Size(n) }

// plural returns a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// seconds formats a duration in seconds.
func seconds(x float64) string {
	switch {
	case x <= 0:
		return "–"
	case x < 1e-3:
		return fmt.Sprintf("%.3g µs", x*1e6)
	case x < 1:
		return fmt.Sprintf("%.3g ms", x*1e3)
	}
	return fmt.Sprintf("%.4g s", x)
}
