package jobstate

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/policy"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// TestTranscripts takes a node's jobs through the events of each transcript and compares the states and
// effects with those in the file.
//
// A transcript is a text file. A line that starts with a time (minutes and seconds) is an event: the
// time, the job, the kind of the event, and its fields. The indented lines below it are what follows:
// "=" and the state of the job, then the effects in order, then the slots and the memory that are free
// if the event changed them. The line "limits" changes the node's limits; # begins a comment. Events of
// the node have "node" in place of a job. "go test -rewrite" writes what follows from events anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(transcripts)
	if err != nil || len(files) == 0 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			p := newPlayer()
			if err := p.play(file); err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(p.out.Bytes(), want) {
				return
			}
			if !*rewrite {
				t.Fatalf("%s does not match (with -rewrite it is written anew):\n%s", file, p.out.Bytes())
			}
			if err := os.WriteFile(file, p.out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// transcripts is the pattern of the files of transcripts.
const transcripts = "testdata/transcripts/*.txt"

// midnight is the time 00:00 of transcripts.
var midnight = time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)

// player plays a transcript.
type player struct {
	state State
	out   bytes.Buffer // the transcript, with what follows from its events
	seen  table        // the changes of states
}

func newPlayer() *player {
	return &player{seen: table{}, state: New(Limits{
		Node: "alice", Jobs: 2, Queue: 3, Batch: 4, Keep: 20, Requests: 100, Memory: 100, Submissions: 100, Submitter: 60,
		Wait: time.Minute, SlotTimeout: 20 * time.Second, RequestWait: 5 * time.Second,
	})}
}

// play plays the transcript in a file.
func (p *player) play(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		err := p.line(line)
		if err == nil {
			err = check(p.state)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
	}
	return nil
}

// line plays a line of a transcript. What follows from events is written anew.
func (p *player) line(line string) error {
	words := split(line)
	switch {
	case strings.HasPrefix(line, " "):
		return nil
	case len(words) == 0 || strings.HasPrefix(line, "#"):
		fmt.Fprintln(&p.out, line)
		return nil
	case words[0] == "limits":
		fmt.Fprintln(&p.out, line)
		for _, w := range words[1:] {
			if err := set(reflect.ValueOf(&p.state.Limits).Elem(), w); err != nil {
				return err
			}
		}
		return nil
	}
	fmt.Fprintln(&p.out, line)
	now, err := clock(words[0])
	if err != nil || len(words) < 3 {
		return fmt.Errorf("%q is no event: %v", line, err)
	}
	id := words[1]
	if id == "node" {
		id = ""
	}
	e, err := event(words[2], words[3:], id, now)
	if err != nil {
		return err
	}
	old := p.state
	before, slots, memory := describe(old.Job(id)), old.FreeSlots(), old.FreeMemory()
	var effects []Effect
	p.state, effects = Step(old, now, id, e)
	p.seen.add(old, p.state, e)
	if after := describe(p.state.Job(id)); after != before {
		fmt.Fprintf(&p.out, "    = %s\n", after)
	}
	for _, f := range effects {
		whose := ""
		if f.Job != id {
			whose = f.Job + ": "
		}
		fmt.Fprintf(&p.out, "    %s%s\n", whose, show(f.Do))
	}
	if p.state.FreeSlots() != slots || p.state.FreeMemory() != memory {
		fmt.Fprintf(&p.out, "    free: %d slots, %d bytes\n", p.state.FreeSlots(), p.state.FreeMemory())
	}
	return nil
}

// events are the kinds of events by name.
var events = map[string]reflect.Type{}

func init() {
	for _, e := range allEvents {
		events[reflect.TypeOf(e).Name()] = reflect.TypeOf(e)
	}
}

// event reads an event.
func event(kind string, fields []string, id string, now time.Time) (Event, error) {
	of := events[kind]
	if of == nil {
		return nil, fmt.Errorf("%q is no kind of event", kind)
	}
	v := reflect.New(of).Elem()
	for _, f := range fields {
		if err := set(v, f); err != nil {
			return nil, err
		}
	}
	e := v.Interface().(Event)
	complete := func(j *Job) {
		j.ID, j.Node, j.Digest, j.Sent = id, "alice", "sha256:program", "sent"
		if j.Submitted.IsZero() {
			j.Submitted = now
		}
	}
	switch x := e.(type) {
	case Submitted:
		complete(&x.Job)
		e = x
	case Restored:
		complete(&x.Job)
		e = x
	}
	return e, nil
}

// set sets a field of a struct: "Field=value", or "Field" for true. Fields of structs within it need no
// prefix, if the name is not taken by an outer one.
func set(v reflect.Value, word string) error {
	path, value, ok := strings.Cut(word, "=")
	if !ok {
		value = "true"
	}
	f := field(v, path)
	if !f.IsValid() {
		return fmt.Errorf("%v has no field %s", v.Type(), path)
	}
	return assign(f, strings.Trim(value, `"`))
}

// field returns a field of a struct by its path.
func field(v reflect.Value, path string) reflect.Value {
	if first, rest, ok := strings.Cut(path, "."); ok {
		if v = field(v, first); !v.IsValid() {
			return v
		}
		return field(v, rest)
	}
	if f := v.FieldByName(path); f.IsValid() {
		return f
	}
	for i := v.NumField() - 1; i >= 0; i-- {
		if v.Field(i).Kind() == reflect.Struct {
			if f := field(v.Field(i), path); f.IsValid() {
				return f
			}
		}
	}
	return reflect.Value{}
}

// assign sets a value from its text.
func assign(f reflect.Value, text string) error {
	switch f.Interface().(type) {
	case time.Time:
		at, err := clock(text)
		f.Set(reflect.ValueOf(at))
		return err
	case time.Duration:
		d, err := time.ParseDuration(text)
		f.Set(reflect.ValueOf(d))
		return err
	case policy.Verdict:
		for _, v := range []policy.Verdict{policy.Denied, policy.NeedsApproval, policy.Allowed} {
			if strings.ReplaceAll(v.String(), " ", "-") == text {
				f.Set(reflect.ValueOf(v))
				return nil
			}
		}
		return fmt.Errorf("%q is no verdict", text)
	case []string:
		f.Set(reflect.ValueOf(strings.Split(text, ",")))
		return nil
	}
	if f.Kind() == reflect.String {
		f.SetString(text)
		return nil
	}
	return json.Unmarshal([]byte(text), f.Addr().Interface())
}

// clock reads a time of day.
func clock(text string) (time.Time, error) {
	m, s, ok := strings.Cut(text, ":")
	minutes, err := strconv.Atoi(m)
	seconds, err2 := strconv.ParseFloat(s, 64)
	if !ok || err != nil || err2 != nil {
		return time.Time{}, fmt.Errorf("%q is no time", text)
	}
	return midnight.Add(time.Duration(minutes)*time.Minute + time.Duration(seconds*float64(time.Second))), nil
}

// split splits a line into words; a text in quotes is part of one word.
func split(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// describe returns a job's state in words.
func describe(j *Job) string {
	if j == nil {
		return "removed"
	}
	var b strings.Builder
	b.WriteString(string(j.State))
	add := func(format string, args ...any) { fmt.Fprintf(&b, ", "+format, args...) }
	if j.Error != "" {
		add("%q", j.Error)
	}
	if j.Phase != "" {
		add("phase %q", j.Phase)
	}
	if j.Steps > 0 || j.Step > 0 {
		add("step %d of %d", j.Step, j.Steps)
	}
	if j.Approved {
		add("approved")
	}
	if j.Planning {
		add("planning")
	}
	switch {
	case j.Slot && j.SlotEnds.IsZero():
		add("slot")
	case j.Slot:
		add("slot until %s", value(reflect.ValueOf(j.SlotEnds)))
	}
	if j.Reserved > 0 {
		add("%d bytes reserved", j.Reserved)
	}
	if j.Try > 0 {
		add("try %d", j.Try)
	}
	if j.NewestCheckpoint != "" {
		add("checkpoint at %s", j.NewestCheckpoint)
	}
	if j.CheckpointError != "" {
		add("no checkpoint at %s", j.CheckpointError)
	}
	if j.ResumedFrom != "" {
		add("resumed from %s", j.ResumedFrom)
	}
	if j.Results > 0 {
		add("%d results", j.Results)
	}
	if j.Answering > 0 {
		add("answering %d", j.Answering)
	}
	if s := j.service; s != nil {
		for _, id := range slices.Sorted(maps.Keys(s.requests)) {
			r := s.requests[id]
			words := id + " " + string(r.State)
			if r.taken {
				words += " in a batch"
			}
			if !r.expires.IsZero() {
				words += " until " + value(reflect.ValueOf(r.expires))
			}
			add("%s", words)
		}
		if s.announced != nil {
			add("announced %s", value(reflect.ValueOf(s.announced)))
		}
	}
	if j.Stopped.Reason != "" && !j.State.Final() {
		add("told to stop")
	}
	return b.String()
}

// show returns an action's kind and its fields that are not zero.
func show(a Action) string {
	words := []string{reflect.TypeOf(a).Name()}
	return strings.Join(append(words, fields(reflect.ValueOf(a))...), " ")
}

// fields lists the fields of a struct that are not zero, embedded ones among them, without those that
// every audit event of the job has.
func fields(v reflect.Value) (words []string) {
	for i := range v.NumField() {
		f, name := v.Field(i), v.Type().Field(i).Name
		switch {
		case name == "Time" || name == "Job" || name == "Program" || name != "Rank" && f.IsZero():
		case v.Type().Field(i).Anonymous && f.Kind() == reflect.Struct:
			words = append(words, fields(f)...)
		default:
			words = append(words, name+"="+value(f))
		}
	}
	return words
}

// value returns a field's text.
func value(f reflect.Value) string {
	switch x := f.Interface().(type) {
	case time.Time:
		d := x.Sub(midnight)
		return fmt.Sprintf("%02d:%02d", d/time.Minute, d%time.Minute/time.Second)
	case time.Duration:
		return x.String()
	case []string:
		return strings.Join(x, ",")
	case api.RequestStatus:
		return fmt.Sprintf("[%s %s %d results %q]", x.ID, x.State, x.Results, x.Error)
	}
	switch f.Kind() {
	case reflect.String:
		if s := f.String(); strings.ContainsAny(s, " \"") {
			return strconv.Quote(s)
		}
		return f.String()
	case reflect.Slice, reflect.Struct:
		text, err := json.Marshal(f.Interface())
		if err != nil {
			panic(err)
		}
		return string(text)
	}
	return fmt.Sprint(f.Interface())
}
