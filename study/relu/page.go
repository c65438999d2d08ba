package relu

import (
	"fmt"

	"github.com/tacet-mpc/tacet/study"
)

// page writes the study's page and files.
func (s *findings) page() error {
	none, each := s.line()
	p := s.lab.NewPage("relu", "A ResNet18 with fewer ReLUs")
	p.Text("Written by `tacet study relu`. %s", s.lab.Conditions())
	p.Text("A ResNet18 for one image of 32×32 (%d channels in the first stage, batch normalisation unfolded, random parameters), two parties with `semi2k`, ring 64, and a dealer. The image is one party's, all parameters are the other's. "+
		"Of the blocks' %s ReLUs a share is kept; the first layer's ReLU and the pooling stay, as in the published measurements. Those that are kept are selected by indices that the program computes (a sort of hashes), by constant indices, by a mask "+
		"(`select(mask, relu(x), x)`, a constant of the program), or as whole channels. Bytes are of both parties, online.", s.width, study.Cell(s.costs[0].kept))
	p.Text("**Bytes = %s + %s for each ReLU kept.** Rounds are those of the layers that have a ReLU at all: they fall only when a layer loses its last one.", study.Cell(none), study.Cell(each))
	p.Heading("Bounds")
	p.Bars(s.bars())
	p.Heading("Beside SPU and CrypTen")
	p.Text("Published: SPU sends 59.5 MB in 0.52 s with all ReLUs, 57.3 MB in 3.47 s or 5.18 s with a tenth of them (chosen by constants, or in the program), and 55.7 MB in 0.458 s with none; CrypTen takes 1.242 s. Machines differ; what can be compared is what removing ReLUs does.")
	p.Table("published", s.publishedTable())
	p.Heading("All choices")
	p.Text("Seconds are online. On networks they are predicted; measured is without a network, the least of several runs in this process, which took turns (other work on the machine shows all the same). The error is the largest, of the largest logit, against the same program in clear. On the fastest network all choices but the last lie within a millisecond, and a profile measured on a busy machine, where a step's overhead looks larger, can turn their order.")
	p.Table("choices", s.costTable())
	p.Figure("choices", "bytes and time over ReLUs kept", s.figure())
	p.Heading("Where ReLUs cost what")
	p.Text("With all ReLUs kept. Each is a comparison, whose bit selects the opened input in the operation that uses it: shares of all bytes, and of the rounds of the longest path.")
	p.Table("layers", s.partTable())
	return p.Close()
}

// publishedTable sets published figures beside Tacet's.
func (s *findings) publishedTable() *study.Table {
	t := &study.Table{Columns: []string{"ReLUs", "system", "MB", "of all", "seconds", "of all"}}
	all := s.costs[0]
	add := func(relus, system string, mb, seconds, allMB, allSeconds float64) {
		t.Add(relus, system, mb, mb/allMB, seconds, seconds/allSeconds)
	}
	own := func(c cost) {
		add(c.choice.String(), "Tacet, measured", float64(c.bytes)/1e6, c.measured, float64(all.bytes)/1e6, all.measured)
	}
	add("all", "SPU, published", 59.5, 0.52, 59.5, 0.52)
	own(all)
	add("10 %", "SPU, published", 57.3, 3.47, 59.5, 0.52)
	add("10 %", "SPU, published", 57.3, 5.18, 59.5, 0.52)
	for _, c := range s.costs {
		if c.choice.share == 0.1 {
			own(c)
		}
	}
	add("none", "SPU, published", 55.7, 0.458, 59.5, 0.52)
	own(s.costs[len(s.costs)-1])
	return t
}

// costTable lists all choices.
func (s *findings) costTable() *study.Table {
	t := &study.Table{Columns: []string{"choice", "ReLUs kept", "bytes", "rounds", "dealt bytes"}}
	for _, n := range study.Networks {
		t.Columns = append(t.Columns, n.Title)
	}
	t.Columns = append(t.Columns, "measured", "error")
	for _, c := range s.costs {
		row := []any{c.choice.String(), c.kept, c.bytes, c.rounds, c.dealt}
		for _, n := range study.Networks {
			row = append(row, c.times[n.Name])
		}
		t.Add(append(row, c.measured, c.off)...)
	}
	return t
}

// partTable lists what activations cost.
func (s *findings) partTable() *study.Table {
	t := &study.Table{Columns: []string{"ReLU of stage/block", "elements", "bytes", "of all, %", "rounds", "of all, %", "dealt bytes"}}
	all := s.costs[0]
	sum := part{name: "together"}
	add := func(a part) {
		t.Add(a.name, a.elements, a.bytes, 100*float64(a.bytes)/float64(all.bytes), a.rounds, 100*float64(a.rounds)/float64(all.rounds), a.dealt)
	}
	for _, a := range s.parts {
		add(a)
		sum.elements, sum.bytes, sum.rounds, sum.dealt = sum.elements+a.elements, sum.bytes+a.bytes, sum.rounds+a.rounds, sum.dealt+a.dealt
	}
	add(sum)
	return t
}

// figure shows bytes, and time on each network, over ReLUs kept.
func (s *findings) figure() *study.Figure {
	bytes := study.Panel{Title: "Bytes, both parties", X: "ReLUs kept in blocks", Y: "MB", Legend: study.Corner{}}
	f := &study.Figure{Columns: 2}
	lines := func(y func(c cost) float64) (out []study.Series) {
		for i, w := range ways {
			line := study.Series{Name: w, Line: true, Points: true, Dashed: i > 0, Colour: i}
			for _, c := range s.of(w) {
				line.X, line.Y = append(line.X, float64(c.kept)), append(line.Y, y(c))
			}
			out = append(out, line)
		}
		return out
	}
	bytes.Series = lines(func(c cost) float64 { return float64(c.bytes) / 1e6 })
	f.Panels = append(f.Panels, bytes, study.Panel{Title: "Measured, no network", X: bytes.X, Y: "seconds", Series: lines(func(c cost) float64 { return c.measured })})
	for _, n := range study.Networks {
		f.Panels = append(f.Panels, study.Panel{Title: fmt.Sprintf("Predicted, %s", n.Title), X: bytes.X, Y: "seconds", Series: lines(func(c cost) float64 { return c.times[n.Name] })})
	}
	return f
}
