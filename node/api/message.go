package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/tacet-mpc/tacet/printable"
)

// Maximum sizes of messages, in bytes.
const (
	// MaxSubmission bounds a submission: a program with its constants, and public inputs.
	MaxSubmission = 1 << 28
	// MaxMessage bounds any other request.
	MaxMessage = 1 << 16
	// MaxAnswer bounds an answer that is not a file.
	MaxAnswer = 1 << 24
)

// ReadMessage reads the one JSON value of a request's body, of at most max bytes. Unknown fields are
// an error: a message of another version would otherwise be misinterpreted.
func ReadMessage(body io.Reader, max int64, into any) error {
	bounded := &io.LimitedReader{R: body, N: max + 1}
	d := json.NewDecoder(bounded)
	d.DisallowUnknownFields()
	err := readOne(d, into)
	if bounded.N <= 0 {
		return fmt.Errorf("the message is longer than %d bytes", max)
	}
	if err != nil {
		return fmt.Errorf("cannot parse the message (is the sender another version of Tacet?): %w", err)
	}
	return nil
}

// readAnswer reads the one JSON value of an answer's body, of at most max bytes. Unknown fields, which a
// newer node may send, are ignored. The node is not trusted: texts are made printable.
func readAnswer(body io.Reader, max int64, into any) error {
	err := readOne(json.NewDecoder(io.LimitReader(body, max)), into)
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

// Answer writes a JSON answer.
func Answer(w http.ResponseWriter, answer any) error { return write(w, http.StatusOK, answer) }

// Refuse writes a refusal with a reason, which the caller sees, on one line.
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
