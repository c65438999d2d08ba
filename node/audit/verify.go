package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/printable"
)

// Summary describes a log that Read or Verify has read.
type Summary struct {
	Events          int    // number of events that were read
	Missing         int64  // number of earlier lines, in files that were removed
	Head            string // hash of the last line
	IncompleteBytes int64  // bytes of an incomplete last line, whose event never took effect
	Signed          *Head  // the signed head in the file beside the log; nil if there is none
}

// Lines returns the number of all lines of the log, those in removed files included.
func (s Summary) Lines() int64 { return s.Missing + int64(s.Events) }

// Unsigned returns the number of lines that follow the signed head. It may be one if the process ended between
// writing the line and the head, and more after a power failure. Without a head it is the number of all lines.
func (s Summary) Unsigned() int64 {
	if s.Signed == nil {
		return s.Lines()
	}
	return s.Lines() - s.Signed.Lines
}

// Verify reads the whole log at path, its earlier files included, and checks its chain and its signed head, as
// Read does.
func Verify(path string) (Summary, error) {
	return Read(path, func(Event) error { return nil })
}

// Read calls each with all events of the log at path, oldest first, its earlier files included. It stops with a
// *Break at the first line where the chain of hashes is wrong, or where the log contradicts its signed head or
// one of kept, which are signed heads of it that others have kept. An error of each also ends it. The log may be
// written at the same time.
func Read(path string, each func(Event) error, kept ...*Head) (Summary, error) {
	return read(path, &reading{each: each}, kept)
}

// readChain is Read, but calls each with the first event of each file alone. Of other lines it checks the chain of hashes and decodes
// none that ends as Log writes it, which is about ten times as fast. Who could make a line that is no event and has its place in the
// chain and before the signed head could as well write a false event.
func readChain(path string, each func(Event) error) (Summary, error) {
	return read(path, &reading{each: each, chainOnly: true}, nil)
}

// read is Read with l's each and chainOnly.
func read(path string, l *reading, kept []*Head) (Summary, error) {
	signed, err := ReadHead(path) // before the log, which may grow
	if err != nil {
		return Summary{}, err
	}
	files, err := openAll(path)
	if err != nil {
		return Summary{}, err
	}
	defer closeAll(files)
	if signed != nil {
		kept = append([]*Head{signed}, kept...)
	}
	l.Summary, l.heads = Summary{Head: first, Signed: signed}, &follower{kept}
	for i, f := range files {
		last := i == len(files)-1
		if f == nil { // the process ended before it had begun the file
			err = l.file(path, strings.NewReader(""), last)
		} else {
			err = l.file(f.Name(), f, last)
		}
		if err != nil {
			break
		}
	}
	return l.Summary, err
}

// reading is a log that is being read, file by file.
type reading struct {
	Summary
	heads     *follower
	each      func(Event) error
	chainOnly bool // see readChain

	goesOn bool // the lines follow others that were read before, in the same file or another one
}

// file reads a file of the log. last says that it is the present one, whose last line may be incomplete.
func (s *reading) file(path string, log io.Reader, last bool) error {
	r := bufio.NewReaderSize(log, maxLine)
	for n := int64(0); ; n++ {
		if err := s.heads.line(path, n, s.Lines(), s.Head); err != nil {
			return err
		}
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, io.EOF) && !last && len(line) > 0:
			return &Break{path, n + 1, "the line is incomplete, and another file follows"}
		case errors.Is(err, io.EOF) && !last:
			return nil
		case errors.Is(err, io.EOF):
			s.IncompleteBytes = int64(len(line))
			return s.heads.end(path, n, s.Lines())
		case errors.Is(err, bufio.ErrBufferFull):
			return &Break{path, n + 1, "the line is too long (is this an audit log?)"}
		case err != nil:
			return fmt.Errorf("audit: %w", err)
		}
		line = line[:len(line)-1]
		if s.chainOnly && n > 0 && follows(line, s.Head) {
			s.Events++
			s.Head = hash(line)
			continue
		}
		if n == 0 && !s.goesOn {
			if err := s.begin(path, line); err != nil {
				return err
			}
		}
		e, err := parse(line, s.Head)
		if err != nil {
			return &Break{path, n + 1, err.Error()}
		}
		e.Reason = strings.ReplaceAll(e.Reason, "\n", "; ") // several errors
		printable.All(&e, 0)                                // texts of submitters
		if err := s.each(e); err != nil {
			return err
		}
		s.Events++
		s.Head = hash(line)
	}
}

// begin checks the first line of a file. The first one of all is a log's first event, or it continues files
// that were removed; the others continue the file before.
func (s *reading) begin(path string, line []byte) error {
	var e Event
	if err := jsonlimit.Unmarshal(line, jsonlimit.Of(maxStructure), &e); err != nil {
		return nil // parse says what is wrong
	}
	switch {
	case s.Lines() > 0 && (e.Kind != Continued || e.Lines != s.Lines()):
		return &Break{path, 1, fmt.Sprintf("it does not continue the file before, which ends at line %d of the log: files are missing between, or were changed", s.Lines())}
	case s.Lines() == 0 && e.Kind == Continued && e.Lines > 0:
		s.Missing, s.Head = e.Lines, e.Prev
	}
	return s.heads.line(path, 0, s.Lines(), s.Head)
}
