package audit

import (
	"bytes"
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/jsonlimit"
)

const (
	// maxLine bounds a line with its newline, in bytes.
	maxLine = 1 << 20
	// maxStructure bounds the structural characters of a line, and of a file of heads; no line of maxLine has more.
	maxStructure = maxLine
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

// Log is an open audit log. Only one process at a time may have it open; a lock ensures that. Open makes a Log.
type Log struct {
	path     string
	signer   *Signer // nil: heads are not signed
	rotation Rotation

	mu       sync.Mutex
	file     *os.File
	headFile *os.File  // with the signed head; nil without a signer
	size     int64     // bytes of all complete lines of the file
	began    time.Time // time of the file's first event
	lines    int64     // number of complete lines, those of earlier files included
	head     string    // the last line's hash
	signed   *Head     // nil without a signer
	broken   error     // if not nil, the error that prevents further events
	found    *Break    // if not nil, the log that Open found was broken there

	headLength int // of headFile, in bytes
}

// Open opens the log at path, or creates one. signer signs its heads; if it is nil, the log has none. r says
// when the log starts a new file. Open removes an incomplete last line and records the removal. If the existing
// log was changed or cut, Open renames it, and starts a new log whose first event says what was wrong
// (Log.Found).
func Open(path string, signer *Signer, r Rotation) (*Log, error) {
	l := &Log{path: path, signer: signer, rotation: r}
	if err := l.open(); err != nil {
		return nil, errors.Join(err, l.closeFiles())
	}
	return l, nil
}

// Found returns what was wrong with the log that Open found, if it was changed or cut; nil otherwise.
func (l *Log) Found() *Break { return l.found }

// Signed returns the newest signed head of the log; nil if the log has no signer.
func (l *Log) Signed() *Head {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.signed
}

// open opens and locks the files, finds the log's end, and records what it finds wrong.
func (l *Log) open() error {
	if err := l.lock(); err != nil {
		return err
	}
	s, err := l.check()
	var wrong []Event
	if errors.As(err, &l.found) {
		aside, err := l.moveAside()
		if err != nil {
			return err
		}
		wrong = append(wrong, Event{Kind: Broken, Reason: fmt.Sprintf("the log before this one, %s, is broken: %v", aside, l.found)})
		s = Summary{Head: first}
	} else if err != nil {
		return err
	}
	l.lines, l.head = s.Lines(), s.Head
	if l.size == 0 && l.lines > 0 { // the process ended when it had begun a new file
		wrong = append(wrong, Event{Kind: Continued, Lines: l.lines})
	}
	if s.IncompleteBytes > 0 {
		if err := l.file.Truncate(l.size); err != nil {
			return l.wrap(err)
		}
		wrong = append(wrong, Event{Kind: Recovered, Reason: fmt.Sprintf("an incomplete line of %d bytes was removed", s.IncompleteBytes)})
	}
	if text := l.unsigned(s); text != "" {
		wrong = append(wrong, Event{Kind: Recovered, Reason: text})
	}
	if l.signer != nil {
		if l.headFile, err = os.OpenFile(HeadPath(l.path), os.O_RDWR|os.O_CREATE, 0o600); err != nil {
			return fmt.Errorf("audit: %w", err)
		}
		info, err := l.headFile.Stat()
		if err == nil {
			l.headLength = int(info.Size())
			err = l.signHead()
		}
		if err != nil {
			return l.wrap(err)
		}
	}
	for _, e := range wrong {
		if err := l.write(e); err != nil {
			return err
		}
	}
	l.removeOld()
	return nil
}

func (l *Log) wrap(err error) error { return fmt.Errorf("audit: %s: %w", l.path, err) }

// lock opens and locks the log's file.
func (l *Log) lock() (err error) {
	if l.file, err = os.OpenFile(l.path, os.O_RDWR|os.O_CREATE, 0o600); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	free, err := durable.Lock(l.file)
	if err == nil && !free {
		err = errors.New("another process has it open")
	}
	if err != nil {
		return l.wrap(err)
	}
	return nil
}

// check reads the log, sets size, and returns a Break if the log was changed or cut.
func (l *Log) check() (Summary, error) {
	info, err := l.file.Stat()
	if err != nil {
		return Summary{}, l.wrap(err)
	}
	n := 0
	s, err := readChain(l.path, func(e Event) error {
		if n++; n == 1 || e.Kind == Continued {
			l.began = e.Time // the last one is of the present file
		}
		return nil
	})
	l.size = info.Size() - s.IncompleteBytes
	return s, err
}

// unsigned describes lines that no head covers, or a head by another key; "" if there are none.
func (l *Log) unsigned(s Summary) string {
	switch {
	case l.signer == nil:
		return ""
	case s.Signed == nil && s.Lines() > 0:
		return fmt.Sprintf("the %d lines so far had no signed head (it was removed, or an earlier version wrote them)", s.Lines())
	case s.Signed == nil:
		return ""
	case s.Unsigned() > 0:
		return fmt.Sprintf("the last %d lines so far had no signed head", s.Unsigned())
	}
	if key, err := x509.MarshalPKIXPublicKey(l.signer.Key.Public()); err == nil && !bytes.Equal(key, s.Signed.Key) {
		return fmt.Sprintf("the head so far was signed by another key (SHA-256 %s)", hash(s.Signed.Key))
	}
	return ""
}

// moveAside renames the broken log and its head, opens a new log, and returns the broken one's new name.
func (l *Log) moveAside() (aside string, err error) {
	end := ".broken-" + time.Now().UTC().Format("20060102T150405.000Z")
	files, err := earlier(l.path)
	if err != nil {
		return "", err
	}
	for _, file := range files {
		if err := os.Rename(file, fmt.Sprintf("%s.%06d", l.path+end, numberOf(l.path, file))); err != nil {
			return "", l.wrap(err)
		}
	}
	if err = os.Rename(l.path, l.path+end); err != nil {
		return "", l.wrap(err)
	}
	if err = os.Rename(HeadPath(l.path), HeadPath(l.path+end)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", l.wrap(err)
	}
	old := l.file
	defer durable.Close(old)
	l.file, l.size = nil, 0
	if err := l.lock(); err != nil {
		return "", err
	}
	return filepath.Base(l.path + end), nil
}

// signHead writes the signed head of the log as it is. The write is not synced: after a power failure the
// head may be some lines behind.
func (l *Log) signHead() error {
	h, err := l.signer.sign(l.lines, l.head)
	if err != nil {
		return err
	}
	text, err := h.padded()
	if err == nil && l.headLength > len(text) {
		err = l.headFile.Truncate(0) // a longer key's head
	}
	if err == nil {
		_, err = l.headFile.WriteAt(text, 0)
	}
	l.headLength = len(text)
	if err == nil {
		l.signed = h
	}
	return err
}

func (l *Log) closeFiles() error {
	var err error
	if l.file != nil {
		err = durable.Close(l.file)
	}
	if l.headFile != nil {
		err = errors.Join(err, l.headFile.Close())
	}
	return err
}

// parse decodes a line whose predecessor has the hash before.
func parse(line []byte, before string) (Event, error) {
	var e Event
	d := json.NewDecoder(jsonlimit.Reader(bytes.NewReader(line), jsonlimit.Of(maxStructure)))
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

// follows reports whether a line ends as that of an event whose predecessor has the hash before. parse says what is wrong with others.
func follows(line []byte, before string) bool {
	rest, ok := bytes.CutSuffix(line, []byte(`"}`))
	if ok {
		rest, ok = bytes.CutSuffix(rest, []byte(before))
	}
	return ok && bytes.HasSuffix(rest, []byte(`,"prev":"`)) && bytes.HasPrefix(rest, []byte(`{"time":"`))
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
	if err := l.rotate(); err != nil {
		return err
	}
	return l.write(e)
}

// write adds an event to the present file. mu is held, or nobody else has the log yet.
func (l *Log) write(e Event) error {
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
	if l.size == 0 {
		l.began = e.Time
	}
	l.size += int64(line.Len())
	l.lines++
	l.head = hash(line.Bytes()[:line.Len()-1])
	if l.signer == nil {
		return nil
	}
	if err := l.signHead(); err != nil {
		l.broken = fmt.Errorf("audit: %s: %w", HeadPath(l.path), err)
	}
	return l.broken
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

// Close closes the log's file. A later Append returns an error.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken == nil {
		l.broken = fmt.Errorf("audit: %s: %w", l.path, os.ErrClosed)
	}
	return l.closeFiles()
}
