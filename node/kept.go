package node

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// keptFolder is the folder within the state folder that holds kept results: one file per name, with
// this party's shares.
const keptFolder = "kept"

func (c *Config) keptFile(name string) string {
	return filepath.Join(c.State, keptFolder, name+".json")
}

// keepResults writes this party's shares of a job's results under a name, with a note, atomically. It replaces
// results of the same submitter kept under the same name before.
func (n *Node) keepResults(t *task, name, note string, held []*party.StoredShare) error {
	n.keeping.Lock()
	defer n.keeping.Unlock()
	if err := n.config.mayKeep(name, t.Submitter); err != nil { // another job has kept results meanwhile
		return err
	}
	if err := n.appendAudit(t, audit.Event{Kind: audit.Kept, Kept: []string{name}}); err != nil {
		return err
	}
	for _, h := range held {
		h.By, h.Note = t.Submitter, note
	}
	text, err := json.Marshal(held)
	if err == nil {
		err = os.MkdirAll(filepath.Join(n.config.State, keptFolder), 0o700)
	}
	if err == nil {
		err = durable.WriteFile(n.config.keptFile(name), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	return nil
}

// mayKeep returns why results of a submitter may not be kept under a name: another submitter's are, or the submitter has too many.
// Rules say under which names a submitter may keep results; where rules of several submitters name the same one, or any, the first
// to use it has it.
func (c *Config) mayKeep(name, submitter string) error {
	switch by, err := keeper(c.keptFile(name)); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("keep %s: %w", name, err)
	case by == submitter || by == "":
		return nil
	default:
		return fmt.Errorf("keep %s: %s keeps results of another submitter under this name (keep yours under another one, or let the owner of %s remove %s.json from its kept results)",
			name, c.Name, c.Name, name)
	}
	all, err := os.ReadDir(filepath.Join(c.State, keptFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("keep %s: %w", name, err)
	}
	most := c.Limits.Kept
	if len(all) < most {
		return nil
	}
	own := 0 // what other submitters keep does not count
	for _, f := range all {
		if by, err := keeper(filepath.Join(c.State, keptFolder, f.Name())); err == nil && (by == submitter || by == "") {
			own++
		}
	}
	if own >= most {
		return fmt.Errorf("keep %s: %s keeps results of %s under %d names, the maximum (limits: kept; use a name again, or let the owner of %s remove some)",
			name, c.Name, submitter, own, c.Name)
	}
	return nil
}

// keeper returns the submitter whose results a file of kept results holds; "" if it was kept by a release that did not record that,
// or imported from one. It reads the beginning of the file.
func keeper(path string) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, 1<<12))
	for _, want := range []json.Token{json.Delim('['), json.Delim('{'), "By"} {
		if t, err := d.Token(); err != nil || t != want {
			return "", nil // another field is the first one: there is no By
		}
	}
	by, _ := d.Token()
	name, _ := by.(string)
	return name, nil
}

// keptNote describes the model whose coefficients are kept, or are used, by all that says what a coefficient belongs to. "" without a
// task.
func keptNote(t *api.Task) string {
	if t == nil {
		return ""
	}
	note := fmt.Sprintf("link %s, features %q, offset %q", t.Link, t.Features, t.Offset)
	if g := t.Growth; g != nil {
		note = fmt.Sprintf("%d trees of depth %d, features %q", g.Trees, g.Depth, t.Features)
	}
	for _, column := range slices.Sorted(maps.Keys(t.Widths)) {
		note += fmt.Sprintf(", %q has %d features", column, t.Widths[column])
	}
	for _, column := range slices.Sorted(maps.Keys(t.Levels)) {
		note += fmt.Sprintf(", %q has the levels %q", column, t.Levels[column])
	}
	return note
}

// withoutParty returns a task whose columns are all of one party with the columns' own names, as a model of stacked tables has them; nil
// for another one.
func withoutParty(t *api.Task, parties []string) *api.Task {
	for _, party := range parties {
		out, all := *t, true
		own := func(column string) string {
			name, ok := strings.CutPrefix(column, party+".")
			all = all && (ok || column == "")
			return name
		}
		out.Features, out.Levels, out.Offset = nil, map[string][]string{}, own(t.Offset)
		for _, column := range t.Features {
			out.Features = append(out.Features, own(column))
		}
		for column, levels := range t.Levels {
			out.Levels[own(column)] = levels
		}
		if all && len(t.Widths) == 0 {
			return &out
		}
	}
	return nil
}

// kept returns this party's share of a kept result.
func (c *Config) kept(in api.Input) (*party.StoredShare, error) {
	if err := yamlfile.CheckName("job", "kept", in.Kept); err != nil {
		return nil, err
	}
	held, err := readKept(c.keptFile(in.Kept))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s keeps no results named %q (a job with outputs: {keep: %s} stores them)", c.Name, in.Kept, in.Kept)
	}
	if err != nil {
		return nil, fmt.Errorf("kept %s: %w", in.Kept, err)
	}
	i := slices.IndexFunc(held, func(h *party.StoredShare) bool { return h.Result == in.Result })
	if i < 0 {
		return nil, fmt.Errorf("%s keeps %d results named %q; there is no result %d", c.Name, len(held), in.Kept, in.Result)
	}
	return held[i], nil
}

// maxKeptResults is the maximum number of results in a file of kept results: more than a program returns.
const maxKeptResults = 1 << 16

// readKept reads a file of kept results. Its shares are numbers, so that its structure says nothing of what it decodes to
// (package jsonlimit); what is bounded is the number of results.
func readKept(path string) ([]*party.StoredShare, error) {
	text, err := regular.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var held []*party.StoredShare
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return nil, fmt.Errorf("%s is not a list of results", path)
	}
	for d.More() {
		var h *party.StoredShare
		switch err := d.Decode(&h); {
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		case h == nil:
			return nil, fmt.Errorf("%s: an element is null", path)
		case len(held) == maxKeptResults:
			return nil, fmt.Errorf("%s has more than %d results", path, maxKeptResults)
		}
		held = append(held, h)
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: there is more after the list", path)
	}
	return held, nil
}

// nameKept checks how the submission names kept results: those that the job uses as inputs, and the name
// under which it keeps its own.
func (w *resolvedJob) nameKept() error {
	s := w.sub
	w.kept = map[int]api.Input{}
	for _, in := range s.Inputs {
		if in.Kept == "" {
			continue
		}
		if in.Owner != "" || in.Name != "" || in.Resident || len(in.Args) != 1 {
			return fmt.Errorf("kept input %q needs exactly one argument and no owner, name or resident", in.Kept)
		}
		arg := in.Args[0]
		if _, twice := w.kept[arg]; twice || arg < 0 || arg >= len(w.program.Main.Body.Params) {
			return fmt.Errorf("argument %d of kept inputs is out of range or given twice", arg)
		}
		w.kept[arg] = in
	}
	if s.Keep == "" {
		return nil
	}
	if s.Serve {
		return fmt.Errorf("a service cannot keep results; remove keep from the job's outputs")
	}
	return yamlfile.CheckName("job", "keep", s.Keep)
}

// checkKept checks that this party has the kept results that the job uses, and that the job may use them.
func (w *resolvedJob) checkKept(c *Config) error {
	s := w.sub
	for _, arg := range slices.Sorted(maps.Keys(w.kept)) {
		in := w.kept[arg]
		h, err := c.kept(in)
		if err != nil {
			return err
		}
		if !slices.Equal(h.Parties, s.Parties) || h.Computing != s.Computing {
			return fmt.Errorf("%q was kept by parties %v, %d of them computing; the job has parties %v, %d of them computing: shares can only be used by the same parties", in.Kept, h.Parties, h.Computing, s.Parties, s.Computing)
		}
		if note := keptNote(s.Task); s.Task != nil && h.Note != note && (h.Note == "" || h.Note != keptNote(withoutParty(s.Task, s.Parties))) {
			return fmt.Errorf("%q was kept as a model with %s; the task says %s", in.Kept, h.Note, note)
		}
		if h.Protocol != s.Protocol {
			return fmt.Errorf("%q was kept under protocol %s and the job uses %s: their shares differ", in.Kept, h.Protocol, s.Protocol)
		}
	}
	return nil
}

// keptNames returns the distinct names of the kept results that a job uses.
func (w *resolvedJob) keptNames() []string {
	var out []string
	for _, in := range w.sub.Inputs {
		if in.Kept != "" && !slices.Contains(out, in.Kept) {
			out = append(out, in.Kept)
		}
	}
	return out
}

// useKept adds the shares of kept results to a spec.
func (w *resolvedJob) useKept(c *Config, spec *party.Spec) error {
	for arg, in := range w.kept {
		h, err := c.kept(in)
		if err != nil {
			return err
		}
		spec.Args[arg].Shares = []*party.StoredShare{h}
	}
	spec.Keep = w.sub.Keep != ""
	return nil
}
