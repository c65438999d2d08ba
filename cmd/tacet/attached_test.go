package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestAttached checks that the end of the input cancels the command, and that the folder is removed.
func TestAttached(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tacet-x")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	in, other := io.Pipe()
	begun := make(chan struct{})
	go func() {
		io.WriteString(other, "go\n")
		close(begun)
	}()
	exited := make(chan int, 1)
	at, ctx, err := attach(context.Background(), dir, in, func(code int) { exited <- code })
	if err != nil {
		t.Fatal(err)
	}
	<-begun
	if ctx.Err() != nil {
		t.Error("the command is cancelled before its input ends")
	}
	other.Close()
	<-ctx.Done()
	if err := at.finish(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is still there: %v", err)
	}
	if code := <-exited; code != 1 { // of a command that does not end by itself
		t.Errorf("exit code %d, want 1", code)
	}
}
