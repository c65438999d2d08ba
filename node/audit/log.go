package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tacet-mpc/tacet/durable"
)

const (
	// maxLine bounds a line with its newline, in bytes.
	maxLine = 1 << 20
	// maxReason bounds a reason, in bytes; longer ones are cut.
	maxReason = 2000
)

// first is the Prev of the first line.
var first = strings.Repeat("0", 2*sha256.Size)

// hash returns a line's hash as the next line's Prev holds it.
func hash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// Log is an open log. One process at a time may have it open.
type Log struct {
	path string

	mu     sync.Mutex
	file   *os.File
	size   int64  // bytes of all complete lines
	head   string // the last line's hash
	broken error  // if not nil, the error that prevents further events
}

// Open opens a log or creates one. It checks that the last line follows the one before. An incomplete
// last line is removed, and the removal is recorded.
func Open(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	l := &Log{path: path, file: file}
	if err := l.recover(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// recover locks the file, finds the log's end and removes an incomplete last line.
func (l *Log) recover() error {
	free, err := durable.Lock(l.file)
	if err == nil && !free {
		err = errors.New("another process has it open")
	}
	var torn int64
	if err == nil {
		torn, err = l.end()
	}
	if err == nil && torn > 0 {
		err = l.file.Truncate(l.size)
	}
	if err != nil {
		return fmt.Errorf("audit: %s: %w", l.path, err)
	}
	if torn > 0 {
		return l.Append(Event{Kind: Recovered, Reason: fmt.Sprintf("an incomplete line of %d bytes was removed", torn)})
	}
	return nil
}

// end sets size and head and returns the number of bytes of an incomplete last line.
func (l *Log) end() (torn int64, err error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	from := max(0, info.Size()-3*maxLine) // an incomplete line and two complete ones
	tail := make([]byte, info.Size()-from)
	if _, err := io.ReadFull(io.NewSectionReader(l.file, from, info.Size()-from), tail); err != nil {
		return 0, err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	if whole == 0 && from > 0 {
		return 0, errors.New("no line end within the maximum line length (is this an audit log?)")
	}
	torn = int64(len(tail) - whole)
	l.size, l.head = info.Size()-torn, first
	if whole == 0 {
		return torn, nil
	}
	lines := bytes.Split(tail[:whole-1], []byte{'\n'})
	last := lines[len(lines)-1]
	before := first
	if len(lines) > 1 {
		before = hash(lines[len(lines)-2])
	} else if from > 0 {
		return 0, errors.New("a line is too long (is this an audit log?)")
	}
	if _, err := parse(last, before); err != nil {
		return 0, fmt.Errorf("the last line: %w (tacet audit shows where the chain breaks; move the file away to begin a new one)", err)
	}
	l.head = hash(last)
	return torn, nil
}

// parse decodes a line whose predecessor has the hash before.
func parse(line []byte, before string) (Event, error) {
	var e Event
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, errors.New("not an event")
	}
	if d.InputOffset() != int64(len(line)) {
		return e, errors.New("data after the event")
	}
	if e.Prev != before {
		return e, errors.New("its hash does not match the line before: one of the two was changed, or lines between them were removed")
	}
	return e, nil
}

// Append adds an event; a zero time is set to now. When Append returns nil, the event is on stable
// storage. After an error the event is not in the log, and the action that it records must not take
// place.
func (l *Log) Append(e Event) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return l.broken
	}
	if e.Time.IsZero() {
		e.Time = time.Now()
	}
	e.Time = e.Time.UTC()
	e.Prev = l.head
	e.Reason = cut(e.Reason)
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false) // keeps types readable: tensor<10xf32>
	err := enc.Encode(e)     // Encode appends a newline
	if err == nil && line.Len() > maxLine {
		err = fmt.Errorf("an event of %d bytes; the maximum is %d", line.Len(), maxLine)
	}
	if err != nil {
		return fmt.Errorf("audit: %s: %w", l.path, err)
	}
	if _, err := l.file.WriteAt(line.Bytes(), l.size); err != nil {
		err = fmt.Errorf("audit: %s: %w", l.path, err)
		if cerr := l.file.Truncate(l.size); cerr != nil {
			l.broken = err
		}
		return err
	}
	if err := l.file.Sync(); err != nil {
		// Whether the line is on disk is unknown now; the next Open finds out.
		l.broken = fmt.Errorf("audit: %s: %w", l.path, err)
		return l.broken
	}
	l.size += int64(line.Len())
	l.head = hash(line.Bytes()[:line.Len()-1])
	return nil
}

// cut shortens a reason to maxReason bytes.
func cut(s string) string {
	if len(s) <= maxReason {
		return s
	}
	n := maxReason
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Close closes the file; further events are refused.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		l.broken = fmt.Errorf("audit: %s: %w", l.path, os.ErrClosed)
	}
	return durable.Close(l.file)
}
