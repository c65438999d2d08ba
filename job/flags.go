package job

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/party"
)

// flagsFile is Job.File of a job that flags describe, and flagOn the place of its join.
const (
	flagsFile = "flags"
	flagOn    = "--on"
)

// NewFit returns a job that fits the model of task on at most one table of each party, for a command that takes
// them as flags. NewFit does not read the files; it is NewJoin otherwise.
func NewFit(parties []string, tables map[string]string, task Task, join Join) (*Job, error) {
	j, err := NewJoin(parties, tables, join)
	if err == nil {
		j.SetTask(task)
	}
	return j, err
}

// SetTask gives a job of NewJoin a task. Errors of the task name the flags that are wrong.
func (j *Job) SetTask(task Task) {
	task.at, task.Beside = flagsFile, j.Join.Beside
	j.Task, j.at["task"] = &task, task.at
}

// NewJoin returns a job that joins tables, for a command that takes them as flags. parties are the parties' names
// in rank order. tables maps a party's name to the path of its CSV or Parquet file; a party without an entry
// provides no data. NewJoin does not read the files. It returns an *Error if a file's name is not that of a table.
func NewJoin(parties []string, tables map[string]string, join Join) (*Job, error) {
	j := &Job{File: flagsFile, Parties: parties, Network: party.DefaultNetwork, Join: join, at: map[string]string{"join": flagOn}}
	for _, p := range parties {
		path := tables[p]
		if path == "" {
			continue
		}
		in := Input{Owner: p, File: path, Name: path, Table: &Table{}, at: "--" + p}
		if err := in.Table.Check(path); err != nil {
			return nil, &Error{Place: in.at, Err: fmt.Errorf("%s: %w", filepath.Base(path), err)}
		}
		j.Inputs = append(j.Inputs, in)
	}
	return j, flagged(j.checkJoin(), nil)
}

// aboutKey matches the text of an error about a setting of a task or a join, which begins with the setting's key.
var aboutKey = regexp.MustCompile(`^([a-z0-9_]+)(: | "| is for | is missing| names | belongs to | (?:psi|hidden|stacked) )`)

// joinFlags are the flags of a join's settings.
var joinFlags = map[string]string{
	"method": "--join", "kind": "--kind", "keeper": "--keeper", "on": flagOn, "aggregate": "--aggregate", "normalise": "--normalise", "beside": "--carol",
}

// flagged returns an error of a job that flags describe with the flag of the setting that is wrong in place of the place. task is the
// job's task, nil before there is one.
func flagged(err error, task *Task) error {
	var at *Error
	switch is := errors.As(err, &at); {
	case err == nil, is && at.Place != flagsFile && at.Place != flagOn:
		return err
	case is:
		err = at.Err
	}
	text, ofJoin := strings.CutPrefix(err.Error(), "join: ")
	text = strings.TrimPrefix(text, "task: ")
	of := aboutKey.FindStringSubmatch(text)
	if of == nil {
		if at != nil && at.Place == flagOn {
			return at
		}
		return &textError{text, err}
	}
	place := ""
	switch key := of[1]; {
	case ofJoin:
		place = joinFlags[key]
	case task != nil && slices.Contains(taskKeys[task.kind()], key):
		place = "--" + strings.ReplaceAll(key, "_", "-")
	}
	switch {
	case place == "" && ofJoin:
		return &Error{Place: flagOn, Err: err}
	case place == "":
		return &textError{text, err}
	case of[2] == ": ":
		text = strings.TrimPrefix(text, of[0])
	}
	return &Error{Place: place, Err: &textError{text, err}}
}

// textError is an error with another text.
type textError struct {
	text string
	err  error
}

func (e *textError) Error() string { return e.text }

// Unwrap returns the error in whose place the text stands.
func (e *textError) Unwrap() error { return e.err }
