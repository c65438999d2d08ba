package main

import (
	"strings"
	"sync"
)

// tail keeps the last tailBytes bytes of a process's standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailBytes = 16 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-tailBytes):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}

// explanation returns the line that best explains a failure: the last one that contains "error", else
// the last one.
func explanation(said string) string {
	if c := lastErrorLine(said); c != "" {
		return c
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return truncated(lines[len(lines)-1])
}

// lastErrorLine returns the last line that contains "error", "" if there is none.
func lastErrorLine(said string) string {
	found := ""
	for l := range strings.Lines(said) {
		if strings.Contains(strings.ToLower(l), "error") {
			found = truncated(l)
		}
	}
	return found
}

// truncated truncates a line to the length of a message.
func truncated(line string) string {
	const most = 300
	line = strings.TrimSpace(line)
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
