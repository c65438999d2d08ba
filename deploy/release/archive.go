package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of an archive.
type file struct {
	name    string // with slashes
	mode    fs.FileMode
	content []byte
}

// notesFile is the name of the release's notes in archives.
const notesFile = "RELEASE-NOTES"

// archived returns the files of a binary's archive, sorted by name: the binary, the licence, pages, and
// examples of configurations.
func archived(b *binary, source string) ([]file, error) {
	files := []file{{b.program(), 0o755, b.content}, {notesFile, 0o644, []byte(notes(b))}}
	for _, top := range []string{"LICENSE", "README.md", "CHANGELOG.md", "deploy/config", "deploy/organisations", "deploy/systemd", "deploy/compose.yaml"} {
		err := filepath.WalkDir(filepath.Join(source, top), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			content, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(source, p)
			files = append(files, file{filepath.ToSlash(name), 0o644, content})
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// notes returns the text of notesFile.
func notes(b *binary) string {
	const tested = "linux/amd64"
	state := "UNTESTED: it was compiled for this platform, and nobody has run it."
	if b.os+"/"+b.arch == tested {
		state = "tested: the project's tests run on it."
	}
	return fmt.Sprintf(`tacet %s for %s/%s
commit %s of %s, built with %s

This platform is %s
Tests run on %s only; binaries for all other platforms are untested.

CHANGELOG.md lists what has changed. `+"`tacet version`"+` prints version, protocol number and commit; parties of one
session need the same protocol number. Compare the archive with SHA256SUMS before you use it.
`, b.version, b.os, b.arch, b.commit, b.made.UTC().Format(time.DateOnly), b.GoVersion, state, tested)
}

// tarball returns a tar archive, compressed with gzip, of files in a folder.
func tarball(folder string, files []file, made time.Time) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := writeTar(tar.NewWriter(z), folder, files, made); err != nil {
		return nil, err
	}
	err := z.Close()
	return out.Bytes(), err
}

// writeTar writes files in a folder, "" for none, and closes t. All belong to user 0.
func writeTar(t *tar.Writer, folder string, files []file, made time.Time) error {
	for _, f := range files {
		h := &tar.Header{
			Typeflag: tar.TypeReg,
			Name:     path.Join(folder, f.name),
			Mode:     int64(f.mode),
			Size:     int64(len(f.content)),
			ModTime:  made.UTC(),
			Format:   tar.FormatUSTAR,
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.content); err != nil {
			return err
		}
	}
	return t.Close()
}

// zipped returns a zip archive of files in a folder.
func zipped(folder string, files []file, made time.Time) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		h := &zip.FileHeader{Name: path.Join(folder, f.name), Method: zip.Deflate, Modified: made.UTC()}
		h.SetMode(f.mode)
		w, err := z.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}
