package node

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/tacet-mpc/tacet/node/api"
)

// Bounds of the log lines that a node keeps in memory for its admins: their number, and the bytes of each.
const (
	maxLogLines = 4096
	maxLogLine  = 1 << 10
)

// jobLog is a handler of log records that passes them on and keeps the newest ones about jobs.
type jobLog struct {
	slog.Handler
	kept *keptLines
	job  string // the attribute job that a logger has been given
}

// keptLines is a ring of log lines about jobs.
type keptLines struct {
	mu   sync.Mutex
	ring []keptLine
	next int
}

type keptLine struct {
	job  string
	line api.LogLine
}

func newJobLog(to slog.Handler) *jobLog { return &jobLog{Handler: to, kept: &keptLines{}} }

// Handle keeps a record about a job, and passes every record on.
func (l *jobLog) Handle(ctx context.Context, r slog.Record) error {
	job := l.job
	var text strings.Builder
	text.WriteString(r.Message)
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "job" {
			job = a.Value.String()
		} else if s := a.Value.String(); s != "" && text.Len() < maxLogLine {
			fmt.Fprintf(&text, ", %s: %s", a.Key, s)
		}
		return true
	})
	if job != "" {
		s := text.String()
		if len(s) > maxLogLine {
			s = strings.ToValidUTF8(s[:maxLogLine], "") + "…"
		}
		l.kept.add(keptLine{job, api.LogLine{Time: r.Time, Level: strings.ToLower(r.Level.String()), Text: s}})
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs returns a handler for a logger with these attributes.
func (l *jobLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	out := &jobLog{l.Handler.WithAttrs(attrs), l.kept, l.job}
	for _, a := range attrs {
		if a.Key == "job" {
			out.job = a.Value.String()
		}
	}
	return out
}

// WithGroup returns a handler for a logger with this group.
func (l *jobLog) WithGroup(name string) slog.Handler {
	return &jobLog{l.Handler.WithGroup(name), l.kept, l.job}
}

func (k *keptLines) add(l keptLine) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.ring) < maxLogLines {
		k.ring = append(k.ring, l)
		return
	}
	k.ring[k.next] = l
	k.next = (k.next + 1) % maxLogLines
}

// of returns the kept lines about a job, the oldest first.
func (l *jobLog) of(job string) []api.LogLine {
	k := l.kept
	k.mu.Lock()
	defer k.mu.Unlock()
	out := []api.LogLine{}
	for _, x := range slices.Concat(k.ring[k.next:], k.ring[:k.next]) {
		if x.job == job {
			out = append(out, x.line)
		}
	}
	return out
}
