package conv

import (
	"fmt"
	"math"
	"strings"

	"github.com/tacet-mpc/tacet/study"
)

// costTable lists the costs of the layers of one network.
func (s *findings) costTable(net int) *study.Table {
	t := &study.Table{
		Columns: []string{
			"layer",
			"times",
			"method",
			"products",
			"input bytes",
			"online bytes",
			"rounds",
			"dealt bytes",
			"ms of work, predicted",
			"measured",
			"error",
		},
	}
	for _, c := range s.costs {
		if c.layer.net == net {
			t.Add(
				c.layer.String(),
				c.layer.times,
				c.method.name,
				c.method.multiplications(c.layer),
				c.input,
				c.online,
				c.rounds,
				c.dealt,
				1e3*c.work,
				1e3*c.measured,
				c.maxError,
			)
		}
	}
	return t
}

// publishedTable compares SPU's published bytes of the first layer with Tacet's.
func (s *findings) publishedTable() *study.Table {
	t := &study.Table{Columns: []string{"method", "SPU, published", "image", "online", "kernel, once", "dealt"}}
	for _, c := range s.costs {
		if c.layer.net == 32 && c.layer.first {
			spu := any("")
			if b, ok := published[c.method.name]; ok {
				spu = b
			}
			t.Add(c.method.name, spu, c.image, c.online, c.input-c.image, c.dealt)
		}
	}
	return t
}

// total is the cost of all layers of a network by one method, and by the standard method for layers
// to which the method does not apply.
type total struct {
	input, online, dealt int64
	rounds               int
	times                map[string]float64
	work, measured       float64 // NaN if a layer was not run
}

func (s *findings) total(net int, m method) total {
	t := total{times: map[string]float64{}}
	for _, l := range s.layers {
		if l.net != net {
			continue
		}
		used := s.standard(l)
		for _, c := range s.costs {
			if c.layer == l && c.method.name == m.name {
				used = c
			}
		}
		n := int64(l.times)
		t.input, t.online, t.dealt, t.rounds = t.input+n*used.input, t.online+n*used.online, t.dealt+n*used.dealt, t.rounds+l.times*used.rounds
		t.work, t.measured = t.work+float64(n)*used.work, t.measured+float64(n)*used.measured
		for _, net := range study.Networks {
			t.times[net.Name] += float64(n) * used.times[net.Name]
		}
	}
	return t
}

// totalTable lists the totals of the networks.
func (s *findings) totalTable() *study.Table {
	t := &study.Table{
		Columns: []string{"image", "method", "input bytes", "online bytes", "rounds", "dealt bytes", "s of work, predicted", "measured"},
	}
	for _, n := range study.Networks {
		t.Columns = append(t.Columns, "s at "+n.Title)
	}
	for _, net := range s.nets() {
		for _, m := range methods {
			sum := s.total(net, m)
			row := []any{fmt.Sprintf("%d×%d", net, net), m.name, sum.input, sum.online, sum.rounds, sum.dealt, sum.work, sum.measured}
			for _, n := range study.Networks {
				row = append(row, sum.times[n.Name])
			}
			t.Add(row...)
		}
	}
	return t
}

// nets returns the image sizes of the study.
func (s *findings) nets() []int {
	if s.lab.Quick {
		return []int{32}
	}
	return []int{32, 224}
}

// figure has a panel for each kind of cost and a point for each eligible layer.
func (s *findings) figure(net int) *study.Figure {
	kinds := []struct {
		title, unit string
		of          func(c cost) float64
	}{
		{"Input and online bytes", "bytes", func(c cost) float64 { return float64(c.input + c.online) }},
		{"Online bytes", "bytes", func(c cost) float64 { return float64(c.online) }},
		{"Dealt bytes", "bytes", func(c cost) float64 { return float64(c.dealt) }},
		{"Work of both parties, predicted", "milliseconds", func(c cost) float64 { return 1e3 * c.work }},
	}
	f := &study.Figure{Columns: 2}
	for _, k := range kinds {
		p := study.Panel{
			Title:    fmt.Sprintf("%s, %d×%d images", k.title, net, net),
			X:        "eligible layer, in the table's order",
			Y:        k.unit,
			WholeX:   true,
			LogY:     true,
			Legend:   study.Corner{Top: true, Left: true},
			Headroom: 2,
		}
		for i, m := range methods {
			points := study.Series{Name: m.name, Line: true, Points: true, Colour: i}
			at := 0.0
			for _, c := range s.costs {
				if c.method.name == m.name && c.layer.net == net && c.layer.eligible() {
					at++
					points.X, points.Y = append(points.X, at), append(points.Y, k.of(c))
				}
			}
			p.Series = append(p.Series, points)
		}
		f.Panels = append(f.Panels, p)
	}
	return f
}

// verdict summarises the results in words.
func (s *findings) verdict() string {
	text := ""
	for _, net := range s.nets() {
		standard := s.total(net, methods[0])
		// best returns the fastest Winograd method by f and its time relative to the standard
		// method.
		best := func(f func(t total) float64) string {
			least, name := math.Inf(1), "none (no layer was run)"
			for _, m := range methods[1:] {
				if x := f(s.total(net, m)); x < least {
					least, name = x, m.name
				}
			}
			if math.IsInf(least, 1) {
				return name
			}
			return fmt.Sprintf("%s (%s times the %s s of the standard method)", name, study.Cell(least/f(standard)), study.Cell(f(standard)))
		}
		var fastest []string
		for _, n := range study.Networks {
			least, by := math.Inf(1), ""
			for _, m := range methods {
				if x := s.total(net, m).times[n.Name]; x < least {
					least, by = x, m.name
				}
			}
			fastest = append(fastest, by+" at "+n.Title)
		}
		text += fmt.Sprintf(
			"Images of %d×%d: the Winograd method with the least computation over all convolutions is %s as predicted, and %s as measured. The fastest method online, as predicted, is %s. ",
			net,
			net,
			best(func(t total) float64 { return t.work }),
			best(func(t total) float64 { return t.measured }),
			strings.Join(fastest, "; "),
		)
	}
	return text + s.faster()
}

// faster lists the layers in which a Winograd convolution took less computation than the standard
// one, as measured.
func (s *findings) faster() string {
	var less []string
	near, where := math.Inf(1), ""
	all := 0
	for _, l := range s.layers {
		if !l.eligible() {
			continue
		}
		best, by := math.Inf(1), ""
		for _, c := range s.costs {
			if ratio := c.measured / s.standard(l).measured; c.layer == l && c.method.winograd != nil && ratio < best {
				best, by = ratio, c.method.name
			}
		}
		if math.IsInf(best, 1) {
			continue
		}
		at := fmt.Sprintf("%v by %s with %s", l, by, study.Cell(best))
		if all++; best < 1 {
			less = append(less, at)
		}
		if best < near {
			near, where = best, at
		}
	}
	switch {
	case all == 0:
		return "No layer was measured by both methods."
	case less == nil:
		return fmt.Sprintf(
			"In none of the %d measured layers does a Winograd convolution take less computation than the standard one; the smallest ratio is %s times its time.",
			all,
			where,
		)
	}
	return fmt.Sprintf(
		"In %d of the %d measured layers a Winograd convolution takes less computation than the standard one: %s times its time.",
		len(less),
		all,
		strings.Join(less, ", "),
	)
}
