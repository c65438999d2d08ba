package profile

import (
	"cmp"
	"slices"
	"strings"
)

// Sizes in the drawing, in pixels.
const (
	boxWidth, boxHeight = 220, 58
	boxGapX, boxGapY    = 26, 34
	barWidth            = boxWidth - 20
)

// drawing is a layered drawing of the graph of parts: rows of boxes, each below the boxes that it
// reads.
type drawing struct {
	Width, Height int
	Boxes         []box
	Edges         []edge
}

type box struct {
	X, Y                 int
	Layer                layerRow
	OnPath               bool
	Bytes, Offline, Time float64 // widths of the bars, in pixels
}

// Short returns the layer's name; of a long name, its end.
func (b *box) Short() string {
	const most = 30
	name := strings.TrimPrefix(strings.ReplaceAll(b.Layer.Name, "  ", " "), "stablehlo.")
	if r := []rune(name); len(r) > most {
		return "…" + string(r[len(r)-most+1:])
	}
	return name
}

// edge is a Bézier curve from the bottom of one box to the top of another.
type edge struct {
	FromX, FromY, ToX, ToY int
	OnPath                 bool
}

// Side is the horizontal offset of the control points in pixels: 0 to the next row, a box's width
// if the edge passes over rows.
func (e edge) Side() int {
	if e.ToY-e.FromY > boxGapY {
		return boxWidth
	}
	return 0
}

// Bend is the vertical distance of the control points from the ends, in pixels.
func (e edge) Bend() int { return min(e.ToY-e.FromY, boxHeight+boxGapY) * 2 / 3 }

// X1, Y1, X2 and Y2 are the coordinates of the curve's two control points.
func (e edge) X1() int { return e.FromX + e.Side() }
func (e edge) Y1() int { return e.FromY + e.Bend() }
func (e edge) X2() int { return e.ToX + e.Side() }
func (e edge) Y2() int { return e.ToY - e.Bend() }

// draw lays out parts: each below every part that it reads, and within its row ordered by the mean
// position of the parts that it reads.
func draw(all []*part, rows []layerRow) drawing {
	levels := inLevels(all)
	widest := 0
	for _, level := range levels {
		widest = max(widest, len(level))
	}
	d := drawing{Width: (widest+1)*(boxWidth+boxGapX) + boxGapX, Height: len(levels)*(boxHeight+boxGapY) + boxGapY}
	x := make([]int, len(all))
	y := make([]int, len(all))
	for n, level := range levels {
		near := func(i int) float64 { // mean x of the parts that i reads
			var sum float64
			for _, in := range all[i].inputs {
				sum += float64(x[in])
			}
			return ratio(sum, float64(len(all[i].inputs)))
		}
		slices.SortStableFunc(level, func(a, b int) int { return cmp.Compare(near(a), near(b)) })
		left := (d.Width - len(level)*(boxWidth+boxGapX) + boxGapX) / 2
		for k, i := range level {
			x[i], y[i] = left+k*(boxWidth+boxGapX), boxGapY/2+n*(boxHeight+boxGapY)
		}
	}
	var most cost
	for _, l := range all {
		most.bytes, most.offline, most.seconds = max(
			most.bytes,
			l.cost.bytes,
		), max(
			most.offline,
			l.cost.offline,
		), max(
			most.seconds,
			l.cost.seconds,
		)
	}
	next := map[int]int{} // successor on the longest path
	for i, at := 1, onPath(all); i < len(at); i++ {
		next[at[i-1]] = at[i]
	}
	for i, l := range all {
		d.Boxes = append(d.Boxes, box{
			X: x[i], Y: y[i], Layer: rows[i], OnPath: l.path > 0,
			Bytes:   barWidth * ratio(float64(l.cost.bytes), float64(most.bytes)),
			Offline: barWidth * ratio(float64(l.cost.offline), float64(most.offline)),
			Time:    barWidth * ratio(l.cost.seconds, most.seconds),
		})
		for _, in := range l.inputs {
			d.Edges = append(d.Edges, edge{
				FromX: x[in] + boxWidth/2, FromY: y[in] + boxHeight, ToX: x[i] + boxWidth/2, ToY: y[i],
				OnPath: next[in] == i,
			})
		}
	}
	slices.SortStableFunc(d.Edges, func(a, b edge) int { // draw the path's edges last, on top
		return cmp.Compare(btoi(a.OnPath), btoi(b.OnPath))
	})
	return d
}

// inLevels assigns each part to the level below the last part that it reads. A part that reads none
// is put directly above the first part that reads it.
func inLevels(all []*part) [][]int {
	depth := make([]int, len(all))
	above := make([]int, len(all)) // the first level that reads part i
	for i, l := range all {
		for _, in := range l.inputs {
			depth[i] = max(depth[i], depth[in]+1)
		}
		for _, in := range l.inputs {
			if above[in] == 0 || depth[i] < above[in] {
				above[in] = depth[i]
			}
		}
	}
	var levels [][]int
	for i, l := range all {
		if len(l.inputs) == 0 && above[i] > 0 {
			depth[i] = above[i] - 1
		}
		for len(levels) <= depth[i] {
			levels = append(levels, nil)
		}
		levels[depth[i]] = append(levels[depth[i]], i)
	}
	return levels
}

// onPath returns the indices of the parts on the longest path, in the order of their first round.
func onPath(all []*part) []int {
	var at []int
	for i, l := range all {
		if l.path > 0 {
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(all[a].first, all[b].first) })
	return at
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
