package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/node/api"
)

type reviewCmd struct {
	clusterFlag
	ID   string `arg:"" name:"ID" help:"The job's id, or the beginning of it."`
	Node string `required:"" placeholder:"NAME" help:"The node whose job it is; this certificate's name must be an admin in its policy."`
	Out  string `required:"" placeholder:"DIR" help:"Write the program, the public inputs and a job file into this folder."`
}

// Help returns the text that --help appends.
func (*reviewCmd) Help() string {
	return `Fetches from a node what the submitter of a job sent to it, before you approve the job: the exact program as program.mlir, public inputs as arg0.npy, …, and job.yaml, by which tacet plan predicts what the job costs. Then compare the program's digest (tacet inspect) with what you expect, read the program, and look at what it reveals.

Examples:

    tacet review 3f9a --node bob --out review
    tacet inspect review/program.mlir --job review/job.yaml
    tacet plan review/job.yaml
    tacet approve 3f9a --node bob`
}

// Run fetches the submission.
func (c *reviewCmd) Run(a app) error {
	jobs, err := c.find(a, c.ID, []string{c.Node})
	if err != nil {
		return err
	}
	nodes, err := c.connect()
	if err != nil {
		return err
	}
	s, err := nodes.Submission(a.ctx, jobs[0].ID, c.Node)
	if err != nil {
		return err
	}
	if err := checkReview(jobs[0], s); err != nil {
		return err
	}
	if err := writeReview(c.Out, s); err != nil {
		return err
	}
	if err := showJobs(a.stdout, jobs); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "program, public inputs and job.yaml are in %s (program.mlir has the digest %s)\n", c.Out, s.Program.Digest())
	return err
}

// checkReview compares the submission that a node has sent with its status of the job, which approvals are about.
// Nothing is written of a submission that differs, or that names arguments which cannot be.
func checkReview(j api.Job, s *api.Submission) error {
	if s.ID != j.ID {
		return fmt.Errorf("%s sent the submission of job %q, not of %s: do not approve the job", j.Node, s.ID, j.ID)
	}
	if digest := s.Program.Digest(); digest != j.Digest {
		return fmt.Errorf("%s sent a program with the digest %s, but the job's status says %s: do not approve the job", j.Node, digest, j.Digest)
	}
	if !maps.Equal(s.ProgramDigests(), j.Programs) {
		return fmt.Errorf("%s sent further programs with the digests %v, but the job's status says %v: do not approve the job", j.Node, s.ProgramDigests(), j.Programs)
	}
	given := map[int]bool{}
	for _, p := range s.Public {
		if p.Arg < 0 || p.Arg >= len(j.Arguments) || given[p.Arg] {
			return fmt.Errorf("%s sent a public argument %d, which is out of range or given twice (the job's status lists %d arguments): do not approve the job",
				j.Node, p.Arg, len(j.Arguments))
		}
		given[p.Arg] = true
	}
	return nil
}

// writeReview writes a submission into a folder, in which nothing is replaced.
func writeReview(dir string, s *api.Submission) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files := map[string][]byte{"program.mlir": s.Program.Text, "job.yaml": jobFile(s)}
	for i, name := range slices.Sorted(maps.Keys(s.Programs)) {
		files[fmt.Sprintf("program%d.mlir", i+1)] = s.Programs[name].Text // names are the submitter's, and may be no file names
	}
	for _, p := range s.Public {
		files[fmt.Sprintf("arg%d.npy", p.Arg)] = p.Array
	}
	for name := range files {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return badUsage{fmt.Errorf("%s exists already: name another folder with --out", filepath.Join(dir, name))}
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// jobFile returns a job file of a submission. Names of files are the submitter's: tacet plan does not read
// them where the job names their arguments.
func jobFile(s *api.Submission) []byte {
	if s.Task != nil {
		return taskFile(s)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "program: program.mlir\nparties: %s\nprotocol: %q\nring: %d\nfraction: %d\ncomputing: %d\n",
		flow(s.Parties), s.Protocol, s.Ring, s.Fraction, s.Computing)
	if len(s.Inputs)+len(s.Public) > 0 {
		b.WriteString("inputs:\n")
	}
	for _, in := range s.Inputs {
		from := fmt.Sprintf("owner: %q, file: %q", in.Owner, in.Name)
		if in.Kept != "" {
			from = fmt.Sprintf("kept: %q, result: %d", in.Kept, in.Result)
		}
		if len(in.Args) == 1 {
			from += fmt.Sprintf(", arg: %d", in.Args[0])
		} else if len(in.Args) > 1 {
			from += fmt.Sprintf(", args: %s", strings.ReplaceAll(fmt.Sprint(in.Args), " ", ", "))
		}
		if in.Resident {
			from += ", resident: true"
		}
		fmt.Fprintf(&b, "  - {%s}\n", from)
	}
	for _, p := range s.Public {
		fmt.Fprintf(&b, "  - {public: true, file: arg%d.npy, arg: %d}\n", p.Arg, p.Arg)
	}
	if len(s.Programs) > 0 {
		var programs []string
		for i, name := range slices.Sorted(maps.Keys(s.Programs)) {
			programs = append(programs, fmt.Sprintf("%q: program%d.mlir", name, i+1))
		}
		fmt.Fprintf(&b, "programs: {%s}\n", strings.Join(programs, ", "))
	}
	if len(s.State) > 0 {
		var state []string
		for _, arg := range slices.Sorted(maps.Keys(s.State)) {
			state = append(state, fmt.Sprintf("%d: %d", arg, s.State[arg]))
		}
		fmt.Fprintf(&b, "state: {%s}\n", strings.Join(state, ", "))
	}
	fmt.Fprintf(&b, "reveals: %d\n", s.Reveals)
	b.Write(outputsOf(s))
	return b.Bytes()
}

// outputsOf returns the end of a job file: who learns the results, and settings.
func outputsOf(s *api.Submission) []byte {
	var b bytes.Buffer
	var learn []string
	for _, rank := range s.Reveal {
		if rank >= 0 && rank < len(s.Parties) {
			learn = append(learn, s.Parties[rank])
		}
	}
	fmt.Fprintf(&b, "outputs: {reveal: %s}\n", flow(learn))
	if s.Restart != "" {
		fmt.Fprintf(&b, "restart: %q\n", s.Restart)
	}
	if len(s.Set) > 0 {
		b.WriteString("set:\n")
		for key, value := range s.Set {
			fmt.Fprintf(&b, "  %q: %q\n", key, value)
		}
	}
	return b.Bytes()
}

// taskFile is jobFile for a submission with a task.
func taskFile(s *api.Submission) []byte {
	var b bytes.Buffer
	t := s.Task
	fmt.Fprintf(&b, "task:\n  fit: %q\n  family: %q\n  link: %q\n  target: %q\n  features: %s\n", t.Fit, t.Family, t.Link, t.Target, flow(t.Features))
	if t.Offset != "" {
		fmt.Fprintf(&b, "  offset: %q\n", t.Offset)
	}
	fmt.Fprintf(&b, "  rows: %d\n", t.Rows)
	if g := t.SGD; g != nil {
		fmt.Fprintf(&b, "  solver: sgd\n  epochs: %d\n  batch: %d\n  rate: %g\n  bits: %d\n", g.Epochs, g.Batch, g.Rate, g.Bits)
	} else if c := t.CG; c != nil {
		fmt.Fprintf(&b, "  solver: cg\n  steps: %d\n  iterations: %d\n  condition: %g\n", c.Steps, t.Iterations, t.Condition)
	} else {
		fmt.Fprintf(&b, "  iterations: %d\n  hessians: %d\n  condition: %g\n", t.Iterations, t.Hessians, t.Condition)
	}
	if t.L2 > 0 {
		fmt.Fprintf(&b, "  l2: %g\n", t.L2)
	}
	if len(t.Widths) > 0 {
		b.WriteString("  widths:\n")
		for _, column := range slices.Sorted(maps.Keys(t.Widths)) {
			fmt.Fprintf(&b, "    %q: %d\n", column, t.Widths[column])
		}
	}
	b.WriteString(joinFile(t.Join))
	fmt.Fprintf(&b, "parties: %s\nprotocol: %q\ncomputing: %d\ninputs:\n", flow(s.Parties), s.Protocol, s.Computing)
	for _, in := range s.Inputs {
		fmt.Fprintf(&b, "  - {owner: %q, name: %q}\n", in.Owner, in.Name)
	}
	b.Write(outputsOf(s))
	return b.Bytes()
}

// joinFile returns the join of a task as a job file has it.
func joinFile(c *api.Join) string {
	if c == nil {
		return "join: {method: aligned}\n"
	}
	text := fmt.Sprintf("join:\n  method: %q\n", c.Method)
	if c.Beside != nil {
		text += fmt.Sprintf("  beside: %s\n", flow(c.Beside))
	}
	var on, by, normal []string
	for _, name := range slices.Sorted(maps.Keys(c.On)) {
		on = append(on, fmt.Sprintf("%q: %s", name, flow(c.On[name])))
	}
	if on != nil {
		text += fmt.Sprintf("  on: {%s}\n", strings.Join(on, ", "))
	}
	numbers := func(key string, of map[string]int) {
		var out []string
		for _, name := range slices.Sorted(maps.Keys(of)) {
			out = append(out, fmt.Sprintf("%q: %d", name, of[name]))
		}
		if out != nil {
			text += fmt.Sprintf("  %s: {%s}\n", key, strings.Join(out, ", "))
		}
	}
	numbers("rows", c.Rows)
	numbers("matches", c.Matches)
	if c.Keeper != "" {
		text += fmt.Sprintf("  keeper: %q\n  kind: %q\n", c.Keeper, c.Kind)
	}
	for _, column := range slices.Sorted(maps.Keys(c.Aggregate)) {
		by = append(by, fmt.Sprintf("%q: %q", column, c.Aggregate[column]))
	}
	if by != nil {
		text += fmt.Sprintf("  aggregate: {%s}\n", strings.Join(by, ", "))
	}
	for name, is := range map[string]bool{"trim": c.Trim, "case": c.Case, "nfc": c.NFC} {
		if is {
			normal = append(normal, name)
		}
	}
	if normal != nil {
		text += fmt.Sprintf("  normalise: %s\n", flow(slices.Sorted(slices.Values(normal))))
	}
	return text
}

// flow returns texts as a YAML list.
func flow(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
