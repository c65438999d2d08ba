package exp

import (
	"context"
	"fmt"

	"github.com/tacet-mpc/tacet/study"
)

// cost is the cost of a mode, as planned.
type cost struct {
	mode          mode
	ring, parties int
	bytes         float64 // online, per element and party
	dealt         float64 // corrections, per element
	memory        float64 // per element, of the party with the most
	rounds        int
	sizes         []float64            // elements
	seconds       map[string][]float64 // by network, for each of sizes
	fixed, each   map[string]float64   // by network: seconds = fixed + each · elements
}

// sizes are the numbers of elements that are planned.
var sizes = []int{100, 1000, 10_000, 100_000, 1_000_000}

// findCosts plans all modes.
func (s *findings) findCosts(ctx context.Context, parties []int) error {
	for _, n := range parties {
		for _, ring := range rings {
			for _, m := range modes {
				s.lab.Step("plans of %s, ring %d, %d parties", m.name, ring, n)
				c, err := s.cost(ctx, m, ring, n)
				if err != nil {
					return err
				}
				s.costs = append(s.costs, c)
			}
		}
	}
	return nil
}

func (s *findings) cost(ctx context.Context, m mode, ring, parties int) (cost, error) {
	c := cost{mode: m, ring: ring, parties: parties, seconds: map[string][]float64{}, fixed: map[string]float64{}, each: map[string]float64{}}
	for _, n := range sizes {
		r, err := s.lab.Plan(ctx, m.trial(ring, parties, n))
		if err != nil {
			return c, err
		}
		c.sizes = append(c.sizes, float64(n))
		for _, net := range study.Networks {
			c.seconds[net.Name] = append(c.seconds[net.Name], study.Online(r, net.Name))
		}
		// The values of the largest run remain: costs that do not depend on n are negligible there.
		c.rounds = r.Online.Rounds
		c.bytes = float64(study.Sum(r.Online.BytesSent)) / float64(parties) / float64(n)
		c.dealt = float64(r.Offline.BytesSent) / float64(n)
		c.memory = 0
		for _, b := range r.Plan.MemoryBytes {
			c.memory = max(c.memory, float64(b)/float64(n))
		}
	}
	for _, net := range study.Networks {
		c.fixed[net.Name], c.each[net.Name] = study.Fit(c.sizes, c.seconds[net.Name])
	}
	return c, nil
}

// costTable lists the costs of the modes.
func (s *findings) costTable() *study.Table {
	t := &study.Table{Columns: []string{"mode", "ring", "parties", "bytes", "rounds", "dealt bytes", "memory"}}
	for _, c := range s.costs {
		t.Add(c.mode.name, c.ring, c.parties, c.bytes, c.rounds, c.dealt, c.memory)
	}
	return t
}

// timeTable lists the predicted times.
func (s *findings) timeTable() *study.Table {
	t := &study.Table{Columns: []string{"mode", "ring", "parties"}}
	for _, n := range study.Networks {
		t.Columns = append(t.Columns, n.Title)
	}
	for _, c := range s.costs {
		row := []any{c.mode.name, c.ring, c.parties}
		for _, n := range study.Networks {
			row = append(row, fmt.Sprintf("%s + %s", study.Cell(1e3*c.fixed[n.Name]), study.Cell(1e6*c.each[n.Name])))
		}
		t.Add(row...)
	}
	return t
}

// timeData lists the predicted times of all sizes.
func (s *findings) timeData() *study.Table {
	t := &study.Table{Columns: []string{"mode", "ring", "parties", "network", "elements", "predicted online seconds"}}
	for _, c := range s.costs {
		for _, net := range study.Networks {
			for i, n := range c.sizes {
				t.Add(c.mode.name, c.ring, c.parties, net.Name, int(n), c.seconds[net.Name][i])
			}
		}
	}
	return t
}

// timeFigure has a panel for each network.
func (s *findings) timeFigure() *study.Figure {
	f := &study.Figure{Columns: 2}
	for _, net := range study.Networks {
		p := study.Panel{
			Title:  net.Title + " round trip",
			X:      "elements",
			Y:      "predicted seconds",
			LogX:   true,
			LogY:   true,
			Legend: study.Corner{Top: true, Left: true},
		}
		for _, c := range s.costs {
			if c.ring == 128 && c.parties == 2 {
				p.Series = append(
					p.Series,
					study.Series{Name: c.mode.name, X: c.sizes, Y: c.seconds[net.Name], Line: true, Points: true, Colour: colour(c.mode)},
				)
			}
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// bytesFigure plots bytes against rounds.
func (s *findings) bytesFigure() *study.Figure {
	p := study.Panel{
		Title:  "Two parties: bytes an element over rounds",
		X:      "rounds",
		Y:      "bytes an element, each party",
		LogX:   true,
		LogY:   true,
		Legend: study.Corner{Left: true, Top: true},
	}
	for i, ring := range rings {
		points := study.Series{Name: fmt.Sprintf("Tacet, ring %d", ring), Points: true, Colour: i}
		for _, c := range s.costs {
			if c.ring == ring && c.parties == 2 {
				points.X, points.Y = append(points.X, float64(c.rounds)), append(points.Y, c.bytes)
				if ring == 64 { // the labels would collide with those of ring 128
					points.Labels = append(points.Labels, c.mode.name)
				}
			}
		}
		p.Series = append(p.Series, points)
	}
	spu := study.Series{Name: "SPU, FM128 (published)", Points: true, Above: true, Colour: 5}
	for _, c := range published {
		spu.X, spu.Y, spu.Labels = append(spu.X, float64(c.rounds)), append(spu.Y, c.bytes), append(spu.Labels, c.mode)
	}
	p.Series = append(p.Series, spu)
	return &study.Figure{Panels: []study.Panel{p}}
}

// colour returns the colour index of a mode, the same in all figures.
func colour(m mode) int {
	for i := range modes {
		if modes[i].name == m.name {
			return i
		}
	}
	return len(modes)
}
