package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/party"
)

// Task is the content of task.json, which describes a case to another system. Files are relative to
// its folder.
type Task struct {
	Name      string     `json:"name"`      // name of the case
	Program   string     `json:"program"`   // name of a StableHLO file
	Parties   int        `json:"parties"`   // number of computing parties
	Ring      int        `json:"ring"`      // width in bits of the ring of floats
	Fraction  int        `json:"fraction"`  // number of fraction bits of floats
	Arguments []Argument `json:"arguments"` // of the program's main function
	// Results are names of .npy files with the expected results, computed in cleartext; empty if they are not known.
	Results []string `json:"results"`
}

// Argument describes one argument of a Task's program.
type Argument struct {
	File   string `json:"file"`   // name of a .npy file
	Public bool   `json:"public"` // whether its content is public
}

// Export writes a case into a folder of its own below dir, to be run by other systems: program.mlir, argument0.npy,
// …, result0.npy, … and task.json (Task). It returns the path of the folder, which has the name of the case; for a
// job, that of its job file's folder.
func (c Case) Export(ctx context.Context, dir string) (string, error) {
	name := c.Name
	if strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml") {
		absolute, err := filepath.Abs(name)
		if err != nil {
			return "", fmt.Errorf("bench: export %s: %w", c.Name, err)
		}
		name = filepath.Base(filepath.Dir(absolute))
	}
	dir = filepath.Join(dir, name)
	if err := c.export(ctx, name, dir); err != nil {
		return "", fmt.Errorf("bench: export %s: %w", c.Name, err)
	}
	return dir, nil
}

func (c Case) export(ctx context.Context, name, dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	t := Task{Name: name, Program: "program.mlir", Parties: c.Spec.Computing, Ring: c.Spec.Ring, Fraction: c.Spec.Fraction}
	if err := os.WriteFile(filepath.Join(dir, t.Program), c.Text, 0o666); err != nil {
		return err
	}
	for i, a := range c.Spec.Args {
		file := fmt.Sprintf("argument%d.npy", i)
		if err := npy.WriteFile(filepath.Join(dir, file), a.Data); err != nil {
			return err
		}
		t.Arguments = append(t.Arguments, Argument{file, a.Owner == party.Public})
	}
	if c.Want != nil {
		want, err := c.Want(ctx)
		if err != nil {
			return err
		}
		for i, a := range want {
			t.Results = append(t.Results, fmt.Sprintf("result%d.npy", i))
			if err := npy.WriteFile(filepath.Join(dir, t.Results[i]), a); err != nil {
				return err
			}
		}
	}
	text, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "task.json"), append(text, '\n'), 0o666)
}
