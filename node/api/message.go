package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Bounds of messages, in bytes.
const (
	// MaxSubmission bounds a submission: a program with its constants, and
	// public inputs.
	MaxSubmission = 1 << 28
	// MaxMessage bounds any other request.
	MaxMessage = 1 << 16
	// MaxAnswer bounds an answer that is not a file.
	MaxAnswer = 1 << 24
)

// ReadMessage reads the one JSON value of a request's body, of max bytes at
// most. A field that the message does not have is refused: another version's
// request would be understood as something else than was meant.
func ReadMessage(body io.Reader, max int64, into any) error {
	bounded := &io.LimitedReader{R: body, N: max + 1}
	d := json.NewDecoder(bounded)
	d.DisallowUnknownFields()
	err := readOne(d, into)
	if bounded.N <= 0 {
		return fmt.Errorf("the message is longer than %d bytes", max)
	}
	if err != nil {
		return fmt.Errorf("the message is not understood (is it of another version of Tacet?): %w", err)
	}
	return nil
}

// readAnswer reads the one JSON value of an answer's body. What a newer node
// says beyond what is known here is passed over.
func readAnswer(body io.Reader, into any) error {
	return readOne(json.NewDecoder(io.LimitReader(body, MaxAnswer)), into)
}

func readOne(d *json.Decoder, into any) error {
	err := d.Decode(into)
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more after its end")
	}
	return nil
}

// Answer writes an answer that is no file.
func Answer(w http.ResponseWriter, answer any) error { return write(w, http.StatusOK, answer) }

// Refuse writes a refusal; the reason is shown to whoever asked.
func Refuse(w http.ResponseWriter, status int, reason string) error {
	return write(w, status, Error{reason})
}

func write(w http.ResponseWriter, status int, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		panic(fmt.Sprintf("api: answer: %v", err)) // plain data always has a text
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, err = w.Write(append(text, '\n'))
	return err
}
