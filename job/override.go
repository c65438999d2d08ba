package job

import "maps"

// Override has the settings of the command line that replace those of a job file. Nil and empty fields change
// nothing.
type Override struct {
	Protocol string
	Ring     *int
	Fraction *int
	Parties  *int // number of computing parties
	Network  string
	Set      map[string]string // options that are added to the job's, and replace those with the same name
	Out      string            // folder into which the results are written
	Expect   string            // path of the file of expected results
	Restart  string            // as Job.Restart
}

// Apply replaces settings of the job by those that o sets. Later errors about these settings name the flag, such
// as "--ring".
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
