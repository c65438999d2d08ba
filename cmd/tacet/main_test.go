package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/tacet-mpc/tacet/party"
)

func TestErrorsAreOneLineAndHaveCodes(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
	}{
		{nil, 0},
		{errors.New("the job failed"), 1},
		{fmt.Errorf("job: %w", io.EOF), 1},
		{badUsage{errors.New("wrong")}, 2},
		{fmt.Errorf("more: %w", badUsage{io.EOF}), 2},
		{outOfTolerance{errors.New("off")}, 3},
	} {
		if got := exitCode(c.err); got != c.code {
			t.Errorf("%v: code %d, want %d", c.err, got, c.code)
		}
	}
	if got := oneLine(errors.New("a\nb\r\nc\n")); got != "a; b; c" {
		t.Errorf("got %q", got)
	}
}

func TestFailedJobs(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		ctx  context.Context
		err  error
		want string
		code int
	}{
		{context.Background(), io.ErrUnexpectedEOF, "unexpected EOF", 1},
		{context.Background(), fmt.Errorf("ring 32: %w", errors.ErrUnsupported), "ring 32: unsupported operation", 2},
		{stopped, fmt.Errorf("op 3: %w", context.Canceled), "interrupted", 1},
	} {
		err := failed(c.ctx, c.err)
		if err.Error() != c.want || exitCode(err) != c.code {
			t.Errorf("got %v, code %d; want %s, code %d", err, exitCode(err), c.want, c.code)
		}
	}
}

func TestMeter(t *testing.T) {
	var b bytes.Buffer
	m := newMeter(&b)
	m.next = time.Now()
	m.show(party.Progress{Phase: "online", Done: 1, All: 2})
	m.clear()
	if b.Len() != 0 {
		t.Errorf("showed %q where there is no terminal", b.String())
	}
	m.w = &b
	m.show(party.Progress{Phase: "online", Done: 1, All: 2})
	m.show(party.Progress{Phase: "online", Done: 2, All: 2}) // too soon after the first
	m.clear()
	m.clear()
	if want := "\r\x1b[Konline 1 of 2 operations\r\x1b[K"; b.String() != want {
		t.Errorf("showed %q, want %q", b.String(), want)
	}
}

func TestMeterWritesEvents(t *testing.T) {
	var b bytes.Buffer
	m := app{events: &eventWriter{w: &b}}.meter()
	m.show(party.Progress{Phase: "plan"})
	m.show(party.Progress{Phase: "online", Done: 1, All: 2, Round: 3, Rounds: 4, Iteration: 5})
	m.show(party.Progress{Phase: "online", Done: 2, All: 2}) // too soon after the first
	m.clear()
	want := `{"event":"progress","phase":"plan"}
{"event":"progress","phase":"online","done":1,"all":2,"round":3,"rounds":4,"iteration":5}
`
	if b.String() != want {
		t.Errorf("wrote %s\nwant %s", b.String(), want)
	}
}

// TestGroupsNameTheirCommands checks that the help of a command that has commands of its own names each of these.
func TestGroupsNameTheirCommands(t *testing.T) {
	parser, err := kong.New(new(commands), helpVars())
	if err != nil {
		t.Fatal(err)
	}
	groups := 0
	for _, group := range parser.Model.Children {
		for _, c := range group.Children {
			if groups++; !strings.Contains(group.Help, c.Name) {
				t.Errorf("the help of %s does not name %s: %q", group.Name, c.Name, group.Help)
			}
		}
	}
	if groups == 0 {
		t.Error("no command has commands of its own")
	}
}
