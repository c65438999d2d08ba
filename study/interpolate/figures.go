package interpolate

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/study"
)

// lossFigure has a panel for each model that is trained.
func (s *findings) lossFigure() *study.Figure {
	f := &study.Figure{Columns: 2}
	for _, name := range s.order {
		if !models[name].trained {
			continue
		}
		j := s.at(name, s.size.end, s.parties()[0])
		f.Panels = append(f.Panels, study.Panel{
			Title: name, X: "gradient step", Y: "loss", LogX: true, Legend: study.Corner{Top: true},
			Series: []study.Series{
				curve("private", s.runs[j].Losses, study.Series{Colour: 4}), curve("in the clear", s.clears[clearJob(j)].Losses, study.Series{Colour: 5, Dashed: true}),
			},
		})
	}
	return f
}

// curve sets a series to a curve of losses.
func curve(name string, losses []float64, s study.Series) study.Series {
	s.Name, s.Line, s.Y = name, true, losses
	for i := range losses {
		s.X = append(s.X, float64(i+1))
	}
	return s
}

// errorSteps are the bounds between the classes of errors on the map, relative to the deviation of the values.
var errorSteps = []float64{0.1, 0.3, 0.6}

// mapFigure shows the errors of the model with the smallest RMSE at test sites in the first hour, private and in the clear, and
// the values of training sites.
func (s *findings) mapFigure() *study.Figure {
	n := s.parties()[0]
	best := s.order[0]
	for _, name := range s.order {
		if s.clears[clearJob(s.at(name, s.size.end, n))].Test < s.clears[clearJob(s.at(best, s.size.end, n))].Test {
			best = name
		}
	}
	j := s.at(best, s.size.end, n)
	dev := s.deviation()
	west, south := math.Inf(1), math.Inf(1)
	for i := range s.problem.sites {
		west, south = min(west, s.problem.places[2*i]), min(south, s.problem.places[2*i+1])
	}
	f := &study.Figure{Columns: 2}
	for _, half := range []struct {
		title string
		of    outcome
	}{{best + ", private", s.runs[j].outcome}, {best + ", in the clear", s.clears[clearJob(j)]}} {
		p := study.Panel{Title: half.title + ": |error| at test sites", X: "km east", Y: "km north", Legend: study.Corner{Top: true}}
		for class := range len(errorSteps) + 1 {
			low, high, name := 0.0, math.Inf(1), ""
			if class > 0 {
				low = dev * errorSteps[class-1]
			}
			if class < len(errorSteps) {
				high = dev * errorSteps[class]
				name = fmt.Sprintf("%s – %s", study.Cell(low), study.Cell(high))
			} else {
				name = "more than " + study.Cell(low)
			}
			series := study.Series{Name: name, Points: true, Colour: []int{4, 2, 6, 1}[class]}
			for _, i := range s.problem.test {
				if e := math.Abs(half.of.Predictions[i*s.problem.times] - s.problem.y[i*s.problem.times]); e >= low && e < high {
					series.X = append(series.X, s.problem.places[2*i]-west)
					series.Y = append(series.Y, s.problem.places[2*i+1]-south)
				}
			}
			p.Series = append(p.Series, series)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// deviation is the standard deviation of all values.
func (s *findings) deviation() float64 {
	m, square := 0.0, 0.0
	for _, y := range s.problem.y {
		m += y / float64(len(s.problem.y))
	}
	for _, y := range s.problem.y {
		square += (y - m) * (y - m) / float64(len(s.problem.y))
	}
	return math.Sqrt(square)
}

// partiesFigure shows an epoch of the GCN by number of parties.
func (s *findings) partiesFigure() *study.Figure {
	mb := study.Panel{Title: "GCN: MB of an epoch and party", X: "parties", Y: "MB", LogY: true, WholeX: true, Headroom: 1, Legend: study.Corner{Top: true, Left: true}}
	seconds := study.Panel{Title: "GCN: seconds of an epoch", X: "parties", Y: "seconds", LogY: true, WholeX: true, Headroom: 1, Legend: study.Corner{Top: true, Left: true}}
	crypten := study.Series{Name: "CrypTen, published", Line: true, Points: true, Dashed: true, Colour: 5}
	bytes, time := crypten, crypten
	for _, p := range publishedGCN {
		bytes.X, bytes.Y = append(bytes.X, float64(p.nodes)), append(bytes.Y, p.mb)
		time.X, time.Y = append(time.X, float64(p.nodes)), append(time.Y, p.seconds)
	}
	mb.Series, seconds.Series = append(mb.Series, bytes), append(seconds.Series, time)
	for i, secret := range []bool{false, true} {
		line := study.Series{Name: "Tacet, public adjacency", Line: true, Points: true, Colour: i}
		if secret {
			line.Name = "Tacet, secret adjacency"
		}
		planned, run, far := line, line, line
		run.Name, far.Name, far.Colour = line.Name+", measured, no network", line.Name+", predicted, 7.9 ms", i+2
		for _, n := range s.parties() {
			j := s.at(nameGCN, s.size.epochs, n)
			j.secret = secret
			p := s.plans[j]
			planned.X, planned.Y = append(planned.X, float64(n)), append(planned.Y, p.EpochBytes/1e6)
			far.X, far.Y = append(far.X, float64(n)), append(far.Y, p.Seconds[roundTrips]/float64(j.epochs))
			if m, measured := s.runs[j]; measured {
				run.X, run.Y = append(run.X, float64(n)), append(run.Y, m.Seconds/float64(j.epochs))
			}
		}
		mb.Series, seconds.Series = append(mb.Series, planned), append(seconds.Series, run, far)
	}
	return &study.Figure{Columns: 2, Panels: []study.Panel{mb, seconds}}
}
