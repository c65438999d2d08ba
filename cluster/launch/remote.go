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

// ssh is a command on a host. The connection is given up when the host does
// not answer for 15 s.
func (c *Config) ssh(ctx context.Context, h *host, script string) *exec.Cmd {
	args := []string{"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"}
	args = append(args, c.SSH...)
	cmd := exec.CommandContext(ctx, "ssh", append(args, "--", h.ssh, "exec sh -c "+quote(script))...)
	cmd.SysProcAttr = kit.Detached() // an interrupt is for this process, which then ends those
	return cmd
}

// quote is a text as sh takes it literally.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// folder is the daemon's on its host.
func (c *Config) folder(h *host) string { return path.Join(c.Remote, h.Name) }

// copy copies what a host needs.
func (c *Config) copy(ctx context.Context, h *host, from string) error {
	dir := quote(c.folder(h))
	// The program is removed first: one that runs cannot be written.
	cmd := c.ssh(ctx, h, fmt.Sprintf("umask 077 && mkdir -p %s && cd %s && rm -f %s && tar xzf -", dir, dir, program))
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("%s: %w", h.Name, err)
	}
	packed := h.pack(in, c.Dir, from)
	in.Close()
	err = cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // which is why packing failed, if it did
		return fmt.Errorf("%s: nothing could be copied to %s: %s", h.Name, h.ssh, said.or(err))
	case packed != nil:
		return fmt.Errorf("%s: %w", h.Name, packed)
	}
	return nil
}

// tail keeps the last of what a command says.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if n := len(t.b) - 2000; n > 0 {
		t.b = t.b[n:]
	}
	return len(p), nil
}

// or is what was said, on one line, or else the error.
func (t *tail) or(err error) string {
	if s := strings.Join(strings.FieldsFunc(string(t.b), func(r rune) bool { return r == '\n' || r == '\r' }), "; "); s != "" {
		return s
	}
	return err.Error()
}

// serve runs a daemon until its end, or until ctx ends and it has stopped.
// What it says goes to out, line by line.
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
	lines := &prefixed{prefix: h.Name + " | ", to: out}
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
			err = errors.New("nobody asked it to")
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
		err = fmt.Errorf("it did not end within %v; it may run on %s still", limit, h.ssh)
	}
	lines.flush()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == terminated {
		err = nil // it had not come so far as to listen for that
	}
	if err != nil {
		return fmt.Errorf("%s: %w", h.Name, err)
	}
	return nil
}

// terminated is what a shell says of a process that SIGTERM has ended.
const terminated = 128 + int(syscall.SIGTERM)

// maxLine is at what length a line is broken.
const maxLine = 1 << 16

// prefixed writes whole lines, each with a prefix.
type prefixed struct {
	prefix string
	to     io.Writer
	rest   []byte
}

func (p *prefixed) Write(b []byte) (int, error) {
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

// flush writes a last line without an end.
func (p *prefixed) flush() {
	if len(p.rest) > 0 {
		p.Write([]byte{'\n'})
	}
}

// shared lets several write by turns.
type shared struct {
	mu sync.Mutex
	to io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.to.Write(b)
}
