package api

import (
	"bytes"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReadMessage(t *testing.T) {
	for text, want := range map[string]string{
		`{"digest": "d"}`:            "",
		` {"digest": "d"} `:          "",
		"":                           "cannot parse the message (is the sender another version of Tacet?): unexpected EOF",
		`{"digest": "d"`:             "unexpected EOF",
		`{"digest": "d"} {}`:         "data after the end of the value",
		`{"digest": "d", "seed": 1}`: `unknown field "seed"`,
		`{"digest": 1}`:              "cannot unmarshal number",
		`{"digest": "` + strings.Repeat("d", 100) + `"}`: "the message is longer than 64 bytes",
		strings.Repeat(" ", 100):                         "the message is longer than 64 bytes",
	} {
		var r Reserve
		err := ReadMessage(strings.NewReader(text), 64, &r)
		if want == "" && (err != nil || r.Digest != "d") || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %+v, %v, want %q", text, r, err, want)
		}
	}
}

// FuzzSubmission checks that a submission that is parsed and encoded again parses to the same value,
// so that its digest is the same at all nodes.
func FuzzSubmission(f *testing.F) {
	for _, s := range []string{
		`{"id":"0","program":{"name":"p","text":"YQ=="},"parties":["a","b"],"set":{"k":"v"},"inputs":[{"owner":"a","name":"x","args":null}],"public":[{"arg":1,"array":""}],"reveal":[0]}`,
		"{}", "", "[", `{"id":"\ud800"}`, `{"ID":"a","id":"b"}`, `{"reveal":[1e3]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var s, again Submission
		if ReadMessage(bytes.NewReader(text), MaxMessage, &s) != nil {
			return
		}
		digest := s.Digest()
		w := httptest.NewRecorder()
		if err := write(w, 200, s); err != nil {
			t.Fatal(err)
		}
		if err := ReadMessage(w.Body, MaxSubmission, &again); err != nil {
			t.Fatalf("%q: read, but not again: %v", text, err)
		}
		if d := cmp.Diff(s, again, cmpopts.EquateEmpty()); d != "" || digest != again.Digest() {
			t.Fatalf("%q: %s", text, d)
		}
	})
}
