package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

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

// TestStructure checks that messages and answers of many small elements are refused before they are decoded:
// the memory that they take stays in proportion to the limit, not to their length.
func TestStructure(t *testing.T) {
	many := strings.Repeat("{},", 1<<20) + "{}"
	for name, read := range map[string]func() error{
		"inputs of a submission": func() error {
			return ReadMessage(strings.NewReader(`{"inputs":[`+many+`]}`), MaxSubmission, &Submission{})
		},
		"inputs of a request": func() error {
			return ReadMessage(strings.NewReader(`{"inputs":[`+many+`]}`), MaxSubmission, &Request{})
		},
		"nothing but brackets": func() error {
			return ReadMessage(strings.NewReader(strings.Repeat("[", 1<<20)), MaxSubmission, &Submission{})
		},
		"a list of jobs":        func() error { return readAnswer(strings.NewReader(`[`+many+`]`), MaxAnswer, &[]Job{}) },
		"arguments of a status": func() error { return readAnswer(strings.NewReader(`{"arguments":[`+many+`]}`), MaxAnswer, &Job{}) },
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := read()
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), "the JSON text has more than") {
				t.Error(err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 24<<20 {
				t.Errorf("%d MiB were allocated for a text of %d MiB", took>>20, len(many)>>20)
			}
		})
	}
}

// TestReadMessageToItsEnd checks that a message that is refused in its middle is read to its end or as far as its maximum, and one
// that is longer as far as twice its maximum.
func TestReadMessageToItsEnd(t *testing.T) {
	const max = 1 << 20
	for _, start := range []string{`{"nosuch":1}`, `{]`, strings.Repeat("[", maxRequestStructure+1), `{}{}`} {
		for rest, left := range map[int]int{0: 0, max / 2: 0, 3 * max: len(start) + 2*max - 1} {
			body := strings.NewReader(start + strings.Repeat(" ", rest))
			if err := ReadMessage(body, max, &Submission{}); err == nil {
				t.Errorf("%.20q is accepted", start)
			}
			if body.Len() != left {
				t.Errorf("%.20q and %d more bytes: %d bytes are left, want %d", start, rest, body.Len(), left)
			}
		}
	}
	body := strings.NewReader(strings.Repeat(" ", 3*max))
	if err := ReadMessage(body, max, &Submission{}); !errors.As(err, new(*TooLong)) || body.Len() != max-1 {
		t.Errorf("a long message: %v, and %d bytes are left", err, body.Len())
	}
}

// TestReadMessageSource checks that an error of a message's body is not taken for an error of its text.
func TestReadMessageSource(t *testing.T) {
	busy := errors.New("there is no memory for this message")
	err := ReadMessage(io.MultiReader(strings.NewReader(`{"id":`), iotest.ErrReader(busy)), MaxMessage, &Submission{})
	if err != busy {
		t.Errorf("%v, want %v", err, busy)
	}
	err = readAnswer(iotest.ErrReader(busy), MaxMessage, &Job{})
	if err == nil || strings.Contains(err.Error(), "parse") || !errors.Is(err, busy) {
		t.Error(err)
	}
	err = readAnswer(strings.NewReader(`"`+strings.Repeat("x", MaxMessage)), MaxMessage, new(string))
	if err == nil || !strings.Contains(err.Error(), "the answer is too long") {
		t.Error(err)
	}
}

// TestAnswerJobs checks where a list of jobs is cut, and that the client knows how many jobs it lacks.
func TestAnswerJobs(t *testing.T) {
	for name, k := range map[string]struct {
		jobs    int
		error   int // length of Error
		parties int
		want    int // listed
	}{
		"none":          {0, 0, 2, 0},
		"some":          {10, 1 << 20, 2, 10},
		"many":          {3000, 100, 2, MaxJobs},
		"many parties":  {500, 0, 256, 250},
		"long and many": {1000, 0, 1000, 60},
	} {
		jobs := make([]Job, k.jobs)
		for i := range jobs {
			jobs[i] = Job{ID: fmt.Sprint(i), Error: strings.Repeat("e", k.error), Inputs: []string{"x"}, Arguments: make([]Argument, 100)}
			for range k.parties {
				jobs[i].Parties = append(jobs[i].Parties, "a party1")
			}
		}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { AnswerJobs(w, jobs, 0, len(jobs)) }))
		c := Over("bob", "bob", func(context.Context) (net.Conn, error) { return net.Dial("tcp", server.Listener.Addr().String()) })
		got, omitted, err := c.Jobs(t.Context(), "")
		if err != nil || len(got) < min(k.want, 50) || len(got) > k.want || omitted != k.jobs-len(got) {
			t.Errorf("%s: %d of %d jobs, %d omitted, %v", name, len(got), k.jobs, omitted, err)
		}
		server.Close()
	}
}
