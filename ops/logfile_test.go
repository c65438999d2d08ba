package ops

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLogFile checks that a log goes on in other files by size and age, that no line is lost, and that earlier
// files are removed when they are old.
func TestLogFile(t *testing.T) {
	dir := t.TempDir()
	var stderr bytes.Buffer
	d := Daemon{Log: "info", LogFile: LogFile{Path: filepath.Join(dir, "node.log"), Size: 500, Age: time.Hour, Keep: 24 * time.Hour}}
	if err := os.WriteFile(filepath.Join(dir, "node.log.old"), []byte("not ours"), 0o600); err != nil {
		t.Fatal(err)
	}
	log, closer, err := d.OpenLog(&stderr)
	if err != nil {
		t.Fatal(err)
	}
	f := closer.(*rotatingFile)
	now := time.Now()
	f.now = func() time.Time { return now }
	for i := range 20 {
		now = now.Add(time.Second)
		log.Info("line", "number", i)
	}
	files, err := f.earlier()
	if err != nil || len(files) < 2 {
		t.Fatalf("%q, %v", files, err)
	}
	by := len(files)
	now = now.Add(2 * time.Hour)
	log.Info("line", "number", 20)
	if files, err = f.earlier(); err != nil || len(files) != by+1 {
		t.Errorf("by age: %q, %v", files, err)
	}
	all := ""
	for _, path := range append(files, d.LogFile.Path) {
		text, err := os.ReadFile(path)
		if err != nil || len(text) > 500 {
			t.Errorf("%s has %d bytes, %v", path, len(text), err)
		}
		all += string(text)
	}
	if n := strings.Count(all, `"msg":"line"`); n != 21 || strings.Index(all, `"number":20}`) < strings.Index(all, `"number":19}`) {
		t.Errorf("%d lines:\n%s", n, all)
	}
	old := now.Add(-48 * time.Hour)
	if err := os.Chtimes(files[0], old, old); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * time.Hour)
	log.Info("line", "number", 21)
	if left, err := f.earlier(); err != nil || len(left) != len(files) || left[0] != files[1] {
		t.Errorf("%q stay of %q, %v", left, files, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "node.log.old")); err != nil {
		t.Error(err)
	}
	if err := closer.Close(); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error has %s", &stderr)
	}
	log.Info("after the end")
	if !strings.Contains(stderr.String(), "after the end") {
		t.Errorf("standard error has %q", &stderr)
	}
}

// TestLogFileRefuses checks that a log's file which cannot be opened is an error at the start, and that lines
// which cannot be written later go to standard error.
func TestLogFileRefuses(t *testing.T) {
	dir := t.TempDir()
	var stderr bytes.Buffer
	d := Daemon{Log: "info", LogFile: LogFile{Path: dir}}
	if _, _, err := d.OpenLog(&stderr); err == nil {
		t.Error("a folder is opened")
	}
	d.LogFile = LogFile{Path: filepath.Join(dir, "logs", "node.log"), Size: 1}
	if err := os.Mkdir(filepath.Join(dir, "logs"), 0o700); err != nil {
		t.Fatal(err)
	}
	log, closer, err := d.OpenLog(&stderr)
	if err != nil {
		t.Fatal(err)
	}
	defer closer.Close()
	log.Info("first")
	if err := os.Rename(filepath.Join(dir, "logs"), filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	log.Info("second") // the file cannot be renamed; it goes on
	text, err := os.ReadFile(filepath.Join(dir, "gone", "node.log"))
	if err != nil || !strings.Contains(string(text), "second") || !strings.Contains(stderr.String(), "log file: ") {
		t.Errorf("%q, %v; standard error: %s", text, err, &stderr)
	}
}
