// Command release packs binaries of tacet as a release: for each binary an archive and a list of the
// modules that it is made of (CycloneDX), for each of Linux a container image (OCI), and SHA256SUMS of all.
// Equal binaries and sources give equal bytes. deploy/release.sh calls it.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	version := flag.String("version", "", "the release's version")
	source := flag.String("source", ".", "root of the source, which has the files that archives contain")
	out := flag.String("out", "", "folder of the results")
	flag.Parse()
	if err := run(*version, *source, *out, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run packs binaries into the folder out.
func run(version, source, out string, binaries []string) error {
	if version == "" || out == "" || len(binaries) == 0 {
		return errors.New("usage: release -version VERSION -out DIR [-source DIR] BINARY...")
	}
	for _, path := range binaries {
		b, err := readBinary(version, path)
		if err == nil {
			err = pack(b, source, out)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return writeSums(out)
}

// binary is a binary with what its build recorded.
type binary struct {
	*buildinfo.BuildInfo
	content  []byte
	version  string // of the release
	os, arch string
	commit   string
	made     time.Time // time of the commit
}

// readBinary reads a binary that has been built from a commit without changes.
func readBinary(version, path string) (*binary, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	b := &binary{BuildInfo: info, version: version}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	b.os, b.arch, b.commit = settings["GOOS"], settings["GOARCH"], settings["vcs.revision"]
	if b.commit == "" || settings["vcs.modified"] != "false" {
		return nil, errors.New("the binary does not record a commit without changes (build it with -buildvcs=true in a clean clone)")
	}
	if b.made, err = time.Parse(time.RFC3339, settings["vcs.time"]); err != nil {
		return nil, err
	}
	b.content, err = os.ReadFile(path)
	return b, err
}

// name returns the name of the binary's archive without its ending.
func (b *binary) name() string { return fmt.Sprintf("tacet-%s-%s-%s", b.version, b.os, b.arch) }

// program returns the name of the binary within its archive.
func (b *binary) program() string {
	if b.os == "windows" {
		return "tacet.exe"
	}
	return "tacet"
}

// pack writes what is made of one binary.
func pack(b *binary, source, out string) error {
	files, err := archived(b, source)
	if err != nil {
		return err
	}
	write, ending := tarball, ".tar.gz"
	if b.os == "windows" {
		write, ending = zipped, ".zip"
	}
	results := map[string][]byte{}
	if results[b.name()+ending], err = write(b.name(), files, b.made); err != nil {
		return err
	}
	if results[b.name()+".cdx.json"], err = billOfMaterials(b); err != nil {
		return err
	}
	if b.os == "linux" {
		if results[b.name()+".oci.tar"], err = image(b); err != nil {
			return err
		}
	}
	for name, content := range results {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// sumsFile is the name of the file with the SHA-256 sums of all others, as sha256sum -c reads it.
const sumsFile = "SHA256SUMS"

// writeSums writes the sums of a folder's files.
func writeSums(out string) error {
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	var lines []string
	for _, e := range entries {
		if e.Name() == sumsFile {
			continue
		}
		content, err := os.ReadFile(filepath.Join(out, e.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(content), e.Name()))
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[64:], b[64:]) })
	return os.WriteFile(filepath.Join(out, sumsFile), []byte(strings.Join(lines, "")), 0o644)
}
