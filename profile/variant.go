package profile

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Variant is a job with some settings, and its plan or the reason why it cannot be planned.
type Variant struct {
	Settings []string `json:"settings"`          // the settings, each as KEY=VALUE
	Refused  string   `json:"refused,omitempty"` // why the job cannot be planned with these settings; "" if it can
	Plan     *Report  `json:"plan,omitempty"`    // the report of the plan; nil if there is none
}

// String returns the settings, separated by spaces.
func (v Variant) String() string { return strings.Join(v.Settings, " ") }

// Fastest names the variants with the least predicted time on one network: Online by the online phase, All by
// all phases together.
type Fastest struct {
	Network string  `json:"network"`        // name of the network, such as lan
	Online  string  `json:"online"`         // the variant whose online phase is shortest, as Variant.String has it
	Seconds float64 `json:"online_seconds"` // seconds of that online phase
	All     string  `json:"all"`            // the variant whose phases together are shortest
	Total   float64 `json:"all_seconds"`    // seconds of these phases
}

// FastestVariants returns the fastest variants for each network. All variants with a plan must be planned for
// the same networks; variants that cannot be planned are ignored.
func FastestVariants(variants []Variant) []Fastest {
	var out []Fastest
	at := map[string]int{}
	for _, v := range variants {
		if v.Plan == nil {
			continue
		}
		for _, n := range v.Plan.Plan.Networks {
			i, known := at[n.Name]
			if !known {
				i = len(out)
				at[n.Name] = i
				out = append(out, Fastest{Network: n.Name})
			}
			c := &out[i]
			if !known || n.Online < c.Seconds {
				c.Online, c.Seconds = v.String(), n.Online
			}
			if !known || n.Total() < c.Total {
				c.All, c.Total = v.String(), n.Total()
			}
		}
	}
	return out
}

// Variants prints the plans side by side, one line for each variant, then the fastest variant for each network.
func Variants(w io.Writer, variants []Variant) error {
	cheapest := FastestVariants(variants)
	t := table(w)
	head := []any{"online bytes", "rounds", "dealt bytes", "MiB"}
	for _, c := range cheapest {
		head = append(head, c.Network+" online", "all")
	}
	row(t, append(head, "settings")...)
	for _, v := range variants {
		r := v.Plan
		if r == nil {
			continue
		}
		cells := []any{sum(r.Online.BytesSent), r.Online.Rounds, r.Offline.BytesSent, fmt.Sprintf("%.0f", float64(r.PeakMemoryBytes)/(1<<20))}
		for _, n := range r.Plan.Networks { // the same networks in all variants
			cells = append(cells, seconds(n.Online), seconds(n.Total()))
		}
		row(t, append(cells, v.String())...)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print variants: %w", err)
	}
	fmt.Fprintln(w)
	for _, v := range variants {
		if v.Plan == nil {
			fmt.Fprintf(w, "%s cannot run: %s\n", v, v.Refused)
		}
	}
	for _, c := range cheapest {
		fmt.Fprintf(w, "%s: online fastest with %s (%.4g s), all phases with %s (%.4g s)\n", c.Network, c.Online, c.Seconds, c.All, c.Total)
	}
	return nil
}

// VariantsJSON returns, as indented JSON, the variants of a job and, for each network (such as lan or wan), the
// variants with the least predicted time (FastestVariants). The error is not nil only if a value cannot be
// encoded.
func VariantsJSON(variants []Variant) ([]byte, error) {
	b, err := json.MarshalIndent(struct {
		Variants []Variant `json:"variants"`
		Cheapest []Fastest `json:"cheapest"`
	}{variants, FastestVariants(variants)}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("profile: encode variants: %w", err)
	}
	return append(b, '\n'), nil
}
