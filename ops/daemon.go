package ops

import (
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// Daemon is what the files of all daemons say.
type Daemon struct {
	Name    string // its certificate's
	Listen  string
	TLS     pki.Files
	Metrics string // where to listen for plain HTTP of metrics and health; "" for nowhere
	PProf   bool   // there too
	Log     string // level
}

// Fields reads the keys that all daemons have, and others.
func (d *Daemon) Fields(others yamlfile.Fields) yamlfile.Fields {
	d.Log = "info"
	others["name"] = yamlfile.Name(&d.Name)
	others["listen"] = yamlfile.Address(&d.Listen)
	others["tls"] = pki.Paths(&d.TLS)
	others["metrics"] = yamlfile.Address(&d.Metrics)
	others["pprof"] = yamlfile.Bool(&d.PProf)
	others["log"] = func(key string, v yamlfile.Value) error {
		return v.Mapping(key, yamlfile.Fields{"level": yamlfile.Text(&d.Log)})
	}
	return others
}

// Required is a key that must not be missing, its value, and what it is.
type Required struct{ Key, Value, What string }

// Check says what is missing in the file of a path, of what all daemons need and
// this one beside, or contradicts itself.
func (d *Daemon) Check(path string, beside ...Required) error {
	for _, r := range append([]Required{
		{"name", d.Name, "its own, as its certificate says"}, {"listen", d.Listen, "the address at which others reach it"},
		{"tls: cert", d.TLS.Cert, "its certificate"}, {"tls: key", d.TLS.Key, "its private key"}, {"tls: ca", d.TLS.CA, "the certificates of whom to trust"},
	}, beside...) {
		if r.Value == "" {
			return yamlfile.Wrong(path, "%s is missing: %s", r.Key, r.What)
		}
	}
	if err := CheckLevel(d.Log); err != nil {
		return yamlfile.Wrong(path, "log: %w", err)
	}
	if d.PProf && d.Metrics == "" {
		return yamlfile.Wrong(path, "pprof is served where metrics are: give metrics an address")
	}
	return nil
}
