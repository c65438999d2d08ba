package pki

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// Organisation says which names an organisation may issue: its CAs may issue those that match Names, and pinned
// keys stand for the names in Keys.
type Organisation struct {
	Name  string              // name of the organisation
	File  string              // path of the certificates of its CAs; "" if it has Keys only
	Names []string            // the names that its CAs may issue; one * in a name stands for any text
	Keys  map[string][]string // fingerprints of the pinned keys (KeyFingerprint), by name
}

// patternPattern matches a name with at most one *; keyPattern matches a key's fingerprint.
var (
	patternPattern = regexp.MustCompile(`^[A-Za-z0-9._-]*\*?[A-Za-z0-9._-]*$`)
	keyPattern     = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

// matches reports whether a name is the pattern, where one * stands for any text.
func matches(pattern, name string) bool {
	before, after, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	return len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after)
}

// overlap reports whether a name exists that both patterns match.
func overlap(a, b string) bool {
	aBefore, aAfter, aStar := strings.Cut(a, "*")
	bBefore, bAfter, bStar := strings.Cut(b, "*")
	switch {
	case !aStar:
		return matches(b, a)
	case !bStar:
		return matches(a, b)
	}
	return (strings.HasPrefix(aBefore, bBefore) || strings.HasPrefix(bBefore, aBefore)) &&
		(strings.HasSuffix(aAfter, bAfter) || strings.HasSuffix(bAfter, aAfter))
}

// mayIssue reports whether the organisation's CAs may issue a name.
func (o *Organisation) mayIssue(name string) bool {
	for _, p := range o.Names {
		if matches(p, name) {
			return true
		}
	}
	return false
}

// owns reports whether the name is the organisation's, by its CAs or by a pinned key.
func (o *Organisation) owns(name string) bool { return o.Keys[name] != nil || o.mayIssue(name) }

// check refuses an organisation that is incomplete or has invalid values.
func (o *Organisation) check() error {
	if CheckName(o.Name) != nil {
		return fmt.Errorf("%q is not an organisation's name (at most 63 letters, digits, '.', '_' and '-')", o.Name)
	}
	switch {
	case o.File == "" && len(o.Names) > 0, o.File != "" && len(o.Names) == 0:
		return fmt.Errorf("%s: file and names belong together: the CA's certificates, and the names that it may issue, such as [alice, \"alice-*\"]",
			o.Name)
	case o.File == "" && len(o.Keys) == 0:
		return fmt.Errorf("%s: set file and names (a CA and the names that it may issue), or keys (pinned keys by name)", o.Name)
	}
	for _, p := range o.Names {
		if p == "" || len(p) > 63 || !patternPattern.MatchString(p) {
			return fmt.Errorf("%s: names: %.80q is not a name, nor a name with one *", o.Name, p)
		}
	}
	for name, keys := range o.Keys {
		if err := CheckName(name); err != nil {
			return fmt.Errorf("%s: keys: %.80q is not a name", o.Name, name)
		}
		if len(keys) == 0 {
			return fmt.Errorf("%s: keys: %s has no key", o.Name, name)
		}
		for _, k := range keys {
			if !keyPattern.MatchString(k) {
				return fmt.Errorf("%s: keys: %s: %.80q is not a key's fingerprint (sha256: and 64 digits; tacet cert show prints it)",
					o.Name, name, k)
			}
		}
		if o.mayIssue(name) {
			return fmt.Errorf("%s: %s is both under keys and under names: a name is decided by its key or by the CA", o.Name, name)
		}
	}
	return nil
}

// checkOrganisations refuses organisations of which two own the same name.
func checkOrganisations(all []Organisation) error {
	for i := range all {
		if err := all[i].check(); err != nil {
			return err
		}
		for j := range all[:i] {
			if p, ok := all[i].shares(&all[j]); ok {
				return fmt.Errorf("%s and %s may both issue %s: a name belongs to one organisation", all[j].Name, all[i].Name, p)
			}
		}
	}
	return nil
}

// shares returns a name, or a pattern of names, that both organisations own.
func (o *Organisation) shares(b *Organisation) (string, bool) {
	for name := range b.Keys {
		if o.owns(name) {
			return name, true
		}
	}
	for name := range o.Keys {
		if b.owns(name) {
			return name, true
		}
	}
	for _, p := range o.Names {
		for _, q := range b.Names {
			if overlap(p, q) {
				return p, true
			}
		}
	}
	return "", false
}

// organisations reads a mapping from organisations to their CAs, names and keys.
func organisations(to *[]Organisation) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = []Organisation{}
		err := v.Each(key, func(name string, v yamlfile.Value) error {
			o := Organisation{Name: name}
			err := v.Mapping("an organisation", yamlfile.Fields{
				"file": yamlfile.Path(&o.File), "names": yamlfile.Texts(&o.Names, "names"), "keys": pinnedKeys(&o.Keys),
			})
			if err == nil {
				err = placed(v, key, o.check())
			}
			*to = append(*to, o)
			return err
		})
		if err == nil && len(*to) == 0 {
			return v.Wrong("%s: no organisation is listed", key)
		}
		if err == nil {
			err = placed(v, key, checkOrganisations(*to))
		}
		return err
	}
}

// placed returns err with the place of the value and its key.
func placed(v yamlfile.Value, key string, err error) error {
	if err == nil {
		return nil
	}
	return v.Wrong("%s: %w", key, err)
}

// pinnedKeys reads a mapping from names to a fingerprint or a list of fingerprints.
func pinnedKeys(to *map[string][]string) yamlfile.Field {
	return func(key string, v yamlfile.Value) error {
		*to = map[string][]string{}
		return v.Each(key, func(name string, v yamlfile.Value) error {
			var one string
			var several []string
			if _, ok := v.Scalar(); ok {
				err := yamlfile.Text(&one)(key+": "+name, v)
				(*to)[name] = []string{one}
				return err
			}
			err := yamlfile.Texts(&several, "fingerprints")(key+": "+name, v)
			(*to)[name] = several
			return err
		})
	}
}

// fingerprint returns "sha256:" and a hash in hexadecimal digits.
func fingerprint(hash [32]byte) string { return "sha256:" + hex.EncodeToString(hash[:]) }
