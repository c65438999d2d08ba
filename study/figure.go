package study

import (
	"bytes"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a grid of panels of equal size, for a page or an image file.
type Figure struct {
	Panels  []Panel // in rows, from left to right
	Columns int     // panels per row; 0 means 1
}

// Panel is one diagram of a figure.
type Panel struct {
	Title, X, Y string // title, and labels of the axes
	LogX, LogY  bool   // logarithmic axes
	WholeX      bool   // X is a count: its axis has ticks at whole numbers only
	// Legend is the corner in which the legend stands. Headroom is the number of decades that are left free for
	// it above the data of a logarithmic Y axis.
	Legend   Corner
	Headroom float64
	Series   []Series // the data
}

// Corner is a corner of a panel: at the top or the bottom, at the left or the right.
type Corner struct{ Top, Left bool }

// Series is one set of data in a panel, drawn as a line, as points, or as both.
type Series struct {
	Name         string    // name in the legend
	X, Y         []float64 // coordinates; of equal length
	Line, Points bool      // draw a line through the points, draw the points
	Dashed       bool      // the line is dashed
	Labels       []string  // texts to the right of the points; nil for none
	Above        bool      // labels stand above the points instead
	// Colour is the number of the colour: series with the same number have the same colour in all panels of a
	// figure.
	Colour int
}

// palette is the colour-blind safe palette of Okabe and Ito without yellow, which is too light for
// lines.
var palette = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{
		0xcc,
		0x79,
		0xa7,
		0xff,
	}, color.RGBA{0x56, 0xb4, 0xe9, 0xff}, color.RGBA{0x55, 0x55, 0x55, 0xff}, color.RGBA{0xe6, 0x9f, 0x00, 0xff},
}

// shapes distinguish series without colour.
var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{},
	draw.BoxGlyph{},
	draw.PyramidGlyph{},
	draw.RingGlyph{},
	draw.SquareGlyph{},
	draw.TriangleGlyph{},
	draw.CrossGlyph{},
}

// Size of a panel.
const (
	width  = 15 * vg.Centimeter
	height = 9.5 * vg.Centimeter
	gap    = 0.5 * vg.Centimeter
	dpi    = 96 // of PNG files
)

var face = font.Font{Typeface: "Liberation", Variant: "Sans"}

// Draw returns the figure as a file of format "svg" or "png".
func (f *Figure) Draw(format string) ([]byte, error) {
	columns := max(1, f.Columns)
	rows := (len(f.Panels) + columns - 1) / columns
	w, h := vg.Length(columns)*width, vg.Length(rows)*height
	var canvas vg.CanvasWriterTo
	if format == "svg" {
		canvas = vgsvg.New(w, h)
	} else {
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))}
	}
	all := draw.New(canvas)
	all.SetColor(color.White)
	all.Fill(all.Rectangle.Path())
	tiles := draw.Tiles{Cols: columns, Rows: rows, PadX: gap, PadY: gap, PadTop: gap / 2, PadBottom: gap / 2, PadLeft: gap / 2, PadRight: gap}
	for i := range f.Panels {
		p, err := f.Panels[i].plot()
		if err != nil {
			return nil, fmt.Errorf("study: plot %q: %w", f.Panels[i].Title, err)
		}
		p.Draw(tiles.At(all, i%columns, i/columns))
	}
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return b.Bytes(), err
}

func (p *Panel) plot() (*plot.Plot, error) {
	out := plot.New()
	out.Title.Text, out.X.Label.Text, out.Y.Label.Text = p.Title, p.X, p.Y
	for _, style := range []*font.Font{&out.Title.TextStyle.Font, &out.X.Label.TextStyle.Font, &out.Y.Label.TextStyle.Font,
		&out.X.Tick.Label.Font, &out.Y.Tick.Label.Font, &out.Legend.TextStyle.Font} {
		*style = font.From(face, style.Size)
	}
	out.Title.TextStyle.Font.Size = 12
	out.Title.Padding = vg.Points(4)
	out.Legend.TextStyle.Font.Size = 9
	out.Legend.Top, out.Legend.Left = p.Legend.Top, p.Legend.Left
	out.Legend.Padding = vg.Points(2)
	out.Legend.XOffs, out.Legend.YOffs = vg.Points(-4), vg.Points(4)
	if p.Legend.Left {
		out.Legend.XOffs = vg.Points(4)
	}
	if p.Legend.Top {
		out.Legend.YOffs = vg.Points(-4)
	}
	out.X.Tick.Marker, out.Y.Tick.Marker = ticks{log: p.LogX, whole: p.WholeX}, ticks{log: p.LogY}
	grid := plotter.NewGrid()
	light := color.Gray{0xe0}
	grid.Vertical.Color, grid.Horizontal.Color = light, light
	out.Add(grid)
	for i := range p.Series {
		if err := p.Series[i].addTo(out, p); err != nil {
			return nil, err
		}
	}
	if p.LogY { // extend to whole decades
		out.Y.Min, out.Y.Max = math.Floor(out.Y.Min+1e-9), math.Ceil(out.Y.Max-1e-9)+p.Headroom
	} else {
		out.Y.Min = min(0, out.Y.Min)
	}
	return out, nil
}

// addTo draws the series without the points that the axes cannot show.
func (s *Series) addTo(out *plot.Plot, p *Panel) error {
	var at plotter.XYs
	var labels []string
	for i, x := range s.X {
		y := s.Y[i]
		if math.IsNaN(y) || math.IsInf(y, 0) || p.LogX && x <= 0 || p.LogY && y <= 0 {
			continue
		}
		at = append(at, plotter.XY{X: place(x, p.LogX), Y: place(y, p.LogY)})
		if s.Labels != nil {
			labels = append(labels, s.Labels[i])
		}
	}
	if len(at) == 0 {
		return nil
	}
	colour := palette[s.Colour%len(palette)]
	var legend []plot.Thumbnailer
	if s.Line {
		line, err := plotter.NewLine(at)
		if err != nil {
			return err
		}
		line.Color, line.Width = colour, vg.Points(1.4)
		if s.Dashed {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		}
		out.Add(line)
		legend = append(legend, line)
	}
	if s.Points {
		points, err := plotter.NewScatter(at)
		if err != nil {
			return err
		}
		points.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: vg.Points(3), Shape: shapes[s.Colour%len(shapes)]}
		out.Add(points)
		legend = append(legend, points)
	}
	if labels != nil {
		texts, err := plotter.NewLabels(plotter.XYLabels{XYs: at, Labels: labels})
		if err != nil {
			return err
		}
		for i := range texts.TextStyle {
			texts.TextStyle[i].Font = font.From(face, 9)
			texts.TextStyle[i].Color = colour
		}
		texts.Offset = vg.Point{X: vg.Points(6), Y: vg.Points(-3)}
		if s.Above {
			texts.Offset = vg.Point{X: vg.Points(-10), Y: vg.Points(6)}
		}
		out.Add(texts)
	}
	if s.Name != "" {
		out.Legend.Add(s.Name, legend...)
	}
	return nil
}
