package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// keptFolder is where in the state folder results lie that jobs have kept: a
// file for each name, which holds this party's shares.
const keptFolder = "kept"

func (c *Config) keptFile(name string) string {
	return filepath.Join(c.State, keptFolder, name+".json")
}

// keepResults writes down what a job has kept, all of it or nothing, in place of what
// had its name.
func (n *Node) keepResults(t *task, name string, held []*party.Held) error {
	if err := n.note(t, audit.Event{Kind: audit.Kept, Kept: []string{name}}); err != nil {
		return err
	}
	text, err := json.Marshal(held)
	if err == nil {
		err = os.MkdirAll(filepath.Join(n.config.State, keptFolder), 0o700)
	}
	if err == nil {
		err = durable.WriteFile(n.config.keptFile(name), text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("%s is not kept: %w", name, err)
	}
	return nil
}

// kept is this party's part of a result that a job has kept.
func (c *Config) kept(in api.Input) (*party.Held, error) {
	if err := yamlfile.CheckName("job", "kept", in.Kept); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(c.keptFile(in.Kept))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s keeps nothing called %q (a job with outputs: {keep: %s} does)", c.Name, in.Kept, in.Kept)
	}
	if err != nil {
		return nil, fmt.Errorf("kept %s: %w", in.Kept, err)
	}
	var held []*party.Held
	if err := json.Unmarshal(text, &held); err != nil {
		return nil, fmt.Errorf("kept %s: %s: %w", in.Kept, c.keptFile(in.Kept), err)
	}
	i := slices.IndexFunc(held, func(h *party.Held) bool { return h.Result == in.Result })
	if i < 0 {
		return nil, fmt.Errorf("%s keeps %d results called %q, and no result %d", c.Name, len(held), in.Kept, in.Result)
	}
	return held[i], nil
}

// settleKept checks what a job takes of what is kept, and what it keeps itself.
func (w *work) settleKept(c *Config) error {
	s := w.sub
	w.kept = map[int]api.Input{}
	for _, in := range s.Inputs {
		if in.Kept == "" {
			continue
		}
		if in.Owner != "" || in.Name != "" || in.Resident || len(in.Args) != 1 {
			return fmt.Errorf("kept input %q has an owner, or is not one argument", in.Kept)
		}
		arg := in.Args[0]
		if _, twice := w.kept[arg]; twice || arg < 0 || arg >= len(w.program.Main.Body.Params) {
			return fmt.Errorf("argument %d, of what is kept, is none of the program's, or stands twice", arg)
		}
		h, err := c.kept(in)
		if err != nil {
			return err
		}
		if !slices.Equal(h.Parties, s.Parties) || h.Computing != s.Computing {
			return fmt.Errorf("%q is kept by %v, of whom %d compute, and the job's parties are %v, of whom %d do: shares are of no use to others", in.Kept, h.Parties, h.Computing, s.Parties, s.Computing)
		}
		if h.Protocol != s.Protocol {
			return fmt.Errorf("%q is kept by protocol %s, and the job's is %s: their shares differ", in.Kept, h.Protocol, s.Protocol)
		}
		w.kept[arg] = in
	}
	if s.Keep == "" {
		return nil
	}
	if s.Serve {
		return fmt.Errorf("a service keeps nothing: leave keep away")
	}
	return yamlfile.CheckName("job", "keep", s.Keep)
}

// keptNames are the names of what a job uses of what is kept.
func (w *work) keptNames() []string {
	var out []string
	for _, in := range w.sub.Inputs {
		if in.Kept != "" && !slices.Contains(out, in.Kept) {
			out = append(out, in.Kept)
		}
	}
	return out
}

// useKept puts what is kept into a spec.
func (w *work) useKept(c *Config, spec *party.Spec) error {
	for arg, in := range w.kept {
		h, err := c.kept(in)
		if err != nil {
			return err
		}
		spec.Args[arg].Held = []*party.Held{h}
	}
	spec.Keep = w.sub.Keep != ""
	return nil
}
