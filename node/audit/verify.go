package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tacet-mpc/tacet/printable"
)

// Summary describes a log that was read.
type Summary struct {
	Events          int
	Head            string // the last line's hash
	IncompleteBytes int64  // bytes of an incomplete last line, whose event never took effect
	Signed          *Head  // the head in the file beside the log; nil if there is none
}

// Unsigned is the number of lines that follow the signed head: one if the process ended between the two,
// more after a power failure.
func (s Summary) Unsigned() int64 {
	if s.Signed == nil {
		return int64(s.Events)
	}
	return int64(s.Events) - s.Signed.Lines
}

// Verify reads a whole log and checks its chain and its signed head.
func Verify(path string) (Summary, error) {
	return Read(path, func(Event) error { return nil })
}

// Read calls each for all events of a log in order, until the chain breaks. The log may be written at
// the same time. The log must agree with the signed head beside it, if there is one, and with kept,
// other signed heads of it.
func Read(path string, each func(Event) error, kept ...*Head) (Summary, error) {
	signed, err := ReadHead(path) // before the log, which may grow
	if err != nil {
		return Summary{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return Summary{}, fmt.Errorf("audit: %w", err)
	}
	defer f.Close()
	if signed != nil {
		kept = append([]*Head{signed}, kept...)
	}
	s, err := read(path, f, &follower{path, kept}, each)
	s.Signed = signed
	return s, err
}

// read reads a log.
func read(path string, log io.Reader, heads *follower, each func(Event) error) (Summary, error) {
	s := Summary{Head: first}
	r := bufio.NewReaderSize(log, maxLine)
	for {
		if err := heads.line(int64(s.Events), s.Head); err != nil {
			return s, err
		}
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			s.IncompleteBytes = int64(len(line))
			return s, heads.end(int64(s.Events))
		case errors.Is(err, bufio.ErrBufferFull):
			return s, &Break{path, int64(s.Events) + 1, "the line is too long (is this an audit log?)"}
		case err != nil:
			return s, fmt.Errorf("audit: %w", err)
		}
		line = line[:len(line)-1]
		e, err := parse(line, s.Head)
		if err != nil {
			return s, &Break{path, int64(s.Events) + 1, err.Error()}
		}
		e.Reason = strings.ReplaceAll(e.Reason, "\n", "; ") // several errors
		printable.All(&e, 0)                                // texts of submitters
		if err := each(e); err != nil {
			return s, err
		}
		s.Events++
		s.Head = hash(line)
	}
}
