package profile

import (
	"fmt"
	"io"
	"strconv"
)

// Plan is what a plan says beyond what a run measures.
type Plan struct {
	// Machine is whose profile times are for, and how many cores the parties
	// share.
	Machine string `json:"machine"`
	Cores   int    `json:"cores"`
	// MultiplyAdds is each party's local work, in words of 64 bits.
	MultiplyAdds []int64 `json:"multiply_adds"`
	// MemoryBytes is what vectors take at each party when they take most.
	MemoryBytes []int64 `json:"memory_bytes"`
	// StayingBytes is what of that is taken once for all turns of a service.
	StayingBytes []int64       `json:"staying_bytes,omitempty"`
	Networks     []Network     `json:"networks"`
	Correlations []Correlation `json:"correlations"`
	Lines        []Group       `json:"lines"`
	Layers       []Group       `json:"layers"`
	Choices      []Choice      `json:"choices,omitempty"` // where they were left to the plan
}

// Choice is what an operation would cost under each of the aims of
// optimize=, all other operations having the same, and the one chosen.
type Choice struct {
	ID     int          `json:"id"`
	Op     string       `json:"op"`
	Loc    string       `json:"loc"`
	Chosen string       `json:"chosen"`
	Costs  []ChoiceCost `json:"costs"`
}

// ChoiceCost is the cost under one aim, bytes of all parties together.
type ChoiceCost struct {
	Optimize string `json:"optimize"`
	Bytes    int64  `json:"bytes_sent"`
	Rounds   int    `json:"rounds"` // on the longest path
	Offline  int64  `json:"offline_bytes"`
}

// Network is how long phases are predicted to take on a network, in seconds.
type Network struct {
	Name    string  `json:"network"`
	Input   float64 `json:"input_seconds"`
	Online  float64 `json:"online_seconds"`
	Output  float64 `json:"output_seconds"`
	Offline float64 `json:"offline_seconds"` // until all corrections are there; the online phase need not wait
}

// Correlation is what is ordered of one kind of correlated randomness.
type Correlation struct {
	Kind     string `json:"kind"`
	Requests int    `json:"requests"`
	Elements int64  `json:"elements"`
	Bytes    int64  `json:"bytes"`
}

// formula says how predicted times come about.
const formula = `seconds: the longest way through the run's own steps, each with
  rounds × (half the round trip + a message's handling)
  + bytes / bandwidth + local work / cores, as far as nothing else hides them`

// Outlook prints a plan's memory and local work, its times on networks, and
// its order form.
func Outlook(w io.Writer, r *Report) error {
	p := r.Plan
	fmt.Fprintf(w, "memory of vectors: %s MiB; local work: %s million multiply-adds\n\n", scaled(p.MemoryBytes, 1<<20), scaled(p.MultiplyAdds, 1e6))
	t := table(w)
	row(t, "network", "input", "online", "output", "offline", "")
	for _, n := range p.Networks {
		row(t, n.Name, seconds(n.Input), seconds(n.Online), seconds(n.Output), seconds(n.Offline), "")
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print networks: %w", err)
	}
	fmt.Fprintf(w, "%s\n  all parties and the dealer on %d cores of machine %q\n\n", formula, p.Cores, p.Machine)
	if err := p.printChoices(w); err != nil {
		return err
	}
	if len(p.Correlations) == 0 {
		_, err := fmt.Fprintln(w, "nothing is dealt")
		return err
	}
	t = table(w)
	row(t, "dealt bytes", "elements", "requests", "kind")
	for _, c := range p.Correlations {
		row(t, c.Bytes, c.Elements, c.Requests, c.Kind)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print correlations: %w", err)
	}
	return nil
}

// scaled prints one number for each party in a larger unit.
func scaled(v []int64, unit float64) string {
	text := ""
	for i, x := range v {
		if i > 0 {
			text += " + "
		}
		text += strconv.FormatFloat(float64(x)/unit, 'f', 1, 64)
	}
	return text
}

// printChoices prints what each choice costs: online bytes, rounds, dealt bytes.
func (p *Plan) printChoices(w io.Writer) error {
	if len(p.Choices) == 0 {
		return nil
	}
	t := table(w)
	var head []any
	for _, c := range p.Choices[0].Costs {
		head = append(head, "optimize="+c.Optimize, "rounds", "dealt")
	}
	row(t, append(head, "chosen, operation")...)
	for _, x := range p.Choices {
		var cells []any
		for _, c := range x.Costs {
			cells = append(cells, c.Bytes, c.Rounds, c.Offline)
		}
		row(t, append(cells, x.Chosen+"  "+x.Op+"  "+x.Loc)...)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("profile: print choices: %w", err)
	}
	_, err := fmt.Fprintln(w)
	return err
}
