package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"
)

// sample returns a binary as readBinary reads it, whose content is the test's.
func sample(os, arch string) *binary {
	return &binary{
		BuildInfo: &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Path: "github.com/tacet-mpc/tacet"}, Deps: []*debug.Module{
			{Path: "example.org/a", Version: "v1.2.3", Sum: "h1:sum"},
			{Path: "example.org/b", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/c", Version: "v2.0.0", Sum: "h1:other"}},
		}},
		content: []byte("binary of " + os), version: "1.2.3", os: os, arch: arch, commit: strings.Repeat("c", 40), made: time.Unix(1e9, 0),
	}
}

// unpack returns the files of a tar archive by name, with their modes.
func unpack(t *testing.T, r io.Reader) (files map[string][]byte, modes map[string]int64) {
	t.Helper()
	files, modes = map[string][]byte{}, map[string]int64{}
	for a := tar.NewReader(r); ; {
		h, err := a.Next()
		if errors.Is(err, io.EOF) {
			return files, modes
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := files[h.Name]; twice {
			t.Errorf("%s is there twice", h.Name)
		}
		if files[h.Name], err = io.ReadAll(a); err != nil {
			t.Fatal(err)
		}
		modes[h.Name] = h.Mode
	}
}

// unzip returns what is compressed in a text.
func unzip(t *testing.T, text []byte) io.Reader {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// checkSums compares SHA256SUMS with the files of a folder and returns their names.
func checkSums(t *testing.T, dir string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || fmt.Sprintf("%x", sha256.Sum256(content)) != sum {
			t.Errorf("%s: %s, %v", name, sum, err)
		}
		names = append(names, name)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(names)+1 {
		t.Errorf("%d files, %d sums, %v", len(entries), len(names), err)
	}
	return names
}

// checkBill parses a CycloneDX document and returns its components by purl.
func checkBill(t *testing.T, text []byte, binary []byte) map[string]component {
	t.Helper()
	var b bom
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Spec != "1.5" || b.Version != 1 ||
		!regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(b.Serial) {
		t.Errorf("%+v", b)
	}
	if h := b.Metadata.Component.Hashes; len(h) != 1 || h[0].Content != fmt.Sprintf("%x", sha256.Sum256(binary)) {
		t.Errorf("the hash of the binary: %+v", h)
	}
	out := map[string]component{}
	for _, c := range b.Components {
		if _, twice := out[c.Ref]; twice || c.Ref != c.PURL || !strings.HasPrefix(c.PURL, "pkg:golang/") || c.Version == "" {
			t.Errorf("%+v", c)
		}
		out[c.Ref] = c
	}
	return out
}

// checkImage follows an image from its index to its layer, and returns the binary in it.
func checkImage(t *testing.T, files map[string][]byte, version string) []byte {
	t.Helper()
	blob := func(d descriptor) []byte {
		t.Helper()
		text := files["blobs/sha256/"+strings.TrimPrefix(d.Digest, "sha256:")]
		if len(text) != d.Size || digestOf(text) != d.Digest {
			t.Errorf("the blob %s has %d bytes", d.Digest, len(text))
		}
		return text
	}
	parse := func(text []byte, v any) {
		t.Helper()
		if err := json.Unmarshal(text, v); err != nil {
			t.Fatal(err)
		}
	}
	var index imageIndex
	var manifest imageManifest
	var config imageConfig
	parse(files["index.json"], &index)
	if len(index.Manifests) != 1 || index.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != version {
		t.Fatalf("%+v", index)
	}
	parse(blob(index.Manifests[0]), &manifest)
	if len(manifest.Layers) != 1 {
		t.Fatalf("%+v", manifest)
	}
	parse(blob(manifest.Config), &config)
	if config.Config.User != imageUser || !slices.Equal(config.Config.Entrypoint, []string{"/tacet"}) || len(config.RootFS.DiffIDs) != 1 {
		t.Errorf("%+v", config)
	}
	plain, err := io.ReadAll(unzip(t, blob(manifest.Layers[0])))
	if err != nil || digestOf(plain) != config.RootFS.DiffIDs[0] {
		t.Errorf("the layer: %v", err)
	}
	layer, modes := unpack(t, bytes.NewReader(plain))
	if len(layer) != 1 || modes["tacet"] != 0o755 {
		t.Errorf("the image has files %v", modes)
	}
	return layer["tacet"]
}

// TestPack packs binaries for several platforms.
func TestPack(t *testing.T) {
	dir := t.TempDir()
	for _, b := range []*binary{sample("linux", "amd64"), sample("linux", "arm64"), sample("darwin", "arm64"), sample("windows", "amd64")} {
		for range 2 { // the same bytes
			before, _ := os.ReadFile(filepath.Join(dir, b.name()+".tar.gz"))
			if err := pack(b, "../..", dir); err != nil {
				t.Fatal(err)
			}
			if after, _ := os.ReadFile(filepath.Join(dir, b.name()+".tar.gz")); before != nil && !bytes.Equal(before, after) {
				t.Errorf("%s: other bytes", b.name())
			}
		}
		untested := strings.Contains(notes(b), "UNTESTED: it was compiled for this platform, and nobody has run it.")
		if untested != (b.name() != "tacet-1.2.3-linux-amd64") {
			t.Errorf("%s: untested %v", b.name(), untested)
		}
	}
	if err := writeSums(dir); err != nil {
		t.Fatal(err)
	}
	want := []string{"tacet-1.2.3-darwin-arm64.cdx.json", "tacet-1.2.3-darwin-arm64.tar.gz"}
	for _, arch := range []string{"amd64", "arm64"} {
		for _, ending := range []string{".cdx.json", ".oci.tar", ".tar.gz"} {
			want = append(want, "tacet-1.2.3-linux-"+arch+ending)
		}
	}
	want = append(want, "tacet-1.2.3-windows-amd64.cdx.json", "tacet-1.2.3-windows-amd64.zip")
	if names := checkSums(t, dir); !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}

	read := func(name string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	files, modes := unpack(t, unzip(t, read("tacet-1.2.3-linux-amd64.tar.gz")))
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", notesFile, "deploy/systemd/tacet-node.service", "deploy/organisations/score.mlir"} {
		if files["tacet-1.2.3-linux-amd64/"+name] == nil {
			t.Errorf("no %s in the archive", name)
		}
	}
	if string(files["tacet-1.2.3-linux-amd64/tacet"]) != "binary of linux" || modes["tacet-1.2.3-linux-amd64/tacet"] != 0o755 {
		t.Errorf("the archive's binary, mode %o", modes["tacet-1.2.3-linux-amd64/tacet"])
	}
	all := checkBill(t, read("tacet-1.2.3-linux-amd64.cdx.json"), []byte("binary of linux"))
	if c := all["pkg:golang/example.org/c@v2.0.0"]; len(all) != 3 || all["pkg:golang/std@1.26.8"].Name != "std" || len(c.Properties) != 2 ||
		c.Properties[1] != (property{"go:replaces", "example.org/b@v1.0.0"}) {
		t.Errorf("%+v", all)
	}
	inside, _ := unpack(t, bytes.NewReader(read("tacet-1.2.3-linux-amd64.oci.tar")))
	if b := checkImage(t, inside, "1.2.3"); string(b) != "binary of linux" {
		t.Errorf("the image's binary is %q", b)
	}
}

// TestPlatforms checks that the README and docs/deploy.md label each platform of the script as tested or untested.
func TestPlatforms(t *testing.T) {
	read := func(path string) string {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	m := regexp.MustCompile(`PLATFORMS:-([^}]+)}`).FindStringSubmatch(read("../release.sh"))
	if m == nil || len(strings.Fields(m[1])) < 3 {
		t.Fatalf("the script's platforms: %q", m)
	}
	readme, page := read("../../README.md"), read("../../docs/deploy.md")
	_, untested, _ := strings.Cut(page, "**Archives for ")
	untested, _, _ = strings.Cut(untested, "are untested**")
	for _, p := range strings.Fields(m[1]) {
		os, arch, _ := strings.Cut(p, "/")
		tested := !strings.Contains(notes(sample(os, arch)), "UNTESTED")
		row := regexp.MustCompile(`(?m)^\|[^|\n]*` + p + `[^|\n]*\|([^|\n]*)\|$`).FindStringSubmatch(readme)
		if row == nil || strings.Contains(row[1], "**untested**") == tested {
			t.Errorf("README.md does not say whether %s is tested: %q", p, row)
		}
		if strings.Contains(untested, p) == tested {
			t.Errorf("docs/deploy.md does not say whether %s is tested: %q", p, untested)
		}
	}
}

// TestReadBinary refuses binaries that record no clean commit: this test is one.
func TestReadBinary(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readBinary("1.2.3", self); err == nil || !strings.Contains(err.Error(), "commit without changes") {
		t.Errorf("%v", err)
	}
}

// script runs deploy/release.sh.
func script(t *testing.T, platforms string, args ...string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), "bash", append([]string{"../release.sh"}, args...)...)
	c.Env = append(os.Environ(), "PLATFORMS="+platforms)
	out, err := c.CombinedOutput()
	return string(out), err
}

// TestScript checks what the script refuses. With TACET_TEST_RELEASE=1 it builds the last commit for this
// platform, or for those of TACET_TEST_RELEASE_PLATFORMS, and runs what is in the archive and the image.
func TestScript(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("a script of bash")
	}
	for _, x := range []struct {
		args []string
		want string
	}{
		{nil, "usage: deploy/release.sh VERSION OUT"},
		{[]string{"1.2.3"}, "usage: deploy/release.sh VERSION OUT"},
		{[]string{"1.2", filepath.Join(t.TempDir(), "out")}, "1.2 is not a semantic version such as 0.2.0"},
		{[]string{"1.2.3", t.TempDir()}, "File exists"},
	} {
		if out, err := script(t, "", x.args...); err == nil || !strings.Contains(out, x.want) {
			t.Errorf("%q: %v: %s; want %s", x.args, err, out, x.want)
		}
	}
	if os.Getenv("TACET_TEST_RELEASE") == "" {
		t.Skip("TACET_TEST_RELEASE=1 builds a release")
	}
	const version = "9.8.7-test.1"
	here := "linux/" + runtime.GOARCH
	platforms := os.Getenv("TACET_TEST_RELEASE_PLATFORMS")
	if !strings.Contains(platforms, here) {
		platforms += " " + here
	}
	head, err := exec.CommandContext(t.Context(), "git", "rev-parse", "HEAD").Output() // before the script, during which there may be commits
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "out")
	if out, err := script(t, platforms, version, dir); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	name := "tacet-" + version + "-linux-" + runtime.GOARCH
	names := checkSums(t, dir)
	t.Logf("%s: %q", platforms, names)
	text, err := os.ReadFile(filepath.Join(dir, name+".tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	files, _ := unpack(t, unzip(t, text))
	binary := files[name+"/tacet"]
	path := filepath.Join(t.TempDir(), "tacet")
	if err := os.WriteFile(path, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), path, "version", "--json").CombinedOutput()
	var v struct{ Version, Commit string }
	if err != nil || json.Unmarshal(out, &v) != nil || v.Version != version || v.Commit != strings.TrimSpace(string(head)) {
		t.Errorf("tacet version of the archive: %v: %s", err, out)
	}
	bill, err := os.ReadFile(filepath.Join(dir, name+".cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	if all := checkBill(t, bill, binary); len(all) < 10 {
		t.Errorf("%d components: %v", len(all), all)
	}
	text, err = os.ReadFile(filepath.Join(dir, name+".oci.tar"))
	if err != nil {
		t.Fatal(err)
	}
	inside, _ := unpack(t, bytes.NewReader(text))
	if b := checkImage(t, inside, version); !bytes.Equal(b, binary) {
		t.Error("the image has another binary than the archive")
	}
	for _, n := range names {
		if mode, err := os.Stat(filepath.Join(dir, n)); err != nil || mode.Mode()&fs.ModePerm != 0o644 {
			t.Errorf("%s: %v", n, err)
		}
	}
}
