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
}

// Verify reads a whole log and checks its chain.
func Verify(path string) (Summary, error) {
	return Read(path, func(Event) error { return nil })
}

// Read calls each for all events of a log in order, until the chain breaks. The log may be written at
// the same time.
func Read(path string, each func(Event) error) (Summary, error) {
	f, err := os.Open(path)
	if err != nil {
		return Summary{}, fmt.Errorf("audit: %w", err)
	}
	defer f.Close()
	s := Summary{Head: first}
	r := bufio.NewReaderSize(f, maxLine)
	for {
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF):
			s.IncompleteBytes = int64(len(line))
			return s, nil
		case errors.Is(err, bufio.ErrBufferFull):
			return s, fmt.Errorf("%s:%d: the line is too long (is this an audit log?)", path, s.Events+1)
		case err != nil:
			return s, fmt.Errorf("audit: %w", err)
		}
		line = line[:len(line)-1]
		e, err := parse(line, s.Head)
		if err != nil {
			return s, fmt.Errorf("%s:%d: %w", path, s.Events+1, err)
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
