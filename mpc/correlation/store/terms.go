package store

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// The order form and, of what it may depend on, the network, which need not be
// the same if the form is.
const (
	order   = "order"
	network = "network"
)

// differences lists where a session's terms are not those wanted, the ones
// that say most first.
func differences(have, want map[string]string) []string {
	names := map[string]bool{}
	for k := range have {
		names[k] = true
	}
	for k := range want {
		names[k] = true
	}
	var out []string
	for _, k := range slices.SortedFunc(maps.Keys(names), byWeight) {
		there, thereIs := have[k]
		here, hereIs := want[k]
		if thereIs == hereIs && there == here || k == network && have[order] == want[order] {
			continue
		}
		out = append(out, fmt.Sprintf("%s: %s there, %s here", k, shown(there, thereIs), shown(here, hereIs)))
	}
	if len(out) > 1 { // the order form only follows from the others
		out = slices.DeleteFunc(out, func(s string) bool { return strings.HasPrefix(s, order+": ") })
	}
	return out
}

// byWeight puts settings before digests.
func byWeight(a, b string) int {
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

// shown is a term as messages have it: of a digest its beginning.
func shown(term string, is bool) string {
	switch {
	case !is:
		return "nothing"
	case hexadecimal.MatchString(term):
		return term[:12] + "…"
	}
	return term
}
