package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/printable"
)

// Maximum sizes of messages, in bytes. ReadMessage refuses longer requests, and a Client refuses longer answers.
const (
	// MaxSubmission is the maximum size of a submission: a program with its constants, and public inputs.
	MaxSubmission = 1 << 28
	// MaxMessage is the maximum size of any other request. A list of MaxArguments arguments fits in twice.
	MaxMessage = 1 << 18
	// MaxAnswer is the maximum size of an answer, except of files (reports and results).
	MaxAnswer = 1 << 24
)

// Maximum numbers of structural characters ({, [ and commas) of messages: what is decoded from a message
// is in proportion to them, not to its bytes (package jsonlimit).
const (
	// maxRequestStructure bounds requests: all inputs, arguments, ranges and public arguments that a
	// submission may have (maxEntries, MaxArguments).
	maxRequestStructure = 1 << 18
	// maxAnswerStructure bounds answers: a status (maxStatusStructure), or a list of MaxJobs jobs.
	maxAnswerStructure = 1 << 16
)

// ReadMessage reads a request's body, which must be one JSON value of at most max bytes, and stores it in into.
// Unknown fields are an error, because a message of another version would otherwise be misinterpreted. An error
// of reading body is returned unchanged. If the JSON is wrong or too long, ReadMessage reads the rest of the body,
// of at most max bytes more, and drops it, because a sender that still writes when the connection closes may not
// see the answer.
func ReadMessage(body io.Reader, max int64, into any) error {
	from := &source{r: body}
	bounded := &io.LimitedReader{R: from, N: max + 1}
	d := json.NewDecoder(jsonlimit.Reader(bounded, jsonlimit.Of(maxRequestStructure)))
	d.DisallowUnknownFields()
	err := readOne(d, into)
	if bounded.N <= 0 {
		bounded.N = max
		io.Copy(io.Discard, bounded) // as below
		return &TooLong{max}
	}
	if from.err != nil {
		return from.err
	}
	if err != nil {
		io.Copy(io.Discard, bounded) // an error here changes nothing
	}
	if tooLarge := (&jsonlimit.Error{}); errors.As(err, &tooLarge) {
		return fmt.Errorf("the message is too large: %w", tooLarge)
	}
	if err != nil {
		return fmt.Errorf("cannot parse the message (is the sender another version of Tacet?): %w", err)
	}
	return nil
}

// TooLong is the error of a message that has more than Max bytes.
type TooLong struct{ Max int64 }

// Error returns a text that states the maximum length in bytes.
func (e *TooLong) Error() string { return fmt.Sprintf("the message is longer than %d bytes", e.Max) }

// source is a reader that stores its error, unless that is the end, to tell it from an error of the text.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// readAnswer reads the one JSON value of an answer's body, of at most max bytes. Unknown fields, which a
// newer node may send, are ignored. The node is not trusted: texts are made printable.
func readAnswer(body io.Reader, max int64, into any) error {
	return readLarge(body, max, maxAnswerStructure, into)
}

// readLarge is readAnswer with another maximum of structural characters.
func readLarge(body io.Reader, max int64, structure int, into any) error {
	from := &source{r: body}
	bounded := &io.LimitedReader{R: from, N: max + 1}
	err := readOne(json.NewDecoder(jsonlimit.Reader(bounded, jsonlimit.Of(structure))), into)
	tooLarge := &jsonlimit.Error{}
	switch {
	case bounded.N <= 0:
		err = fmt.Errorf("the answer is too long: it has more than %d bytes, the maximum", max)
	case from.err != nil:
		err = fmt.Errorf("the answer broke off: %w", from.err)
	case errors.As(err, &tooLarge):
		err = fmt.Errorf("the answer is too long: %w", tooLarge)
	case err != nil:
		err = fmt.Errorf("cannot parse the answer: %w", err)
	}
	printable.All(into, maxAnswerText)
	return err
}

// maxAnswerText bounds a text of an answer, in bytes.
const maxAnswerText = 1 << 14

func readOne(d *json.Decoder, into any) error {
	err := d.Decode(into)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("data after the end of the value")
	}
	return nil
}

// Answer writes answer to w as JSON, with HTTP status 200. The error is that of writing.
func Answer(w http.ResponseWriter, answer any) error { return write(w, http.StatusOK, answer) }

// Refuse writes a refusal to w: the HTTP status, and the reason as JSON on one line. The caller's Client returns
// it as *Refused.
func Refuse(w http.ResponseWriter, status int, reason string) error {
	return write(w, status, Error{strings.Join(strings.FieldsFunc(reason, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")})
}

func write(w http.ResponseWriter, status int, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		panic(fmt.Sprintf("api: answer: %v", err)) // plain data always has a text
	}
	w.Header().Set("Content-Type", "application/json")
	Identify(w.Header())
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, err = w.Write(append(text, '\n'))
	return err
}
