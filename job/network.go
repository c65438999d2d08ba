package job

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// links are the networks that have names.
var links = []string{"lan", "wan", "slow"}

// checkNetwork refuses what is no network, and, as links cannot be shaped yet,
// every network but "none".
func checkNetwork(s string) error {
	if s == "none" {
		return nil
	}
	if !slices.Contains(links, s) {
		rate, rtt, ok := strings.Cut(s, "/")
		bits, err := strconv.ParseFloat(rate, 64)
		trip, err2 := time.ParseDuration(rtt)
		if !ok || err != nil || err2 != nil || !(bits > 0) || trip < 0 {
			return fmt.Errorf("no network %q (want none, %s, or BITS_PER_S/RTT such as 1e9/1ms)", s, strings.Join(links, ", "))
		}
	}
	return fmt.Errorf("network %s is not built yet: links cannot be slowed down so far (none can be had)", s)
}
