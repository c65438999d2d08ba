package job

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Load reads a job file. It checks the file's form, and that the names in it are consistent. Checks that depend
// on the program, or on settings that Apply can change, are made by RunSpec, PlanSpec and Settings. Errors are
// *Error.
func Load(path string) (*Job, error) {
	v, err := yamlfile.Read(path, "a job file")
	if err != nil {
		return nil, err
	}
	return load(path, v)
}

func load(path string, v yamlfile.Value) (*Job, error) {
	j := &Job{File: path, Network: party.DefaultNetwork, at: map[string]string{}}
	if err := (&loader{j: j}).job(v); err != nil {
		return nil, err
	}
	return j, j.checkNames()
}

// loader fills in a job from the parsed file.
type loader struct {
	j          *Job
	everywhere []string // key columns that all parties' tables have
}

// mapping reads a mapping and records the place of each of its keys.
func (l *loader) mapping(v yamlfile.Value, what string, f yamlfile.Fields) error {
	for key, read := range f {
		f[key] = func(key string, v yamlfile.Value) error {
			l.j.at[key] = v.Key
			return read(key, v)
		}
	}
	return v.Mapping(what, f)
}

func (l *loader) job(v yamlfile.Value) error {
	j := l.j
	err := l.mapping(v, "a job", yamlfile.Fields{
		"program":   yamlfile.Path(&j.Program),
		"shapes":    l.shapes,
		"values":    l.values,
		"parties":   yamlfile.Texts(&j.Parties, "names"),
		"protocol":  yamlfile.Text(&j.Protocol),
		"ring":      l.ring,
		"fraction":  yamlfile.Int(&j.Fraction),
		"computing": yamlfile.Int(&j.Computing),
		"inputs":    l.inputs,
		"outputs":   l.outputs,
		"expect":    l.expect,
		"set":       l.set,
		"reveals":   yamlfile.Int(&j.Reveals),
		"restart":   l.restart,
		"state":     l.state,
		"programs":  l.programs,
		"task":      l.task,
		"join":      l.join,
		"checkpoint": func(_ string, v yamlfile.Value) error {
			return l.mapping(v, "checkpoint", yamlfile.Fields{"every": yamlfile.Positive(&j.Checkpoint)})
		},
	})
	if err != nil {
		return err
	}
	if j.Program == "" && j.Task == nil {
		return wrong(j.File, "program is missing: the file of the StableHLO program")
	}
	if len(j.Parties) == 0 {
		return wrong(j.File, "parties is missing: the names in rank order, such as [alice, bob]")
	}
	if j.Checkpoint == 0 && j.given("checkpoint") {
		return wrong(j.at["checkpoint"], "checkpoint needs every: the number of loop iterations between two checkpoints")
	}
	if l.everywhere != nil {
		j.Join.On = map[string][]string{}
		for _, name := range j.Parties {
			j.Join.On[name] = l.everywhere
		}
	}
	return j.checkTask()
}

// ring reads a number of bits, or auto.
func (l *loader) ring(key string, v yamlfile.Value) error {
	if s, ok := v.Scalar(); ok && s == "auto" {
		l.j.Ring = AutoRing
		return nil
	}
	return yamlfile.Int(&l.j.Ring)(key, v)
}

// restart reads what happens when a service loses its session.
func (l *loader) restart(key string, v yamlfile.Value) error {
	if err := yamlfile.Text(&l.j.Restart)(key, v); err != nil {
		return err
	}
	if err := CheckRestart(l.j.Restart); err != nil {
		return wrong(v.Place(), "restart: %w", err)
	}
	return nil
}

// programs reads the files of a service's further programs, by name.
func (l *loader) programs(key string, v yamlfile.Value) error {
	l.j.Programs = map[string]string{}
	return v.Each(key, func(name string, v yamlfile.Value) error {
		if _, twice := l.j.Programs[name]; twice || name == "" {
			return wrong(v.Key, "programs: %q is no name, or is given twice", name)
		}
		var path string
		err := yamlfile.Path(&path)("programs: "+name, v)
		l.j.Programs[name] = path
		return err
	})
}

// state reads which argument of a service each request replaces by which result.
func (l *loader) state(key string, v yamlfile.Value) error {
	l.j.State = map[int]int{}
	return v.Each(key, func(name string, v yamlfile.Value) error {
		arg, err := strconv.ParseUint(name, 10, 31)
		if err != nil {
			return wrong(v.Key, "state: %q is not the number of an argument", name)
		}
		if _, twice := l.j.State[int(arg)]; twice {
			return wrong(v.Key, "state: argument %d is given twice", arg)
		}
		var result int
		err = yamlfile.Int(&result)("state: "+name, v)
		l.j.State[int(arg)] = result
		return err
	})
}

// CheckRestart returns an error unless text is RestartAlways.
func CheckRestart(text string) error {
	if text != RestartAlways {
		return fmt.Errorf("want %s (a service opens again after each loss of its session), got %q", RestartAlways, text)
	}
	return nil
}

func (l *loader) inputs(key string, v yamlfile.Value) error {
	return v.List(key, "files", func(v yamlfile.Value) error {
		in := Input{at: v.Place()}
		arg, entry, from := -1, "", Input{} // from is the key table's file
		declared, keys := Table{}, yamlfile.Fields{}
		for key, read := range TableFields(&declared) {
			keys[key] = func(key string, v yamlfile.Value) error {
				in.Table = &declared
				return read(key, v)
			}
		}
		fields := yamlfile.Fields{
			"table": func(key string, v yamlfile.Value) error {
				in.Table = &declared
				return l.file(&from)(key, v)
			},
			"owner":    yamlfile.Text(&in.Owner),
			"public":   yamlfile.Bool(&in.Public),
			"resident": yamlfile.Bool(&in.Resident),
			"file":     l.file(&in),
			"name":     yamlfile.Name(&entry),
			"args":     yamlfile.Ints(&in.Args, "argument numbers"),
			"arg":      yamlfile.Int(&arg),
			"range":    ranges(&in),
			"kept":     yamlfile.Name(&in.Kept),
			"result":   yamlfile.Int(&in.Result),
		}
		maps.Copy(fields, keys)
		if err := l.mapping(v, "an input", fields); err != nil {
			return err
		}
		if in.Table != nil {
			other := in.File != "" || entry != "" || in.Kept != "" || in.Result != 0
			in.File, in.Name, in.Folder = from.File, from.Name, from.Folder
			if err := checkTable(&in, arg, other); err != nil {
				return err
			}
		}
		if in.Kept != "" || in.Result != 0 {
			if in.Kept == "" || in.File != "" || entry != "" || in.Owner != "" || in.Public || in.Resident || in.Args != nil || in.Range != nil ||
				in.Ranges != nil ||
				arg < 0 {
				return wrong(in.at, "a kept input is {kept: NAME, arg: N}, with result: K for one of several results; it has no owner, file or range")
			}
			in.Args = []int{arg}
			l.j.Inputs = append(l.j.Inputs, in)
			return nil
		}
		switch ext := filepath.Ext(in.File); {
		case in.File != "" && entry != "":
			return wrong(in.at, "an input has a file or a name, not both")
		case in.File == "" && entry == "":
			return wrong(in.at, "file is missing from an input (or, for nodes, the name of an entry in the owner's catalogue)")
		case in.Owner == "" && !in.Public:
			return wrong(in.at, "an input has an owner, or is public: true")
		case in.Public && in.Resident:
			return wrong(in.at, "remove resident: a public input is always resident")
		case in.Owner != "" && in.Public:
			return wrong(in.at, "an input has an owner or is public, not both")
		case in.File == "" && (in.Owner == "" || in.Public):
			return wrong(in.at, "an input with a name is an entry in its owner's catalogue: it needs an owner and cannot be public")
		case in.File == "":
			in.Name = entry
			if arg >= 0 {
				in.Args = append(in.Args, arg)
			}
		case in.Table != nil: // checkTable has checked it
		case NamesArrays(in.File) && arg >= 0:
			return wrong(in.at, "arg is for .npy and .csv files: an %s file's arrays are named arg0, arg1, … (args says which)", ext)
		case IsONNX(in.File) && (arg >= 0 || in.Args != nil):
			return wrong(in.at, "an ONNX file provides all weights of the program: remove arg and args")
		case IsONNX(in.File): // openInput checks that it is the program
		case !NamesArrays(in.File) && ext != ".npy" && ext != ".csv":
			hint := ""
			if ext == "" {
				hint = fmt.Sprintf("; an entry of a node's catalogue is named by name: %s", in.File)
			}
			return wrong(in.at, "file %s: inputs are .npz, .safetensors, .npy or .csv, or the program's .onnx%s", in.File, hint)
		case !NamesArrays(in.File) && (arg < 0 || in.Args != nil):
			return wrong(in.at, "file %s: a %s file holds one array: name its argument with arg: N", in.File, ext)
		case !NamesArrays(in.File):
			in.Args = []int{arg}
		}
		l.j.Inputs = append(l.j.Inputs, in)
		return nil
	})
}

// checkTable checks an input that a table provides. other says that it has a key of another
// kind of input.
func checkTable(in *Input, arg int, other bool) error {
	if err := in.Table.Check(in.File); err != nil {
		return &Error{Place: in.at, Err: err}
	}
	switch {
	case other:
		return wrong(in.at, "an input has a table, a file, a name or a kept result, only one of them")
	case in.Args != nil:
		return wrong(in.at, "table %s: a table provides one argument: name it with arg: N", in.Name)
	}
	if arg >= 0 {
		in.Args = []int{arg}
	}
	return nil
}

// ranges reads the range of all arguments of an input, [lo, hi], or a mapping from arguments to
// ranges.
func ranges(in *Input) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if !v.IsMapping() {
			in.Range = &Range{}
			return interval(key, v, in.Range)
		}
		in.Ranges = map[int]Range{}
		return v.Each(key, func(name string, v yamlfile.Value) error {
			arg, err := strconv.ParseUint(name, 10, 31)
			if err != nil {
				return wrong(v.Key, "range: %q is not the number of an argument", name)
			}
			if _, twice := in.Ranges[int(arg)]; twice {
				return wrong(v.Key, "range: argument %d is given twice", arg)
			}
			var r Range
			err = interval(key, v, &r)
			in.Ranges[int(arg)] = r
			return err
		})
	}
}

// interval reads two finite numbers, the smaller one first.
func interval(key string, v yamlfile.Value, to *Range) error {
	var ends []float64
	if err := yamlfile.Reals(&ends, "two numbers")(key, v); err != nil {
		return err
	}
	if len(ends) != 2 || ends[0] > ends[1] {
		return v.Wrong("%s: want [lo, hi], the least and the greatest value", key)
	}
	to.Lo, to.Hi = ends[0], ends[1]
	return nil
}

// file reads an input's file name and returns it as written and joined to the job file's folder.
func (l *loader) file(in *Input) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		if err := yamlfile.Path(&in.File)(key, v); err != nil {
			return err
		}
		in.Folder = filepath.Dir(l.j.File)
		return yamlfile.Text(&in.Name)(key, v)
	}
}

func (l *loader) outputs(_ string, v yamlfile.Value) error {
	return l.mapping(v, "outputs", yamlfile.Fields{
		"reveal": yamlfile.Texts(&l.j.Reveal, "names"),
		"dir":    yamlfile.Path(&l.j.Dir),
		"keep":   yamlfile.Name(&l.j.Keep),
	})
}

func (l *loader) expect(_ string, v yamlfile.Value) error {
	e := Expect{Atol: DefaultAtol, Rtol: DefaultRtol, at: v.Place()}
	err := l.mapping(v, "expect", yamlfile.Fields{
		"file": yamlfile.Path(&e.File),
		"atol": yamlfile.Number(&e.Atol),
		"rtol": yamlfile.Number(&e.Rtol),
	})
	if err == nil && e.File == "" {
		err = wrong(e.at, "file is missing from expect")
	}
	l.j.Expect = &e
	return err
}

// set reads options: any key, with a text, number or truth value.
func (l *loader) set(key string, v yamlfile.Value) error {
	l.j.Set = map[string]string{}
	return v.Each(key, func(name string, v yamlfile.Value) error {
		s, ok := v.Scalar()
		if !ok {
			return v.Mismatch("set: "+name, "a text or number")
		}
		l.j.Set[name] = s
		return nil
	})
}

// checkNames checks that names are names, and that owners and learners are
// parties.
func (j *Job) checkNames() error {
	for i, name := range j.Parties {
		if err := yamlfile.CheckName(j.at["parties"], "party name", name); err != nil {
			return err
		}
		if slices.Contains(j.Parties[:i], name) {
			return wrong(j.at["parties"], "party %s is named twice", name)
		}
	}
	for _, in := range j.Inputs {
		if !in.Public && in.Kept == "" && !slices.Contains(j.Parties, in.Owner) {
			return wrong(in.at, "owner %q is not a party (parties: %s)", in.Owner, list(j.Parties))
		}
	}
	for i, name := range j.Reveal {
		if !slices.Contains(j.Parties, name) {
			return wrong(j.at["reveal"], "%q cannot learn results: no such party (parties: %s)", name, list(j.Parties))
		}
		if slices.Contains(j.Reveal[:i], name) {
			return wrong(j.at["reveal"], "party %s is named twice", name)
		}
	}
	return nil
}
