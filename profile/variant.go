package profile

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Variant is a job planned under some settings, or why it cannot be.
type Variant struct {
	Settings []string `json:"settings"` // KEY=VALUE
	Refused  string   `json:"refused,omitempty"`
	Plan     *Report  `json:"plan,omitempty"`
}

func (v Variant) String() string { return strings.Join(v.Settings, " ") }

// all is how long a planned run takes from its first input to its last result,
// what is dealt included.
func (n Network) all() float64 { return n.Input + n.Online + n.Output + n.Offline }

// Cheapest names, for a network, the fastest variant: by the online phase, and
// by all phases together.
type Cheapest struct {
	Network string  `json:"network"`
	Online  string  `json:"online"`
	Seconds float64 `json:"online_seconds"`
	All     string  `json:"all"`
	Total   float64 `json:"all_seconds"`
}

// CheapestOf finds the fastest variants for every network; all are planned for
// the same ones.
func CheapestOf(variants []Variant) []Cheapest {
	var out []Cheapest
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
				out = append(out, Cheapest{Network: n.Name})
			}
			c := &out[i]
			if !known || n.Online < c.Seconds {
				c.Online, c.Seconds = v.String(), n.Online
			}
			if !known || n.all() < c.Total {
				c.All, c.Total = v.String(), n.all()
			}
		}
	}
	return out
}

// Variants prints plans side by side, and the cheapest for each network.
func Variants(w io.Writer, variants []Variant) error {
	cheapest := CheapestOf(variants)
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
		for _, n := range r.Plan.Networks { // those of all variants
			cells = append(cells, seconds(n.Online), seconds(n.all()))
		}
		row(t, append(cells, v.String())...)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print variants: %w", err)
	}
	fmt.Fprintln(w)
	for _, v := range variants {
		if v.Plan == nil {
			fmt.Fprintf(w, "%s is not possible: %s\n", v, v.Refused)
		}
	}
	for _, c := range cheapest {
		fmt.Fprintf(w, "%s: online fastest with %s (%.4g s), all phases with %s (%.4g s)\n", c.Network, c.Online, c.Seconds, c.All, c.Total)
	}
	return nil
}

// VariantsJSON is the variants' text, and the cheapest for each network.
func VariantsJSON(variants []Variant) ([]byte, error) {
	b, err := json.MarshalIndent(struct {
		Variants []Variant  `json:"variants"`
		Cheapest []Cheapest `json:"cheapest"`
	}{variants, CheapestOf(variants)}, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("profile: encode variants: %w", err)
	}
	return append(b, '\n'), nil
}
