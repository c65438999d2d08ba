package main

import (
	"strings"
	"sync"
)

// tail keeps the end of what a process says on standard error.
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

// telling is the line that says most about a failure, the last one if none
// speaks of an error.
func telling(said string) string {
	if c := complaint(said); c != "" {
		return c
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	return shortened(lines[len(lines)-1])
}

// complaint is the last line that speaks of an error, or nothing.
func complaint(said string) string {
	found := ""
	for l := range strings.Lines(said) {
		if strings.Contains(strings.ToLower(l), "error") {
			found = shortened(l)
		}
	}
	return found
}

// shortened is a line that fits into a message.
func shortened(line string) string {
	const most = 300
	line = strings.TrimSpace(line)
	if len(line) > most {
		return strings.ToValidUTF8(line[:most], "") + "…"
	}
	return line
}
