package store

import (
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Writer writes one session's file at one party. Runs do not see the session before Publish.
type Writer struct {
	folder  *Folder
	session correlation.SessionID
	file    *os.File
	buf     *bufio.Writer
	records int
	bytes   int64
}

// New creates the file of a new session, which h describes. h.Records and h.Bytes must be the number and the total
// length of the corrections that will be appended. New sets h.Generation and h.File.
func (f *Folder) New(h *Header) (*Writer, error) {
	mark, err := f.Mark()
	if err != nil {
		return nil, err
	}
	h.Generation = mark.Generation
	for _, end := range []string{readyEnd, begunEnd, spentEnd} {
		if f.exists(h.Session, end) {
			return nil, f.ofSession(h.Session, os.ErrExist)
		}
	}
	file, err := durable.Create(f.filePath(h.Session, makingEnd), 0o600)
	if err != nil {
		return nil, f.inFolder(err)
	}
	w := &Writer{folder: f, session: h.Session, file: file, buf: bufio.NewWriterSize(file, 1<<20), records: h.Records, bytes: h.Bytes}
	locked, err := durable.Lock(file)
	if err == nil && (!locked || !f.exists(h.Session, makingEnd)) {
		err = errors.New("another process removed it as unfinished: try again")
	}
	if err == nil {
		h.File, err = identity(file)
	}
	if err == nil {
		err = w.writeHeader(h)
	}
	if err != nil {
		w.Discard()
		return nil, f.ofSession(h.Session, err)
	}
	return w, nil
}

func (w *Writer) writeHeader(h *Header) error {
	text, err := h.encode()
	if err == nil {
		_, err = w.buf.Write(text)
	}
	return err
}

// Append writes the correction data with the given id. Corrections are appended in the order of the manifest.
func (w *Writer) Append(id correlation.ID, data []byte) error {
	w.records--
	w.bytes -= int64(len(data))
	if err := correlation.WriteRecord(w.buf, w.session, id, data); err != nil {
		return w.folder.ofSession(w.session, err)
	}
	return nil
}

// Publish makes the session ready, durably: first the contents, then the name. It returns an error, and removes the
// session, if corrections are missing or the disk fails.
func (w *Writer) Publish() error {
	if err := w.publish(); err != nil {
		w.Discard()
		return w.folder.ofSession(w.session, err)
	}
	return nil
}

func (w *Writer) publish() error {
	if w.records != 0 || w.bytes != 0 {
		return fmt.Errorf("%d corrections of %d bytes are missing", w.records, w.bytes)
	}
	if err := w.buf.Flush(); err != nil {
		return err
	}
	if err := durable.Sync(w.file); err != nil {
		return err
	}
	if err := durable.Rename(w.folder.filePath(w.session, makingEnd), w.folder.filePath(w.session, readyEnd)); err != nil {
		return err
	}
	if err := w.folder.sync(); err != nil {
		return err
	}
	return durable.Close(w.file)
}

// Discard removes the unfinished session. After Publish it does nothing.
func (w *Writer) Discard() {
	if durable.Close(w.file) == nil {
		durable.Remove(w.folder.filePath(w.session, makingEnd))
	}
}
