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
	// maxLine bounds a line with its end, in bytes.
	maxLine = 1 << 20
	// maxReason bounds a reason, in bytes; what is longer is cut.
	maxReason = 2000
)

// first is what the first line says of the line before it.
var first = strings.Repeat("0", 2*sha256.Size)

// hash is a line's hash, as the next line holds it.
func hash(line []byte) string {
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:])
}

// Log is a log that is open to be added to, in one process at a time.
type Log struct {
	path string

	mu     sync.Mutex
	file   *os.File
	size   int64  // of all whole lines
	head   string // the last line's hash
	broken error  // why nothing can be added any more
}

// Open opens a log, or begins one, after it has checked that its last line
// follows the one before. An unfinished last line is removed and that recorded.
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

// recover finds the log's end and mends it.
func (l *Log) recover() error {
	free, err := durable.Lock(l.file)
	if err == nil && !free {
		err = errors.New("another process writes it")
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
		return l.Append(Event{Kind: Recovered, Reason: fmt.Sprintf("an unfinished line of %d bytes was removed", torn)})
	}
	return nil
}

// end finds size and head, and how many bytes of an unfinished line follow.
func (l *Log) end() (torn int64, err error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	from := max(0, info.Size()-3*maxLine) // an unfinished line and two whole ones
	tail := make([]byte, info.Size()-from)
	if _, err := io.ReadFull(io.NewSectionReader(l.file, from, info.Size()-from), tail); err != nil {
		return 0, err
	}
	whole := bytes.LastIndexByte(tail, '\n') + 1
	if whole == 0 && from > 0 {
		return 0, errors.New("no line ends where the last should (is it an audit log?)")
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
		return 0, errors.New("a line that is too long (is it an audit log?)")
	}
	if _, err := parse(last, before); err != nil {
		return 0, fmt.Errorf("the last line: %w (tacet audit shows where the chain breaks; move the file away to begin a new one)", err)
	}
	l.head = hash(last)
	return torn, nil
}

// parse reads a line that follows one with the given hash.
func parse(line []byte, before string) (Event, error) {
	var e Event
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if err := d.Decode(&e); err != nil {
		return e, errors.New("it is no event")
	}
	if d.InputOffset() != int64(len(line)) {
		return e, errors.New("it is more than an event")
	}
	if e.Prev != before {
		return e, errors.New("it does not follow the line before: one of the two was changed, or lines between them removed")
	}
	return e, nil
}

// Append adds an event; its time is now if it has none. It is on the disk when
// Append returns nil. On an error it is not in the log; what it tells of must
// not be done.
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
	enc.SetEscapeHTML(false) // people read types: tensor<10xf32>
	err := enc.Encode(e)     // and a newline
	if err == nil && line.Len() > maxLine {
		err = fmt.Errorf("an event of %d bytes, %d are allowed", line.Len(), maxLine)
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
		// What is on the disk is unknown from here on; the next Open will see.
		l.broken = fmt.Errorf("audit: %s: %w", l.path, err)
		return l.broken
	}
	l.size += int64(line.Len())
	l.head = hash(line.Bytes()[:line.Len()-1])
	return nil
}

// cut shortens a reason that is too long.
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

// Close ends writing.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		l.broken = fmt.Errorf("audit: %s: %w", l.path, os.ErrClosed)
	}
	return durable.Close(l.file)
}
