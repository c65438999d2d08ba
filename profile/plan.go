package profile

import (
	"fmt"
	"io"
	"strconv"
)

// Plan has the predictions of a plan that a run does not measure.
type Plan struct {
	// Machine is the name of the machine for which times are predicted, and Cores the number of its cores, which
	// all parties share.
	Machine string `json:"machine"`
	Cores   int    `json:"cores"`
	// MultiplyAdds has, by party, the number of multiplications with addition of 64-bit words.
	MultiplyAdds []int64 `json:"multiply_adds"`
	// MemoryBytes has, by party, the peak size of its vectors in bytes if it has a process of its own.
	MemoryBytes []int64 `json:"memory_bytes"`
	// ResidentBytes has, by party, the part of MemoryBytes that all requests of a service share; nil if there is
	// none.
	ResidentBytes []int64       `json:"resident_bytes,omitempty"`
	Networks      []Network     `json:"networks"`          // predicted times, by network
	Correlations  []Correlation `json:"correlations"`      // the correlations that the run needs, by kind
	Lines         []Group       `json:"lines"`             // costs by line of the program text
	Layers        []Group       `json:"layers"`            // costs by layer
	Choices       []Choice      `json:"choices,omitempty"` // operations whose objective the plan chose (optimize=auto)
}

// Choice has the predicted costs of one operation under each objective that the option optimize may have
// (online, rounds, total), while all other operations stay unchanged, and the objective that the plan has
// chosen.
type Choice struct {
	ID     int          `json:"id"`     // id of the operation, as in Op
	Op     string       `json:"op"`     // name of the operation
	Loc    string       `json:"loc"`    // place of the operation in the program text
	Chosen string       `json:"chosen"` // the chosen objective
	Costs  []ChoiceCost `json:"costs"`  // cost under each objective
}

// ChoiceCost is the predicted cost of one operation with the objective Optimize.
type ChoiceCost struct {
	Optimize string `json:"optimize"`      // the objective, as a value of the option optimize
	Bytes    int64  `json:"bytes_sent"`    // bytes sent in the online phase, by all parties together
	Rounds   int    `json:"rounds"`        // the operation's rounds on the longest chain of dependent messages
	Offline  int64  `json:"offline_bytes"` // bytes of the corrections that the dealer sends
}

// Network has the predicted durations of the phases on a network, in seconds.
type Network struct {
	Name    string  `json:"network"` // name of the network, such as lan
	Input   float64 `json:"input_seconds"`
	Online  float64 `json:"online_seconds"`
	Output  float64 `json:"output_seconds"`
	Offline float64 `json:"offline_seconds"` // seconds until all corrections have arrived; the online phase may begin earlier
	// Beside is how many of the offline seconds pass while the online phase runs, and are counted in Online too.
	Beside float64 `json:"beside_online_seconds,omitempty"`
	// BesideInput is how many of the other offline seconds pass while inputs are shared, and are counted in Input too.
	BesideInput float64 `json:"beside_input_seconds,omitempty"`
}

// Total is the predicted duration of all phases, offline included, in seconds.
func (n Network) Total() float64 {
	return n.Input + n.Online + n.Output + n.Offline - n.Beside - n.BesideInput
}

// Correlation has the amount of one kind of correlated randomness that a plan needs.
type Correlation struct {
	Kind     string `json:"kind"`     // kind of correlation
	Requests int    `json:"requests"` // number of correlation requests
	Elements int64  `json:"elements"` // number of elements in all of them
	Bytes    int64  `json:"bytes"`    // bytes of their corrections
}

// formula explains predicted times to the user.
const formula = `seconds: the longest path through the steps of the run; the cost of a step is
  rounds × (half the round trip +  handling of a message)
  + bytes / bandwidth + local work / cores, where no other step overlaps with them`

// beside says how many of the offline seconds pass during other phases; it returns "" for none.
func beside(input, online float64) string {
	const least = 0.00005 // as it is printed
	switch {
	case input >= least && online >= least:
		return fmt.Sprintf("%s s beside input and %s s beside online", seconds(input), seconds(online))
	case input >= least:
		return seconds(input) + " s beside input"
	case online >= least:
		return seconds(online) + " s beside online"
	}
	return ""
}

// PrintPrediction prints the predictions in a plan's report: memory, local work, times on networks, and the
// correlations. It needs r.Plan.
func PrintPrediction(w io.Writer, r *Report) error {
	p := r.Plan
	fmt.Fprintf(w, "memory of vectors: %s MiB; local work: %s million multiply-adds\n\n", scaled(p.MemoryBytes, 1<<20), scaled(p.MultiplyAdds, 1e6))
	t := table(w)
	row(t, "network", "input", "online", "output", "offline", "")
	for _, n := range p.Networks {
		text := ""
		if of := beside(n.BesideInput, n.Beside); of != "" {
			text = fmt.Sprintf("of offline %s: %s s in all", of, seconds(n.Total()))
		}
		row(t, n.Name, seconds(n.Input), seconds(n.Online), seconds(n.Output), seconds(n.Offline), text)
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
