package store

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Names of two terms: the correlation manifest's digest, and the declared network, which may differ
// if the manifests are equal.
const (
	manifestTerm = "order"
	networkTerm  = "network"
)

// differences lists the terms in which a session (have) differs from a run (want), settings before
// digests.
func differences(have, want map[string]string) []string {
	names := map[string]bool{}
	for k := range have {
		names[k] = true
	}
	for k := range want {
		names[k] = true
	}
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(names), settingsFirst) {
		there, thereIs := have[k]
		here, hereIs := want[k]
		if thereIs == hereIs && there == here || k == networkTerm && have[manifestTerm] == want[manifestTerm] {
			continue
		}
		name := k
		if k == manifestTerm {
			name = "correlation manifest"
		}
		out = append(out, fmt.Sprintf("%s: %s there, %s here", name, display(there, thereIs), display(here, hereIs)))
	}
	if len(out) > 1 { // the manifest's digest follows from the others
		out = slices.DeleteFunc(out, func(s string) bool { return strings.HasPrefix(s, "correlation manifest: ") })
	}
	return out
}

// settingsFirst orders settings before digests.
func settingsFirst(a, b string) int {
	first := []string{"version", "protocol", "ring", "fraction", "parties", "computing", "program"}
	i, j := slices.Index(first, a), slices.Index(first, b)
	if i >= 0 && j >= 0 {
		return i - j
	}
	if i >= 0 || j >= 0 {
		return j - i
	}
	return strings.Compare(a, b)
}

var hexadecimal = regexp.MustCompile(`^[0-9a-f]{64}$`)

// display is a term for messages; of a digest its first 12 digits.
func display(term string, is bool) string {
	switch {
	case !is:
		return "nothing"
	case hexadecimal.MatchString(term):
		return term[:12] + "…"
	}
	return term
}
