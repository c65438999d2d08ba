package audit

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
)

// TestLines reads a log of several files by its lines, at once and in two parts, and notices a change.
func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l, err := Open(path, nil, Rotation{Size: 300})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for i := range 9 {
		if err := l.Append(Event{Kind: Submitted, Actor: "carol", Job: fmt.Sprint("j", i)}); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := Verify(path)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	if err := CopyLines(&all, path, 0); err != nil {
		t.Fatal(err)
	}
	text := all.String()
	s, err := ReadLines("alice", &all, Position{}, func(Event) error { return nil })
	if err != nil || s.Events != whole.Events || s.Head != whole.Head {
		t.Fatalf("%+v, %v; want %+v", s, err, whole)
	}
	for from := int64(1); from <= whole.Lines(); from++ {
		var head, tail bytes.Buffer
		if err := CopyLines(&tail, path, from); err != nil {
			t.Fatal(err)
		}
		head.WriteString(text[:len(text)-tail.Len()])
		before, err := ReadLines("alice", &head, Position{}, func(Event) error { return nil })
		if err != nil || before.Lines() != from {
			t.Fatalf("the first %d lines: %+v, %v", from, before, err)
		}
		s, err := ReadLines("alice", &tail, Position{before.Lines(), before.Head}, func(Event) error { return nil })
		if err != nil || s.Lines() != whole.Lines() || s.Head != whole.Head {
			t.Fatalf("after %d lines: %+v, %v; want %+v", from, s, err, whole)
		}
	}
	changed := bytes.Replace([]byte(text), []byte(`"job":"j3"`), []byte(`"job":"j4"`), 1)
	_, err = ReadLines("alice", bytes.NewReader(changed), Position{}, func(Event) error { return nil })
	if b := (*Break)(nil); !errors.As(err, &b) {
		t.Errorf("a changed line: %v", err)
	}
	_, err = ReadLines("alice", bytes.NewReader([]byte(text)), Position{}, func(Event) error { return nil }, &Head{Party: "alice",
		Lines: 2, Hash: first})
	if b := (*Break)(nil); !errors.As(err, &b) {
		t.Errorf("a contradiction to a kept head: %v", err)
	}
}
