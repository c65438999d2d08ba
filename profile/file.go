package profile

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/regular"
)

// JSON returns the report as indented JSON that ends with a newline.
func (r *Report) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("profile: encode report: %w", err)
	}
	return append(b, '\n'), nil
}

// Write writes the report's JSON to a file, atomically as Save does.
func Write(path string, r *Report) error {
	b, err := r.JSON()
	if err != nil {
		return err
	}
	return Save(path, b)
}

// Save writes b to a file atomically: the file gets its whole content or keeps its old one. A path that is not a
// regular file, such as /dev/stdout, is written in place.
func Save(path string, b []byte) error {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(path, b, 0o666)
	}
	tmp := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	if err := os.WriteFile(tmp, b, 0o666); err != nil {
		return errors.Join(fmt.Errorf("profile: %w", err), remove(tmp))
	}
	if err := os.Rename(tmp, path); err != nil {
		return errors.Join(fmt.Errorf("profile: %w", err), remove(tmp))
	}
	return nil
}

// remove removes a file; a missing file is no error.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Read reads a report's JSON from a file, as Parse decodes it.
func Read(path string) (*Report, error) {
	b, err := regular.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("profile: read report: %w", err)
	}
	r, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// maxStructure bounds the structural characters of a report: some ten thousands of operations. Reports come from
// nodes of other parties too.
const maxStructure = 1 << 21

// Parse decodes a report's JSON, which may come from another machine: unprintable characters are escaped. It
// ignores unknown keys.
func Parse(b []byte) (*Report, error) {
	r := new(Report)
	if err := jsonlimit.Unmarshal(b, jsonlimit.Of(maxStructure), r); err != nil {
		return nil, fmt.Errorf("not a report: %w", err)
	}
	if r.Protocol == "" || len(r.Parties) == 0 {
		return nil, errors.New("not a report: it names no protocol or no parties")
	}
	r.complete()
	return r, r.readFormerKeys(b)
}

// readFormerKeys fills in the fields that reports before version 0.2 have under other keys.
func (r *Report) readFormerKeys(b []byte) error {
	var former struct {
		From string `json:"from"`
		Ops  []struct {
			Whole string `json:"whole"`
		} `json:"ops"`
		Plan struct {
			Staying []int64 `json:"staying_bytes"`
		} `json:"plan"`
	}
	if err := json.Unmarshal(b, &former); err != nil {
		return fmt.Errorf("not a report: %w", err)
	}
	r.ResumedFrom = cmp.Or(r.ResumedFrom, former.From)
	for i := range r.Ops {
		r.Ops[i].Pattern = cmp.Or(r.Ops[i].Pattern, former.Ops[i].Whole)
	}
	if r.Plan != nil && r.Plan.ResidentBytes == nil {
		r.Plan.ResidentBytes = former.Plan.Staying
	}
	return nil
}

// complete fills in the fields that reports of older versions lack: frames and sites.
func (r *Report) complete() {
	if len(r.Frames) == 0 {
		r.Frames = []Frame{{Outer: -1, Op: -1, Func: "main"}}
	}
	for i := range r.Ops {
		o := &r.Ops[i]
		if len(o.Sites) == 0 {
			c := o.cost(r.measured())
			o.Sites = []Site{
				{
					Calls:        o.Calls,
					Seconds:      o.Seconds,
					BytesSent:    []int64{c.bytes},
					Messages:     []int64{c.messages},
					Rounds:       c.rounds,
					OfflineBytes: c.offline,
					PathRounds:   o.PathRounds,
				},
			}
		}
	}
}
