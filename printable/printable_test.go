package printable

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	for s, want := range map[string]string{
		"":                            "",
		"score.mlir":                  "score.mlir",
		"Größe 2 → 3":                 "Größe 2 → 3",
		"a\nreveals  nothing":         `a\nreveals  nothing`,
		"a\x1b[2K\rb":                 `a\x1b[2K\rb`,
		"safe\u202etxt":               `safe\u202etxt`,
		"\xff\xfe":                    `\xff\xfe`,
		"tab\tand \u00a0and zero\x00": `tab\tand \u00a0and zero\x00`,
		"\u2028":                      `\u2028`,
	} {
		if got := Text(s, 0); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
	for s, want := range map[string]string{"12345": "12345", "123456": "12345…", "1234é": "1234…", "\xff\xff\xff\xff\xff\xff": "…"} {
		if got := Text(s, 5); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func TestAll(t *testing.T) {
	type inner struct {
		Names []string
		By    map[string][]string
		raw   string
	}
	v := struct {
		A    string
		In   []inner
		P    *string
		Text []byte
		At   time.Time
		Any  any
	}{A: "a\n", In: []inner{{[]string{"b\n"}, map[string][]string{"k\n": {"v\n"}}, "\n"}}, P: new(string), Text: []byte("\n"), At: time.Unix(1, 0)}
	*v.P = "p\x1b"
	All(&v, 100)
	if v.A != `a\n` || v.In[0].Names[0] != `b\n` || *v.P != `p\x1b` || v.Text[0] != '\n' || v.In[0].raw != "\n" {
		t.Errorf("got %+v", v)
	}
	if d := cmp.Diff(map[string][]string{`k\n`: {`v\n`}}, v.In[0].By); d != "" {
		t.Error(d)
	}
}

func TestCheck(t *testing.T) {
	for s, want := range map[string]string{
		"fine":        "",
		"forged\nrow": `name contains characters that cannot be printed: forged\nrow`,
		"0123456789x": "name has 11 bytes; at most 10 are allowed",
	} {
		err := Check("name", s, 10)
		if s == "forged\nrow" {
			err = Check("name", s, 100)
		}
		if got := ""; err != nil && err.Error() != want || err == nil && want != got {
			t.Errorf("%q: %v, want %s", s, err, want)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\x1b[0m", 3)
	f.Fuzz(func(t *testing.T, s string, max int) {
		max %= 1000
		got := Text(s, max)
		if strings.ContainsFunc(got, func(r rune) bool {
			return r < ' ' || r == 0x7f || r == utf8.RuneError && !strings.ContainsRune(s, utf8.RuneError)
		}) {
			t.Fatalf("%q gives %q", s, got)
		}
		if again := Text(got, 0); again != got {
			t.Fatalf("%q gives %q and then %q", s, got, again)
		}
	})
}
