package job

import "maps"

// Override holds settings from the command line that replace those of the job file. Nil and empty
// fields change nothing.
type Override struct {
	Protocol string
	Ring     *int
	Fraction *int
	Parties  *int // number of computing parties
	Network  string
	Set      map[string]string // added to the job's options, replacing equal keys
	Out      string            // folder for the results
	Expect   string            // file of the expected results
	Restart  string            // of a service: what happens when its session is lost
}

// Apply replaces settings. Messages about them then name the flag.
func (j *Job) Apply(o Override) {
	if j.at == nil {
		j.at = map[string]string{}
	}
	from := func(key string) { j.at[key] = "--" + key }
	if o.Protocol != "" {
		j.Protocol = o.Protocol
		from("protocol")
	}
	if o.Ring != nil {
		j.Ring = *o.Ring
		from("ring")
	}
	if o.Fraction != nil {
		j.Fraction = *o.Fraction
		from("fraction")
	}
	if o.Parties != nil {
		j.Computing = *o.Parties
		j.at["computing"] = "--parties"
	}
	if o.Network != "" {
		j.Network = o.Network
		from("network")
	}
	if len(o.Set) > 0 {
		set := maps.Clone(j.Set)
		if set == nil {
			set = map[string]string{}
		}
		maps.Copy(set, o.Set)
		j.Set = set
		from("set")
	}
	if o.Out != "" {
		j.Dir = o.Out
	}
	if o.Restart != "" {
		j.Restart = o.Restart
		from("restart")
	}
	if o.Expect != "" {
		if j.Expect == nil {
			j.Expect = &Expect{Atol: DefaultAtol, Rtol: DefaultRtol}
		}
		j.Expect.File, j.Expect.at = o.Expect, "--expect"
	}
}

// place returns the place of a setting: "job.yaml:4" or a flag.
func (j *Job) place(key string) string {
	if at, ok := j.at[key]; ok {
		return at
	}
	return j.File
}

// given reports whether a setting was set, in the file or by a flag.
func (j *Job) given(key string) bool { _, ok := j.at[key]; return ok }
