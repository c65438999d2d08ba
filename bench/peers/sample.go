package main

import (
	"encoding/json"
	"errors"
	"fmt"
)

// sample is the cost of one run. Numbers that the system does not report are 0.
type sample struct {
	seconds  float64 // from shared inputs to shared results
	offline  float64 // seconds of the offline phase, if it is separate
	cpu      float64 // CPU time of all parties; for Tacet of the whole run, not of seconds only
	bytes    int64   // sent by one party, by the one that sends the most if known
	rounds   int
	messages int      // sent by one party, if rounds are not known
	memory   int64    // peak of the processes of all parties, in bytes
	maxError *float64 // largest absolute error
}

// ofTacet decodes a row of tacet bench --step.
func ofTacet(line []byte) (sample, error) {
	var row struct {
		Online  struct{ Min float64 } `json:"online_seconds"`
		Offline struct{ Min float64 } `json:"offline_seconds"`
		CPU     struct{ Min float64 } `json:"cpu_seconds"`
		Bytes   int64                 `json:"bytes_sent"`
		Rounds  int                   `json:"rounds"`
		Memory  int64                 `json:"peak_memory_bytes"`
		Off     *float64              `json:"max_abs_error"`
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return sample{}, fmt.Errorf("row cannot be read: %w", err)
	}
	return sample{
		seconds:  row.Online.Min,
		offline:  row.Offline.Min,
		cpu:      row.CPU.Min,
		bytes:    row.Bytes,
		rounds:   row.Rounds,
		memory:   row.Memory,
		maxError: row.Off,
	}, nil
}

// ofScript decodes an answer of a script in drivers.
func ofScript(line []byte) (sample, error) {
	var a struct {
		Error    string   `json:"error"`
		Seconds  float64  `json:"seconds"`
		CPU      float64  `json:"cpu_seconds"`
		Bytes    int64    `json:"bytes"`
		Rounds   int      `json:"rounds"`
		Messages int      `json:"messages"`
		Memory   int64    `json:"peak_memory_bytes"`
		Off      *float64 `json:"max_abs_error"`
	}
	switch err := json.Unmarshal(line, &a); {
	case err != nil:
		return sample{}, fmt.Errorf("answer cannot be read: %w", err)
	case a.Error != "":
		return sample{}, errors.New(a.Error)
	case a.Seconds <= 0:
		return sample{}, fmt.Errorf("answer without seconds: %s", line)
	}
	return sample{
		seconds:  a.Seconds,
		cpu:      a.CPU,
		bytes:    a.Bytes,
		rounds:   a.Rounds,
		messages: a.Messages,
		memory:   a.Memory,
		maxError: a.Off,
	}, nil
}
