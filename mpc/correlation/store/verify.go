package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// Verify reads all ready sessions of the store at path dir. It returns the number of files that it has read and the
// errors of those that are damaged; if remove, it removes these. progress, if not nil, is called with the number of
// bytes read so far. err is not nil if a folder cannot be read or ctx has ended.
func Verify(ctx context.Context, dir string, remove bool, progress func(bytes int64)) (files int, damaged []error, err error) {
	folders, err := Folders(dir)
	if err != nil {
		return 0, nil, err
	}
	var bytes int64
	for _, f := range folders {
		entries, err := f.Entries()
		if err != nil {
			return files, damaged, err
		}
		generation, err := f.generation()
		if err != nil {
			return files, damaged, err
		}
		for _, e := range entries {
			if e.State != Ready {
				continue
			}
			if err := ctx.Err(); err != nil {
				return files, damaged, err
			}
			err := f.verify(ctx, e, generation)
			if errors.Is(err, fs.ErrNotExist) {
				continue // begun by a run meanwhile
			}
			if ctx.Err() != nil {
				return files, damaged, ctx.Err()
			}
			if err != nil {
				damaged = append(damaged, err)
			}
			if err != nil && remove {
				if _, err := f.remove(e.Session, readyEnd); err != nil {
					return files, damaged, err
				}
			}
			files++
			if bytes += e.Size; progress != nil {
				progress(bytes)
			}
		}
	}
	return files, damaged, nil
}

// verify reads and checks one file.
func (f *Folder) verify(ctx context.Context, e Entry, generation string) error {
	file, err := os.Open(f.filePath(e.Session, readyEnd))
	if err != nil {
		return f.ofSession(e.Session, err)
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 1<<20)
	h, size, err := f.read(e.Session, r)
	if err == nil {
		err = checkOwn(h, file, generation)
	}
	if err != nil {
		return f.ofSession(e.Session, err)
	}
	if want := size + h.Bytes + int64(h.Records)*correlation.RecordOverhead; e.Size != want {
		return f.ofSession(e.Session, fmt.Errorf("%w: %d bytes long, %d are expected", ErrDamaged, e.Size, want))
	}
	left, last := h.Bytes, correlation.ID(0)
	for i := range h.Records {
		if err := ctx.Err(); err != nil {
			return err
		}
		id, data, err := correlation.ReadRecord(r, h.Session, func(correlation.ID) int64 { return left })
		if err == nil && i > 0 && id <= last {
			err = fmt.Errorf("%w: %v comes after %v", ErrDamaged, id, last)
		}
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return f.ofSession(e.Session, err)
		}
		left -= int64(len(data))
		last = id
	}
	return nil
}
