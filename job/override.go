package job

import "maps"

// Override holds settings from the command line, each of which takes the place
// of the job file's. Nil and empty fields leave the job as it is.
type Override struct {
	Protocol string
	Ring     *int
	Fraction *int
	Parties  *int // how many compute
	Network  string
	Set      map[string]string // joins the job's, key by key
	Out      string            // where results are written
	Expect   string            // the results to compare with
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
	if o.Expect != "" {
		if j.Expect == nil {
			j.Expect = &Expect{Atol: DefaultAtol, Rtol: DefaultRtol}
		}
		j.Expect.File, j.Expect.at = o.Expect, "--expect"
	}
}

// place says where a setting came from.
func (j *Job) place(key string) string {
	if at, ok := j.at[key]; ok {
		return at
	}
	return j.File
}

// given reports whether a setting was named, in the file or by a flag.
func (j *Job) given(key string) bool { _, ok := j.at[key]; return ok }
