package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit"
)

// ssh returns a command that runs a script on a host. ssh ends the connection when the host does not
// answer for 15 s.
func (c *Config) ssh(ctx context.Context, h *host, script string) *exec.Cmd {
	args := []string{"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"}
	args = append(args, c.SSH...)
	cmd := exec.CommandContext(ctx, "ssh", append(args, "--", h.ssh, "exec sh -c "+quote(script))...)
	cmd.SysProcAttr = kit.Detached() // an interrupt must reach only this process, which then stops the daemons
	return cmd
}

// quote returns s quoted for sh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// folder returns the daemon's folder on its host.
func (c *Config) folder(h *host) string { return path.Join(c.Remote, h.Name) }

// copy copies a host's files to it. from is the path of the program.
func (c *Config) copy(ctx context.Context, h *host, from string) error {
	dir := quote(c.folder(h))
	// The program is removed first: the file of a running program cannot be overwritten.
	cmd := c.ssh(ctx, h, fmt.Sprintf("umask 077 && mkdir -p %s && cd %s && rm -f %s && tar xzf -", dir, dir, program))
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	output := &tailBuffer{}
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", h.Name, err)
	}
	packed := h.pack(in, c.Dir, from)
	in.Close()
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // also the cause if packing failed
		return fmt.Errorf("%s: cannot copy files to %s: %s", h.Name, h.ssh, output.or(err))
	case packed != nil:
		return fmt.Errorf("%s: %w", h.Name, packed)
	}
	return nil
}

// tailBuffer keeps the last 2000 bytes written to it.
type tailBuffer struct{ b []byte }

func (t *tailBuffer) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if n := len(t.b) - 2000; n > 0 {
		t.b = t.b[n:]
	}
	return len(p), nil
}

// or returns the buffer's content on one line; if it is empty, err's text.
func (t *tailBuffer) or(err error) string {
	if s := strings.Join(strings.FieldsFunc(string(t.b), func(r rune) bool { return r == '\n' || r == '\r' }), "; "); s != "" {
		return s
	}
	return err.Error()
}

// serve runs a daemon on its host until it ends, or until ctx ends and the daemon has stopped. Its
// output is written to out line by line.
func (c *Config) serve(ctx context.Context, h *host, limit time.Duration, out io.Writer) error {
	const script = `cd %s || exit
exec 3<&0
./%s %s --config %s </dev/null 3<&- &
daemon=$!
{ cat <&3; kill "$daemon"; } >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$daemon"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"`
	cmd := c.ssh(context.WithoutCancel(ctx), h, fmt.Sprintf(script, quote(c.folder(h)), program, h.Command(), quote(h.Config())))
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	lines := &prefixWriter{prefix: h.Name + " | ", to: out}
	cmd.Stdout, cmd.Stderr = lines, lines
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", h.Name, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err = <-ended:
		in.Close()
		lines.flush()
		if err == nil {
			err = errors.New("it was not asked to stop")
		}
		return fmt.Errorf("%s has ended: %w", h.Name, err)
	case <-ctx.Done():
	}
	in.Close()
	select {
	case err = <-ended:
	case <-time.After(limit):
		cmd.Process.Kill()
		<-ended
		err = fmt.Errorf("it did not end within %v; it may still run on %s", limit, h.ssh)
	}
	lines.flush()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == terminated {
		err = nil // SIGTERM came before the daemon had installed its handler
	}
	if err != nil {
		return fmt.Errorf("%s: %w", h.Name, err)
	}
	return nil
}

// terminated is the exit code of a shell whose command SIGTERM has ended.
const terminated = 128 + int(syscall.SIGTERM)

// maxLine is the length in bytes at which a line is broken.
const maxLine = 1 << 16

// prefixWriter writes complete lines to another writer, each with a prefix.
type prefixWriter struct {
	prefix string
	to     io.Writer
	rest   []byte
}

func (p *prefixWriter) Write(b []byte) (int, error) {
	p.rest = append(p.rest, b...)
	for {
		line, rest, ok := bytes.Cut(p.rest, []byte{'\n'})
		if !ok && len(p.rest) < maxLine {
			return len(b), nil
		}
		if !ok {
			line, rest = p.rest, nil
		}
		if _, err := fmt.Fprintf(p.to, "%s%s\n", p.prefix, line); err != nil {
			return 0, err
		}
		p.rest = append(p.rest[:0], rest...)
	}
}

// flush writes an incomplete last line.
func (p *prefixWriter) flush() {
	if len(p.rest) > 0 {
		p.Write([]byte{'\n'})
	}
}

// lockedWriter serialises concurrent writes.
type lockedWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (s *lockedWriter) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(b)
}
