package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// attachment ties the command to the process that started it and holds the other end of its standard
// input, and to a folder of that process. The command begins when a line arrives. It is cancelled
// when the input ends, which also happens if the other process is killed. When the command has ended
// it closes its outputs, waits for the end of the input, during which the other process reads the
// folder, and removes the folder. Hence neither process nor data outlive the other process.
type attachment struct {
	dir   string
	ended chan struct{} // closed at the end of the input
}

// scratchPrefix begins the name of a folder that --attached may remove.
const scratchPrefix = "tacet-"

// grace is how long a cancelled command may take to end by itself.
const grace = 2 * time.Second

// attach waits for the first line of in. The context that it returns ends with in. exit ends the
// process.
func attach(ctx context.Context, dir string, in io.Reader, exit func(code int)) (*attachment, context.Context, error) {
	if !strings.HasPrefix(filepath.Base(dir), scratchPrefix) {
		return nil, ctx, badUsage{fmt.Errorf("--attached: %s: want a folder whose name begins with %s, since it is removed at the end", dir, scratchPrefix)}
	}
	signal.Ignore(syscall.SIGPIPE) // the other process may be gone when an error is printed, before the folder is removed
	t := &attachment{dir: dir, ended: make(chan struct{})}
	r := bufio.NewReader(in)
	if _, err := r.ReadString('\n'); err != nil {
		close(t.ended)
		return t, ctx, errors.New("interrupted")
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		io.Copy(io.Discard, r)
		cancel()
		close(t.ended)
		time.Sleep(grace)
		os.RemoveAll(t.dir)
		exit(1)
	}()
	return t, ctx, nil
}

// finish waits until the other process has read the folder and removes it.
func (t *attachment) finish() error {
	<-t.ended
	return os.RemoveAll(t.dir)
}
