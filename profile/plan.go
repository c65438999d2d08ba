package profile

import (
	"fmt"
	"io"
	"strconv"
)

// Plan holds the predictions of a plan that a run does not measure.
type Plan struct {
	// Machine is the name of the machine profile that times are predicted for. Cores is the number
	// of cores that all parties share.
	Machine string `json:"machine"`
	Cores   int    `json:"cores"`
	// MultiplyAdds is each party's number of multiply-adds, on words of 64 bits.
	MultiplyAdds []int64 `json:"multiply_adds"`
	// MemoryBytes is the peak size of vectors at each party.
	MemoryBytes []int64 `json:"memory_bytes"`
	// ResidentBytes is the part of MemoryBytes that is shared by all requests of a service.
	ResidentBytes []int64       `json:"resident_bytes,omitempty"`
	Networks      []Network     `json:"networks"`
	Correlations  []Correlation `json:"correlations"`
	Lines         []Group       `json:"lines"`
	Layers        []Group       `json:"layers"`
	Choices       []Choice      `json:"choices,omitempty"` // operations whose protocol the plan chose (optimize=auto)
}

// Choice is the cost of an operation under each value of optimize=, all other operations unchanged,
// and the value chosen.
type Choice struct {
	ID     int          `json:"id"`
	Op     string       `json:"op"`
	Loc    string       `json:"loc"`
	Chosen string       `json:"chosen"`
	Costs  []ChoiceCost `json:"costs"`
}

// ChoiceCost is the cost under one value of optimize=. Bytes are summed over all parties.
type ChoiceCost struct {
	Optimize string `json:"optimize"`
	Bytes    int64  `json:"bytes_sent"`
	Rounds   int    `json:"rounds"` // on the longest path
	Offline  int64  `json:"offline_bytes"`
}

// Network is the predicted duration of the phases on a network, in seconds.
type Network struct {
	Name    string  `json:"network"`
	Input   float64 `json:"input_seconds"`
	Online  float64 `json:"online_seconds"`
	Output  float64 `json:"output_seconds"`
	Offline float64 `json:"offline_seconds"` // until all corrections have arrived; the online phase may begin earlier
}

// Correlation is the demand for one kind of correlated randomness.
type Correlation struct {
	Kind     string `json:"kind"`
	Requests int    `json:"requests"`
	Elements int64  `json:"elements"`
	Bytes    int64  `json:"bytes"`
}

// formula explains predicted times to the user.
const formula = `seconds: the longest path through the steps of the run; the cost of a step is
  rounds × (half the round trip +  handling of a message)
  + bytes / bandwidth + local work / cores, where no other step overlaps with them`

// PrintPrediction prints a plan's memory, local work, times on networks, and correlation manifest.
func PrintPrediction(w io.Writer, r *Report) error {
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
	fmt.Fprintf(w, "%s\n  all parties and the dealer share %d cores of machine %q\n\n", formula, p.Cores, p.Machine)
	if err := p.printChoices(w); err != nil {
		return err
	}
	if len(p.Correlations) == 0 {
		_, err := fmt.Fprintln(w, "no correlated randomness is needed")
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

// scaled prints one number for each party, divided by unit.
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

// printChoices prints online bytes, rounds and dealt bytes of each choice.
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
