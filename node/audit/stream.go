package audit

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/jsonlimit"
)

// Position is a place in a log: after its first Lines lines, the last of which has the hash Hash. The zero value is
// the beginning.
type Position struct {
	Lines int64
	Hash  string
}

// CopyLines writes the lines of the log at path to w, its earlier files included, without the first from ones of the
// log. Lines of files that were removed count. An incomplete last line is left out. The log may be written at the same
// time. Nothing is checked: the reader does that (ReadLines).
func CopyLines(w io.Writer, path string, from int64) error {
	files, err := openAll(path)
	if err != nil {
		return err
	}
	defer closeAll(files)
	n := int64(0) // lines of the log before the present one
	begun := false
	for _, f := range files {
		if f == nil {
			continue
		}
		r := bufio.NewReaderSize(f, 1<<16)
		for {
			line, err := readLine(r)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("audit: %s: %w", f.Name(), err)
			}
			if !begun {
				var e Event
				if jsonlimit.Unmarshal(line, jsonlimit.Of(maxStructure), &e) == nil && e.Kind == Continued {
					n = e.Lines
				}
				begun = true
			}
			if n++; n <= from {
				continue
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// readLine returns the next line with its newline. An incomplete one is io.EOF.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > maxLine:
			return nil, errors.New("a line is too long (is this an audit log?)")
		}
	}
}

// ReadLines is Read for lines that come from elsewhere, such as those of CopyLines at a node: it calls each with all
// their events. name names the log in errors, after is the place after which the lines begin. It stops with a *Break
// at the first line where the chain of hashes is wrong, or where the log contradicts one of kept, which are signed
// heads of it. The summary's Missing counts the lines before.
func ReadLines(name string, log io.Reader, after Position, each func(Event) error, kept ...*Head) (Summary, error) {
	l := &reading{Summary: Summary{Head: first}, heads: &follower{kept}, each: each}
	if after.Lines > 0 {
		l.Missing, l.Head, l.goesOn = after.Lines, after.Hash, true
	}
	err := l.file(name, log, true)
	return l.Summary, err
}
