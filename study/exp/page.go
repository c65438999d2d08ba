package exp

import (
	"fmt"

	"github.com/tacet-mpc/tacet/study"
)

// page writes the study's page and files.
func (s *findings) page() error {
	p := s.lab.NewPage("exp", "What an exponential of a secret costs, and how exact it is")
	p.Text("Written by `tacet study exp`. %s", s.lab.Conditions())
	p.Text("The argument is a product of two secrets, as in a network or a regression, of two or three parties that compute with `semi2k` and a dealer. " +
		"Bytes are what each party sends online for each element, and come from plans; every run here sent exactly what was planned. " +
		"An argument that is a sum of inputs is open under its mask since it was shared, and costs one round and one opening less.")
	p.Heading("Bounds that the default keeps")
	p.Bars(s.bars())
	p.Heading("Beside SPU")
	p.Text("Published for SPU with FM128 and two parties, beside ring 128 here. SPU's percentage errors are over an interval that was not published; Tacet's are over [-5, 5]. " +
		"Seconds are marginal, of an element at 100 Mbit/s and 10 ms: SPU's measured, Tacet's predicted (measured ones stand below).")
	p.Table("published", s.publishedTable())
	p.Heading("Bytes, rounds, dealt bytes, memory")
	p.Text("For each element; memory is that of vectors, at the party that holds most.")
	p.Table("costs", s.costTable())
	p.Figure("bytes", "bytes an element over rounds", s.bytesFigure())
	p.Heading("Valid range")
	p.Text("The largest interval around 0 in which |got − want| / max(want, 1) stays below a threshold, by scanning from -30 to 4 beyond the logarithm of the largest result (%.1f with ring 64, %.1f with ring 128). "+
		"Wanted is e^x, up to the largest result, which is also what it should saturate at above; below it should be 0. \"Saturates\" says whether it does so for arguments of up to a million on both sides. "+
		"Without clamps, what leaves the window on either side is garbage.", logLargest(64), logLargest(128))
	p.Table("ranges", s.rangeTable())
	p.Figure("error", "error over x", s.errorFigure())
	p.Heading("Error")
	p.Text("Over the interval in which the error is below 1e-2, but for the last column and for the largest relative error, which is over all scanned x with e^x ≥ 1. Relative is |got − want| / max(want, 1), percentage |got − want| / want " +
		"(1 is 100 %%), where e^x is a unit of the last place or more. Each party rounds what it drops: where the argument is nothing else's and the result is revealed, three parties keep two guard bits of both, which cost nothing in ring 64 and a quarter of a byte to each other party in ring 128.")
	p.Table("errors", s.errorTable())
	p.Heading("Time, predicted")
	p.Text("Online, by the plan: milliseconds of a run + microseconds of each element, fitted through 10^2 … 10^6 elements by least squares of relative errors.")
	p.Table("times", s.timeTable())
	p.Figure("time", "time over elements for each network, ring 128", s.timeFigure())
	p.Data("times-all", s.timeData())
	p.Heading("Time and memory, measured")
	p.Text("Two parties and the dealer in this process, the least of three runs (other work on the machine shows all the same), fitted likewise: microseconds of each element. Memory is bytes of an element, of both parties and the dealer: what the plan says of the parties' vectors, and by how much the process " +
		"grew (which includes what Go's memory manager had not given back).")
	p.Table("measured", s.measuredTable())
	p.Heading("Generalised linear models")
	of := s.scale()
	p.Text("Poisson, gamma and Tweedie (power 1.5) regressions with a logarithmic link, %d rows, %d features, %d gradient steps, and the mean deviance. Bytes of both parties, seconds predicted at 100 Mbit/s and 10 ms; of the exponentials' seconds only what their bytes and "+
		"rounds take on the line. Before and after: pade and taylor are what users of other systems have, prime is the default. The error is the largest of a weight or the deviance, against the same program in clear.", of.rows, features, of.steps)
	p.Table("models", s.modelTable())
	return p.Close()
}

// publishedTable sets SPU's figures beside Tacet's.
func (s *findings) publishedTable() *study.Table {
	t := &study.Table{Columns: []string{"mode", "system", "bytes", "rounds", "mean percentage error", "seconds", "valid range"}}
	for _, p := range published {
		valid := ""
		if p.mode == "prime" {
			valid = fmt.Sprintf("%.1f … %.1f", p.lower, p.upper)
		}
		t.Add(p.mode, "SPU, published", p.bytes, p.rounds, p.meanError, p.seconds, valid)
		for i, c := range s.costs {
			if c.mode.name != p.mode || c.ring != 128 || c.parties != 2 {
				continue
			}
			e := s.errs[i] // found in the same order
			valid := fmt.Sprintf("%.1f … %.1f", e.ranges[0][0], e.ranges[0][1])
			if e.ranges[0] == [2]float64{e.x[0], e.x[len(e.x)-1]} {
				valid = "everywhere, saturating"
			}
			t.Add(p.mode, "Tacet", c.bytes, c.rounds, e.home, c.each["wan"], valid)
		}
	}
	return t
}

func logLargest(ring int) float64 { _, high := span(ring); return high - 4 }
